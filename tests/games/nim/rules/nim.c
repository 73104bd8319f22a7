/*
 * The whole game.  A state of the lobby is all zeros.
 */
#include "games/nim/rules/nim.h"

#include "table/legal.h"
#include "table/snapshot.h"

static const struct snapshot_formats formats = {
	.newest = 1,
	.checked = 1,
	.unpadded = 1,
};

static bool init(void *state, const struct options *options)
{
	(void)options;
	*(struct nim *)state = (struct nim){ 0 };
	return true;
}

static bool start_rematch(void *state, const void *before, const char *mode)
{
	(void)before;
	*(struct nim *)state = (struct nim){ 0 };
	return !mode;
}

static void start(void *state, unsigned players, struct rng *rng,
                  struct events *events)
{
	struct nim *nim = state;
	struct event *event = &events->list[events->count - 1];

	*nim = (struct nim){ .players = (uint8_t)players, .mover = 1 };
	nim->stones =
		(uint8_t)(NIM_STONES_MIN + rng_below(rng, NIM_STONES_MORE));
	for (unsigned i = 0; i < players; i++) {
		nim->bounds[i] = (uint8_t)(nim->stones +
		                           rng_below(rng, NIM_STONES_MORE));
		event_put_private(event, nim->bounds[i]);
	}
}

static struct fault fault(const void *state, const struct action *action)
{
	unsigned stones = action->args[ARG_STONES];

	(void)state;
	if (stones >= 1 && stones <= NIM_TAKE_MAX)
		return (struct fault){ NULL, NULL, NULL };
	return (struct fault){ "count", "out_of_range",
		               "Take one to three stones." };
}

static enum err apply(void *state, const struct action *action, struct rng *rng,
                      struct events *events)
{
	struct nim *nim = state;
	unsigned stones = action->args[ARG_STONES];

	(void)rng;
	if (action->verb != VERB_TAKE || fault(nim, action).member)
		return ERR_INVALID;
	if (nim->loser)
		return ERR_GAME_OVER;
	if (action->seat != nim->mover)
		return ERR_NOT_YOUR_TURN;
	if (stones > nim->stones)
		stones = nim->stones;
	nim->stones -= (uint8_t)stones;
	if (!nim->stones)
		nim->loser = nim->mover;
	nim->mover = (uint8_t)(nim->mover % nim->players + 1);
	struct event *event =
		events_add(events, EVENT_STONES_TAKEN, action->seat);
	event->part = 1;
	event_put_public(event, stones);
	event_put_public(event, nim->loser);
	return ERR_OK;
}

/* A player who leaves has lost. */
static void vacate(void *state, unsigned seat, bool is_removed,
                   struct events *events)
{
	struct nim *nim = state;

	(void)is_removed;
	(void)events;
	nim->vacant |= (uint8_t)(1U << seat);
	if (!nim->loser)
		nim->loser = (uint8_t)seat;
}

static void occupy(void *state, unsigned seat)
{
	((struct nim *)state)->vacant &= (uint8_t) ~(1U << seat);
}

static struct standing standing(const void *state)
{
	const struct nim *nim = state;

	if (!nim->players)
		return (struct standing){ .status = STATUS_LOBBY };
	return (struct standing){
		.status = nim->loser ? STATUS_OVER : STATUS_PLAYING,
		.players = nim->players,
		.vacant = nim->vacant,
		.waiting_for = nim->loser ? 0 : (uint8_t)(1U << nim->mover),
	};
}

/* --- views ---------------------------------------------------------------- */

static void view(const void *state, unsigned seat, void *into)
{
	const struct nim *nim = state;

	*(struct nim_view *)into = (struct nim_view){
		.seat = (uint8_t)seat,
		.players = nim->players,
		.mover = nim->mover,
		.stones = nim->loser ? nim->stones : 0,
		.loser = nim->loser,
		.bound = seat ? nim->bounds[seat - 1] : 0,
	};
}

static void now(const void *from, const struct action *action, enum err err,
                struct now *now)
{
	const struct nim_view *view = from;

	(void)action;
	*now = (struct now){ .members = { { "seat_to_move", NULL,
		                            view->mover } },
		             .count = 1 };
	if (err == ERR_NOT_YOUR_TURN)
		now->detail = "It is the turn of seat {seat_to_move}.";
}

