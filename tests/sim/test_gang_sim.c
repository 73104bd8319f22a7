/*
 * test_gang_sim.c - thousands of games of The Gang, played by seeds.
 *
 * Gangs play every mode, some of them game after game with the stacks that the
 * last game left, perhaps in another mode.  Players leave, are removed and
 * join.  Legal and illegal actions are mixed.  After each action
 *
 *   the cards are counted, and a refused action has changed nothing;
 *   the state is that of the reference model (gang_reference_model.h), which
 *   follows the events: chips, cards, redraws, announcements, the heist's end;
 *   the stacks lie as the rulebook says (gang_reference_stacks.h);
 *   the bytes of the state decode to the same state.
 *
 * In some states every action that a client can send is tried: the view lists
 * the legal ones, and each refusal has the first error that the contract names
 * (gang_expected_error.h).  The JSON of the legal actions allows the same
 * (gang_legal_json.h).  The actions of a game with their seeds make the same
 * game again.
 *
 * A failure prints how to play that one gang again.  The digest at the end is
 * of all events and last states: every compiler must come to the same.
 *
 *   GANG_SEED   the first gang's seed    GANG_GAMES  how many of each mode
 */
#include <sodium.h>

#include "gang_legal_json.h"
#include "gang_expected_error.h"
#include "gang_reachable.h"
#include "gang_reference_check.h"
#include "gang_reference_stacks.h"
#include "gang_tally.h"
#include "gang_view_text.h"

enum {
	GAMES = 1000,
	SEED = 20260131,
	ACTIONS_MAX = 8192, /* of one game */
	EVENTS_IN_GAME_MAX = 8192,
	JSON_MAX = 32 * 1024,
	JSON_EVERY = 97,       /* states */
	EVERYTHING_EVERY = 29, /* states in which everything is tried */
	AGAIN_PERCENT = 80,
	OTHER_MODE_PERCENT = 15,
	OTHER_SEATS_PERCENT = 20,
	SHARE_MAX = 64,
	EVENT_TEXT_MAX = 512,
};

/* An action as it would be kept with its first event. */
struct cause {
	struct action action;
	uint8_t seed[RNG_SEED_SIZE];
};

struct game {
	struct sim_random random;
	struct player_policy policy;
	struct table table;
	struct gang gang;
	struct model model;
	struct model_stacks stacks;
	unsigned cause_count;
	unsigned event_count;
	unsigned removed_at[GANG_PLAYERS_MAX + 1]; /* by seat, the event */
	struct cause causes[ACTIONS_MAX];
	struct event events[EVENTS_IN_GAME_MAX];
};

static struct game game;
static struct tally tally;
static crypto_generichash_state digest;

/* --- every action in one state -------------------------------------------- */

/* A copy of the game to try things on, and what to put back after them. */
struct trial {
	struct gang gang;
	struct table table;
	struct gang_view view;
	size_t listed; /* successes that the list has to have */
	struct rng rng;
	struct events events;
};

static void reset_trial(struct trial *trial)
{
	memcpy(&trial->gang, &game.gang, sizeof(game.gang));
	trial->table = game.table;
	trial->table.state = &trial->gang;
	trial->events.count = 0;
}

static bool is_listed(const struct trial *trial, const struct action *action)
{
	for (size_t i = 0; i < trial->view.legal_count; i++) {
		if (same_bytes(&trial->view.legal[i], action, sizeof(*action)))
			return true;
	}
	return false;
}

