/*
 * famiglia_notes.h - a game of Famiglia, written down from its events alone.
 *
 * Who follows a game knows where each card is but for the order of the pile,
 * what has to come next, and who has won.  All of that is told here a second
 * time, from the rules and not from the engine, whose functions are not used:
 * even a card is known by its text alone.
 */
#ifndef TESTS_FAMIGLIA_NOTES_H
#define TESTS_FAMIGLIA_NOTES_H

#include "famiglia_sim.h"

enum { CARDS = 60, HAND_OF_A = 1, HAND_OF_B, DISPLAY_OF_A, DISPLAY_OF_B };
enum { IN_PILE = 5, IN_STREET, AMONG_DISCARDS };

/* What is printed on a card, by number. */
struct printed {
	char family;
	unsigned rank;
	unsigned points;
	const char *text;
};

static struct printed printed[CARDS + 1];

static inline void read_cards(void)
{
	static const unsigned points[] = { 0, 1, 3, 6, 10, 15 };
	unsigned sum = 0;

	for (unsigned i = 1; i <= CARDS; i++) {
		const char *text = gangster_text(i);
		unsigned rank = (unsigned)(text[1] - '0');
		unsigned more = text[0] == 'f';

		printed[i] = (struct printed){ text[0], rank,
			                       points[rank + more], text };
		sum += points[rank + more];
	}
	CHECK(sum == 175);
}

struct notes {
	bool has_begun;
	unsigned starter;
	unsigned turn;
	unsigned turns_of[3]; /* by seat, those that have ended */
	bool passed;          /* the last turn that has ended */
	unsigned last_turn;   /* 0: not known */
	unsigned vacant;
	uint8_t place[CARDS + 1];
	unsigned street_count;
	uint8_t street[CARDS];
	unsigned unseen; /* cards of the pile that lie in no known order */
	unsigned beneath_count;
	uint8_t beneath[CARDS]; /* the others, the next one first */
	bool second_pass;

	/* In this turn. */
	unsigned refills;
	unsigned late_refills; /* those after the discards were turned */
	unsigned accountant;
	uint8_t given[4];
	uint8_t taken[4]; /* back */
	unsigned brute;
	unsigned target;
	unsigned by;

	bool is_over;
	bool ended_early;
	unsigned forfeiter; /* who left, and so ended it; 0: nobody */
	unsigned winner;
	unsigned points[3];
	unsigned decided; /* 0: a draw, 1: points, 2: a card */

	/* What was met, for who counts. */
	bool turned_exactly; /* the first pile gave just what was due */
	bool turned_in_lay;  /* while an empty street was filled */
	bool turned_in_refill;
	bool came_back;      /* what went beneath was revealed at once */
	bool ended_unturned; /* the first pile ran out without discards */
	bool refilled_after; /* once more, after the discards were turned */
	bool whole_round;    /* known at the end of the second's turn */
	bool brute_to_zero;
	bool stand_in;
	bool stand_in_kept;
	bool stand_in_for_own; /* the card taken is a mercenary */
	bool empty_street;
};

static inline unsigned mover_of(const struct notes *notes)
{
	return notes->turn % 2 ? notes->starter : 3 - notes->starter;
}

static inline unsigned pile_of(const struct notes *notes)
{
	return notes->unseen + notes->beneath_count;
}

static inline unsigned count_at(const struct notes *notes, unsigned place)
{
	unsigned count = 0;

	for (unsigned i = 1; i <= CARDS; i++)
		count += notes->place[i] == place;
	return count;
}

static inline bool lies_at(const struct notes *notes, unsigned card,
                           unsigned place)
{
	return card >= 1 && card <= CARDS && notes->place[card] == place;
}

static inline unsigned rank_now(const struct notes *notes, unsigned card)
{
	unsigned by = notes->brute && card == notes->target ? notes->by : 0;

	return printed[card].rank - by;
}

/* --- reading -------------------------------------------------------------- */

struct reading {
	const struct event *event;
	unsigned at;
};

static inline unsigned next_byte(struct reading *reading)
{
	CHECK(reading->at < reading->event->public_len);
	return reading->event->public_data[reading->at++];
}

