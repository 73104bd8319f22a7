/*
 * watch.c - checks of every answer that no story has to name.
 *
 * Before a request the game's row and the number of its events are read from
 * the database, and compared after a refusal.  Whenever the database shows that
 * pocket cards were dealt or moved, every actor's hand is read again: answers
 * may name only cards that their reader has held or seen.  The same connection
 * holds a lock while a story says "hold".
 */
#include "watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>

#include "base/uuid.h"
#include "expect.h"
#include "gangsters.h"

struct watch {
	PGconn *looks;
	PGconn *holds; /* a transaction that holds a game's row */
	bool holding;
	bool learning; /* reading the hands of a new heist */
};

struct watch *watch_open(const char *database)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	assert(watch);
	watch->looks = PQconnectdb(database);
	watch->holds = PQconnectdb(database);
	if (PQstatus(watch->looks) == CONNECTION_OK &&
	    PQstatus(watch->holds) == CONNECTION_OK)
		return watch;
	fprintf(stderr, "%s", PQerrorMessage(watch->looks));
	watch_close(watch);
	return NULL;
}

void watch_close(struct watch *watch)
{
	PQfinish(watch->looks);
	PQfinish(watch->holds);
	free(watch);
}

/* --- the database --------------------------------------------------------- */

/* NULL while the database is away, as some stories want it. */
static PGresult *query(PGconn *db, const char *sql, const char *id)
{
	const char *const params[] = { id };
	PGresult *result = NULL;

	/* The second time on a connection made anew, if the first is lost. */
	for (int i = 0; i < 2; i++) {
		if (PQstatus(db) != CONNECTION_OK)
			PQreset(db);
		PQclear(result);
		result = PQexecParams(db, sql, id ? 1 : 0, NULL, params, NULL,
		                      NULL, 0);
		if (PQresultStatus(result) == PGRES_TUPLES_OK ||
		    PQresultStatus(result) == PGRES_COMMAND_OK)
			return result;
	}
	PQclear(result);
	return NULL;
}

static void command(struct story *story, PGconn *db, const char *sql,
                    const char *id)
{
	PGresult *result = query(db, sql, id);

	if (!result)
		story_fail(story, NULL, "%s: %s", sql, PQerrorMessage(db));
	PQclear(result);
}

/* The id of the game that a target is under, or NULL. */
static const char *game_in(struct story *story, const char *target)
{
	static const char under[] = "/v1/games/";
	struct uuid uuid;

	if (strncmp(target, under, sizeof(under) - 1) != 0)
		return NULL;
	target += sizeof(under) - 1;
	size_t len = strcspn(target, "/?");
	if (!uuid_parse(target, len, &uuid))
		return NULL;
	return arena_strndup(&story->arena, target, len);
}

/*
 * A game's row, whether it was started, and what the events of The Gang say of
 * cards: how often they were dealt, or came and went at all, and whose lie
 * open.  Numbers are of table/event.def and gang_event.def of the gang.
 */
static const char row_sql[] =
	"SELECT g.xmin || ' ' || g.ctid, g.version, count(*),"
	" count(*) FILTER (WHERE type = 4),"
	" count(*) FILTER (WHERE type = 33 AND ruleset = 1),"
	" count(*) FILTER (WHERE type IN (33, 41, 46, 47, 48)"
	"  AND ruleset = 1),"
	" coalesce(string_agg(seat::text, '')"
	"  FILTER (WHERE type = 38 AND ruleset = 1 AND heist = ("
	"   SELECT max(heist) FROM gangd.event WHERE game_id = $1)), '')"
	" FROM gangd.game AS g JOIN gangd.event AS e USING (game_id)"
	" WHERE game_id = $1 GROUP BY g.xmin, g.ctid, g.version";

static long column(PGresult *result, int at)
{
	return strtol(PQgetvalue(result, 0, at), NULL, 10);
}

/*
 * The row, or NULL.  To plan the statement takes ten times as long as to run
 * it, and it is run twice for every request, so each new connection prepares
 * it.
 */
static PGresult *query_row(PGconn *db, const char *id)
{
	const char *const params[] = { id };

	for (int i = 0; i < 3; i++) {
		if (PQstatus(db) != CONNECTION_OK)
			PQreset(db);
		PGresult *result =
			PQexecPrepared(db, "row", 1, params, NULL, NULL, 0);
		if (PQresultStatus(result) == PGRES_TUPLES_OK)
			return result;
		PQclear(result);
		PQclear(PQprepare(db, "row", row_sql, 1, NULL));
	}
	return NULL;
}

static struct row look_up(struct story *story, const char *id)
{
	struct row row = { .found = false };
	PGresult *result = id ? query_row(story->watch->looks, id) : NULL;

	if (result && PQntuples(result) == 1) {
		row.found = true;
		snprintf(row.text, sizeof(row.text), "%s",
		         PQgetvalue(result, 0, 0));
		row.version = column(result, 1);
		row.events = column(result, 2);
		row.started = column(result, 3) > 0;
		row.heists = (int)column(result, 4);
		row.moved = (int)column(result, 5);
		snprintf(row.revealed, sizeof(row.revealed), "%s",
		         PQgetvalue(result, 0, 6));
	}
	PQclear(result);
	return row;
}

