/*
 * rows.c - what the rows of each statement mean.
 *
 * Columns are read one after the other, in the order in which the statement in
 * sql/queries names them.  A row is read to its end even when a column is
 * damaged, and checked once, there.  What an answer points to is a copy in the
 * arena: the result itself goes when the answer has been given.
 */
#include "store/rows.h"

#include <string.h>

#include "base/log.h"
#include "store/wire.h"

static enum store_result damaged(const struct rows *rows)
{
	LOG(LOG_ERROR, "row_damaged", LOG_TEXT("statement", rows->statement));
	return STORE_BROKEN;
}

static enum store_result whole_or_damaged(const struct rows *rows,
                                          const struct row *row)
{
	return row_is_whole(row) ? STORE_OK : damaged(rows);
}

struct store_answer rows_read(const struct rows *rows)
{
	struct store_answer answer = { .result = STORE_OK };
	enum store_result result = rows->if_none;

	if (!result ||
	    (PQntuples(rows->res) > 0 && !PQgetisnull(rows->res, 0, 0)))
		result = rows->reader(rows, &answer);
	if (result != STORE_OK)
		answer = (struct store_answer){ .result = result };
	return answer;
}

/* --- statements that give one row ----------------------------------------- */

enum store_result rows_read_time(const struct rows *rows,
                                 struct store_answer *answer)
{
	struct row row;

	row_init(&row, rows->res, 0);
	answer->at_us = row_time_us(&row);
	return whole_or_damaged(rows, &row);
}

/*
 * Hand the names, which are split at their line feeds, and the hashes to the
 * seats whose digits stand before them; false if they do not fit each other.
 */
static bool place_seats(const char *seats, char *names, const uint8_t *hashes,
                        struct store_game *game)
{
	char *name = names;

	for (; *seats; seats++) {
		unsigned seat = (unsigned)(*seats - '0');
		char *feed = name ? strchr(name, '\n') : NULL;

		if (!name || seat < 1 || seat > game->seats_count)
			return false;
		if (feed)
			*feed++ = '\0';
		game->seats[seat - 1].name = name;
		memcpy(game->seats[seat - 1].token_hash, hashes,
		       STORE_HASH_SIZE);
		hashes += STORE_HASH_SIZE;
		name = feed;
	}
	return !name;
}

/* The digits of some of the taken seats, in no order. */
static bool mark_stale(const char *seats, struct store_game *game)
{
	for (; *seats; seats++) {
		unsigned seat = (unsigned)(*seats - '0');

		if (seat < 1 || seat > game->seats_count)
			return false;
		game->seats[seat - 1].is_stale = true;
	}
	return true;
}

static bool read_seats(struct row *row, struct arena *arena,
                       struct store_game *game)
{
	size_t hashes_len;
	const char *seats = row_text_or_null(row, arena);
	char *names = row_text_or_null(row, arena);
	const uint8_t *hashes = row_bytes_or_null(row, arena, &hashes_len);
	const char *stale = row_text_or_null(row, arena);
	size_t hash_size = STORE_HASH_SIZE;

	if (game->seats_count > STORE_SEATS_MAX)
		return false;
	if (!seats || !names || !hashes)
		return !seats && !names && !hashes && !stale;
	return hashes_len == strlen(seats) * hash_size &&
	       place_seats(seats, names, hashes, game) &&
	       (!stale || mark_stale(stale, game));
}

/* Columns that are all NULL when nothing was done under the key. */
static bool read_key(struct row *row, struct arena *arena,
                     struct store_key *key)
{
	size_t len;

	key->request = row_bytes_or_null(row, arena, &len);
	key->location = row_uuid_or_none(row);
	key->sealed = row_bytes_or_null(row, arena, &key->sealed_len);
	key->hash = key->request;
	return !key->request || len == STORE_HASH_SIZE;
}