static void try_action(struct trial *trial, const struct action *action)
{
	enum err expected =
		gang_expected_error(&game.table, &trial->view, action);
	enum err err =
		table_apply(&trial->table, action, &trial->rng, &trial->events);

	if (err != expected)
		print_error("seat %u, verb %u, %u %u %u: %s and not %s\n",
		            action->seat, action->verb, action->args[0],
		            action->args[1], action->args[2], err_code(err),
		            err_code(expected));
	CHECK(err == expected);
	tally.refused[err]++;
	if (err) {
		CHECK(trial->events.count == 0);
		if (err == ERR_INVALID)
			CHECK(gang_fault(&trial->gang, action).member);
		return;
	}
	CHECK(gang_reachable(&trial->gang));
	CHECK(trial->events.count > 0);
	CHECK(trial->table.version == game.table.version + trial->events.count);
	if (action->verb >= VERB_OF_RULESET &&
	    (action->verb != VERB_TAKE ||
	     action->args[ARG_FROM] != CHIP_FROM_ANYWHERE)) {
		CHECK(is_listed(trial, action));
		trial->listed++;
	}
	reset_trial(trial);
}

static void check_untouched(const struct trial *trial)
{
	CHECK(same_bytes(&trial->gang, &game.gang, sizeof(game.gang)));
	CHECK(trial->table.version == game.table.version);
	CHECK(trial->table.status == game.table.status);
	CHECK(trial->table.seats == game.table.seats);
	CHECK(trial->table.seats_max == game.table.seats_max);
	CHECK(trial->table.host == game.table.host);
	CHECK(trial->table.vacant == game.table.vacant);
}

static void try_arguments(struct trial *trial, unsigned verb, unsigned first,
                          unsigned second, unsigned third)
{
	struct action action = {
		.verb = (uint8_t)verb,
		.seat = trial->view.seat,
		.args = { (uint8_t)first, (uint8_t)second, (uint8_t)third },
	};

	try_action(trial, &action);
}

static void try_chips(struct trial *trial)
{
	for (unsigned chip = 0; chip < COLOR_COUNT * CHIPS_MAX; chip++) {
		unsigned color = chip / CHIPS_MAX;
		unsigned stars = 1 + chip % CHIPS_MAX;

		try_arguments(trial, VERB_RETURN, color, stars, 0);
		for (unsigned from = 0; from <= game.table.seats; from++)
			try_arguments(trial, VERB_TAKE, color, stars, from);
		try_arguments(trial, VERB_TAKE, color, stars,
		              CHIP_FROM_ANYWHERE);
	}
	/* Refusals are looked at together, and soon enough. */
	check_untouched(trial);
}

static void try_leaving(struct trial *trial)
{
	for (unsigned seat = 0; seat <= CHIPS_MAX; seat++) {
		try_arguments(trial, VERB_LEAVE, seat, false, 0);
		try_arguments(trial, VERB_LEAVE, seat, true, 0);
	}
	check_untouched(trial);
}

static void try_proposals(struct trial *trial)
{
	for (unsigned seat = 1; seat <= CHIPS_MAX; seat++) {
		for (unsigned target = 0; target <= CHIPS_MAX; target++) {
			try_arguments(trial, VERB_PROPOSE, seat, target, 0);
			try_arguments(trial, VERB_PROPOSE, seat, target, 7);
		}
		for (unsigned value = 1; value <= CARD_RANKS; value++) {
			if (value != 7)
				try_arguments(trial, VERB_PROPOSE, seat, 0,
				              value);
		}
	}
	try_arguments(trial, VERB_VOTE, 0, 0, 0);
	try_arguments(trial, VERB_VOTE, 1, 0, 0);
	for (unsigned card = 0; card < CARD_COUNT; card++)
		try_arguments(trial, VERB_CHOOSE, card, 0, 0);
	try_arguments(trial, VERB_CHOOSE, CHOICE_LOOKED, 0, 0);
	check_untouched(trial);
}

static void try_answers(struct trial *trial)
{
	for (unsigned value = 1; value <= CARD_RANKS; value++)
		try_arguments(trial, VERB_ANSWER, CHALLENGE_RETINA_SCAN, value,
		              0);
	for (unsigned value = 1; value <= RANKING_COUNT; value++)
		try_arguments(trial, VERB_ANSWER, CHALLENGE_FINGERPRINT_SCAN,
		              value, 0);
	check_untouched(trial);
}