static inline unsigned next_card(struct reading *reading)
{
	unsigned card = next_byte(reading);

	CHECK(card >= 1 && card <= CARDS);
	return card;
}

/* --- the pile ------------------------------------------------------------- */

static inline void leave_street(struct notes *notes, unsigned card)
{
	unsigned at = 0;

	CHECK(lies_at(notes, card, IN_STREET));
	while (notes->street[at] != card)
		at++;
	for (notes->street_count--; at < notes->street_count; at++)
		notes->street[at] = notes->street[at + 1];
}

/* It comes from the pile: where that is known, it is just this one. */
static inline void come_up(struct notes *notes, unsigned card)
{
	CHECK(lies_at(notes, card, IN_PILE));
	if (notes->unseen) {
		for (unsigned i = 0; i < notes->beneath_count; i++)
			CHECK(notes->beneath[i] != card);
		notes->unseen--;
	} else {
		CHECK(notes->beneath_count && notes->beneath[0] == card);
		notes->beneath_count--;
		memmove(notes->beneath, notes->beneath + 1,
		        notes->beneath_count);
	}
	notes->place[card] = IN_STREET;
	notes->street[notes->street_count++] = (uint8_t)card;
}

/* True if the discards became the pile. */
static inline bool turn_discards(struct notes *notes)
{
	if (pile_of(notes) || notes->second_pass ||
	    !count_at(notes, AMONG_DISCARDS))
		return false;
	for (unsigned i = 1; i <= CARDS; i++) {
		if (notes->place[i] != AMONG_DISCARDS)
			continue;
		notes->place[i] = IN_PILE;
		notes->unseen++;
	}
	notes->second_pass = true;
	return true;
}

/* So many were due; returns whether the discards were turned for it. */
static inline bool read_laid(struct notes *notes, struct reading *reading,
                             unsigned due, unsigned last_turn)
{
	bool was_empty = !pile_of(notes);
	bool said_turned = next_byte(reading);
	unsigned said_last = next_byte(reading);
	unsigned count = next_byte(reading);
	bool turned = false;

	for (unsigned i = 0; i < count; i++) {
		CHECK(i < due && pile_of(notes));
		come_up(notes, next_card(reading));
		if (turn_discards(notes)) {
			turned = true;
			notes->turned_exactly |= i + 1 == due;
		}
	}
	CHECK(count == due || !pile_of(notes));
	CHECK(turned == said_turned);
	if (!pile_of(notes) && !was_empty) {
		CHECK(!notes->last_turn);
		notes->last_turn = last_turn;
	}
	CHECK(said_last == notes->last_turn);
	return turned;
}

/* --- steps ---------------------------------------------------------------- */

static inline void note_refill(struct notes *notes, struct reading *reading)
{
	unsigned card = next_card(reading);
	bool late = notes->second_pass;

	leave_street(notes, card);
	CHECK(next_byte(reading) == late);
	notes->refilled_after |= late && notes->refills;
	notes->refills++;
	notes->late_refills += late;
	notes->place[card] = AMONG_DISCARDS;
	if (late) {
		notes->place[card] = IN_PILE;
		notes->beneath[notes->beneath_count++] = (uint8_t)card;
	}
	notes->turned_in_refill |=
		read_laid(notes, reading, printed[card].rank,
	                  notes->turn % 2 ? notes->turn + 1 : notes->turn);
	notes->came_back |= late && notes->place[card] == IN_STREET;
}

static inline void move_card(struct notes *notes, unsigned card, unsigned from,
                             unsigned to)
{
	CHECK(lies_at(notes, card, from));
	notes->place[card] = (uint8_t)to;
}

static inline void note_accountant(struct notes *notes, struct reading *reading)
{
	unsigned seat = mover_of(notes);
	unsigned count;

	notes->accountant = next_card(reading);
	move_card(notes, notes->accountant, seat, seat + 2);
	count = next_byte(reading);
	CHECK(count >= 1 && count <= 4);
	for (unsigned i = 0; i < count; i++) {
		notes->given[i] = (uint8_t)next_card(reading);
		move_card(notes, notes->given[i], seat, seat + 2);
	}
	CHECK(next_byte(reading) == count);
	for (unsigned i = 0; i < count; i++) {
		notes->taken[i] = (uint8_t)next_card(reading);
		move_card(notes, notes->taken[i], seat + 2, seat);
	}
}

