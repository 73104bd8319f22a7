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
 * included: it tells nothing of cards that the action does not tell.
 *
 * A bot that would end a round thinks longer than one that wants to correct a
 * chip first, so think_ms is an order also if no time shall pass.  A decision
 * about a table that changed meanwhile may be refused; it is dropped as well.
 */
#pragma once

#include <stdbool.h>

#include "bot/bot_input.h"
#include "table/event.h"
#include "table/ruleset.h"

/* Fill the work memory, once. */
void bot_work_init(struct bot_work *work);

/* True if bots can play by these rules. */
bool bot_plays(const struct ruleset *rules);

/*
 * The heist whose events a bot reads, as in struct event; 0: it reads the
 * events of the whole game.
 */
unsigned bot_heist(const struct ruleset *rules, const void *view);

/*
 * Copy an event as the view's seat sees it: private data of other seats are
 * gone, and texts are too.  False if a bot has no use for the event: the seat
 * does not see it, or it belongs to another heist.
 */
MUST_CHECK bool bot_see(const struct ruleset *rules, const void *view,
                        const struct event *event, struct event *seen);

/*
 * Decide.  The action is legal in the state that the view was made of.  It
 * follows from the input alone; the same input gives the same decision.
 */
void bot_decide(const struct ruleset *rules, const struct bot_input *input,
                struct bot_work *work, struct bot_decision *decision);