/* All that a seat can send; exactly what its view lists succeeds. */
static void try_seat(struct trial *trial, unsigned seat)
{
	static const uint8_t verbs[] = { VERB_JOIN, VERB_START, VERB_REMATCH,
		                         VERB_NEXT_HEIST, VERB_CONFIRM_ROUND };

	game.table.rules->view(&game.gang, seat, &trial->view);
	trial->listed = 0;
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		try_arguments(trial, verbs[i], 0, 0, 0);
	try_leaving(trial);
	try_chips(trial);
	try_proposals(trial);
	try_answers(trial);
	CHECK(trial->listed == trial->view.legal_count);
}

static void try_everything(void)
{
	static struct trial trial;
	static const uint8_t seed[RNG_SEED_SIZE];

	rng_init(&trial.rng, seed);
	reset_trial(&trial);
	for (unsigned seat = 1; seat <= game.table.seats; seat++)
		try_seat(&trial, seat);
}

/* --- what holds in every state -------------------------------------------- */

static unsigned count_cards(const uint8_t *cards, unsigned count, uint64_t *set)
{
	for (unsigned i = 0; i < count; i++) {
		CHECK(cards[i] < CARD_COUNT);
		*set |= UINT64_C(1) << cards[i];
	}
	return count;
}

/* Each card is in one place, and Jx in one once it was called for. */
static void check_cards(void)
{
	const struct heist *heist = &game.gang.heist;
	const struct ability *use = &heist->ability;
	unsigned has_jack =
		use->specialist == SPECIALIST_JACK &&
		(use->state == ABILITY_CHOOSING || use->state == ABILITY_USED);
	uint64_t all = (UINT64_C(1) << CARD_DECK_COUNT) - 1;
	unsigned count = 0;
	uint64_t set = 0;

	if (heist->outcome == OUTCOME_ABANDONED)
		return;
	for (unsigned i = 0; i < heist->setup.players; i++)
		count += count_cards(heist->pockets[i].cards,
		                     heist->pockets[i].count, &set);
	count += count_cards(heist->community, heist->community_count, &set);
	count += count_cards(heist->deck, heist->deck_count, &set);
	count += count_cards(heist->discards, heist->discards_count, &set);
	if (use->drawn != CARD_NONE)
		count += count_cards(&use->drawn, 1, &set);
	CHECK(count == CARD_DECK_COUNT + has_jack);
	CHECK(set == (all | (uint64_t)has_jack << CARD_JX));
}

/* The bytes of the state are a state with the same bytes and views. */
static void check_codec(void)
{
	const struct ruleset *rules = game.table.rules;
	static struct gang read;
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	size_t len = rules->encode(&game.gang, bytes);

	memset(&read, 0xa5, sizeof(read));
	CHECK(len > 0 && len <= RULESET_STATE_MAX);
	CHECK(rules->decode(&read, bytes, len));
	CHECK(rules->encode(&read, again) == len);
	CHECK(same_bytes(bytes, again, len));
	CHECK(rules->standing(&read).status == game.table.status);

	/* Go on with what was read: the replay shows if something is gone. */
	memcpy(&game.gang, &read, sizeof(read));
}

static void check_json_of(const struct gang_view *view, char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	int len = (int)view_text(view, text, JSON_MAX);

	CHECK(len > 0);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	struct json_c_object *json = json_tokener_parse_ex(tokener, text, len);
	CHECK(json && json_object_is_type(json, json_type_object));
	CHECK(json_tokener_get_parse_end(tokener) == (size_t)len);
	if (view->seat)
		legal_json_check(json_member(json_member(json, "you"),
		                             "legal_actions"),
		                 view, VIEW_TEXT_PATH);
	json_object_put(json);
	json_tokener_free(tokener);
}

/*
 * Nobody sees the moves of chips that are out of sight; and a player on a seat
 * from which somebody was removed does not see what that person saw in private
 * before.
 */
