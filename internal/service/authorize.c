/*
 * authorize.c - a request is authorized by a seat's token, by an invitation
 * (its code, or a public game), or by nothing where spectators are allowed.  A
 * replayed request skips this on some routes: the invitation code, the seat or
 * its token may have changed since.
 *
 * The order of the checks is part of what keeps private games secret: no
 * answer depends on a game before the caller is known to belong there.
 */
#include "service/authorize.h"

#include <string.h>

#include "http/problem.h"
#include "service/conditions.h"
#include "service/idempotency.h"
#include "service/response.h"
#include "service/stored_game.h"

/* --- who calls ------------------------------------------------------------ */

/* Every hash is compared, so that the time taken does not show the seat. */
unsigned authorize_seat_of(const struct store_game *game,
                           const uint8_t hash[TOKEN_HASH_SIZE])
{
	unsigned seat = 0;

	for (unsigned i = 0; i < game->seats_count; i++) {
		if (game->seats[i].name &&
		    token_hash_equal(game->seats[i].token_hash, hash))
			seat = i + 1;
	}
	return seat;
}

/* The same for a private game as for one that does not exist. */
static enum err refuse_outsider(const struct call *call)
{
	if (call->route->shape == SHAPE_CLAIM)
		return ERR_NO_SUCH_TRANSFER;
	if (call->route->guard == GUARD_INVITED)
		return call->path.has_code ? ERR_NO_SUCH_INVITATION
		                           : ERR_NO_SUCH_GAME;
	return call->caller.has_token ? ERR_INVALID_TOKEN : ERR_UNAUTHENTICATED;
}

/* By the token of a seat; or as a spectator. */
static enum err find_seat(struct call *call)
{
	if (call->caller.has_token)
		call->caller.seat = authorize_seat_of(call->game.loaded,
		                                      call->caller.token_hash);
	if (call->caller.seat)
		return ERR_OK;
	if (!call->caller.has_token && call->game.loaded->spectators &&
	    call->route->guard == GUARD_VIEWER)
		return ERR_OK;
	return refuse_outsider(call);
}

/*
 * By an invitation.  The code has to be the game's own, also when the game was
 * found by it: it may have been renewed since.  A public game needs no code.
 */
static enum err check_invitation(const struct call *call)
{
	if (strlen(call->game.loaded->invite_code) == INVITE_LEN &&
	    invite_equal(call->game.loaded->invite_code, call->path.code))
		return ERR_OK;
	return !call->path.has_code && call->game.loaded->is_public
	               ? ERR_OK
	               : refuse_outsider(call);
}

/* The caller has no seat any more when the request is repeated. */
static bool gives_up_seat(const struct call *call)
{
	return call->wanted.action.verb == VERB_SEAT_BOT &&
	       call->wanted.action.args[BOT_INSTEAD];
}

/* By what was done before under the same idempotency key. */
static bool is_authorized_by_key(const struct call *call)
{
	return call->game.loaded->key.hash &&
	       (call->route->guard == GUARD_INVITED ||
	        call->wanted.action.verb == VERB_RENEW_TOKEN ||
	        call->route->shape == SHAPE_LEAVE || gives_up_seat(call));
}

/*
 * The answer of a replay is for the seat that asked then, or got its token.  A
 * player who has left has no seat, and gets no view.
 */
static enum err authorize_replay(struct call *call)
{
	enum err err = idempotency_replay(call, &call->game.loaded->key);

	if (err || call->route->shape == SHAPE_LEAVE)
		return err;
	if (call->wanted.action.verb == VERB_SEAT_BOT)
		call->wanted.bot_seat =
			authorize_seat_of(call->game.loaded,
		                          call->wanted.token.hash);
	call->caller.seat =
		authorize_seat_of(call->game.loaded, call->caller.token_hash);
	return call->caller.seat || gives_up_seat(call) ? ERR_OK
	                                                : ERR_INVALID_TOKEN;
}

enum err authorize_refuse_ticket(struct call *call)
{
	call->req->detail = "The ticket was used already, is too old, or is "
			    "for another game; ask for a new one.";
	return ERR_INVALID_TOKEN;
}

/* --- may they? ------------------------------------------------------------ */

static enum err authenticate(struct call *call, const struct store_game *game)
{
	call->game.loaded = game;
	call->caller.seat = 0;
	if (!game)
		return refuse_outsider(call);
	if (is_authorized_by_key(call))
		return ERR_OK;
	/* The code of a transfer has led to a token. */
	return call->route->guard == GUARD_INVITED &&
	                       call->route->shape != SHAPE_CLAIM
	               ? check_invitation(call)
	               : find_seat(call);
}

static enum err check_route(struct call *call)
{
	const struct table *table = &call->game.table;
	const struct route *route = call->route;

	if (route->shape == SHAPE_PUSH && !call->wanted.push)
		return ERR_PUSH_OFF;
	if (call->path.has_code && !table_free_seats(table))
		return status_is_over(table->status) ? ERR_GAME_OVER
		                                     : ERR_GAME_FULL;
	if (route->rules && route->rules != table->rules) {
		call->req->detail = "The game is played by other rules, which "
				    "know no such move.";
		return ERR_NO_SUCH_ROUTE;
	}
	return ERR_OK;
}

enum err authorize_find_caller(struct call *call, const struct store_game *game)
{
	enum err err = authenticate(call, game);

	if (!err)
		err = stored_game_decode(call, game);
	if (err)
		return err;
	err = game->key.hash ? authorize_replay(call)
	                     : idempotency_find_recent(call);
	response_set_etag(call);
	return err;
}

enum err authorize(struct call *call)
{
	if (call->idempotency.is_replay)
		return ERR_OK;
	enum err err = check_route(call);
	if (!err)
		err = conditions_check(call);
	if (!err && call->route->guard == GUARD_HOST &&
	    call->caller.seat != call->game.table.host)
		err = ERR_NOT_HOST;
	return err;
}
