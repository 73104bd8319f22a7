/*
 * fuzz_body.c - a body, from its bytes to what a handler makes of it.
 *
 * Each route that takes a body is given the same one, with a path and a token
 * that are right.  json-c accepts every text that we accept as strict JSON;
 * another spelling of the same JSON has the same result; each decoded value is
 * in its range.
 */
#include "fuzz.h"

#include <stdlib.h>

/* Two of json-c's types are named like functions of base/json_out.h. */
#define json_object json_c_object
#define json_bool   json_c_bool
#include <json-c/json.h>
#undef json_object
#undef json_bool

#include "auth/name.h"
#include "base/random.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "games/famiglia/rules/famiglia.h"
#undef VERB_TAKE
#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "http/json_grammar.h"
#include "http/problem.h"
#include "service/request.h"
#include "service/response.h"
#include "service/route_table.h"

/* The result of a body at one route. */
struct reading {
	enum err err;
	size_t faults_count;
	struct action action;
};

static const struct {
	const char *name;
	const char *value;
} params[] = {
	{ "{game_id}", "01940000-0000-7000-8000-000000000000" },
	{ "{code}", "0123ABCD" },
	{ "{color}", "red" },
};

static struct http_request req;
static struct call call;
static struct arena scratch;

/* Replaces base/random.c: the same bytes in each run, and no system call. */
bool random_bytes(void *bytes, size_t len)
{
	memset(bytes, 7, len);
	return true;
}

static void fill_params(const char *path)
{
	for (size_t i = 0; i < HTTP_PARAMS_MAX; i++) {
		path = strchr(path, '{');
		if (!path)
			return;
		const char *value = "1";
		for (size_t j = 0; j < ARRAY_LEN(params); j++) {
			size_t len = strlen(params[j].name);
			if (strncmp(path, params[j].name, len) == 0)
				value = params[j].value;
		}
		req.params[i] = (struct http_slice){ value, strlen(value) };
		path++;
	}
}

static void open_request(size_t index, const char *text, size_t len)
{
	struct arena arena = req.arena;
	size_t count;

	arena_reset(&arena);
	req = (struct http_request){
		.route = &route_table(&count)[index],
		.authorization = fuzz_authorization(),
		.body = text,
		.body_len = len,
		.arena = arena,
	};
	req.path = req.route->path;
	fill_params(req.route->path);
}

/* --- what must hold of it ------------------------------------------------- */

static void check_name(void)
{
	struct name again;

	if (!call.wanted.name.text)
		return;
	size_t size = strlen(call.wanted.name.text);
	const uint8_t *text = (const uint8_t *)call.wanted.name.text;
	assert(u8_check(text, size) == NULL);
	size_t len = u8_mbsnlen(text, size);
	assert(len >= 1 && len <= NAME_MAX);
	assert(name_is_like(&call.wanted.name, call.wanted.name.text,
	                    &scratch));
	assert(name_parse(call.wanted.name.text, &scratch, &again) == NAME_OK);
	assert(strcmp(again.text, call.wanted.name.text) == 0);
	assert(strcmp(again.key, call.wanted.name.key) == 0);
	assert(!strstr(call.wanted.name.text, "\xef\xbf\xbd"));
	assert(!strstr(call.wanted.name.text, "\xe2\x80\x8b"));
}

/* It is stored as a line. */
static void check_avatar(void)
{
	const char *avatar = call.wanted.avatar;

	if (!avatar)
		return;
	size_t len = u8_mbsnlen((const uint8_t *)avatar, strlen(avatar));
	assert(len >= 1 && len <= NAME_AVATAR_MAX);
	assert(!strchr(avatar, '\n'));
}

static void check_create(const struct json_c_object *json)
{
	const struct ruleset *rules = call.game.table.rules;
	const uint8_t *args = call.wanted.action.args;
	struct options options;
	struct json_c_object *seats;

	action_options(&call.wanted.action, options.bytes);
	assert(options.bytes[GANG_OPTION_SHUFFLED] <= 1);
	assert(args[CREATE_SEATS] >= rules->seats_min);
	assert(args[CREATE_SEATS] <= rules->seats_max);
	assert(rules->init(call.game.table.state, &options));
	assert(call.wanted.name.text);
	if (json_object_object_get_ex(json, "seats", &seats))
		assert(json_object_get_int64(seats) == args[CREATE_SEATS]);
}

static void check_take(const struct json_c_object *json)
{
	unsigned from = call.wanted.action.args[ARG_FROM];
	struct json_c_object *at;

	if (!json_object_object_get_ex(json, "from", &at))
		assert(from == CHIP_FROM_ANYWHERE);
	else if (from == CHIPS_CENTER)
		assert(strcmp(json_object_get_string(at), "center") == 0);
	else
		assert(from <= GANG_PLAYERS_MAX &&
		       json_object_get_int64(at) == from);
}

static bool is_text(const struct json_c_object *json, const char *name,
                    const char *text)
{
	struct json_c_object *at;

	return json_object_object_get_ex(json, name, &at) &&
	       strcmp(json_object_get_string(at), text) == 0;
}

