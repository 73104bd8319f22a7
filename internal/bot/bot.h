/*
 * bot.h - what a bot does at its seat.
 *
 * A bot is a function: the view of its seat, the events as that seat sees them,
 * a level and a seed go in; an action, or none, comes out.  It never gets a
 * game's state, so it cannot know more than a person at its seat.  Nothing is
 * remembered between two decisions.
 *
 * A caller that plays for bots
 *
 * - asks every bot of a table after each change, each with a seed of its own;
 * - carries out the decision with the least think_ms, once that time has passed
 *   since the change, and drops the others: the table has changed for them;
 * - leaves the table alone while no bot has an action.
 *
 * think_ms follows from the level, the seed and what all seats see, the action
 * included: it reveals no more about cards than the action does.
 *
 * A bot that would end a round thinks longer than one that would correct a
 * chip first, so think_ms orders decisions also where no time passes.  A
 * decision about a table that changed meanwhile may be refused; it is dropped
 * as well.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "bot/bot_input.h"
#include "table/event.h"
#include "table/ruleset.h"

/* How "gangctl bots" counts an event; a set of these. */
enum bot_mark {
	BOT_MARK_OPENING = 1
	                   << 0, /* cards were opened: decisions take longer */
	BOT_MARK_PART_WON = 1 << 1,
	BOT_MARK_PART_LOST = 1 << 2,
	BOT_MARK_EXTRA = 1 << 3, /* one of what "extra" names */
};

/* How bots play by a ruleset.  All texts are static. */
struct bot_rules {
	/*
	 * Work memory that the decisions of a thread share, and what fills it
	 * before the first one.  It holds functions of open cards only, so a
	 * decision does not depend on the decisions before it.  0 and NULL: the
	 * bots need no memory.
	 */
	size_t work_size;
	void (*work_init)(void *work);

	/*
	 * The part of the game whose events a bot reads, as in struct event; 0
	 * or NULL: it reads the events of the whole game.
	 */
	unsigned (*part)(const void *view);

	/*
	 * Copy the private data of an event that the view's seat sees; NULL:
	 * events have no private data.
	 */
	void (*share)(const void *view, const struct event *event,
	              struct event *seen);

	/* An action that the view has among its legal ones; or VERB_NONE. */
	struct bot_choice (*choose)(const struct bot_input *input,
	                            struct rng *rng, void *work);

	/*
	 * For "gangctl bots": the words after "--" for the options of a new
	 * game, in the order of their bytes after that of the mode; what the
	 * parts of a game are called, and one of them; what else is counted.
	 * NULL: nothing.
	 */
	const char *const *flags; /* NULL ends them */
	const char *parts;        /* such as "heists" */
	const char *part_name;    /* such as "a heist" */
	const char *extra;
	unsigned (*marks)(const struct event *event);

	/*
	 * The seat that has won an ended game alone; 0: nobody.  NULL: players
	 * win and lose together.
	 */
	unsigned (*winner)(const void *view);
};

/* True if bots can play by these rules. */
bool bot_plays(const struct ruleset *rules);

/*
 * The work memory of bots by these rules, in bytes, and what fills it: once,
 * for each thread apart.
 */
size_t bot_work_size(const struct ruleset *rules);
void bot_work_init(const struct ruleset *rules, void *work);

/*
 * Copy an event as the view's seat sees it: private data of other seats are
 * gone, and texts are too.  False if a bot has no use for the event: the seat
 * does not see it, or it belongs to another part of the game.
 */
MUST_CHECK bool bot_see(const struct ruleset *rules, const void *view,
                        const struct event *event, struct event *seen);

/*
 * Decide.  The action is legal in the state that the view was made of.  It
 * follows from the input alone; the same input gives the same decision.
 */
void bot_decide(const struct ruleset *rules, const struct bot_input *input,
                void *work, struct bot_decision *decision);
