#include "gang/print.h"

#include <assert.h>
#include <string.h>

#include "gang/challenge.h"

static void print_cards(const char *name, const uint8_t *cards, unsigned count,
                        struct json_out *out)
{
	json_key(out, name);
	json_array(out);
	for (unsigned i = 0; i < count; i++)
		json_string_len(out, card_text(cards[i]), CARD_TEXT_LEN);
	json_array_end(out);
}

static void print_best(const struct hand *hand, struct json_out *out)
{
	json_key_string(out, "ranking",
	                ranking_code((enum ranking)hand->ranking));
	print_cards("best_five", hand->best, hand->best_count, out);
}

static void print_hand(const struct pocket *pocket, const struct hand *hand,
                       struct json_out *out)
{
	print_cards("pocket_cards", pocket->cards, pocket->count, out);
	if (pocket->count) {
		print_best(hand, out);
	} else {
		json_key_null(out, "ranking");
		print_cards("best_five", NULL, 0, out);
	}
}

bool gang_print_hand(const struct gang_view *view, unsigned seat,
                     struct json_out *out)
{
	const struct pocket *pocket = gang_view_pocket(view, seat);

	if (!pocket)
		return false;
	struct hand hand = { 0 };
	if (pocket->count)
		hand = heist_hand(view->community, view->community_count,
		                  pocket);
	print_hand(pocket, &hand, out);
	return true;
}

static const char *outcome_code(unsigned outcome)
{
	static const char *const codes[] = { NULL, "succeeded", "failed" };

	assert(outcome < ARRAY_LEN(codes));
	return codes[outcome];
}

static void print_challenges(uint16_t challenges, struct json_out *out)
{
	json_key(out, "challenges");
	json_array(out);
	for (unsigned number = 1; number <= CHALLENGE_MAX; number++) {
		if (!(challenges >> number & 1))
			continue;
		json_object(out);
		json_key_int(out, "number", number);
		json_key_string(out, "code", challenge_get(number)->code);
		json_key_bool(out, "permanent", false);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_reveal(const struct reveal *reveal, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "seat", reveal->seat);
	json_key_int(out, "stars", reveal->stars);
	print_cards("pocket_cards", reveal->pocket.cards, reveal->pocket.count,
	            out);
	print_best(&reveal->hand, out);
	json_key_bool(out, "in_order", reveal->in_order);
	json_object_end(out);
}

void gang_print_showdown(const struct record *record, struct json_out *out)
{
	struct showdown showdown;

	record_showdown(record, &showdown);
	json_key(out, "reveals");
	json_array(out);
	for (unsigned i = 0; i < showdown.count; i++)
		print_reveal(&showdown.reveals[i], out);
	json_array_end(out);
	json_key(out, "questions");
	json_array(out);
	json_array_end(out);
	json_key_string(out, "outcome", outcome_code(record->outcome));
}

void gang_print_record(const struct record *record, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "number", record->number);
	print_challenges(record->challenges, out);
	json_key_null(out, "specialist");
	print_cards("community_cards", record->community, HEIST_COMMUNITY_MAX,
	            out);
	json_key(out, "showdown");
	json_object(out);
	gang_print_showdown(record, out);
	json_object_end(out);
	json_object_end(out);
}

/* --- the view ------------------------------------------------------------ */

static void print_seat_or_null(const char *name, unsigned seat,
                               struct json_out *out)
{
	if (seat)
		json_key_int(out, name, seat);
	else
		json_key_null(out, name);
}

static void print_chips(const struct gang_view *view, struct json_out *out)
{
	json_key(out, "chips");
	json_array(out);
	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *chip = &view->chips[i];
		json_object(out);
		json_key_string(out, "color",
		                color_code((enum color)chip->color));
		json_key_int(out, "stars", chip->stars);
		print_seat_or_null("seat", chip->seat, out);
		json_key_bool(out, "locked", chip->locked);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_waiting(const struct gang_view *view, struct json_out *out)
{
	json_key(out, "waiting_for");
	json_array(out);
	for (unsigned seat = 1; seat <= view->players; seat++) {
		if (view->waiting_for >> seat & 1)
			json_int(out, seat);
	}
	json_array_end(out);
}

static void print_heist(const struct gang_view *view, struct json_out *out)
{
	static const char *const phases[] = { "chips", "over" };

	json_object(out);
	json_key_int(out, "number", view->number);
	json_key_string(out, "phase", phases[view->phase]);
	json_key_int(out, "round", view->round);
	json_key_string(out, "color",
	                color_code((enum color)(view->round - 1)));
	print_cards("community_cards", view->community, view->community_count,
	            out);
	print_chips(view, out);
	print_challenges(view->challenges, out);
	json_key_null(out, "specialist");
	json_key(out, "announcements");
	json_array(out);
	json_array_end(out);
	print_waiting(view, out);
	json_key(out, "showdown");
	if (view->phase == PHASE_OVER) {
		json_object(out);
		gang_print_showdown(gang_view_last_record(view), out);
		json_object_end(out);
	} else {
		json_null(out);
	}
	json_object_end(out);
}

void gang_print_view(const struct gang_view *view, struct json_out *out)
{
	const struct mode *mode = mode_get(view->mode);

	json_key(out, "vaults");
	json_object(out);
	json_key_int(out, "gold", view->gold);
	json_key_int(out, "needed", mode->vaults_needed);
	json_object_end(out);
	json_key(out, "alarms");
	json_object(out);
	json_key_int(out, "red", view->red);
	json_key_int(out, "limit", mode->alarms_limit);
	json_object_end(out);
	json_key(out, "heist");
	if (view->players)
		print_heist(view, out);
	else
		json_null(out);
}

void gang_print_you(const struct gang_view *view, struct json_out *out)
{
	print_hand(&view->pocket, &view->hand, out);
	print_cards("former_pocket_cards", NULL, 0, out);
	print_cards("shown_cards", NULL, 0, out);
	json_key_null(out, "choice_due");
}

/* --- legal actions ------------------------------------------------------- */

static char *append(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len + 1);
	return at + len;
}

