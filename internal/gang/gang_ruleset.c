/*
 * The functions of struct ruleset for The Gang. Each only gives a pointer to
 * void the type that it has on this side.
 */
#include "gang/gang_ruleset.h"

#include "gang/gang.h"
#include "gang/gang_now.h"
#include "gang/gang_print.h"
#include "gang/gang_view.h"

/* The seam's functions, with the types that they have on this side. */

static bool init(void *state, const struct options *options)
{
	return gang_init(state, options);
}

static void start(void *state, unsigned players, struct rng *rng,
                  struct events *events)
{
	gang_start(state, players, rng, events);
}

static enum err apply(void *state, const struct action *action, struct rng *rng,
                      struct events *events)
{
	return gang_apply(state, action, rng, events);
}

static struct fault fault(const void *state, const struct action *action)
{
	return gang_fault(state, action);
}

static bool start_rematch(void *state, const void *before, const char *mode)
{
	return gang_start_rematch(state, before, mode);
}

static void vacate(void *state, unsigned seat, bool is_removed,
                   struct events *events)
{
	gang_vacate(state, seat, is_removed, events);
}

static void occupy(void *state, unsigned seat)
{
	gang_occupy(state, seat);
}

static struct standing standing(const void *state)
{
	const struct gang *gang = state;

	return (struct standing){
		.status = gang_status(gang),
		.players = gang->players,
		.vacant = gang->heist.plan.vacant,
		.waiting_for = (uint8_t)rounds_waiting_for(&gang->heist),
		.mode = gang_mode_get(gang->mode)->code,
	};
}

static void view(const void *state, unsigned seat, void *into)
{
	gang_view(state, seat, into);
}

static void now(const void *from, const struct action *action, enum err err,
                struct now *into)
{
	gang_now(from, action, err, into);
}

static void print_legal(const void *from, const char *game_path,
                        struct json_out *out)
{
	gang_print_legal(from, game_path, out);
}

static void print_view(const void *from, struct json_out *out)
{
	gang_print_view(from, out);
}

static void print_you(const void *from, struct json_out *out)
{
	gang_print_you(from, out);
}

static bool print_hand(const void *from, unsigned seat, struct json_out *out)
{
	return gang_print_hand(from, seat, out);
}

static size_t encode(const void *state, uint8_t *bytes)
{
	return gang_encode(state, bytes);
}

static bool decode(void *state, const uint8_t *bytes, size_t len)
{
	return gang_decode(state, bytes, len);
}

const struct ruleset gang_ruleset = {
	.code = "the_gang",
	.number = GANG_RULESET_NUMBER,
	.rules_version = 2,
	.rules_version_min = 1,
	.modes = {
#define MODE(name, number, code, ...) code,
#include "gang/mode.def"
	},
	.seats_min = GANG_PLAYERS_MIN,
	.seats_max = GANG_PLAYERS_MAX,
	.host_may_remove = true,
	.state_size = sizeof(struct gang),
	.view_size = sizeof(struct gang_view),
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
	.events = gang_print_events,
	.encode = encode,
	.decode = decode,
};
