/*
 * famiglia_expand.h - what the JSON of a view and of its legal actions says.
 *
 * Legal actions are read as a client does: each element with its fixed fields,
 * and the bodies that its "choose" allows.
 */
#ifndef TESTS_FAMIGLIA_EXPAND_H
#define TESTS_FAMIGLIA_EXPAND_H

/* Two of json-c's types are named like functions of base/json_out.h. */
#define json_object json_c_object
#define json_bool   json_c_bool
#include <json-c/json.h>
#undef json_object
#undef json_bool

#include "famiglia_judge.h"

#define FAM_PATH "/v1/games/x"

enum { ENTRIES_MAX = 128 };

/* An element of legal_actions. */
struct entry {
	unsigned verb;
	unsigned card; /* 0: the element has no body */
	unsigned count_max;
	uint64_t give;
	uint64_t take;
	uint8_t target_max[CARDS + 1];
	bool is_free;
	uint64_t cards;
	uint64_t stand_ins;
};

struct entries {
	unsigned seat;
	size_t count;
	struct entry list[ENTRIES_MAX];
};

/* --- reading -------------------------------------------------------------- */

static inline struct json_c_object *member(struct json_c_object *json,
                                           const char *name)
{
	struct json_c_object *found = NULL;

	CHECK(json_object_object_get_ex(json, name, &found));
	return found;
}

static inline unsigned number_of(struct json_c_object *json)
{
	CHECK(json_object_is_type(json, json_type_int));
	return (unsigned)json_object_get_int(json);
}

static inline bool is_text(struct json_c_object *json, const char *text)
{
	return strcmp(json_object_get_string(json), text) == 0;
}

static inline unsigned card_of(struct json_c_object *json)
{
	unsigned card = 1;

	while (card <= CARDS && !is_text(json, printed[card].text))
		card++;
	CHECK(card <= CARDS);
	return card;
}

/* A list in which nothing stands twice. */
static inline uint64_t set_of(struct json_c_object *json)
{
	uint64_t set = 0;

	for (size_t i = 0; i < json_object_array_length(json); i++) {
		uint64_t bit = UINT64_C(1)
		               << card_of(json_object_array_get_idx(json, i));

		CHECK(!(set & bit));
		set |= bit;
	}
	return set;
}

static inline void read_targets(struct entry *entry,
                                struct json_c_object *targets)
{
	CHECK(json_object_array_length(targets) > 0);
	for (size_t i = 0; i < json_object_array_length(targets); i++) {
		struct json_c_object *target =
			json_object_array_get_idx(targets, i);
		unsigned card = card_of(member(target, "card"));

		CHECK(!entry->target_max[card]);
		entry->target_max[card] =
			(uint8_t)number_of(member(target, "max"));
		CHECK(entry->target_max[card] >= 1);
	}
}

static inline void read_choose(struct entry *entry,
                               struct json_c_object *choose)
{
	if (entry->verb == VERB_SWAP) {
		struct json_c_object *count = member(choose, "count");

		CHECK(number_of(member(count, "min")) == 1);
		entry->count_max = number_of(member(count, "max"));
		CHECK(entry->count_max >= 1);
		entry->give = set_of(member(choose, "give"));
		entry->take = set_of(member(choose, "take"));
	} else if (entry->verb == VERB_THREATEN) {
		read_targets(entry, member(choose, "target"));
	} else if (entry->verb == VERB_RECRUIT && choose) {
		struct json_c_object *pay = member(choose, "pay");

		entry->cards = set_of(member(pay, "cards"));
		entry->stand_ins = set_of(member(pay, "stand_ins"));
	} else {
		CHECK(!choose);
		entry->is_free = true;
	}
}

