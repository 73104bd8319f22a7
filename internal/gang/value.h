/*
 * value.h - a value that a card asks for or announces: a rank of cards, or the
 * ranking of a hand.
 *
 * A number, so that it fits states, events and actions: 1 + the rank or
 * ranking, and VALUE_ABSENT for none.
 */
#pragma once

enum value_kind { VALUE_NONE, VALUE_RANK, VALUE_RANKING };
enum { VALUE_ABSENT = 0 };

/* How many values there are: they are 1..that. */
unsigned gang_value_max(enum value_kind kind);

/* "K", "full_house"; static.  The value is one of the kind. */
const char *gang_value_text(enum value_kind kind, unsigned value);
