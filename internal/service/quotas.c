#include "service/quotas.h"

#include <assert.h>
#include <string.h>

enum {
	FULL_LOBBY_S = 60,
	FULL_WAIT_S = 10,
	RETRY_MAX_S = 3600, /* as the document has it */
	SITE_LOBBIES = 4,   /* times what an address may have */
	LIST_MAX = 320,
};

/* What is counted at a time. */
static const char connections[] = "connections";
static const char creations[] = "creations";
static const char site_creations[] = "site_creations";
static const char waits[] = "waits";

bool quotas_open(struct quotas *limited, const struct settings *settings)
{
	*limited = (struct quotas){
		.limits = usage_open(),
		.is_on = strcmp(settings->quotas, "on") == 0,
		.address = { "address", settings->quota_address },
		.token = { "token", settings->quota_token },
		.creation = { "creation", settings->quota_creation },
		.joining = { "joining", settings->quota_joining },
		.listing = { "listing", settings->quota_listing },
		.game = { "game", settings->quota_game },
		.changes = { "day_changes", settings->quota_day_changes,
		             LIMIT_DAY_S },
		.creations = { "day_creation", settings->quota_day_creation,
		               LIMIT_DAY_S },
		.keys = { "day_keys", settings->quota_day_keys, LIMIT_DAY_S },
		.lobby = settings->cap_lobby,
		.connections = settings->connections_per_address,
	};
	return limited->limits != NULL;
}

void quotas_close(struct quotas *limited)
{
	usage_close(limited->limits);
}

/*
 * Two lists (RFC 9651) are written for every request, so by hand: a printf for
 * each number would cost more than all else that limits do.
 */
struct lists {
	char policy[LIST_MAX];
	char left[LIST_MAX];
	size_t policy_len;
	size_t left_len;
};

static void put(char *list, size_t *len, const char *text)
{
	size_t text_len = strlen(text);

	assert(*len + text_len < LIST_MAX);
	memcpy(list + *len, text, text_len + 1);
	*len += text_len;
}

static void put_number(char *list, size_t *len, const char *name,
                       unsigned number)
{
	char digits[16];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put(list, len, name);
	put(list, len, digits + at);
}

static void put_member(char *list, size_t *len, const char *name)
{
	put(list, len, *len ? ", \"" : "\"");
	put(list, len, name);
}

static void note(struct lists *lists, const struct quota *policy,
                 const struct quota_left *left)
{
	put_member(lists->policy, &lists->policy_len, policy->name);
	put_number(lists->policy, &lists->policy_len, "\";q=", policy->quota);
	put_number(lists->policy, &lists->policy_len,
	           ";w=", quota_window_s(policy));
	put_member(lists->left, &lists->left_len, policy->name);
	put_number(lists->left, &lists->left_len, "\";r=", left->requests);
	put_number(lists->left, &lists->left_len, ";t=", left->full_s);
}

/* Of several quotas that are used up the first is named, the longest waited. */
static void refuse(struct http_request *req, const struct quota *policy,
                   unsigned next_s)
{
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
			policy->name, policy->quota, quota_window_s(policy));
}

static bool take(const struct quotas *limited, struct http_request *req,
                 const struct quota *policy, const uint8_t *who, size_t who_len,
                 struct lists *lists)
{
	struct quota_left left;
	bool may;

	if (policy->quota == 0)
		return true;
	may = usage_take(limited->limits, policy, who, who_len,
	                 req->received_ns, &left);
	note(lists, policy, &left);
	req->rate_policy = lists->policy;
	req->rate_left = lists->left;
	if (!may)
		refuse(req, policy, left.next_s);
	return may;
}

/* What creates, lists, or tells of a code whether there is such a one. */
static const struct quota *special(const struct quotas *limited,
                                   const struct route *route)
{
	if (route->shape == SHAPE_CREATE)
		return &limited->creation;
	if (route->shape == SHAPE_LOBBY)
		return &limited->listing;
	return route->guard == GUARD_INVITED ? &limited->joining : NULL;
}