static inline void note_brute(struct notes *notes, struct reading *reading)
{
	unsigned seat = mover_of(notes);

	notes->brute = next_card(reading);
	move_card(notes, notes->brute, seat, seat + 2);
	notes->target = next_card(reading);
	notes->by = next_byte(reading);
	CHECK(next_byte(reading) == rank_now(notes, notes->target));
}

/* --- the end -------------------------------------------------------------- */

static inline int falling(const void *a, const void *b)
{
	return (int)*(const unsigned *)b - (int)*(const unsigned *)a;
}

static inline void count_points(struct notes *notes)
{
	unsigned worth[3][CARDS] = { { 0 } };
	unsigned count[3] = { 0 };

	memset(notes->points, 0, sizeof(notes->points));
	for (unsigned i = 1; i <= CARDS; i++) {
		unsigned place = notes->place[i];
		unsigned seat = place > 2 ? place - 2 : place;

		if (place > DISPLAY_OF_B)
			continue;
		notes->points[seat] += printed[i].points;
		worth[seat][count[seat]++] = printed[i].points;
	}
	notes->winner = 0;
	notes->decided = 0;
	if (notes->points[1] != notes->points[2]) {
		notes->winner = notes->points[1] > notes->points[2] ? 1 : 2;
		notes->decided = 1;
		return;
	}
	qsort(worth[1], CARDS, sizeof(unsigned), falling);
	qsort(worth[2], CARDS, sizeof(unsigned), falling);
	for (unsigned i = 0; i < CARDS && !notes->decided; i++) {
		if (worth[1][i] == worth[2][i])
			continue;
		notes->winner = worth[1][i] > worth[2][i] ? 1 : 2;
		notes->decided = 2;
	}
}

static inline void read_result(struct notes *notes, struct reading *reading)
{
	static const unsigned endings[] = { 1, 2 };

	CHECK(next_byte(reading) ==
	      (notes->is_over ? endings[notes->ended_early] : 0));
	if (!notes->is_over)
		return;
	count_points(notes);
	CHECK(next_byte(reading) == notes->winner);
	CHECK(next_byte(reading) == notes->decided);
	for (unsigned seat = 1; seat <= 2; seat++) {
		uint64_t hand = 0;

		CHECK(next_byte(reading) == notes->points[seat]);
		for (unsigned i = 0; i < 8; i++)
			hand |= (uint64_t)next_byte(reading) << 8 * i;
		for (unsigned i = 0; i < 64; i++)
			CHECK((hand >> i & 1) == lies_at(notes, i, seat));
	}
}

static inline void forget_turn(struct notes *notes)
{
	notes->refills = notes->late_refills = 0;
	notes->accountant = notes->brute = notes->target = notes->by = 0;
	memset(notes->given, 0, sizeof(notes->given));
	memset(notes->taken, 0, sizeof(notes->taken));
}

/* Who leaves loses, and nothing is said of what anybody holds. */
static inline void note_forfeit(struct notes *notes, struct reading *reading,
                                unsigned seat)
{
	CHECK(notes->vacant == 1U << seat && !notes->is_over);
	notes->is_over = true;
	notes->forfeiter = seat;
	notes->winner = 3 - seat;
	forget_turn(notes);
	CHECK(next_byte(reading) == 3);
	CHECK(next_byte(reading) == notes->winner);
}

