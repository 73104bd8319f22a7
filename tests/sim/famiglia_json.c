/*
 * famiglia_json.c - reads views and legal actions of Famiglia by the contract.
 *
 * A view is compared with the reference model, member by member.  An element of
 * "legal_actions" is kept as a struct entry: its fixed arguments, and the sets
 * that its "choose" offers.  An action is allowed if an entry has its verb and
 * its card and each of its arguments is in the right set.
 */
#include "famiglia_json.h"

#include "famiglia_expected_error.h"

/* --- reading -------------------------------------------------------------- */

unsigned json_number(struct json_c_object *json)
{
	CHECK(json_object_is_type(json, json_type_int));
	return (unsigned)json_object_get_int(json);
}

static bool json_is_text(struct json_c_object *json, const char *text)
{
	return strcmp(json_object_get_string(json), text) == 0;
}

static unsigned json_card(struct json_c_object *json)
{
	unsigned card = 1;

	while (card <= CARDS && !json_is_text(json, fam_printed[card].text))
		card++;
	CHECK(card <= CARDS);
	return card;
}

/* A list without duplicates. */
static uint64_t json_cards(struct json_c_object *json)
{
	uint64_t set = 0;

	for (size_t i = 0; i < json_object_array_length(json); i++) {
		uint64_t bit = UINT64_C(1)
		               << json_card(json_object_array_get_idx(json, i));

		CHECK(!(set & bit));
		set |= bit;
	}
	return set;
}

/* So many different ones of the options. */
static uint64_t read_some(struct json_c_object *choose, const char *name,
                          unsigned *count)
{
	struct json_c_object *form =
		json_form(json_member(choose, name), "some_of");

	*count = json_number(json_member(form, "least"));
	CHECK(*count >= 1 && json_number(json_member(form, "most")) == *count);
	CHECK(json_object_get_boolean(json_member(form, "distinct")));
	uint64_t set = json_cards(json_member(form, "options"));
	CHECK(gangsters_count(set) >= *count);
	return set;
}

static void read_swap(struct entry *entry, struct json_c_object *choose)
{
	unsigned taken;

	CHECK(json_object_object_length(choose) == 2);
	entry->give = read_some(choose, "give", &entry->count);
	entry->take = read_some(choose, "take", &taken);
	CHECK(entry->count == taken);
}

static void read_threat(struct entry *entry, struct json_c_object *choose)
{
	struct json_c_object *form =
		json_form(json_member(choose, "by"), "range");
	struct json_c_object *targets =
		json_form(json_member(choose, "target"), "one_of");

	CHECK(json_object_object_length(choose) == 2);
	entry->targets = json_cards(json_member(targets, "options"));
	CHECK(entry->targets);
	CHECK(json_number(json_member(form, "least")) == 1);
	entry->by_max = json_number(json_member(form, "most"));
	CHECK(entry->by_max >= 1);
}

/* The kept card, and in pairs with it each card that can be shown with it. */
static void read_payment(struct entry *entry, struct json_c_object *body,
                         struct json_c_object *choose)
{
	struct json_c_object *form =
		json_form(json_member(choose, "pay"), "one_of");
	struct json_c_object *pairs = json_member(form, "options");

	CHECK(json_object_object_length(choose) == 1);
	entry->keep = json_card(json_member(body, "keep"));
	CHECK(json_object_array_length(pairs) > 0);
	for (size_t i = 0; i < json_object_array_length(pairs); i++) {
		struct json_c_object *pair =
			json_object_array_get_idx(pairs, i);
		CHECK(json_object_array_length(pair) == 2);
		unsigned first = json_card(json_object_array_get_idx(pair, 0));
		unsigned other = json_card(json_object_array_get_idx(pair, 1));

		CHECK(first == entry->keep && other != first);
		CHECK(!(entry->others >> other & 1));
		entry->others |= UINT64_C(1) << other;
	}
}

