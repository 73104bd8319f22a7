/*
 * famiglia_play.c - plays scripts of Famiglia.
 *
 * Each word is turned into an action and applied by table_apply() with a seed
 * of zeros, so a script always deals the same cards.  A setup replaces the
 * state of a game that has just begun; the state that results must be valid.
 * Words and setups are described in famiglia_play.h.
 */
#include "famiglia_play.h"

#include <string.h>

void fam_play_open(struct fam_play *play)
{
	memset(play, 0, sizeof(*play));
	play->table.rules = &famiglia_ruleset;
	play->table.state = &play->game;
}

void fam_play_act(struct fam_play *play, struct action action)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	rng_init(&rng, seed);
	play->events.count = 0;
	play->last = table_apply(&play->table, &action, &rng, &play->events);
}

/* --- cards ---------------------------------------------------------------- */

uint8_t fam_play_card(const char **at)
{
	uint8_t gangster = GANGSTER_COUNT + 1;

	if (**at == 'x') {
		++*at;
		return gangster;
	}
	assert_true(famiglia_gangster_parse(*at, GANGSTER_TEXT_LEN, &gangster));
	*at += GANGSTER_TEXT_LEN;
	return gangster;
}

unsigned fam_play_cards(const char **at, uint8_t *gangsters)
{
	unsigned count = 0;

	while (**at && strchr("fmbax", **at)) {
		gangsters[count++] = fam_play_card(at);
		if (**at == ',')
			++*at;
	}
	return count;
}

uint64_t fam_play_set(const char *text)
{
	uint8_t gangsters[GANGSTER_COUNT];
	unsigned count = fam_play_cards(&text, gangsters);
	uint64_t set = 0;

	assert_string_equal(text, "");
	for (unsigned i = 0; i < count; i++)
		set |= gangsters_just(gangsters[i]);
	return set;
}

/* --- words ---------------------------------------------------------------- */

uint8_t fam_play_seat(char letter)
{
	assert_in_range(letter, 'A', 'C');
	return (uint8_t)(letter - 'A' + 1);
}

static void fam_play_swap(struct action *action, const char *at)
{
	action->verb = VERB_SWAP;
	action->args[ARG_PLAYED] = fam_play_card(&at);
	assert_int_equal(*at++, ':');
	(void)fam_play_cards(&at, action->args + ARG_GIVE);
	assert_int_equal(*at++, '<');
	(void)fam_play_cards(&at, action->args + ARG_TAKEN);
}

static void fam_play_threat(struct action *action, const char *at)
{
	action->verb = VERB_THREATEN;
	action->args[ARG_PLAYED] = fam_play_card(&at);
	assert_int_equal(*at++, ':');
	action->args[ARG_THREATENED] = fam_play_card(&at);
	assert_int_equal(*at++, '-');
	action->args[ARG_BY] = (uint8_t)(*at - '0');
}

static void fam_play_recruit(struct action *action, const char *at)
{
	action->verb = VERB_TAKE;
	action->args[ARG_PLAYED] = fam_play_card(&at);
	if (*at == ':') {
		at++;
		(void)fam_play_cards(&at, action->args + ARG_PAY);
	}
	if (*at == '^') {
		at++;
		action->args[ARG_KEEP] = fam_play_card(&at);
	}
}

struct action fam_play_action(const char *word)
{
	struct action action = { .seat = fam_play_seat(*word) };

	switch (word[1]) {
	case '-':
		action.verb = VERB_REFILL;
		word += 2;
		action.args[ARG_PLAYED] = fam_play_card(&word);
		return action;
	case '$':
		fam_play_swap(&action, word + 2);
		return action;
	case '*':
		fam_play_threat(&action, word + 2);
		return action;
	case '+':
		fam_play_recruit(&action, word + 2);
		return action;
	case '/':
		action.verb = VERB_PASS;
		return action;
	case '!':
		action.verb = VERB_LEAVE;
		action.args[LEAVE_SEAT] =
			fam_play_seat(word[2] ? word[2] : *word);
		action.args[LEAVE_ABSENT] = strchr(word, '?') != NULL;
		return action;
	case 's':
		action.verb = VERB_START;
		return action;
	case '#':
		action.verb = VERB_REMATCH;
		action.args[0] = 1;
		return action;
	}
	action.verb = 250;
	return action;
}

void fam_play_join(struct fam_play *play)
{
	fam_play_act(play, (struct action){ .verb = VERB_JOIN });
}

static void fam_play_create(struct fam_play *play)
{
	fam_play_act(play, (struct action){ .verb = VERB_CREATE,
	                                    .args = { [CREATE_SEATS] = 2 } });
}

/* The other game takes the place of the one that is over. */
static void fam_play_again(struct fam_play *play)
{
	struct famiglia next;
	struct action action;

	assert_int_equal(table_start_rematch(&play->table, NULL, 0, &next,
	                                     &action),
	                 ERR_OK);
	fam_play_open(play);
	fam_play_act(play, action);
}

