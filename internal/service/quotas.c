/*
 * Each request counts against the quota of its address and of its token, and
 * against one more if it creates, joins or lists games; a change counts against
 * its game's and the daily ones when it is about to be written. quota/limiter.h
 * keeps the numbers; a struct quotas only has the settings, and what a request
 * has entered is in call->quota, so that quotas_leave() can undo it.
 */
#include "service/quotas.h"

#include <assert.h>
#include <string.h>

#include "base/macros.h"
#include "metric/metric.h"

enum {
	FULL_LOBBY_S = 60,
	FULL_WAIT_S = 10,
	RETRY_MAX_S = 3600, /* the maximum in api/openapi.yaml */
	SITE_LOBBIES = 4,   /* times the cap of one address */
};

/* The names of the caps in metrics, besides those that are quotas. */
static const char connections[] = "connections";
static const char waits[] = "waits";

bool quotas_open(struct quotas *quotas, const struct settings *settings)
{
	const unsigned minute = QUOTA_MINUTE_S;
	const unsigned day = QUOTA_DAY_S;

	*quotas = (struct quotas){
		.limiter = limiter_open(),
		.is_on = settings->quotas,
		.address = { "address", settings->quota_address, minute },
		.token = { "token", settings->quota_token, minute },
		.creation = { "creation", settings->quota_creation, minute },
		.joining = { "joining", settings->quota_joining, minute },
		.listing = { "listing", settings->quota_listing, minute },
		.game = { "game", settings->quota_game, minute },
		.changes = { "day_changes", settings->quota_day_changes, day },
		.creations = { "day_creation", settings->quota_day_creation,
		               day },
		.keys = { "day_keys", settings->quota_day_keys, day },
		.lobby_cap = settings->cap_lobby,
		.connections_cap = settings->connections_per_address,
	};
	return quotas->limiter != NULL;
}

void quotas_close(struct quotas *quotas)
{
	limiter_close(quotas->limiter);
}

/* --- metrics -------------------------------------------------------------- */

/* The quotas and caps, as metrics call them. */
static const char *const names[] = {
	"address",  "token", "creation",    "joining",
	"listing",  "game",  "day_changes", "day_creation",
	"day_keys", "lobby", connections,   waits,
};

_Static_assert((int)ARRAY_LEN(names) <= (int)METRIC_ROOM_QUOTA,
               "each quota has a cell");

void quotas_name_metrics(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		metric_name_pair(METRIC_LABEL_QUOTA, i, "quota", names[i]);
}

static void count_refusal(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i], name) == 0)
			metric_add(METRIC_QUOTA_REFUSALS, i, 1);
	}
}

/* --- rates ---------------------------------------------------------------- */

/* A quota that a request counts against twice is listed once, as it is then. */
static void note(struct http_request *req, const struct quota *quota,
                 const struct quota_left *left)
{
	size_t i = 0;

	while (i < req->rates_count &&
	       strcmp(req->rates[i].name, quota->name) != 0)
		i++;
	assert(i < HTTP_RATES_MAX);
	if (i == req->rates_count)
		req->rates_count++;
	req->rates[i] = (struct http_rate){
		.name = quota->name,
		.requests = quota->requests,
		.window_s = quota->window_s,
		.left = left->requests,
		.full_s = left->full_s,
	};
}

/*
 * When several quotas are used up, the detail names the first, and Retry-After
 * has the longest time.
 */
static void refuse(struct http_request *req, const struct quota *quota,
                   unsigned next_s)
{
	count_refusal(quota->name);
	if (next_s > RETRY_MAX_S)
		next_s = RETRY_MAX_S;
	if (next_s > req->retry_s)
		req->retry_s = next_s;
	if (!req->detail)
		req->detail = arena_printf(
			&req->arena,
			"The quota \"%s\" is used up: %u requests in %u "
			"seconds. Nothing was changed; send the request again "
			"after \"Retry-After\" seconds.",
			quota->name, quota->requests, quota->window_s);
}

static bool take(const struct quotas *quotas, struct http_request *req,
                 const struct quota *quota, const uint8_t *caller,
                 size_t caller_len)
{
	struct quota_left left;

	if (quota->requests == 0)
		return true;
	bool may = limiter_take(quotas->limiter, quota, caller, caller_len,
	                        req->received_ns, &left);
	note(req, quota, &left);
	if (!may)
		refuse(req, quota, left.next_s);
	return may;
}

/* The quota of the route in addition to that of the address, or NULL. */
static const struct quota *special(const struct quotas *quotas,
                                   const struct route *route)
{
	if (route->shape == SHAPE_CREATE)
		return &quotas->creation;
	if (route->shape == SHAPE_LOBBY)
		return &quotas->listing;
	return route->guard == GUARD_INVITED ? &quotas->joining : NULL;
}

