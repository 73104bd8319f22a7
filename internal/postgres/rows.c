/*
 * rows.c - what the rows of each statement mean.
 *
 * Columns are read one after the other, in the order in which the statement in
 * sql/queries names them.  A row is read to its end even when a column is
 * damaged, and checked once, there.  An answer points to copies in the
 * arena: the result itself is freed when the answer has been given.
 */
#include "postgres/rows.h"

#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "postgres/encryption.h"

struct store_answer rows_read(const struct rows *rows)
{
	struct store_answer answer = { .result = STORE_OK };

	if (rows->count == 0 ||
	    (rows->if_none &&
	     PQgetisnull(rows->res, rows->first, rows->column)))
		answer.result = rows->if_none;
	for (int i = 0; i < rows->count && answer.result == STORE_OK; i++) {
		struct row row;

		row_init(&row, rows->res, rows->first + i);
		row.column = rows->column;
		rows->reader(&row, rows, &answer);
		if (!row_is_whole(&row))
			answer.result = STORE_BROKEN;
	}
	if (answer.result == STORE_BROKEN)
		LOG(LOG_ERROR, "row_damaged",
		    LOG_TEXT("statement", rows->statement));
	if (answer.result != STORE_OK)
		answer = (struct store_answer){ .result = answer.result };
	return answer;
}

/* --- statements that give one row ----------------------------------------- */

void rows_read_time(struct row *row, const struct rows *rows,
                    struct store_answer *answer)
{
	(void)rows;
	answer->at_us = row_time_us(row);
}

/* A hash, or NULL for NULL. */
static const uint8_t *read_hash(struct row *row, struct arena *arena)
{
	size_t len;
	const uint8_t *hash = row_bytes_or_null(row, arena, &len);

	if (hash && len != STORE_HASH_SIZE)
		row->is_damaged = true;
	return hash;
}

/* End the text at its first line feed; returns the rest; NULL: empty. */
static char *cut_line(char *text)
{
	char *feed = strchr(text, '\n');

	if (feed)
		*feed++ = '\0';
	return feed;
}

/* Read the next seat of those that pack_seats.sql has packed. */
static void read_seat(struct bytes_in *in, struct arena *arena,
                      struct store_game *game)
{
	uint8_t token_hash[STORE_HASH_SIZE];
	unsigned seat = get_u8(in);

	get_bytes(in, token_hash, sizeof(token_hash));
	uint16_t len = get_u16be(in);
	char *name = arena_alloc(arena, len + 1U);
	get_bytes(in, (uint8_t *)name, len);
	name[len] = '\0';
	char *avatar = cut_line(name);
	char *level = avatar ? cut_line(avatar) : NULL;
	if (seat < 1 || seat > game->seats_count ||
	    (level && (level[0] < '1' || level[0] > '0' + STORE_BOT_LEVELS ||
	               level[1]))) {
		get_fail(in);
		return;
	}
	game->seats[seat - 1].name = name;
	game->seats[seat - 1].avatar = avatar && avatar[0] ? avatar : NULL;
	game->seats[seat - 1].bot_level = level ? (uint8_t)(level[0] - '0') : 0;
	memcpy(game->seats[seat - 1].token_hash, token_hash,
	       sizeof(token_hash));
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
	struct bytes_in in = { .at = row_bytes(row, &in.left) };
	const char *stale = row_text_or_null(row, arena);

	if (game->seats_count > STORE_SEATS_MAX)
		return false;
	while (in.left > 0 && !in.broken)
		read_seat(&in, arena, game);
	return get_all_read(&in) && (!stale || mark_stale(stale, game));
}

/* Read the use of a key, as load.sql packs it; NULL: the key is unused. */
static void read_key(struct row *row, struct arena *arena,
                     struct store_key *key)
{
	enum { LOCATION_AT = STORE_HASH_SIZE };
	const size_t sealed_at = LOCATION_AT + sizeof(key->location);
	size_t len;
	const uint8_t *bytes = row_bytes_or_null(row, arena, &len);

	if (!bytes)
		return;
	if (len < sealed_at) {
		row->is_damaged = true;
		return;
	}
	key->hash = key->request = bytes;
	memcpy(&key->location, bytes + LOCATION_AT, sizeof(key->location));
	key->sealed_len = len - sealed_at;
	key->sealed = key->sealed_len > 0 ? bytes + sealed_at : NULL;
}

/* A value that cannot be decrypted is damage. */
static const uint8_t *decrypted(struct row *row, struct arena *arena,
                                struct encryption_place place,
                                const uint8_t *bytes, size_t *len)
{
	const uint8_t *plain = encryption_read(place, bytes, len, arena);

	if (bytes && !plain)
		row->is_damaged = true;
	return plain;
}

static const uint8_t *read_encrypted(struct row *row, struct arena *arena,
                                     struct encryption_place place, size_t *len)
{
	const uint8_t *bytes = row_bytes_or_null(row, arena, len);

	return decrypted(row, arena, place, bytes, len);
}

void rows_read_game(struct row *row, const struct rows *rows,
                    struct store_answer *answer)
{
	struct arena *arena = rows->arena;
	struct store_game *game = arena_zalloc(arena, sizeof(*game));

