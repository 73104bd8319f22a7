#include "base/bytes.h"
#include "famiglia/famiglia_print.h"
#include "famiglia/famiglia_print_part.h"

const char *famiglia_event_type(unsigned type)
{
	switch (type) {
#define EVENT(name, number, text) \
	case number:              \
		return (text);
#include "famiglia/famiglia_event.def"
	}
	return NULL;
}

/*
 * The bytes of an event are the service's own, but read from a database: what
 * is missing is 0, and what is no gangster is none.
 */
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

/* What came into the street, and whether the end is near by it. */
static void print_laid(struct bytes_in *in, struct json_out *out)
{
	unsigned turned = get_u8(in);
	unsigned last_turn = get_u8(in);

	print_list("revealed", in, out);
	json_key_bool(out, "pile_turned", turned);
	json_key_int_or_null(out, "last_turn", last_turn);
}

static void print_ending(struct bytes_in *in, struct json_out *out)
{
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

static void print_started(struct bytes_in *in, struct json_out *out)
{
	(void)get_u8(in); /* how many play */
	json_key_int(out, "starting_seat", get_u8(in));
	print_list("street", in, out);
}

static void print_refilled(struct bytes_in *in, struct json_out *out)
{
	print_one("card", in, out);
	json_key_bool(out, "under_pile", get_u8(in));
	print_laid(in, out);
}

static void print_swapped(struct bytes_in *in, struct json_out *out)
{
	print_one("card", in, out);
	print_list("give", in, out);
	print_list("take", in, out);
}

static void print_threatened(struct bytes_in *in, struct json_out *out)
{
	print_one("card", in, out);
	print_one("target", in, out);
	json_key_int(out, "by", get_u8(in));
	json_key_int(out, "effective_rank", get_u8(in));
}

static void print_taken(struct bytes_in *in, struct json_out *out)
{
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
	print_ending(in, out);
}

static void print_passed(struct bytes_in *in, struct json_out *out)
{
	print_laid(in, out);
	print_ending(in, out);
}

void famiglia_print_event(const struct event *event, struct json_out *out)
{
	struct bytes_in in = { .at = event->public_data,
		               .left = event->public_len };

	if (event->type == EVENT_GAME_STARTED) {
		print_started(&in, out);
		return;
	}
	switch ((enum famiglia_event)event->type) {
	case EVENT_REFILLED:
		print_refilled(&in, out);
		return;
	case EVENT_ACCOUNTANT_PLAYED:
		print_swapped(&in, out);
		return;
	case EVENT_BRUTE_PLAYED:
		print_threatened(&in, out);
		return;
	case EVENT_CARD_TAKEN:
		print_taken(&in, out);
		return;
	case EVENT_PASSED:
		print_passed(&in, out);
		return;
	case EVENT_FORFEITED:
		print_ending(&in, out);
		return;
	}
}
