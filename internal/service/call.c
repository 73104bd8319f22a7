#include "service/call.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "famiglia/famiglia_ruleset.h"
#include "gang/gang_ruleset.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/handler.h"
#include "service/idempotency.h"
#include "service/params.h"
#include "service/games.h"
#include "service/rulesets.h"

/* Part of each ETag: raise it when the shape of a view changes. */
enum { VIEW_FORMAT = 3 };

/* --- the tables ---------------------------------------------------------- */

#define MEDIA_FILE NULL
static const struct http_route http_routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, ...) \
	{ HTTP_##method,                                                 \
	  path,                                                          \
	  body_max,                                                      \
	  queries,                                                       \
	  MEDIA_##media,                                                 \
	  SHAPE_##shape == SHAPE_EVENTS,                                 \
	  GUARD_##guard == GUARD_PROBE },
#include "service/routes.def"
};

#define RULES_ANY      NULL
#define RULES_GANG     &gang_ruleset
#define RULES_FAMIGLIA &famiglia_ruleset
static const struct route routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, rules, \
              decode, encode)                                              \
	{ GUARD_##guard, SHAPE_##shape, RULES_##rules, decode, encode },
#include "service/routes.def"
};

const struct http_route *call_http_routes(size_t *count)
{
	*count = ARRAY_LEN(http_routes);
	return http_routes;
}

const struct route *call_route(size_t index)
{
	assert(index < ARRAY_LEN(routes));
	return &routes[index];
}

/* --- who calls ----------------------------------------------------------- */

/* Another scheme is no token; what follows ours and is none is damaged. */
static enum err read_token(struct call *call)
{
	static const char scheme[] = "Bearer ";
	const char *header = call->req->authorization;

	if (!header)
		return call->route->guard == GUARD_VIEWER ? ERR_OK
		                                          : ERR_UNAUTHENTICATED;
	if (strncasecmp(header, scheme, sizeof(scheme) - 1) != 0)
		return ERR_UNAUTHENTICATED;
	header += sizeof(scheme) - 1;
	header += strspn(header, " ");
	if (!token_parse(header, strlen(header), call->caller.token_hash))
		return ERR_INVALID_TOKEN;
	call->caller.has_token = true;
	return ERR_OK;
}

enum err call_read_token(struct call *call)
{
	switch (call->route->guard) {
	case GUARD_PROBE:
	case GUARD_ANYONE:
	case GUARD_INVITED:
		return ERR_OK;
	case GUARD_VIEWER:
	case GUARD_SEATED:
	case GUARD_HOST:
		break;
	}
	return read_token(call);
}

enum err call_open(struct call *call, struct http_request *req)
{
	call->req = req;
	call->route = call_route(req->route_index);
	return params_read(call);
}

/*
 * A move that was thought of for one version is not to be decided against
 * another because its condition could not be read, or can never hold.
 */
static void check_if_match(struct call *call)
{
	const char *list = call->req->if_match;

	if (!list || call->route->guard <= GUARD_ANYONE)
		return;
	switch (http_etags_read(list)) {
	case HTTP_ETAGS_STRONG:
		return;
	case HTTP_ETAGS_WEAK:
		problem_header_fault(
			call->req, "If-Match", "weak",
			"If-Match compares strongly, so a weak tag (W/) never "
			"matches; send the ETag of a view as it was answered.");
		return;
	case HTTP_ETAGS_MALFORMED:
		problem_header_fault(
			call->req, "If-Match", "malformed",
			"If-Match is * or entity-tags in double quotes; send "
			"the ETag of a view as it was answered, with its "
			"quotes.");
		return;
	}
}

enum err call_begin(struct call *call)
{
	idempotency_read(call);
	check_if_match(call);
	enum err err = call->route->decode(call);
	return !err && call->req->faults_count ? ERR_INVALID : err;
}