static void fam_play_word(struct fam_play *play, const char *word)
{
	switch (*word) {
	case 'n':
		fam_play_create(play);
		return;
	case 'j':
		fam_play_join(play);
		return;
	case 't':
		fam_play_create(play);
		fam_play_join(play);
		return;
	case 'r':
		fam_play_again(play);
		return;
	}
	fam_play_act(play, fam_play_action(word));
}

void fam_play_each(void *arg, const char *line,
                   void (*each)(void *arg, const char *word))
{
	char words[1024];
	char *rest;

	assert_true(strlen(line) < sizeof(words));
	memcpy(words, line, strlen(line) + 1);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		each(arg, word);
}

static void fam_play_next(void *play, const char *word)
{
	assert_string_equal(err_code(((struct fam_play *)play)->last), "ok");
	fam_play_word(play, word);
}

void fam_play_on(struct fam_play *play, const char *script)
{
	fam_play_each(play, script, fam_play_next);
}

/* --- setups --------------------------------------------------------------- */

/* A setup while its words are read. */
struct setup {
	uint64_t placed;
	uint8_t top[PILE_MAX]; /* of the pile, the top one first */
	unsigned top_count;
	bool of_second_player;
	bool to_displays;
	struct famiglia *game;
};

static void setup_side(struct setup *setup, const char *word)
{
	struct side *side = &setup->game->sides[fam_play_seat(*word) - 1];
	bool is_display = word[1] == '_';
	uint64_t set = fam_play_set(word + 2 + is_display);

	setup->placed |= set;
	side->hand &= ~set;
	if (is_display)
		side->display |= set;
	else
		side->hand |= set;
}

static void setup_word(void *arg, const char *word)
{
	struct setup *setup = arg;
	struct famiglia *game = setup->game;
	const char *at = word + 2;

	switch (*word) {
	case 's':
		game->street.count =
			(uint8_t)fam_play_cards(&at, game->street.gangsters);
		setup->placed |= street_set(&game->street);
		return;
	case 'p':
		setup->top_count = fam_play_cards(&at, setup->top);
		setup->placed |= fam_play_set(word + 2);
		return;
	case 'd':
		game->pile.discards = fam_play_set(at);
		setup->placed |= game->pile.discards;
		return;
	case '2':
		game->pile.second_pass = true;
		return;
	case 'b':
		setup->of_second_player = true;
		return;
	case '~':
		game->has_passed = true;
		return;
	case '_':
		setup->to_displays = true;
		return;
	}
	setup_side(setup, word);
}

static unsigned setup_owned(const struct famiglia *game, unsigned seat)
{
	return gangsters_count(game->sides[seat - 1].hand |
	                       game->sides[seat - 1].display);
}

static void setup_rest(struct setup *setup)
{
	struct famiglia *game = setup->game;
	struct pile *pile = &game->pile;

	for (unsigned i = 1; i <= GANGSTER_COUNT; i++) {
		bool is_zero = gangster_rank(i) == 0;
		bool is_less = setup_owned(game, 1) <= setup_owned(game, 2);

		if (gangsters_have(setup->placed, i))
			continue;
		if (setup->to_displays || (is_zero && pile->second_pass))
			game->sides[!is_less].display |= gangsters_just(i);
		else
			pile->gangsters[pile->count++] = (uint8_t)i;
	}
	for (unsigned i = setup->top_count; i > 0; i--)
		pile->gangsters[pile->count++] = setup->top[i - 1];
}

/* The first turn by which each can own what it does. */
static void setup_turn(struct setup *setup)
{
	struct famiglia *game = setup->game;
	unsigned rounds = game->has_passed;

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		unsigned taken = setup_owned(game, seat) - FAMILY_COUNT;

		if (taken > rounds)
			rounds = taken;
	}
	game->turn.number = (uint8_t)(1 + 2 * rounds);
	game->turn.number += setup->of_second_player;
	if (!game->pile.count)
		game->last_turn =
			(uint8_t)(game->turn.number + game->turn.number % 2);
}

/* Lay the cards of a game that has just begun as a setup says. */
static void fam_play_setup(struct fam_play *play, const char *words)
{
	struct famiglia game = { .starter = 1, .players = FAMIGLIA_SEATS };
	struct setup setup = { .game = &game };

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		game.sides[seat - 1].hand = gangsters_first(seat);
		setup.placed |= gangsters_first(seat);
	}
	fam_play_each(&setup, words, setup_word);
	setup_rest(&setup);
	setup_turn(&setup);
	assert_true(famiglia_valid(&game));
	play->game = game;
}

void fam_play_begin(struct fam_play *play, const char *setup)
{
	fam_play_open(play);
	fam_play_on(play, "t");
	if (*setup)
		fam_play_setup(play, setup);
}