enum { CHIP_PATH_MAX = 32 };

static void print_chip_action(const struct action *action,
                              const char *game_path, struct json_out *out)
{
	char stars[] = { '/', (char)('0' + action->args[ARG_STARS]), '\0' };
	char path[CHIP_PATH_MAX];
	char *at = append(path, "/chips/");

	at = append(at, color_code((enum color)action->args[ARG_COLOR]));
	at = append(at, stars);
	if (action->verb == VERB_TAKE) {
		append(at, "/take");
		legal_print(out, "take_chip", game_path, path);
	} else {
		append(at, "/return");
		legal_print(out, "return_chip", game_path, path);
	}
}

void gang_print_legal(const struct gang_view *view, const char *game_path,
                      struct json_out *out)
{
	for (size_t i = 0; i < view->legal_count; i++) {
		const struct action *action = &view->legal[i];
		if (action->verb == VERB_NEXT_HEIST)
			legal_print(out, "next_heist", game_path, "/heists");
		else
			print_chip_action(action, game_path, out);
	}
}

/* --- events -------------------------------------------------------------- */

const char *gang_event_type(unsigned type)
{
	switch (type) {
#define EVENT(name, number, text) \
	case number:              \
		return (text);
#include "gang/event.def"
	}
	return NULL;
}

/* The bytes of an event are the service's own, but read from a database. */
static unsigned byte_of(const struct event *event, unsigned at)
{
	return at < event->open_len ? event->open[at] : 0;
}

static void print_event_cards(const char *name, const uint8_t *bytes,
                              unsigned count, struct json_out *out)
{
	for (unsigned i = 0; i < count; i++) {
		if (bytes[i] >= CARD_COUNT)
			count = 0;
	}
	print_cards(name, bytes, count, out);
}

static void print_heist_started(const struct event *event, struct json_out *out)
{
	unsigned active = byte_of(event, 1) << 8 | byte_of(event, 2);

	json_key_int(out, "number", byte_of(event, 0));
	print_challenges(
		challenges_exist((uint16_t)active) ? (uint16_t)active : 0, out);
	json_key_null(out, "specialist");
}

/* Everybody learns how many cards were dealt, each seat its own. */
static void print_cards_dealt(const struct event *event, unsigned seat,
                              struct json_out *out)
{
	unsigned count = byte_of(event, 0);

	json_key_int(out, "count", count);
	if (seat && seat * count <= event->secret_len)
		print_event_cards("pocket_cards",
		                  event->secret + (seat - 1) * count, count,
		                  out);
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
	print_event_cards("community_cards", event->open + 1,
	                  event->open_len ? event->open_len - 1U : 0, out);
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

	if (ranking >= RANKING_COUNT || best > event->open_len)
		return;
	json_key_int(out, "stars", byte_of(event, 0));
	print_event_cards("pocket_cards", event->open + 4, pocket, out);
	json_key_string(out, "ranking", ranking_code((enum ranking)ranking));
	print_event_cards("best_five", event->open + best,
	                  event->open_len - best, out);
	json_key_bool(out, "in_order", byte_of(event, 1));
}

static void print_heist_ended(const struct event *event, struct json_out *out)
{
	json_key_string(out, "outcome",
	                byte_of(event, 0) == OUTCOME_SUCCEEDED ? "succeeded"
	                                                       : "failed");
	json_key_int(out, "vaults", byte_of(event, 1));
	json_key_int(out, "alarms", byte_of(event, 2));
}

void gang_print_event(const struct event *event, unsigned seat,
                      struct json_out *out)
{
	switch ((enum gang_event)event->type) {
	case EVENT_HEIST_STARTED:
		print_heist_started(event, out);
		return;
	case EVENT_CARDS_DEALT:
		print_cards_dealt(event, seat, out);
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
