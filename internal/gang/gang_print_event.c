#include "gang/challenge.h"
#include "gang/gang_print.h"
#include "gang/gang_print_part.h"
#include "gang/specialist.h"

const char *gang_event_type(unsigned type)
{
	switch (type) {
#define EVENT(name, number, text) \
	case number:              \
		return (text);
#include "gang/gang_event.def"
	}
	return NULL;
}

/* The bytes of an event are the service's own, but read from a database. */
static unsigned byte_of(const struct event *event, unsigned at)
{
	return at < event->public_len ? event->public_data[at] : 0;
}

static void print_event_cards(const char *name, const uint8_t *bytes,
                              unsigned count, struct json_out *out)
{
	for (unsigned i = 0; i < count; i++) {
		if (bytes[i] >= CARD_COUNT)
			count = 0;
	}
	gang_print_cards(name, bytes, count, out);
}

static uint16_t set_of(const struct event *event, unsigned at)
{
	unsigned set = byte_of(event, at) << 8 | byte_of(event, at + 1);

	return challenges_exist((uint16_t)set) ? (uint16_t)set : 0;
}

static void print_heist_started(const struct event *event, struct json_out *out)
{
	unsigned specialist = byte_of(event, 5);

	json_key_int(out, "number", byte_of(event, 0));
	gang_print_challenges(set_of(event, 1), set_of(event, 3), out);
	gang_print_specialist(specialist_exists(specialist) ? specialist : 0,
	                      out);
}

/* Everybody's new pocket cards: each seat learns its own. */
static void print_pockets(const struct event *event, unsigned seat,
                          struct json_out *out)
{
	unsigned count = byte_of(event, 0);

	if (seat && seat * count <= event->private_len)
		print_event_cards("pocket_cards",
		                  event->private_data + (seat - 1) * count,
		                  count, out);
}

/* Everybody learns how many cards were dealt. */
static void print_cards_dealt(const struct event *event, unsigned seat,
                              struct json_out *out)
{
	json_key_int(out, "count", byte_of(event, 0));
	print_pockets(event, seat, out);
}

static void print_cards_redrawn(const struct event *event, unsigned seat,
                                struct json_out *out)
{
	unsigned challenge = byte_of(event, 0);

	if (!challenge || challenge > CHALLENGE_MAX)
		return;
	json_key_string(out, "challenge", gang_challenge_get(challenge)->code);
	json_key_int(out, "count", byte_of(event, 1));
	if (seat && seat == event->seat)
		print_event_cards("pocket_cards", event->private_data,
		                  event->private_len, out);
}

static void print_color(const struct event *event, struct json_out *out)
{
	json_key_string(out, "color",
	                event->color >= 1 && event->color <= COLOR_COUNT
	                        ? color_code((enum color)(event->color - 1))
	                        : "");
}

static void print_round_started(const struct event *event, struct json_out *out)
{
	json_key_int(out, "round", byte_of(event, 0));
	print_color(event, out);
	print_event_cards("community_cards", event->public_data + 1,
	                  event->public_len ? event->public_len - 1U : 0, out);
}

static void print_chip_moved(const struct event *event, struct json_out *out)
{
	print_color(event, out);
	json_key_int(out, "stars", byte_of(event, 0));
	if (event->type != EVENT_CHIP_TAKEN)
		return;
	if (byte_of(event, 1) == CHIPS_CENTER)
		json_key_string(out, "from", "center");
	else
		json_key_int(out, "from", byte_of(event, 1));
}

static void print_hand_revealed(const struct event *event, struct json_out *out)
{
	unsigned ranking = byte_of(event, 2);
	unsigned pocket = byte_of(event, 3);
	unsigned best = 4 + pocket;

	if (ranking >= RANKING_COUNT || best > event->public_len)
		return;
	json_key_int(out, "stars", byte_of(event, 0));
	print_event_cards("pocket_cards", event->public_data + 4, pocket, out);
	json_key_string(out, "ranking", ranking_code((enum ranking)ranking));
	print_event_cards("best_five", event->public_data + best,
	                  event->public_len - best, out);
	json_key_bool(out, "in_order", byte_of(event, 1));
}

