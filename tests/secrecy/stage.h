/*
 * stage.h - a game of The Gang with its log, played here and put into the
 * database as the daemon would have left it.
 *
 * Tests choose cards in this way; no setting of the daemon can.
 */
#pragma once

#include "../sim/gang_twin.h"
#include "../store/fixture.h"
#include "auth/token.h"
#include "service/replay_data.h"

enum {
	STAGE_LOG_MAX = 2048,
	STAGE_STRANGER = 7, /* a seat that no game has: its token is unknown */
};

/* An event; the first of an action has the action with it. */
struct happening {
	struct event event;
	bool is_first;
	struct action action;
	struct rng rng;
};

/* A game with its whole log. */
struct stage {
	char id[UUID_TEXT_LEN + 1];
	char code[STORE_CODE_LEN + 1];
	struct scene scene;
	bool is_rematch; /* of a game that is not there any more */
	unsigned count;
	struct happening log[STAGE_LOG_MAX];
};

/* The copy has a table of its own. */
void stage_copy(struct stage *to, const struct stage *from);

/* --- playing -------------------------------------------------------------- */

/* Apply an action, and add its events to the log unless it is refused. */
enum err stage_act(struct stage *stage, const struct action *action,
                   struct sim_random *random);

/* A game of this many players, all seated, with the first heist dealt. */
void stage_open(struct stage *stage, unsigned number, unsigned players,
                const struct player_policy *policy, struct sim_random *random);

/* Note in a game that is over that its players have a rematch. */
void stage_go_on(struct stage *stage, struct sim_random *random);

/* --- tokens --------------------------------------------------------------- */

/* The token of a seat, as text. */
void stage_token(unsigned seat, char text[TOKEN_TEXT_LEN + 1]);

/* --- into the database ---------------------------------------------------- */

/* Remove the game from the database, if it is there. */
void stage_remove(PGconn *pg, const struct stage *stage);

/* Put the game into the database, in place of the one with its id. */
void stage_write(PGconn *pg, const struct stage *stage);
