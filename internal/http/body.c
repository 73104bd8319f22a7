/*
 * The body is parsed whole by json-c, after json_grammar.c has found it to be
 * strict JSON.  The struct keeps the parsed object, which body_close() frees,
 * and the names that were asked for, in order: a member with another name is
 * unknown, and the fault lists these.  Strings are copied into the request's
 * arena, because they outlive the object.
 */
#include "http/body.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <json-c/json.h>

#include "base/memory.h"
#include "http/json_grammar.h"
#include "http/json_number.h"
#include "http/problem.h"

enum kind { KIND_ABSENT, KIND_RIGHT, KIND_WRONG };

static const int64_t exact_max = (int64_t)1 << 53;

void body_open(struct body *body, struct http_request *req)
{
	*body = (struct body){ .req = req, .within = "" };
	if (req->body_len == 0) {
		body->json = json_object_new_object();
		memory_expect(body->json);
		return;
	}
	req->detail = json_grammar_fault(req->body, req->body_len, &req->arena);
	body->malformed = req->detail != NULL;
	if (body->malformed)
		return;

	struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH_MAX + 1);
	memory_expect(tokener);
	struct json_object *json =
		json_tokener_parse_ex(tokener, req->body, (int)req->body_len);
	json_tokener_free(tokener);
	if (req->body[strspn(req->body, " \t\r\n")] == '{') {
		memory_expect(json);
		body->json = json;
		return;
	}
	json_object_put(json);
	problem_fault(req, "", "wrong_type", "The body must be an object.");
}

/* Escape a name for a JSON pointer (RFC 6901). */
static const char *pointer_to(struct body *body, const char *name)
{
	size_t len = strlen(body->within);
	char *pointer =
		arena_zalloc(&body->req->arena, len + 2 * strlen(name) + 2);

	memcpy(pointer, body->within, len);
	pointer[len++] = '/';
	for (; *name; name++) {
		bool escaped = *name == '~' || *name == '/';
		if (escaped)
			pointer[len++] = '~';
		pointer[len++] = *name == '~'   ? '0'
		                 : *name == '/' ? '1'
		                                : *name;
	}
	return pointer;
}

static void fault(struct body *body, const char *name, const char *code,
                  const char *detail)
{
	problem_fault(body->req, pointer_to(body, name), code, detail);
}

static bool find(struct body *body, const char *name, struct json_object **at)
{
	*at = NULL;
	assert(body->asked_count < BODY_MEMBERS_MAX);
	body->asked[body->asked_count++] = name;
	return body->json && json_object_object_get_ex(body->json, name, at);
}

/* Find a member of one type; a fault if it is present with another type. */
static enum kind find_type(struct body *body, const char *name,
                           enum json_type type, struct json_object **at)
{
	static const char *const wanted[] = {
		[json_type_boolean] = "This must be true or false.",
		[json_type_array] = "This must be an array.",
		[json_type_string] = "This must be a string.",
		[json_type_object] = "This must be an object.",
	};

	if (!find(body, name, at))
		return KIND_ABSENT;
	if (json_object_is_type(*at, type))
		return KIND_RIGHT;
	fault(body, name, "wrong_type", wanted[type]);
	return KIND_WRONG;
}

bool body_has(struct body *body, const char *name)
{
	return body->json && json_object_object_get_ex(body->json, name, NULL);
}

void body_ignore(struct body *body, const char *name)
{
	struct json_object *at;

	(void)find(body, name, &at);
}

void body_need(struct body *body, const char *name, const char *detail)
{
	if (body->json && !body_has(body, name))
		fault(body, name, "required", detail);
}

static const char *copy_text(struct body *body, struct json_object *string)
{
	return arena_strndup(&body->req->arena, json_object_get_string(string),
	                     (size_t)json_object_get_string_len(string));
}

const char *body_string(struct body *body, const char *name, bool needed)
{
	struct json_object *at;
	enum kind kind = find_type(body, name, json_type_string, &at);

	if (kind == KIND_RIGHT)
		return copy_text(body, at);
	if (kind == KIND_ABSENT && needed)
		body_need(body, name, "This is needed.");
	return NULL;
}

/* True if the member is there and null, for which json-c has no object. */
static bool is_null(const struct body *body, const char *name)
{
	struct json_object *at;

	return body->json && json_object_object_get_ex(body->json, name, &at) &&
	       !at;
}

