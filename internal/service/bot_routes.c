/*
 * POST .../bots.  The caller keeps the seat and gets a view of it; or gives the
 * seat to the bot, and gets what a spectator sees, whoever may watch the game.
 * By .../actions the answer is the view alone, as that of every command.
 */
#include "base/random.h"
#include "service/answer.h"
#include "service/bot_seats.h"
#include "service/games.h"
#include "service/handler.h"
#include "service/seating.h"

enum err decode_bot(struct call *call)
{
	seating_decode_name(call, false);
	bot_seats_decode_level(call, "level");
	call->wanted.action.args[BOT_INSTEAD] =
		body_bool(call->body, "instead_of_me", false);
	/* Only random bytes in place of a token's hash: see bot_seats.c. */
	return random_bytes(call->wanted.token.hash, TOKEN_HASH_SIZE)
	               ? ERR_OK
	               : ERR_INTERNAL;
}

/* --- the answer ----------------------------------------------------------- */

enum err encode_bot(struct call *call)
{
	struct json_out out;

	if (call->wanted.is_command)
		return encode_created(call);
	answer_begin(call, &out, ANSWER_VIEW_MAX);
	json_object(&out);
	json_key(&out, "game");
	games_print(call, &out);
	json_key_int_or_null(&out, "seat", call->wanted.bot_seat);
	json_object_end(&out);
	http_header(call->req, "Location", games_path(call));
	return answer_end(call, &out, 201);
}