static void check_hidden(const struct gang_view *view)
{
	const struct heist *heist = &game.gang.heist;

	for (unsigned i = 0; i < game.event_count; i++) {
		const struct event *event = &game.events[i];
		bool moves = event->type == EVENT_CHIP_TAKEN ||
		             event->type == EVENT_CHIP_RETURNED;

		if (event->type < EVENT_OF_RULESET)
			continue;
		if (event->private_len)
			CHECK(ruleset_event(game.table.rules, event->type)
			              ->sight(view, event) ==
			      (i < game.removed_at[view->seat] ? SIGHT_SPECTATOR
			                                       : SIGHT_SEAT));
		CHECK((ruleset_event(game.table.rules, event->type)
		               ->sight(view, event) == SIGHT_NONE) ==
		      (moves && event->part == heist->setup.deal &&
		       heist->outcome == OUTCOME_OPEN &&
		       event->subpart <= heist->round &&
		       heist->chips[event->subpart - 1].count == 0));
	}
}

static void check_json(void)
{
	static struct gang_view view;
	static char text[JSON_MAX];

	for (unsigned seat = 0; seat <= game.table.seats; seat++) {
		game.table.rules->view(&game.gang, seat, &view);
		check_json_of(&view, text);
		check_hidden(&view);
	}
}

/* A chip is dark if it is stuck with whoever takes it. */
static bool is_dark(const struct gang_view *view, const struct chip_view *chip)
{
	return chip->color != COLOR_RED &&
	       ((chip->stars == 1 &&
	         view_has_challenge(view, CHALLENGE_NOISE_SENSORS)) ||
	        (chip->stars == view->players &&
	         view_has_challenge(view, CHALLENGE_VENTILATION_SHAFT)));
}

/* A chip is locked if it is somebody's and they could not give it away. */
static void check_locked(const struct gang_view *view)
{
	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *chip = &view->chips[i];
		bool ended = view->phase >= PHASE_ANSWERING ||
		             chip->color + 1U < view->round;

		CHECK(chip->locked ==
		      (chip->seat && (ended || chip_is_stuck(view, chip->color,
		                                             chip->stars))));
		CHECK(chip->dark == is_dark(view, chip));
	}
}

static void check_some_view(void)
{
	static struct gang_view view;
	unsigned seat = (unsigned)(tally.states % (game.table.seats + 1U));

	game.table.rules->view(&game.gang, seat, &view);
	CHECK(view.seat == seat);
	model_check_view(&game.model, &view);
	check_locked(&view);
	CHECK(view.challenges_unseen ==
	      model_stack_unseen(&game.stacks.challenges,
	                         model_stacks_challenges(game.gang.mode)));
	CHECK(view.specialists_unseen ==
	      model_stack_unseen(&game.stacks.specialists,
	                         model_stacks_specialists(game.gang.mode)));
}

static void check_state(void)
{
	CHECK(game.table.version == game.event_count);
	CHECK(game.table.status ==
	      game.table.rules->standing(&game.gang).status);
	CHECK(gang_reachable(&game.gang));
	CHECK(game.gang.heist.setup.number <= 5);
	if (game.table.status != STATUS_LOBBY) {
		check_cards();
		model_check_heist(&game.model, &game.gang.heist);
		model_stacks_check(&game.stacks, &game.gang);
		check_some_view();
	}
	check_codec();
	if (++tally.states % JSON_EVERY == 0)
		check_json();
	if (tally.states % EVERYTHING_EVERY == 0)
		try_everything();
}

/* --- what an event shows, and to whom ------------------------------------- */

/* A seat's own cards, as an event is to show them; "" without cards. */
static void print_share(const struct event *event, unsigned seat, char *text,
                        size_t size)
{
	unsigned count = event->public_data[0];
	const uint8_t *cards = event->private_data;
	struct json_out out;

	json_out_init(&out, text, size);
	if (event->type == EVENT_CHOICE_MADE) {
		if (event->private_len && seat &&
		    (seat == event->seat || seat == event->private_data[1]))
			json_key_string(&out, "card", card_text(cards[0]));
		text[json_out_len(&out)] = '\0';
		return;
	}
	if (event->type == EVENT_CARDS_REDRAWN)
		count = seat == event->seat ? event->private_len : 0;
	else if (seat)
		cards += (seat - 1) * count;
	else
		count = 0;
	if (count) {
		json_key(&out, "pocket_cards");
		json_array(&out);
		for (unsigned i = 0; i < count; i++)
			json_string(&out, card_text(cards[i]));
		json_array_end(&out);
	}
	text[json_out_len(&out)] = '\0';
}

