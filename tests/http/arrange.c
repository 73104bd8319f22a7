/*
 * arrange.c - arrange RULESET STATE COMMAND...: changes a game's state so that
 * certain cards come into play.
 *
 * RULESET and STATE (in hexadecimal digits) are those of the game's row.  The
 * commands of The Gang:
 *
 *   next challenge|specialist CODE
 *                            this card comes up next from its stack
 *   active CODE...           in a first heist that has challenges, these are
 *                            they, as many
 *   deal 1=AhKd 3=2c2d board=JhTs3c4d5d
 *                            before the first chip of a heist is moved: these
 *                            seats hold these cards, and those on the board
 *                            come up after them, in this order;
 *                            arrange_famiglia.h describes Famiglia's deal
 *
 * The new state is the first line of the output.  If the events of the heist's
 * deal have to be written again, the heist's number follows, and a line for
 * each event with its public and its private payload; one that is empty stays
 * as it is.  With a fault, the output is its text, and the status is 1.
 *
 * The rules' own functions read, change and check the state.  A named card
 * changes places with the card that was there, so every card is still in one
 * place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "arrange_famiglia.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/specialist.h"

/* A game that is being changed. */
struct arranged {
	struct arena arena;
	char **rest; /* of the command's words */
	const char *wrong;
	size_t len; /* of the state, as it was read */
	uint8_t state[RULESET_STATE_MAX];
	struct gang gang;
};

static bool fail(struct arranged *arranged, const char *what, const char *why)
{
	arranged->wrong = arena_printf(&arranged->arena, "%s %s", what, why);
	return false;
}

/* The next word of the command; NULL at its end. */
static const char *next_word(struct arranged *arranged)
{
	return *arranged->rest ? *arranged->rest++ : NULL;
}

/* --- the output ----------------------------------------------------------- */

static void print_hex(const uint8_t *bytes, size_t len, char end)
{
	for (size_t i = 0; i < len; i++)
		printf("%02x", bytes[i]);
	putchar(end);
}

static bool print_gang(struct arranged *arranged)
{
	uint8_t state[RULESET_STATE_MAX];

	if (!gang_valid(&arranged->gang))
		return fail(arranged, "the game", "would not be valid");
	print_hex(state, gang_encode(&arranged->gang, state), '\n');
	return true;
}

/* --- what the log says ---------------------------------------------------- */

static void emit_pockets(const struct heist *heist, struct event *event)
{
	event->private_len = 0;
	for (unsigned i = 0; i < heist->setup.players; i++) {
		const struct pocket *pocket = &heist->pockets[i];

		for (unsigned k = 0; k < pocket->count; k++)
			event_put_private(event, pocket->cards[k]);
	}
}

/*
 * The events of a heist's beginning: the rules write them, of other cards,
 * and then the cards are put right.
 */
static void tell_beginning(struct heist *heist, struct events *events)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct events used = { .count = 0 };
	struct rng rng;
	struct heist other;

	rng_init(&rng, seed);
	rounds_start(&other, &heist->setup, &rng, events);
	heist_reset_ability(heist);
	ability_begin(heist, &used);
	for (unsigned i = 0, at = 0; i < events->count; i++) {
		struct event *event = &events->list[i];

		if (event->type == EVENT_SPECIALIST_USED)
			*event = used.list[at++];
		else if (event->type == EVENT_CARDS_DEALT)
			emit_pockets(heist, event);
		else if (event->type == EVENT_ROUND_STARTED)
			memcpy(event->public_data + 1, heist->community,
			       heist->community_count);
	}
}

/* Print the game, and the beginning of its heist. */
static bool print_heist(struct arranged *arranged)
{
	const struct heist *heist = &arranged->gang.heist;
	struct events events = { .count = 0 };

	tell_beginning(&arranged->gang.heist, &events);
	if (!print_gang(arranged))
		return false;
	printf("%u\n", heist->setup.number);
	for (unsigned i = 0; i < events.count; i++) {
		const struct event *event = &events.list[i];

		print_hex(event->public_data, event->public_len, ' ');
		print_hex(event->private_data, event->private_len, '\n');
	}
	return true;
}

