#include "service/call.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/seed.h"
#include "gang/ruleset.h"
#include "http/problem.h"
#include "service/handler.h"
#include "service/params.h"
#include "service/sealed.h"

/* Part of each ETag: raise it when the shape of a view changes. */
enum { VIEW_FORMAT = 2 };

/* --- the tables ---------------------------------------------------------- */

#define MEDIA_FILE NULL
static const struct http_route http_routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, ...) \
	{ HTTP_##method, path,          body_max,                        \
	  queries,       MEDIA_##media, SHAPE_##shape == SHAPE_EVENTS },
#include "service/routes.def"
};

#define RULES_ANY  NULL
#define RULES_GANG &gang_ruleset
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

static const struct {
	const struct ruleset *rules;
	options_fn *decode;
} rulesets[] = {
#define RULESET(rules, decode) { &rules, decode },
#include "service/rulesets.def"
};

const struct ruleset *ruleset_find(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++) {
		if (rulesets[i].rules->number == number)
			return rulesets[i].rules;
	}
	return NULL;
}

const char *const *ruleset_codes(size_t *count)
{
	static _Thread_local const char *codes[ARRAY_LEN(rulesets)];

	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++)
		codes[i] = rulesets[i].rules->code;
	*count = ARRAY_LEN(codes);
	return codes;
}

const struct ruleset *ruleset_at(size_t index, options_fn **decode)
{
	assert(index < ARRAY_LEN(rulesets));
	*decode = rulesets[index].decode;
	return rulesets[index].rules;
}

const char *const *ruleset_modes(size_t *count)
{
	static _Thread_local const char
		*codes[ARRAY_LEN(rulesets) * RULESET_MODES_MAX];
	size_t all = 0;

	for (size_t i = 0; i < ARRAY_LEN(rulesets); i++) {
		for (size_t mode = 0; rulesets[i].rules->modes[mode]; mode++)
			codes[all++] = rulesets[i].rules->modes[mode];
	}
	*count = all;
	return codes;
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
	if (!token_parse(header, strlen(header), call->token_hash))
		return ERR_INVALID_TOKEN;
	call->has_token = true;
	return ERR_OK;
}

enum err call_open(struct call *call, struct http_request *req)
{
	call->req = req;
	call->route = call_route(req->route_index);
	return params_read(call);
}

/* --- what the request is known by ---------------------------------------- */

/* True for what changes something and gives an answer that can be lost. */
static bool takes_key(const struct call *call)
{
	enum shape shape = call->route->shape;

	return call->req->route->method == HTTP_POST &&
	       (shape == SHAPE_CREATE || shape == SHAPE_MOVE ||
	        shape == SHAPE_REMATCH);
}

static void key_fault(struct call *call, const char *code, const char *detail)
{
	problem_header_fault(call->req, "Idempotency-Key", code, detail);
}

/* It counts for the token's seat; without one, for the route. */
static void read_key(struct call *call)
{
	const char *text = call->req->idempotency_key;
	const char *path = call->req->path;
	const uint8_t *scope =
		call->has_token ? call->token_hash : (const uint8_t *)path;
	size_t scope_len = call->has_token ? TOKEN_HASH_SIZE : strlen(path);

	if (!text || !takes_key(call))
		return;
	switch (key_read(text, scope, scope_len, &call->key)) {
	case KEY_OK:
		call->has_key = true;
		key_hash_request(&call->key, "POST", path, call->req->body,
		                 call->req->body_len, call->request_hash);
		return;
	case KEY_TOO_SHORT:
		key_fault(call, "too_short",
		          "A key has at least 22 characters, for 128 random "
		          "bits.");
		return;
	case KEY_TOO_LONG:
		key_fault(call, "too_long",
		          "A key has at most 255 characters.");
		return;
	case KEY_CHARACTER:
		key_fault(call, "not_allowed",
		          "A key is printable ASCII without blanks.");
		return;
	}
}

const uint8_t *call_key(const struct call *call)
{
	return call->has_key && !call->is_replay ? call->key.hash : NULL;
}

/* What is kept with the change; what must not be lost of it lies sealed. */
static enum err remember(struct call *call, struct store_key *key)
{
	size_t len = TOKEN_TEXT_LEN;
	uint8_t *sealed;