/* Each reader sees the own share of what is secret, and no other card. */
static void check_shares(const struct event *event)
{
	char share[SHARE_MAX];
	char text[EVENT_TEXT_MAX];
	struct json_out out;

	for (unsigned seat = 0; seat <= game.table.seats; seat++) {
		print_share(event, seat, share, sizeof(share));
		json_out_init(&out, text, sizeof(text) - 1);
		ruleset_print_event(game.table.rules, event, seat, &out);
		CHECK(json_out_fits(&out));
		text[json_out_len(&out)] = '\0';
		CHECK(strstr(text, share));
		CHECK(share[0] || !strstr(text, "card\":"));
		CHECK(share[0] || !strstr(text, "pocket_cards"));
	}
}

/* --- a game --------------------------------------------------------------- */

/* Note the players' knowledge of the stacks when a heist is dealt. */
static void note_heist(const struct gang *before)
{
	if (before->players && before->heist.outcome == OUTCOME_ABANDONED)
		model_stacks_repeat_heist(&game.stacks, &game.gang,
		                          &before->heist.setup);
	else if (before->players == 0)
		model_stacks_begin(&game.stacks, &game.gang,
		                   game.policy.shuffled);
	else
		model_stacks_next_heist(&game.stacks, &game.gang,
		                        &before->heist.setup,
		                        before->heist.outcome ==
		                                OUTCOME_SUCCEEDED);
}

/* Note the events of every game: the players who come and go. */
static void note_table(const struct event *event, const struct gang *before)
{
	if (event->type == EVENT_GAME_STARTED)
		game.model = (struct model){ .confirms = game.policy.confirms };
	else if (before->players && (event->type == EVENT_PLAYER_JOINED ||
	                             event->type == EVENT_PLAYER_LEFT))
		model_seat(&game.model, event);
	tally.left += before->players && event->type == EVENT_PLAYER_LEFT;
	tally.came += before->players && event->type == EVENT_PLAYER_JOINED;
}

static void note_events(const struct events *events, const struct gang *before)
{
	CHECK(game.event_count + events->count <= EVENTS_IN_GAME_MAX);
	for (unsigned i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];

		game.events[game.event_count++] = *event;
		if (event->type < EVENT_OF_RULESET) {
			note_table(event, before);
			continue;
		}
		if (event->private_len)
			check_shares(event);
		tally_round(&tally, &game.model, event,
		            events->list[0].type == EVENT_PLAYER_LEFT);
		model_apply(&game.model, event, &before->heist,
		            &game.gang.heist);
		if (event->type == EVENT_HEIST_STARTED)
			note_heist(before);
		if (event->type == EVENT_HEIST_ENDED)
			tally_heist(&tally, &game.gang, &game.model, event);
		if (event->type == EVENT_SPECIALIST_WITHDRAWN && !event->seat)
			tally.expired++;
		if (event->type == EVENT_CHOICE_MADE)
			tally.chosen[game.model.specialist]++;
	}
}

/* Cards leave the deck from its top only. */
static void check_deck(const struct heist *before)
{
	const struct heist *heist = &game.gang.heist;

	if (before->setup.number != heist->setup.number ||
	    before->outcome == OUTCOME_ABANDONED ||
	    heist->outcome == OUTCOME_ABANDONED)
		return;
	CHECK(heist->deck_count <= before->deck_count);
	CHECK(same_bytes(before->deck, heist->deck, heist->deck_count));
	CHECK(heist->discards_count >= before->discards_count);
	CHECK(same_bytes(before->discards, heist->discards,
	                 before->discards_count));
	CHECK(heist->ability.drawn == CARD_NONE ||
	      heist->ability.drawn == before->ability.drawn ||
	      heist->ability.drawn == CARD_JX ||
	      heist->ability.drawn == before->deck[before->deck_count - 1]);
}

