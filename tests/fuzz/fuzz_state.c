/*
 * fuzz_state.c - what is read back from the database: states of games, what
 * was kept to decide again, and events.
 *
 * Bytes that begin with a format are a state or something sealed; others are
 * an event.  Bytes that are a state already are mostly changed by playing on,
 * since a deck in which each card is once is not met by chance.
 */
#include "fuzz.h"

#include "../sim/view_text.h"
#include "gang/challenge.h"
#include "gang/gang.h"
#include "gang/print.h"
#include "gang/ruleset.h"
#include "gang/view.h"
#include "service/handler.h"
#include "service/sealed.h"

enum { JSON_MAX = 16 * 1024, EVENT_HEAD = 5, MOVES_MAX = 6 };

static char json[JSON_MAX];

static struct chance chance_of(uint32_t number)
{
	uint8_t seed[CHANCE_SEED_SIZE] = { 0 };
	struct chance chance;

	memcpy(seed, &number, sizeof(number));
	chance_init(&chance, seed);
	return chance;
}

/* --- playing on ------------------------------------------------------------
 */

static unsigned below(uint32_t *random, unsigned count)
{
	*random = *random * 1664525U + 1013904223U;
	return (*random >> 16) % count;
}

/* A game of any mode, with stacks that lie as the chance says. */
static void begin_anew(struct gang *gang, uint32_t *random)
{
	size_t count;
	const struct mode *modes = mode_list(&count);
	struct options options = {
		.mode = modes[below(random, (unsigned)count)].number,
		.shuffled_stacks = below(random, 4) > 0,
	};
	struct chance chance = chance_of(*random);
	struct events events = { .count = 0 };

	assert(gang_init(gang, &options));
	gang_start(gang, GANG_PLAYERS_MIN + below(random, 4), &chance, &events);
}

static void move(struct gang *gang, uint32_t *random)
{
	struct events events = { .count = 0 };
	struct chance chance = chance_of(*random);
	struct gang_view view;

	if (gang->players == 0 || below(random, 64) == 0) {
		begin_anew(gang, random);
		return;
	}
	gang_view(gang, 1 + below(random, gang->players), &view);
	if (view.legal_count == 0)
		return;
	const struct action *action =
		&view.legal[below(random, (unsigned)view.legal_count)];
	assert(gang_act(gang, action, &chance, &events) == ERR_OK);
}

static void try(struct gang *gang, const struct action *action)
{
	struct events events = { .count = 0 };
	struct chance chance = chance_of(0);

	if (gang_check(gang, action) == ERR_OK)
		assert(gang_act(gang, action, &chance, &events) == ERR_OK);
}

/*
 * One chip less in the centre with each move, what is proposed is agreed to,
 * and all answer the same: it soon comes to what moves at random never would.
 */
static void settle(struct gang *gang, uint32_t *random)
{
	const struct heist *heist = &gang->heist;

	for (unsigned seat = 1; seat <= gang->players; seat++) {
		if (!(heist_waiting_for(heist) >> seat & 1))
			continue;
		struct action action = { .verb = VERB_VOTE,
			                 .seat = (uint8_t)seat,
			                 .args = { [ARG_AGREES] = true } };
		try(gang, &action);
		action.verb = VERB_ANSWER;
		action.args[ARG_ANSWER] = 1;
		for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
			unsigned asking =
				showdown_asking(heist->plan.challenges, i);
			action.args[ARG_QUESTION] = (uint8_t)asking;
			try(gang, &action);
		}
		if (chips_held(&heist->chips[heist_color(heist)], seat))
			continue;
		action.verb = VERB_TAKE;
		action.args[ARG_COLOR] = (uint8_t)heist_color(heist);
		action.args[ARG_STARS] =
			(uint8_t)(1 + below(random, gang->players));
		action.args[ARG_FROM] = CHIP_FROM_ANYWHERE;
		try(gang, &action);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint32_t random = seed;
	struct gang gang;

	if (below(&random, 2) || !gang_decode(&gang, data, size))
		return LLVMFuzzerMutate(data, size, max);
	for (unsigned moves = 1 + below(&random, MOVES_MAX); moves; moves--) {
		if (gang.players && below(&random, 2))
			settle(&gang, &random);
		else
			move(&gang, &random);
	}
	size_t len = gang_encode(&gang, bytes);
	if (len > max)
		return size;
	memcpy(data, bytes, len);
	return len;
}

/* --- a state ---------------------------------------------------------------
 */

/* It is written as just these bytes, if they are of the newest format. */
static void check_bytes(const struct gang *gang, const uint8_t *data,
                        size_t size)
{
	uint8_t bytes[RULESET_STATE_MAX];

	assert(gang_valid(gang));
	size_t len = gang_ruleset.encode(gang, bytes);
	if (bytes[0] != data[0])
		return;
	assert(len == size);
	assert(memcmp(bytes, data, size) == 0);
}

static void check_printed(const struct gang_view *view)
{
	size_t len = view_text(view, json, sizeof(json));

	assert(len > 0);
	fuzz_assert_json(json, len);
}

