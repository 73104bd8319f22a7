/*
 * gang_play.c - plays scripts of The Gang.
 *
 * Each word is turned into an action, or into several actions, and applied by
 * table_apply() with a seed of zeros, so a script always deals the same cards.
 * The words are described in gang_play.h.
 */
#include "gang_play.h"

#include <stdlib.h>
#include <string.h>

void play_open(struct play *play)
{
	memset(play, 0, sizeof(*play));
	play->table.rules = &gang_ruleset;
	play->table.state = &play->gang;
}

/* The cards of the first release: rows of tests name them, and no later ones.
 */
enum { CARDS = 10 };

void play_act(struct play *play, struct action action)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	rng_init(&rng, seed);
	play->events.count = 0;
	play->last = table_apply(&play->table, &action, &rng, &play->events);
	if (action.verb == VERB_CREATE && !play->last && !play->gang.players) {
		stack_init(&play->gang.challenges, (2U << CARDS) - 2);
		stack_init(&play->gang.specialists, (2U << CARDS) - 2);
	}
}

/* --- words ---------------------------------------------------------------- */

uint8_t play_seat(char letter)
{
	assert_in_range(letter, 'A', 'H');
	return (uint8_t)(letter - 'A' + 1);
}

unsigned play_color(const struct play *play, const char **at)
{
	static const char colors[] = "wyor";
	const char *color = strchr(colors, **at);

	if (**at && color) {
		++*at;
		return (unsigned)(color - colors);
	}
	return play->gang.heist.round ? play->gang.heist.round - 1U : 0;
}

static struct action play_chip(const struct play *play, unsigned verb,
                               const char *word)
{
	const char *at = word + 1;
	struct action action = { .verb = (uint8_t)verb,
		                 .seat = play_seat(*word) };

	action.args[ARG_COLOR] = (uint8_t)play_color(play, &at);
	action.args[ARG_STARS] = (uint8_t)(*at++ - '0');
	if (verb == VERB_RETURN)
		return action;
	action.args[ARG_FROM] = CHIP_FROM_ANYWHERE;
	if (*at++ == '<')
		action.args[ARG_FROM] = *at >= 'A' ? play_seat(*at) : 0;
	return action;
}

/* A rank of cards, as a letter, or the code of a ranking. */
static uint8_t play_value(enum value_kind kind, const char *text)
{
	uint8_t value = 1;

	while (value <= gang_value_max(kind) &&
	       strcmp(text, gang_value_text(kind, value)) != 0)
		value++;
	assert_true(value <= gang_value_max(kind));
	return value;
}

static uint8_t play_card(const char *text)
{
	uint8_t card;

	if (!*text)
		return CHOICE_LOOKED;
	assert_true(card_parse(text, strlen(text), &card));
	return card;
}

static struct action play_propose(const char *word)
{
	struct action action = { .verb = VERB_PROPOSE,
		                 .seat = play_seat(*word) };

	action.args[ARG_SEAT] = word[2] == '-' ? 0 : play_seat(word[2]);
	word += 3;
	if (*word && *word != '=')
		action.args[ARG_TARGET] = play_seat(*word++);
	if (*word == '=')
		action.args[ARG_VALUE] = play_value(VALUE_RANK, word + 1);
	return action;
}

/* One letter is a rank, which is an answer to the Retina Scan. */
static struct action play_answer_of(unsigned seat, const char *text)
{
	bool is_rank = !text[1];
	enum value_kind kind = is_rank ? VALUE_RANK : VALUE_RANKING;

	return (struct action){
		.verb = VERB_ANSWER,
		.seat = (uint8_t)seat,
		.args = { [ARG_QUESTION] = is_rank ? CHALLENGE_RETINA_SCAN
		                                   : CHALLENGE_FINGERPRINT_SCAN,
		          [ARG_ANSWER] = play_value(kind, text) },
	};
}

static struct action play_use(const char *word)
{
	struct action action = { .seat = play_seat(*word) };

	switch (word[1]) {
	case ':':
		return play_propose(word);
	case '&':
	case '~':
		action.verb = VERB_VOTE;
		action.args[ARG_AGREES] = word[1] == '&';
		break;
	case '*':
		action.verb = VERB_CHOOSE;
		action.args[ARG_CARD] = play_card(word + 2);
		break;
	default:
		return play_answer_of(action.seat, word + 2);
	}
	return action;
}

static uint8_t play_mode(char letter)
{
	switch (letter) {
	case 'a':
		return GANG_MODE_ADVANCED;
	case 'p':
		return GANG_MODE_PROFESSIONAL;
	case 'm':
		return GANG_MODE_MASTER_THIEF;
	}
	return GANG_MODE_BASIC;
}