static enum store_result read_game(const struct rows *rows, bool has_key,
                                   struct store_answer *answer)
{
	struct arena *arena = rows->arena;
	struct store_game *game;
	struct row row;

	row_init(&row, rows->res, 0);
	game = arena_zalloc(arena, sizeof(*game));
	game->id = rows->game;
	game->version = row_int4(&row);
	game->ruleset = row_byte(&row);
	game->rules_version = row_byte(&row);
	game->mode = row_text_or_null(&row, arena);
	game->status = row_text(&row, arena);
	game->is_public = row_bool(&row);
	game->spectators = row_bool(&row);
	game->seats_max = row_byte(&row);
	game->seats_count = row_byte(&row);
	game->host = row_byte(&row);
	game->invite_code = row_text(&row, arena);
	game->state = row_bytes_or_null(&row, arena, &game->state_len);
	game->created_us = row_time_us(&row);
	game->updated_us = row_time_us(&row);
	game->rematch = row_uuid_or_none(&row);
	game->rematch_of = row_uuid_or_none(&row);
	game->absence_s = row_int4(&row);
	answer->game = game;
	bool fits = read_seats(&row, arena, game) &&
	            (!has_key || read_key(&row, arena, &game->key));
	if (!fits || !game->state)
		return damaged(rows);
	return whole_or_damaged(rows, &row);
}

enum store_result rows_read_game(const struct rows *rows,
                                 struct store_answer *answer)
{
	return read_game(rows, false, answer);
}

enum store_result rows_read_game_and_key(const struct rows *rows,
                                         struct store_answer *answer)
{
	return read_game(rows, true, answer);
}

enum store_result rows_read_creation(const struct rows *rows,
                                     struct store_answer *answer)
{
	struct arena *arena = rows->arena;
	struct store_key *key;
	struct row row;
	size_t len;

	row_init(&row, rows->res, 0);
	key = arena_zalloc(arena, sizeof(*key));
	answer->id = row_uuid(&row);
	key->request = row_bytes_or_null(&row, arena, &len);
	key->sealed = row_bytes_or_null(&row, arena, &key->sealed_len);
	key->hash = key->request;
	answer->key = key;
	if (len != STORE_HASH_SIZE)
		return damaged(rows);
	return whole_or_damaged(rows, &row);
}

enum store_result rows_read_id(const struct rows *rows,
                               struct store_answer *answer)
{
	struct row row;

	row_init(&row, rows->res, 0);
	answer->id = row_uuid(&row);
	return whole_or_damaged(rows, &row);
}

enum store_result rows_read_token_hash(const struct rows *rows,
                                       struct store_answer *answer)
{
	struct row row;
	size_t len;

	row_init(&row, rows->res, 0);
	answer->token_hash = row_bytes_or_null(&row, rows->arena, &len);
	if (len != STORE_HASH_SIZE)
		return damaged(rows);
	return whole_or_damaged(rows, &row);
}

enum store_result rows_read_waiting(const struct rows *rows,
                                    struct store_answer *answer)
{
	struct row row;

	row_init(&row, rows->res, 0);
	answer->waiting.of_address = row_int4(&row);
	answer->waiting.of_site = row_int4(&row);
	return whole_or_damaged(rows, &row);
}

/* --- statements that give an item a row ----------------------------------- */

typedef void (*item_fn)(struct row *row, struct arena *arena, void *item);

/* An item of so many bytes for each row; NULL if a row is damaged. */
static void *read_items(const struct rows *rows, size_t size, item_fn read,
                        size_t *count)
{
	int last = PQntuples(rows->res);
	uint8_t *items = arena_zalloc(rows->arena, (size_t)last * size);
	struct row row;

	for (int i = 0; i < last; i++) {
		row_init(&row, rows->res, i);
		read(&row, rows->arena, items + (size_t)i * size);
		if (!row_is_whole(&row))
			return NULL;
	}
	*count = (size_t)last;
	return items;
}

