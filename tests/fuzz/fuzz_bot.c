/*
 * fuzz_bot.c - what bots decide about games and logs that are read back from
 * the database, however damaged.
 *
 * The input is a head (struct head), the bytes of a state, and events.  A state
 * is mostly changed by playing on, and its log grows with it, since random
 * bytes hardly ever make a deck with each card once.  Events may be anything.
 */
#include "fuzz.h"

#include <stdlib.h>

#include "bot/bot.h"
#include "games/gang/bot/belief.h"
#include "games/famiglia/famiglia_ruleset.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "games/famiglia/rules/famiglia_view.h"
#undef VERB_TAKE
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/gang_view.h"

enum {
	HEAD_SIZE = 6,
	EVENT_HEAD = 6,
	INPUT_MAX = 8192,
	MOVES_MAX = 24,
};

/* The first bytes of the input. */
struct head {
	const struct ruleset *rules; /* 1: Famiglia, else The Gang */
	enum bot_level level;
	uint8_t seat;
	uint8_t seed;
	uint16_t state_len; /* two bytes, the low one first */
};

union game {
	struct gang gang;
	struct famiglia famiglia;
};
union any_view {
	struct gang_view gang;
	struct famiglia_view famiglia;
};

static struct bot_gang_work work;

static unsigned below(uint32_t *random, unsigned count)
{
	*random = *random * 1664525U + 1013904223U;
	return (*random >> 16) % count;
}

static struct rng rng_of(uint32_t number)
{
	uint8_t seed[RNG_SEED_SIZE] = { 0 };
	struct rng rng;

	memcpy(seed, &number, sizeof(number));
	rng_init(&rng, seed);
	return rng;
}

/* --- reading -------------------------------------------------------------- */

static bool is_famiglia(const struct head *head)
{
	return head->rules == &famiglia_ruleset;
}

static bool read_head(const uint8_t *data, size_t size, struct head *head)
{
	if (size < HEAD_SIZE)
		return false;
	*head = (struct head){
		.rules = data[0] == 1 ? &famiglia_ruleset : &gang_ruleset,
		.level = (enum bot_level)(data[1] % BOT_LEVEL_COUNT),
		.seat = data[2],
		.seed = data[3],
		.state_len = (uint16_t)(data[4] | data[5] << 8),
	};
	return head->state_len <= size - HEAD_SIZE;
}

/* The formats that are written, which end with a checksum. */
static unsigned format_of(const struct head *head)
{
	return is_famiglia(head) ? 4 : 6;
}

/* Read a state in which bots may move: it has begun. */
static bool read_game(const struct head *head, const uint8_t *data,
                      union game *game)
{
	const uint8_t *state =
		fuzz_seal(data + HEAD_SIZE, head->state_len, format_of(head));

	return head->rules->decode(game, state, head->state_len) &&
	       head->rules->standing(game).players > 0;
}

/* Read an event and move past it; missing bytes are zeros. */
static struct event read_event(const uint8_t **at, const uint8_t *end)
{
	uint8_t head[EVENT_HEAD] = { 0 };
	size_t left = (size_t)(end - *at);
	struct event event;

	memcpy(head, *at, left < EVENT_HEAD ? left : EVENT_HEAD);
	*at += left < EVENT_HEAD ? left : EVENT_HEAD;
	event = (struct event){
		.type = head[0],
		.seat = head[1],
		.part = head[2],
		.subpart = head[3],
		.public_len = head[4] % (EVENT_PUBLIC_MAX + 1),
		.private_len = head[5] % (EVENT_PRIVATE_MAX + 1),
	};
	left = (size_t)(end - *at);
	if (event.public_len > left)
		event.public_len = (uint8_t)left;
	memcpy(event.public_data, *at, event.public_len);
	*at += event.public_len;
	left = (size_t)(end - *at);
	if (event.private_len > left)
		event.private_len = (uint8_t)left;
	memcpy(event.private_data, *at, event.private_len);
	*at += event.private_len;
	return event;
}

/* --- playing on ----------------------------------------------------------- */

/* The input as it is written. */
struct output {
	size_t len;
	uint8_t bytes[INPUT_MAX];
};

static void put(struct output *out, const uint8_t *bytes, size_t count)
{
	if (count > sizeof(out->bytes) - out->len)
		return;
	memcpy(out->bytes + out->len, bytes, count);
	out->len += count;
}

static void put_events(struct output *out, const struct events *events)
{
	for (unsigned i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];
		uint8_t head[EVENT_HEAD] = {
			event->type,    event->seat,       event->part,
			event->subpart, event->public_len, event->private_len
		};

		put(out, head, sizeof(head));
		put(out, event->public_data, event->public_len);
		put(out, event->private_data, event->private_len);
	}
}

/* Deal the first heist anew, with cards of the mode. */
static void deal_with_cards(struct gang *gang, struct rng *rng,
                            struct events *events)
{
	const struct mode *mode = gang_mode_get(gang->mode);
	struct heist_setup setup = gang->heist.setup;

	if (mode->challenges && !setup.challenges)
		setup.challenges =
			(uint16_t)(1U << stack_draw_any(&gang->challenges,
		                                        mode->challenges, rng));
	if (mode->specialists)
		setup.specialist =
			(uint8_t)stack_draw_any(&gang->specialists,
		                                mode->specialists, rng);
	events->count = 0;
	rounds_start(&gang->heist, &setup, rng, events);
}

static void begin(const struct head *head, union game *game, uint32_t *random,
                  struct events *events)
{
	struct options options = { 0 };
	struct rng rng = rng_of(*random);
	unsigned players = FAMIGLIA_SEATS;

