/*
 * fuzz_state.c - bytes that are read back from the database: states of games,
 * replay data, and events.
 *
 * Bytes that begin with a format are a state or replay data; others are an
 * event.  A valid state is mostly changed by playing on, since random bytes
 * hardly ever make a deck with each card once.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../sim/gang_view_text.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/gang_print.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/gang_view.h"
#include "table/table.h"
#include "service/handler.h"
#include "service/replay_data.h"

enum { JSON_MAX = 16 * 1024, EVENT_HEAD = 5, MOVES_MAX = 6, ACTIONS = 4 };

static char json[JSON_MAX];

static struct rng chance_of(uint32_t number)
{
	uint8_t seed[RNG_SEED_SIZE] = { 0 };
	struct rng rng;

	memcpy(seed, &number, sizeof(number));
	rng_init(&rng, seed);
	return rng;
}

/* --- playing on ----------------------------------------------------------- */

static unsigned below(uint32_t *random, unsigned count)
{
	*random = *random * 1664525U + 1013904223U;
	return (*random >> 16) % count;
}

/* Some other cards out of a stack for those in play. */
static uint16_t exchange(struct stack *stack, uint16_t of, uint16_t in_play,
                         unsigned count, struct rng *rng)
{
	uint16_t set = 0;

	stack_put_under(stack, in_play);
	for (unsigned i = 0; i < count && of; i++)
		set |= (uint16_t)(1U << stack_draw_any(
					  stack, of & (uint16_t)~set, rng));
	return set;
}

/* Deal the present heist anew, with some of the mode's cards. */
static void deal_redraw_pocket(struct gang *gang, uint32_t *random)
{
	struct events events = { .count = 0 };
	struct rng rng = chance_of(*random);
	const struct mode *mode = gang_mode_get(gang->mode);
	struct heist_setup setup = gang->heist.setup;
	uint16_t specialist =
		(uint16_t)(setup.specialist ? 1U << setup.specialist : 0);

	if (gang->heist.outcome != OUTCOME_OPEN)
		return;
	setup.challenges = exchange(&gang->challenges, mode->challenges,
	                            setup.challenges, below(random, 4), &rng);
	setup.permanent = below(random, 2) ? setup.challenges : 0;
	specialist = exchange(&gang->specialists, mode->specialists, specialist,
	                      below(random, 2), &rng);
	setup.specialist = specialist ? (uint8_t)__builtin_ctz(specialist) : 0;
	rounds_start(&gang->heist, &setup, &rng, &events);
}

/* Another game: of any mode, a first one or one with the stacks as they lie. */
static void begin(struct gang *gang, uint32_t *random)
{
	struct options options = { .bytes[GANG_OPTION_MODE] =
		                           (uint8_t)(1 + below(random, 4)),
		                   .bytes[GANG_OPTION_SHUFFLED] =
		                           (uint8_t)below(random, 2) };
	struct gang before = *gang;

	bool is_begun = before.players && below(random, 2)
	                        ? gang_start_rematch(gang, &before, NULL)
	                        : gang_init(gang, &options);
	if (!is_begun)
		abort();
}

static void move(struct gang *gang, uint32_t *random)
{
	struct events events = { .count = 0 };
	struct rng rng = chance_of(*random);
	struct gang_view view;

	if (below(random, 32) == 0)
		begin(gang, random);
	if (gang->players == 0) {
		gang_start(gang, GANG_PLAYERS_MIN + below(random, 4), &rng,
		           &events);
		return;
	}
	if (below(random, 16) == 0)
		deal_redraw_pocket(gang, random);
	gang_view(gang, 1 + below(random, gang->players), &view);
	if (view.legal_count == 0)
		return;
	const struct action *action =
		&view.legal[below(random, (unsigned)view.legal_count)];
	assert(gang_apply(gang, action, &rng, &events) == ERR_OK);
}

/*
 * One chip less in the centre with each move: it soon comes to the showdown,
 * which moves at random never would.
 */