static void read_entry(struct entry *entry, struct json_c_object *json)
{
	static const char *const names[] = { "refill", "accountant", "brute",
		                             "take", "pass" };
	const char *href = json_object_get_string(json_member(json, "href"));
	struct json_c_object *body = json_member(json, "body");
	struct json_c_object *choose = json_member(json, "choose");
	int members = 1;

	memset(entry, 0, sizeof(*entry));
	json_expect_command(json);
	CHECK(json_is_text(json_member(json, "method"), "POST"));
	CHECK(strncmp(href, FAM_JSON_PATH "/turn/",
	              strlen(FAM_JSON_PATH "/turn/")) == 0);
	href += strlen(FAM_JSON_PATH "/turn/");
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(href, names[i]) == 0)
			entry->verb = VERB_OF_RULESET + i;
	}
	CHECK(json_is_text(json_member(json, "action"), href));
	if (entry->verb != VERB_PASS)
		entry->card = json_card(json_member(body, "card"));
	else
		members = 0;
	if (entry->verb == VERB_SWAP) {
		read_swap(entry, choose);
	} else if (entry->verb == VERB_THREATEN) {
		read_threat(entry, choose);
	} else if (entry->verb == VERB_TAKE && choose) {
		read_payment(entry, body, choose);
		members = 2;
	} else {
		CHECK(!choose);
	}
	CHECK(json_object_object_length(body) == members);
}

void entries_read(struct entries *entries, struct json_c_object *json)
{
	entries->count = json_object_array_length(json);
	CHECK(entries->count <= ENTRIES_MAX);
	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *one = &entries->list[i];

		read_entry(&entries->list[i],
		           json_object_array_get_idx(json, i));
		for (size_t j = 0; j < i; j++) {
			const struct entry *other = &entries->list[j];

			CHECK(one->verb != other->verb ||
			      one->card != other->card ||
			      one->count != other->count ||
			      (one->targets | other->targets) !=
			              (one->targets & other->targets) ||
			      one->keep != other->keep);
		}
	}
}

/* --- what they allow ------------------------------------------------------ */

bool cards_have(uint64_t set, unsigned card)
{
	return set >> card & 1;
}

static bool allows_swap(const struct entry *entry, const uint8_t *args)
{
	if (entry->count != famiglia_cards_count(args + 1) ||
	    entry->count != famiglia_cards_count(args + 5))
		return false;
	for (unsigned i = 0; i < entry->count; i++) {
		if (!cards_have(entry->give, args[1 + i]) ||
		    !cards_have(entry->take, args[5 + i]))
			return false;
	}
	return true;
}

/* The order of the two shown cards does not matter. */
static bool allows_take(const struct entry *entry, const uint8_t *args)
{
	if (!entry->keep)
		return !args[1] && !args[2] && !args[3];
	unsigned other = args[1] == entry->keep ? args[2] : args[1];

	return args[3] == entry->keep && other <= CARDS &&
	       (args[1] == entry->keep || args[2] == entry->keep) &&
	       cards_have(entry->others, other);
}

static bool allows(const struct entry *entry, const struct action *action)
{
	const uint8_t *args = action->args;

	if (entry->verb != action->verb)
		return false;
	if (entry->verb == VERB_PASS)
		return true;
	if (entry->card != args[0])
		return false;
	if (entry->verb == VERB_SWAP)
		return allows_swap(entry, args);
	if (entry->verb == VERB_THREATEN)
		return args[1] <= CARDS &&
		       cards_have(entry->targets, args[1]) && args[2] >= 1 &&
		       args[2] <= entry->by_max;
	return entry->verb == VERB_REFILL || allows_take(entry, args);
}

bool entries_allow(const struct entries *entries, const struct action *action)
{
	unsigned found = 0;

	for (size_t i = 0; i < entries->count; i++)
		found += allows(&entries->list[i], action);
	CHECK(found <= 1);
	return action->seat == entries->seat && found;
}

/* --- the view ------------------------------------------------------------- */

static bool is_null_or(struct json_c_object *json, unsigned number)
{
	return number ? json_number(json) == number : !json;
}

void fam_json_expect_cards(struct json_c_object *json,
                           const struct fam_model *model, unsigned place)
{
	uint64_t set = json_cards(json);

	for (unsigned i = 1; i <= CARDS; i++)
		CHECK(cards_have(set, i) == (model->place[i] == place));
}

static void expect_street(struct json_c_object *json,
                          const struct fam_model *model)
{
	CHECK(json_object_array_length(json) == model->street_count);
	for (unsigned i = 0; i < model->street_count; i++) {
		struct json_c_object *item = json_object_array_get_idx(json, i);
		unsigned card = model->street[i];

		CHECK(json_card(json_member(item, "card")) == card);
		CHECK(json_number(json_member(item, "rank")) ==
		      fam_printed[card].rank);
		CHECK(json_number(json_member(item, "effective_rank")) ==
		      fam_model_rank(model, card));
	}
}