	if (!is_famiglia(head)) {
		options.bytes[GANG_OPTION_MODE] =
			(uint8_t)(1 + below(random, 4));
		options.bytes[GANG_OPTION_CONFIRMS] = (uint8_t)below(random, 2);
		players = GANG_PLAYERS_MIN + below(random, 4);
	}
	if (!head->rules->init(game, &options))
		abort();
	events->count = 0;
	event_put_public(events_add(events, EVENT_GAME_STARTED, 0), players);
	head->rules->start(game, players, &rng, events);
	if (!is_famiglia(head))
		deal_with_cards(&game->gang, &rng, events);
}

/* A legal move of any seat; in Famiglia what a bot would do. */
static struct action some_move(const struct head *head, const union game *game,
                               uint32_t *random)
{
	struct bot_decision decision;
	union any_view view;
	struct bot_input input = { .view = &view };
	unsigned players = head->rules->standing(game).players;

	head->rules->view(game, 1 + below(random, players), &view);
	input.level = (enum bot_level)below(random, BOT_LEVEL_COUNT);
	input.seed[0] = (uint8_t)below(random, 256);
	if (!is_famiglia(head) && view.gang.legal_count && below(random, 4))
		return view.gang
		        .legal[below(random, (unsigned)view.gang.legal_count)];
	bot_decide(head->rules, &input, &work, &decision);
	return decision.action;
}

/* Change the events only, in any way. */
static size_t change_events(uint8_t *data, size_t size, size_t max,
                            const struct head *head)
{
	size_t from = HEAD_SIZE + head->state_len;

	return from + LLVMFuzzerMutate(data + from, size - from, max - from);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
	static struct output out;
	uint32_t random = seed;
	uint8_t bytes[RULESET_STATE_MAX];
	struct events events = { .count = 0 };
	struct head head;
	union game game;
	size_t from;

	if (!read_head(data, size, &head) || below(&random, 8) == 0)
		return LLVMFuzzerMutate(data, size, max);
	from = HEAD_SIZE + head.state_len;
	if (below(&random, 3) == 0 && max > from)
		return change_events(data, size, max, &head);
	out.len = 0;
	put(&out, data + from, size - from);
	if (!read_game(&head, data, &game) || below(&random, 32) == 0) {
		out.len = 0;
		begin(&head, &game, &random, &events);
		put_events(&out, &events);
	}
	for (unsigned moves = below(&random, MOVES_MAX); moves > 0; moves--) {
		struct action action = some_move(&head, &game, &random);
		struct rng rng = rng_of(random);

		events.count = 0;
		if (action.verb &&
		    head.rules->apply(&game, &action, &rng, &events) == ERR_OK)
			put_events(&out, &events);
	}
	size_t len = head.rules->encode(&game, bytes);
	if (HEAD_SIZE + len > max)
		return size;
	if (out.len > max - HEAD_SIZE - len)
		out.len = max - HEAD_SIZE - len;
	data[1] = (uint8_t)below(&random, BOT_LEVEL_COUNT);
	data[2] = (uint8_t)(1 + below(&random, TABLE_SEATS_MAX));
	data[4] = (uint8_t)len;
	data[5] = (uint8_t)(len >> 8);
	memcpy(data + HEAD_SIZE, bytes, len);
	memcpy(data + HEAD_SIZE + len, out.bytes, out.len);
	return HEAD_SIZE + len + out.len;
}

/* --- what must hold ------------------------------------------------------- */

static void check_time(const struct bot_decision *decision,
                       enum bot_level level)
{
	const struct bot_level_row *row = bot_level_get(level);

	assert(decision->think_ms >= row->think_min_ms &&
	       decision->think_ms <= row->think_max_ms);
}

/* The action is one of the view's, or the rules accept it. */
static void check_legal(const struct head *head, const union game *game,
                        const union any_view *view, const struct action *action)
{
	bool found = is_famiglia(head) &&
	             famiglia_check(&game->famiglia, action) == ERR_OK;

	for (size_t i = 0; !is_famiglia(head) && i < view->gang.legal_count;
	     i++)
		found |= memcmp(&view->gang.legal[i], action,
		                sizeof(*action)) == 0;
	assert(found);
}

static void check_decision(const struct head *head, const union game *game,
                           const uint8_t *log, const uint8_t *end)
{
	static struct event seen[BOT_EVENTS_MAX];
	struct bot_decision decisions[2];
	union any_view view;
	struct bot_input input = { .view = &view, .events = seen };

	head->rules->view(game, head->seat, &view);
	while (log < end && input.events_count < BOT_EVENTS_MAX) {
		struct event event = read_event(&log, end);

		if (bot_see(head->rules, &view, &event,
		            &seen[input.events_count]))
			input.events_count++;
	}
	input.level = head->level;
	input.seed[0] = head->seed;
	for (unsigned i = 0; i < 2; i++)
		bot_decide(head->rules, &input, &work, &decisions[i]);
	assert(decisions[0].think_ms == decisions[1].think_ms &&
	       memcmp(&decisions[0].action, &decisions[1].action,
	              sizeof(struct action)) == 0);
	check_time(&decisions[0], input.level);
	if (decisions[0].action.verb)
		check_legal(head, game, &view, &decisions[0].action);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	struct head head;
	union game game;

	if (!is_ready)
		bot_work_init(&gang_ruleset, &work);
	is_ready = true;
	if (!read_head(data, size, &head) || !read_game(&head, data, &game))
		return 0;
	if (head.seat < 1 || head.seat > head.rules->standing(&game).players)
		return 0;
	check_decision(&head, &game, data + HEAD_SIZE + head.state_len,
	               data + size);
	return 0;
}
