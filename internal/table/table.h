/*
 * table.h - what every game shares: who sits where, who is host, how far it
 * is, and the ruleset that plays it.
 *
 * A struct table is a plain value; the state that it points to belongs to
 * whoever made the table.  Seats are numbered from 1 in order of joining.  Who
 * leaves before the start makes the seats behind close up; later the seat
 * stays, vacant, until somebody takes it over.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/err.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

struct table {
	const struct ruleset *rules;
	void *state; /* rules->state_size bytes */
	uint32_t version;
	enum status status;
	const char *mode; /* its code, static; NULL: the rules have none */
	bool is_public;
	bool spectators;
	uint32_t absence_s; /* who is away so long may be removed; 0: never */
	uint8_t seats_max;  /* how many may sit */
	uint8_t seats;      /* how many do, or did: those that are vacant too */
	uint8_t vacant;     /* bit n: nobody sits at seat n any more */
	uint8_t host;       /* whose seat */
	bool has_rematch;
};

/*
 * Do what a player wants: the one way in which a game changes.  Refuses with
 * an enum err and then changes nothing; or changes the table and its state,
 * raises the version by the number of events, and appends them.
 *
 * VERB_CREATE makes a new game of an empty table (version 0, no seats), of
 * which only rules, state, is_public and spectators need be set.  Its
 * arguments are those of a create; ERR_INVALID if the rules do not know them.
 *
 * VERB_JOIN sits down at the lowest vacant seat or the next new one, and the
 * game starts by itself when that was the last one.  ERR_GAME_OVER after the
 * end, ERR_GAME_FULL without a free seat (a game that was started has as many
 * seats as players).
 *
 * VERB_LEAVE frees a seat: ERR_NO_SUCH_SEAT, or ERR_NOT_HOST if it is not the
 * own one, nor that of somebody who is absent while the game waits for them (a
 * lobby of enough players waits for its host); ERR_NOT_ALLOWED_NOW where the
 * host may not remove anybody else either (table_host_may_remove()), or if it
 * is the last of a lobby, for that game is to be deleted (table_is_last()).
 * When the host leaves the next seat's player becomes host.
 *
 * VERB_START: the errors of table_check_start().
 *
 * VERB_REMATCH notes that the same players go on in another game: the errors of
 * table_check_rematch().
 * VERB_AGAIN makes that game, of an empty table like VERB_CREATE; it starts
 * at once if they are enough, unless it is to wait for more players.
 *
 * The ruleset's verbs: ERR_GAME_NOT_STARTED in the lobby, else as the ruleset
 * says (which refuses an ended game with ERR_GAME_OVER).
 */
MUST_CHECK enum err table_apply(struct table *table,
                                const struct action *action, struct rng *rng,
                                struct events *events);

/*
 * Take up a table whose other members were filled in from a database: set the
 * status, the mode and the vacant seats.  False if the seats cannot be so.
 */
MUST_CHECK bool table_open(struct table *table);

/*
 * The action that makes the next game of those who have ended this one, in a
 * mode of the rules (NULL: the same again) and for as many as seats (0: for
 * those who are there).  The state it begins with is put into next,
 * rules->state_size bytes.  ERR_INVALID for a mode or a number of seats that
 * the rules do not have, ERR_NOT_ALLOWED_NOW with fewer seats than players.
 */
MUST_CHECK enum err table_start_rematch(const struct table *table,
                                        const char *mode, unsigned seats,
                                        void *next, struct action *action);

/*
 * Whether the player of a seat may start the game now: ERR_NOT_HOST,
 * ERR_ALREADY_STARTED, or ERR_NOT_ALLOWED_NOW with fewer players than the game
 * needs.
 */
MUST_CHECK enum err table_check_start(const struct table *table, unsigned seat);

/*
 * Whether a rematch is possible now: ERR_GAME_NOT_STARTED, ERR_NOT_ALLOWED_NOW
 * before the end, or ERR_ALREADY_USED after the first one.
 */
MUST_CHECK enum err table_check_rematch(const struct table *table);

/* How many sit at the table. */
unsigned table_players(const struct table *table);

/* True if the host may remove any player now, and not only an absent one. */
bool table_host_may_remove(const struct table *table);

/* Seats that nobody sits on yet, or any more; 0 after the end. */
unsigned table_free_seats(const struct table *table);

/* True if somebody sits there. */
bool table_is_taken(const struct table *table, unsigned seat);

/* True of a lobby where nobody would be left without this seat. */
bool table_is_last(const struct table *table, unsigned seat);

/* The seat that the next one to join gets; there is a free one. */
unsigned table_next_seat(const struct table *table);

/* The number that a taken seat has when vacant ones close up. */
unsigned table_closed_up(const struct table *table, unsigned seat);