/* The steps that the contract says are open, whatever the hands. */
static void expect_steps(struct json_c_object *json,
                         const struct fam_model *model)
{
	static const uint8_t nobody[ACTION_ARGS_MAX];
	const char *steps[4];
	size_t count = 0;

	if (!model->is_over) {
		if (expected_refill_error(model, nobody) == ERR_NOT_IN_STREET)
			steps[count++] = "refill";
		if (!model->accountant && !model->brute)
			steps[count++] = "accountant";
		if (!model->brute)
			steps[count++] = "brute";
		steps[count++] = "take";
	}
	CHECK(json_object_array_length(json) == count);
	for (size_t i = 0; i < count; i++)
		CHECK(json_is_text(json_object_array_get_idx(json, i),
		                   steps[i]));
}

static void expect_list(struct json_c_object *json, const uint8_t *cards)
{
	size_t count = json_object_array_length(json);

	CHECK(count <= 4 && (count == 4 || !cards[count]));
	for (size_t i = 0; i < count; i++)
		CHECK(json_card(json_object_array_get_idx(json, i)) ==
		      cards[i]);
}

static void expect_played(struct json_c_object *json,
                          const struct fam_model *model)
{
	struct json_c_object *accountant = json_member(json, "accountant");
	struct json_c_object *brute = json_member(json, "brute");

	CHECK(json_number(json_member(json, "refills")) == model->refills);
	CHECK(!accountant == !model->accountant);
	CHECK(!brute == !model->brute);
	if (accountant) {
		CHECK(json_card(json_member(accountant, "card")) ==
		      model->accountant);
		expect_list(json_member(accountant, "give"), model->given);
		expect_list(json_member(accountant, "take"), model->taken);
	}
	if (brute) {
		CHECK(json_card(json_member(brute, "card")) == model->brute);
		CHECK(json_card(json_member(brute, "target")) == model->target);
		CHECK(json_number(json_member(brute, "by")) == model->by);
	}
}

static void expect_result(struct json_c_object *json,
                          const struct fam_model *model)
{
	static const char *const decided[] = { NULL, "points", "single_card" };
	struct json_c_object *by;

	CHECK(!json == !model->is_over);
	if (!json)
		return;
	by = json_member(json, "decided_by");
	CHECK(json_is_text(json_member(json, "reason"),
	                   model->forfeiter     ? "forfeited"
	                   : model->ended_early ? "both_passed"
	                                        : "last_round"));
	CHECK(is_null_or(json_member(json, "winner"), model->winner));
	CHECK(model->decided ? json_is_text(by, decided[model->decided]) : !by);
	if (model->forfeiter) {
		CHECK(json_object_array_length(json_member(json, "scores")) ==
		      0);
		return;
	}
	for (unsigned seat = 1; seat <= 2; seat++) {
		struct json_c_object *score =
			json_object_array_get_idx(json_member(json, "scores"),
		                                  seat - 1);

		CHECK(json_number(json_member(score, "seat")) == seat);
		CHECK(json_number(json_member(score, "points")) ==
		      model->points[seat]);
		fam_json_expect_cards(json_member(score, "hand"), model, seat);
	}
}

void fam_json_expect_table(struct json_c_object *json,
                           const struct fam_model *model)
{
	CHECK(json_number(json_member(json, "turn")) == model->turn);
	CHECK(json_number(json_member(json, "round")) == (model->turn + 1) / 2);
	CHECK(json_number(json_member(json, "starting_seat")) ==
	      model->starter);
	CHECK(is_null_or(json_member(json, "seat_to_move"),
	                 model->is_over ? 0 : fam_model_mover(model)));
	CHECK(json_number(json_member(json, "draw_pile")) ==
	      fam_model_pile(model));
	CHECK(json_number(json_member(json, "discard_pile")) ==
	      fam_model_count(model, AMONG_DISCARDS));
	CHECK(json_object_get_boolean(json_member(json, "second_pass")) ==
	      model->second_pass);
	CHECK(is_null_or(json_member(json, "last_turn"), model->last_turn));
	CHECK(json_object_get_boolean(json_member(
		      json, "previous_turn_passed")) == model->passed);
	expect_steps(json_member(json, "open_steps"), model);
	expect_played(json_member(json, "played"), model);
	expect_street(json_member(json, "street"), model);
	expect_result(json_member(json, "result"), model);
	for (unsigned seat = 1; seat <= 2; seat++) {
		struct json_c_object *side =
			json_object_array_get_idx(json_member(json, "sides"),
		                                  seat - 1);

		CHECK(json_number(json_member(side, "hand")) ==
		      fam_model_count(model, seat));
		fam_json_expect_cards(json_member(side, "display"), model,
		                      seat + 2);
	}
}