static void settle(struct gang *gang, uint32_t *random)
{
	struct events events = { .count = 0 };
	struct rng rng = chance_of(0);
	struct heist *heist = &gang->heist;

	for (unsigned seat = 1; seat <= gang->players; seat++) {
		struct action take = { .verb = VERB_TAKE,
			               .seat = (uint8_t)seat };
		if (gang_status(gang) != STATUS_PLAYING ||
		    heist->outcome != OUTCOME_OPEN)
			return;
		take.args[ARG_COLOR] = (uint8_t)(heist->round - 1);
		take.args[ARG_STARS] =
			(uint8_t)(1 + below(random, gang->players));
		if (!(rounds_waiting_for(heist) >> seat & 1))
			continue;
		if (gang_check(gang, &take) == ERR_OK)
			assert(gang_apply(gang, &take, &rng, &events) ==
			       ERR_OK);
	}
}

/* The format that is written, which ends with a checksum. */
enum { FORMAT_STATE = 6 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint32_t random = seed;
	struct gang gang;

	if (below(&random, 2) ||
	    !gang_decode(&gang, fuzz_seal(data, size, FORMAT_STATE), size))
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

/* --- a state -------------------------------------------------------------- */

/* The first format of replay data. */
enum { FORMAT_FIRST = 1 };

/* A state of an older format reads as the same game as its newest form. */
static void check_old_bytes(const struct gang *gang)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	struct gang read;
	size_t len = gang_ruleset.encode(gang, bytes);

	assert(gang_valid(gang) && bytes[0] == FORMAT_STATE);
	assert(gang_ruleset.decode(&read, bytes, len));
	assert(gang_ruleset.encode(&read, again) == len);
	assert(memcmp(bytes, again, len) == 0);
}

