/*
 * expect.c - compares an answer with what a story expects of it.
 *
 * An expectation is a subject (a path, a header field or the body) and a
 * comparison with a piece of JSON.  Paths are followed from the body's root;
 * "[*]" collects what it finds into a new array.  Values made here are owned by
 * the story, by way of an exchange without a request.
 */
#include "expect.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { JSON_PLAIN = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE };

/* The subject of an expectation. */
struct subject {
	bool found;
	struct json_object *value; /* NULL: null */
};

/* Keep a value until the story ends, by hanging it on an exchange. */
static struct json_object *own(struct story *story, struct json_object *json)
{
	struct exchange *holder = arena_zalloc(&story->arena, sizeof(*holder));

	holder->json = json;
	holder->done = true;
	holder->next = story->exchanges;
	story->exchanges = holder;
	return json;
}

/* --- paths ---------------------------------------------------------------- */

/* True when the element has what "color=white,stars=2" says. */
static bool element_is(struct json_object *element, const char *wanted,
                       size_t len)
{
	const char *end = wanted + len;

	while (wanted < end) {
		size_t pair = strcspn(wanted, ",]");
		size_t name = strcspn(wanted, "=");
		struct json_object *value = NULL;
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)name, wanted);
		json_object_object_get_ex(element, key, &value);
		const char *text =
			value ? json_object_get_string(value) : "null";
		const char *want = wanted + name + 1;
		size_t want_len = pair > name ? pair - name - 1 : 0;
		if (strlen(text) != want_len ||
		    strncmp(text, want, want_len) != 0)
			return false;
		wanted += pair + 1;
	}
	return true;
}

static bool element_at(struct json_object *array, const char *inside,
                       size_t len, struct json_object **value)
{
	size_t count = json_object_array_length(array);

	if (isdigit((unsigned char)*inside) || *inside == '-') {
		long index = strtol(inside, NULL, 10);
		if (index < 0)
			index += (long)count;
		if (index < 0 || (size_t)index >= count)
			return false;
		*value = json_object_array_get_idx(array, (size_t)index);
		return true;
	}
	for (size_t i = 0; i < count; i++) {
		*value = json_object_array_get_idx(array, i);
		if (element_is(*value, inside, len))
			return true;
	}
	return false;
}

/* The values that the rest of the path finds in every element, as an array. */
static struct json_object *of_all(struct story *story,
                                  struct json_object *array, const char *rest)
{
	struct json_object *all = own(story, json_object_new_array());

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *value;
		if (expect_find(story, json_object_array_get_idx(array, i),
		                rest, &value))
			json_object_array_add(all, json_object_get(value));
	}
	return all;
}

bool expect_find(struct story *story, struct json_object *json,
                 const char *path, struct json_object **value)
{
	char name[64];

	while (*path && strcmp(path, ".") != 0) {
		size_t len = strcspn(path + 1, ".[]");

		snprintf(name, sizeof(name), "%.*s", (int)len, path + 1);
		path += 1 + len;
		if (path[-1 - (long)len] == '.') {
			if (!json_object_is_type(json, json_type_object) ||
			    !json_object_object_get_ex(json, name, &json))
				return false;
			continue;
		}
		if (!json_object_is_type(json, json_type_array))
			return false;
		if (strcmp(name, "*") == 0) {
			*value = of_all(story, json, path + 1);
			return true;
		}
		if (!element_at(json, name, len, &json))
			return false;
		path++;
	}
	*value = json;
	return true;
}

const char *expect_text(struct story *story, struct json_object *json,
                        const char *path)
{
	struct json_object *value;

	if (!expect_find(story, json, path, &value) ||
	    !json_object_is_type(value, json_type_string))
		return "";
	return json_object_get_string(value);
}

int expect_int(struct story *story, struct json_object *json, const char *path)
{
	struct json_object *value;

	if (!expect_find(story, json, path, &value) ||
	    !json_object_is_type(value, json_type_int))
		return -1;
	return json_object_get_int(value);
}

const char *expect_code(const struct exchange *exchange)
{
	struct json_object *code;

	if (exchange->status < 400 ||
	    !json_object_is_type(exchange->json, json_type_object) ||
	    !json_object_object_get_ex(exchange->json, "code", &code))
		return "";
	return json_object_get_string(code);
}

/* --- comparing ------------------------------------------------------------ */

/* Equal, or an object with at least the members that are wanted. */
static bool matches(struct json_object *value, struct json_object *wanted)
{
	if (!json_object_is_type(wanted, json_type_object) ||
	    !json_object_is_type(value, json_type_object))
		return json_object_equal(value, wanted);
	json_object_object_foreach(wanted, name, part)
	{
		struct json_object *of_value;
		if (!json_object_object_get_ex(value, name, &of_value) ||
		    !matches(of_value, part))
			return false;
	}
	return true;
}

static bool has(struct json_object *value, struct json_object *wanted)
{
	if (json_object_is_type(value, json_type_string))
		return json_object_is_type(wanted, json_type_string) &&
		       strstr(json_object_get_string(value),
		              json_object_get_string(wanted));
	if (!json_object_is_type(value, json_type_array))
		return matches(value, wanted);
	for (size_t i = 0; i < json_object_array_length(value); i++) {
		if (matches(json_object_array_get_idx(value, i), wanted))
			return true;
	}
	return false;
}

static bool fits_pattern(struct story *story, const char *text,
                         const char *pattern)
{
	regex_t regex;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		story_fail(story, NULL, "no regular expression: %s", pattern);
	bool fits = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return fits;
}