	if (!call->has_key)
		return ERR_OK;
	key->hash = call->key.hash;
	key->request = call->request_hash;
	if (!call->new_token.text[0])
		return ERR_OK;
	sealed = arena_take(&call->req->arena, len + KEY_SEALED_EXTRA);
	if (!key_seal(&call->key, (const uint8_t *)call->new_token.text, len,
	              sealed))
		return ERR_INTERNAL;
	key->sealed = sealed;
	key->sealed_len = len + KEY_SEALED_EXTRA;
	return ERR_OK;
}

/* Who got a token then is who asks now. */
static enum err recall_token(struct call *call, const struct store_key *key)
{
	struct token *token = &call->new_token;

	if (key->sealed_len != TOKEN_TEXT_LEN + KEY_SEALED_EXTRA ||
	    !key_open(&call->key, key->sealed, key->sealed_len,
	              (uint8_t *)token->text))
		return ERR_INTERNAL;
	token->text[TOKEN_TEXT_LEN] = '\0';
	if (!token_parse(token->text, TOKEN_TEXT_LEN, call->token_hash))
		return ERR_INTERNAL;
	call->has_token = true;
	return ERR_OK;
}

enum err call_recall(struct call *call, const struct store_key *key)
{
	if (memcmp(key->request, call->request_hash, KEY_HASH_SIZE) != 0)
		return ERR_IDEMPOTENCY_KEY_REUSED;
	call->is_replay = true;
	call->follow = key->location;
	return key->sealed ? recall_token(call, key) : ERR_OK;
}

enum err call_begin(struct call *call)
{
	enum err err = ERR_OK;

	if (call->route->guard != GUARD_ANYONE &&
	    call->route->guard != GUARD_INVITED)
		err = read_token(call);
	if (err)
		return err;
	read_key(call);
	err = call->route->decode(call);
	return !err && call->req->faults_count ? ERR_INVALID : err;
}

/* Every hash is compared, so that the time tells nothing of the seat. */
static unsigned seat_of_hash(const struct store_game *game,
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
		return call->has_code ? ERR_NO_SUCH_INVITATION
		                      : ERR_NO_SUCH_GAME;
	return call->has_token ? ERR_INVALID_TOKEN : ERR_UNAUTHENTICATED;
}

static enum err identify(struct call *call)
{
	if (call->has_token)
		call->seat = seat_of_hash(call->loaded, call->token_hash);
	if (call->seat)
		return ERR_OK;
	if (!call->has_token && call->loaded->spectators &&
	    call->route->guard == GUARD_VIEWER)
		return ERR_OK;
	return outsider(call);
}

/*
 * The code has to be the game's, also if it was looked up: it may have
 * changed since.  A public game needs none in the body.
 */
static bool is_invited(const struct call *call)
{
	if (strlen(call->loaded->invite_code) == INVITE_LEN &&
	    invite_equal(call->loaded->invite_code, call->code))
		return true;
	return !call->has_code && call->loaded->is_public;
}

/* --- the loaded game ----------------------------------------------------- */

static void make_etag(struct call *call)
{
	(void)snprintf(call->etag, sizeof(call->etag), "\"%s.%u.%u.%d\"",
	               call->game_text, (unsigned)call->table.version,
	               call->seat, VIEW_FORMAT);
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
	struct table *table = &call->table;
	const struct ruleset *rules = ruleset_find(game->ruleset);

	call->loaded = game;
	call->game_id = game->id;
	uuid_print(game->id, call->game_text);
	if (!rules || game->rules_version != rules->rules_version) {
		LOG(LOG_ERROR, "rules_unknown", LOG_TEXT("id", call->req->id),
		    LOG_TEXT("game", call->game_text),
		    LOG_INT("ruleset", game->ruleset));
		return ERR_INTERNAL;
	}
	*table = (struct table){
		.rules = rules,
		.state = arena_take(&call->req->arena, rules->state_size),
		.version = game->version,
		.is_public = game->is_public,
		.spectators = game->spectators,
		.seats_max = game->seats_max,
		.seats = game->seats_count,
		.host = game->host,
		.has_rematch = !uuid_is_none(game->rematch),
	};
	if (!rules->decode(table->state, game->state, game->state_len) ||
	    !table_open(table) || !seats_fit(table, game)) {
		LOG(LOG_ERROR, "state_damaged", LOG_TEXT("id", call->req->id),
		    LOG_TEXT("game", call->game_text));
		return ERR_INTERNAL;
	}
	call->updated_us = game->updated_us;
	return ERR_OK;
}

/* Done before: the answer is for the seat that asked, or got its token. */
static enum err recall(struct call *call)
{
	enum err err = call_recall(call, &call->loaded->key);