struct pg_conn *watch_database(struct watch *watch)
{
	return watch->looks;
}

void watch_hold(struct story *story, const struct game *game)
{
	PGconn *db = story->watch->holds;

	if (!game)
		story_fail(story, NULL, "there is no game to hold");
	command(story, db, "BEGIN", NULL);
	story->watch->holding = true;
	command(story, db,
	        "SELECT FROM gangd.game WHERE game_id = $1 FOR UPDATE",
	        game->id);
}

void watch_reset(struct watch *watch)
{
	watch->learning = false;
	if (!watch->holding)
		return;
	watch->holding = false;
	PQclear(query(watch->holds, "ROLLBACK", NULL));
}

void watch_release(struct story *story)
{
	watch_reset(story->watch);
}

int watch_waiting(struct story *story)
{
	PGresult *result = query(story->watch->looks,
	                         "SELECT count(*) FROM pg_locks"
	                         " WHERE NOT granted",
	                         NULL);
	long count = result ? strtol(PQgetvalue(result, 0, 0), NULL, 10) : 0;

	PQclear(result);
	return (int)count;
}

/* --- cards and tokens ----------------------------------------------------- */

static bool knows(const struct actor *actor, const char *card)
{
	for (size_t i = 0; i < actor->known_count; i++) {
		if (strcmp(actor->known[i], card) == 0)
			return true;
	}
	return false;
}

static void get_to_know(struct story *story, struct actor *actor,
                        const char *card)
{
	if (knows(actor, card))
		return;
	assert(actor->known_count < ARRAY_LEN(actor->known));
	actor->known[actor->known_count++] =
		arena_strndup(&story->arena, card, strlen(card));
}

static struct actor *find_seat(struct story *story, const struct game *game,
                               int seat)
{
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];
		if (actor->game == game && actor->seat == seat)
			return actor;
	}
	return NULL;
}

/*
 * A card that a view shows its reader must be one that an Informant shows:
 * of the seat that was announced, to whom was announced.
 */
static void check_shown(struct story *story, const struct exchange *exchange)
{
	struct actor *actor = exchange->actor;
	const char *card =
		expect_text(story, exchange->json, ".you.shown_cards[0].card");
	const struct actor *from;
	int seat;

	if (!actor || !actor->game || !*card ||
	    strcmp(expect_text(story, exchange->json, ".id"),
	           actor->game->id) != 0)
		return;
	seat = expect_int(story, exchange->json, ".you.shown_cards[0].seat");
	expect_all(story, exchange,
	           arena_printf(&story->arena,
	                        ".you.shown_cards count 1"
	                        " .heist.announcements has {\"code\":"
	                        "\"informant\",\"seat\":%d,\"target_seat\":%d}",
	                        seat, actor->seat));
	from = find_seat(story, actor->game, seat);
	if (!from || !knows(from, card))
		story_fail(story, exchange, "seat %d never had %s", seat, card);
	get_to_know(story, actor, card);
}

static void learn_hand(struct story *story, struct actor *actor)
{
	struct exchange *exchange =
		story_request(story, actor, "GET",
	                      story_below(story, actor, ""));
	struct json_object *cards;

	story_do(story, exchange);
	expect_all(story, exchange, "200");
	if (!expect_find(story, exchange->json, ".you.pocket_cards", &cards))
		story_fail(story, exchange, "no pocket cards");
	actor->cards_count = json_object_array_length(cards);
	if (actor->cards_count < 2 || actor->cards_count > STORY_CARDS_MAX)
		story_fail(story, exchange, "two or three cards are dealt");
	for (size_t i = 0; i < actor->cards_count; i++) {
		actor->cards[i] = json_object_get_string(
			json_object_array_get_idx(cards, i));
		get_to_know(story, actor, actor->cards[i]);
	}
}

static void learn_hands(struct story *story, const struct game *game)
{
	story->watch->learning = true;
	for (size_t i = 0; i < story->actors_count; i++) {
		if (story->actors[i].game == game)
			story->actors[i].cards_count = 0;
	}
	for (size_t i = 0; i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];

		if (actor->game == game && !actor->is_gone)
			learn_hand(story, actor);
	}
	story->watch->learning = false;
}

void watch_learn(struct story *story, const struct game *game)
{
	for (size_t i = 0; i < story->actors_count; i++) {
		if (story->actors[i].game == game)
			story->actors[i].known_count = 0;
	}
	if (game->heist)
		learn_hands(story, game);
}

