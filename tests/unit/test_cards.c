/*
 * test_cards.c - every challenge and every specialist does what its card says,
 * also together with another card.  Each has a section of cards.def.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gang/rules/gang_view.h"
#include "gang_play.h"

struct card_row {
	const char *name;
	const char *table;
	const char *cards;
	const char *script;
	enum err last;
	const char *facts;
};

static struct card_row card_rows[] = {
#define CARD(name, table, cards, script, last, facts) \
	{ name, table, cards, script, ERR_##last, facts },
#include "cards.def"
};

enum { FACT_MAX = 96 };

/* --- printing facts ------------------------------------------------------- */

static char *print_text(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len + 1);
	return at + len;
}

static char *print_card_list(char *at, const uint8_t *cards, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		memcpy(at, card_text(cards[i]), CARD_TEXT_LEN);
		at += CARD_TEXT_LEN;
	}
	*at = '\0';
	return at;
}

static char *print_letter(char *at, unsigned seat)
{
	*at++ = (char)('A' + seat - 1);
	*at = '\0';
	return at;
}

/* Print what was announced of a seat, or of nobody (0): "B", "K", "2" ... */
static void print_announced(char *at, const struct gang_view *view,
                            unsigned seat)
{
	const struct specialist *row =
		gang_specialist_get(view->setup.specialist);

	for (unsigned i = 0; i < view->announcements_count; i++) {
		const struct announcement *of = &view->announcements[i];

		if (of->seat != seat)
			continue;
		*at++ = ':';
		if (of->target)
			at = print_letter(at, of->target);
		if (of->value)
			at = print_text(at, gang_value_text(row->announces,
			                                    of->value));
		if (row->announces_count)
			at += sprintf(at, "/%u", of->count);
	}
	*at = '\0';
}

/* Print what one player knows or holds. */
static void print_of_seat(char *at, const struct play *play, unsigned seat,
                          char what)
{
	struct gang_view view;

	gang_view(&play->gang, seat, &view);
	if (what == ':') {
		print_announced(at, &view, seat);
		return;
	}
	*at++ = what;
	*at = '\0';
	if (what == '=') {
		print_card_list(at, view.pocket.cards, view.pocket.count);
	} else if (what == '<') {
		print_card_list(at, view.former.cards, view.former.count);
	} else if (what == '*') {
		print_card_list(at, view.choice.options,
		                view.choice.options_count);
	} else if (view.shown_by) {
		at = print_letter(at, view.shown_by);
		print_card_list(at, &view.shown, 1);
	}
}

static char *print_stars_held(char *at, const struct chips *chips)
{
	if (!chips->count)
		*at++ = '.';
	for (unsigned seat = 1; seat <= chips->count; seat++) {
		unsigned stars = chips_held(chips, seat);
		*at++ = (char)(stars ? '0' + stars : '-');
	}
	*at = '\0';
	return at;
}

static void print_locked(char *at, const struct gang_view *view, unsigned color)
{
	for (unsigned i = 0; i < view->chips_count; i++) {
		const struct chip_view *chip = &view->chips[i];
		if (chip->color == color && chip->locked)
			*at++ = (char)('0' + chip->stars);
	}
	*at = '\0';
}

static void print_question(char *at, const struct gang_view *view,
                           unsigned challenge)
{
	static const char *const rights[] = { "", " wrong", " right" };

	for (unsigned i = 0; i < view->showdown.asked_count; i++) {
		const struct asked *asked = &view->showdown.asked[i];

		if (asked->challenge != challenge)
			continue;
		at = print_letter(at, asked->about_seat);
		at = print_text(at, asked->question.agreed ? "=" : "");
		if (asked->question.agreed)
			at = print_text(
				at, gang_value_text(
					    gang_challenge_get(challenge)->asks,
					    asked->question.agreed));
		at = print_text(at, rights[asked->right]);
	}
	(void)print_text(at, ")");
}

static void print_waiting(char *at, unsigned seats)
{
	for (unsigned seat = 1; seat <= HEIST_PLAYERS_MAX; seat++) {
		if (seats >> seat & 1)
			at = print_letter(at, seat);
	}
	*at = '\0';
}

static void print_orders(char *at, const struct showdown *showdown)
{
	for (unsigned i = 0; i < showdown->reveals_count; i++)
		*at++ = showdown->reveals[i].in_order ? '+' : '-';
	*at = '\0';
}

/* Print the states of the specialist, the heist and the showdown. */
static const char *name_of_phase(const struct gang_view *view)
{
	static const char *const phases[] = { "chips", "choosing", "answering",
		                              "over" };
	return phases[view->phase];
}

