/*
 * The events of a heist are followed in their order, from the deal to the
 * present: the board, the holders of the round's chips, and what each event
 * says of the cards of a seat.  The viewer's own share of the events shows
 * which cards no other seat can have.  Without the first events nothing is
 * believed of their time.
 */
#include "games/gang/bot/evidence.h"

#include <string.h>

#include "games/gang/bot/belief.h"

/* The chance that a seat goes by its own hand alone, before its first chip. */
#define SIMPLE_AT_FIRST 0.05F

/* --- chips ---------------------------------------------------------------- */

static void let_go(struct beliefs *all, unsigned seat)
{
	for (unsigned stars = 1; stars <= CHIPS_MAX; stars++) {
		if (all->holders[stars] == seat)
			all->holders[stars] = CHIPS_CENTER;
	}
}

static void on_taken(struct beliefs *all, const struct event *event)
{
	unsigned stars = event->public_data[0];
	struct seat_belief *seat = &all->seats[event->seat - 1];

	if (stars < 1 || stars > all->players)
		return;
	belief_take(all, event->seat, stars);
	seat->takes++;
	if (event->public_data[1] != CHIPS_CENTER)
		seat->steals++;
	let_go(all, event->seat);
	all->holders[stars] = event->seat;
}

/* The event says how many cards were opened; the view says which. */
static void on_round(const struct bot_input *input, struct bot_gang_work *work,
                     const struct event *event)
{
	const struct gang_view *view = input->view;
	struct beliefs *all = &work->beliefs;
	unsigned count = all->board.count;

	all->round = event->public_data[0];
	memset(all->holders, 0, sizeof(all->holders));
	for (unsigned i = 0; i < all->players; i++)
		all->seats[i].steals = all->seats[i].takes = 0;
	if (event->public_len > 1)
		count += event->public_len - 1U;
	if (count > view->community_count)
		count = view->community_count;
	all->board.count = (uint8_t)count;
	memcpy(all->board.cards, view->community, count);
	belief_look(work);
}

static bool has_faces(const struct pocket *pocket, const struct board *board,
                      unsigned value)
{
	(void)board;
	return pocket_count_faces(pocket) == value;
}

static bool has_sum(const struct pocket *pocket, const struct board *board,
                    unsigned value)
{
	(void)board;
	return pocket_sum(pocket) == value;
}

/* The count and the rank of cards in one number. */
enum { COUNT_STEP = 16 };
static bool has_cards(const struct pocket *pocket, const struct board *board,
                      unsigned value)
{
	(void)board;
	return pocket_count_rank(pocket, value % COUNT_STEP) ==
	       value / COUNT_STEP;
}

static bool has_jack(const struct pocket *pocket, const struct board *board,
                     unsigned value)
{
	(void)board;
	(void)value;
	return pocket_count_rank(pocket, RANK_JACK) > 0;
}

static bool has_ranking(const struct pocket *pocket, const struct board *board,
                        unsigned value)
{
	return pocket_hand(pocket, board->cards, board->count).ranking + 1U ==
	       value;
}

static void on_used(struct bot_gang_work *work, const struct event *event)
{
	const uint8_t *said = event->public_data;
	unsigned specialist = said[0];
	struct seat_belief *seat;

	if (said[1] < 1 || said[1] > work->beliefs.players)
		return;
	seat = &work->beliefs.seats[said[1] - 1];
	switch (specialist) {
	case SPECIALIST_GETAWAY_DRIVER:
		belief_keep(work, seat, has_ranking, said[3]);
		break;
	case SPECIALIST_INVESTOR:
		belief_keep(work, seat, has_faces, said[4]);
		break;
	case SPECIALIST_MASTERMIND:
		belief_keep(work, seat, has_cards,
		            said[4] * COUNT_STEP + (said[3] - 1U));
		break;
	case SPECIALIST_MATH_WHIZ:
		belief_keep(work, seat, has_sum, said[4]);
		break;
	case SPECIALIST_MUSCLE:
		seat->is_strengthened = true;
		belief_look(work);
		break;
	default:
		break;
	}
}

/* --- cards that move ------------------------------------------------------ */

/* Empty for a card that the deck does not have, such as Jx. */
static uint64_t card_set(unsigned card)
{
	return card < CARD_DECK_COUNT ? UINT64_C(1) << card : 0;
}

static void kill_card(struct beliefs *all, unsigned card)
{
	all->dead |= card_set(card);
}

static void read_own(struct beliefs *all, const struct event *event)
{
	unsigned count = event->private_len;

	if (!count || count > POCKET_MAX)
		return;
	all->own.count = (uint8_t)count;
	memcpy(all->own.cards, event->private_data, count);
}

static void on_deal(struct bot_gang_work *work, const struct event *event)
{
	struct beliefs *all = &work->beliefs;

	for (unsigned i = 0; i < all->players; i++)
		belief_forget(all, &all->seats[i]);
	read_own(all, event);
}

/* The cards that the viewer discarded stay where they are. */
static void on_redrawn(const struct bot_input *input, struct beliefs *all,
                       const struct event *event)
{
	const struct gang_view *view = input->view;

	belief_forget(all, &all->seats[event->seat - 1]);
	if (event->seat != view->seat)
		return;
	for (unsigned i = 0; i < all->own.count; i++)
		kill_card(all, all->own.cards[i]);
	read_own(all, event);
}