static inline void read_entry(struct entry *entry, struct json_c_object *json)
{
	static const char *const names[] = { "refill", "accountant", "brute",
		                             "take", "pass" };
	const char *href = json_object_get_string(member(json, "href"));
	struct json_c_object *body = member(json, "body");

	memset(entry, 0, sizeof(*entry));
	CHECK(is_text(member(json, "method"), "POST"));
	CHECK(strncmp(href, FAM_PATH "/turn/", strlen(FAM_PATH "/turn/")) == 0);
	href += strlen(FAM_PATH "/turn/");
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(href, names[i]) == 0)
			entry->verb = VERB_OF_RULESET + i;
	}
	CHECK(is_text(member(json, "action"), href));
	CHECK(!body == (entry->verb == VERB_PASS));
	if (body) {
		CHECK(json_object_object_length(body) == 1);
		entry->card = card_of(member(body, "card"));
	}
	read_choose(entry, member(json, "choose"));
}

/* At most one for each card in each step. */
static inline void read_entries(struct entries *entries,
                                struct json_c_object *json)
{
	entries->count = json_object_array_length(json);
	CHECK(entries->count <= ENTRIES_MAX);
	for (size_t i = 0; i < entries->count; i++) {
		read_entry(&entries->list[i],
		           json_object_array_get_idx(json, i));
		for (size_t j = 0; j < i; j++)
			CHECK(entries->list[i].verb != entries->list[j].verb ||
			      entries->list[i].card != entries->list[j].card);
	}
}

/* --- what they allow ------------------------------------------------------ */

static inline bool has(uint64_t set, unsigned card)
{
	return set >> card & 1;
}

static inline bool allows_swap(const struct entry *entry, const uint8_t *args)
{
	unsigned count = count_cards(args + 1);

	if (!count || count > entry->count_max ||
	    count != count_cards(args + 5))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!has(entry->give, args[1 + i]) ||
		    !has(entry->take, args[5 + i]))
			return false;
	}
	return true;
}

static inline bool allows_take(const struct entry *entry, const uint8_t *args)
{
	uint64_t all = entry->cards | entry->stand_ins;

	if (entry->is_free)
		return !args[1] && !args[2] && !args[3];
	return args[1] <= CARDS && args[2] <= CARDS && args[1] != args[2] &&
	       has(all, args[1]) && has(all, args[2]) &&
	       (has(entry->cards, args[1]) || has(entry->cards, args[2])) &&
	       (args[3] == args[1] || args[3] == args[2]);
}

static inline bool allows(const struct entries *entries,
                          const struct action *action)
{
	const uint8_t *args = action->args;

	if (action->seat != entries->seat)
		return false;
	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *entry = &entries->list[i];

		if (entry->verb != action->verb)
			continue;
		if (entry->verb == VERB_PASS)
			return true;
		if (entry->card != args[0])
			continue;
		if (entry->verb == VERB_SWAP)
			return allows_swap(entry, args);
		if (entry->verb == VERB_THREATEN)
			return args[1] <= CARDS && args[2] >= 1 &&
			       args[2] <= entry->target_max[args[1]];
		return entry->verb == VERB_REFILL || allows_take(entry, args);
	}
	return false;
}

/* --- the view ------------------------------------------------------------- */

static inline bool is_null_or(struct json_c_object *json, unsigned number)
{
	return number ? number_of(json) == number : !json;
}

static inline void expect_set(struct json_c_object *json,
                              const struct notes *notes, unsigned place)
{
	uint64_t set = set_of(json);

	for (unsigned i = 1; i <= CARDS; i++)
		CHECK(has(set, i) == (notes->place[i] == place));
}

static inline void expect_street(struct json_c_object *json,
                                 const struct notes *notes)
{
	CHECK(json_object_array_length(json) == notes->street_count);
	for (unsigned i = 0; i < notes->street_count; i++) {
		struct json_c_object *item = json_object_array_get_idx(json, i);
		unsigned card = notes->street[i];

		CHECK(card_of(member(item, "card")) == card);
		CHECK(number_of(member(item, "rank")) == printed[card].rank);
		CHECK(number_of(member(item, "effective_rank")) ==
		      rank_now(notes, card));
	}
}

/* What the contract says is open, whatever the hands. */
static inline void expect_steps(struct json_c_object *json,
                                const struct notes *notes)
{
	static const uint8_t nobody[ACTION_ARGS_MAX];
	const char *steps[4];
	size_t count = 0;

	if (!notes->is_over) {
		if (judge_refill(notes, nobody) == ERR_NOT_IN_STREET)
			steps[count++] = "refill";
		if (!notes->accountant && !notes->brute)
			steps[count++] = "accountant";
		if (!notes->brute)
			steps[count++] = "brute";
		steps[count++] = "take";
	}
	CHECK(json_object_array_length(json) == count);
	for (size_t i = 0; i < count; i++)
		CHECK(is_text(json_object_array_get_idx(json, i), steps[i]));
}

