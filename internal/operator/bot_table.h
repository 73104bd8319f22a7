/*
 * bot_table.h - a table of bots that plays in memory, without a service and
 * without a database.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bot/bot.h"
#include "table/table.h"

/* The longest decision time that is counted exactly, in microseconds. */
enum { BOT_TABLE_US_MAX = 20000 };

/* Decisions by the time that they took on the processor. */
struct bot_times {
	uint64_t count;
	uint32_t at_us[BOT_TABLE_US_MAX + 1]; /* the last one: or longer */
};

struct bot_tally {
	uint64_t games;
	uint64_t won;       /* by all players together */
	uint64_t parts;     /* that ended; bot.h says what a part is */
	uint64_t parts_won; /* likewise */
	uint64_t moves;
	uint64_t extra;   /* what the ruleset's bots count too */
	uint64_t refused; /* actions; 0 unless bots err */
	uint64_t stalled; /* games that did not end by themselves */
	struct bot_times in_round;
	struct bot_times opening; /* cards were opened just before */
};

struct bot_table {
	struct table table;
	void *state;             /* owned */
	void *view;              /* owned: room for one */
	void *work;              /* owned */
	struct bot_tally *tally; /* borrowed */
	struct rng rng;          /* of deals, and of the bots' seeds */
	enum bot_level levels[TABLE_SEATS_MAX]; /* seat 1 is [0] */
	uint8_t persons; /* bit n: seat n is played by the caller */
	bool opened;     /* by the last action */
	size_t log_count;
	struct event log[2 * BOT_EVENTS_MAX]; /* the newest of this game */
};

/* Make room for games by these rules.  The work memory is made too. */
struct bot_table *bot_table_open(const struct ruleset *rules,
                                 struct bot_tally *tally);
void bot_table_close(struct bot_table *table);

/* Start a game with this many seats; it follows from the seed. */
MUST_CHECK bool bot_table_start(struct bot_table *table, unsigned seats,
                                const struct options *options,
                                const uint8_t seed[RNG_SEED_SIZE]);

/* Apply an action of any seat.  Bots move in bot_table_step() only. */
MUST_CHECK enum err bot_table_act(struct bot_table *table,
                                  const struct action *action);

/*
 * Let the bot move that thinks the least long.  False if no bot has an action,
 * or if the rules refused it, which the tally counts.
 */
MUST_CHECK bool bot_table_step(struct bot_table *table);

/* The input of a bot at its seat, as bot_table_step() hands it in. */
void bot_table_look(struct bot_table *table, unsigned seat,
                    struct bot_input *input,
                    struct event events[BOT_EVENTS_MAX]);

/* Play until the game is over, or no bot moves: then it counts as stalled. */
void bot_table_play(struct bot_table *table);

/* The time that a share of decisions did not exceed, in microseconds. */
unsigned bot_times_percentile(const struct bot_times *times, unsigned percent);
