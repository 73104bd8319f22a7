/*
 * A player is known by a seat with the hash of the token, and from there is
 * followed through the chain of rematches in both directions: a renewed token
 * is that of one game only, and the log of a game names a player who has left
 * it. The list of visited games has each game once.
 *
 * In each game the names of the player are removed from the events.  A player
 * who still sits there gets a neutral name, by the same change that the player
 * could make; so the version grows, waiters wake, and gangctl replay decides it
 * again.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

#include "admin/erase.h"
#include "auth/name.h"
#include "auth/token.h"
#include "base/rng.h"
#include "operator/roster.h"
#include "service/authorize.h"
#include "service/decide.h"
#include "service/stored_game.h"

/* A conflict means that somebody has moved since the game was loaded. */
enum { TRIES_MAX = 100, NAME_SIZE = 16, INPUT_MAX = 256 };

/* One game of the chain, as far as the player is concerned. */
struct part {
	struct store_game game;
	struct roster roster;
	unsigned player; /* by roster.h; 0: was never in this game */
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
	(void)fprintf(stderr, "the token is invalid or damaged; "
	                      "expected: \"gang_\" and 49 letters and "
	                      "digits, as the service gave it\n");
	return false;
}

/* --- one game ------------------------------------------------------------- */

/* Find the events that name the player and still have a name. */
static enum finding read_log(struct admin *admin, struct arena *arena,
                             const struct clue *clue, struct part *part)
{
	const struct store_event *events;
	unsigned *names;
	size_t count;

	enum finding finding =
		admin_events(admin, part->game.id, arena, &events, &count);
	if (finding != FINDING_FOUND)
		return finding;
	names = arena_zalloc(arena, count * sizeof(*names));
	roster_init(&part->roster);
	for (size_t i = 0; i < count; i++)
		names[i] = roster_read(&part->roster, &events[i]);
	if (clue->token_hash)
		part->seat = authorize_seat_of(&part->game, clue->token_hash);
	part->player = clue->player;
	if (part->seat)
		part->player = part->roster.seats[part->seat - 1];
	else if (clue->rematch_seat)
		part->player = part->roster.rematch[clue->rematch_seat - 1];
	if (!part->player)
		return FINDING_FOUND;
	for (unsigned i = 0; i < STORE_SEATS_MAX; i++) {
		if (part->roster.seats[i] == part->player)
			part->seat = i + 1;
	}
	uint32_t *versions = arena_alloc(arena, count * sizeof(*versions));
	for (size_t i = 0; i < count; i++) {
		if (names[i] == part->player && events[i].public_data)
			versions[part->events.count++] = events[i].version;
	}
	part->events.game = part->game.id;
	part->events.versions = versions;
	return FINDING_FOUND;
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

			is_taken =
				is_taken || (other && j + 1 != part->seat &&
			                     name_is_like(name, other, arena));
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

/* How a try ended. */
enum tried {
	TRIED_DONE,     /* also if there was nothing to be erased */
	TRIED_CONFLICT, /* somebody has moved meanwhile */
	TRIED_DAMAGED, /* the stored state cannot be read; nothing was erased */
	TRIED_NOT,     /* the database refused; nothing was erased */
	TRIED_UNKNOWN, /* the answer to the commit was lost */
};

static enum tried commit(struct admin *admin, const struct store_move *move,
                         const struct part *part)
{
	switch (erase_commit(admin, move, &part->events)) {
	case STORE_OK:
		return TRIED_DONE;
	case STORE_CONFLICT:
		return TRIED_CONFLICT;
	case STORE_UNAVAILABLE:
		return TRIED_UNKNOWN;
	case STORE_NONE:
	case STORE_TAKEN:
	case STORE_REFUSED:
	case STORE_HELD:
	case STORE_BROKEN:
		break;
	}
	return TRIED_NOT;
}

/* The game that was found before may have been deleted since. */
static enum finding load(struct admin *admin, struct uuid id,
                         const struct clue *clue, struct arena *arena,
                         struct part *part)
{
	*part = (struct part){ .player = 0 };
	enum finding finding = admin_load(admin, id, arena, &part->game);
	if (finding == FINDING_FOUND)
		finding = read_log(admin, arena, clue, part);
	return finding;
}

static enum tried try_game(struct admin *admin, struct uuid id,
                           const struct clue *clue, struct part *part)
{
	static const struct service_config config = { .push_key = "",
		                                      .push_hosts = "" };
	struct http_request req = { 0 };
	struct call call = { .config = &config, .req = &req };
	enum tried tried = TRIED_NOT;

	arena_init(&req.arena);
	switch (load(admin, id, clue, &req.arena, part)) {
	case FINDING_UNKNOWN:
		break;
	case FINDING_ABSENT:
		tried = TRIED_DONE;
		break;
	case FINDING_FOUND:
		if (!part->seat && !part->events.count)
			tried = TRIED_DONE;
		else if (!part->seat)
			tried = commit(admin, NULL, part);
		else if (decide(&call, part))
			tried = commit(admin, &call.decided.move, part);
		else
			tried = TRIED_DAMAGED;
		break;
	}
	arena_fini(&req.arena);
	return tried;
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

/* Why the name may still be there; the status of the command. */
static enum verdict report_failure(struct uuid id, enum tried tried)
{
	static const char *const texts[] = {
		[TRIED_CONFLICT] = "nothing was erased: players have moved "
				   "again and again; run the command again",
		[TRIED_DAMAGED] = "nothing was erased: the stored state is "
				  "damaged; gangctl replay finds the event "
				  "that differs",
		[TRIED_NOT] = "nothing was erased; run the command again",
		[TRIED_UNKNOWN] = "all was erased in this game, or nothing; "
				  "run the command again",
	};
	char text[UUID_TEXT_LEN + 1];

	uuid_print(id, text);
	(void)fprintf(stderr, "%s: %s\n", text, texts[tried]);
	return tried == TRIED_DAMAGED ? VERDICT_BAD : VERDICT_UNKNOWN;
}

static enum verdict erase_game(struct visits *visits, struct uuid id,
                               const struct clue *clue, struct part *part)
{
	enum tried tried = TRIED_CONFLICT;

	for (unsigned i = 0; i < TRIES_MAX && tried == TRIED_CONFLICT; i++)
		tried = try_game(visits->admin, id, clue, part);
	if (tried != TRIED_DONE)
		return report_failure(id, tried);
	if (part->seat || part->events.count) {
		report(part);
		visits->erased++;
	}
	return VERDICT_DONE;
}

/* --- the chain of rematches ----------------------------------------------- */

static bool is_visited(const struct visits *visits, struct uuid id)
{
	for (size_t i = 0; i < visits->count; i++) {
		if (memcmp(&visits->done[i], &id, sizeof(id)) == 0)
			return true;
	}
	return false;
}

static void note_visit(struct visits *visits, struct uuid id)
{
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
}

/* Absent: the chain ends here, the game was deleted, or visited before. */
static enum finding visit(struct visits *visits, struct uuid id)
{
	char text[UUID_TEXT_LEN + 1];

	if (uuid_is_none(id) || is_visited(visits, id))
		return FINDING_ABSENT;
	enum finding finding = erase_find_game(visits->admin, id);
	if (finding == FINDING_FOUND)
		note_visit(visits, id);
	if (finding == FINDING_UNKNOWN) {
		uuid_print(id, text);
		(void)fprintf(stderr,
		              "%s: it is not known whether there is such a "
		              "game; run the command again\n",
		              text);
	}
	return finding;
}

/* The number in the rematch of a player of this game; 0: did not go on. */
static unsigned number_in_rematch(const struct part *part)
{
	for (unsigned i = 0; part->player && i < STORE_SEATS_MAX; i++) {
		if (part->roster.rematch[i] == part->player)
			return i + 1;
	}
	return 0;
}

/* Erase the player from a game, if it is there. */
static enum finding follow(struct visits *visits, struct uuid id,
                           const struct clue *clue, struct part *part,
                           enum verdict *verdict)
{
	enum finding finding = visit(visits, id);
	enum verdict erased = VERDICT_DONE;

	if (finding == FINDING_UNKNOWN)
		erased = VERDICT_UNKNOWN;
	else if (finding == FINDING_FOUND)
		erased = erase_game(visits, id, clue, part);
	*verdict = verdict_worse(*verdict, erased);
	return finding;
}

static enum verdict erase_later(struct visits *visits, struct part part)
{
	enum verdict verdict = VERDICT_DONE;
	struct clue clue;

	do {
		clue = (struct clue){ .player = number_in_rematch(&part) };
	} while (clue.player && follow(visits, part.game.rematch, &clue, &part,
	                               &verdict) == FINDING_FOUND);
	return verdict;
}

static enum verdict erase_earlier(struct visits *visits, struct part part)
{
	enum verdict verdict = VERDICT_DONE;
	struct clue clue;

	do {
		clue = (struct clue){ .rematch_seat = part.player };
	} while (part.player && part.player <= STORE_SEATS_MAX &&
	         follow(visits, part.game.rematch_of, &clue, &part, &verdict) ==
	                 FINDING_FOUND);
	return verdict;
}

/* Erase the player from a game, and from those before and after it. */
static enum verdict erase_chain(struct visits *visits, struct uuid id,
                                const uint8_t *token_hash)
{
	struct clue clue = { .token_hash = token_hash };
	enum verdict verdict = VERDICT_DONE;
	struct part part;

	if (follow(visits, id, &clue, &part, &verdict) != FINDING_FOUND)
		return verdict;
	verdict = verdict_worse(verdict, erase_later(visits, part));
	return verdict_worse(verdict, erase_earlier(visits, part));
}

static enum verdict erase_all(struct visits *visits,
                              const uint8_t hash[TOKEN_HASH_SIZE])
{
	enum verdict verdict = VERDICT_DONE;
	const struct uuid *games;
	size_t count;

	switch (erase_find_games(visits->admin, hash, &visits->arena, &games,
	                         &count)) {
	case FINDING_UNKNOWN:
		(void)fprintf(stderr, "nothing was erased; run the command "
		                      "again\n");
		return VERDICT_UNKNOWN;
	case FINDING_ABSENT:
		(void)fprintf(stderr,
		              "no seat has this token: its player has left, "
		              "has renewed it, or the game was deleted\n");
		return VERDICT_BAD;
	case FINDING_FOUND:
		break;
	}
	for (size_t i = 0; i < count; i++)
		verdict = verdict_worse(verdict,
		                        erase_chain(visits, games[i], hash));
	return verdict;
}

enum verdict operator_erase(struct admin *admin, const char *path)
{
	struct visits visits = { .admin = admin };
	uint8_t hash[TOKEN_HASH_SIZE];

	if (!read_token(path, hash))
		return VERDICT_BAD;
	arena_init(&visits.arena);
	enum verdict verdict = erase_all(&visits, hash);
	if (verdict == VERDICT_DONE)
		(void)printf("erased from %zu games\n", visits.erased);
	else if (visits.erased)
		(void)printf("erased from %zu games so far; keep the token for "
		             "another run\n",
		             visits.erased);
	arena_fini(&visits.arena);
	return verdict;
}
