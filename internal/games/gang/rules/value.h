/*
 * value.h - a value that a card asks for or announces: a rank of cards, or the
 * ranking of a hand.
 *
 * States, events and actions hold the number of the rank or ranking plus 1, or
 * VALUE_ABSENT.
 */
#pragma once

enum value_kind { VALUE_NONE, VALUE_RANK, VALUE_RANKING };
enum { VALUE_ABSENT = 0 };

/* The highest value of a kind; the lowest is 1. */
unsigned gang_value_max(enum value_kind kind);

/* "K", "full_house"; static.  The value is one of the kind. */
const char *gang_value_text(enum value_kind kind, unsigned value);
