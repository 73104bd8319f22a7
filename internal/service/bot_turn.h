/*
 * bot_turn.h - the move of a game's bots.
 *
 * The move is a call without a client: call->game is decoded, and req has an
 * arena and nothing else.
 */
#pragma once

#include "bot/bot.h"
#include "service/call.h"

/* How many events the bots read: the newest ones up to the version. */
enum { BOT_TURN_EVENTS = 160 };

/* True if bots may move now: the game has some, and has begun. */
bool bot_turn_may_be(const struct call *call);

/* True if nobody can see the game: only bots play, without spectators. */
bool bot_turn_is_unseen(const struct call *call);

/* The work memory of a thread whose bots play by any ruleset. */
struct bot_work;
struct bot_work *bot_turn_open_work(void);
void bot_turn_close_work(struct bot_work *work);

/*
 * Ask all bots, and fill in the decision that comes first; VERB_NONE if no bot
 * has anything to do.  The bot's seat is the action's.  The same game and
 * events give the same decision, in every process.
 */
void bot_turn_decide(struct call *call, const struct store_event *events,
                     size_t count, struct bot_work *work,
                     struct bot_decision *decision);
