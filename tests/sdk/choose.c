/*
 * choose.c - fills in what an entry of legal_actions leaves to choose, and
 * says whether an entry allows a body.
 *
 * It knows the contract alone: the forms that "choose" may have.  Bodies are
 * chosen by rand(), so the run's seed repeats them.
 */
#include "choose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

unsigned any_of(size_t count)
{
	assert(count > 0);
	return (unsigned)rand() % (unsigned)count;
}

static struct json_object *member(struct json_object *json, const char *name)
{
	struct json_object *found = NULL;

	json_object_object_get_ex(json, name, &found);
	return found;
}

static struct json_object *item(struct json_object *list, size_t i)
{
	return json_object_array_get_idx(list, i);
}

static size_t count_of(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static bool has(struct json_object *list, struct json_object *value)
{
	for (size_t i = 0; i < count_of(list); i++) {
		if (json_object_equal(item(list, i), value))
			return true;
	}
	return false;
}

/* --- choosing ------------------------------------------------------------- */

/* So many different ones of a list. */
static struct json_object *some_of(struct json_object *list, size_t count)
{
	struct json_object *some = json_object_new_array();

	for (size_t i = 0; i < count_of(list) && count > 0; i++) {
		if (any_of(count_of(list) - i) >= count)
			continue;
		json_object_array_add(some, json_object_get(item(list, i)));
		count--;
	}
	return some;
}

static int number(struct json_object *form, const char *name)
{
	return json_object_get_int(member(form, name));
}

static bool is_form(struct json_object *form, const char *name)
{
	return strcmp(json_object_get_string(member(form, "form")), name) == 0;
}

/*
 * A value of a form.  Of one_of the first option often, so that those who have
 * to agree do so some day.
 */
static struct json_object *value_of(struct json_object *form)
{
	struct json_object *options = member(form, "options");
	int least = number(form, "least");
	int more = number(form, "most") - least;

	if (is_form(form, "range"))
		return json_object_new_int(least +
		                           (int)any_of((size_t)more + 1));
	if (is_form(form, "some_of"))
		return some_of(options,
		               (size_t)least + any_of((size_t)more + 1));
	assert(is_form(form, "one_of"));
	return json_object_get(
		item(options, any_of(4) ? 0 : any_of(count_of(options))));
}

static const char *filled(struct arena *arena, struct json_object *fixed,
                          struct json_object *chosen)
{
	struct json_object *whole = NULL;

	json_object_deep_copy(fixed, &whole, NULL);
	json_object_object_foreach(chosen, name, value)
		json_object_object_add(whole, name, json_object_get(value));
	const char *text = json_object_to_json_string(whole);
	text = arena_strndup(arena, text, strlen(text));
	json_object_put(whole);
	return text;
}

struct chosen choose_from(struct arena *arena, struct json_object *entry)
{
	struct json_object *choose = member(entry, "choose");
	struct json_object *values = json_object_new_object();
	struct chosen chosen;

	if (choose) {
		json_object_object_foreach(choose, name, form)
			json_object_object_add(values, name, value_of(form));
	}
	chosen.body = filled(arena, member(entry, "body"), values);
	chosen.command = filled(arena, member(entry, "command"), values);
	json_object_put(values);
	return chosen;
}

/* --- allowing ------------------------------------------------------------- */

/* True if all of a list are of another, and no two the same. */
static bool are_of(struct json_object *list, struct json_object *options)
{
	for (size_t i = 0; i < count_of(list); i++) {
		if (!has(options, item(list, i)))
			return false;
		for (size_t j = 0; j < i; j++) {
			if (json_object_equal(item(list, i), item(list, j)))
				return false;
		}
	}
	return true;
}

static bool allows_value(struct json_object *form, struct json_object *value)
{
	struct json_object *options = member(form, "options");
	int least = number(form, "least");
	int most = number(form, "most");

	if (is_form(form, "one_of"))
		return has(options, value);
	if (is_form(form, "range"))
		return json_object_get_int(value) >= least &&
		       json_object_get_int(value) <= most;
	return (int)count_of(value) >= least && (int)count_of(value) <= most &&
	       are_of(value, options);
}

/* The fixed members are as they are, and there are no others. */
static bool allows(struct json_object *entry, struct json_object *body)
{
	struct json_object *fixed = member(entry, "body");
	struct json_object *choose = member(entry, "choose");
	int count = json_object_object_length(fixed);

	json_object_object_foreach(fixed, name, value)
	{
		if (!json_object_equal(value, member(body, name)))
			return false;
	}
	if (choose) {
		count += json_object_object_length(choose);
		json_object_object_foreach(choose, chosen, form)
		{
			if (!member(body, chosen) ||
			    !allows_value(form, member(body, chosen)))
				return false;
		}
	}
	return json_object_object_length(body) == count;
}

bool choose_allows(struct json_object *entry, const char *text)
{
	struct json_object *body =
		text ? json_tokener_parse(text) : json_object_new_object();
	bool allowed = allows(entry, body);

	json_object_put(body);
	return allowed;
}