static struct action play_create(const char *word)
{
	const char *bots = strchr(word, '%');

	return (struct action){
		.verb = VERB_CREATE,
		.args = { [CREATE_SEATS] = (uint8_t)(word[1] - '0'),
		          [CREATE_OPTIONS + GANG_OPTION_MODE] =
		                  play_mode(word[2]),
		          [CREATE_OPTIONS + GANG_OPTION_SHUFFLED] =
		                  strchr(word, '~') != NULL,
		          [CREATE_OPTIONS + GANG_OPTION_CONFIRMS] =
		                  strchr(word, '!') != NULL,
		          [CREATE_BOTS] = (uint8_t)(bots ? bots[1] - '0' : 0),
		          [CREATE_STARTS] = strchr(word, '>') != NULL },
	};
}

static struct action play_leave(const char *word)
{
	return (struct action){
		.verb = VERB_LEAVE,
		.seat = play_seat(*word),
		.args = { [LEAVE_SEAT] = play_seat(word[2] ? word[2] : *word),
		          [LEAVE_ABSENT] = strchr(word, '?') != NULL },
	};
}

struct action play_action(const struct play *play, const char *word)
{
	if (*word == 'n')
		return play_create(word);
	if (*word == 'j')
		return (struct action){ .verb = VERB_JOIN };
	if (*word == '-')
		return play_chip(play, VERB_RETURN, word + 1);
	if (word[1] == 's')
		return (struct action){ .verb = VERB_START,
			                .seat = play_seat(*word) };
	if (word[1] == '.')
		return (struct action){ .verb = VERB_CONFIRM_ROUND,
			                .seat = play_seat(*word) };
	if (word[1] == '+')
		return (struct action){ .verb = VERB_NEXT_HEIST,
			                .seat = play_seat(*word) };
	if (word[1] == '#')
		return (struct action){ .verb = VERB_REMATCH,
			                .seat = play_seat(*word),
			                .args = { 1, 2, 3 } };
	if (word[1] == '!')
		return play_leave(word);
	if (word[1] == '%')
		return (struct action){ .verb = VERB_SEAT_BOT,
			                .seat = play_seat(*word),
			                .args = { [BOT_INSTEAD] =
			                                  word[2] == '%' } };
	if (word[1] && strchr(":&~*^", word[1]))
		return play_use(word);
	if (word[1] == '?')
		return (struct action){ .verb = 250, .seat = play_seat(*word) };
	return play_chip(play, VERB_TAKE, word);
}

/* --- words that stand for more -------------------------------------------- */

void play_must(struct play *play, struct action action)
{
	play_act(play, action);
	assert_string_equal(err_code(play->last), "ok");
}

static void play_full_table(struct play *play, const char *word)
{
	play_must(play, play_create(word));
	while (play->table.status == STATUS_LOBBY)
		play_must(play, (struct action){ .verb = VERB_JOIN });
}

/* The worth of a hand in the showdown. */
static uint32_t play_strength(const struct heist *heist, unsigned seat)
{
	struct hand hand =
		pocket_hand(&heist->pockets[seat - 1], heist->community,
	                    heist->community_count);
	bool has_muscle = heist->setup.specialist == SPECIALIST_MUSCLE &&
	                  heist->ability.state == ABILITY_USED &&
	                  heist->ability.proposal.seat == seat;

	return has_muscle ? hand_value_above_ranking(hand.value) : hand.value;
}

/* The seat of a place: the number of hands that are weaker than its own. */
static unsigned play_seat_of_place(const struct heist *heist, unsigned place)
{
	uint32_t values[HEIST_PLAYERS_MAX];

	for (unsigned i = 0; i < heist->setup.players; i++)
		values[i] = play_strength(heist, i + 1);
	for (unsigned seat = 1;; seat++) {
		unsigned weaker = 0;
		for (unsigned i = 0; i < heist->setup.players; i++)
			weaker +=
				values[i] < values[seat - 1] ||
				(values[i] == values[seat - 1] && i + 1 < seat);
		if (weaker == place)
			return seat;
	}
}

/* Unless the seat has the chip already. */
static void play_take(struct play *play, unsigned seat, unsigned stars)
{
	unsigned color = play->gang.heist.round - 1U;

	if (chips_holder(&play->gang.heist.chips[color], stars) == seat)
		return;
	play_must(play,
	          (struct action){ .verb = VERB_TAKE,
	                           .seat = (uint8_t)seat,
	                           .args = { (uint8_t)color, (uint8_t)stars,
	                                     CHIP_FROM_ANYWHERE } });
}

