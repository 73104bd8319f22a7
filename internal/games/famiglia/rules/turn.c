/*
 * The steps of a turn.  Each step leaves a mark in struct turn, which closes
 * the steps before it and forbids a second one; the end of the turn clears the
 * marks.  All gangsters come from the pile to the street through lay(), which
 * also notices when the discards become the pile.
 */
#include "games/famiglia/rules/turn.h"

#include <assert.h>

static struct side *side_of_mover(struct famiglia *game)
{
	return &game->sides[famiglia_mover(game) - 1];
}

static uint64_t hand_of_mover(const struct famiglia *game)
{
	return game->sides[famiglia_mover(game) - 1].hand;
}

unsigned turn_rank(const struct turn *turn, unsigned gangster)
{
	unsigned rank = gangster_rank(gangster);

	return gangster == turn->threat.target ? rank - turn->threat.by : rank;
}

uint64_t turn_able(uint64_t hand, enum family family)
{
	uint64_t able = 0;

	for (unsigned rank = 1; rank < GANGSTER_RANKS; rank++)
		able |= gangsters_alike(family, rank);
	return hand & able;
}

static void put_cards(struct event *event, const uint8_t *list, unsigned count)
{
	event_put_public(event, count);
	for (unsigned i = 0; i < count; i++)
		event_put_public(event, list[i]);
}

/* Eight bytes, the least significant first: get_u64le() reads them. */
static void put_set(struct event *event, uint64_t set)
{
	for (unsigned i = 0; i < sizeof(set); i++)
		event_put_public(event, set >> 8 * i & 0xff);
}

/* --- gangsters come from the pile ----------------------------------------- */

/* The gangsters laid into the street; whether the discards became the pile. */
struct laid {
	bool turned;
	uint8_t count;
	uint8_t gangsters[STREET_FULL];
};

static struct laid lay(struct famiglia *game, unsigned count, struct rng *rng)
{
	bool was_second = game->pile.second_pass;
	struct laid laid = { .count = 0 };

	while (laid.count < count && game->pile.count) {
		unsigned gangster = pile_draw(&game->pile, rng);

		street_lay(&game->street, gangster);
		laid.gangsters[laid.count++] = (uint8_t)gangster;
	}
	laid.turned = game->pile.second_pass && !was_second;
	return laid;
}

/* The even turn that ends the round of this turn. */
static unsigned end_of_round(unsigned turn)
{
	return turn + turn % 2;
}

static void emit_laid(const struct famiglia *game, const struct laid *laid,
                      struct event *event)
{
	event_put_public(event, laid->turned);
	event_put_public(event, game->last_turn);
	put_cards(event, laid->gangsters, laid->count);
}

/* --- refilling the street ------------------------------------------------- */

enum err turn_check_refill_step(const struct famiglia *game)
{
	const struct turn *turn = &game->turn;

	if (turn->swap.accountant || turn->threat.brute)
		return ERR_STEP_OVER;
	if (street_has_zero(&game->street))
		return ERR_ZERO_IN_STREET;
	if (turn->refilled_again)
		return ERR_REFILL_USED;
	return game->pile.count ? ERR_OK : ERR_PILE_EMPTY;
}

enum err turn_check_refill(const struct famiglia *game, unsigned gangster)
{
	enum err err = turn_check_refill_step(game);

	if (err)
		return err;
	return street_has(&game->street, gangster) ? ERR_OK : ERR_NOT_IN_STREET;
}

void turn_refill(struct famiglia *game, unsigned gangster, struct rng *rng,
                 struct events *events)
{
	struct turn *turn = &game->turn;
	bool is_second = game->pile.second_pass;
	struct event *event =
		events_add(events, EVENT_REFILLED, famiglia_mover(game));

	street_remove(&game->street, gangster);
	pile_discard(&game->pile, gangster);
	turn->refills++;
	turn->refilled_again = is_second;
	struct laid laid = lay(game, gangster_rank(gangster), rng);
	if (!game->pile.count)
		game->last_turn = (uint8_t)end_of_round(turn->number);
	event_put_public(event, gangster);
	event_put_public(event, is_second);
	emit_laid(game, &laid, event);
}

