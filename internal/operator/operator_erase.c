/*
 * A player is known by a seat with the hash of the token, and from there is
 * followed through the chain of rematches in both directions: a renewed token
 * is that of one game only, and the log of a game names a player who has left
 * it. The list of visited games has each game once.
 *
 * In each game the names of the player go out of the events.  A player who
 * still sits there gets a neutral name, by the same change that the player
 * could make; so the version grows, waiters wake, and gangctl replay decides it
 * again.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

#include "auth/name.h"
#include "auth/token.h"
#include "base/rng.h"
#include "operator/occupants.h"
#include "service/authorize.h"
#include "service/decide.h"
#include "service/stored_game.h"
#include "store/erase.h"

/* A conflict means that somebody has moved since the game was loaded. */
enum { TRIES_MAX = 100, NAME_SIZE = 16, INPUT_MAX = 256 };

/* One game of the chain, as far as the player is concerned. */
struct part {
	struct store_game game;
	struct occupants occupants;
	unsigned player; /* by occupants.h; 0: was never in this game */
	unsigned seat;   /* 0: has left */
	char name[NAME_SIZE];
	struct erase_events events;
};

/* How the player is known in a game: by one of these. */
struct clue {
	const uint8_t *token_hash; /* has the seat; or NULL */
	unsigned player;           /* or 0 */
	unsigned rematch_seat;     /* in its rematch; or 0 */
};

struct visits {
	struct admin *admin;
	struct arena arena; /* of the list of games */
	struct uuid *done;
	size_t count;
	size_t size;
	size_t erased;
};

/* --- reading the token ---------------------------------------------------- */

/* A token may be followed by the end of its line, and nothing else. */
static bool read_token(const char *path, uint8_t hash[TOKEN_HASH_SIZE])
{
	bool is_stdin = !path || strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	char text[INPUT_MAX];
	size_t len = file ? fread(text, 1, sizeof(text), file) : 0;
	bool is_read = file && !ferror(file);

	if (file && !is_stdin)
		(void)fclose(file);
	if (!is_read || len == 0) {
		(void)fprintf(stderr,
		              "no token could be read from %s; expected: a "
		              "line with the token of a seat\n",
		              is_stdin ? "standard input" : "that file");
		return false;
	}
	while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	if (token_parse(text, len, hash))
		return true;
	(void)fprintf(stderr, "that is not a token, or it is damaged; "
	                      "expected: \"gang_\" and 49 letters and "
	                      "digits, as the service gave it\n");
	return false;
}

/* --- one game ------------------------------------------------------------- */

/* Of the events that name the player, those that still have a name. */
static bool read_log(struct admin *admin, struct arena *arena,
                     const struct clue *clue, struct part *part)
{
	const struct store_event *events;
	unsigned *names;
	size_t count;

	if (!admin_events(admin, part->game.id, arena, &events, &count))
		return false;
	names = arena_zalloc(arena, count * sizeof(*names));
	occupants_init(&part->occupants);
	for (size_t i = 0; i < count; i++)
		names[i] = occupants_read(&part->occupants, &events[i]);
	if (clue->token_hash)
		part->seat = authorize_seat_of(&part->game, clue->token_hash);
	part->player = clue->player;
	if (part->seat)
		part->player = part->occupants.seats[part->seat - 1];
	else if (clue->rematch_seat)
		part->player = part->occupants.rematch[clue->rematch_seat - 1];
	if (!part->player)
		return true;
	for (unsigned i = 0; i < STORE_SEATS_MAX; i++) {
		if (part->occupants.seats[i] == part->player)
			part->seat = i + 1;
	}
	uint32_t *versions = arena_alloc(arena, count * sizeof(*versions));
	for (size_t i = 0; i < count; i++) {
		if (names[i] == part->player && events[i].public_data)
			versions[part->events.count++] = events[i].version;
	}
	part->events.game = part->game.id;
	part->events.versions = versions;
	return true;
}

/* The lowest "Player N" that nobody in the game has, first that of the seat. */
static void choose_name(struct part *part, struct arena *arena,
                        struct name *name)
{
	for (unsigned i = 0;; i++) {
		unsigned seats = part->game.seats_count;
		bool is_taken = false;

		(void)snprintf(part->name, sizeof(part->name), "Player %u",
		               i ? i : part->seat);
		if (name_parse(part->name, arena, name) != NAME_OK)
			continue;
		for (unsigned j = 0; j < seats; j++) {
			const char *other = part->game.seats[j].name;

			is_taken = is_taken || (other && j + 1 != part->seat &&
			                        strcmp(name_key(other, arena),
			                               name->key) == 0);
		}
		if (!is_taken)
			return;
	}
}

/* The change of a player, with an event that has the new name alone. */
static bool decide(struct call *call, struct part *part)
{
	static const uint8_t no_seed[RNG_SEED_SIZE];
	struct arena *arena = &call->req->arena;

	if (stored_game_decode(call, &part->game))
		return false;
	choose_name(part, arena, &call->wanted.name);
	call->caller.seat = part->seat;
	call->wanted.action = (struct action){ .verb = VERB_CHANGE_PLAYER };
	call->wanted.action.args[CHANGE_SEAT] = (uint8_t)part->seat;
	if (decide_move(call, no_seed))
		return false;
	struct store_event *event = &call->decided.events[0];
	event->public_data =
		(const uint8_t *)arena_printf(arena, "%s\n\n",
	                                      call->wanted.name.text);
	event->public_len = strlen((const char *)event->public_data);
	return true;
}

