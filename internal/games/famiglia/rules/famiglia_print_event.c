/*
 * The data of each event as JSON.  The bytes are read in the order in which
 * turn.c and famiglia.c write them.  They come from the database and may be
 * damaged: a missing byte is 0, and an invalid number prints no gangster.
 */
#include "base/bytes.h"
#include "games/famiglia/rules/famiglia_print.h"
#include "games/famiglia/rules/famiglia_print_part.h"

static unsigned get_gangster(struct bytes_in *in)
{
	unsigned gangster = get_u8(in);

	return gangster_exists(gangster) ? gangster : GANGSTER_NONE;
}

static void print_one(const char *name, struct bytes_in *in,
                      struct json_out *out)
{
	famiglia_print_gangster(name, get_gangster(in), out);
}

static void print_list(const char *name, struct bytes_in *in,
                       struct json_out *out)
{
	uint8_t gangsters[STREET_FULL];
	unsigned count = get_u8(in);
	unsigned found = 0;

	for (unsigned i = 0; i < count && i < STREET_FULL; i++) {
		unsigned gangster = get_gangster(in);

		if (gangster)
			gangsters[found++] = (uint8_t)gangster;
	}
	famiglia_print_gangsters(name, gangsters, found, out);
}

/* The cards that came into the street, and the last turn if it is known. */
static void print_laid(struct bytes_in *in, struct json_out *out)
{
	unsigned turned = get_u8(in);
	unsigned last_turn = get_u8(in);

	print_list("revealed", in, out);
	json_key_bool(out, "pile_turned", turned);
	json_key_int_or_null(out, "last_turn", last_turn);
}

static void print_ending(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	struct result result = { .ending = get_u8(in) };

	result.winner = get_u8(in);
	result.decided = get_u8(in);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		result.points[i] = get_u8(in);
		result.hands[i] = get_u64le(in) & GANGSTERS_ALL;
	}
	if (result.ending > ENDING_FORFEITED)
		result.ending = ENDING_OPEN;
	if (result.decided > DECIDED_BY_CARD)
		result.decided = DECIDED_NOT;
	if (result.winner > FAMIGLIA_SEATS)
		result.winner = 0;
	famiglia_print_result(&result, out);
}

/* --- each type ------------------------------------------------------------ */

static void print_started(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	(void)get_u8(in); /* how many play */
	json_key_int(out, "starting_seat", get_u8(in));
	print_list("street", in, out);
}

static void print_refilled(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	print_one("card", in, out);
	json_key_bool(out, "under_pile", get_u8(in));
	print_laid(in, out);
}

static void print_swapped(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	print_one("card", in, out);
	print_list("give", in, out);
	print_list("take", in, out);
}

static void print_threatened(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;

	print_one("card", in, out);
	print_one("target", in, out);
	json_key_int(out, "by", get_u8(in));
	json_key_int(out, "effective_rank", get_u8(in));
}

static void print_taken(struct event_reader *from, struct json_out *out)
{
	struct bytes_in *in = &from->public_data;
	struct recruit recruit = { .gangster = GANGSTER_NONE };

	print_one("card", in, out);
	json_key_int(out, "effective_rank", get_u8(in));
	for (unsigned i = 0; i < RECRUIT_PAY; i++)
		recruit.pay[i] = (uint8_t)get_gangster(in);
	recruit.keep = (uint8_t)get_gangster(in);
	if (recruit.pay[0] && recruit.pay[1])
		famiglia_print_gangsters("pay", recruit.pay, RECRUIT_PAY, out);
	else
		json_key_null(out, "pay");
	famiglia_print_gangster("keep", recruit.keep, out);
	famiglia_print_gangster("exhausted", recruit_exhausted(&recruit), out);
	print_laid(in, out);
	print_ending(from, out);
}

static void print_passed(struct event_reader *from, struct json_out *out)
{
	print_laid(&from->public_data, out);
	print_ending(from, out);
}

const struct event_row famiglia_print_events[EVENT_TYPES_MAX] = {
	[EVENT_GAME_STARTED] = { "game_started", NULL, print_started },
#define EVENT(name, number, code, print) [number] = { code, NULL, print },
#include "games/famiglia/rules/famiglia_event.def"
};