/* --- an accountant -------------------------------------------------------- */

unsigned swap_count(const uint8_t *gangsters)
{
	unsigned count = 0;

	while (count < SWAP_MAX && gangsters[count])
		count++;
	return count;
}

bool swap_is_list(const uint8_t *gangsters)
{
	unsigned count = swap_count(gangsters);

	for (unsigned i = count; i < SWAP_MAX; i++) {
		if (gangsters[i])
			return false;
	}
	return gangsters_count(gangsters_of(gangsters, count)) == count;
}

enum err turn_check_swap_step(const struct turn *turn)
{
	if (turn->swap.accountant)
		return ERR_ALREADY_USED;
	return turn->threat.brute ? ERR_STEP_OVER : ERR_OK;
}

/* Check that a card of a family is in the mover's hand and has its ability. */
static enum err check_played(const struct famiglia *game, unsigned gangster,
                             enum family family)
{
	if (!gangsters_have(hand_of_mover(game), gangster))
		return ERR_NOT_IN_HAND;
	if (gangster_family(gangster) != family)
		return ERR_WRONG_FAMILY;
	return gangster_rank(gangster) ? ERR_OK : ERR_NO_ABILITY;
}

enum err turn_check_swap(const struct famiglia *game, struct swap swap)
{
	const struct side *side = &game->sides[famiglia_mover(game) - 1];
	uint64_t give = gangsters_of(swap.give, SWAP_MAX);
	uint64_t take = gangsters_of(swap.take, SWAP_MAX);
	enum err err = turn_check_swap_step(&game->turn);

	if (!err)
		err = check_played(game, swap.accountant, FAMILY_ACCOUNTANTS);
	if (err)
		return err;
	if (gangsters_have(give | take, swap.accountant))
		return ERR_PLAYED_CARD;
	if (give & ~side->hand)
		return ERR_NOT_IN_HAND;
	if (take & ~side->display)
		return ERR_NOT_IN_DISPLAY;
	if (swap_count(swap.give) > gangster_rank(swap.accountant))
		return ERR_SWAP_TOO_LARGE;
	return ERR_OK;
}

/* Move a card of the mover's hand to the display. */
static void exhaust(struct famiglia *game, unsigned gangster)
{
	struct side *side = side_of_mover(game);

	assert(gangsters_have(side->hand, gangster));
	side->hand &= ~gangsters_just(gangster);
	side->display |= gangsters_just(gangster);
}

void turn_swap(struct famiglia *game, struct swap swap, struct events *events)
{
	struct side *side = side_of_mover(game);
	unsigned count = swap_count(swap.give);
	uint64_t taken = gangsters_of(swap.take, count);
	struct event *event = events_add(events, EVENT_ACCOUNTANT_PLAYED,
	                                 famiglia_mover(game));

	game->turn.swap = swap;
	exhaust(game, swap.accountant);
	for (unsigned i = 0; i < count; i++)
		exhaust(game, swap.give[i]);
	side->display &= ~taken;
	side->hand |= taken;
	event_put_public(event, swap.accountant);
	put_cards(event, swap.give, count);
	put_cards(event, swap.take, count);
}

/* --- a brute -------------------------------------------------------------- */

enum err turn_check_threat_step(const struct turn *turn)
{
	return turn->threat.brute ? ERR_ALREADY_USED : ERR_OK;
}

enum err turn_check_threat(const struct famiglia *game, struct threat threat)
{
	enum err err = turn_check_threat_step(&game->turn);

	if (!err)
		err = check_played(game, threat.brute, FAMILY_BRUTES);
	if (err)
		return err;
	if (!street_has(&game->street, threat.target))
		return ERR_NOT_IN_STREET;
	if (threat.by > gangster_rank(threat.brute))
		return ERR_BRUTE_TOO_WEAK;
	return threat.by > gangster_rank(threat.target) ? ERR_BELOW_ZERO
	                                                : ERR_OK;
}