static enum store_result try_game(struct admin *admin, struct uuid id,
                                  const struct clue *clue, struct part *part)
{
	struct http_request req = { 0 };
	struct call call = { .req = &req };
	enum store_result result = STORE_BROKEN;

	*part = (struct part){ .player = 0 };
	arena_init(&req.arena);
	if (admin_load(admin, id, &req.arena, &part->game) &&
	    read_log(admin, &req.arena, clue, part)) {
		bool is_there = part->seat || part->events.count;

		if (!is_there)
			result = STORE_NONE;
		else if (!part->seat)
			result = erase_commit(admin, NULL, &part->events);
		else if (decide(&call, part))
			result = erase_commit(admin, &call.decided.move,
			                      &part->events);
	}
	arena_fini(&req.arena);
	return result;
}

/* The audit: what was done, without a name. */
static void report(const struct part *part)
{
	char id[UUID_TEXT_LEN + 1];

	uuid_print(part->game.id, id);
	(void)printf("%s: ", id);
	if (part->seat)
		(void)printf("seat %u is \"%s\" now, ", part->seat, part->name);
	else
		(void)printf("the player has left, ");
	(void)printf("names removed from %zu events\n", part->events.count);
}

static bool erase_game(struct visits *visits, struct uuid id,
                       const struct clue *clue, struct part *part)
{
	enum store_result result = STORE_CONFLICT;
	char text[UUID_TEXT_LEN + 1];

	for (unsigned i = 0; i < TRIES_MAX && result == STORE_CONFLICT; i++)
		result = try_game(visits->admin, id, clue, part);
	if (result == STORE_OK) {
		report(part);
		visits->erased++;
	}
	if (result == STORE_OK || result == STORE_NONE)
		return true;
	uuid_print(id, text);
	(void)fprintf(stderr, "%s: nothing was erased; run the command again\n",
	              text);
	return false;
}

/* --- the chain of rematches ----------------------------------------------- */

/* False if the game was visited before, was deleted, or there is none. */
static bool visit(struct visits *visits, struct uuid id)
{
	for (size_t i = 0; i < visits->count; i++) {
		if (memcmp(&visits->done[i], &id, sizeof(id)) == 0)
			return false;
	}
	if (uuid_is_none(id) || !erase_has_game(visits->admin, id))
		return false;
	if (visits->count == visits->size) {
		size_t size = visits->size ? 2 * visits->size : 16;
		struct uuid *more =
			arena_alloc(&visits->arena, size * sizeof(*more));

		if (visits->count)
			memcpy(more, visits->done,
			       visits->count * sizeof(*more));
		visits->done = more;
		visits->size = size;
	}
	visits->done[visits->count++] = id;
	return true;
}

/* The number in the rematch of a player of this game; 0: did not go on. */
static unsigned number_in_rematch(const struct part *part)
{
	for (unsigned i = 0; part->player && i < STORE_SEATS_MAX; i++) {
		if (part->occupants.rematch[i] == part->player)
			return i + 1;
	}
	return 0;
}

static bool erase_later(struct visits *visits, struct part part)
{
	bool good = true;

	for (;;) {
		struct clue clue = { .player = number_in_rematch(&part) };
		struct uuid id = part.game.rematch;

		if (!clue.player || !visit(visits, id))
			return good;
		good = erase_game(visits, id, &clue, &part) && good;
	}
}

static bool erase_earlier(struct visits *visits, struct part part)
{
	bool good = true;

	for (;;) {
		struct clue clue = { .rematch_seat = part.player };
		struct uuid id = part.game.rematch_of;

		if (!part.player || part.player > STORE_SEATS_MAX ||
		    !visit(visits, id))
			return good;
		good = erase_game(visits, id, &clue, &part) && good;
	}
}

/* Erase the player from a game, and from those before and after it. */
static bool erase_chain(struct visits *visits, struct uuid id,
                        const uint8_t *token_hash)
{
	struct clue clue = { .token_hash = token_hash };
	struct part part;

	if (!visit(visits, id))
		return true;
	bool good = erase_game(visits, id, &clue, &part);
	good = erase_later(visits, part) && good;
	return erase_earlier(visits, part) && good;
}

bool operator_erase(struct admin *admin, const char *path)
{
	struct visits visits = { .admin = admin };
	uint8_t hash[TOKEN_HASH_SIZE];
	const struct uuid *games;
	size_t count = 0;

	if (!read_token(path, hash))
		return false;
	arena_init(&visits.arena);
	bool good =
		erase_find_games(admin, hash, &visits.arena, &games, &count);
	if (good && count == 0) {
		(void)fprintf(stderr,
		              "no seat has this token: its player has left, "
		              "has renewed it, or the game was deleted\n");
		good = false;
	}
	for (size_t i = 0; i < count; i++)
		good = erase_chain(&visits, games[i], hash) && good;
	if (good)
		(void)printf("erased from %zu games\n", visits.erased);
	arena_fini(&visits.arena);
	return good;
}