/* The state is encoded as the same bytes. */
static void check_bytes(const struct gang *gang, const uint8_t *data,
                        size_t size)
{
	uint8_t bytes[RULESET_STATE_MAX];

	assert(gang_valid(gang));
	assert(gang_ruleset.encode(gang, bytes) == size);
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
	for (unsigned number = 1; number <= view->summaries_count; number++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		gang_print_summary(gang_view_summary(view, number), &out);
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

/* True for the own hand always, for others' when they have been revealed. */
static bool sees_hand(const struct gang_view *view, unsigned seat)
{
	for (unsigned i = 0; i < view->showdown.reveals_count; i++) {
		if (view->showdown.reveals[i].seat == seat)
			return true;
	}
	return seat == view->seat;
}

/* A lobby has only seats. */
static void check_hands(const struct gang_view *view)
{
	unsigned first = view->players ? 1 : view->seat;
	unsigned last = view->players ? view->players : view->seat;

	for (unsigned seat = first; seat && seat <= last; seat++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		json_object(&out);
		bool shown = gang_ruleset.print_hand(view, seat, &out);
		json_object_end(&out);
		assert(shown == sees_hand(view, seat));
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

/* An offered action succeeds, and leaves a state that can be encoded. */
static void check_offered(const struct gang *gang, const struct action *action)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct events events = { .count = 0 };
	struct rng rng = chance_of(0);
	struct gang next = *gang;
	struct gang again;

	assert(gang_ruleset.apply(&next, action, &rng, &events) == ERR_OK);
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
	struct rng rng = chance_of(0);
	struct gang next = *gang;
	size_t len = gang_ruleset.encode(gang, bytes);

	if (gang_ruleset.apply(&next, action, &rng, &events) == ERR_OK)
		assert(gang_valid(&next) && events.count > 0);
	else
		check_bytes(&next, bytes, len);
}

/* Check every viewer's view, and print the one that the bytes choose. */
static void check_views(const struct gang *gang, uint32_t hash)
{
	unsigned viewers = gang->players ? gang->players : GANG_PLAYERS_MAX;
	struct gang_view view;
	struct showdown showdown;

	for (unsigned seat = 0; seat <= viewers; seat++) {
		gang_ruleset.view(gang, seat, &view);
		assert(view.seat == seat && view.players == gang->players);
		assert(seat || !gang->players || !view.pocket.count);
		assert(!view.summaries_count ||
		       gang_view_showdown(&view, &showdown));
	}
	gang_ruleset.view(gang, hash % (viewers + 1), &view);
	check_printed(&view);
	check_hands(&view);
	check_records(&view);
	if (view.legal_count)
		check_offered(gang, &view.legal[hash / 8 % view.legal_count]);
}

/* An action that the bytes choose, mostly with a valid seat and arguments. */
static struct action any_action(uint32_t *random)
{
	struct action action = {
		.verb = (uint8_t)(VERB_OF_RULESET + below(random, 8)),
		.seat = (uint8_t)below(random, 8),
	};
	static const unsigned most[] = { 1, 1, 7, 7, 16, 16, 64, 256 };

	for (unsigned i = 0; i < 3; i++)
		action.args[i] = (uint8_t)below(random, most[below(random, 8)]);
	return action;
}

static void check_state(const struct gang *gang, const uint8_t *data,
                        size_t size)
{
	uint32_t hash = fuzz_hash(data, size);

	if (data[0] != FORMAT_STATE)
		check_old_bytes(gang);
	else
		check_bytes(gang, data, size);
	check_views(gang, hash);
	for (unsigned i = 0; gang->players && i < ACTIONS; i++) {
		struct action action = any_action(&hash);

		check_any(gang, &action);
	}
}

/* --- replay data and events ----------------------------------------------- */

/* A table as the log of a game begins with, or one where much has happened. */
static void take_table(struct table *table, struct gang *gang, bool is_new)
{
	static struct gang played;

	if (played.players == 0) {
		struct options options = { .bytes[GANG_OPTION_MODE] =
			                           GANG_MODE_ADVANCED };
		struct events events = { .count = 0 };
		struct rng zeros = chance_of(0);

		if (!gang_init(&played, &options))
			abort();
		gang_start(&played, 4, &zeros, &events);
	}
	*table = (struct table){ .rules = &gang_ruleset, .state = gang };
	memset(gang, 0, sizeof(*gang));
	if (is_new)
		return;
	*gang = played;
	table->version = table->seats_max = table->seats = 4;
	table->host = 1;
	assert(table_open(table));
}

/* The actions of a log are decided again, and the log may be damaged. */
static void check_sealed(const uint8_t *data, size_t size)
{
	struct events events = { .count = 0 };
	uint8_t bytes[REPLAY_DATA_MAX];
	struct action action;
	struct rng rng;
	struct table table;
	struct gang gang;
	bool has_seed;

	if (!replay_data_read(data, size, &action, &rng, &has_seed))
		return;
	rng.used = has_seed;
	if (data[0] != FORMAT_FIRST) {
		size_t len = replay_data_write(&action, &rng, bytes);
		struct action before = action;

		assert(replay_data_read(bytes, len, &action, &rng, &has_seed));
		assert(memcmp(&before, &action, sizeof(action)) == 0);
	}
	take_table(&table, &gang,
	           action.verb == VERB_CREATE ||
	                   action.verb == VERB_START_REMATCH);
	if (action.seat > table.seats)
		return;
	if (table_apply(&table, &action, &rng, &events) == ERR_OK)
		assert(events.count > 0 && gang_valid(&gang));
	else
		assert(events.count == 0);
}

/* Print the events of a log for each viewer. */
static void check_event(const uint8_t *data, size_t size)
{
	struct event event = { .type = data[0] };

	if (size < EVENT_HEAD || !ruleset_event(&gang_ruleset, event.type))
		return;
	event.seat = data[1];
	event.part = data[2];
	event.subpart = data[3];
	event.public_len = data[4] % (EVENT_PUBLIC_MAX + 1);
	size -= EVENT_HEAD;
	if (event.public_len > size)
		event.public_len = (uint8_t)size;
	memcpy(event.public_data, data + EVENT_HEAD, event.public_len);
	size -= event.public_len;
	event.private_len =
		(uint8_t)(size < EVENT_PRIVATE_MAX ? size : EVENT_PRIVATE_MAX);
	memcpy(event.private_data, data + EVENT_HEAD + event.public_len,
	       event.private_len);
	for (unsigned seat = 0; seat <= TABLE_SEATS_MAX; seat++) {
		struct json_out out;
		json_out_init(&out, json, sizeof(json));
		json_object(&out);
		ruleset_print_event(&gang_ruleset, &event, seat, &out);
		json_object_end(&out);
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *state = fuzz_seal(data, size, FORMAT_STATE);
	struct gang gang;

	if (gang_ruleset.decode(&gang, state, size))
		check_state(&gang, state, size);
	check_sealed(data, size);
	if (size)
		check_event(data, size);
	return 0;
}