static void check_propose(const struct json_c_object *json)
{
	const uint8_t *args = call.wanted.action.args;
	struct json_c_object *at;

	assert(json_object_object_get_ex(json, "seat", &at) &&
	       json_object_get_int64(at) == args[ARG_SEAT]);
	assert(args[ARG_SEAT] >= 1 && args[ARG_SEAT] <= GANG_PLAYERS_MAX);
	if (json_object_object_get_ex(json, "target_seat", &at))
		assert(args[ARG_TARGET] <= GANG_PLAYERS_MAX &&
		       json_object_get_int64(at) == args[ARG_TARGET]);
	else
		assert(args[ARG_TARGET] == 0);
	if (args[ARG_VALUE] == VALUE_ABSENT)
		assert(!json_object_object_get_ex(json, "value", NULL));
	else
		assert(is_text(json, "value",
		               gang_value_text(VALUE_RANK, args[ARG_VALUE])));
}

static void check_choose(const struct json_c_object *json)
{
	uint8_t card = call.wanted.action.args[ARG_CARD];

	if (card == CHOICE_LOOKED)
		assert(json_object_object_get_ex(json, "looked", NULL));
	else
		assert(card < CARD_COUNT &&
		       is_text(json, "card", card_text(card)));
}

static void check_answer(const struct json_c_object *json)
{
	const uint8_t *args = call.wanted.action.args;
	const struct challenge *row = gang_challenge_get(args[ARG_QUESTION]);

	assert(is_text(json, "question", row->code));
	assert(is_text(json, "value",
	               gang_value_text(row->asks, args[ARG_ANSWER])));
}

/* There are as many results as hands. */
static void check_evaluations(const struct json_c_object *json)
{
	struct json_c_object *hands;
	struct json_c_object *results;
	struct json_c_object *reply;

	assert(response_encode(&call) == ERR_OK && req.reply.status == 200);
	fuzz_assert_json(req.reply.body, req.reply.body_len);
	struct json_tokener *tokener = json_tokener_new();
	reply = json_tokener_parse_ex(tokener, req.reply.body,
	                              (int)req.reply.body_len);
	json_tokener_free(tokener);
	assert(json_object_object_get_ex(json, "hands", &hands));
	assert(json_object_object_get_ex(reply, "results", &results));
	assert(json_object_array_length(results) ==
	       json_object_array_length(hands));
	json_object_put(reply);
}

/* A list has the names asked for, in that order, and no others. */
static void check_gangsters(const struct json_c_object *json, const char *name,
                            const uint8_t *gangsters, size_t max)
{
	struct json_c_object *list;
	size_t count = 0;

	if (json_object_object_get_ex(json, name, &list))
		count = json_object_array_length(list);
	assert(count <= max);
	for (size_t i = 0; i < max; i++) {
		if (i >= count) {
			assert(gangsters[i] == GANGSTER_NONE);
			continue;
		}
		struct json_c_object *at = json_object_array_get_idx(list, i);
		assert(gangster_exists(gangsters[i]));
		assert(strcmp(json_object_get_string(at),
		              gangster_text(gangsters[i])) == 0);
	}
}

static void check_gangster(const struct json_c_object *json, const char *name,
                           uint8_t gangster)
{
	assert(gangster_exists(gangster));
	assert(is_text(json, name, gangster_text(gangster)));
}

/* No game refuses the decoded action for its form. */
static void check_famiglia(const struct json_c_object *json)
{
	const uint8_t *args = call.wanted.action.args;
	struct json_c_object *at;

	assert(famiglia_fault(NULL, &call.wanted.action).member == NULL);
	if (call.wanted.action.verb == VERB_PASS) {
		assert(json_object_object_length(json) == 0);
		return;
	}
	check_gangster(json, "card", args[ARG_PLAYED]);
	if (call.wanted.action.verb == VERB_SWAP) {
		check_gangsters(json, "give", args + ARG_GIVE, SWAP_MAX);
		check_gangsters(json, "take", args + ARG_TAKEN, SWAP_MAX);
	} else if (call.wanted.action.verb == VERB_THREATEN) {
		check_gangster(json, "target", args[ARG_THREATENED]);
		assert(json_object_object_get_ex(json, "by", &at) &&
		       json_object_get_int64(at) == args[ARG_BY]);
	} else if (call.wanted.action.verb == VERB_TAKE_GANGSTER) {
		check_gangsters(json, "pay", args + ARG_PAY, RECRUIT_PAY);
		if (args[ARG_KEEP] != GANGSTER_NONE)
			check_gangster(json, "keep", args[ARG_KEEP]);
	} else {
		assert(call.wanted.action.verb == VERB_REFILL);
	}
}