const char *body_string_or_null(struct body *body, const char *name)
{
	struct json_object *at;

	if (!is_null(body, name))
		return body_string(body, name, false);
	(void)find(body, name, &at);
	return NULL;
}

static int64_t ranged(struct body *body, const char *name, int64_t number,
                      int64_t min, int64_t max, int64_t fallback)
{
	assert(-exact_max <= min && min <= max && max <= exact_max);
	if (min <= number && number <= max)
		return number;
	fault(body, name, "out_of_range",
	      min == max ? arena_printf(&body->req->arena,
	                                "This must be %" PRId64 ".", min)
	                 : arena_printf(&body->req->arena,
	                                "This must be from %" PRId64
	                                " to %" PRId64 ".",
	                                min, max));
	return fallback;
}

int64_t body_int(struct body *body, const char *name, int64_t min, int64_t max,
                 int64_t fallback)
{
	struct json_object *at;

	int64_t number;

	if (!find(body, name, &at))
		return fallback;
	if (json_number_read(at, &number))
		return ranged(body, name, number, min, max, fallback);
	fault(body, name, "wrong_type", "This must be a whole number.");
	return fallback;
}

int64_t body_int_or_null(struct body *body, const char *name, int64_t min,
                         int64_t max, int64_t fallback)
{
	struct json_object *at;

	if (!is_null(body, name))
		return body_int(body, name, min, max, fallback);
	(void)find(body, name, &at);
	return 0;
}

bool body_bool(struct body *body, const char *name, bool fallback)
{
	struct json_object *at;

	if (find_type(body, name, json_type_boolean, &at) != KIND_RIGHT)
		return fallback;
	return json_object_get_boolean(at);
}

static bool is_word(struct json_object *at, const char *word)
{
	return strcmp(json_object_get_string(at), word) == 0;
}

size_t body_choice(struct body *body, const char *name,
                   const char *const *words, size_t count, size_t fallback)
{
	struct json_object *at;

	if (find_type(body, name, json_type_string, &at) != KIND_RIGHT)
		return fallback;
	for (size_t i = 0; i < count; i++) {
		if (is_word(at, words[i]))
			return i;
	}
	fault(body, name, "not_one_of",
	      problem_one_of(&body->req->arena, words, count));
	return fallback;
}

int64_t body_word_or_int(struct body *body, const char *name, const char *word,
                         int64_t min, int64_t max, int64_t fallback)
{
	struct json_object *at;
	bool is_text;
	int64_t number;

	if (!find(body, name, &at))
		return fallback;
	is_text = json_object_is_type(at, json_type_string);
	if (is_text && is_word(at, word))
		return 0;
	if (json_number_read(at, &number))
		return ranged(body, name, number, min, max, fallback);
	fault(body, name, is_text ? "not_one_of" : "wrong_type",
	      arena_printf(&body->req->arena,
	                   "This must be \"%s\" or a whole number from %" PRId64
	                   " to %" PRId64 ".",
	                   word, min, max));
	return fallback;
}

/* Is this an array of min..max items?  A fault at the pointer if not. */
static bool check_array(struct body *body, const char *pointer,
                        struct json_object *at, size_t min, size_t max)
{
	if (!json_object_is_type(at, json_type_array)) {
		problem_fault(body->req, pointer, "wrong_type",
		              "This must be an array.");
		return false;
	}
	size_t count = json_object_array_length(at);
	if (min <= count && count <= max)
		return true;
	struct arena *arena = &body->req->arena;
	problem_fault(
		body->req, pointer, count < min ? "too_short" : "too_long",
		min == max
			? arena_printf(arena, "This must have %zu items.", min)
			: arena_printf(arena,
	                               "This must have from %zu to %zu items.",
	                               min, max));
	return false;
}

/* Read an array of min..max strings; false, with faults, if it is invalid. */
static bool read_strings(struct body *body, const char *pointer,
                         struct json_object *array, size_t min, size_t max,
                         const char **texts)
{
	bool right = true;

	if (!check_array(body, pointer, array, min, max))
		return false;
	size_t count = json_object_array_length(array);
	for (size_t i = 0; i < count; i++) {
		struct json_object *at = json_object_array_get_idx(array, i);

		if (json_object_is_type(at, json_type_string)) {
			texts[i] = copy_text(body, at);
			continue;
		}
		problem_fault(body->req,
		              arena_printf(&body->req->arena, "%s/%zu", pointer,
		                           i),
		              "wrong_type", "This must be a string.");
		right = false;
	}
	return right;
}