/* After an exchange one of the pocket cards is unknown. */
static void blur(const struct beliefs *all, struct seat_belief *seat)
{
	unsigned count = strength_count(all->pocket_cards);

	for (unsigned i = 0; i < count; i++)
		seat->weights[i] = seat->weights[i] / 2 + 0.5F / (float)count;
}

static void on_choice(const struct bot_input *input, struct bot_gang_work *work,
                      const struct event *event)
{
	const struct gang_view *view = input->view;
	struct beliefs *all = &work->beliefs;
	struct seat_belief *seat = &all->seats[event->seat - 1];
	bool is_own = event->seat == view->seat;
	unsigned card = event->private_len ? event->private_data[0]
	                                   : (unsigned)CARD_NONE;

	switch (event->public_data[0]) {
	case SPECIALIST_INFORMANT:
		if (!is_own)
			seat->must_have = (uint8_t)card;
		break;
	case SPECIALIST_HACKER:
		blur(all, seat);
		belief_look(work);
		kill_card(all, is_own ? card : (unsigned)CARD_NONE);
		break;
	case SPECIALIST_JACK:
		blur(all, seat);
		belief_keep(work, seat, has_jack, 0);
		kill_card(all, is_own ? card : (unsigned)CARD_NONE);
		break;
	case SPECIALIST_COORDINATOR:
		if (is_own)
			all->passed = (uint8_t)card;
		break;
	default:
		break;
	}
}

/* The left neighbour has the card that the viewer passed. */
static void on_passed(const struct bot_input *input, struct bot_gang_work *work,
                      const struct event *event)
{
	const struct gang_view *view = input->view;
	struct beliefs *all = &work->beliefs;

	on_deal(work, event);
	all->seats[view->seat % all->players].must_have = all->passed;
}

/* --- all ------------------------------------------------------------------ */

static void follow(const struct bot_input *input, struct bot_gang_work *work,
                   const struct event *event)
{
	struct beliefs *all = &work->beliefs;
	bool has_seat = event->seat >= 1 && event->seat <= all->players;

	switch (event->type) {
	case EVENT_CARDS_DEALT:
	case EVENT_CARDS_REDEALT:
		on_deal(work, event);
		break;
	case EVENT_CARDS_PASSED:
		on_passed(input, work, event);
		break;
	case EVENT_ROUND_STARTED:
		on_round(input, work, event);
		break;
	case EVENT_SPECIALIST_USED:
		on_used(work, event);
		break;
	default:
		break;
	}
	if (!has_seat)
		return;
	switch (event->type) {
	case EVENT_CHIP_TAKEN:
		on_taken(all, event);
		break;
	case EVENT_CHIP_RETURNED:
		let_go(all, event->seat);
		break;
	case EVENT_CARDS_REDRAWN:
		on_redrawn(input, all, event);
		break;
	case EVENT_CHOICE_MADE:
		on_choice(input, work, event);
		break;
	default:
		break;
	}
}

static void begin(const struct gang_view *view, struct bot_gang_work *work)
{
	struct beliefs *all = &work->beliefs;

	all->players = view->players;
	all->round = 0;
	all->pocket_cards = view->pocket.count;
	all->board = (struct board){ .pocket_cards = view->pocket.count };
	memset(all->holders, 0, sizeof(all->holders));
	all->dead = 0;
	all->own = (struct pocket){ 0 };
	all->passed = CARD_NONE;
	for (unsigned i = 0; i < all->players; i++) {
		struct seat_belief *seat = &all->seats[i];

		seat->is_strengthened = false;
		seat->simple = SIMPLE_AT_FIRST;
		seat->steals = seat->takes = 0;
		seat->strengths = strength_at(&work->strength, &all->board);
		belief_forget(all, seat);
	}
}

void evidence_follow(const struct bot_input *input, struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct beliefs *all = &work->beliefs;
	bool believes = bot_level_get(input->level)->believes;
	size_t count = believes ? input->events_count : 0;

	if (all->of == input)
		return;
	begin(view, work);
	all->of = input;
	for (size_t i = 0; i < count; i++)
		follow(input, work, &input->events[i]);
	if (all->board.count == view->community_count)
		return;
	/* Events are missing, or this bot does not follow them. */
	all->board.count = view->community_count;
	memcpy(all->board.cards, view->community, view->community_count);
	belief_look(work);
}

/* --- questions ------------------------------------------------------------ */

static bool has_rank(const struct pocket *pocket, const struct board *board,
                     unsigned value)
{
	(void)board;
	return pocket_count_rank(pocket, value - 1) > 0;
}

/* The cards that a viewer sees, but those of one seat. */
static uint64_t seen_without(const struct gang_view *view, unsigned seat)
{
	uint64_t seen = 0;

	for (unsigned i = 0; i < view->community_count; i++)
		seen |= card_set(view->community[i]);
	for (unsigned other = 1; other <= view->players; other++) {
		const struct pocket *pocket = gang_view_pocket(view, other);

		for (unsigned i = 0;
		     other != seat && pocket && i < pocket->count; i++)
			seen |= card_set(pocket->cards[i]);
	}
	return seen;
}

float evidence_of_answer(const struct gang_view *view,
                         const struct bot_gang_work *work,
                         const struct asked *asked, unsigned value)
{
	uint64_t dead = seen_without(view, asked->about_seat);

	return belief_share(work, asked->about_seat, dead,
	                    asked->challenge == CHALLENGE_RETINA_SCAN
	                            ? has_rank
	                            : has_ranking,
	                    value);
}
