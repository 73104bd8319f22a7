/*
 * notify.c - a change notifies a seat of one thing, the most important one: the
 * end of the game, that of a part of it, a start, or that the table waits.
 */
#include "service/notify.h"

#include <string.h>

#include "push/push_code.h"
#include "service/game.h"
#include "service/rulesets.h"

static bool is_wanted(const struct call *call)
{
	return call->game.loaded && call->game.loaded->push_seats;
}

uint32_t notify_seen_version(const struct call *call)
{
	const struct store_game *game = call->game.loaded;

	return game && game->push_seats & 1U << call->caller.seat
	               ? game->version
	               : 0;
}

unsigned notify_waiting(const struct call *call)
{
	const struct table *table = &call->game.table;

	return is_wanted(call) && table->status == STATUS_PLAYING
	               ? table->rules->standing(table->state).waiting_for
	               : 0;
}

/* How a game has ended that was under way; 0: it has not. */
static unsigned find_ending(const struct call *call)
{
	static const unsigned codes[STATUS_COUNT] = {
		[STATUS_WON] = PUSH_CODE_GAME_WON,
		[STATUS_LOST] = PUSH_CODE_GAME_LOST,
		[STATUS_OVER] = PUSH_CODE_GAME_OVER,
	};

	return strcmp(call->game.loaded->status, status_code(STATUS_PLAYING)) ==
	                       0
	               ? codes[call->game.table.status]
	               : 0;
}

/*
 * The code of what the events show to everybody; 0: nothing.  First comes a
 * code other than that the table waits, then the start of the game.
 */
static unsigned find_event(const struct call *call)
{
	const struct game *game = rulesets_game(call->game.table.rules);
	const struct store_move *move = &call->decided.move;
	unsigned code = 0;

	for (size_t i = 0; i < move->events_count; i++) {
		const struct store_event *event = &move->events[i];
		unsigned own = game->push_code ? game->push_code(event) : 0;

		if (own && !push_code_waits(own))
			return own;
		if (event->type == EVENT_GAME_STARTED)
			code = PUSH_CODE_GAME_STARTED;
		else if (!code)
			code = own;
	}
	return code;
}

/* The seats that ask for notifications, by their numbers after the move. */
static unsigned find_wanting(const struct call *call)
{
	const struct store_leave *leave = &call->decided.move.leave;
	unsigned seats = call->game.loaded->push_seats;
	unsigned before = (1U << leave->seat) - 1;

	if (!leave->seat)
		return seats;
	seats &= ~(1U << leave->seat);
	if (leave->closes_up)
		seats = (seats & before) | (seats & ~before) >> 1;
	return seats;
}

static void add_notice(struct store_notices *notices, unsigned seat,
                       unsigned code)
{
	notices->seats[notices->count] = (uint8_t)seat;
	notices->codes[notices->count++] = (uint8_t)code;
}

void notify_decide(struct call *call, unsigned waited)
{
	const struct table *table = &call->game.table;
	struct store_notices *notices = &call->decided.move.notices;

	if (!is_wanted(call))
		return;
	notices->for_webhook = call->config->has_webhook;
	unsigned wanting = find_wanting(call);
	unsigned waits = notify_waiting(call);
	unsigned code = find_ending(call);
	if (!code)
		code = find_event(call);
	if (call->wanted.action.verb == VERB_REMATCH)
		code = PUSH_CODE_REMATCH;
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		unsigned bit = 1U << seat;
		bool is_new = waits & ~waited & bit;

		if (!(wanting & bit))
			continue;
		if (seat != call->caller.seat && (code || is_new))
			add_notice(notices, seat,
			           code ? code : PUSH_CODE_YOUR_TURN);
		else if (waited & ~waits & bit)
			notices->done[notices->done_count++] = (uint8_t)seat;
	}
}