static inline void expect_list(struct json_c_object *json, const uint8_t *cards)
{
	size_t count = json_object_array_length(json);

	CHECK(count <= 4 && (count == 4 || !cards[count]));
	for (size_t i = 0; i < count; i++)
		CHECK(card_of(json_object_array_get_idx(json, i)) == cards[i]);
}

static inline void expect_played(struct json_c_object *json,
                                 const struct notes *notes)
{
	struct json_c_object *accountant = member(json, "accountant");
	struct json_c_object *brute = member(json, "brute");

	CHECK(number_of(member(json, "refills")) == notes->refills);
	CHECK(!accountant == !notes->accountant);
	CHECK(!brute == !notes->brute);
	if (accountant) {
		CHECK(card_of(member(accountant, "card")) == notes->accountant);
		expect_list(member(accountant, "give"), notes->given);
		expect_list(member(accountant, "take"), notes->taken);
	}
	if (brute) {
		CHECK(card_of(member(brute, "card")) == notes->brute);
		CHECK(card_of(member(brute, "target")) == notes->target);
		CHECK(number_of(member(brute, "by")) == notes->by);
	}
}

static inline void expect_result(struct json_c_object *json,
                                 const struct notes *notes)
{
	static const char *const decided[] = { NULL, "points", "single_card" };
	struct json_c_object *by;

	CHECK(!json == !notes->is_over);
	if (!json)
		return;
	by = member(json, "decided_by");
	CHECK(is_text(member(json, "reason"), notes->forfeiter ? "forfeited"
	                                      : notes->ended_early
	                                              ? "both_passed"
	                                              : "last_round"));
	CHECK(is_null_or(member(json, "winner"), notes->winner));
	CHECK(notes->decided ? is_text(by, decided[notes->decided]) : !by);
	if (notes->forfeiter) {
		CHECK(json_object_array_length(member(json, "scores")) == 0);
		return;
	}
	for (unsigned seat = 1; seat <= 2; seat++) {
		struct json_c_object *score =
			json_object_array_get_idx(member(json, "scores"),
		                                  seat - 1);

		CHECK(number_of(member(score, "seat")) == seat);
		CHECK(number_of(member(score, "points")) ==
		      notes->points[seat]);
		expect_set(member(score, "hand"), notes, seat);
	}
}

static inline void expect_table(struct json_c_object *json,
                                const struct notes *notes)
{
	CHECK(number_of(member(json, "turn")) == notes->turn);
	CHECK(number_of(member(json, "round")) == (notes->turn + 1) / 2);
	CHECK(number_of(member(json, "starting_seat")) == notes->starter);
	CHECK(is_null_or(member(json, "seat_to_move"),
	                 notes->is_over ? 0 : mover_of(notes)));
	CHECK(number_of(member(json, "draw_pile")) == pile_of(notes));
	CHECK(number_of(member(json, "discard_pile")) ==
	      count_at(notes, AMONG_DISCARDS));
	CHECK(json_object_get_boolean(member(json, "second_pass")) ==
	      notes->second_pass);
	CHECK(is_null_or(member(json, "last_turn"), notes->last_turn));
	CHECK(json_object_get_boolean(member(json, "previous_turn_passed")) ==
	      notes->passed);
	expect_steps(member(json, "open_steps"), notes);
	expect_played(member(json, "played"), notes);
	expect_street(member(json, "street"), notes);
	expect_result(member(json, "result"), notes);
	for (unsigned seat = 1; seat <= 2; seat++) {
		struct json_c_object *side =
			json_object_array_get_idx(member(json, "sides"),
		                                  seat - 1);

		CHECK(number_of(member(side, "hand")) == count_at(notes, seat));
		expect_set(member(side, "display"), notes, seat + 2);
	}
}

#endif