/* A probe is answered whatever its address has left, and tells nothing of it.
 */
static void count_probe(const struct quotas *limited,
                        const struct http_request *req)
{
	struct quota_left left;

	if (limited->address.quota > 0)
		(void)!usage_take(limited->limits, &limited->address,
		                  req->address, HTTP_ADDRESS_SIZE,
		                  req->received_ns, &left);
}

enum err quotas_count(const struct quotas *limited, struct http_request *req)
{
	struct lists *lists;

	if (!limited->is_on)
		return ERR_OK;
	lists = arena_zalloc(&req->arena, sizeof(*lists));
	return take(limited, req, &limited->address, req->address,
	            HTTP_ADDRESS_SIZE, lists)
	               ? ERR_OK
	               : ERR_RATE_LIMITED;
}

enum err quotas_take(const struct quotas *limited, struct call *call)
{
	const struct quota *other = special(limited, call->route);
	const uint8_t *address = call->req->address;
	bool may;

	if (!limited->is_on)
		return ERR_OK;
	if (call->route->guard == GUARD_PROBE) {
		count_probe(limited, call->req);
		return ERR_OK;
	}
	call->quota.lists =
		arena_zalloc(&call->req->arena, sizeof(*call->quota.lists));
	may = take(limited, call->req, &limited->address, address,
	           HTTP_ADDRESS_SIZE, call->quota.lists);
	/*
	 * Tokens can be made up, and fall where those of others do: only as
	 * many as the address may ask with count.
	 */
	if (may && call->caller.has_token &&
	    !take(limited, call->req, &limited->token, call->caller.token_hash,
	          TOKEN_HASH_SIZE, call->quota.lists))
		may = false;
	if (other && !take(limited, call->req, other, address,
	                   HTTP_ADDRESS_SIZE, call->quota.lists))
		may = false;
	return may ? ERR_OK : ERR_RATE_LIMITED;
}

void quotas_charge(const struct quotas *limited, struct call *call)
{
	const struct quota *policy = &limited->address;
	struct http_request *req = call->req;
	size_t count = req->reply.body_len / LIMITED_UNIT;
	struct quota_left left;
	struct lists *lists;

	if (!limited->is_on || policy->quota == 0 || count == 0 ||
	    req->is_head || call->route->guard != GUARD_ANYONE ||
	    call->route->shape != SHAPE_ANSWER)
		return;
	left = usage_charge(limited->limits, policy, req->address,
	                    HTTP_ADDRESS_SIZE, req->received_ns,
	                    (unsigned)count);
	/* It counted for this policy alone, so the lists can be made anew. */
	lists = arena_zalloc(&req->arena, sizeof(*lists));
	note(lists, policy, &left);
	req->rate_policy = lists->policy;
	req->rate_left = lists->left;
}

/* Take from a quota of changes. */
static bool take_change(const struct quotas *limited, struct call *call,
                        const struct quota *policy, const uint8_t *who,
                        size_t who_len)
{
	return take(limited, call->req, policy, who, who_len,
	            call->quota.lists);
}

/* A key without a token is known by its route: then it is the address's. */
static bool take_key(const struct quotas *limited, struct call *call)
{
	if (!call->idempotency.has_key)
		return true;
	return call->caller.has_token
	               ? take_change(limited, call, &limited->keys,
	                             call->caller.token_hash, TOKEN_HASH_SIZE)
	               : take_change(limited, call, &limited->keys,
	                             call->req->address, HTTP_ADDRESS_SIZE);
}

enum err quotas_take_change(const struct quotas *limited, struct call *call)
{
	enum shape shape = call->route->shape;
	bool creates = shape == SHAPE_CREATE || shape == SHAPE_REMATCH;
	const uint8_t *address = call->req->address;
	size_t site = http_site_size(address);
	bool may = true;

