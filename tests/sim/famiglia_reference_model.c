/*
 * famiglia_reference_model.c - follows the events of a game of Famiglia.
 *
 * The model holds the place of every card, the order of the street, and of the
 * pile what the players know: how many cards lie in no known order, and which
 * ones were put beneath them.  fam_model_apply() checks that an event is
 * possible, then moves the cards.  Points and families are read from the cards'
 * printed text alone.
 */
#include "famiglia_reference_model.h"

#include <stdlib.h>

struct fam_printed fam_printed[CARDS + 1];

void fam_model_read_cards(void)
{
	static const unsigned points[] = { 0, 1, 3, 6, 10, 15 };
	unsigned sum = 0;

	for (unsigned i = 1; i <= CARDS; i++) {
		const char *text = gangster_text(i);
		unsigned rank = (unsigned)(text[1] - '0');
		unsigned more = text[0] == 'f';

		fam_printed[i] =
			(struct fam_printed){ text[0], rank,
			                      points[rank + more], text };
		sum += points[rank + more];
	}
	CHECK(sum == 175);
}

unsigned fam_model_mover(const struct fam_model *model)
{
	return model->turn % 2 ? model->starter : 3 - model->starter;
}

unsigned fam_model_pile(const struct fam_model *model)
{
	return model->unseen + model->beneath_count;
}

unsigned fam_model_count(const struct fam_model *model, unsigned place)
{
	unsigned count = 0;

	for (unsigned i = 1; i <= CARDS; i++)
		count += model->place[i] == place;
	return count;
}

bool fam_model_lies(const struct fam_model *model, unsigned card,
                    unsigned place)
{
	return card >= 1 && card <= CARDS && model->place[card] == place;
}

unsigned fam_model_rank(const struct fam_model *model, unsigned card)
{
	unsigned by = model->brute && card == model->target ? model->by : 0;

	return fam_printed[card].rank - by;
}

/* --- reading -------------------------------------------------------------- */

/* An event, and how much of it was read. */
struct reading {
	const struct event *event;
	unsigned at;
};

static unsigned next_byte(struct reading *reading)
{
	CHECK(reading->at < reading->event->public_len);
	return reading->event->public_data[reading->at++];
}

static unsigned next_card(struct reading *reading)
{
	unsigned card = next_byte(reading);

	CHECK(card >= 1 && card <= CARDS);
	return card;
}

/* --- the pile ------------------------------------------------------------- */

static void leave_street(struct fam_model *model, unsigned card)
{
	unsigned at = 0;

	CHECK(fam_model_lies(model, card, IN_STREET));
	while (model->street[at] != card)
		at++;
	for (model->street_count--; at < model->street_count; at++)
		model->street[at] = model->street[at + 1];
}

/* It comes from the pile: where that is known, it is just this one. */
static void come_up(struct fam_model *model, unsigned card)
{
	CHECK(fam_model_lies(model, card, IN_PILE));
	if (model->unseen) {
		for (unsigned i = 0; i < model->beneath_count; i++)
			CHECK(model->beneath[i] != card);
		model->unseen--;
	} else {
		CHECK(model->beneath_count && model->beneath[0] == card);
		model->beneath_count--;
		memmove(model->beneath, model->beneath + 1,
		        model->beneath_count);
	}
	model->place[card] = IN_STREET;
	model->street[model->street_count++] = (uint8_t)card;
}

/* True if the discards became the pile. */
static bool turn_discards(struct fam_model *model)
{
	if (fam_model_pile(model) || model->second_pass ||
	    !fam_model_count(model, AMONG_DISCARDS))
		return false;
	for (unsigned i = 1; i <= CARDS; i++) {
		if (model->place[i] != AMONG_DISCARDS)
			continue;
		model->place[i] = IN_PILE;
		model->unseen++;
	}
	model->second_pass = true;
	return true;
}

/* So many were due; returns whether the discards were turned for it. */
static bool read_laid(struct fam_model *model, struct reading *reading,
                      unsigned due, unsigned last_turn)
{
	bool was_empty = !fam_model_pile(model);
	bool said_turned = next_byte(reading);
	unsigned said_last = next_byte(reading);
	unsigned count = next_byte(reading);
	bool turned = false;

	for (unsigned i = 0; i < count; i++) {
		CHECK(i < due && fam_model_pile(model));
		come_up(model, next_card(reading));
		if (turn_discards(model)) {
			turned = true;
			model->turned_exactly |= i + 1 == due;
		}
	}
	CHECK(count == due || !fam_model_pile(model));
	CHECK(turned == said_turned);
	if (!fam_model_pile(model) && !was_empty) {
		CHECK(!model->last_turn);
		model->last_turn = last_turn;
	}
	CHECK(said_last == model->last_turn);
	return turned;
}

