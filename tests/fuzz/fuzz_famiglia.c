/*
 * fuzz_famiglia.c - states and events of Famiglia, as read back from the
 * database.
 *
 * Bytes that begin with the format are a state, others an event.  A valid state
 * is mostly changed by playing on, since random bytes hardly ever put each of
 * sixty cards in one place.
 */
#include "fuzz.h"

#include <stdlib.h>

#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/famiglia/rules/famiglia_view.h"

enum { JSON_MAX = 16 * 1024, EVENT_HEAD = 2, MOVES_MAX = 12, ACTIONS = 24 };

static const struct ruleset *const rules = &famiglia_ruleset;
static char json[JSON_MAX];

static unsigned below(uint32_t *random, unsigned count)
{
	*random = *random * 1664525U + 1013904223U;
	return (*random >> 16) % count;
}

static struct rng chance_of(uint32_t number)
{
	uint8_t seed[RNG_SEED_SIZE] = { 0 };
	struct rng rng;

	memcpy(seed, &number, sizeof(number));
	rng_init(&rng, seed);
	return rng;
}

/* --- playing on ----------------------------------------------------------- */

/* A card of a set, or any card; rarely an invalid one. */
static uint8_t one_of(uint64_t set, uint32_t *random)
{
	unsigned place = below(random, gangsters_count(set) + 1);
	unsigned gangster = GANGSTER_NONE;

	if (below(random, 16) == 0)
		return (uint8_t)below(random, GANGSTER_COUNT + 4);
	while (place-- > 0)
		gangster = gangsters_next(set, gangster);
	return (uint8_t)gangster;
}

/* An action of any verb, mostly with cards from the right places. */
static struct action some_action(const struct famiglia *game, uint32_t *random)
{
	unsigned mover = famiglia_mover(game);
	struct side side = game->sides[mover ? mover - 1 : 0];
	uint64_t street = street_set(&game->street);
	struct action action = {
		.verb = (uint8_t)(VERB_REFILL - 1 + below(random, 7)),
		.seat = (uint8_t)(below(random, 8) ? mover : below(random, 5)),
	};
	uint8_t *args = action.args;

	switch (action.verb) {
	case VERB_REFILL:
		args[ARG_PLAYED] = one_of(street, random);
		break;
	case VERB_SWAP:
		args[ARG_PLAYED] =
			one_of(turn_able(side.hand, FAMILY_ACCOUNTANTS),
		               random);
		for (unsigned i = below(random, SWAP_MAX + 1); i > 0; i--) {
			args[ARG_GIVE + i - 1] = one_of(side.hand, random);
			args[ARG_TAKEN + i - 1] = one_of(side.display, random);
		}
		break;
	case VERB_THREATEN:
		args[ARG_PLAYED] =
			one_of(turn_able(side.hand, FAMILY_BRUTES), random);
		args[ARG_THREATENED] = one_of(street, random);
		args[ARG_BY] = (uint8_t)below(random, 6);
		break;
	case VERB_TAKE:
		args[ARG_PLAYED] = one_of(street, random);
		if (below(random, 2) == 0)
			break;
		args[ARG_PAY] = one_of(side.hand, random);
		args[ARG_PAY + 1] = one_of(side.hand, random);
		args[ARG_KEEP] = args[ARG_PAY + below(random, 2)];
		break;
	default:
		break;
	}
	return action;
}

static void begin(struct famiglia *game, uint32_t *random)
{
	struct options options = { 0 };
	struct events events = { .count = 0 };
	struct rng rng = chance_of(*random);
	struct famiglia before = *game;
	bool is_rematch = before.players && below(random, 2);

	if (!(is_rematch ? famiglia_start_rematch(game, &before, NULL)
	                 : famiglia_init(game, &options)))
		abort();
	if (below(random, 8) == 0)
		return;
	event_put_public(events_add(&events, EVENT_GAME_STARTED, 0),
	                 FAMIGLIA_SEATS);
	famiglia_start(game, FAMIGLIA_SEATS, &rng, &events);
}

static void move(struct famiglia *game, uint32_t *random)
{
	if (below(random, 64) == 0)
		begin(game, random);
	for (unsigned tries = 0; tries < 40; tries++) {
		struct events events = { .count = 0 };
		struct rng rng = chance_of(*random);
		struct action action = some_action(game, random);

		/* Passing rarely makes the game longer. */
		if (action.verb == VERB_PASS && below(random, 4))
			continue;
		if (famiglia_apply(game, &action, &rng, &events) == ERR_OK)
			return;
	}
}