/* Verbs of rulesets have the same numbers: the route says whose it is. */
static void check_decoded(const struct json_c_object *json)
{
	check_name();
	check_avatar();
	if (call.route->shape == SHAPE_ANSWER)
		check_evaluations(json);
	else if (call.wanted.action.verb == VERB_CREATE)
		check_create(json);
	else if (call.wanted.action.verb == VERB_JOIN)
		assert(call.wanted.name.text);
	else if (call.route->rules == &famiglia_ruleset)
		check_famiglia(json);
	else if (call.wanted.action.verb == VERB_TAKE)
		check_take(json);
	else if (call.wanted.action.verb == VERB_PROPOSE)
		check_propose(json);
	else if (call.wanted.action.verb == VERB_VOTE)
		assert(json_object_object_get_ex(json, "agree", NULL));
	else if (call.wanted.action.verb == VERB_CHOOSE)
		check_choose(json);
	else if (call.wanted.action.verb == VERB_ANSWER)
		check_answer(json);
}

/* A refusal says why.  A malformed code of a transfer is one that nobody has.
 */
static void check_refused(enum err err)
{
	bool is_wrong_code =
		err == ERR_NO_SUCH_TRANSFER && call.route->shape == SHAPE_CLAIM;

	assert(err == ERR_INVALID || err == ERR_MALFORMED || is_wrong_code);
	assert((req.faults_count > 0) == (err == ERR_INVALID));
	assert((req.detail != NULL) == (err == ERR_MALFORMED));
	for (size_t i = 0; i < req.faults_count; i++) {
		const char *name = req.faults[i].name;
		/* A pointer into the body; no request here has a key. */
		assert(*name == '\0' || *name == '/' ||
		       strcmp(name, "Idempotency-Key") == 0);
	}
}

/* The problem is JSON, whatever the names and the words were. */
static void check_problem(enum err err)
{
	problem_reply(&req, err);
	fuzz_assert_json(req.reply.body, req.reply.body_len);
}

/* json is json-c's object, unless the text is malformed. */
static struct reading ask(size_t index, const char *text, size_t len,
                          const struct json_c_object *json)
{
	/* With a key, so that subscriptions are read. */
	static const struct service_config config = { .push_key = "a key",
		                                      .push_hosts = "" };
	open_request(index, text, len);
	memset(&call, 0, sizeof(call));
	call.config = &config;
	request_open(&call, &req);
	enum err err = request_decode(&call);
	struct reading answer = { err, req.faults_count, call.wanted.action };
	if (err)
		check_refused(err);
	else
		check_decoded(json);
	arena_reset(&scratch);
	return answer;
}

static void check_same(const struct reading *a, const struct reading *b)
{
	assert(a->err == b->err && a->faults_count == b->faults_count);
	assert(memcmp(&a->action, &b->action, sizeof(a->action)) == 0);
}

/* Another spelling of the same; and what is said of a refusal. */
static void check_closely(size_t index, const struct reading *answer,
                          struct json_c_object *json)
{
	const char *text = json_object_to_json_string_ext(
		json, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	struct reading other = ask(index, text, strlen(text), json);

	check_same(answer, &other);
	if (other.err)
		check_problem(other.err);
}

/*
 * Every route that takes a body takes this one, and one has a closer look.  No
 * object is refused by each in the same way.
 */
static void check_routes(const char *text, size_t len,
                         struct json_c_object *json)
{
	size_t count;
	const struct http_route *routes = route_table(&count);
	size_t closely = json_object_is_type(json, json_type_object)
	                         ? fuzz_hash((const uint8_t *)text, len) % count
	                         : 0;

	for (size_t i = 0; i < count; i++) {
		if (routes[i].body_max == 0)
			continue;
		struct reading answer = ask(i, text, len, json);
		assert(answer.err != ERR_MALFORMED);
		if (closely > i)
			continue;
		check_closely(i, &answer, json);
		if (!json_object_is_type(json, json_type_object))
			return;
		closely = count;
	}
}

/* Parse by json-c in its strict mode; the service uses a laxer one. */
static struct json_c_object *read_strictly(const char *text, size_t len)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH_MAX + 1);

	/* json-c 0.18 takes bytes above ASCII for control characters then. */
	int strict = JSON_C_MINOR_VERSION < 18 ? JSON_TOKENER_STRICT : 0;
	json_tokener_set_flags(tokener, strict | JSON_TOKENER_VALIDATE_UTF8);
	struct json_c_object *json =
		json_tokener_parse_ex(tokener, text, (int)len);
	/* A number may go on, for all that json-c knows. */
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		json = json_tokener_parse_ex(tokener, "", 1);
	assert(json_tokener_get_error(tokener) == json_tokener_success);
	json_tokener_free(tokener);
	return json;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t count;
	const struct http_route *routes = route_table(&count);
	size_t any = 0;

	while (routes[any].body_max == 0)
		any++;
	bool strict = !json_grammar_fault(text, size, &scratch);
	arena_reset(&scratch);
	if (!strict) {
		struct reading answer = ask(any, text, size, NULL);
		assert(answer.err == ERR_MALFORMED || size == 0);
		if (answer.err)
			check_problem(answer.err);
		return 0;
	}
	struct json_c_object *json = read_strictly(text, size);
	check_routes(text, size, json);
	json_object_put(json);
	return 0;
}
