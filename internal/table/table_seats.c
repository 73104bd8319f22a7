/*
 * A set of seats is a mask whose bit 0 is never set.  Nothing is kept here.
 */
#include "table/table_seats.h"

unsigned table_seats_next(unsigned set, unsigned last, unsigned seat)
{
	for (unsigned i = 1; i <= last; i++) {
		unsigned next = (seat + i - 1) % last + 1;

		if (next != seat && set >> next & 1)
			return next;
	}
	return 0;
}

unsigned table_seats_prefer(unsigned preferred, unsigned others, unsigned last,
                            unsigned seat)
{
	unsigned next = table_seats_next(preferred, last, seat);

	return next ? next : table_seats_next(others, last, seat);
}

uint8_t table_seats_close_up(unsigned set, unsigned seat)
{
	unsigned below = (1U << seat) - 1;

	return (uint8_t)((set & below) | (set >> 1 & ~below));
}
