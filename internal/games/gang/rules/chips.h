/*
 * chips.h - the chips of one colour, and which seat holds which.
 *
 * There are as many chips as players, numbered by their stars from 1.  A seat
 * holds at most one, and a chip is with at most one seat or in the centre.
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CHIPS_MAX = 6, CHIPS_CENTER = 0 };

struct chips {
	uint8_t count;             /* of chips, and of seats */
	uint8_t holder[CHIPS_MAX]; /* by stars - 1: a seat, or CHIPS_CENTER */
};

/* All chips in the centre. */
void chips_deal(struct chips *chips, unsigned count);

/* The holder of a chip: a seat, or CHIPS_CENTER. */
unsigned chips_holder(const struct chips *chips, unsigned stars);

/* The holder of the chip with the most stars. */
unsigned chips_top_holder(const struct chips *chips);

/* The stars of the chip that a seat holds; 0 for none. */
unsigned chips_held(const struct chips *chips, unsigned seat);

/* Give a chip to a seat; the one that the seat held goes to the centre. */
void chips_give(struct chips *chips, unsigned stars, unsigned seat);

/* Put a chip into the centre. */
void chips_put_back(struct chips *chips, unsigned stars);

/* True once every seat holds a chip. */
bool chips_settled(const struct chips *chips);

/* True if no seat holds two and all seats exist. */
bool chips_valid(const struct chips *chips);