/* --- steps ---------------------------------------------------------------- */

static void note_refill(struct fam_model *model, struct reading *reading)
{
	unsigned card = next_card(reading);
	bool late = model->second_pass;

	leave_street(model, card);
	CHECK(next_byte(reading) == late);
	model->refilled_after |= late && model->refills;
	model->refills++;
	model->late_refills += late;
	model->place[card] = AMONG_DISCARDS;
	if (late) {
		model->place[card] = IN_PILE;
		model->beneath[model->beneath_count++] = (uint8_t)card;
	}
	model->turned_in_refill |=
		read_laid(model, reading, fam_printed[card].rank,
	                  model->turn % 2 ? model->turn + 1 : model->turn);
	model->came_back |= late && model->place[card] == IN_STREET;
}

static void move_card(struct fam_model *model, unsigned card, unsigned from,
                      unsigned to)
{
	CHECK(fam_model_lies(model, card, from));
	model->place[card] = (uint8_t)to;
}

static void note_accountant(struct fam_model *model, struct reading *reading)
{
	unsigned seat = fam_model_mover(model);
	unsigned count;

	model->accountant = next_card(reading);
	move_card(model, model->accountant, seat, seat + 2);
	count = next_byte(reading);
	CHECK(count >= 1 && count <= 4);
	for (unsigned i = 0; i < count; i++) {
		model->given[i] = (uint8_t)next_card(reading);
		move_card(model, model->given[i], seat, seat + 2);
	}
	CHECK(next_byte(reading) == count);
	for (unsigned i = 0; i < count; i++) {
		model->taken[i] = (uint8_t)next_card(reading);
		move_card(model, model->taken[i], seat + 2, seat);
	}
}

static void note_brute(struct fam_model *model, struct reading *reading)
{
	unsigned seat = fam_model_mover(model);

	model->brute = next_card(reading);
	move_card(model, model->brute, seat, seat + 2);
	model->target = next_card(reading);
	model->by = next_byte(reading);
	CHECK(next_byte(reading) == fam_model_rank(model, model->target));
}

/* --- the end -------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
	return (int)*(const unsigned *)b - (int)*(const unsigned *)a;
}

static void count_points(struct fam_model *model)
{
	unsigned worth[3][CARDS] = { { 0 } };
	unsigned count[3] = { 0 };

	memset(model->points, 0, sizeof(model->points));
	for (unsigned i = 1; i <= CARDS; i++) {
		unsigned place = model->place[i];
		unsigned seat = place > 2 ? place - 2 : place;

		if (place > DISPLAY_OF_B)
			continue;
		model->points[seat] += fam_printed[i].points;
		worth[seat][count[seat]++] = fam_printed[i].points;
	}
	model->winner = 0;
	model->decided = 0;
	if (model->points[1] != model->points[2]) {
		model->winner = model->points[1] > model->points[2] ? 1 : 2;
		model->decided = 1;
		return;
	}
	qsort(worth[1], CARDS, sizeof(unsigned), falling);
	qsort(worth[2], CARDS, sizeof(unsigned), falling);
	for (unsigned i = 0; i < CARDS && !model->decided; i++) {
		if (worth[1][i] == worth[2][i])
			continue;
		model->winner = worth[1][i] > worth[2][i] ? 1 : 2;
		model->decided = 2;
	}
}

static void read_result(struct fam_model *model, struct reading *reading)
{
	static const unsigned endings[] = { 1, 2 };

	CHECK(next_byte(reading) ==
	      (model->is_over ? endings[model->ended_early] : 0));
	if (!model->is_over)
		return;
	count_points(model);
	CHECK(next_byte(reading) == model->winner);
	CHECK(next_byte(reading) == model->decided);
	for (unsigned seat = 1; seat <= 2; seat++) {
		uint64_t hand = 0;

		CHECK(next_byte(reading) == model->points[seat]);
		for (unsigned i = 0; i < 8; i++)
			hand |= (uint64_t)next_byte(reading) << 8 * i;
		for (unsigned i = 0; i < 64; i++)
			CHECK((hand >> i & 1) ==
			      fam_model_lies(model, i, seat));
	}
}

static void forget_turn(struct fam_model *model)
{
	model->refills = model->late_refills = 0;
	model->accountant = model->brute = model->target = model->by = 0;
	memset(model->given, 0, sizeof(model->given));
	memset(model->taken, 0, sizeof(model->taken));
}

/* A player who leaves loses, and the hands stay hidden. */
static void note_forfeit(struct fam_model *model, struct reading *reading,
                         unsigned seat)
{
	CHECK(model->vacant == 1U << seat && !model->is_over);
	model->is_over = true;
	model->forfeiter = seat;
	model->winner = 3 - seat;
	forget_turn(model);
	CHECK(next_byte(reading) == 3);
	CHECK(next_byte(reading) == model->winner);
}