static void play_settle(struct play *play)
{
	for (unsigned seat = 1; seat <= play->gang.players; seat++)
		play_take(play, seat, seat);
}

/* All who have not confirmed the end of the round do, until it ends. */
static void play_confirm(struct play *play)
{
	const struct heist *heist = &play->gang.heist;
	unsigned round = heist->round;

	for (unsigned seat = 1; seat <= play->gang.players; seat++) {
		if (heist->setup.confirms && heist->round == round &&
		    rounds_waiting_for(heist) >> seat & 1)
			play_must(play,
			          (struct action){ .verb = VERB_CONFIRM_ROUND,
			                           .seat = (uint8_t)seat });
	}
}

/* All who owe a private choice make it. */
static void play_choose(struct play *play)
{
	struct ability *use = &play->gang.heist.ability;
	uint8_t options[OPTIONS_MAX];

	for (unsigned seat = 1; seat <= play->gang.players; seat++) {
		if (!(use->choosing >> seat & 1))
			continue;
		if (!choice_options(&play->gang.heist, seat, options))
			options[0] = CHOICE_LOOKED;
		play_must(play, (struct action){ .verb = VERB_CHOOSE,
		                                 .seat = (uint8_t)seat,
		                                 .args = { options[0] } });
	}
}

/* All players who may answer give the same answer, unless they have. */
static void play_say(struct play *play, const char *text)
{
	const struct heist *heist = &play->gang.heist;
	const struct chips *red = &heist->chips[COLOR_RED];

	for (unsigned seat = 1; seat <= play->gang.players; seat++) {
		struct action action = play_answer_of(seat, text);
		bool first = challenges_asking(heist->setup.challenges, 0) ==
		             action.args[ARG_QUESTION];
		const struct question *question = &heist->questions[!first];

		if (seat != chips_holder(red, red->count) &&
		    question->answers[seat - 1] != action.args[ARG_ANSWER])
			play_must(play, action);
	}
}

/* The right answer: the first card or the ranking of the hand in question. */
static const char *play_right_answer(const struct heist *heist,
                                     unsigned challenge)
{
	const struct chips *red = &heist->chips[COLOR_RED];
	const struct pocket *pocket =
		&heist->pockets[chips_holder(red, red->count) - 1];
	struct hand hand = pocket_hand(pocket, heist->community, COMMUNITY_MAX);

	if (challenge == CHALLENGE_RETINA_SCAN)
		return gang_value_text(VALUE_RANK,
		                       card_rank(pocket->cards[0]) + 1);
	return gang_value_text(VALUE_RANKING, hand.ranking + 1U);
}

static void play_answer_rightly(struct play *play)
{
	const struct heist *heist = &play->gang.heist;

	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		unsigned asks = challenges_asking(heist->setup.challenges, i);

		if (asks && !heist->questions[i].agreed)
			play_say(play, play_right_answer(heist, asks));
	}
}

/* Red chips in the order of the hands or not. */
static void play_red(struct play *play, bool rightly)
{
	unsigned players = play->gang.players;
	unsigned order[HEIST_PLAYERS_MAX];

	for (unsigned i = 0; i < players; i++)
		order[i] = play_seat_of_place(&play->gang.heist, i);
	for (unsigned i = 0; i < players; i++)
		play_take(play, order[i], rightly ? i + 1 : players - i);
}

/* Play from the present state to the end of the heist. */
static void play_heist(struct play *play, bool rightly)
{
	const struct heist *heist = &play->gang.heist;

	play_choose(play);
	while (heist->round < COLOR_COUNT) {
		play_settle(play);
		play_confirm(play);
	}
	if (!heist_is_asking(heist)) {
		play_red(play, rightly);
		play_confirm(play);
	}
	if (heist->outcome == OUTCOME_OPEN)
		play_answer_rightly(play);
	assert_int_equal(heist->outcome,
	                 rightly ? OUTCOME_SUCCEEDED : OUTCOME_FAILED);
}

/* Take a card out of a stack, wherever it lies. */
static void play_unstack(struct stack *stack, unsigned card)
{
	uint8_t *place = memchr(stack->cards, (int)card, stack->count);

	stack->seen |= (uint16_t)(1U << card);
	if (card > CARDS) {
		stack->all |= (uint16_t)(1U << card);
		return;
	}
	assert_non_null(place);
	memmove(place, place + 1,
	        (size_t)(stack->cards + --stack->count - place));
}