/* The format that is written, which ends with a checksum. */
enum { FORMAT_STATE = 4 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct famiglia game = { .players = 0 };
	uint32_t random = seed;

	if (below(&random, 4) == 0)
		return LLVMFuzzerMutate(data, size, max);
	if (!famiglia_decode(&game, fuzz_seal(data, size, FORMAT_STATE), size))
		begin(&game, &random);
	for (unsigned moves = below(&random, MOVES_MAX); moves > 0; moves--)
		move(&game, &random);
	if (game.players && below(&random, 16) == 0) {
		struct events events = { .count = 0 };

		famiglia_vacate(&game, 1 + below(&random, 2), false, &events);
	}
	size_t len = famiglia_encode(&game, bytes);
	if (len > max)
		return size;
	memcpy(data, bytes, len);
	return len;
}

/* --- what must hold ------------------------------------------------------- */

static void check_views(const struct famiglia *game)
{
	for (unsigned seat = 0; seat <= FAMIGLIA_SEATS; seat++) {
		struct famiglia_view view;
		struct json_out out;

		rules->view(game, seat, &view);
		json_out_init(&out, json, sizeof(json));
		json_object(&out);
		rules->print_view(&view, &out);
		if (seat)
			rules->print_you(&view, &out);
		json_key(&out, "legal_actions");
		json_array(&out);
		rules->print_legal(&view, "/v1/games/x", &out);
		json_array_end(&out);
		json_object_end(&out);
		assert(json_out_fits(&out));
		fuzz_assert_json(json, json_out_len(&out));
	}
}

static void check_event(const struct event *event)
{
	struct json_out out;

	assert(event->type == EVENT_GAME_STARTED ||
	       ruleset_event(rules, event->type));
	json_out_init(&out, json, sizeof(json));
	json_object(&out);
	ruleset_print_event(rules, event, 0, &out);
	json_object_end(&out);
	assert(json_out_fits(&out));
	fuzz_assert_json(json, json_out_len(&out));
}

/* Anything is done, or refused and leaves no trace. */
static void check_actions(const struct famiglia *game, uint32_t random)
{
	for (unsigned i = 0; i < ACTIONS; i++) {
		struct action action = some_action(game, &random);
		struct famiglia after = *game;
		struct events events = { .count = 0 };
		struct rng rng = chance_of(random);
		uint8_t bytes[2][RULESET_STATE_MAX];
		enum err err = rules->apply(&after, &action, &rng, &events);

		assert(err == famiglia_check(game, &action));
		if (!err) {
			assert(events.count == 1);
			check_event(&events.list[0]);
			continue;
		}
		assert(events.count == 0);
		size_t len = rules->encode(game, bytes[0]);
		assert(rules->encode(&after, bytes[1]) == len &&
		       memcmp(bytes[0], bytes[1], len) == 0);
	}
}

static void check_state(const uint8_t *data, size_t size)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct famiglia game;

	if (!rules->decode(&game, data, size))
		return;
	/* Another format is written in this one from now on. */
	size_t len = rules->encode(&game, bytes);
	assert(bytes[0] != data[0] ||
	       (len == size && memcmp(bytes, data, size) == 0));
	assert(rules->standing(&game).players == 0 ||
	       rules->standing(&game).players == FAMIGLIA_SEATS);
	check_views(&game);
	check_actions(&game, fuzz_hash(data, size));
}

/* The bytes of an event may be anything: a row may be damaged. */
static void check_bytes_of_event(const uint8_t *data, size_t size)
{
	struct event event = { .type = data[0], .seat = data[1] };
	size_t len = size - EVENT_HEAD;

	if (len > EVENT_PUBLIC_MAX || !ruleset_event(rules, event.type))
		return;
	event.public_len = (uint8_t)len;
	memcpy(event.public_data, data + EVENT_HEAD, len);
	check_event(&event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < EVENT_HEAD)
		return 0;
	if (data[0] < EVENT_OF_RULESET)
		check_state(fuzz_seal(data, size, FORMAT_STATE), size);
	else
		check_bytes_of_event(data, size);
	return 0;
}