void turn_threaten(struct famiglia *game, struct threat threat,
                   struct events *events)
{
	struct event *event =
		events_add(events, EVENT_BRUTE_PLAYED, famiglia_mover(game));

	exhaust(game, threat.brute);
	game->turn.threat = threat;
	event_put_public(event, threat.brute);
	event_put_public(event, threat.target);
	event_put_public(event, threat.by);
	event_put_public(event, turn_rank(&game->turn, threat.target));
}

/* --- the end of a turn ---------------------------------------------------- */

/* Fill the street if the turn has emptied it. */
static struct laid renew_street(struct famiglia *game, struct rng *rng)
{
	struct laid laid = { .count = 0 };

	if (game->street.count || !game->pile.count)
		return laid;
	laid = lay(game, STREET_FULL, rng);
	if (!game->pile.count)
		game->last_turn = (uint8_t)end_of_round(game->turn.number + 1U);
	return laid;
}

static void emit_result(const struct famiglia *game, struct event *event)
{
	event_put_public(event, game->ending);
	if (!game->ending)
		return;
	struct result result = score_result(game->sides, game->ending);
	event_put_public(event, result.winner);
	event_put_public(event, result.decided);
	for (unsigned i = 0; i < FAMIGLIA_SEATS; i++) {
		event_put_public(event, result.points[i]);
		put_set(event, result.hands[i]);
	}
}

/* Two passes in the last turns do not end the last round early. */
static void finish(struct famiglia *game, bool passed, struct rng *rng,
                   struct event *event)
{
	unsigned number = game->turn.number;
	struct laid laid = renew_street(game, rng);

	game->turn = (struct turn){ .number = (uint8_t)number };
	if (number == game->last_turn) {
		game->ending = ENDING_LAST_ROUND;
	} else if (passed && game->has_passed) {
		game->ending = ENDING_BOTH_PASSED;
	} else {
		game->turn.number++;
		game->has_passed = passed;
	}
	emit_laid(game, &laid, event);
	emit_result(game, event);
}

enum err turn_check_take(const struct famiglia *game, struct recruit recruit)
{
	if (!street_has(&game->street, recruit.gangster))
		return ERR_NOT_IN_STREET;
	return recruit_check(&recruit, turn_rank(&game->turn, recruit.gangster),
	                     hand_of_mover(game));
}

void turn_take(struct famiglia *game, struct recruit recruit, struct rng *rng,
               struct events *events)
{
	unsigned exhausted = recruit_exhausted(&recruit);
	struct event *event =
		events_add(events, EVENT_CARD_TAKEN, famiglia_mover(game));

	event_put_public(event, recruit.gangster);
	event_put_public(event, turn_rank(&game->turn, recruit.gangster));
	event_put_public(event, recruit.pay[0]);
	event_put_public(event, recruit.pay[1]);
	event_put_public(event, recruit.keep);
	street_remove(&game->street, recruit.gangster);
	if (exhausted)
		exhaust(game, exhausted);
	side_of_mover(game)->hand |= gangsters_just(recruit.gangster);
	finish(game, false, rng, event);
}

void turn_pass(struct famiglia *game, struct rng *rng, struct events *events)
{
	struct event *event =
		events_add(events, EVENT_PASSED, famiglia_mover(game));

	finish(game, true, rng, event);
}

/* --- invariants ----------------------------------------------------------- */

bool turn_valid(const struct turn *turn)
{
	const struct threat *threat = &turn->threat;

	return turn->number >= 1 && swap_is_list(turn->swap.give) &&
	       swap_is_list(turn->swap.take) &&
	       turn->swap.accountant <= GANGSTER_COUNT &&
	       threat->brute <= GANGSTER_COUNT &&
	       (!threat->target ||
	        (gangster_exists(threat->target) &&
	         threat->by <= gangster_rank(threat->target)));
}