static const char *name_of_use(const struct gang_view *view)
{
	static const char *const states[] = { "available", "proposed",
		                              "choosing", "used" };
	return states[view->ability_state];
}

static const char *name_of_outcome(const struct gang_view *view)
{
	static const char *const outcomes[] = { "open", "succeeded", "failed" };

	return outcomes[view->showdown.outcome];
}

/* --- checking them -------------------------------------------------------- */

static void check_of_color(const struct play *play,
                           const struct gang_view *view, const char *fact,
                           char *is)
{
	const char *letter = fact;
	unsigned color = play_color(play, &letter);

	memcpy(is, fact, 2);
	if (fact[1] == '#')
		print_locked(is + 2, view, color);
	else
		print_stars_held(is + 2, &play->gang.heist.chips[color]);
}

static void check_of_heist(const struct play *play,
                           const struct gang_view *view, const char *fact,
                           char *is)
{
	const struct heist *heist = &play->gang.heist;

	*is = *fact;
	switch (*fact) {
	case '?':
		print_waiting(is + 1, view->waiting_for);
		return;
	case '@':
		(void)sprintf(is + 1, "%u", view->round);
		return;
	case '~':
		print_card_list(is + 1, heist->discards, heist->discards_count);
		return;
	case '/':
		print_card_list(is + 1, view->community, view->community_count);
		return;
	case ':':
		print_announced(is, view, 0);
		return;
	}
	print_orders(is, &view->showdown);
}

static void check_word(const struct gang_view *view, const char *fact)
{
	if (strcmp(fact, name_of_phase(view)) != 0 &&
	    strcmp(fact, name_of_use(view)) != 0 &&
	    strcmp(fact, name_of_outcome(view)) != 0)
		fail_msg("not %s but %s, %s, %s", fact, name_of_phase(view),
		         name_of_use(view), name_of_outcome(view));
}

static void check_fact(const struct play *play, const char *fact)
{
	static const char scans[] = "rf"; /* retina, fingerprint */
	char is[FACT_MAX] = "";
	struct gang_view view;

	gang_view(&play->gang, 0, &view);
	if (*fact >= 'A' && *fact <= 'F') {
		*is = *fact;
		print_of_seat(is + 1, play, play_seat(*fact), fact[1]);
	} else if (fact[1] && strchr("=#", fact[1])) {
		check_of_color(play, &view, fact, is);
	} else if (strchr(scans, *fact) && fact[1] == '(') {
		memcpy(is, fact, 2);
		print_question(is + 2, &view,
		               *fact == *scans ? CHALLENGE_RETINA_SCAN
		                               : CHALLENGE_FINGERPRINT_SCAN);
	} else if (strchr("?@~/:+-", *fact)) {
		check_of_heist(play, &view, fact, is);
	} else {
		check_word(&view, fact);
		return;
	}
	assert_string_equal(is, fact);
}

static void check_card(void **state)
{
	const struct card_row *row = *state;
	struct play play;
	char facts[256];
	char *rest;

	play_open(&play);
	play_on(&play, row->table);
	if (*row->cards)
		play_cards(&play, row->cards);
	play_on(&play, row->script);
	assert_string_equal(err_code(play.last), err_code(row->last));
	if (row->last)
		assert_int_equal(play.events.count, 0);
	assert_true(strlen(row->facts) < sizeof(facts));
	memcpy(facts, row->facts, strlen(row->facts) + 1);
	for (char *fact = strtok_r(facts, ",", &rest); fact;
	     fact = strtok_r(NULL, ",", &rest))
		check_fact(&play, fact + strspn(fact, " "));
}

/* --- what is wrong with a body -------------------------------------------- */

struct fault_row {
	const char *name;
	const char *table;
	const char *script;
	const char *member;
	const char *code;
};

static struct fault_row fault_rows[] = {
#define FAULT(...) { __VA_ARGS__ },
#include "cards.def"
};

static void check_fault(void **state)
{
	const struct fault_row *row = *state;
	const char *last = strrchr(row->script, ' ');
	struct action action;
	struct fault fault;
	struct play play;

	play_open(&play);
	play_on(&play, row->table);
	play_on(&play, row->script);
	assert_int_equal(play.last, ERR_INVALID);
	action = play_action(&play, last ? last + 1 : row->script);
	fault = gang_ruleset.fault(&play.gang, &action);
	assert_string_equal(fault.member, row->member);
	assert_string_equal(fault.code, row->code);
	assert_true(strlen(fault.detail) > 0);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, card_rows, check_card);
	ROWS_ADD(&rows, fault_rows, check_fault);
	return rows_run("cards", &rows);
}