	if (err)
		return err;
	call->seat = seat_of_hash(call->loaded, call->token_hash);
	return call->seat ? ERR_OK : ERR_INVALID_TOKEN;
}

enum err call_admit(struct call *call, const struct store_game *game)
{
	enum err err = ERR_OK;

	call->loaded = game;
	call->seat = 0;
	if (!game)
		return outsider(call);
	if (call->route->guard != GUARD_INVITED)
		err = identify(call);
	else if (!game->key.hash)
		err = is_invited(call) ? ERR_OK : outsider(call);
	/* Else they were let in under this key, by whatever code was then. */
	if (err)
		return err;
	err = call_open_table(call, game);
	if (err)
		return err;
	if (game->key.hash)
		err = recall(call);
	if (err || call->is_replay) {
		make_etag(call);
		return err;
	}
	if (call->has_code && !table_free_seats(&call->table))
		return ERR_NO_SUCH_INVITATION;
	if (call->route->rules && call->route->rules != call->table.rules)
		return ERR_NO_SUCH_ROUTE;
	make_etag(call);
	if (call->req->if_match &&
	    !http_etag_listed(call->req->if_match, call->etag, false))
		return ERR_VERSION_MISMATCH;
	if (call->req->route->method != HTTP_GET &&
	    http_etag_listed(call->req->if_none_match, call->etag, true)) {
		call->req->detail =
			"The game is still as \"If-None-Match\" names it.";
		return ERR_VERSION_MISMATCH;
	}
	if (call->route->guard == GUARD_HOST && call->seat != call->table.host)
		return ERR_NOT_HOST;
	return ERR_OK;
}

bool call_is_known(const struct call *call)
{
	return call->req->route->method == HTTP_GET && call->etag[0] &&
	       call->req->if_none_match &&
	       call->route->guard != GUARD_INVITED &&
	       http_etag_listed(call->req->if_none_match, call->etag, true);
}

/* --- deciding ------------------------------------------------------------ */

static void seal(const struct call *call, const struct chance *chance,
                 struct store_event *event)
{
	uint8_t *bytes = arena_take(&call->req->arena, SEALED_MAX);

	event->sealed = bytes;
	event->sealed_len = sealed_write(&call->action, chance, bytes);
}

static void lay_out_events(struct call *call, const struct events *events)
{
	size_t size = events->count * sizeof(*call->events);
	uint32_t version = call->table.version - events->count;

	_Static_assert((int)EVENTS_MAX <= (int)STORE_EVENTS_MAX, "it fits");
	call->events = arena_take(&call->req->arena, size);
	struct event *copies = arena_take(&call->req->arena,
	                                  events->count * sizeof(struct event));
	for (size_t i = 0; i < events->count; i++) {
		copies[i] = events->list[i];
		const struct event *event = &copies[i];
		call->events[i] = (struct store_event){
			.version = version + (uint32_t)i + 1,
			.type = event->type,
			.seat = event->seat,
			.heist = event->heist,
			.color = event->color,
			.open = event->open_len ? event->open : NULL,
			.open_len = event->open_len,
			.secret = event->secret_len ? event->secret : NULL,
			.secret_len = event->secret_len,
		};
	}
}

static void lay_out_game(struct call *call)
{
	const struct table *table = &call->table;
	struct store_game *next = &call->next;
	uint8_t *state = arena_take(&call->req->arena, RULESET_STATE_MAX);

	if (call->loaded)
		*next = *call->loaded;
	next->version = table->version;
	next->mode = table->rules->mode(table->state);
	next->status = status_code(table->status);
	next->seats_max = table->seats_max;
	next->seats_count = table->seats;
	next->host = table->host;
	next->state = state;
	next->state_len = table->rules->encode(table->state, state);
	assert(next->state_len > 0);
}

/* A name is taken if another is the same to a reader. */
static enum err join_seat(struct call *call)
{
	unsigned seat = call->move.events[0].seat;

	for (unsigned i = 0; call->loaded && i < call->loaded->seats_count;
	     i++) {
		const char *other = call->loaded->seats[i].name;

		if (!other || !name_has_key(other, call->name.key))
			continue;
		problem_fault(call->req, "/name", "taken",
		              "Somebody in this game has that name already.");
		return ERR_INVALID;
	}
	call->seat = seat;
	call->next.seats[seat - 1].name = call->name.text;
	memcpy(call->next.seats[seat - 1].token_hash, call->new_token.hash,
	       TOKEN_HASH_SIZE);
	call->move.join = (struct store_join){
		.seat = (uint8_t)seat,
		.name = call->name.text,
		.name_key = call->name.key,
		.token_hash = call->new_token.hash,
	};
	return ERR_OK;
}