static void print_proposed(const struct event *event, struct json_out *out)
{
	unsigned specialist = byte_of(event, 0);

	if (!specialist_exists(specialist))
		return;
	json_key_string(out, "code", gang_specialist_get(specialist)->code);
	gang_print_wanted(byte_of(event, 1), byte_of(event, 2),
	                  byte_of(event, 3), out);
}

static void print_used(const struct event *event, struct json_out *out)
{
	unsigned specialist = byte_of(event, 0);
	struct announcement of = {
		.seat = (uint8_t)byte_of(event, 1),
		.target = (uint8_t)byte_of(event, 2),
		.value = (uint8_t)byte_of(event, 3),
		.count = (uint8_t)byte_of(event, 4),
	};

	if (specialist_exists(specialist))
		gang_print_announcement(specialist, &of, out);
}

/* What was chosen is known to who chose, and to whom it was shown. */
static void print_choice_made(const struct event *event, unsigned seat,
                              struct json_out *out)
{
	unsigned specialist = byte_of(event, 0);
	unsigned target = event->private_len > 1 ? event->private_data[1] : 0;

	if (!specialist_exists(specialist))
		return;
	json_key_string(out, "code", gang_specialist_get(specialist)->code);
	if (seat && (seat == event->seat || seat == target) &&
	    event->private_len && event->private_data[0] < CARD_COUNT)
		json_key_string(out, "card", card_text(event->private_data[0]));
}

static void print_question(const struct event *event, struct json_out *out)
{
	unsigned challenge = byte_of(event, 0);

	if (!challenge || challenge > CHALLENGE_MAX)
		return;
	json_key_string(out, "question", gang_challenge_get(challenge)->code);
	if (event->type == EVENT_QUESTION_JUDGED)
		json_key_bool(out, "right", byte_of(event, 1));
	else
		gang_print_value("value", gang_challenge_get(challenge)->asks,
		                 byte_of(event, 1), out);
}

static void print_heist_ended(const struct event *event, struct json_out *out)
{
	unsigned outcome = byte_of(event, 0);

	if (outcome < OUTCOME_SUCCEEDED || outcome > OUTCOME_ABANDONED)
		return;
	json_key_string(out, "outcome", gang_outcome_code(outcome));
	json_key_int(out, "vaults", byte_of(event, 1));
	json_key_int(out, "alarms", byte_of(event, 2));
}

void gang_print_event(const struct event *event, unsigned seat,
                      struct json_out *out)
{
	if (event->type == EVENT_GAME_STARTED) {
		json_key_int(out, "players", byte_of(event, 0));
		return;
	}
	switch ((enum gang_event)event->type) {
	case EVENT_HEIST_STARTED:
		print_heist_started(event, out);
		return;
	case EVENT_CARDS_DEALT:
		print_cards_dealt(event, seat, out);
		return;
	case EVENT_CARDS_PASSED:
	case EVENT_CARDS_REDEALT:
		print_pockets(event, seat, out);
		return;
	case EVENT_CARDS_REDRAWN:
		print_cards_redrawn(event, seat, out);
		return;
	case EVENT_ROUND_STARTED:
		print_round_started(event, out);
		return;
	case EVENT_CHIP_TAKEN:
	case EVENT_CHIP_RETURNED:
		print_chip_moved(event, out);
		return;
	case EVENT_ROUND_ENDED:
		json_key_int(out, "round", byte_of(event, 0));
		return;
	case EVENT_HAND_REVEALED:
		print_hand_revealed(event, out);
		return;
	case EVENT_SPECIALIST_PROPOSED:
	case EVENT_SPECIALIST_AGREED:
	case EVENT_SPECIALIST_WITHDRAWN:
		print_proposed(event, out);
		return;
	case EVENT_SPECIALIST_USED:
		print_used(event, out);
		return;
	case EVENT_CHOICE_MADE:
		print_choice_made(event, seat, out);
		return;
	case EVENT_ANSWER_GIVEN:
	case EVENT_QUESTION_SETTLED:
	case EVENT_QUESTION_JUDGED:
		print_question(event, out);
		return;
	case EVENT_HEIST_ENDED:
		print_heist_ended(event, out);
		return;
	case EVENT_GAME_ENDED:
		json_key_string(out, "status",
		                byte_of(event, 0) == STATUS_WON ? "won"
		                                                : "lost");
		return;
	}
}