static void read_event(struct row *row, struct arena *arena, void *item)
{
	struct store_event *event = item;

	event->version = row_int4(row);
	event->at_us = row_time_us(row);
	event->type = row_byte(row);
	event->seat = row_byte(row);
	event->heist = row_byte(row);
	event->color = row_byte(row);
	event->public_data = row_bytes_or_null(row, arena, &event->public_len);
	event->private_data =
		row_bytes_or_null(row, arena, &event->private_len);
}

enum store_result rows_read_events(const struct rows *rows,
                                   struct store_answer *answer)
{
	answer->events = read_items(rows, sizeof(*answer->events), read_event,
	                            &answer->count);
	answer->more = answer->count > rows->limit;
	if (answer->more)
		answer->count = rows->limit;
	return answer->events ? STORE_OK : damaged(rows);
}

static void read_replay(struct row *row, struct arena *arena, void *item)
{
	struct store_event *event = item;

	read_event(row, arena, item);
	event->replay_data = row_bytes_or_null(row, arena, &event->replay_len);
}

enum store_result rows_read_replay(const struct rows *rows,
                                   struct store_answer *answer)
{
	answer->events = read_items(rows, sizeof(*answer->events), read_replay,
	                            &answer->count);
	return answer->events ? STORE_OK : damaged(rows);
}

static void read_version(struct row *row, struct arena *arena, void *item)
{
	struct store_version *game = item;

	(void)arena;
	game->id = row_uuid(row);
	game->version = row_int4_or(row, UINT32_MAX);
}

enum store_result rows_read_versions(const struct rows *rows,
                                     struct store_answer *answer)
{
	answer->versions = read_items(rows, sizeof(*answer->versions),
	                              read_version, &answer->count);
	return answer->versions ? STORE_OK : damaged(rows);
}

static void read_last_seen(struct row *row, struct arena *arena, void *item)
{
	struct store_last_seen *player = item;

	(void)arena;
	player->seat = row_byte(row);
	player->last_seen_us = row_time_us(row);
	player->now_us = row_time_us(row);
}

enum store_result rows_read_last_seen(const struct rows *rows,
                                      struct store_answer *answer)
{
	answer->players = read_items(rows, sizeof(*answer->players),
	                             read_last_seen, &answer->count);
	return answer->players ? STORE_OK : damaged(rows);
}

/* --- the lobby ------------------------------------------------------------ */

static void read_listed(struct row *row, struct arena *arena,
                        struct store_listed *game)
{
	game->id = row_uuid(row);
	game->ruleset = row_byte(row);
	game->mode = row_text_or_null(row, arena);
	game->spectators = row_bool(row);
	game->seats_max = row_byte(row);
	game->seats_count = row_byte(row);
	game->created_us = row_time_us(row);
	game->host = row_text_or_null(row, arena);
}

/*
 * The rows are the games that fit, and the last of those that were examined
 * even if it does not, when there may be others behind it.  The next page goes
 * on behind the last game of this one when more fit than were asked for; else
 * behind the last that was examined.
 */
enum store_result rows_read_lobby(const struct rows *rows,
                                  struct store_answer *answer)
{
	struct store_listed *games =
		arena_zalloc(rows->arena, rows->limit * sizeof(*games));

	answer->listed = games;
	for (int i = 0; i < PQntuples(rows->res); i++) {
		struct store_listed game;
		struct row row;

		row_init(&row, rows->res, i);
		read_listed(&row, rows->arena, &game);
		bool fits = row_bool(&row);
		bool is_last = row_bool(&row);
		if (!row_is_whole(&row))
			return damaged(rows);
		if (fits && answer->count == rows->limit) {
			answer->next = games[rows->limit - 1].id;
			break;
		}
		if (fits)
			games[answer->count++] = game;
		if (is_last)
			answer->next = game.id;
	}
	return STORE_OK;
}