/* Before the start the seats close up, later one stays vacant. */
static enum err leave_seat(struct call *call)
{
	struct store_seat *seats = call->next.seats;
	unsigned seat = call->action.args[LEAVE_SEAT];
	bool closes_up = call->table.status == STATUS_LOBBY;
	bool is_removed = seat != call->seat;

	if (closes_up)
		memmove(&seats[seat - 1], &seats[seat],
		        (STORE_SEATS_MAX - seat) * sizeof(*seats));
	else
		seats[seat - 1] = (struct store_seat){ .name = NULL };
	/* Who was removed knows the code, and does not come back by it. */
	if (is_removed && !invite_draw(call->code))
		return ERR_INTERNAL;
	if (is_removed)
		call->next.invite_code = call->code;
	call->move.leave = (struct store_leave){
		.seat = (uint8_t)seat,
		.closes_up = closes_up,
		.renews_code = is_removed,
	};
	return ERR_OK;
}

void call_follow(struct call *call)
{
	const struct store_game *game = call->loaded;
	uint8_t *seat = &call->action.args[LEAVE_SEAT];

	if (call->tries > 0)
		*seat = (uint8_t)seat_of_hash(game, call->leaving_hash);
	else if (table_is_taken(&call->table, *seat))
		memcpy(call->leaving_hash, game->seats[*seat - 1].token_hash,
		       TOKEN_HASH_SIZE);
}

bool call_is_last(const struct call *call)
{
	return table_is_last(&call->table, call->action.args[LEAVE_SEAT]) &&
	       call->seat == call->action.args[LEAVE_SEAT];
}

/* What the rules want of a body may depend on how the game stands. */
static void explain(struct call *call)
{
	const struct table *table = &call->table;
	struct fault fault = table->rules->fault(table->state, &call->action);

	problem_fault(call->req,
	              arena_printf(&call->req->arena, "/%s", fault.member),
	              fault.code, fault.detail);
}

enum err call_decide(struct call *call, const uint8_t *seed)
{
	struct chance chance;
	struct events events = { .count = 0 };

	chance_init(&chance, seed);
	call->action.seat = (uint8_t)call->seat;
	enum err err = table_act(&call->table, &call->action, &chance, &events);
	if (err == ERR_INVALID && call->action.verb >= VERB_OF_RULESET)
		explain(call);
	if (err)
		return err;

	call->move = (struct store_move){ .game = &call->next };
	lay_out_events(call, &events);
	seal(call, &chance, &call->events[0]);
	lay_out_game(call);
	call->move.events = call->events;
	call->move.events_count = events.count;
	if (call->action.verb == VERB_LEAVE)
		return leave_seat(call);
	err = remember(call, &call->move.key);
	if (err)
		return err;
	return call->name.text ? join_seat(call) : ERR_OK;
}

/* A game that is about to be made: its id, its code and what is given. */
static bool open_next(struct call *call)
{
	uint8_t chance[10];

	if (!seed_draw(chance, sizeof(chance)) || !invite_draw(call->code))
		return false;
	call->game_id = uuid_make((uint64_t)(clock_wall_us() / 1000), chance);
	uuid_print(call->game_id, call->game_text);
	call->next = (struct store_game){
		.id = call->game_id,
		.ruleset = call->table.rules->number,
		.rules_version = call->table.rules->rules_version,
		.is_public = call->table.is_public,
		.spectators = call->table.spectators,
		.invite_code = call->code,
	};
	call->table.version = 0;
	call->table.seats = 0;
	return true;
}

enum err call_create(struct call *call, const uint8_t *seed)
{
	if (!open_next(call))
		return ERR_INTERNAL;
	call->seat = 0;
	return call_decide(call, seed);
}

/* --- rematches ----------------------------------------------------------- */

/* Who asks twice is told where the others are. */
static enum err refuse_rematch(struct call *call, enum err err)
{
	char id[UUID_TEXT_LEN + 1];

	if (err != ERR_ALREADY_USED)
		return err;
	uuid_print(call->loaded->rematch, id);
	problem_link(call->req, "rematch",
	             arena_printf(&call->req->arena, "%s", id),
	             arena_printf(&call->req->arena, "/v1/games/%s", id));
	return err;
}