/* Heists that are over, which lie open. */
static void check_records(const struct gang_view *view)
{
	for (unsigned number = 1; number <= view->records_count; number++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		gang_print_record(gang_view_record(view, number), &out);
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

static bool is_revealed(const struct gang_view *view, unsigned seat)
{
	const struct showdown *showdown = &view->showdown;

	for (unsigned i = 0; i < showdown->reveals_count; i++) {
		if (showdown->reveals[i].seat == seat)
			return true;
	}
	return false;
}

/*
 * The own hand always, others' when they are revealed: all but one while that
 * is asked about.  A lobby has only seats.
 */
static void check_hands(const struct gang_view *view)
{
	unsigned first = view->players ? 1 : view->seat;
	unsigned last = view->players ? view->players : view->seat;
	unsigned revealed = 0;

	if (view->players && view->phase == PHASE_OVER)
		revealed = view->players;
	else if (view->players && view->phase == PHASE_ANSWERING)
		revealed = view->players - 1U;
	assert(view->showdown.reveals_count == revealed);
	for (unsigned seat = first; seat && seat <= last; seat++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		json_object(&out);
		bool shown = gang_ruleset.print_hand(view, seat, &out);
		json_object_end(&out);
		assert(shown ==
		       (seat == view->seat || is_revealed(view, seat)));
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

/* What is offered succeeds, and leaves a state that can be kept. */
static void check_offered(const struct gang *gang, const struct action *action)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct events events = { .count = 0 };
	struct chance chance = chance_of(0);
	struct gang next = *gang;
	struct gang again;

	assert(gang_ruleset.act(&next, action, &chance, &events) == ERR_OK);
	assert(events.count > 0);
	size_t len = gang_ruleset.encode(&next, bytes);
	assert(gang_ruleset.decode(&again, bytes, len));
	check_bytes(&again, bytes, len);
}

/* An action from anywhere: done, or refused without a trace. */
static void check_any(const struct gang *gang, const struct action *action)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct events events = { .count = 0 };
	struct chance chance = chance_of(0);
	struct gang next = *gang;
	size_t len = gang_ruleset.encode(gang, bytes);

	enum err err = gang_ruleset.act(&next, action, &chance, &events);
	if (err == ERR_OK)
		assert(gang_valid(&next) && events.count > 0);
	else
		check_bytes(&next, bytes, len);
	if (err == ERR_INVALID)
		assert(gang_ruleset.fault(gang, action).member);
}

/* Views of everybody; one of them, which the bytes choose, is gone through. */
static void check_views(const struct gang *gang, uint32_t hash)
{
	unsigned viewers = gang->players ? gang->players : GANG_PLAYERS_MAX;
	struct gang_view view;

	for (unsigned seat = 0; seat <= viewers; seat++) {
		gang_ruleset.view(gang, seat, &view);
		assert(view.seat == seat && view.players == gang->players);
		assert(seat || !gang->players || !view.pocket.count);
		assert(!view.records_count ||
		       gang_view_record(&view, view.records_count));
	}
	gang_ruleset.view(gang, hash % (viewers + 1), &view);
	check_printed(&view);
	check_hands(&view);
	check_records(&view);
	if (view.legal_count)
		check_offered(gang, &view.legal[hash / 8 % view.legal_count]);
}

static void check_state(const struct gang *gang, const uint8_t *data,
                        size_t size)
{
	uint32_t hash = fuzz_hash(data, size);
	struct action action = { .verb = (uint8_t)(VERB_OF_RULESET + hash % 8),
		                 .seat = (uint8_t)(hash / 8 % 8),
		                 .args = { (uint8_t)(hash / 64 % 5),
		                           (uint8_t)(hash / 320 % 8),
		                           (uint8_t)(hash / 2560 % 15) } };

	/* Cards and what stands for none are any bytes. */
	if (action.verb == VERB_CHOOSE)
		action.args[ARG_CARD] = (uint8_t)(hash / 64);
	check_bytes(gang, data, size);
	check_views(gang, hash);
	if (gang->players)
		check_any(gang, &action);
}

/* --- what else is kept -----------------------------------------------------
 */

/* Somebody may have damaged the log whose actions are decided again. */
static void check_sealed(const uint8_t *data, size_t size)
{
	static struct gang gang;
	uint8_t bytes[SEALED_MAX];
	struct action action;
	struct action again;
	struct chance chance;
	bool has_seed;
	bool had_seed;

	if (!sealed_read(data, size, &action, &chance, &has_seed))
		return;
	chance.used = has_seed;
	size_t len = sealed_write(&action, &chance, bytes);
	assert(sealed_read(bytes, len, &again, &chance, &had_seed));
	assert(memcmp(&again, &action, sizeof(action)) == 0);
	assert(had_seed == has_seed);
	if (gang.players == 0) {
		struct options options = { .mode = GANG_MODE_PROFESSIONAL };
		struct events events = { .count = 0 };
		struct chance zeros = chance_of(0);
		assert(gang_init(&gang, &options));
		gang_start(&gang, 4, &zeros, &events);
	}
	check_any(&gang, &action);
}

/* The events of a log, for whoever looks. */
static void check_event(const uint8_t *data, size_t size)
{
	struct event event = { .type = data[0] };

	if (size < EVENT_HEAD || !gang_ruleset.event_type(event.type))
		return;
	event.seat = data[1];
	event.heist = data[2];
	event.color = data[3];
	event.open_len = data[4] % (EVENT_OPEN_MAX + 1);
	size -= EVENT_HEAD;
	if (event.open_len > size)
		event.open_len = (uint8_t)size;
	memcpy(event.open, data + EVENT_HEAD, event.open_len);
	size -= event.open_len;
	event.secret_len =
		(uint8_t)(size < EVENT_SECRET_MAX ? size : EVENT_SECRET_MAX);
	memcpy(event.secret, data + EVENT_HEAD + event.open_len,
	       event.secret_len);
	for (unsigned seat = 0; seat <= TABLE_SEATS_MAX; seat++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		json_object(&out);
		gang_ruleset.print_event(&event, seat, &out);
		json_object_end(&out);
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gang gang;

	if (gang_ruleset.decode(&gang, data, size))
		check_state(&gang, data, size);
	check_sealed(data, size);
	if (size)
		check_event(data, size);
	return 0;
}