static void print_legal(const void *from, const char *game_path,
                        struct json_out *out)
{
	const struct nim_view *view = from;
	char tail[] = "/bag/1/take";

	for (int count = 1; view->players && !view->loser &&
	                    view->seat == view->mover && count <= NIM_TAKE_MAX;
	     count++) {
		tail[5] = (char)('0' + count);
		struct legal legal =
			legal_begin(out, "take_stones", game_path, tail);
		legal_go_on(&legal, LEGAL_COMMAND);
		json_key_int(out, "count", count);
		legal_end(&legal);
	}
}

static void print_view(const void *from, struct json_out *out)
{
	const struct nim_view *view = from;

	json_key_int_or_null(out, "seat_to_move",
	                     view->loser ? 0 : view->mover);
	json_key_int_or_null(out, "loser", view->loser);
}

static void print_you(const void *from, struct json_out *out)
{
	const struct nim_view *view = from;

	json_key_int_or_null(out, "at_most", view->bound);
}

static bool print_hand(const void *from, unsigned seat, struct json_out *out)
{
	const struct nim_view *view = from;

	if (seat != view->seat)
		return false;
	json_key_int_or_null(out, "at_most", view->bound);
	return true;
}

static void print_started(struct event_reader *from, struct json_out *out)
{
	unsigned bound = 0;

	json_key_int(out, "players", get_u8(&from->public_data));
	for (unsigned seat = 1; seat <= from->seat; seat++)
		bound = get_u8(&from->private_data);
	json_key_int_or_null(out, "at_most", bound);
}

static void print_taken(struct event_reader *from, struct json_out *out)
{
	json_key_int(out, "count", get_u8(&from->public_data));
	json_key_int_or_null(out, "loser", get_u8(&from->public_data));
}

static const struct event_row rows[EVENT_TYPES_MAX] = {
	[EVENT_GAME_STARTED] = { "game_started", NULL, print_started },
#define EVENT(name, number, code, print) [number] = { code, NULL, print },
#include "games/nim/rules/nim_event.def"
};

/* --- bytes ---------------------------------------------------------------- */

static void code(struct snapshot *snapshot, struct nim *nim)
{
	snapshot_count(snapshot, &nim->players, NIM_SEATS_MAX);
	snapshot_count(snapshot, &nim->mover, NIM_SEATS_MAX);
	snapshot_u8(snapshot, &nim->stones);
	snapshot_count(snapshot, &nim->loser, NIM_SEATS_MAX);
	snapshot_u8(snapshot, &nim->vacant);
	snapshot_bytes(snapshot, nim->bounds, NIM_SEATS_MAX);
}
_Static_assert(SNAPSHOT_FRAME + sizeof(struct nim) <= REMATCH_STATE_MAX,
               "a rematch fits");

static size_t encode(const void *state, uint8_t *bytes)
{
	struct nim copy = *(const struct nim *)state;
	struct snapshot snapshot;

	snapshot_write(&snapshot, bytes, &formats);
	code(&snapshot, &copy);
	return snapshot_written(&snapshot);
}

static bool decode(void *state, const uint8_t *bytes, size_t len)
{
	struct nim read = { 0 };
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, bytes, len, &formats))
		return false;
	code(&snapshot, &read);
	if (!get_all_read(&snapshot.in) || read.mover > read.players ||
	    read.loser > read.players || (read.players && !read.mover) ||
	    (read.players && !read.loser && !read.stones))
		return false;
	*(struct nim *)state = read;
	return true;
}

/* A game whose rules refer to its bots by name needs no third file. */
extern const struct bot_rules bot_nim;

const struct ruleset nim_rules = {
	.code = "nim",
	.number = NIM_NUMBER,
	.rules_version = 1,
	.rules_version_min = 1,
	.modes = (const char *const[]){ NULL },
	.seats_min = NIM_SEATS_MIN,
	.seats_max = NIM_SEATS_MAX,
	.state_size = sizeof(struct nim),
	.view_size = sizeof(struct nim_view),
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
	.events = rows,
	.encode = encode,
	.decode = decode,
	.bot = &bot_nim,
};