/* The table at which they go on: the same rules, nobody there yet. */
static void clear_table(struct call *call)
{
	struct table *table = &call->table;
	void *state = arena_take(&call->req->arena, table->rules->state_size);
	struct action again;

	table_plan_again(table, state, &again);
	call->action = again;
	*table = (struct table){
		.rules = table->rules,
		.state = state,
		.is_public = table->is_public,
		.spectators = table->spectators,
	};
}

/* Vacant seats are left behind. */
static void close_up(struct call *call, const struct table *ended)
{
	for (unsigned seat = 1; seat <= ended->seats; seat++) {
		if (table_is_taken(ended, seat))
			call->next.seats[table_closed_up(ended, seat) - 1] =
				call->before->seats[seat - 1];
	}
}

enum err call_rematch(struct call *call, const uint8_t *seed)
{
	unsigned seat = call->seat;
	struct table ended = call->table;
	enum err err;

	call->before = call->loaded;
	if (!open_next(call))
		return ERR_INTERNAL;
	struct store_game created = call->next;

	/* First what has ended, for whose event the new id is known by now. */
	call->table = ended;
	call->action = (struct action){ .verb = VERB_REMATCH };
	memcpy(call->action.args, call->game_id.bytes, REMATCH_ID_SIZE);
	err = call_decide(call, seed);
	if (err)
		return refuse_rematch(call, err);
	call->before_next = call->next;
	call->before_move = call->move;
	call->before_move.game = &call->before_next;
	call->before_move.key.location = call->game_id;

	call->next = created;
	call->next.rematch_of = call->before->id;
	close_up(call, &ended);
	call->loaded = NULL;
	call->seat = 0;
	clear_table(call);
	err = call_decide(call, seed);
	call->seat = table_closed_up(&ended, seat);
	return err;
}

void call_forget(struct call *call)
{
	if (call->before)
		call->game_id = call->before->id;
	call->before = NULL;
}

void call_kept(struct call *call, int64_t at_us)
{
	call->updated_us = at_us;
	if (!call->loaded)
		call->next.created_us = at_us;
	call->loaded = &call->next;
	make_etag(call);
}

/* --- the reply ----------------------------------------------------------- */

/*
 * Views differ by who looks, and may be kept if they are asked for again.
 * What anybody is told differs by language, and anybody may keep it.
 */
static void add_cache_headers(struct call *call)
{
	bool is_open = call->route->guard == GUARD_ANYONE;
	const char *views = call->req->route->streams ? "Accept, Authorization"
	                                              : "Authorization";

	http_header(call->req, "ETag", call->etag);
	http_header(call->req, "Cache-Control",
	            is_open ? "public, max-age=3600" : "private, no-cache");
	http_header(call->req, "Vary", is_open ? "Accept-Language" : views);
}

void call_encode_known(struct call *call)
{
	call->req->reply = (struct http_reply){ .status = 304 };
	add_cache_headers(call);
}

static void add_waited(struct call *call)
{
	if (call->waiting)
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
	case SHAPE_READ:
	case SHAPE_EVENTS:
	case SHAPE_MOVE:
	case SHAPE_REMATCH:
		if (call->route->guard == GUARD_INVITED)
			break;
		add_cache_headers(call);
		return ERR_OK;
	case SHAPE_ANSWER:
		if (call->etag[0])
			add_cache_headers(call);
		return ERR_OK;
	case SHAPE_PING:
	case SHAPE_CREATE:
	case SHAPE_LOBBY:
	case SHAPE_LEAVE:
	case SHAPE_DELETE:
		break;
	}
	return ERR_OK;
}

const void *call_view(struct call *call)
{
	const struct ruleset *rules = call->table.rules;
	void *view = arena_take(&call->req->arena, rules->view_size);

	rules->view(call->table.state, call->seat, view);
	return view;
}

void reply_begin(struct call *call, struct json_out *out, size_t max)
{
	json_out_init(out, arena_buffer(&call->req->arena, max), max);
}

enum err reply_end(struct call *call, struct json_out *out, unsigned status)
{
	if (!json_out_fits(out))
		return ERR_INTERNAL;
	reply_text(call, MEDIA_JSON, out->start, json_out_len(out));
	call->req->reply.status = status;
	return ERR_OK;
}

void reply_text(struct call *call, const char *media, const char *text,
                size_t len)
{
	struct http_reply *reply = &call->req->reply;

	reply->status = 200;
	reply->type = media;
	reply->body = text;
	reply->body_len = len;
}

const char *game_path(struct call *call)
{
	return arena_printf(&call->req->arena, "/v1/games/%s", call->game_text);
}