/* An open heist is abandoned when somebody is removed, and then only. */
static void check_abandoning(const struct action *action,
                             const struct gang *before)
{
	bool is_removed = action->verb == VERB_LEAVE &&
	                  action->seat != action->args[LEAVE_SEAT] &&
	                  before->players &&
	                  before->heist.outcome == OUTCOME_OPEN;
	bool is_abandoned = game.gang.heist.outcome == OUTCOME_ABANDONED &&
	                    before->heist.outcome != OUTCOME_ABANDONED;

	if (action->verb == VERB_LEAVE && before->players &&
	    action->seat != action->args[LEAVE_SEAT])
		game.removed_at[action->args[LEAVE_SEAT]] = game.event_count;
	CHECK(is_abandoned == is_removed);
	CHECK(!is_removed || (game.gang.vaults == before->vaults &&
	                      game.gang.alarms == before->alarms &&
	                      game.gang.ended_count == before->ended_count));
}

static void do_action(const struct cause *cause)
{
	static struct gang before;
	static struct events events;
	struct rng rng;
	struct table table_before = game.table;

	rng_init(&rng, cause->seed);
	memcpy(&before, &game.gang, sizeof(before));
	events.count = 0;
	sim_place.tries++;
	tally.tried++;

	enum err err = table_apply(&game.table, &cause->action, &rng, &events);
	if (err) {
		CHECK(events.count == 0);
		CHECK(!rng.used);
		CHECK(same_bytes(&before, &game.gang, sizeof(before)));
		CHECK(same_bytes(&table_before, &game.table,
		                 sizeof(table_before)));
		return;
	}
	CHECK(game.cause_count < ACTIONS_MAX);
	CHECK(game.table.version == table_before.version + events.count);
	sim_place.version = game.table.version;
	game.causes[game.cause_count++] = *cause;
	tally.succeeded++;
	note_events(&events, &before);
	check_abandoning(&cause->action, &before);
	check_deck(&before.heist);
	check_state();
}

/* The kept actions, from the start, give the same events and last state. */
static void check_replay(void)
{
	static struct gang gang;
	static struct events events;
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	struct table table;
	struct rng rng;
	unsigned at = 0;

	player_open_table(&table, &gang);
	for (unsigned i = 0; i < game.cause_count; i++) {
		events.count = 0;
		rng_init(&rng, game.causes[i].seed);
		CHECK(!table_apply(&table, &game.causes[i].action, &rng,
		                   &events));
		CHECK(at + events.count <= game.event_count);
		CHECK(same_bytes(events.list, &game.events[at],
		                 events.count * sizeof(struct event)));
		at += events.count;
	}
	size_t len = table.rules->encode(&game.gang, bytes);
	CHECK(at == game.event_count);
	CHECK(table.version == game.table.version);
	CHECK(table.status == game.table.status);
	CHECK(table.rules->encode(&gang, again) == len);
	CHECK(same_bytes(bytes, again, len));
	crypto_generichash_update(&digest, bytes, len);
	crypto_generichash_update(&digest, (const uint8_t *)game.events,
	                          at * sizeof(struct event));
}

static void check_end(void)
{
	unsigned alarms = game.gang.mode == GANG_MODE_MASTER_THIEF ? 2 : 3;

	CHECK((game.gang.vaults == 3) == (game.table.status == STATUS_WON));
	CHECK((game.gang.alarms == alarms) ==
	      (game.table.status == STATUS_LOST));
	CHECK(game.gang.vaults + game.gang.alarms ==
	      game.gang.heist.setup.number);
}

