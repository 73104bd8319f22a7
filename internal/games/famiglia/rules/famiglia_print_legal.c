/*
 * Legal actions as JSON: an element for each card that can be taken, played or
 * put away, with the choices that are left.  All of it follows from the view.
 */
#include "games/famiglia/rules/famiglia_print.h"
#include "games/famiglia/rules/famiglia_print_part.h"
#include "table/legal.h"

/* The view that the elements are made of, and where they go. */
struct moves {
	const struct famiglia_view *view;
	const char *game_path;
	struct json_out *out;
};

/* Begin the element for a card. */
static struct legal begin(const struct moves *moves, const char *action,
                          const char *tail, unsigned gangster)
{
	struct legal legal =
		legal_begin(moves->out, action, moves->game_path, tail);

	famiglia_print_gangster("card", gangster, moves->out);
	return legal;
}

/* The member: this many different cards of a set. */
static void choose_some(struct legal *legal, const char *name, unsigned count,
                        uint64_t set)
{
	legal_some_of(legal, name, count);
	famiglia_print_gangster_set("options", set, legal->out);
	json_object_end(legal->out);
}

static void print_refills(const struct moves *moves)
{
	const struct street *street = &moves->view->street;

	if (!moves->view->may_refill)
		return;
	for (unsigned i = 0; i < street->count; i++) {
		struct legal legal = begin(moves, "refill", "/turn/refill",
		                           street->gangsters[i]);

		legal_end(&legal);
	}
}

static unsigned least(unsigned one, unsigned two)
{
	return one < two ? one : two;
}

/* An element for each number of cards: as many are taken as given. */
static void print_swaps(const struct moves *moves)
{
	const struct famiglia_view *view = moves->view;
	uint64_t display = view->displays[view->seat - 1];
	uint64_t able = turn_able(view->hand, FAMILY_ACCOUNTANTS);
	unsigned gangster = GANGSTER_NONE;

	if (turn_check_swap_step(&view->turn))
		return;
	while ((gangster = gangsters_next(able, gangster))) {
		uint64_t others = view->hand & ~gangsters_just(gangster);
		unsigned max = least(gangster_rank(gangster),
		                     least(gangsters_count(others),
		                           gangsters_count(display)));

		for (unsigned count = 1; count <= max; count++) {
			struct legal legal =
				begin(moves, "accountant", "/turn/accountant",
			              gangster);

			choose_some(&legal, "give", count, others);
			choose_some(&legal, "take", count, display);
			legal_end(&legal);
		}
	}
}

/* The cards of the street that a brute can lower by this rank at most. */
static uint64_t find_targets(const struct street *street, unsigned strength,
                             unsigned most)
{
	uint64_t found = 0;

	for (unsigned i = 0; i < street->count; i++) {
		unsigned target = street->gangsters[i];

		if (least(gangster_rank(target), strength) == most)
			found |= gangsters_just(target);
	}
	return found;
}

/* An element for each rank by which some cards can be lowered at most. */
static void print_threats(const struct moves *moves)
{
	const struct famiglia_view *view = moves->view;
	uint64_t able = turn_able(view->hand, FAMILY_BRUTES);
	unsigned gangster = GANGSTER_NONE;

	if (turn_check_threat_step(&view->turn))
		return;
	while ((gangster = gangsters_next(able, gangster))) {
		unsigned strength = gangster_rank(gangster);

		for (unsigned most = 1; most <= strength; most++) {
			uint64_t targets =
				find_targets(&view->street, strength, most);

			if (!targets)
				continue;
			struct legal legal =
				begin(moves, "brute", "/turn/brute", gangster);
			legal_one_of(&legal, "target");
			famiglia_print_gangster_set("options", targets,
			                            moves->out);
			json_object_end(moves->out);
			legal_range(&legal, "by", 1, most);
			legal_end(&legal);
		}
	}
}

/* --- taking and passing --------------------------------------------------- */

/* The pairs of a card that is kept and each other one. */
static void choose_pair(struct legal *legal, unsigned kept, uint64_t others)
{
	struct json_out *out = legal->out;
	unsigned other = GANGSTER_NONE;

	legal_one_of(legal, "pay");
	json_key_array(out, "options");
	while ((other = gangsters_next(others, other))) {
		json_array(out);
		json_string(out, gangster_text(kept));
		json_string(out, gangster_text(other));
		json_array_end(out);
	}
	json_array_end(out);
	json_object_end(out);
}

/* An element for each card that may be kept: it is one of the two shown. */
static void print_payments(const struct moves *moves, unsigned gangster,
                           unsigned rank)
{
	uint64_t hand = moves->view->hand;
	uint64_t cards = recruit_cards(hand, gangster, rank);
	uint64_t stand_ins = recruit_stand_ins(hand, rank);
	unsigned kept = GANGSTER_NONE;

	while ((kept = gangsters_next(cards | stand_ins, kept))) {
		/* One of the two at least is not a stand-in. */
		uint64_t others =
			gangsters_have(cards, kept) ? cards | stand_ins : cards;

		others &= ~gangsters_just(kept);
		if (!others)
			continue;
		struct legal legal =
			begin(moves, "take", "/turn/take", gangster);
		famiglia_print_gangster("keep", kept, moves->out);
		choose_pair(&legal, kept, others);
		legal_end(&legal);
	}
}

static void print_takes(const struct moves *moves)
{
	const struct famiglia_view *view = moves->view;

	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned gangster = view->street.gangsters[i];
		unsigned rank = turn_rank(&view->turn, gangster);

		if (rank) {
			print_payments(moves, gangster, rank);
			continue;
		}
		struct legal legal =
			begin(moves, "take", "/turn/take", gangster);
		legal_end(&legal);
	}
}

void famiglia_print_legal(const void *from, const char *game_path,
                          struct json_out *out)
{
	const struct famiglia_view *view = from;
	struct moves moves = { view, game_path, out };

	if (!view->may_move)
		return;
	print_refills(&moves);
	print_swaps(&moves);
	print_threats(&moves);
	print_takes(&moves);
	legal_print(out, "pass", game_path, "/turn/pass");
}
