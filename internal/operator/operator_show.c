/*
 * Prints a game with the service's own view and printers, so the operator sees
 * exactly the response that a client at this seat gets.
 */
#include "operator/operator.h"

#include <assert.h>
#include <stdio.h>

#include "base/arena.h"
#include "service/answer.h"
#include "service/call.h"
#include "service/games.h"
#include "service/stored_game.h"

static enum verdict show(struct call *call, const struct store_game *game,
                         unsigned seat)
{
	struct json_out out;

	if (stored_game_decode(call, game)) {
		(void)fprintf(
			stderr,
			"the stored state is damaged; gangctl replay finds "
			"the event that differs\n");
		return VERDICT_BAD;
	}
	if (seat > call->game.table.seats) {
		(void)fprintf(stderr,
		              "SEAT is %u; the game has the seats 1 to %u\n",
		              seat, call->game.table.seats);
		return VERDICT_BAD;
	}
	call->caller.seat = seat;
	answer_begin(call, &out, ANSWER_VIEW_MAX);
	games_print(call, &out);
	assert(json_out_fits(&out));
	(void)printf("%.*s\n", (int)json_out_len(&out), out.start);
	return VERDICT_DONE;
}

enum verdict operator_show(struct admin *admin, struct uuid id, unsigned seat)
{
	static const struct service_config config = { .push_key = "",
		                                      .push_hosts = "" };
	struct http_request req = { 0 };
	struct call call = { .config = &config, .req = &req };
	enum verdict verdict = VERDICT_BAD;
	struct store_game game;

	arena_init(&req.arena);
	switch (admin_load(admin, id, &req.arena, &game)) {
	case FINDING_UNKNOWN:
		verdict = VERDICT_UNKNOWN;
		break;
	case FINDING_ABSENT:
		break;
	case FINDING_FOUND:
		verdict = show(&call, &game, seat);
		break;
	}
	arena_fini(&req.arena);
	return verdict;
}
