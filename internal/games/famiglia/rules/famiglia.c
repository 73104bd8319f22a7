/*
 * A whole game.  An action is checked completely before it changes anything, so
 * a refused action leaves no trace; it causes one event.  Each of the sixty
 * gangsters is in one place.  The last turn is known once the pile has run out.
 */
#include "games/famiglia/rules/famiglia.h"

#include <assert.h>
#include <string.h>

/* There are no options. */
bool famiglia_init(void *state, const struct options *options)
{
	struct famiglia *game = state;

	for (unsigned i = 0; i < sizeof(options->bytes); i++) {
		if (options->bytes[i])
			return false;
	}
	*game = (struct famiglia){ .starter = 1 };
	return true;
}

bool famiglia_start_rematch(void *state, const void *before, const char *mode)
{
	struct famiglia *game = state;
	const struct famiglia *ended = before;

	if (mode)
		return false;
	*game = (struct famiglia){
		.starter = (uint8_t)famiglia_other_seat(ended->starter),
	};
	return true;
}

void famiglia_start(void *state, unsigned players, struct rng *rng,
                    struct events *events)
{
	struct famiglia *game = state;
	struct event *event = &events->list[events->count - 1];
	uint64_t pile = GANGSTERS_ALL;

	assert(game->players == 0 && players == FAMIGLIA_SEATS);
	assert(event->type == EVENT_GAME_STARTED);
	game->players = FAMIGLIA_SEATS;
	game->turn.number = 1;
	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		game->sides[seat - 1].hand = gangsters_first(seat);
		pile &= ~gangsters_first(seat);
	}
	pile_init(&game->pile, pile, rng);
	event_put_public(event, game->starter);
	event_put_public(event, STREET_FULL);
	for (unsigned i = 0; i < STREET_FULL; i++) {
		street_lay(&game->street, pile_draw(&game->pile, rng));
		event_put_public(event, game->street.gangsters[i]);
	}
	assert(famiglia_valid(game));
}

static enum status status_of(const struct famiglia *game)
{
	if (!game->players)
		return STATUS_LOBBY;
	return game->ending ? STATUS_OVER : STATUS_PLAYING;
}

/* The game waits for the player to move. */
struct standing famiglia_standing(const void *state)
{
	const struct famiglia *game = state;
	unsigned mover = famiglia_mover(game);

	return (struct standing){
		.status = status_of(game),
		.players = game->players,
		.vacant = game->vacant,
		.waiting_for = (uint8_t)(mover ? 1U << mover : 0),
	};
}

static void forfeit(struct famiglia *game, unsigned seat, struct events *events)
{
	struct event *event = events_add(events, EVENT_FORFEITED, seat);
	struct result result = score_forfeit(seat);

	event_put_public(event, result.ending);
	event_put_public(event, result.winner);
	game->ending = ENDING_FORFEITED;
	game->forfeiter = (uint8_t)seat;
	game->turn = (struct turn){ .number = game->turn.number };
}

/* A player who leaves, or is removed, forfeits: all hands stay hidden. */
void famiglia_vacate(void *state, unsigned seat, bool is_removed,
                     struct events *events)
{
	struct famiglia *game = state;

	(void)is_removed;
	game->vacant |= (uint8_t)(1U << seat);
	if (!game->ending)
		forfeit(game, seat, events);
	assert(famiglia_valid(game));
}

void famiglia_occupy(void *state, unsigned seat)
{
	struct famiglia *game = state;

	game->vacant &= (uint8_t) ~(1U << seat);
	assert(famiglia_valid(game));
}

/* --- faults of arguments -------------------------------------------------- */

const char famiglia_no_card[] = "A card is a family of fmba, a rank of 01234 "
				"and the letter of its copy.";
const char famiglia_other_count[] = "Take as many cards as you give.";
const char famiglia_not_shown[] =
	"This must be one of the two cards of \"pay\".";

static struct fault fault_of_card(const char *member, unsigned gangster)
{
	if (gangster_exists(gangster))
		return (struct fault){ .member = NULL };
	return (struct fault){ member, "not_one_of", famiglia_no_card };
}

static struct swap swap_of(const struct action *action)
{
	struct swap swap = { .accountant = action->args[ARG_PLAYED] };

	memcpy(swap.give, action->args + ARG_GIVE, SWAP_MAX);
	memcpy(swap.take, action->args + ARG_TAKEN, SWAP_MAX);
	return swap;
}

static struct fault fault_of_swap(struct swap swap)
{
	static const char different[] = "One to four different cards.";
	struct fault fault = fault_of_card("card", swap.accountant);

	if (fault.member)
		return fault;
	if (!swap.give[0] || !swap_is_list(swap.give))
		return (struct fault){ "give", "not_allowed", different };
	if (!swap.take[0] || !swap_is_list(swap.take))
		return (struct fault){ "take", "not_allowed", different };
	if (swap_count(swap.take) != swap_count(swap.give))
		return (struct fault){ "take", "not_allowed",
			               famiglia_other_count };
	return fault;
}

static struct threat threat_of(const struct action *action)
{
	return (struct threat){
		.brute = action->args[ARG_PLAYED],
		.target = action->args[ARG_THREATENED],
		.by = action->args[ARG_BY],
	};
}

static struct fault fault_of_threat(struct threat threat)
{
	struct fault fault = fault_of_card("card", threat.brute);

	if (!fault.member)
		fault = fault_of_card("target", threat.target);
	if (!fault.member && (threat.by < 1 || threat.by > GANGSTER_RANK_MAX))
		return (struct fault){ "by", "out_of_range",
			               "A whole number from 1 to 4." };
	return fault;
}