/* Play what was opened to its end; with a first action if there is one. */
static void play_game(const struct action *first)
{
	struct cause cause;

	sim_place.tries = sim_place.version = 0;
	game.cause_count = game.event_count = 0;
	memset(game.removed_at, 0, sizeof(game.removed_at));
	player_open_table(&game.table, &game.gang);
	while (game.table.status == STATUS_LOBBY ||
	       game.table.status == STATUS_PLAYING) {
		if (first && game.table.version == 0)
			cause.action = *first;
		else
			cause.action = player_choose(&game.table, &game.policy,
			                             &game.random);
		sim_seed(&game.random, cause.seed);
		do_action(&cause);
	}
	check_end();
	check_replay();
	tally.games[game.gang.mode][game.table.status]++;
	tally.again[game.gang.mode] += first != NULL;
	tally.confirmed[game.gang.mode] += game.gang.confirms_rounds;
	tally.reshuffled[game.gang.mode][0] +=
		game.stacks.challenges.reshuffled;
	tally.reshuffled[game.gang.mode][1] +=
		game.stacks.specialists.reshuffled;
	game.stacks.challenges.reshuffled = 0;
	game.stacks.specialists.reshuffled = 0;
	tally.players[game.table.seats]++;
	sim_place.games++;
}

/* The seats of the rematch: enough for the present players, or 0: not given. */
static unsigned any_seats(void)
{
	unsigned players = table_players(&game.table);
	unsigned least =
		players > GANG_PLAYERS_MIN ? players : GANG_PLAYERS_MIN;

	if (!sim_percent(&game.random, OTHER_SEATS_PERCENT))
		return 0;
	return least + sim_below(&game.random, GANG_PLAYERS_MAX + 1 - least);
}

/* The gang plays again, with the stacks as they lie. */
static struct action plan_again(void)
{
	static struct gang next;
	struct action rematch = { .verb = VERB_REMATCH, .seat = 1 };
	struct action again;
	struct events events = { .count = 0 };
	struct rng rng = { 0 };
	unsigned seats = any_seats();
	unsigned mode = game.gang.mode;

	if (sim_percent(&game.random, OTHER_MODE_PERCENT))
		mode = 1 + sim_below(&game.random, MODES);

	CHECK(!table_apply(&game.table, &rematch, &rng, &events));
	CHECK(table_apply(&game.table, &rematch, &rng, &events) ==
	      ERR_ALREADY_USED);
	CHECK(!table_start_rematch(&game.table, gang_mode_get(mode)->code,
	                           seats, &next, &again));
	CHECK(gang_reachable(&next) && next.mode == mode);
	CHECK(next.confirms_rounds == game.policy.confirms);
	tally.other_mode += mode != game.gang.mode;
	tally.other_seats += seats > table_players(&game.table);
	model_stacks_rematch(&game.stacks, &game.gang.heist.setup, &next);
	return again;
}

static void play_gang(uint64_t seed, unsigned mode)
{
	sim_place = (struct sim_place){ .seed = seed };
	game.random = (struct sim_random){ seed };
	game.policy = player_policy(&game.random);
	game.policy.mode = (uint8_t)mode;
	model_stacks_sort(&game.stacks);
	play_game(NULL);
	while (table_players(&game.table) &&
	       sim_percent(&game.random, AGAIN_PERCENT)) {
		struct action again = plan_again();

		game.policy.skilled = sim_below(&game.random, 256);
		play_game(&again);
	}
}

/* --- the whole ------------------------------------------------------------ */

static void print_digest(void)
{
	uint8_t hash[16];
	char hex[2 * sizeof(hash) + 1];

	crypto_generichash_final(&digest, hash, sizeof(hash));
	print_message("digest: %s\n",
	              sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
}

static void test_games(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = sim_games(GAMES);

	(void)state;
	assert_int_not_equal(sodium_init(), -1);
	crypto_generichash_init(&digest, NULL, 0, 16);
	for (uint64_t i = seed; !tally_is_full(&tally, games); i++) {
		unsigned mode = 1 + (unsigned)(i % MODES);

		if (tally_games(&tally, mode) < games)
			play_gang(i, mode);
	}
	tally_print(&tally);
	print_digest();
	if (games >= GAMES)
		tally_check(&tally, games);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_games) };

	return cmocka_run_group_tests_name("gang, simulation", tests, NULL,
	                                   NULL);
}
