/*
 * Legal actions as JSON: an element for each card that can be taken, played or
 * put away, with the choices that are left.  All of it follows from the view.
 */
#include "famiglia/famiglia_print.h"
#include "famiglia/famiglia_print_part.h"

struct legal {
	const struct famiglia_view *view;
	const char *game_path;
	struct json_out *out;
};

/* Begin the element for a card, up to the value of "choose". */
static void begin(const struct legal *legal, const char *name, const char *tail,
                  unsigned gangster)
{
	ruleset_begin_legal(legal->out, name, legal->game_path, tail);
	json_key_object(legal->out, "body");
	famiglia_print_gangster("card", gangster, legal->out);
	json_object_end(legal->out);
	json_key(legal->out, "choose");
}

static void print_refills(const struct legal *legal)
{
	const struct street *street = &legal->view->street;

	if (!legal->view->may_refill)
		return;
	for (unsigned i = 0; i < street->count; i++) {
		begin(legal, "refill", "/turn/refill", street->gangsters[i]);
		json_null(legal->out);
		json_object_end(legal->out);
	}
}

static unsigned least(unsigned one, unsigned two)
{
	return one < two ? one : two;
}

/* --- accountants ---------------------------------------------------------- */

static void print_count(unsigned max, struct json_out *out)
{
	json_key_object(out, "count");
	json_key_int(out, "min", 1);
	json_key_int(out, "max", max);
	json_object_end(out);
}

static void print_swaps(const struct legal *legal)
{
	const struct famiglia_view *view = legal->view;
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

		if (!max)
			continue;
		begin(legal, "accountant", "/turn/accountant", gangster);
		json_object(legal->out);
		print_count(max, legal->out);
		famiglia_print_gangster_set("give", others, legal->out);
		famiglia_print_gangster_set("take", display, legal->out);
		json_object_end(legal->out);
		json_object_end(legal->out);
	}
}

/* --- brutes --------------------------------------------------------------- */

static bool has_target(const struct street *street)
{
	for (unsigned i = 0; i < street->count; i++) {
		if (gangster_rank(street->gangsters[i]))
			return true;
	}
	return false;
}

static void print_targets(const struct street *street, unsigned strength,
                          struct json_out *out)
{
	json_key_array(out, "target");
	for (unsigned i = 0; i < street->count; i++) {
		unsigned rank = gangster_rank(street->gangsters[i]);

		if (!rank)
			continue;
		json_object(out);
		famiglia_print_gangster("card", street->gangsters[i], out);
		json_key_int(out, "max", least(rank, strength));
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_threats(const struct legal *legal)
{
	const struct famiglia_view *view = legal->view;
	uint64_t able = turn_able(view->hand, FAMILY_BRUTES);
	unsigned gangster = GANGSTER_NONE;

	if (turn_check_threat_step(&view->turn) || !has_target(&view->street))
		return;
	while ((gangster = gangsters_next(able, gangster))) {
		begin(legal, "brute", "/turn/brute", gangster);
		json_object(legal->out);
		print_targets(&view->street, gangster_rank(gangster),
		              legal->out);
		json_object_end(legal->out);
		json_object_end(legal->out);
	}
}

/* --- taking and passing --------------------------------------------------- */

static void print_pay(const struct legal *legal, unsigned gangster,
                      unsigned rank)
{
	uint64_t hand = legal->view->hand;
	struct json_out *out = legal->out;

	if (rank == 0) {
		json_null(out);
		return;
	}
	json_object(out);
	json_key_object(out, "pay");
	famiglia_print_gangster_set("cards",
	                            recruit_cards(hand, gangster, rank), out);
	famiglia_print_gangster_set("stand_ins", recruit_stand_ins(hand, rank),
	                            out);
	json_object_end(out);
	json_object_end(out);
}

static void print_takes(const struct legal *legal)
{
	const struct famiglia_view *view = legal->view;

	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned gangster = view->street.gangsters[i];
		unsigned rank = turn_rank(&view->turn, gangster);

		if (!recruit_is_affordable(view->hand, gangster, rank))
			continue;
		begin(legal, "take", "/turn/take", gangster);
		print_pay(legal, gangster, rank);
		json_object_end(legal->out);
	}
}

void famiglia_print_legal(const void *from, const char *game_path,
                          struct json_out *out)
{
	const struct famiglia_view *view = from;
	struct legal legal = { view, game_path, out };

	if (!view->may_move)
		return;
	print_refills(&legal);
	print_swaps(&legal);
	print_threats(&legal);
	print_takes(&legal);
	ruleset_print_legal(out, "pass", game_path, "/turn/pass");
}