	game->id = rows->game;
	game->version = row_int4(row);
	game->ruleset = row_byte(row);
	game->rules_version = row_byte(row);
	game->mode = row_text_or_null(row, arena);
	game->status = row_text(row, arena);
	game->is_public = row_bool(row);
	game->spectators = row_bool(row);
	game->seats_max = row_byte(row);
	game->seats_count = row_byte(row);
	game->host = row_byte(row);
	game->invite_code = row_text(row, arena);
	game->state = row_bytes_or_null(row, arena, &game->state_len);
	game->created_us = row_time_us(row);
	game->updated_us = row_time_us(row);
	game->rematch = row_uuid_or_none(row);
	game->rematch_of = row_uuid_or_none(row);
	game->absence_s = row_int4(row);
	game->push_seats = row_byte(row);
	game->revision = row_int4(row);
	game->recent_keys =
		row_bytes_or_null(row, arena, &game->recent_keys_len);
	game->state =
		decrypted(row, arena,
	                  (struct encryption_place){
				  game->id, game->version, ENCRYPTION_STATE,
				  !uuid_is_none(game->rematch) },
	                  game->state, &game->state_len);
	if (!read_seats(row, arena, game) || !game->state)
		row->is_damaged = true;
	read_key(row, arena, &game->key);
	answer->game = game;
}

void rows_read_creation(struct row *row, const struct rows *rows,
                        struct store_answer *answer)
{
	struct arena *arena = rows->arena;
	struct store_key *key = arena_zalloc(arena, sizeof(*key));

	answer->id = row_uuid(row);
	key->request = read_hash(row, arena);
	key->sealed = row_bytes_or_null(row, arena, &key->sealed_len);
	key->hash = key->request;
	answer->key = key;
}

void rows_read_id(struct row *row, const struct rows *rows,
                  struct store_answer *answer)
{
	(void)rows;
	answer->id = row_uuid(row);
}

void rows_read_token_hash(struct row *row, const struct rows *rows,
                          struct store_answer *answer)
{
	answer->token_hash = read_hash(row, rows->arena);
}

void rows_read_transfer(struct row *row, const struct rows *rows,
                        struct store_answer *answer)
{
	answer->token_hash = read_hash(row, rows->arena);
	answer->sealed =
		row_bytes_or_null(row, rows->arena, &answer->sealed_len);
}

void rows_read_waiting(struct row *row, const struct rows *rows,
                       struct store_answer *answer)
{
	(void)rows;
	answer->waiting.of_address = row_int4(row);
	answer->waiting.of_site = row_int4(row);
}

void rows_read_subscribed(struct row *row, const struct rows *rows,
                          struct store_answer *answer)
{
	(void)rows;
	if (row_byte(row) == 0)
		answer->result = STORE_TAKEN;
}

/* --- statements that give a list, an item a row --------------------------- */

/* Lengthen the list, which has room for an item of each row. */
static void *add_item(const struct rows *rows, struct store_answer *answer,
                      size_t size)
{
	size_t room = (size_t)rows->count;

	if (!answer->items)
		answer->items = arena_zalloc(rows->arena, room * size);
	return (uint8_t *)answer->items + answer->count++ * size;
}

static struct store_event *read_event(struct row *row, const struct rows *rows,
                                      struct store_answer *answer)
{
	struct arena *arena = rows->arena;
	struct store_event *event = add_item(rows, answer, sizeof(*event));

	event->version = row_int4(row);
	event->at_us = row_time_us(row);
	event->type = row_byte(row);
	event->seat = row_byte(row);
	event->part = row_byte(row);
	event->subpart = row_byte(row);
	event->public_data = row_bytes_or_null(row, arena, &event->public_len);
	event->private_data = read_encrypted(row, arena,
	                                     (struct encryption_place){
						     rows->game, event->version,
						     ENCRYPTION_PRIVATE },
	                                     &event->private_len);
	return event;
}

/* One more than the limit was asked for, to see whether there is one. */
void rows_read_event(struct row *row, const struct rows *rows,
                     struct store_answer *answer)
{
	(void)read_event(row, rows, answer);
	answer->more = answer->count > rows->limit;
	if (answer->more)
		answer->count--;
}

void rows_read_replay(struct row *row, const struct rows *rows,
                      struct store_answer *answer)
{
	struct store_event *event = read_event(row, rows, answer);

	event->replay_data = read_encrypted(row, rows->arena,
	                                    (struct encryption_place){
						    rows->game, event->version,
						    ENCRYPTION_REPLAY },
	                                    &event->replay_len);
}

void rows_read_version(struct row *row, const struct rows *rows,
                       struct store_answer *answer)
{
	struct store_version *game = add_item(rows, answer, sizeof(*game));

	game->id = row_uuid(row);
	game->version = row_int4_or(row, UINT32_MAX);
}

void rows_read_report(struct row *row, const struct rows *rows,
                      struct store_answer *answer)
{
	struct store_report *report = add_item(rows, answer, sizeof(*report));

