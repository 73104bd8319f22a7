/*
 * gang.h - a whole game of The Gang: heists until three vaults are open or
 * the alarms have rung too often.
 *
 * A plain value that only the functions here change.
 */
#ifndef GANG_GANG_H
#define GANG_GANG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/chance.h"
#include "base/err.h"
#include "gang/heist.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

enum gang_mode {
#define MODE(name, number, ...) GANG_MODE_##name = number,
#include "gang/mode.def"
};

enum { GANG_HEISTS_MAX = 5, GANG_PLAYERS_MIN = 3, GANG_PLAYERS_MAX = 6 };

/* A row of mode.def. */
struct mode {
	uint8_t number;
	const char *code;
	uint8_t vaults_needed;
	uint8_t alarms_limit;
};

/* The rows, for who lists them; and one of them. */
const struct mode *mode_list(size_t *count);
const struct mode *mode_get(unsigned number);

/* What a player can do, and what the arguments of the action mean. */
enum gang_verb {
	VERB_TAKE = VERB_OF_RULESET, /* color, stars, from */
	VERB_RETURN,                 /* color, stars */
	VERB_NEXT_HEIST,             /* nothing */
};
enum { ARG_COLOR, ARG_STARS, ARG_FROM };

struct gang {
	uint8_t mode; /* an enum gang_mode */
	bool shuffled_stacks;
	uint8_t players; /* 0 until started */
	uint8_t gold;    /* vaults opened */
	uint8_t red;     /* alarms raised */
	struct heist heist;
	uint8_t ended_count; /* heists before that one */
	struct record ended[GANG_HEISTS_MAX - 1];
};

MUST_CHECK bool gang_init(struct gang *gang, const struct options *options);
void gang_start(struct gang *gang, unsigned players, struct chance *chance,
                struct events *events);
enum status gang_status(const struct gang *gang);

/*
 * Do what a player wants.  A chip is moved as heist.h says; ERR_GAME_OVER
 * comes before all else.  The next heist is dealt by any player:
 * ERR_SHOWDOWN_NOT_REACHED while the present one is not over.
 */
MUST_CHECK enum err gang_act(struct gang *gang, const struct action *action,
                             struct chance *chance, struct events *events);

/* What gang_act() would say. */
enum err gang_check(const struct gang *gang, const struct action *action);

/* True if the game is one that play can reach. */
bool gang_valid(const struct gang *gang);

/* The state as bytes, and back; see struct ruleset. */
size_t gang_encode(const struct gang *gang, uint8_t *bytes);
MUST_CHECK bool gang_decode(struct gang *gang, const uint8_t *bytes,
                            size_t len);

#endif
