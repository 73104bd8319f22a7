/*
 * GET /v1/push, and PUT and DELETE …/push: where a player gets notifications.
 *
 * The body of PUT is what a browser's PushSubscription gives as JSON.
 */
#include "http/problem.h"
#include "push/endpoint.h"
#include "push/web_push.h"
#include "service/answer.h"
#include "service/handler.h"

_Static_assert((int)ENDPOINT_HASH_SIZE == (int)STORE_HASH_SIZE, "a hash");
_Static_assert((int)ENDPOINT_STORED_SIZE <= (int)STORE_ENDPOINT_MAX, "it fits");

enum err encode_push(struct call *call)
{
	const char *key = call->config->push_key;
	struct json_out out;

	answer_begin(call, &out, 512);
	json_object(&out);
	json_key_string_or_null(&out, "application_server_key",
	                        key[0] ? key : NULL);
	json_key_int(&out, "subscriptions_max", STORE_SUBSCRIPTIONS_MAX);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}

static void note_fault(struct call *call, const char *pointer,
                       struct endpoint_fault fault)
{
	if (fault.code)
		problem_fault(call->req, pointer, fault.code, fault.detail);
}

static void read_endpoint(struct call *call, struct endpoint *endpoint)
{
	const char *url = body_string(call->body, "endpoint", true);
	struct body keys;

	if (url)
		note_fault(call, "/endpoint",
		           endpoint_read_url(url, call->config->push_hosts,
		                             endpoint));
	body_ignore(call->body, "expirationTime");
	body_object(call->body, "keys", &keys);
	const char *key = body_string(&keys, "p256dh", true);
	const char *auth = body_string(&keys, "auth", true);
	if (key)
		note_fault(call, "/keys/p256dh",
		           web_push_read_key(key, endpoint));
	if (auth)
		note_fault(call, "/keys/auth",
		           endpoint_read_auth(auth, endpoint));
	/* Its faults are those of the whole body, which is closed later. */
	enum err err = body_close(&keys);
	(void)err;
}

enum err decode_subscription(struct call *call)
{
	struct arena *arena = &call->req->arena;
	struct endpoint *endpoint = arena_zalloc(arena, sizeof(*endpoint));
	struct push_subscription *wanted = arena_zalloc(arena, sizeof(*wanted));
	char *text = arena_zalloc(arena, ENDPOINT_STORED_SIZE);
	char *service = arena_zalloc(arena, ENDPOINT_HOST_SIZE);

	/* Whether it is on is for players to know: the commit refuses. */
	if (!call->config->push_key[0]) {
		body_skip_rest(call->body);
		return ERR_OK;
	}
	read_endpoint(call, endpoint);
	endpoint_print(endpoint, text);
	endpoint_hash(endpoint->url, wanted->endpoint_hash);
	/* A URL that is not allowed has a fault, and is not stored. */
	(void)endpoint_service(endpoint->url, call->config->push_hosts,
	                       service);
	wanted->text = text;
	wanted->service = service;
	wanted->is_one = true;
	call->wanted.push = wanted;
	return ERR_OK;
}

enum err encode_subscription(struct call *call)
{
	char id[ENDPOINT_ID_SIZE];
	struct json_out out;

	endpoint_id(call->wanted.push->endpoint_hash, id);
	answer_begin(call, &out, 256);
	json_object(&out);
	json_key_string(&out, "subscription", id);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}

enum err decode_unsubscription(struct call *call)
{
	struct push_subscription *wanted =
		arena_zalloc(&call->req->arena, sizeof(*wanted));
	const char *id = http_query(call->req, "subscription");

	if (id && !endpoint_parse_id(id, wanted->endpoint_hash))
		problem_query_fault(call->req, "subscription", "not_allowed",
		                    "This must be an id that PUT has answered, "
		                    "43 characters of base64url.");
	wanted->is_one = id != NULL;
	call->wanted.push = wanted;
	return ERR_OK;
}