/* The consequences of the end of a turn. */
static void end_turn(struct fam_model *model, struct reading *reading,
                     bool passed)
{
	unsigned due = model->street_count ? 0 : 6;
	unsigned last = model->turn % 2 ? model->turn + 1 : model->turn + 2;
	bool had_last = model->last_turn;

	model->turned_in_lay |= read_laid(model, reading, due, last);
	model->whole_round |= !had_last && model->last_turn == model->turn + 2;
	model->ended_unturned |= model->last_turn && !model->second_pass;
	model->empty_street |= !model->street_count;
	model->turns_of[fam_model_mover(model)]++;
	forget_turn(model);
	if (model->turn == model->last_turn) {
		model->is_over = true;
	} else if (passed && model->passed) {
		model->is_over = model->ended_early = true;
	} else {
		model->passed = passed;
		model->turn++;
	}
	read_result(model, reading);
}

static void note_stand_in(struct fam_model *model, unsigned card, unsigned rank,
                          const unsigned *pay, unsigned keep)
{
	for (unsigned i = 0; i < 2; i++) {
		if (fam_printed[pay[i]].family == fam_printed[card].family &&
		    fam_printed[pay[i]].rank + 1 == rank)
			continue;
		model->stand_in = true;
		model->stand_in_kept |= keep == pay[i];
		model->stand_in_for_own |= fam_printed[card].family == 'm';
	}
}

static void note_take(struct fam_model *model, struct reading *reading)
{
	unsigned seat = fam_model_mover(model);
	unsigned card = next_card(reading);
	unsigned rank = fam_model_rank(model, card);
	unsigned pay[2];
	unsigned keep;

	CHECK(next_byte(reading) == rank);
	pay[0] = next_byte(reading);
	pay[1] = next_byte(reading);
	keep = next_byte(reading);
	model->brute_to_zero |= card == model->target && !rank;
	leave_street(model, card);
	model->place[card] = (uint8_t)seat;
	CHECK(!rank == !pay[0] && !rank == !pay[1] && !rank == !keep);
	if (rank) {
		unsigned goes = keep == pay[0] ? pay[1] : pay[0];

		CHECK(pay[0] != pay[1] && fam_model_lies(model, keep, seat));
		note_stand_in(model, card, rank, pay, keep);
		move_card(model, goes, seat, seat + 2);
	}
	end_turn(model, reading, false);
}

/* --- the whole ------------------------------------------------------------ */

/* The game begins, and seat so-and-so. */
static void note_start(struct fam_model *model, struct reading *reading,
                       unsigned starter)
{
	memset(model, 0, sizeof(*model));
	model->has_begun = true;
	model->starter = starter;
	model->turn = 1;
	model->unseen = 52;
	CHECK(next_byte(reading) == 2);
	CHECK(next_byte(reading) == starter);
	for (unsigned i = 1; i <= CARDS; i++) {
		const char *text = fam_printed[i].text;
		bool is_first = text[1] == '0' && text[2] <= 'b';

		model->place[i] = IN_PILE;
		if (is_first)
			model->place[i] =
				text[2] == 'a' ? HAND_OF_A : HAND_OF_B;
	}
	CHECK(next_byte(reading) == 6);
	for (unsigned i = 0; i < 6; i++)
		come_up(model, next_card(reading));
}