/* --- stacks --------------------------------------------------------------- */

static const char *challenge_code(unsigned number)
{
	return gang_challenge_get(number)->code;
}

static const char *specialist_code(unsigned number)
{
	return gang_specialist_get(number)->code;
}

/* The cards of a stack. */
struct cards {
	unsigned max;
	const char *(*code)(unsigned number);
};
static const struct cards challenges = { CHALLENGE_MAX, challenge_code };
static const struct cards specialists = { SPECIALIST_MAX, specialist_code };

/* The number of the card that the next word names; 0 without a word. */
static unsigned next_card(struct arranged *arranged, const struct cards *cards)
{
	const char *word = next_word(arranged);

	for (unsigned number = 1; word && number <= cards->max; number++) {
		if (strcmp(cards->code(number), word) == 0)
			return number;
	}
	fail(arranged, word ? word : "nothing", "is no card");
	return 0;
}

/* The place of a card in its stack; NULL if it is not there. */
static uint8_t *place_in(struct arranged *arranged, struct stack *stack,
                         unsigned card)
{
	for (unsigned i = 0; i < stack->count; i++) {
		if (stack->cards[i] == card)
			return &stack->cards[i];
	}
	fail(arranged, "the card", "is not in its stack");
	return NULL;
}

static bool arrange_next(struct arranged *arranged)
{
	const char *word = next_word(arranged);
	bool is_challenge = word && strcmp(word, "challenge") == 0;
	struct stack *stack = is_challenge ? &arranged->gang.challenges
	                                   : &arranged->gang.specialists;
	unsigned card =
		next_card(arranged, is_challenge ? &challenges : &specialists);
	uint8_t *place = card ? place_in(arranged, stack, card) : NULL;

	if (!place)
		return false;
	memmove(stack->cards + 1, stack->cards, (size_t)(place - stack->cards));
	stack->cards[0] = (uint8_t)card;
	/* Else the stack would be shuffled when the card comes up. */
	stack->seen &= (uint16_t) ~(1U << card);
	return print_gang(arranged);
}

/* --- active challenges ---------------------------------------------------- */

/* Give each pocket the number of cards that the challenges want. */
static void fit_pockets(struct heist *heist)
{
	unsigned wanted = challenges_pocket_cards(heist->setup.challenges);

	for (unsigned i = 0; i < heist->setup.players; i++) {
		struct pocket *pocket = &heist->pockets[i];

		while (pocket->count < wanted)
			pocket->cards[pocket->count++] =
				heist->deck[--heist->deck_count];
		while (pocket->count > wanted)
			heist->deck[heist->deck_count++] =
				pocket->cards[--pocket->count];
	}
}

/* The coming challenges change places with the leaving ones. */
static bool swap_challenges(struct arranged *arranged, uint16_t leaving,
                            uint16_t coming)
{
	struct stack *stack = &arranged->gang.challenges;

	stack->seen = (uint16_t)((stack->seen & ~leaving) | coming);
	while (coming) {
		uint8_t *place = place_in(arranged, stack,
		                          (unsigned)__builtin_ctz(coming));

		if (!place)
			return false;
		*place = (uint8_t)__builtin_ctz(leaving);
		coming &= (uint16_t)(coming - 1);
		leaving &= (uint16_t)(leaving - 1);
	}
	return true;
}

static bool arrange_active(struct arranged *arranged)
{
	struct heist_setup *setup = &arranged->gang.heist.setup;
	uint16_t wanted = 0;

	for (int i = __builtin_popcount(setup->challenges); i > 0; i--) {
		unsigned card = next_card(arranged, &challenges);

		if (!card)
			return false;
		wanted |= (uint16_t)(1U << card);
	}
	if (setup->number != 1 || next_word(arranged))
		return fail(arranged, "a first heist",
		            "has others, but as many");
	if (!swap_challenges(arranged, setup->challenges & ~wanted,
	                     wanted & ~setup->challenges))
		return false;
	if (setup->permanent)
		setup->permanent = wanted;
	setup->challenges = wanted;
	fit_pockets(&arranged->gang.heist);
	return print_heist(arranged);
}

