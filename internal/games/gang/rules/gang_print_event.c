/*
 * The data of each event as JSON.  The bytes are read in the order in which the
 * rules write them.  They come from the database and may be damaged: a missing
 * byte is 0, and members that a number does not fit are left out.
 */
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang_print.h"
#include "games/gang/rules/gang_print_part.h"
#include "games/gang/rules/specialist.h"

/* Print the next cards, or an empty list if one of them is invalid. */
static void print_cards(const char *name, struct bytes_in *in, size_t count,
                        struct json_out *out)
{
	uint8_t cards[EVENT_PUBLIC_MAX];
	size_t found = 0;

	while (found < count && found < sizeof(cards)) {
		cards[found] = get_u8(in);
		if (cards[found++] >= CARD_COUNT)
			count = found = 0;
	}
	gang_print_cards(name, cards, (unsigned)found, out);
}

static uint16_t get_challenges(struct bytes_in *in)
{
	uint16_t set = get_u16be(in);

	return challenges_exist(set) ? set : 0;
}

/* Print the code of a challenge and return its row; NULL: no such challenge. */
static const struct challenge *print_challenge(const char *name,
                                               struct bytes_in *in,
                                               struct json_out *out)
{
	unsigned number = get_u8(in);

	if (number < 1 || number > CHALLENGE_MAX)
		return NULL;
	json_key_string(out, name, gang_challenge_get(number)->code);
	return gang_challenge_get(number);
}

static unsigned get_specialist(struct bytes_in *in)
{
	unsigned number = get_u8(in);

	return specialist_exists(number) ? number : 0;
}

/* --- what each type prints ------------------------------------------------ */

static void print_game_started(struct event_reader *from, struct json_out *out)
{
	json_key_int(out, "players", get_u8(&from->public_data));
}

static void print_heist_started(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	json_key_int(out, "number", get_u8(in));
	uint16_t challenges = get_challenges(in);
	uint16_t permanent = get_challenges(in);
	gang_print_challenges(challenges, permanent, out);
	gang_print_specialist(get_specialist(in), out);
}

/* The viewer's own pocket cards, out of those of all seats in a row. */
static void print_own_cards(struct event_reader *from, unsigned count,
                            struct json_out *out)
{
	struct bytes_in *in = &from->private_data;

	if (!from->seat || from->seat * count > in->left)
		return;
	for (unsigned i = 0; i < (from->seat - 1) * count; i++)
		(void)get_u8(in);
	print_cards("pocket_cards", in, count, out);
}

static void print_pockets(struct event_reader *from, struct json_out *out)
{
	print_own_cards(from, get_u8(&from->public_data), out);
}

/* Everybody learns how many cards were dealt. */
static void print_cards_dealt(struct event_reader *from, struct json_out *out)
{
	unsigned count = get_u8(&from->public_data);

	json_key_int(out, "count", count);
	print_own_cards(from, count, out);
}

static void print_cards_redrawn(struct event_reader *from, struct json_out *out)
{
	if (!print_challenge("challenge", &from->public_data, out))
		return;
	json_key_int(out, "count", get_u8(&from->public_data));
	if (from->seat && from->seat == from->event->seat)
		print_cards("pocket_cards", &from->private_data,
		            from->private_data.left, out);
}

static void print_color(const struct event *event, struct json_out *out)
{
	json_key_string(out, "color",
	                event->subpart >= 1 && event->subpart <= COLOR_COUNT
	                        ? color_code((enum color)(event->subpart - 1))
	                        : "");
}

static void print_round_started(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	json_key_int(out, "round", get_u8(in));
	print_color(from->event, out);
	print_cards("community_cards", in, in->left, out);
}

static void print_round_ended(struct event_reader *from, struct json_out *out)
{
	json_key_int(out, "round", get_u8(&from->public_data));
}

static void print_chip_returned(struct event_reader *from, struct json_out *out)
{
	print_color(from->event, out);
	json_key_int(out, "stars", get_u8(&from->public_data));
}

static void print_chip_taken(struct event_reader *from, struct json_out *out)
{
	print_chip_returned(from, out);
	unsigned holder = get_u8(&from->public_data);
	if (holder == CHIPS_CENTER)
		json_key_string(out, "from", "center");
	else
		json_key_int(out, "from", holder);
}

static void print_hand_revealed(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	unsigned stars = get_u8(in);
	bool in_order = get_u8(in);
	unsigned ranking = get_u8(in);
	unsigned pocket = get_u8(in);

	if (ranking >= RANKING_COUNT || pocket > in->left || in->broken)
		return;
	json_key_int(out, "stars", stars);
	print_cards("pocket_cards", in, pocket, out);
	json_key_string(out, "ranking", ranking_code((enum ranking)ranking));
	print_cards("best_five", in, in->left, out);
	json_key_bool(out, "in_order", in_order);
}

static void print_proposal(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	unsigned specialist = get_specialist(in);

	if (!specialist)
		return;
	json_key_string(out, "code", gang_specialist_get(specialist)->code);
	unsigned seat = get_u8(in);
	unsigned target = get_u8(in);
	gang_print_wanted(seat, target, get_u8(in), out);
}

static void print_used(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	unsigned specialist = get_specialist(in);
	struct announcement of = { .seat = get_u8(in) };

	of.target = get_u8(in);
	of.value = get_u8(in);
	of.count = get_u8(in);
	if (specialist)
		gang_print_announcement(specialist, &of, out);
}

/* The seat that chose, and the seat to which it was shown, see the card. */
static void print_choice_made(struct event_reader *from, struct json_out *out)
{
	unsigned specialist = get_specialist(&from->public_data);
	bool has_card = from->private_data.left > 0;
	unsigned card = get_u8(&from->private_data);
	unsigned target = get_u8(&from->private_data);

	if (!specialist)
		return;
	json_key_string(out, "code", gang_specialist_get(specialist)->code);
	if (from->seat && has_card && card < CARD_COUNT &&
	    (from->seat == from->event->seat || from->seat == target))
		json_key_string(out, "card", card_text((uint8_t)card));
}

static void print_answer(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	const struct challenge *row = print_challenge("question", in, out);

	if (row)
		gang_print_value("value", row->asks, get_u8(in), out);
}

static void print_judged(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	if (print_challenge("question", in, out))
		json_key_bool(out, "right", get_u8(in));
}

static void print_heist_ended(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	unsigned outcome = get_u8(in);

	if (outcome < OUTCOME_SUCCEEDED || outcome > OUTCOME_ABANDONED)
		return;
	json_key_string(out, "outcome", gang_outcome_code(outcome));
	json_key_int(out, "vaults", get_u8(in));
	json_key_int(out, "alarms", get_u8(in));
}

static void print_game_ended(struct event_reader *from, struct json_out *out)
{
	bool is_won = get_u8(&from->public_data) == STATUS_WON;

	json_key_string(out, "status", is_won ? "won" : "lost");
}

/* --- the rows ------------------------------------------------------------- */

const struct event_row gang_print_events[EVENT_TYPES_MAX] = {
	[EVENT_GAME_STARTED] = { "game_started", NULL, print_game_started },
#define EVENT(name, number, ...) [number] = { __VA_ARGS__ },
#include "games/gang/rules/gang_event.def"
};
