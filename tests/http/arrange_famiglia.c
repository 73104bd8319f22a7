/*
 * arrange_famiglia.c - lays the cards of a game of Famiglia.
 *
 * The words are read into an empty state, each card once; the cards that no
 * word names go beneath the pile or where "rest" says.  The turn is the first
 * one of the starting player in which both can own so much.  The rules must
 * accept the state that results.
 */
#include "arrange_famiglia.h"

#include <string.h>

#include "games/famiglia/rules/famiglia.h"

enum place {
	PLACE_NONE,
	PLACE_STREET,
	PLACE_PILE,
	PLACE_DISCARDS,
	PLACE_HAND, /* of seat 1; then of seat 2, and their displays */
	PLACE_DISPLAY = PLACE_HAND + FAMIGLIA_SEATS,
	PLACE_COUNT = PLACE_DISPLAY + FAMIGLIA_SEATS,
};

static const char *const names[PLACE_COUNT] = {
	"", "street", "pile", "discards", "1", "2", "1.display", "2.display",
};

/* A game whose gangsters are laid out, one by one. */
struct laying {
	struct famiglia game;
	struct arena *arena;
	const char *wrong;
	uint64_t left;    /* that lie nowhere yet */
	enum place rest;  /* where they go in the end */
	struct pile next; /* what comes up first, in this order */
};

static bool fail(struct laying *laying, const char *what, const char *why)
{
	laying->wrong = arena_printf(laying->arena, "%s %s", what, why);
	return false;
}

static enum place place_of(const char *name)
{
	for (unsigned i = 1; i < PLACE_COUNT; i++) {
		if (strcmp(names[i], name) == 0)
			return (enum place)i;
	}
	return PLACE_NONE;
}

static void push(struct pile *pile, unsigned gangster)
{
	pile->gangsters[pile->count++] = (uint8_t)gangster;
}

static void put(struct laying *laying, enum place place, unsigned gangster)
{
	uint64_t just = gangsters_just(gangster);
	struct famiglia *game = &laying->game;

	laying->left &= ~just;
	if (place == PLACE_STREET)
		street_lay(&game->street, gangster);
	else if (place == PLACE_PILE)
		push(&laying->next, gangster);
	else if (place == PLACE_DISCARDS)
		game->pile.discards |= just;
	else if (place < PLACE_DISPLAY)
		game->sides[place - PLACE_HAND].hand |= just;
	else
		game->sides[place - PLACE_DISPLAY].display |= just;
}

static bool put_all(struct laying *laying, enum place place, const char *cards)
{
	for (; *cards; cards += strspn(cards, ",")) {
		size_t len = strcspn(cards, ",");
		uint8_t gangster;

		if (!famiglia_gangster_parse(cards, len, &gangster))
			return fail(laying, cards, "is no card");
		if (!gangsters_have(laying->left, gangster))
			return fail(laying, cards, "lies somewhere else");
		put(laying, place, gangster);
		cards += len;
	}
	return true;
}

/* "street=f3a,m1b", "rest=2.display", "pass=2" */
static bool lay_word(struct laying *laying, char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return fail(laying, word, "says nothing");
	*value++ = '\0';
	if (strcmp(word, "pass") == 0) {
		laying->game.pile.second_pass = strcmp(value, "2") == 0;
		return true;
	}
	bool is_rest = strcmp(word, "rest") == 0;
	enum place place = place_of(is_rest ? value : word);
	if (!place)
		return fail(laying, word, "is no place");
	if (is_rest)
		laying->rest = place;
	return is_rest || put_all(laying, place, value);
}

/* The zeros that seats began with go to them, all else to one place. */
static void lay_rest(struct laying *laying)
{
	struct pile *pile = &laying->game.pile;
	unsigned gangster = GANGSTER_NONE;

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		uint64_t first = gangsters_first(seat) & laying->left;

		laying->game.sides[seat - 1].hand |= first;
		laying->left &= ~first;
	}
	while ((gangster = gangsters_next(laying->left, gangster))) {
		if (laying->rest == PLACE_PILE)
			push(pile, gangster);
		else
			put(laying, laying->rest, gangster);
	}
	while (laying->next.count)
		push(pile, laying->next.gangsters[--laying->next.count]);
}

/* The earliest turn of the starting player in which both can own so much. */
static void set_turn(struct famiglia *game)
{
	unsigned rounds = 0;

	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		const struct side *side = &game->sides[i];
		unsigned taken = gangsters_count(side->hand | side->display) -
		                 FAMILY_COUNT;

		if (taken > rounds)
			rounds = taken;
	}
	game->turn.number = (uint8_t)(1 + 2 * rounds);
	game->last_turn =
		(uint8_t)(game->pile.count ? 0 : game->turn.number + 1);
}

const char *arrange_famiglia(char **words, uint8_t *state, size_t *len,
                             struct arena *arena)
{
	struct famiglia before;
	struct laying laying = {
		.arena = arena,
		.left = GANGSTERS_ALL,
		.rest = PLACE_PILE,
	};

	if (!famiglia_decode(&before, state, *len) || !before.players)
		return "the game has not begun";
	laying.game.starter = before.starter;
	laying.game.players = before.players;
	laying.game.vacant = before.vacant;
	for (; *words; words++) {
		if (!lay_word(&laying, *words))
			return laying.wrong;
	}
	lay_rest(&laying);
	set_turn(&laying.game);
	if (!famiglia_valid(&laying.game))
		return "such a game cannot be";
	*len = famiglia_encode(&laying.game, state);
	return NULL;
}