static bool compare(struct story *story, const char *verb,
                    struct json_object *value, struct json_object *wanted)
{
	double left = json_object_get_double(value);
	double right = json_object_get_double(wanted);
	bool numbers = (json_object_is_type(value, json_type_int) ||
	                json_object_is_type(value, json_type_double)) &&
	               json_object_is_type(wanted, json_type_int);

	if (strcmp(verb, "==") == 0)
		return json_object_equal(value, wanted);
	if (strcmp(verb, "!=") == 0)
		return !json_object_equal(value, wanted);
	if (strcmp(verb, "has") == 0)
		return has(value, wanted);
	if (strcmp(verb, "lacks") == 0)
		return !has(value, wanted);
	if (strcmp(verb, "count") == 0)
		return json_object_is_type(value, json_type_array) &&
		       json_object_array_length(value) == (size_t)right;
	if (strcmp(verb, "matches") == 0)
		return value &&
		       fits_pattern(story, json_object_get_string(value),
		                    json_object_get_string(wanted));
	if (strcmp(verb, "<") == 0)
		return numbers && left < right;
	if (strcmp(verb, "<=") == 0)
		return numbers && left <= right;
	if (strcmp(verb, ">") == 0)
		return numbers && left > right;
	if (strcmp(verb, ">=") == 0)
		return numbers && left >= right;
	story_fail(story, NULL, "what does \"%s\" mean?", verb);
}

/* --- one expectation ------------------------------------------------------ */

/* ".path", "header NAME" or "body". */
static struct subject subject_at(struct story *story,
                                 const struct exchange *exchange,
                                 const char **at)
{
	struct subject subject = { false, NULL };
	const char *text = NULL;

	if (text_take(at, "header"))
		text = field_find(exchange->fields, text_word(story, at));
	else if (text_take(at, "body"))
		text = exchange->answer;
	else if (**at == '.')
		subject.found =
			exchange->json &&
			expect_find(story, exchange->json, text_word(story, at),
		                    &subject.value);
	else
		story_fail(story, NULL, "what is expected here? %s", *at);
	if (text) {
		subject.found = true;
		subject.value = own(story, json_object_new_string(text));
	}
	return subject;
}

static void keep(struct story *story, const struct exchange *exchange,
                 const char **at)
{
	const char *name = text_word(story, at);
	struct subject subject;

	if (!text_take(at, "="))
		story_fail(story, NULL, "keep NAME = what?");
	subject = subject_at(story, exchange, at);
	if (!subject.found)
		story_fail(story, exchange, "there is nothing to keep as %s",
		           name);
	const char *text =
		json_object_is_type(subject.value, json_type_string)
			? json_object_get_string(subject.value)
			: json_object_to_json_string_ext(subject.value,
	                                                 JSON_PLAIN);
	story_set(story, name,
	          arena_strndup(&story->arena, text, strlen(text)));
}

static struct json_object *wanted_at(struct story *story, const char *verb,
                                     const char **at)
{
	const char *text = text_json(story, at);
	struct json_object *wanted;
	enum json_tokener_error error;

	if (strcmp(verb, "matches") == 0 && *text == '"')
		return own(story, json_object_new_string(
					  text_string(story, &text, NULL)));
	wanted = json_tokener_parse_verbose(text, &error);
	if (error != json_tokener_success)
		story_fail(story, NULL, "no JSON: %s", text);
	return own(story, wanted);
}

/* Check one expectation about a value; moves behind it. */
static bool value_holds(struct story *story, const struct exchange *exchange,
                        const char **at)
{
	struct subject subject = subject_at(story, exchange, at);
	const char *verb;

	if (text_take(at, "exists") || text_take(at, "exists,"))
		return subject.found;
	if (text_take(at, "absent") || text_take(at, "absent,"))
		return !subject.found;
	verb = text_word(story, at);
	struct json_object *wanted = wanted_at(story, verb, at);
	return subject.found && compare(story, verb, subject.value, wanted);
}

bool expect_holds(struct story *story, const struct exchange *exchange,
                  const char *text)
{
	return value_holds(story, exchange, &text);
}

/* A status and, where it is a refusal, the problem's code. */
static void expect_status(struct story *story, const struct exchange *exchange,
                          const char **at)
{
	const char *status = text_json(story, at);
	const char *code = "";

	if (strtoul(status, NULL, 10) != exchange->status)
		story_fail(story, exchange, "expected %s", status);
	if (islower((unsigned char)**at) && exchange->status >= 400) {
		const char *before = *at;
		code = text_json(story, at);
		if (strcmp(code, "header") == 0 || strcmp(code, "body") == 0 ||
		    strcmp(code, "keep") == 0) {
			*at = before;
			code = "";
		}
	}
	if (*code && strcmp(code, expect_code(exchange)) != 0)
		story_fail(story, exchange, "expected %s %s", status, code);
}

void expect_all(struct story *story, const struct exchange *exchange,
                const char *text)
{
	while (!text_end(&text)) {
		const char *start = text;

		if (*text == ',')
			text++;
		else if (isdigit((unsigned char)*text))
			expect_status(story, exchange, &text);
		else if (text_take(&text, "keep"))
			keep(story, exchange, &text);
		else if (!value_holds(story, exchange, &text))
			story_fail(story, exchange, "expected %.*s",
			           (int)(text - start), start);
	}
}