/* Follow the actor's game: who holds which cards, and whose lie open. */
static void follow_game(struct story *story, const struct exchange *exchange)
{
	struct game *game = exchange->actor ? exchange->actor->game : NULL;
	struct row row;

	if (!game || story->watch->learning || exchange->status >= 300)
		return;
	row = look_up(story, game->id);
	game->started = game->started || row.started;
	for (size_t i = 0; row.found && i < story->actors_count; i++) {
		struct actor *actor = &story->actors[i];
		if (actor->game != game)
			continue;
		actor->revealed = strchr(row.revealed, '0' + actor->seat);
		if (row.heists > game->heist)
			actor->known_count = 0;
	}
	if (row.found && row.moved != game->moved) {
		game->heist = row.heists;
		game->moved = row.moved;
		learn_hands(story, game);
	}
}

/*
 * The part of an answer that tells of the present heist; NULL if none does,
 * or if earlier heists, whose cards are known, cannot be told apart.
 */
static const char *present_part(const struct game *game,
                                const struct exchange *exchange)
{
	const char *part = exchange->answer;

	if (game->heist == 1)
		return part;
	if (strcmp(exchange->method, "GET") == 0 &&
	    (strstr(exchange->target, "/heists") ||
	     strstr(exchange->target, "/showdown")))
		return NULL;
	if (!strstr(exchange->target, "/events"))
		return part;
	for (const char *next = part; next;
	     next = strstr(next + 1, "\"heist_started\""))
		part = next;
	return part == exchange->answer ? NULL : part;
}

static void check_secrets(struct story *story, const struct exchange *exchange)
{
	assert(exchange->answer);
	for (size_t i = 0; i < story->actors_count; i++) {
		const struct actor *other = &story->actors[i];
		const char *part;

		if (other == exchange->actor || !other->game)
			continue;
		if (other->token && strstr(exchange->answer, other->token))
			story_fail(story, exchange, "%s's token is in it",
			           other->name);
		if (other->revealed ||
		    !strstr(exchange->target, other->game->id))
			continue;
		part = present_part(other->game, exchange);
		for (size_t k = 0; part && k < other->cards_count; k++) {
			const char *card = arena_printf(&story->arena, "\"%s\"",
			                                other->cards[k]);
			if (exchange->actor &&
			    exchange->actor->game == other->game &&
			    knows(exchange->actor, other->cards[k]))
				continue;
			if (strstr(part, card))
				story_fail(story, exchange,
				           "%s's card %s is in it", other->name,
				           card);
		}
	}
}

/* --- every answer --------------------------------------------------------- */

static void check_problem(struct story *story, const struct exchange *exchange)
{
	expect_all(story, exchange,
	           "header content-type == \"application/problem+json\""
	           " header cache-control == \"no-store\""
	           " .title exists .detail exists .instance exists");
	expect_all(story, exchange,
	           arena_printf(&story->arena,
	                        ".status == %u .type == \"/problems/%s\"",
	                        exchange->status, expect_code(exchange)));
}

/* The header fields that a status brings with it. */
static void check_fields(struct story *story, const struct exchange *exchange)
{
	static const struct {
		unsigned status;
		const char *field;
	} rows[] = {
		{ 304, "etag" },        { 304, "cache-control" },
		{ 304, "vary" },        { 401, "www-authenticate" },
		{ 405, "allow" },       { 415, "accept" },
		{ 503, "retry-after" },
	};

	/* Tickets and transfers are nothing that could be asked for. */
	const char *last = strrchr(exchange->target, '/');
	if (exchange->status == 201 && strcmp(last, "/stream_tickets") != 0 &&
	    strcmp(last, "/transfers") != 0 &&
	    !field_find(exchange->fields, "location"))
		story_fail(story, exchange, "location is missing");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (exchange->status == rows[i].status &&
		    !field_find(exchange->fields, rows[i].field))
			story_fail(story, exchange, "%s is missing",
			           rows[i].field);
	}
	if (!field_find(exchange->fields, "x-request-id"))
		story_fail(story, exchange, "x-request-id is missing");
	if (*expect_text(story, exchange->json, ".token"))
		expect_all(story, exchange,
		           "header cache-control == \"no-store\"");
}

static void check_row(struct story *story, const struct exchange *exchange)
{
	const struct row *before = &exchange->before;
	struct row row;

	if (!before->found || exchange->status >= 500)
		return;
	row = look_up(story, game_in(story, exchange->target));
	if (row.found && row.version != row.events)
		story_fail(story, exchange, "version %ld, but %ld events",
		           row.version, row.events);
	if (exchange->status < 400 && strcmp(exchange->method, "GET") != 0)
		return;
	if (!row.found || strcmp(row.text, before->text) != 0 ||
	    row.events != before->events)
		story_fail(story, exchange,
		           "it changed the game: row %s, %ld events before; "
		           "row %s, %ld events now",
		           before->text, before->events, row.text, row.events);
}

void watch_before(struct story *story, struct exchange *exchange)
{
	exchange->before = look_up(story, game_in(story, exchange->target));
}

void watch_after(struct story *story, struct exchange *exchange)
{
	follow_game(story, exchange);
	check_shown(story, exchange);
	check_fields(story, exchange);
	check_secrets(story, exchange);
	gangsters_check(story, exchange);
	if (exchange->status >= 400 && strcmp(exchange->method, "HEAD") != 0)
		check_problem(story, exchange);
	check_row(story, exchange);
}