static struct recruit recruit_of(const struct action *action)
{
	return (struct recruit){
		.gangster = action->args[ARG_PLAYED],
		.pay = { action->args[ARG_PAY], action->args[ARG_PAY + 1] },
		.keep = action->args[ARG_KEEP],
	};
}

static struct fault fault_of_recruit(struct recruit recruit)
{
	const uint8_t *pay = recruit.pay;
	struct fault fault = fault_of_card("card", recruit.gangster);

	if (fault.member || (!pay[0] && !pay[1] && !recruit.keep))
		return fault;
	if (!gangster_exists(pay[0]) || !gangster_exists(pay[1]) ||
	    pay[0] == pay[1])
		return (struct fault){ "pay", "not_allowed",
			               "Two different cards, and in \"keep\" "
			               "the one that you keep." };
	if (recruit.keep != pay[0] && recruit.keep != pay[1])
		return (struct fault){ "keep", "not_one_of",
			               famiglia_not_shown };
	return fault;
}

struct fault famiglia_fault(const void *state, const struct action *action)
{
	(void)state;
	switch ((enum famiglia_verb)action->verb) {
	case VERB_REFILL:
		return fault_of_card("card", action->args[ARG_PLAYED]);
	case VERB_SWAP:
		return fault_of_swap(swap_of(action));
	case VERB_THREATEN:
		return fault_of_threat(threat_of(action));
	case VERB_TAKE:
		return fault_of_recruit(recruit_of(action));
	case VERB_PASS:
		break;
	}
	return (struct fault){ .member = NULL };
}

/* --- actions -------------------------------------------------------------- */

enum err famiglia_check(const struct famiglia *game,
                        const struct action *action)
{
	/* An action may come from a log that somebody damaged. */
	if (action->seat < 1 || action->seat > game->players ||
	    game->vacant >> action->seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (famiglia_fault(game, action).member)
		return ERR_INVALID;
	if (game->ending)
		return ERR_GAME_OVER;
	if (action->seat != famiglia_mover(game))
		return ERR_NOT_YOUR_TURN;

	switch ((enum famiglia_verb)action->verb) {
	case VERB_REFILL:
		return turn_check_refill(game, action->args[ARG_PLAYED]);
	case VERB_SWAP:
		return turn_check_swap(game, swap_of(action));
	case VERB_THREATEN:
		return turn_check_threat(game, threat_of(action));
	case VERB_TAKE:
		return turn_check_take(game, recruit_of(action));
	case VERB_PASS:
		return ERR_OK;
	}
	return ERR_NOT_ALLOWED_NOW;
}

/* Carry out an action that was checked. */
static void carry_out(struct famiglia *game, const struct action *action,
                      struct rng *rng, struct events *events)
{
	switch ((enum famiglia_verb)action->verb) {
	case VERB_REFILL:
		turn_refill(game, action->args[ARG_PLAYED], rng, events);
		return;
	case VERB_SWAP:
		turn_swap(game, swap_of(action), events);
		return;
	case VERB_THREATEN:
		turn_threaten(game, threat_of(action), events);
		return;
	case VERB_TAKE:
		turn_take(game, recruit_of(action), rng, events);
		return;
	case VERB_PASS:
		turn_pass(game, rng, events);
		return;
	}
}

enum err famiglia_apply(void *state, const struct action *action,
                        struct rng *rng, struct events *events)
{
	struct famiglia *game = state;
	enum err err = famiglia_check(game, action);
	if (err)
		return err;

	assert(famiglia_valid(game));
	carry_out(game, action, rng, events);
	assert(famiglia_valid(game));
	return ERR_OK;
}

/* --- invariants ----------------------------------------------------------- */

/* The number of gangsters that no player owns. */
static unsigned count_left(const struct famiglia *game)
{
	return game->pile.count + gangsters_count(game->pile.discards) +
	       game->street.count;
}

/*
 * Each gangster is in one place: all sixty are somewhere, and the places hold
 * no more than sixty.  The first zeros are with their owners, so the pile and
 * the street have room for all others.
 */
static bool places_valid(const struct famiglia *game)
{
	unsigned count = count_left(game);
	uint64_t all = gangsters_of(game->pile.gangsters, game->pile.count) |
	               game->pile.discards | street_set(&game->street);

	for (unsigned seat = 1; seat <= FAMIGLIA_SEATS; seat++) {
		const struct side *side = &game->sides[seat - 1];

		if (gangsters_first(seat) & ~(side->hand | side->display))
			return false;
		all |= side->hand | side->display;
		count += gangsters_count(side->hand) +
		         gangsters_count(side->display);
	}
	return all == GANGSTERS_ALL && count == GANGSTER_COUNT;
}

/*
 * Two passes in a row end the game, so at least half of the turns took a
 * gangster, and the number of the turn fits into a byte.
 */
static bool number_valid(const struct famiglia *game)
{
	unsigned turns = game->turn.number - (unsigned)game->has_passed;

	return turns / 2 + count_left(game) <= PILE_MAX;
}

bool famiglia_valid(const struct famiglia *game)
{
	if (game->starter < 1 || game->starter > FAMIGLIA_SEATS)
		return false;
	if (!game->players)
		return true;
	return game->players == FAMIGLIA_SEATS &&
	       !(game->vacant & ~(((1U << FAMIGLIA_SEATS) - 1) << 1)) &&
	       game->ending <= ENDING_FORFEITED &&
	       game->forfeiter <= FAMIGLIA_SEATS &&
	       (game->forfeiter != 0) == (game->ending == ENDING_FORFEITED) &&
	       game->pile.count <= PILE_MAX &&
	       game->street.count <= STREET_MAX && places_valid(game) &&
	       turn_valid(&game->turn) && number_valid(game);
}