/* Deal the present heist anew, with one more card in play. */
static void play_plan(struct play *play, const char *word)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct gang *gang = &play->gang;
	struct heist_setup setup = gang->heist.setup;
	unsigned number = (unsigned)strtoul(word + 1, NULL, 10);
	struct rng rng;

	if (gang->mode == GANG_MODE_BASIC)
		gang->mode = GANG_MODE_ADVANCED;
	if (*word == 's') {
		play_unstack(&gang->specialists, number);
		setup.specialist = (uint8_t)number;
	} else {
		play_unstack(&gang->challenges, number);
		setup.challenges |= (uint16_t)(1U << number);
	}
	if (*word == 'p')
		setup.permanent |= (uint16_t)(1U << number);
	rng_init(&rng, seed);
	play->events.count = 0;
	rounds_start(&gang->heist, &setup, &rng, &play->events);
}

/* All players who have not agreed to the proposal agree. */
static void play_agree(struct play *play)
{
	for (unsigned seat = 1; seat <= play->gang.players; seat++) {
		if (play->gang.heist.ability.state == ABILITY_PROPOSED &&
		    !(play->gang.heist.ability.proposal.agreed >> seat & 1))
			play_must(play, (struct action){ .verb = VERB_VOTE,
			                                 .seat = (uint8_t)seat,
			                                 .args = { 1 } });
	}
}

/* The gang's other game takes the place of the one that is over. */
static void play_again(struct play *play, const char *word)
{
	const char *letter = strpbrk(word, "bapm");
	const char *seats = strpbrk(word, "123456789");
	struct action action;
	struct gang next;

	play->last = table_start_rematch(
		&play->table,
		letter ? gang_mode_get(play_mode(*letter))->code : NULL,
		seats ? (unsigned)(*seats - '0') : 0, &next, &action);
	play->events.count = 0;
	if (play->last)
		return;
	play_open(play);
	play_act(play, action);
}

static void play_word(struct play *play, const char *word)
{
	if (*word == 't')
		play_full_table(play, word);
	else if (*word == '=')
		play_settle(play);
	else if (strcmp(word, "S") == 0 || strcmp(word, "F") == 0)
		play_heist(play, *word == 'S');
	else if (*word == 'x' || *word == 'p' || *word == 's')
		play_plan(play, word);
	else if (*word == 'r')
		play_again(play, word);
	else if (*word == '.')
		play_confirm(play);
	else if (*word == '&')
		play_agree(play);
	else if (*word == '*')
		play_choose(play);
	else if (*word == '^')
		play_say(play, word + 1);
	else
		play_act(play, play_action(play, word));
}

void play_on(struct play *play, const char *script)
{
	char words[512];
	char *rest;

	assert_true(strlen(script) < sizeof(words));
	memcpy(words, script, strlen(script) + 1);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		assert_string_equal(err_code(play->last), "ok");
		play_word(play, word);
	}
}

/* --- cards ---------------------------------------------------------------- */

/* Bring a card into a place; what was there goes where it came from. */
static void play_place(struct heist *heist, uint8_t *place, uint8_t card)
{
	uint8_t *from = memchr(heist->deck, card, heist->deck_count);

	for (unsigned i = 0; !from && i < heist->setup.players; i++)
		from = memchr(heist->pockets[i].cards, card,
		              heist->pockets[i].count);
	if (!from)
		from = memchr(heist->community, card, heist->community_count);
	assert_non_null(from);
	*from = *place;
	*place = card;
}

void play_cards(struct play *play, const char *cards)
{
	struct heist *heist = &play->gang.heist;
	unsigned pocket = 0;
	unsigned at = 0;
	bool board = false;

	assert_int_equal(heist->community_count, 0);
	for (const char *text = cards; *text;) {
		uint8_t card;
		if (*text == '/') {
			board = true;
			at = 0;
		} else if (*text == ' ' && !board) {
			pocket++;
			at = 0;
		}
		if (*text == '/' || *text == ' ') {
			text++;
			continue;
		}
		assert_true(card_parse(text, CARD_TEXT_LEN, &card));
		text += CARD_TEXT_LEN;
		play_place(heist,
		           board ? &heist->deck[heist->deck_count - ++at]
		                 : &heist->pockets[pocket].cards[at++],
		           card);
	}
}

/* --- texts ---------------------------------------------------------------- */

void play_print_chips(const struct play *play, char *text)
{
	const struct heist *heist = &play->gang.heist;

	for (unsigned color = 0; color < heist->round; color++) {
		const struct chips *chips = &heist->chips[color];
		if (color)
			*text++ = ' ';
		if (!chips->count)
			*text++ = '.';
		for (unsigned seat = 1; seat <= chips->count; seat++) {
			unsigned stars = chips_held(chips, seat);
			*text++ = (char)(stars ? '0' + stars : '-');
		}
	}
	*text = '\0';
}
