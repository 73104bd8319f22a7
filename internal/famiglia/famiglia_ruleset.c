/*
 * The functions of struct ruleset for Famiglia. Each only gives a pointer to
 * void the type that it has on this side.
 */
#include "famiglia/famiglia_ruleset.h"

#include "famiglia/famiglia.h"
#include "famiglia/famiglia_now.h"
#include "famiglia/famiglia_print.h"
#include "famiglia/famiglia_view.h"

/* The seam's functions, with the types that they have on this side. */

static bool init(void *state, const struct options *options)
{
	return famiglia_init(state, options);
}

static void start(void *state, unsigned players, struct rng *rng,
                  struct events *events)
{
	famiglia_start(state, players, rng, events);
}

static enum err apply(void *state, const struct action *action, struct rng *rng,
                      struct events *events)
{
	return famiglia_apply(state, action, rng, events);
}

static struct fault fault(const void *state, const struct action *action)
{
	(void)state;
	return famiglia_fault(action);
}

/* There are no modes. */
static bool start_rematch(void *state, const void *before, const char *mode)
{
	if (mode)
		return false;
	famiglia_start_rematch(state, before);
	return true;
}

/* Whichever way somebody leaves, the game is over and the hands are hidden. */
static void vacate(void *state, unsigned seat, bool is_removed,
                   struct events *events)
{
	(void)is_removed;
	famiglia_vacate(state, seat, events);
}

static void occupy(void *state, unsigned seat)
{
	famiglia_occupy(state, seat);
}

/* The game waits for the player to move. */
static struct standing standing(const void *state)
{
	const struct famiglia *game = state;
	unsigned mover = famiglia_mover(game);

	return (struct standing){
		.status = famiglia_status(game),
		.players = game->players,
		.vacant = game->vacant,
		.waiting_for = (uint8_t)(mover ? 1U << mover : 0),
	};
}

static void view(const void *state, unsigned seat, void *into)
{
	famiglia_view(state, seat, into);
}

static void now(const void *from, const struct action *action, enum err err,
                struct now *into)
{
	(void)action;
	famiglia_now(from, err, into);
}

static void print_legal(const void *from, const char *game_path,
                        struct json_out *out)
{
	famiglia_print_legal(from, game_path, out);
}

static void print_view(const void *from, struct json_out *out)
{
	famiglia_print_view(from, out);
}

static void print_you(const void *from, struct json_out *out)
{
	famiglia_print_you(from, out);
}

static bool print_hand(const void *from, unsigned seat, struct json_out *out)
{
	return famiglia_print_hand(from, seat, out);
}

static size_t encode(const void *state, uint8_t *bytes)
{
	return famiglia_encode(state, bytes);
}

static bool decode(void *state, const uint8_t *bytes, size_t len)
{
	return famiglia_decode(state, bytes, len);
}

const struct ruleset famiglia_ruleset = {
	.code = "famiglia",
	.number = FAMIGLIA_RULESET_NUMBER,
	.rules_version = 2,
	.rules_version_min = 1,
	.modes = { NULL },
	.seats_min = FAMIGLIA_SEATS,
	.seats_max = FAMIGLIA_SEATS,
	.state_size = sizeof(struct famiglia),
	.view_size = sizeof(struct famiglia_view),
	.init = init,
	.start = start,
	.apply = apply,
	.fault = fault,
	.start_rematch = start_rematch,
	.vacate = vacate,
	.occupy = occupy,
	.standing = standing,
	.view = view,
	.now = now,
	.print_legal = print_legal,
	.print_view = print_view,
	.print_you = print_you,
	.print_hand = print_hand,
	.events = famiglia_print_events,
	.encode = encode,
	.decode = decode,
};
