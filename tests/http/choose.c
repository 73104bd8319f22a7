/*
 * choose.c - fills in what an entry of legal_actions leaves to choose, and
 * tells whether an entry allows a body.
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

static void add(struct json_object *to, const char *name,
                struct json_object *value)
{
	json_object_object_add(to, name, json_object_get(value));
}

/* Choose so many different elements of a list. */
static void add_some(struct json_object *to, const char *name,
                     struct json_object *list, size_t count)
{
	struct json_object *some = json_object_new_array();

	for (size_t i = 0; i < count_of(list) && count > 0; i++) {
		if (any_of(count_of(list) - i) >= count)
			continue;
		json_object_array_add(some, json_object_get(item(list, i)));
		count--;
	}
	json_object_object_add(to, name, some);
}

static void choose_swap(struct json_object *to, struct json_object *choose)
{
	struct json_object *count = member(choose, "count");
	int min = json_object_get_int(member(count, "min"));
	int max = json_object_get_int(member(count, "max"));
	size_t chosen = (size_t)min + any_of((size_t)(max - min) + 1);

	add_some(to, "give", member(choose, "give"), chosen);
	add_some(to, "take", member(choose, "take"), chosen);
}

static void choose_target(struct json_object *to, struct json_object *targets)
{
	struct json_object *target = item(targets, any_of(count_of(targets)));
	int max = json_object_get_int(member(target, "max"));

	add(to, "target", member(target, "card"));
	json_object_object_add(
		to, "by", json_object_new_int(1 + (int)any_of((size_t)max)));
}

/* Choose one of the cards, and another of them or a stand-in. */
static void choose_pay(struct json_object *to, struct json_object *choose)
{
	struct json_object *cards = member(choose, "cards");
	struct json_object *stand_ins = member(choose, "stand_ins");
	struct json_object *pay = json_object_new_array();
	size_t first = any_of(count_of(cards));
	size_t other = any_of(count_of(cards) + count_of(stand_ins) - 1);

	other += other >= first;
	json_object_array_add(pay, json_object_get(item(cards, first)));
	json_object_array_add(
		pay, json_object_get(other < count_of(cards)
	                                     ? item(cards, other)
	                                     : item(stand_ins,
	                                            other - count_of(cards))));
	json_object_object_add(to, "pay", pay);
	add(to, "keep", item(pay, any_of(2)));
}

/* The first one often, so that those who have to agree do so some day. */
static void choose_option(struct json_object *to, const char *name,
                          struct json_object *options)
{
	add(to, name, item(options, any_of(4) ? 0 : any_of(count_of(options))));
}

static void choose_all(struct json_object *to, struct json_object *choose)
{
	if (member(choose, "count")) {
		choose_swap(to, choose);
		return;
	}
	json_object_object_foreach(choose, name, options)
	{
		if (strcmp(name, "target") == 0)
			choose_target(to, options);
		else if (strcmp(name, "pay") == 0)
			choose_pay(to, options);
		else
			choose_option(to, name, options);
	}
}

const char *choose_body(struct story *story, struct json_object *entry)
{
	struct json_object *body = member(entry, "body");
	struct json_object *choose = member(entry, "choose");
	struct json_object *whole = NULL;

	if (!body && !choose)
		return NULL;
	if (body)
		json_object_deep_copy(body, &whole, NULL);
	else
		whole = json_object_new_object();
	if (choose)
		choose_all(whole, choose);
	const char *text = json_object_to_json_string(whole);
	text = arena_strndup(&story->arena, text, strlen(text));
	json_object_put(whole);
	return text;
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

static bool allows_swap(struct json_object *choose, struct json_object *body)
{
	struct json_object *count = member(choose, "count");
	struct json_object *give = member(body, "give");
	struct json_object *take = member(body, "take");
	int swapped = (int)count_of(give);

	return swapped >= json_object_get_int(member(count, "min")) &&
	       swapped <= json_object_get_int(member(count, "max")) &&
	       count_of(give) == count_of(take) &&
	       are_of(give, member(choose, "give")) &&
	       are_of(take, member(choose, "take"));
}

static bool allows_target(struct json_object *targets, struct json_object *body)
{
	int by = json_object_get_int(member(body, "by"));

	for (size_t i = 0; i < count_of(targets); i++) {
		struct json_object *target = item(targets, i);

		if (json_object_equal(member(target, "card"),
		                      member(body, "target")))
			return by >= 1 &&
			       by <= json_object_get_int(member(target, "max"));
	}
	return false;
}

static bool allows_pay(struct json_object *choose, struct json_object *body)
{
	struct json_object *cards = member(choose, "cards");
	struct json_object *pay = member(body, "pay");
	size_t true_ones = 0;

	if (count_of(pay) != 2 ||
	    json_object_equal(item(pay, 0), item(pay, 1)) ||
	    !has(pay, member(body, "keep")))
		return false;
	for (size_t i = 0; i < 2; i++) {
		bool is_true = has(cards, item(pay, i));

		if (!is_true && !has(member(choose, "stand_ins"), item(pay, i)))
			return false;
		true_ones += is_true;
	}
	return true_ones > 0;
}

/* The members that are left to choose, and how many they are. */
static bool allows_chosen(struct json_object *choose, struct json_object *body,
                          int *count)
{
	*count = 0;
	if (!choose)
		return true;
	*count = 2;
	if (member(choose, "count"))
		return allows_swap(choose, body);
	if (member(choose, "pay"))
		return allows_pay(member(choose, "pay"), body);
	if (member(choose, "target"))
		return allows_target(member(choose, "target"), body);
	*count = json_object_object_length(choose);
	json_object_object_foreach(choose, name, options)
	{
		if (!has(options, member(body, name)))
			return false;
	}
	return true;
}

/* The fixed members are as they are, and there are no others. */
static bool allows(struct json_object *entry, struct json_object *body)
{
	struct json_object *fixed = member(entry, "body");
	int count;

	if (!allows_chosen(member(entry, "choose"), body, &count))
		return false;
	if (!fixed)
		return json_object_object_length(body) == count;
	json_object_object_foreach(fixed, name, value)
	{
		if (!json_object_equal(value, member(body, name)))
			return false;
	}
	return json_object_object_length(body) ==
	       count + json_object_object_length(fixed);
}

bool choose_allows(struct json_object *entry, const char *text)
{
	struct json_object *body =
		text ? json_tokener_parse(text) : json_object_new_object();
	bool allowed = allows(entry, body);

	json_object_put(body);
	return allowed;
}