static void count_probe(const struct quotas *quotas,
                        const struct http_request *req)
{
	struct quota_left left;

	if (quotas->address.requests > 0)
		(void)!limiter_take(quotas->limiter, &quotas->address,
		                    req->address, HTTP_ADDRESS_SIZE,
		                    req->received_ns, &left);
}

enum err quotas_count(const struct quotas *quotas, struct http_request *req)
{
	return !quotas->is_on || take(quotas, req, &quotas->address,
	                              req->address, HTTP_ADDRESS_SIZE)
	               ? ERR_OK
	               : ERR_RATE_LIMITED;
}

enum err quotas_take(const struct quotas *quotas, struct call *call)
{
	const struct quota *other = special(quotas, call->route);
	const uint8_t *address = call->req->address;
	bool may;

	if (!quotas->is_on)
		return ERR_OK;
	if (call->route->guard == GUARD_PROBE) {
		count_probe(quotas, call->req);
		return ERR_OK;
	}
	may = take(quotas, call->req, &quotas->address, address,
	           HTTP_ADDRESS_SIZE);
	/*
	 * A client can make up tokens, whose places in the table other tokens
	 * share: they count only while the address may ask.
	 */
	if (may && call->caller.has_token &&
	    !take(quotas, call->req, &quotas->token, call->caller.token_hash,
	          TOKEN_HASH_SIZE))
		may = false;
	/* A site has 65,536 networks, from each of which it could guess codes.
	 */
	if (other && !take(quotas, call->req, other, address,
	                   other == &quotas->joining ? http_site_size(address)
	                                             : HTTP_ADDRESS_SIZE))
		may = false;
	return may ? ERR_OK : ERR_RATE_LIMITED;
}

void quotas_charge(const struct quotas *quotas, struct call *call)
{
	struct http_request *req = call->req;
	unsigned count = (unsigned)(req->reply.body_len / QUOTA_UNIT);

	if (!quotas->is_on || quotas->address.requests == 0 || count == 0 ||
	    req->is_head || call->route->guard != GUARD_ANYONE ||
	    call->route->shape != SHAPE_ANSWER)
		return;
	struct quota_left left =
		limiter_charge(quotas->limiter, &quotas->address, req->address,
	                       HTTP_ADDRESS_SIZE, req->received_ns, count);
	/* It counts against no other quota: the list begins anew. */
	req->rates_count = 0;
	note(req, &quotas->address, &left);
}

/* Without a token a key counts for its address. */
static bool take_key(const struct quotas *quotas, struct call *call)
{
	if (!call->idempotency.has_key)
		return true;
	return call->caller.has_token
	               ? take(quotas, call->req, &quotas->keys,
	                      call->caller.token_hash, TOKEN_HASH_SIZE)
	               : take(quotas, call->req, &quotas->keys,
	                      call->req->address, HTTP_ADDRESS_SIZE);
}

/*
 * A player has several push subscriptions.  An avatar is stored with its player
 * and again with each event that has it.
 */
static void charge_text(const struct quotas *quotas, const struct call *call,
                        const uint8_t *address, size_t site)
{
	const struct push_subscription *push = call->wanted.push;
	const char *text = push ? push->text : call->wanted.avatar;
	size_t count = text ? strlen(text) / QUOTA_TEXT_UNIT : 0;

	if (!count || !quotas->changes.requests)
		return;
	struct quota_left left =
		limiter_charge(quotas->limiter, &quotas->changes, address, site,
	                       call->req->received_ns, (unsigned)count);
	note(call->req, &quotas->changes, &left);
}

enum err quotas_take_change(const struct quotas *quotas, struct call *call)
{
	enum shape shape = call->route->shape;
	bool creates = shape == SHAPE_CREATE || shape == SHAPE_REMATCH;
	const uint8_t *address = call->req->address;
	size_t site = http_site_size(address);
	bool may = true;

	if (!quotas->is_on || call->quota.counts_as_change)
		return ERR_OK;
	call->quota.counts_as_change = true;
	if (shape != SHAPE_CREATE && shape != SHAPE_TICKET &&
	    shape != SHAPE_TRANSFER)
		may = take(quotas, call->req, &quotas->game,
		           call->game.id.bytes, sizeof(call->game.id.bytes));
	if (may && creates)
		may = take(quotas, call->req, &quotas->creations, address,
		           site);
	may = may && take(quotas, call->req, &quotas->changes, address, site) &&
	      take_key(quotas, call);
	if (may)
		charge_text(quotas, call, address, site);
	return may ? ERR_OK : ERR_RATE_LIMITED;
}

