/*
 * gang_print_part.h - the pieces of JSON that views, events and legal actions
 * share.
 */
#pragma once

#include "base/json_out.h"
#include "games/gang/rules/heist.h"
#include "games/gang/rules/value.h"

void gang_print_cards(const char *name, const uint8_t *cards, unsigned count,
                      struct json_out *out);

/* A value, or null for one that the kind does not have, such as 0. */
void gang_print_value(const char *name, enum value_kind kind, unsigned value,
                      struct json_out *out);

/* The challenges of a set that exists; the permanent ones are marked. */
void gang_print_challenges(uint16_t challenges, uint16_t permanent,
                           struct json_out *out);

/*
 * "specialist": number and code, or null if the number is 0.  The caller adds
 * members and ends the object, if it was begun.
 */
bool gang_begin_specialist(unsigned number, struct json_out *out);
void gang_print_specialist(unsigned number, struct json_out *out);

/* The members of an announcement: code, seat, target_seat, value, count. */
void gang_print_announcement(unsigned specialist, const struct announcement *of,
                             struct json_out *out);

/* The members of a proposal: seat, target_seat, value. */
void gang_print_wanted(unsigned seat, unsigned target, unsigned value,
                       struct json_out *out);