	report->process = row_uuid(row);
	report->number = row_int4(row);
	report->game.id = row_uuid_or_none(row);
	report->game.version = row_int4_or(row, 0);
}

void rows_read_due(struct row *row, const struct rows *rows,
                   struct store_answer *answer)
{
	struct store_due *due = add_item(rows, answer, sizeof(*due));

	due->id = row_uuid(row);
	due->version = row_int4(row);
	due->since_ms = row_int4(row);
}

void rows_read_placement(struct row *row, const struct rows *rows,
                         struct store_answer *answer)
{
	struct store_placement *placement =
		add_item(rows, answer, sizeof(*placement));
	uint64_t first = row_count(row);
	uint64_t last = row_count(row);

	if (first > last || last > UINT32_MAX)
		row->is_damaged = true;
	placement->first = (uint32_t)first;
	placement->last = (uint32_t)last;
	placement->host = row_text(row, rows->arena);
	placement->port = row_int4(row);
}

/*
 * An encrypted text of a notification; NULL for NULL, and for a damaged one,
 * which must not keep those that were taken with it from being sent.
 */
static const char *read_sealed_text(struct row *row, struct arena *arena,
                                    struct encryption_text_place place,
                                    bool *is_damaged)
{
	size_t len = 0;
	const uint8_t *bytes = row_bytes_or_null(row, arena, &len);
	const char *text = encryption_read_text(place, bytes, len, arena);

	if (bytes && !text)
		*is_damaged = true;
	return text;
}

void rows_read_notification(struct row *row, const struct rows *rows,
                            struct store_answer *answer)
{
	struct store_notification *taken =
		add_item(rows, answer, sizeof(*taken));
	struct store_notification_key *key = &taken->key;
	size_t len;

	key->game = row_uuid(row);
	key->version = row_int4(row);
	key->seat = row_byte(row);
	const uint8_t *target = row_bytes(row, &len);
	if (len == STORE_HASH_SIZE)
		memcpy(key->target, target, STORE_HASH_SIZE);
	key->lease = row_int4(row);
	const uint8_t *service = row_bytes(row, &len);
	if (len == sizeof(taken->service))
		memcpy(&taken->service, service, sizeof(taken->service));
	taken->code = row_byte(row);
	taken->attempts = row_byte(row);
	taken->created_us = row_time_us(row);
	taken->left_s = row_int4(row);
	taken->is_watching = row_bool(row);
	taken->unsure_ms = row_int4(row);
	taken->ruleset = row_byte(row);
	taken->mode = row_text_or_null(row, rows->arena);
	taken->rematch = row_uuid_or_none(row);
	taken->name = row_text_or_null(row, rows->arena);
	taken->host = row_text_or_null(row, rows->arena);
	taken->client_reference = read_sealed_text(
		row, rows->arena,
		(struct encryption_text_place){ ENCRYPTION_REFERENCE, NULL,
	                                        key->game },
		&taken->is_damaged);
	const uint8_t *token_hash = row_bytes_or_null(row, rows->arena, &len);
	taken->subscription = read_sealed_text(row, rows->arena,
	                                       (struct encryption_text_place){
						       ENCRYPTION_SUBSCRIPTION,
						       token_hash, key->game },
	                                       &taken->is_damaged);
}

void rows_read_count(struct row *row, const struct rows *rows,
                     struct store_answer *answer)
{
	struct store_count *count = add_item(rows, answer, sizeof(*count));

	count->ruleset = row_byte(row);
	count->status = row_text(row, rows->arena);
	count->games = row_int4(row);
}

void rows_read_last_seen(struct row *row, const struct rows *rows,
                         struct store_answer *answer)
{
	struct store_last_seen *player =
		add_item(rows, answer, sizeof(*player));

	player->seat = row_byte(row);
	player->last_seen_us = row_time_us(row);
	player->now_us = row_time_us(row);
}

/*
 * The rows are the games that fit, and the last of those that were examined
 * even if it does not fit, when there may be others after it.  The next page
 * begins after the last game of this one when more fit than were asked for;
 * else after the last that was examined.
 */
void rows_read_listed(struct row *row, const struct rows *rows,
                      struct store_answer *answer)
{
	struct store_listed game = { .id = row_uuid(row) };

	game.ruleset = row_byte(row);
	game.mode = row_text_or_null(row, rows->arena);
	game.spectators = row_bool(row);
	game.seats_max = row_byte(row);
	game.seats_count = row_byte(row);
	game.created_us = row_time_us(row);
	uint32_t version = row_int4(row);
	game.state = read_encrypted(row, rows->arena,
	                            (struct encryption_place){ game.id, version,
	                                                       ENCRYPTION_STATE,
	                                                       false },
	                            &game.state_len);
	game.host = row_text_or_null(row, rows->arena);
	bool fits = row_bool(row);
	bool is_last = row_bool(row);

	if (fits && answer->count == rows->limit && !answer->more) {
		answer->more = true;
		answer->next = answer->listed[rows->limit - 1].id;
	}
	if (answer->more)
		return;
	if (fits)
		*(struct store_listed *)add_item(rows, answer, sizeof(game)) =
			game;
	if (is_last)
		answer->next = game.id;
}