/* --- cards ---------------------------------------------------------------- */

static uint8_t *place_among(uint8_t *cards, unsigned count, unsigned card)
{
	for (unsigned i = 0; i < count; i++) {
		if (cards[i] == card)
			return &cards[i];
	}
	return NULL;
}

static uint8_t *place_of(struct heist *heist, unsigned card)
{
	uint8_t *place =
		place_among(heist->community, heist->community_count, card);

	for (unsigned i = 0; !place && i < heist->setup.players; i++)
		place = place_among(heist->pockets[i].cards,
		                    heist->pockets[i].count, card);
	return place ? place
	             : place_among(heist->deck, heist->deck_count, card);
}

/* The i-th card of the board (seat 0) or of a pocket; NULL if too far. */
static uint8_t *place_at(struct heist *heist, unsigned seat, unsigned i)
{
	if (seat > heist->setup.players)
		return NULL;
	if (seat)
		return i < heist->pockets[seat - 1].count
		               ? &heist->pockets[seat - 1].cards[i]
		               : NULL;
	if (i < heist->community_count)
		return &heist->community[i];
	i -= heist->community_count;
	return i < heist->deck_count ? &heist->deck[heist->deck_count - 1 - i]
	                             : NULL;
}

/* "1=AhKd" or "board=...": each card changes places with what is there. */
static bool deal_to(struct arranged *arranged, const char *word)
{
	struct heist *heist = &arranged->gang.heist;
	const char *cards = strchr(word, '=');
	bool on_board = strncmp(word, "board=", 6) == 0;
	unsigned long seat = on_board ? 0 : strtoul(word, NULL, 10);

	if (!cards || (!on_board && !seat))
		return fail(arranged, word, "is no deal");
	cards++;
	for (unsigned i = 0; *cards; i++, cards += CARD_TEXT_LEN) {
		uint8_t card;

		if (!card_parse(cards, strnlen(cards, CARD_TEXT_LEN), &card))
			return fail(arranged, cards, "are no cards");
		uint8_t *to = place_at(heist, (unsigned)seat, i);
		uint8_t *from = place_of(heist, card);
		if (!from || !to)
			return fail(arranged, cards, "have no place");
		*from = *to;
		*to = card;
	}
	return true;
}

static bool arrange_deal(struct arranged *arranged)
{
	const char *word;

	if (!arranged->gang.players)
		return fail(arranged, "the game", "has not begun");
	while ((word = next_word(arranged))) {
		if (!deal_to(arranged, word))
			return false;
	}
	return print_heist(arranged);
}

static void arrange_gang(struct arranged *arranged)
{
	const char *verb = next_word(arranged);

	if (!gang_decode(&arranged->gang, arranged->state, arranged->len))
		fail(arranged, "the state", "cannot be read");
	else if (strcmp(verb, "next") == 0)
		arrange_next(arranged);
	else if (strcmp(verb, "active") == 0)
		arrange_active(arranged);
	else
		arrange_deal(arranged);
}

/* The street of its beginning stays in the log as it was. */
static void deal_famiglia(struct arranged *arranged)
{
	arranged->wrong = arrange_famiglia(arranged->rest + 1, arranged->state,
	                                   &arranged->len, &arranged->arena);
	if (!arranged->wrong)
		print_hex(arranged->state, arranged->len, '\n');
}

int main(int argc, char **argv)
{
	struct arranged arranged = { .wrong = NULL };

	if (argc < 4 ||
	    sodium_hex2bin(arranged.state, sizeof(arranged.state), argv[2],
	                   strlen(argv[2]), NULL, &arranged.len, NULL)) {
		fprintf(stderr, "usage: arrange RULESET STATE COMMAND...\n");
		return 2;
	}
	arena_init(&arranged.arena);
	arranged.rest = argv + 3;
	if (strtoul(argv[1], NULL, 10) == FAMIGLIA_RULESET_NUMBER)
		deal_famiglia(&arranged);
	else
		arrange_gang(&arranged);
	if (arranged.wrong)
		puts(arranged.wrong);
	arena_fini(&arranged.arena);
	return arranged.wrong != NULL;
}