/* What follows of the end of a turn, by itself. */
static inline void end_turn(struct notes *notes, struct reading *reading,
                            bool passed)
{
	unsigned due = notes->street_count ? 0 : 6;
	unsigned last = notes->turn % 2 ? notes->turn + 1 : notes->turn + 2;
	bool had_last = notes->last_turn;

	notes->turned_in_lay |= read_laid(notes, reading, due, last);
	notes->whole_round |= !had_last && notes->last_turn == notes->turn + 2;
	notes->ended_unturned |= notes->last_turn && !notes->second_pass;
	notes->empty_street |= !notes->street_count;
	notes->turns_of[mover_of(notes)]++;
	forget_turn(notes);
	if (notes->turn == notes->last_turn) {
		notes->is_over = true;
	} else if (passed && notes->passed) {
		notes->is_over = notes->ended_early = true;
	} else {
		notes->passed = passed;
		notes->turn++;
	}
	read_result(notes, reading);
}

static inline void note_stand_in(struct notes *notes, unsigned card,
                                 unsigned rank, const unsigned *pay,
                                 unsigned keep)
{
	for (unsigned i = 0; i < 2; i++) {
		if (printed[pay[i]].family == printed[card].family &&
		    printed[pay[i]].rank + 1 == rank)
			continue;
		notes->stand_in = true;
		notes->stand_in_kept |= keep == pay[i];
		notes->stand_in_for_own |= printed[card].family == 'm';
	}
}

static inline void note_take(struct notes *notes, struct reading *reading)
{
	unsigned seat = mover_of(notes);
	unsigned card = next_card(reading);
	unsigned rank = rank_now(notes, card);
	unsigned pay[2];
	unsigned keep;

	CHECK(next_byte(reading) == rank);
	pay[0] = next_byte(reading);
	pay[1] = next_byte(reading);
	keep = next_byte(reading);
	notes->brute_to_zero |= card == notes->target && !rank;
	leave_street(notes, card);
	notes->place[card] = (uint8_t)seat;
	CHECK(!rank == !pay[0] && !rank == !pay[1] && !rank == !keep);
	if (rank) {
		unsigned goes = keep == pay[0] ? pay[1] : pay[0];

		CHECK(pay[0] != pay[1] && lies_at(notes, keep, seat));
		note_stand_in(notes, card, rank, pay, keep);
		move_card(notes, goes, seat, seat + 2);
	}
	end_turn(notes, reading, false);
}

/* --- the whole ------------------------------------------------------------ */

/* The game begins, and seat so-and-so. */
static inline void note_start(struct notes *notes, struct reading *reading,
                              unsigned starter)
{
	memset(notes, 0, sizeof(*notes));
	notes->has_begun = true;
	notes->starter = starter;
	notes->turn = 1;
	notes->unseen = 52;
	CHECK(next_byte(reading) == 2);
	CHECK(next_byte(reading) == starter);
	for (unsigned i = 1; i <= CARDS; i++) {
		const char *text = printed[i].text;
		bool is_first = text[1] == '0' && text[2] <= 'b';

		notes->place[i] = IN_PILE;
		if (is_first)
			notes->place[i] =
				text[2] == 'a' ? HAND_OF_A : HAND_OF_B;
	}
	CHECK(next_byte(reading) == 6);
	for (unsigned i = 0; i < 6; i++)
		come_up(notes, next_card(reading));
}

/* The notes of a game that was laid so: what is in the pile is in no order. */
static inline void notes_of(struct notes *notes, const struct famiglia *game)
{
	memset(notes, 0, sizeof(*notes));
	notes->has_begun = true;
	notes->starter = game->starter;
	notes->turn = game->turn.number;
	notes->turns_of[notes->starter] = notes->turn / 2;
	notes->turns_of[3 - notes->starter] = (notes->turn - 1) / 2;
	notes->last_turn = game->last_turn;
	notes->second_pass = game->pile.second_pass;
	notes->unseen = game->pile.count;
	for (unsigned i = 1; i <= CARDS; i++) {
		notes->place[i] = IN_PILE;
		if (game->pile.discards >> i & 1)
			notes->place[i] = AMONG_DISCARDS;
		for (unsigned seat = 1; seat <= 2; seat++) {
			if (game->sides[seat - 1].hand >> i & 1)
				notes->place[i] = (uint8_t)seat;
			if (game->sides[seat - 1].display >> i & 1)
				notes->place[i] = (uint8_t)(seat + 2);
		}
	}
	for (unsigned i = 0; i < game->street.count; i++) {
		unsigned card = game->street.gangsters[i];

		notes->street[notes->street_count++] = (uint8_t)card;
		notes->place[card] = IN_STREET;
	}
}

