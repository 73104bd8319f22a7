/*
 * Prints a game with the service's own view and printers, so the operator sees
 * exactly the response that a client at this seat gets.
 */
#include "operator/operator.h"

#include <stdio.h>

#include "base/arena.h"
#include "service/answer.h"
#include "service/call.h"
#include "service/games.h"
#include "service/stored_game.h"

static bool show(struct call *call, const struct store_game *game,
                 unsigned seat)
{
	struct json_out out;

	if (stored_game_decode(call, game)) {
		(void)fprintf(
			stderr,
			"the stored state is damaged; gangctl replay finds "
			"the event that differs\n");
		return false;
	}
	if (seat > call->game.table.seats) {
		(void)fprintf(stderr,
		              "SEAT is %u; the game has the seats 1 to %u\n",
		              seat, call->game.table.seats);
		return false;
	}
	call->caller.seat = seat;
	answer_begin(call, &out, ANSWER_VIEW_MAX);
	games_print(call, &out);
	if (!json_out_fits(&out))
		return false;
	(void)printf("%.*s\n", (int)json_out_len(&out), out.start);
	return true;
}

bool operator_show(struct admin *admin, struct uuid id, unsigned seat)
{
	struct http_request req = { 0 };
	struct call call = { .req = &req };
	struct store_game game;

	arena_init(&req.arena);
	bool shown = admin_load(admin, id, &req.arena, &game) &&
	             show(&call, &game, seat);
	arena_fini(&req.arena);
	return shown;
}