	if (!limited->is_on || call->quota.counts_as_change)
		return ERR_OK;
	call->quota.counts_as_change = true;
	if (shape != SHAPE_CREATE && shape != SHAPE_TICKET)
		may = take_change(limited, call, &limited->game,
		                  call->game.id.bytes,
		                  sizeof(call->game.id.bytes));
	if (may && creates)
		may = take_change(limited, call, &limited->creations, address,
		                  site);
	may = may &&
	      take_change(limited, call, &limited->changes, address, site) &&
	      take_key(limited, call);
	return may ? ERR_OK : ERR_RATE_LIMITED;
}

/*
 * Of two that are created at once neither sees the other in the database; but
 * the one that came second counts both here.
 */
bool quotas_enter_lobby(const struct quotas *limited, struct call *call)
{
	const uint8_t *address = call->req->address;

	if (!limited->is_on || !limited->lobby || !call->game.table.is_public)
		return false;
	if (call->quota.creating)
		return true;
	call->quota.creating = usage_enter(limited->limits, creations, 0,
	                                   address, HTTP_ADDRESS_SIZE);
	call->quota.creating_at_site =
		usage_enter(limited->limits, site_creations, 0, address,
	                    http_site_size(address));
	return true;
}

static enum err refuse_lobby(struct call *call, const char *whence,
                             uint32_t waiting)
{
	call->req->retry_s = FULL_LOBBY_S;
	call->req->detail =
		arena_printf(&call->req->arena,
	                     "From your %s %u public games wait for players "
	                     "already, which is as many as may; start or "
	                     "delete one, or create a private one.",
	                     whence, (unsigned)waiting);
	return ERR_RATE_LIMITED;
}

enum err quotas_check_lobby(const struct quotas *limited, struct call *call,
                            struct store_waiting waiting)
{
	waiting.of_address += call->quota.creating - 1;
	waiting.of_site += call->quota.creating_at_site - 1;
	if (waiting.of_address >= limited->lobby)
		return refuse_lobby(call, "address", waiting.of_address);
	if (http_site_size(call->req->address) < HTTP_ADDRESS_SIZE &&
	    waiting.of_site >= limited->lobby * SITE_LOBBIES)
		return refuse_lobby(call, "network (48 bits)", waiting.of_site);
	return ERR_OK;
}

enum err quotas_enter_wait(const struct quotas *limited, struct call *call)
{
	call->quota.counts_as_waiting =
		usage_enter(limited->limits, waits, limited->connections,
	                    call->req->address, HTTP_ADDRESS_SIZE) > 0;
	if (call->quota.counts_as_waiting)
		return ERR_OK;
	call->req->retry_s = FULL_WAIT_S;
	call->req->detail =
		arena_printf(&call->req->arena,
	                     "From your address %u requests wait or are "
	                     "streams already, which is as many as may.",
	                     limited->connections);
	return ERR_RATE_LIMITED;
}

void quotas_leave(const struct quotas *limited, struct call *call)
{
	const uint8_t *address = call->req->address;

	if (call->quota.creating)
		usage_leave(limited->limits, creations, address,
		            HTTP_ADDRESS_SIZE);
	if (call->quota.creating_at_site)
		usage_leave(limited->limits, site_creations, address,
		            http_site_size(address));
	if (call->quota.counts_as_waiting)
		usage_leave(limited->limits, waits, address, HTTP_ADDRESS_SIZE);
	call->quota.creating = 0;
	call->quota.creating_at_site = 0;
	call->quota.counts_as_waiting = false;
}

bool quotas_connect(const struct quotas *limited, const uint8_t *address)
{
	return usage_enter(limited->limits, connections, limited->connections,
	                   address, HTTP_ADDRESS_SIZE) > 0;
}

void quotas_disconnect(const struct quotas *limited, const uint8_t *address)
{
	usage_leave(limited->limits, connections, address, HTTP_ADDRESS_SIZE);
}
