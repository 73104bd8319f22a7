/*
 * A seat without a player has the number 0.  The log may be damaged, so a seat
 * in it is not trusted.
 */
#include "operator/occupants.h"

#include <string.h>

#include "table/event.h"

void occupants_init(struct occupants *occupants)
{
	*occupants = (struct occupants){ .players = 0 };
}

static unsigned leave(struct occupants *occupants, unsigned seat)
{
	unsigned *seats = occupants->seats;
	unsigned player = seats[seat - 1];

	if (!occupants->is_started)
		memmove(&seats[seat - 1], &seats[seat],
		        (STORE_SEATS_MAX - seat) * sizeof(*seats));
	seats[occupants->is_started ? seat - 1 : STORE_SEATS_MAX - 1] = 0;
	return player;
}

static void begin_rematch(struct occupants *occupants)
{
	unsigned count = 0;

	for (unsigned i = 0; i < STORE_SEATS_MAX; i++) {
		if (occupants->seats[i])
			occupants->rematch[count++] = occupants->seats[i];
	}
}

unsigned occupants_read(struct occupants *occupants,
                        const struct store_event *event)
{
	bool has_seat = event->seat >= 1 && event->seat <= STORE_SEATS_MAX;

	if (event->type == EVENT_GAME_STARTED)
		occupants->is_started = true;
	if (event->type == EVENT_REMATCH_CREATED)
		begin_rematch(occupants);
	if (!event_has_names(event->type) || !has_seat)
		return 0;
	if (event->type == EVENT_PLAYER_LEFT)
		return leave(occupants, event->seat);
	if (event->type == EVENT_PLAYER_JOINED)
		occupants->seats[event->seat - 1] = ++occupants->players;
	return occupants->seats[event->seat - 1];
}