/* Every hash is compared, so that the time tells nothing of the seat. */
unsigned call_seat_of(const struct store_game *game,
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

static enum err outsider(const struct call *call)
{
	if (call->route->guard == GUARD_INVITED)
		return call->path.has_code ? ERR_NO_SUCH_INVITATION
		                           : ERR_NO_SUCH_GAME;
	return call->caller.has_token ? ERR_INVALID_TOKEN : ERR_UNAUTHENTICATED;
}

static enum err identify(struct call *call)
{
	if (call->caller.has_token)
		call->caller.seat = call_seat_of(call->game.loaded,
		                                 call->caller.token_hash);
	if (call->caller.seat)
		return ERR_OK;
	if (!call->caller.has_token && call->game.loaded->spectators &&
	    call->route->guard == GUARD_VIEWER)
		return ERR_OK;
	return outsider(call);
}

/*
 * The code has to be the game's, also if it was looked up: it may have
 * changed since.  A public game needs none in the body.
 */
static enum err invite(const struct call *call)
{
	if (strlen(call->game.loaded->invite_code) == INVITE_LEN &&
	    invite_equal(call->game.loaded->invite_code, call->path.code))
		return ERR_OK;
	return !call->path.has_code && call->game.loaded->is_public
	               ? ERR_OK
	               : outsider(call);
}

/*
 * Whoever was let in under a key was so by whatever code was then; and who left
 * under it is no player any more.
 */
static bool is_known_by_key(const struct call *call)
{
	return call->game.loaded->key.hash &&
	       (call->route->guard == GUARD_INVITED ||
	        call->route->shape == SHAPE_LEAVE);
}

/* --- the loaded game ----------------------------------------------------- */

static void make_etag(struct call *call)
{
	(void)snprintf(call->game.etag, sizeof(call->game.etag),
	               "\"%s.%u.%u.%d\"", call->game.text,
	               (unsigned)call->game.table.version, call->caller.seat,
	               VIEW_FORMAT);
}

/* Somebody sits where the rules think so, and nowhere else. */
static bool seats_fit(const struct table *table, const struct store_game *game)
{
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		bool is_taken = game->seats[seat - 1].name != NULL;

		if (is_taken != table_is_taken(table, seat))
			return false;
	}
	return true;
}

enum err call_open_table(struct call *call, const struct store_game *game)
{
	struct table *table = &call->game.table;
	const struct ruleset *rules = rulesets_find(game->ruleset);

	call->game.loaded = game;
	call->game.id = game->id;
	uuid_print(game->id, call->game.text);
	if (!rules || game->rules_version < rules->rules_version_min ||
	    game->rules_version > rules->rules_version) {
		LOG(LOG_ERROR, "rules_unknown", LOG_TEXT("id", call->req->id),
		    LOG_TEXT("game", call->game.text),
		    LOG_INT("ruleset", game->ruleset));
		return ERR_INTERNAL;
	}
	*table = (struct table){
		.rules = rules,
		.state = arena_zalloc(&call->req->arena, rules->state_size),
		.version = game->version,
		.is_public = game->is_public,
		.spectators = game->spectators,
		.absence_s = game->absence_s,
		.seats_max = game->seats_max,
		.seats = game->seats_count,
		.host = game->host,
		.has_rematch = !uuid_is_none(game->rematch),
	};
	if (!rules->decode(table->state, game->state, game->state_len) ||
	    !table_open(table) || !seats_fit(table, game)) {
		LOG(LOG_ERROR, "state_damaged", LOG_TEXT("id", call->req->id),
		    LOG_TEXT("game", call->game.text));
		return ERR_INTERNAL;
	}
	call->game.updated_us = game->updated_us;
	return ERR_OK;
}

/*
 * Done before: the answer is for the seat that asked, or got its token.  Who
 * has left has none, and is told no more than that.
 */
static enum err recall(struct call *call)
{
	enum err err = idempotency_replay(call, &call->game.loaded->key);

	if (err || call->route->shape == SHAPE_LEAVE)
		return err;
	call->caller.seat =
		call_seat_of(call->game.loaded, call->caller.token_hash);
	return call->caller.seat ? ERR_OK : ERR_INVALID_TOKEN;
}

enum err call_authorize(struct call *call, const struct store_game *game)
{
	enum err err = ERR_OK;