void fam_model_of_state(struct fam_model *model, const struct famiglia *game)
{
	memset(model, 0, sizeof(*model));
	model->has_begun = true;
	model->starter = game->starter;
	model->turn = game->turn.number;
	model->turns_of[model->starter] = model->turn / 2;
	model->turns_of[3 - model->starter] = (model->turn - 1) / 2;
	model->last_turn = game->last_turn;
	model->second_pass = game->pile.second_pass;
	model->unseen = game->pile.count;
	for (unsigned i = 1; i <= CARDS; i++) {
		model->place[i] = IN_PILE;
		if (game->pile.discards >> i & 1)
			model->place[i] = AMONG_DISCARDS;
		for (unsigned seat = 1; seat <= 2; seat++) {
			if (game->sides[seat - 1].hand >> i & 1)
				model->place[i] = (uint8_t)seat;
			if (game->sides[seat - 1].display >> i & 1)
				model->place[i] = (uint8_t)(seat + 2);
		}
	}
	for (unsigned i = 0; i < game->street.count; i++) {
		unsigned card = game->street.gangsters[i];

		model->street[model->street_count++] = (uint8_t)card;
		model->place[card] = IN_STREET;
	}
}

void fam_model_apply(struct fam_model *model, const struct event *event,
                     unsigned starter)
{
	struct reading reading = { event, 0 };

	CHECK(!event->private_len && !event->part && !event->subpart);
	if (event->type >= EVENT_OF_RULESET && event->type != EVENT_FORFEITED)
		CHECK(event->seat == fam_model_mover(model));
	switch (event->type) {
	case EVENT_PLAYER_JOINED:
		model->vacant &= ~(1U << event->seat);
		return;
	case EVENT_PLAYER_LEFT:
		model->vacant |= 1U << event->seat;
		return;
	case EVENT_HOST_CHANGED:
		return;
	case EVENT_GAME_STARTED:
		CHECK(event->seat == 0);
		note_start(model, &reading, starter);
		break;
	case EVENT_REFILLED:
		note_refill(model, &reading);
		break;
	case EVENT_ACCOUNTANT_PLAYED:
		note_accountant(model, &reading);
		break;
	case EVENT_BRUTE_PLAYED:
		note_brute(model, &reading);
		break;
	case EVENT_CARD_TAKEN:
		note_take(model, &reading);
		break;
	case EVENT_FORFEITED:
		note_forfeit(model, &reading, event->seat);
		break;
	default:
		CHECK(event->type == EVENT_PASSED);
		end_turn(model, &reading, true);
	}
	CHECK(reading.at == event->public_len);
}

/* --- the state says the same ---------------------------------------------- */

static void check_sets(const struct fam_model *model,
                       const struct famiglia *game)
{
	for (unsigned i = 1; i <= CARDS; i++) {
		unsigned place = model->place[i];

		for (unsigned seat = 1; seat <= 2; seat++) {
			const struct side *side = &game->sides[seat - 1];

			CHECK((side->hand >> i & 1) == (place == seat));
			CHECK((side->display >> i & 1) == (place == seat + 2));
		}
		CHECK((game->pile.discards >> i & 1) ==
		      (place == AMONG_DISCARDS));
	}
}

static void check_pile(const struct fam_model *model,
                       const struct famiglia *game)
{
	const struct pile *pile = &game->pile;

	CHECK(pile->count == fam_model_pile(model));
	CHECK(pile->second_pass == model->second_pass);
	for (unsigned i = 0; i < pile->count; i++)
		CHECK(fam_model_lies(model, pile->gangsters[i], IN_PILE));
	for (unsigned i = 0; i < model->beneath_count; i++)
		CHECK(pile->gangsters[model->beneath_count - 1 - i] ==
		      model->beneath[i]);
}

void fam_model_check(const struct fam_model *model, const struct famiglia *game)
{
	const struct turn *turn = &game->turn;

	if (!model->has_begun)
		return;
	check_sets(model, game);
	check_pile(model, game);
	CHECK(game->street.count == model->street_count);
	CHECK(same_bytes(game->street.gangsters, model->street,
	                 model->street_count));
	CHECK(turn->number == model->turn);
	CHECK(turn->refills == model->refills);
	CHECK(turn->refilled_again == (model->late_refills > 0));
	CHECK(turn->swap.accountant == model->accountant);
	CHECK(same_bytes(turn->swap.give, model->given, 4));
	CHECK(same_bytes(turn->swap.take, model->taken, 4));
	CHECK(turn->threat.brute == model->brute);
	CHECK(turn->threat.target == model->target);
	CHECK(turn->threat.by == model->by);
	CHECK(game->starter == model->starter);
	CHECK(game->vacant == model->vacant);
	CHECK(game->last_turn == model->last_turn);
	CHECK(game->has_passed == model->passed);
	CHECK(game->forfeiter == model->forfeiter);
	CHECK(game->ending == (!model->is_over    ? 0U
	                       : model->forfeiter ? 3U
	                                          : 1U + model->ended_early));
}
