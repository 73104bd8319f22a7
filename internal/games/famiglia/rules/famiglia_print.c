/*
 * Views of Famiglia as JSON. Nothing here reads a game: what a struct
 * famiglia_view does not hold cannot be printed.
 */
#include "games/famiglia/rules/famiglia_print.h"

#include "games/famiglia/rules/famiglia_print_part.h"

/* The steps that the order of the turn still allows the mover. */
static void print_open_steps(const struct famiglia_view *view,
                             struct json_out *out)
{
	json_key_array(out, "open_steps");
	if (view->may_refill)
		json_string(out, "refill");
	if (view->mover && !turn_check_swap_step(&view->turn))
		json_string(out, "accountant");
	if (view->mover && !turn_check_threat_step(&view->turn))
		json_string(out, "brute");
	if (view->mover)
		json_string(out, "take");
	json_array_end(out);
}

static void print_swap(const struct swap *swap, struct json_out *out)
{
	json_key(out, "accountant");
	if (!swap->accountant) {
		json_null(out);
		return;
	}
	json_object(out);
	famiglia_print_gangster("card", swap->accountant, out);
	famiglia_print_gangsters("give", swap->give, swap_count(swap->give),
	                         out);
	famiglia_print_gangsters("take", swap->take, swap_count(swap->take),
	                         out);
	json_object_end(out);
}

static void print_threat(const struct threat *threat, struct json_out *out)
{
	json_key(out, "brute");
	if (!threat->brute) {
		json_null(out);
		return;
	}
	json_object(out);
	famiglia_print_gangster("card", threat->brute, out);
	famiglia_print_gangster("target", threat->target, out);
	json_key_int(out, "by", threat->by);
	json_object_end(out);
}

static void print_played(const struct turn *turn, struct json_out *out)
{
	json_key_object(out, "played");
	json_key_int(out, "refills", turn->refills);
	print_swap(&turn->swap, out);
	print_threat(&turn->threat, out);
	json_object_end(out);
}

static void print_street(const struct famiglia_view *view, struct json_out *out)
{
	json_key_array(out, "street");
	for (unsigned i = 0; i < view->street.count; i++) {
		unsigned gangster = view->street.gangsters[i];

		json_object(out);
		famiglia_print_gangster("card", gangster, out);
		json_key_int(out, "rank", gangster_rank(gangster));
		json_key_int(out, "effective_rank",
		             turn_rank(&view->turn, gangster));
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_sides(const struct famiglia_view *view, struct json_out *out)
{
	json_key_array(out, "sides");
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		json_object(out);
		json_key_int(out, "seat", i + 1);
		json_key_int(out, "hand", view->hand_counts[i]);
		famiglia_print_gangster_set("display", view->displays[i], out);
		json_key_int(out, "display_points",
		             gangsters_points(view->displays[i]));
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_table(const struct famiglia_view *view, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "turn", view->turn.number);
	json_key_int(out, "round", (view->turn.number + 1) / 2);
	json_key_int(out, "starting_seat", view->starter);
	json_key_int_or_null(out, "seat_to_move", view->mover);
	print_open_steps(view, out);
	print_played(&view->turn, out);
	print_street(view, out);
	json_key_int(out, "draw_pile", view->pile_count);
	json_key_int(out, "discard_pile", view->discards_count);
	json_key_bool(out, "second_pass", view->second_pass);
	json_key_int_or_null(out, "last_turn", view->last_turn);
	json_key_bool(out, "previous_turn_passed", view->has_passed);
	print_sides(view, out);
	famiglia_print_result(&view->result, out);
	json_object_end(out);
}

void famiglia_print_view(const void *from, struct json_out *out)
{
	const struct famiglia_view *view = from;

	json_key(out, "table");
	if (view->players)
		print_table(view, out);
	else
		json_null(out);
}

bool famiglia_print_hand(const void *from, unsigned seat, struct json_out *out)
{
	unsigned points;
	uint64_t hand;

	if (!famiglia_view_hand(from, seat, &hand, &points))
		return false;
	famiglia_print_gangster_set("hand", hand, out);
	json_key_int(out, "points", points);
	return true;
}

void famiglia_print_you(const void *from, struct json_out *out)
{
	const struct famiglia_view *view = from;

	(void)famiglia_print_hand(view, view->seat, out);
}

void famiglia_print_family(enum family family, struct json_out *out)
{
	json_key_string(out, "code", famiglia_family_code(family));
	json_key_string(out, "letter", family_letter(family));
	json_key_array(out, "cards");
	for (unsigned rank = 0; rank < GANGSTER_RANKS; rank++) {
		json_object(out);
		json_key_int(out, "rank", rank);
		json_key_int(out, "copies", family_copies(rank));
		json_key_int(out, "points", family_points(family, rank));
		json_object_end(out);
	}
	json_array_end(out);
}