/* --- caps ----------------------------------------------------------------- */

/*
 * Two games that are created at once do not see each other in the database, but
 * the second request counts both here.
 */
bool quotas_enter_lobby(const struct quotas *quotas, struct call *call)
{
	const uint8_t *address = call->req->address;

	if (!quotas->is_on || !quotas->lobby_cap || !call->game.table.is_public)
		return false;
	if (call->quota.creating)
		return true;
	call->quota.creating = limiter_enter(quotas->limiter, LIMITER_CREATIONS,
	                                     0, address, HTTP_ADDRESS_SIZE);
	call->quota.creating_at_site =
		limiter_enter(quotas->limiter, LIMITER_SITE_CREATIONS, 0,
	                      address, http_site_size(address));
	return true;
}

static enum err refuse_lobby(struct call *call, const char *origin,
                             uint32_t waiting)
{
	count_refusal("lobby");
	call->req->retry_s = FULL_LOBBY_S;
	call->req->detail =
		arena_printf(&call->req->arena,
	                     "From your %s %u public games wait for players "
	                     "already, which is the limit; start or delete "
	                     "one, or create a private one.",
	                     origin, (unsigned)waiting);
	return ERR_RATE_LIMITED;
}

enum err quotas_check_lobby(const struct quotas *quotas, struct call *call,
                            struct store_waiting waiting)
{
	waiting.of_address += call->quota.creating - 1;
	waiting.of_site += call->quota.creating_at_site - 1;
	if (waiting.of_address >= quotas->lobby_cap)
		return refuse_lobby(call, "address", waiting.of_address);
	if (http_site_size(call->req->address) < HTTP_ADDRESS_SIZE &&
	    waiting.of_site >= quotas->lobby_cap * SITE_LOBBIES)
		return refuse_lobby(call, "network (48 bits)", waiting.of_site);
	return ERR_OK;
}

/* A cap has no window: it has the time after which to look again. */
static void note_cap(const struct quotas *quotas, struct http_request *req,
                     const char *name)
{
	const struct quota cap = { name, quotas->connections_cap, FULL_WAIT_S };
	const struct quota_left left = { .full_s = FULL_WAIT_S };

	note(req, &cap, &left);
	req->retry_s = FULL_WAIT_S;
}

enum err quotas_enter_wait(const struct quotas *quotas, struct call *call)
{
	call->quota.counts_as_waiting =
		limiter_enter(quotas->limiter, LIMITER_WAITS,
	                      quotas->connections_cap, call->req->address,
	                      HTTP_ADDRESS_SIZE) > 0;
	if (call->quota.counts_as_waiting)
		return ERR_OK;
	count_refusal(waits);
	note_cap(quotas, call->req, waits);
	call->req->detail =
		arena_printf(&call->req->arena,
	                     "From your address %u requests wait or are "
	                     "streams already, which is the limit.",
	                     quotas->connections_cap);
	return ERR_RATE_LIMITED;
}

void quotas_leave(const struct quotas *quotas, struct call *call)
{
	const uint8_t *address = call->req->address;

	if (call->quota.creating)
		limiter_leave(quotas->limiter, LIMITER_CREATIONS, address,
		              HTTP_ADDRESS_SIZE);
	if (call->quota.creating_at_site)
		limiter_leave(quotas->limiter, LIMITER_SITE_CREATIONS, address,
		              http_site_size(address));
	if (call->quota.counts_as_waiting)
		limiter_leave(quotas->limiter, LIMITER_WAITS, address,
		              HTTP_ADDRESS_SIZE);
	call->quota.creating = 0;
	call->quota.creating_at_site = 0;
	call->quota.counts_as_waiting = false;
}

bool quotas_connect(const struct quotas *quotas, const uint8_t *address)
{
	bool may = limiter_enter(quotas->limiter, LIMITER_CONNECTIONS,
	                         quotas->connections_cap, address,
	                         HTTP_ADDRESS_SIZE) > 0;

	if (!may)
		count_refusal(connections);
	return may;
}

enum err quotas_refuse_connection(const struct quotas *quotas,
                                  struct http_request *req)
{
	note_cap(quotas, req, connections);
	req->detail = arena_printf(
		&req->arena,
		"Your address has %u connections already, the most that it may "
		"have. Nothing was changed; close one, or use one again.",
		quotas->connections_cap);
	return ERR_RATE_LIMITED;
}

void quotas_disconnect(const struct quotas *quotas, const uint8_t *address)
{
	limiter_leave(quotas->limiter, LIMITER_CONNECTIONS, address,
	              HTTP_ADDRESS_SIZE);
}
