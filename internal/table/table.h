/*
 * table.h - the part of a game that all rulesets share: its seats, host, status
 * and version.
 *
 * Seats are numbered from 1 in the order of joining.  When a player leaves the
 * lobby, the seats after it close up.  After the start the seat stays, vacant,
 * until another player takes it over.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

struct table {
	const struct ruleset *rules;
	void *state; /* rules->state_size bytes; borrowed */
	uint32_t version;
	enum status status;
	const char *mode;      /* its code, static; NULL: without modes */
	const char *round_end; /* likewise */
	bool is_public;
	bool spectators;
	uint32_t absence_s; /* seconds until a player is absent; 0: never */
	uint8_t seats_max;
	uint8_t seats;  /* taken and vacant ones */
	uint8_t vacant; /* bit n: the player of seat n has left */
	uint8_t bots;   /* bit n: the service plays seat n itself */
	uint8_t host;   /* the host's seat */
	bool has_rematch;
};

/*
 * Apply an action; a game changes in no other way.  Changes the table and its
 * state, appends at least one event and raises the version by the number of
 * new events.  On an error nothing is changed or appended, but for the state
 * of a new table under VERB_START_REMATCH.
 *
 * VERB_CREATE creates a game in a table with version 0 and no seats, of which
 * the caller has set rules, state, is_public, spectators and absence_s.
 * ERR_INVALID for arguments that the rules do not have.
 *
 * VERB_JOIN takes the lowest vacant seat, else the next new one.  The last new
 * seat starts the game.  In a lobby without a free seat the last bot leaves,
 * and the game starts if no other bot is left.  ERR_GAME_OVER after the end;
 * ERR_GAME_FULL without a free seat.
 *
 * VERB_SEAT_BOT has a bot join, at the lowest vacant seat or the next new one.
 * It never starts the game.  In the lobby only the host may seat a bot, in play
 * every player: the errors of table_check_bot().  With BOT_INSTEAD the acting
 * player leaves a game in play, and the bot takes over the seat with all that
 * it has, so the rules do not notice: ERR_GAME_NOT_STARTED, ERR_GAME_OVER.
 *
 * VERB_START: the errors of table_check_start().
 *
 * VERB_LEAVE frees a seat.  If it is the host's, the next player becomes host.
 * Every player may free their own seat.  Any player may remove one who is
 * absent while the game waits for them (a lobby with enough players waits for
 * its host).  The host may remove others if table_host_may_remove().
 * ERR_NO_SUCH_SEAT for a seat without a player; ERR_NOT_HOST for another player
 * than the host; ERR_NOT_ALLOWED_NOW if the host may not either, or if
 * table_is_last(): that game is to be deleted instead.
 *
 * VERB_CHANGE_PLAYER and VERB_RENEW_TOKEN emit an event, also after the end;
 * the table knows neither names nor tokens.  ERR_NO_SUCH_SEAT for a seat
 * without a player; ERR_NOT_YOUR_SEAT for another player's.
 *
 * VERB_REMATCH notes the id of the following game: the errors of
 * table_check_rematch().
 *
 * VERB_START_REMATCH creates the following game in an empty table, as
 * VERB_CREATE does, and starts it unless it waits for more players.
 * ERR_INVALID for arguments that do not fit together.
 *
 * A ruleset's verb: ERR_GAME_NOT_STARTED in the lobby, else the errors of its
 * apply(), which refuses an ended game with ERR_GAME_OVER.
 */
MUST_CHECK enum err table_apply(struct table *table,
                                const struct action *action, struct rng *rng,
                                struct events *events);

/*
 * Set status, mode, round_end and vacant from the state; the caller has read
 * the other members from the database.  False if the seats contradict the
 * state, or a bot has a seat that nobody has.
 */
MUST_CHECK bool table_open(struct table *table);

/*
 * Fill in the VERB_START_REMATCH that creates the rematch of an ended game with
 * its present players, and write its state to next, rules->state_size bytes.
 * mode is one of the ruleset's; NULL: as before.  seats is the number of seats:
 * with more than there are players the rematch waits for others; 0: it starts
 * with the present players, if they are enough.
 * ERR_INVALID for a mode or a number of seats that the rules do not have,
 * ERR_NOT_ALLOWED_NOW with fewer seats than players.
 */
MUST_CHECK enum err table_start_rematch(const struct table *table,
                                        const char *mode, unsigned seats,
                                        void *next, struct action *action);

/*
 * Check if the player of a seat may seat a bot at a free or vacant seat now:
 * ERR_NOT_HOST, ERR_GAME_OVER, ERR_GAME_FULL.
 */
MUST_CHECK enum err table_check_bot(const struct table *table, unsigned seat);

/*
 * Check if the player of a seat may start the game now: ERR_NOT_HOST,
 * ERR_ALREADY_STARTED, or ERR_NOT_ALLOWED_NOW with too few players.
 */
MUST_CHECK enum err table_check_start(const struct table *table, unsigned seat);

/*
 * Check if a rematch is possible now: ERR_GAME_NOT_STARTED in the lobby,
 * ERR_NOT_ALLOWED_NOW before the end, ERR_ALREADY_USED after the first one.
 */
MUST_CHECK enum err table_check_rematch(const struct table *table);

/* The number of seats that are taken; and of those that persons have. */
unsigned table_players(const struct table *table);
unsigned table_persons(const struct table *table);

/* True if a bot has the seat. */
bool table_is_bot(const struct table *table, unsigned seat);

/* True if the host may now remove a person who is not absent. */
bool table_host_may_remove(const struct table *table);

/*
 * The number of seats that a person could join at; 0 after the end.  In the
 * lobby those of bots are free.
 */
unsigned table_free_seats(const struct table *table);

/* True if a player sits at this seat; false also if there is no such seat. */
bool table_is_taken(const struct table *table, unsigned seat);

/* True if the game is in the lobby and this seat has its only person. */
bool table_is_last(const struct table *table, unsigned seat);

/* The number that a taken seat gets in the rematch, without vacant seats. */
unsigned table_closed_up(const struct table *table, unsigned seat);