/* Read the rows of a table, each into inner_max texts; or NULL, with faults. */
static const char **read_table(struct body *body, const char *pointer,
                               struct json_object *table,
                               struct body_bounds bounds)
{
	struct arena *arena = &body->req->arena;
	bool right = true;

	if (!check_array(body, pointer, table, bounds.min, bounds.max))
		return NULL;
	size_t rows = json_object_array_length(table);
	const char **texts =
		arena_zalloc(arena, rows * bounds.inner_max * sizeof(*texts));
	for (size_t i = 0; i < rows; i++) {
		if (!read_strings(body,
		                  arena_printf(arena, "%s/%zu", pointer, i),
		                  json_object_array_get_idx(table, i),
		                  bounds.inner_min, bounds.inner_max,
		                  texts + i * bounds.inner_max))
			right = false;
	}
	return right ? texts : NULL;
}

size_t body_string_table(struct body *body, const char *name,
                         struct body_bounds bounds, body_item_fn each,
                         void *arg)
{
	struct json_object *table;
	bool right = true;

	if (!find(body, name, &table)) {
		body_need(body, name, "This is needed.");
		return 0;
	}
	const char *pointer = pointer_to(body, name);
	const char **texts = read_table(body, pointer, table, bounds);
	if (!texts)
		return 0;
	size_t rows = json_object_array_length(table);
	for (size_t i = 0; i < rows * bounds.inner_max; i++) {
		size_t row = i / bounds.inner_max;
		size_t item = i % bounds.inner_max;
		const char *detail =
			texts[i] ? each(arg, row, item, texts[i]) : NULL;

		if (!detail)
			continue;
		right = false;
		problem_fault(body->req,
		              arena_printf(&body->req->arena, "%s/%zu/%zu",
		                           pointer, row, item),
		              "not_allowed", detail);
	}
	return right ? rows : 0;
}

size_t body_strings(struct body *body, const char *name, size_t min, size_t max,
                    const char **texts)
{
	struct json_object *array;

	if (!find(body, name, &array) ||
	    !read_strings(body, pointer_to(body, name), array, min, max, texts))
		return 0;
	return json_object_array_length(array);
}

void body_object(struct body *body, const char *name, struct body *object)
{
	struct json_object *at;
	enum kind kind = find_type(body, name, json_type_object, &at);

	*object = (struct body){ .req = body->req,
		                 .within = pointer_to(body, name) };
	if (kind == KIND_RIGHT)
		object->json = json_object_get(at);
	if (kind == KIND_ABSENT)
		body_need(body, name, "This is needed.");
}

static bool was_asked(const struct body *body, const char *name)
{
	for (size_t i = 0; i < body->asked_count; i++) {
		if (strcmp(body->asked[i], name) == 0)
			return true;
	}
	return false;
}

/* The detail of an unknown member: the names that were asked for. */
static const char *unknown(struct body *body)
{
	struct arena *arena = &body->req->arena;

	if (body->asked_count == 0)
		return "There is no such member here; send an empty object "
		       "or no body.";
	const char *list = body->asked[0];
	for (size_t i = 1; i < body->asked_count; i++)
		list = arena_printf(arena, "%s, %s", list, body->asked[i]);
	return arena_printf(arena,
	                    "There is no such member here; there may be: %s.",
	                    list);
}

static void note_unknown(struct body *body)
{
	const char *detail = NULL;
	struct json_object_iterator at = json_object_iter_begin(body->json);
	struct json_object_iterator end = json_object_iter_end(body->json);

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);
		if (was_asked(body, name))
			continue;
		if (!detail)
			detail = unknown(body);
		fault(body, name, "unknown", detail);
	}
}

void body_skip_rest(struct body *body)
{
	body->may_have_others = true;
}

enum err body_close(struct body *body)
{
	if (body->json) {
		if (!body->may_have_others)
			note_unknown(body);
		json_object_put(body->json);
		body->json = NULL;
	}
	if (body->malformed)
		return ERR_MALFORMED;
	return body->req->faults_count > 0 ? ERR_INVALID : ERR_OK;
}
