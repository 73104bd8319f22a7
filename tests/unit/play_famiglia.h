/*
 * play_famiglia.h - games of Famiglia in a notation of their own, for rows of
 * tests.
 *
 * A setup says how the cards lie, in words; "" leaves them as they were dealt
 * by a seed of zeros, and the game in its first turn:
 *
 *   s=m1a,f2b  the street          p=b1a,b2a  the draw pile, the top one first
 *   d=b1b      the discards        A=m2a      in A's hand, beside the zeros
 * that A_=f1a     A has exhausted it  ---        A begins with, unless A_ has
 * them 2          in the second pass b          B is to move, and not A ~ the
 * turn before was a pass _          what is not named lies in the displays,
 * evenly; else it lies beneath the pile (or, a zero in the second pass, in a
 * display)
 *
 * So many turns have gone by as the players need for what they own.
 *
 * A script is a line of words, each something a player does:
 *
 *   n          a table is created, and A sits down at it
 *   j          the next player sits down
 *   t          both at once
 *   A-m1a      A refills the street: m1a goes
 *   A$a2a:f0a,m0a<f1b,m1a   A plays an accountant, gives f0a and m0a and takes
 *              back f1b and m1a
 *   A*b2a:f3a-1             A plays a brute against f3a, lowering it by 1
 *   A+f0c      A takes a card for nothing
 *   A+f2a:f1b,m3a^f1b       A takes f2a, shows f1b and m3a, and keeps f1b
 *   A/         A passes
 *   A!  A!B    A leaves; A removes B
 *   As         A wants to start
 *   A#         A notes that there is a rematch
 *   r          the same two go on in that other game, which takes this one's
 *              place
 *   A?         A does something no game knows
 *
 * A card that is no card ("x") is number 61.
 */
#ifndef TESTS_PLAY_FAMIGLIA_H
#define TESTS_PLAY_FAMIGLIA_H

#include <string.h>

#include "famiglia/famiglia.h"
#include "famiglia/famiglia_ruleset.h"
#include "rows.h"
#include "table/table.h"

struct play {
	struct table table;
	struct famiglia game;
	struct events events; /* of the last action */
	enum err last;        /* what it came to */
};

static inline void play_open(struct play *play)
{
	memset(play, 0, sizeof(*play));
	play->table.rules = &famiglia_ruleset;
	play->table.state = &play->game;
}

static inline void play_act(struct play *play, struct action action)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	rng_init(&rng, seed);
	play->events.count = 0;
	play->last = table_apply(&play->table, &action, &rng, &play->events);
}

/* --- cards ---------------------------------------------------------------- */

/* Read a card and go on behind it. */
static inline uint8_t play_card(const char **at)
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

/* Read cards with commas between; how many. */
static inline unsigned play_cards(const char **at, uint8_t *gangsters)
{
	unsigned count = 0;

	while (**at && strchr("fmbax", **at)) {
		gangsters[count++] = play_card(at);
		if (**at == ',')
			++*at;
	}
	return count;
}

static inline uint64_t play_set(const char *text)
{
	uint8_t gangsters[GANGSTER_COUNT];
	unsigned count = play_cards(&text, gangsters);
	uint64_t set = 0;

	assert_string_equal(text, "");
	for (unsigned i = 0; i < count; i++)
		set |= gangsters_just(gangsters[i]);
	return set;
}

/* --- words ---------------------------------------------------------------- */

static inline uint8_t play_seat(char letter)
{
	assert_in_range(letter, 'A', 'C');
	return (uint8_t)(letter - 'A' + 1);
}

static inline void play_swap(struct action *action, const char *at)
{
	action->verb = VERB_SWAP;
	action->args[ARG_PLAYED] = play_card(&at);
	assert_int_equal(*at++, ':');
	(void)play_cards(&at, action->args + ARG_GIVE);
	assert_int_equal(*at++, '<');
	(void)play_cards(&at, action->args + ARG_TAKEN);
}

static inline void play_threat(struct action *action, const char *at)
{
	action->verb = VERB_THREATEN;
	action->args[ARG_PLAYED] = play_card(&at);
	assert_int_equal(*at++, ':');
	action->args[ARG_THREATENED] = play_card(&at);
	assert_int_equal(*at++, '-');
	action->args[ARG_BY] = (uint8_t)(*at - '0');
}