	call->game.loaded = game;
	call->caller.seat = 0;
	if (!game)
		return outsider(call);
	if (!is_known_by_key(call))
		err = call->route->guard == GUARD_INVITED ? invite(call)
		                                          : identify(call);
	if (err)
		return err;
	err = call_open_table(call, game);
	if (err)
		return err;
	if (game->key.hash)
		err = recall(call);
	if (err || call->idempotency.is_replay) {
		make_etag(call);
		return err;
	}
	if (call->path.has_code && !table_free_seats(&call->game.table))
		return status_is_over(call->game.table.status) ? ERR_GAME_OVER
		                                               : ERR_GAME_FULL;
	if (call->route->rules &&
	    call->route->rules != call->game.table.rules) {
		call->req->detail = "The game is played by other rules, which "
				    "know no such move.";
		return ERR_NO_SUCH_ROUTE;
	}
	make_etag(call);
	if (call->req->if_match &&
	    !http_etag_listed(call->req->if_match, call->game.etag, false))
		return ERR_VERSION_MISMATCH;
	if (call->req->route->method != HTTP_GET &&
	    http_etag_listed(call->req->if_none_match, call->game.etag, true)) {
		call->req->detail =
			"The game is still as \"If-None-Match\" names it.";
		return ERR_VERSION_MISMATCH;
	}
	if (call->route->guard == GUARD_HOST &&
	    call->caller.seat != call->game.table.host)
		return ERR_NOT_HOST;
	return ERR_OK;
}

bool call_is_known(const struct call *call)
{
	/* Of what changes without a version nobody knows the newest. */
	return call->req->route->method == HTTP_GET && call->game.etag[0] &&
	       call->req->if_none_match &&
	       call->route->guard != GUARD_INVITED &&
	       call->route->shape != SHAPE_LAST_SEEN &&
	       http_etag_listed(call->req->if_none_match, call->game.etag,
	                        true);
}

void call_committed(struct call *call, int64_t at_us)
{
	call->game.updated_us = at_us;
	if (!call->game.loaded)
		call->decided.next.created_us = at_us;
	call->game.loaded = &call->decided.next;
	make_etag(call);
}

/* --- the reply ----------------------------------------------------------- */

/*
 * Views differ by who looks, and may be kept if they are asked for again.
 * What anybody is told differs by language, and anybody may keep it.
 */
static void add_cache_headers(struct call *call)
{
	bool is_open = call->route->guard <= GUARD_ANYONE;
	const char *views = call->req->route->streams ? "Accept, Authorization"
	                                              : "Authorization";

	http_header(call->req, "ETag", call->game.etag);
	http_header(call->req, "Cache-Control",
	            call->reply.cache ? call->reply.cache
	            : is_open         ? "public, max-age=3600"
	                              : "private, no-cache");
	http_header(call->req, "Vary",
	            call->reply.vary ? call->reply.vary
	            : is_open        ? "Accept-Language"
	                             : views);
}

void call_encode_known(struct call *call)
{
	call->req->reply = (struct http_reply){ .status = 304 };
	add_cache_headers(call);
}

static void add_waited(struct call *call)
{
	if (call->run.waiter)
		http_header(call->req, "Preference-Applied",
		            arena_printf(&call->req->arena, "wait=%u",
		                         call->req->wait_s));
}

void call_encode_waited(struct call *call)
{
	call_encode_known(call);
	add_waited(call);
}

enum err call_encode(struct call *call)
{
	enum err err = call->route->encode(call);

	if (err)
		return err;
	switch (call->route->shape) {
	case SHAPE_WATCH:
		add_waited(call);
		add_cache_headers(call);
		return ERR_OK;
	case SHAPE_MOVE:
	case SHAPE_REMATCH:
		/* Who joins is answered more than the view. */
		if (call->route->guard == GUARD_INVITED)
			break;
		http_header(call->req, "Content-Location", games_path(call));
		add_cache_headers(call);
		return ERR_OK;
	case SHAPE_READ:
	case SHAPE_EVENTS:
		if (call->route->guard == GUARD_INVITED)
			break;
		add_cache_headers(call);
		return ERR_OK;
	case SHAPE_ANSWER:
		if (call->game.etag[0])
			add_cache_headers(call);
		return ERR_OK;
	case SHAPE_PING:
	case SHAPE_CREATE:
	case SHAPE_LOBBY:
	case SHAPE_LEAVE:
	case SHAPE_DELETE:
	case SHAPE_LAST_SEEN:
	case SHAPE_TICKET:
		break;
	}
	return ERR_OK;
}

const void *call_view(struct call *call)
{
	const struct ruleset *rules = call->game.table.rules;
	void *view = arena_zalloc(&call->req->arena, rules->view_size);

	rules->view(call->game.table.state, call->caller.seat, view);
	return view;
}
