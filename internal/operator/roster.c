/*
 * A seat without a player has the number 0.  The log may be damaged, so a seat
 * in it is not trusted.
 */
#include "operator/roster.h"

#include <string.h>

#include "table/event.h"

void roster_init(struct roster *roster)
{
	*roster = (struct roster){ .players = 0 };
}

static unsigned leave(struct roster *roster, unsigned seat)
{
	unsigned *seats = roster->seats;
	unsigned player = seats[seat - 1];

	if (!roster->is_started)
		memmove(&seats[seat - 1], &seats[seat],
		        (STORE_SEATS_MAX - seat) * sizeof(*seats));
	seats[roster->is_started ? seat - 1 : STORE_SEATS_MAX - 1] = 0;
	return player;
}

static void begin_rematch(struct roster *roster)
{
	unsigned count = 0;

	for (unsigned i = 0; i < STORE_SEATS_MAX; i++) {
		if (roster->seats[i])
			roster->rematch[count++] = roster->seats[i];
	}
}

unsigned roster_read(struct roster *roster, const struct store_event *event)
{
	bool has_seat = event->seat >= 1 && event->seat <= STORE_SEATS_MAX;

	if (event->type == EVENT_GAME_STARTED)
		roster->is_started = true;
	if (event->type == EVENT_REMATCH_CREATED)
		begin_rematch(roster);
	if (!event_has_names(event->type) || !has_seat)
		return 0;
	if (event->type == EVENT_PLAYER_LEFT)
		return leave(roster, event->seat);
	if (event->type == EVENT_PLAYER_JOINED)
		roster->seats[event->seat - 1] = ++roster->players;
	return roster->seats[event->seat - 1];
}