static inline void play_recruit(struct action *action, const char *at)
{
	action->verb = VERB_RECRUIT;
	action->args[ARG_PLAYED] = play_card(&at);
	if (*at == ':') {
		at++;
		(void)play_cards(&at, action->args + ARG_PAY);
	}
	if (*at == '^') {
		at++;
		action->args[ARG_KEEP] = play_card(&at);
	}
}

static inline struct action play_action(const char *word)
{
	struct action action = { .seat = play_seat(*word) };

	switch (word[1]) {
	case '-':
		action.verb = VERB_REFILL;
		word += 2;
		action.args[ARG_PLAYED] = play_card(&word);
		return action;
	case '$':
		play_swap(&action, word + 2);
		return action;
	case '*':
		play_threat(&action, word + 2);
		return action;
	case '+':
		play_recruit(&action, word + 2);
		return action;
	case '/':
		action.verb = VERB_PASS;
		return action;
	case '!':
		action.verb = VERB_LEAVE;
		action.args[LEAVE_SEAT] = play_seat(word[2] ? word[2] : *word);
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

static inline void play_join(struct play *play)
{
	play_act(play, (struct action){ .verb = VERB_JOIN });
}

static inline void play_create(struct play *play)
{
	play_act(play, (struct action){ .verb = VERB_CREATE,
	                                .args = { [CREATE_SEATS] = 2 } });
}

/* The other game takes the place of the one that is over. */
static inline void play_again(struct play *play)
{
	struct famiglia next;
	struct action action;

	assert_int_equal(table_start_rematch(&play->table, NULL, 0, &next,
	                                     &action),
	                 ERR_OK);
	play_open(play);
	play_act(play, action);
}

static inline void play_word(struct play *play, const char *word)
{
	switch (*word) {
	case 'n':
		play_create(play);
		return;
	case 'j':
		play_join(play);
		return;
	case 't':
		play_create(play);
		play_join(play);
		return;
	case 'r':
		play_again(play);
		return;
	}
	play_act(play, play_action(word));
}

/* Call each() with every word of a line. */
static inline void play_each(void *arg, const char *line,
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

static inline void play_next(void *play, const char *word)
{
	assert_string_equal(err_code(((struct play *)play)->last), "ok");
	play_word(play, word);
}

/* Play on.  Only the last word may be refused. */
static inline void play_on(struct play *play, const char *script)
{
	play_each(play, script, play_next);
}

/* --- setups --------------------------------------------------------------- */

struct setup {
	uint64_t placed;
	uint8_t top[PILE_MAX]; /* of the pile, the top one first */
	unsigned top_count;
	bool of_second_player;
	bool to_displays;
	struct famiglia *game;
};

static inline void setup_side(struct setup *setup, const char *word)
{
	struct side *side = &setup->game->sides[play_seat(*word) - 1];
	bool is_display = word[1] == '_';
	uint64_t set = play_set(word + 2 + is_display);

	setup->placed |= set;
	side->hand &= ~set;
	if (is_display)
		side->display |= set;
	else
		side->hand |= set;
}

static inline void setup_word(void *arg, const char *word)
{
	struct setup *setup = arg;
	struct famiglia *game = setup->game;
	const char *at = word + 2;

	switch (*word) {
	case 's':
		game->street.count =
			(uint8_t)play_cards(&at, game->street.gangsters);
		setup->placed |= street_set(&game->street);
		return;
	case 'p':
		setup->top_count = play_cards(&at, setup->top);
		setup->placed |= play_set(word + 2);
		return;
	case 'd':
		game->pile.discards = play_set(at);
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

static inline unsigned setup_owned(const struct famiglia *game, unsigned seat)
{
	return gangsters_count(game->sides[seat - 1].hand |
	                       game->sides[seat - 1].display);
}

static inline void setup_rest(struct setup *setup)
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
static inline void setup_turn(struct setup *setup)
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
static inline void play_setup(struct play *play, const char *words)
{
	struct famiglia game = { .starter = 1, .players = FAMIGLIA_SEATS };
	struct setup setup = { .game = &game };

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		game.sides[seat - 1].hand = gangsters_first(seat);
		setup.placed |= gangsters_first(seat);
	}
	play_each(&setup, words, setup_word);
	setup_rest(&setup);
	setup_turn(&setup);
	assert_true(famiglia_valid(&game));
	play->game = game;
}

/* A table for two whose cards lie so. */
static inline void play_begin(struct play *play, const char *setup)
{
	play_open(play);
	play_on(play, "t");
	if (*setup)
		play_setup(play, setup);
}

#endif
