/*
 * table_seats.h - sets of seats: bit n is seat n.
 */
#pragma once

#include <stdint.h>

/* The next seat of a set after this one, of 1..last, cyclically; 0: there is no
 * other. */
unsigned table_seats_next(unsigned set, unsigned last, unsigned seat);

/* The same; but one of the others only if "preferred" is empty. */
unsigned table_seats_prefer(unsigned preferred, unsigned others, unsigned last,
                            unsigned seat);

/* A set without a seat, when the seats after it move up by one. */
uint8_t table_seats_close_up(unsigned set, unsigned seat);
