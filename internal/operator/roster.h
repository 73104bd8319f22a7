/*
 * roster.h - which player each event of a log names.
 *
 * In the lobby seats close up, and later a vacant seat may be taken over, so a
 * number of a seat is not a player.  Here the players of a game are numbered
 * from 1 in the order in which they joined; 0 is nobody.  Plain values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "postgres/records.h"

struct roster {
	/* The player of each seat at the end of the log; seat 1 is [0]. */
	unsigned seats[STORE_SEATS_MAX];

	/*
	 * Those who took part in the rematch, by their seats in it; there they
	 * are the players 1, 2 and so on.
	 */
	unsigned rematch[STORE_SEATS_MAX];

	bool is_started;
	unsigned players;
};

/* An empty game, before the first event is read. */
void roster_init(struct roster *roster);

/*
 * Read the next event: the player whom it names in its public data; 0: it names
 * nobody, or a seat that nobody has.
 */
unsigned roster_read(struct roster *roster, const struct store_event *event);
