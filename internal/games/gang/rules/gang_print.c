/*
 * Views and summaries as JSON. Nothing here reads a game: what a struct
 * gang_view does not hold cannot be printed. Each function prints members of
 * an object, or one value; the caller begins and ends the object around them.
 */
#include "games/gang/rules/gang_print.h"

#include <assert.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang_now.h"
#include "games/gang/rules/gang_print_part.h"
#include "games/gang/rules/specialist.h"

static void print_hand(const struct pocket *pocket, const struct hand *hand,
                       struct json_out *out)
{
	const char *ranking = NULL;

	if (pocket->count)
		ranking = ranking_code((enum ranking)hand->ranking);
	gang_print_cards("pocket_cards", pocket->cards, pocket->count, out);
	json_key_string_or_null(out, "ranking", ranking);
	gang_print_cards("best_five", hand->best, hand->best_count, out);
}

bool gang_print_hand(const void *from, unsigned seat, struct json_out *out)
{
	const struct gang_view *view = from;
	const struct pocket *pocket = gang_view_pocket(view, seat);

	if (!pocket)
		return false;
	struct hand hand =
		pocket_hand(pocket, view->community, view->community_count);
	print_hand(pocket, &hand, out);
	return true;
}

const char *gang_outcome_code(unsigned outcome)
{
	static const char *const codes[] = { NULL, "succeeded", "failed",
		                             "abandoned" };

	assert(outcome < ARRAY_LEN(codes));
	return codes[outcome];
}

static void print_reveal(const struct reveal *reveal, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "seat", reveal->seat);
	json_key_int(out, "stars", reveal->stars);
	print_hand(&reveal->pocket, &reveal->hand, out);
	json_key_bool(out, "in_order", reveal->in_order);
	json_object_end(out);
}