static inline void notes_read(struct notes *notes, const struct event *event,
                              unsigned starter)
{
	struct reading reading = { event, 0 };

	CHECK(!event->private_len && !event->heist && !event->color);
	if (event->type >= EVENT_OF_RULESET && event->type != EVENT_FORFEITED)
		CHECK(event->seat == mover_of(notes));
	switch (event->type) {
	case EVENT_PLAYER_JOINED:
		notes->vacant &= ~(1U << event->seat);
		return;
	case EVENT_PLAYER_LEFT:
		notes->vacant |= 1U << event->seat;
		return;
	case EVENT_HOST_CHANGED:
		return;
	case EVENT_GAME_STARTED:
		CHECK(event->seat == 0);
		note_start(notes, &reading, starter);
		break;
	case EVENT_REFILLED:
		note_refill(notes, &reading);
		break;
	case EVENT_ACCOUNTANT_PLAYED:
		note_accountant(notes, &reading);
		break;
	case EVENT_BRUTE_PLAYED:
		note_brute(notes, &reading);
		break;
	case EVENT_CARD_TAKEN:
		note_take(notes, &reading);
		break;
	case EVENT_FORFEITED:
		note_forfeit(notes, &reading, event->seat);
		break;
	default:
		CHECK(event->type == EVENT_PASSED);
		end_turn(notes, &reading, true);
	}
	CHECK(reading.at == event->public_len);
}

/* --- the state says the same ---------------------------------------------- */

static inline void check_sets(const struct notes *notes,
                              const struct famiglia *game)
{
	for (unsigned i = 1; i <= CARDS; i++) {
		unsigned place = notes->place[i];

		for (unsigned seat = 1; seat <= 2; seat++) {
			const struct side *side = &game->sides[seat - 1];

			CHECK((side->hand >> i & 1) == (place == seat));
			CHECK((side->display >> i & 1) == (place == seat + 2));
		}
		CHECK((game->pile.discards >> i & 1) ==
		      (place == AMONG_DISCARDS));
	}
}

static inline void check_pile(const struct notes *notes,
                              const struct famiglia *game)
{
	const struct pile *pile = &game->pile;

	CHECK(pile->count == pile_of(notes));
	CHECK(pile->second_pass == notes->second_pass);
	for (unsigned i = 0; i < pile->count; i++)
		CHECK(lies_at(notes, pile->gangsters[i], IN_PILE));
	for (unsigned i = 0; i < notes->beneath_count; i++)
		CHECK(pile->gangsters[notes->beneath_count - 1 - i] ==
		      notes->beneath[i]);
}

static inline void notes_check(const struct notes *notes,
                               const struct famiglia *game)
{
	const struct turn *turn = &game->turn;

	if (!notes->has_begun)
		return;
	check_sets(notes, game);
	check_pile(notes, game);
	CHECK(game->street.count == notes->street_count);
	CHECK(same_bytes(game->street.gangsters, notes->street,
	                 notes->street_count));
	CHECK(turn->number == notes->turn);
	CHECK(turn->refills == notes->refills);
	CHECK(turn->refilled_again == (notes->late_refills > 0));
	CHECK(turn->swap.accountant == notes->accountant);
	CHECK(same_bytes(turn->swap.give, notes->given, 4));
	CHECK(same_bytes(turn->swap.take, notes->taken, 4));
	CHECK(turn->threat.brute == notes->brute);
	CHECK(turn->threat.target == notes->target);
	CHECK(turn->threat.by == notes->by);
	CHECK(game->starter == notes->starter);
	CHECK(game->vacant == notes->vacant);
	CHECK(game->last_turn == notes->last_turn);
	CHECK(game->has_passed == notes->passed);
	CHECK(game->forfeiter == notes->forfeiter);
	CHECK(game->ending == (!notes->is_over    ? 0U
	                       : notes->forfeiter ? 3U
	                                          : 1U + notes->ended_early));
}

#endif