static void print_answers(const struct question *question, enum value_kind kind,
                          struct json_out *out)
{
	json_key_array(out, "answers");
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		if (!question->answers[i])
			continue;
		json_object(out);
		json_key_int(out, "seat", i + 1);
		gang_print_value("value", kind, question->answers[i], out);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_asked(const struct asked *asked, struct json_out *out)
{
	const struct challenge *row = gang_challenge_get(asked->challenge);

	json_object(out);
	json_key_string(out, "code", row->code);
	json_key_int(out, "about_seat", asked->about_seat);
	print_answers(&asked->question, row->asks, out);
	gang_print_value("agreed", row->asks, asked->question.agreed, out);
	if (asked->right == RIGHT_OPEN)
		json_key_null(out, "right");
	else
		json_key_bool(out, "right", asked->right == RIGHT_YES);
	json_object_end(out);
}

void gang_print_showdown(const struct showdown *showdown, struct json_out *out)
{
	json_key_array(out, "reveals");
	for (unsigned i = 0; i < showdown->reveals_count; i++)
		print_reveal(&showdown->reveals[i], out);
	json_array_end(out);
	json_key_array(out, "questions");
	for (unsigned i = 0; i < showdown->asked_count; i++)
		print_asked(&showdown->asked[i], out);
	json_array_end(out);
	json_key_string_or_null(out, "outcome",
	                        gang_outcome_code(showdown->outcome));
}

void gang_print_summary(const struct summary *summary, struct json_out *out)
{
	struct showdown showdown;

	summary_reveal(summary, summary->players, &showdown);
	json_object(out);
	json_key_int(out, "number", summary->number);
	gang_print_challenges(summary->challenges, summary->permanent, out);
	gang_print_specialist(summary->specialist, out);
	gang_print_cards("community_cards", summary->community, COMMUNITY_MAX,
	                 out);
	json_key_object(out, "showdown");
	gang_print_showdown(&showdown, out);
	json_object_end(out);
	json_object_end(out);
}

/* --- the view ------------------------------------------------------------ */

static void print_chips(const struct gang_view *view, struct json_out *out)
{
	json_key_array(out, "chips");
	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *chip = &view->chips[i];
		json_object(out);
		json_key_string(out, "color",
		                color_code((enum color)chip->color));
		json_key_int(out, "stars", chip->stars);
		json_key_int_or_null(out, "seat", chip->seat);
		json_key_bool(out, "locked", chip->locked);
		json_key_bool(out, "dark", chip->dark);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_seats(unsigned seats, struct json_out *out)
{
	json_array(out);
	for (unsigned seat = 1; seat <= HEIST_PLAYERS_MAX; seat++) {
		if (seats >> seat & 1)
			json_int(out, seat);
	}
	json_array_end(out);
}

static void print_proposal(const struct proposal *proposal,
                           struct json_out *out)
{
	json_object(out);
	json_key_int(out, "by", proposal->by);
	gang_print_wanted(proposal->seat, proposal->target, proposal->value,
	                  out);
	json_key(out, "agreed");
	print_seats(proposal->agreed, out);
	json_object_end(out);
}

static void print_ability(const struct gang_view *view, struct json_out *out)
{
	static const char *const states[] = { "available", "proposed",
		                              "choosing", "used" };

	if (!gang_begin_specialist(view->setup.specialist, out))
		return;
	json_key_string(out, "state", states[view->ability_state]);
	json_key(out, "proposal");
	if (view->ability_state == ABILITY_PROPOSED)
		print_proposal(&view->proposal, out);
	else
		json_null(out);
	json_object_end(out);
}

static void print_announcements(const struct gang_view *view,
                                struct json_out *out)
{
	json_key_array(out, "announcements");
	for (unsigned i = 0; i < view->announcements_count; i++) {
		json_object(out);
		gang_print_announcement(view->setup.specialist,
		                        &view->announcements[i], out);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_heist(const struct gang_view *view, struct json_out *out)
{
	json_object(out);
	json_key_int(out, "number", view->setup.number);
	json_key_string(out, "phase", gang_phase_code(view->phase));
	json_key_string_or_null(out, "outcome",
	                        gang_outcome_code(view->outcome));
	json_key_int(out, "round", view->round);
	json_key_string(out, "color",
	                color_code((enum color)(view->round - 1)));
	gang_print_cards("community_cards", view->community,
	                 view->community_count, out);
	print_chips(view, out);
	gang_print_challenges(view->setup.challenges, view->setup.permanent,
	                      out);
	print_ability(view, out);
	print_announcements(view, out);
	json_key(out, "confirmed");
	print_seats(view->confirmed, out);
	json_key(out, "waiting_for");
	print_seats(view->waiting_for, out);
	json_key(out, "showdown");
	if (view->has_showdown) {
		json_object(out);
		gang_print_showdown(&view->showdown, out);
		json_object_end(out);
	} else {
		json_null(out);
	}
	json_object_end(out);
}

/* The number of unseen cards in a stack; null if the mode uses none of it. */
static void print_stack(const char *name, uint16_t all, unsigned unseen,
                        struct json_out *out)
{
	json_key(out, name);
	if (!all) {
		json_null(out);
		return;
	}
	json_object(out);
	json_key_int(out, "unseen", unseen);
	json_object_end(out);
}

void gang_print_view(const void *from, struct json_out *out)
{
	const struct gang_view *view = from;
	const struct mode *mode = gang_mode_get(view->mode);

	json_key_object(out, "vaults");
	json_key_int(out, "gold", view->vaults);
	json_key_int(out, "needed", mode->vaults_needed);
	json_object_end(out);
	json_key_object(out, "alarms");
	json_key_int(out, "red", view->alarms);
	json_key_int(out, "limit", mode->alarms_limit);
	json_object_end(out);
	json_key_object(out, "stacks");
	print_stack("challenges", mode->challenges, view->challenges_unseen,
	            out);
	print_stack("specialists", mode->specialists, view->specialists_unseen,
	            out);
	json_object_end(out);
	json_key(out, "heist");
	if (view->players)
		print_heist(view, out);
	else
		json_null(out);
}

static void print_choice(const struct choice_view *choice, struct json_out *out)
{
	const struct specialist *row;

	json_key(out, "choice_due");
	if (!choice->specialist) {
		json_null(out);
		return;
	}
	row = gang_specialist_get(choice->specialist);
	json_object(out);
	json_key_string(out, "code", row->code);
	gang_print_cards("options", choice->options, choice->options_count,
	                 out);
	json_object_end(out);
}

void gang_print_you(const void *from, struct json_out *out)
{
	const struct gang_view *view = from;

	print_hand(&view->pocket, &view->hand, out);
	gang_print_cards("former_pocket_cards", view->former.cards,
	                 view->former.count, out);
	json_key_array(out, "shown_cards");
	if (view->shown_by) {
		json_object(out);
		json_key_int(out, "seat", view->shown_by);
		json_key_string(out, "card", card_text(view->shown));
		json_object_end(out);
	}
	json_array_end(out);
	print_choice(&view->choice, out);
}
