/*
 * Games, and then events, are read in the order of their primary keys, a page
 * at a time.  A value that is not encrypted under the first key of the key
 * file is decrypted, encrypted, and written back if the row still has that
 * version; one statement writes a page.  No version, time or sequence changes,
 * so no client notices.
 *
 * A page that was written is whole, and the next run finds what is left, so the
 * work can be interrupted anywhere.
 */
#include "admin/rekey.h"

#include <stdio.h>
#include <string.h>

#include "admin/admin_query.h"
#include "base/arena.h"
#include "postgres/encryption.h"

enum { PAGE_MAX = 500 };

/* $1 is the last game of the page before; NULL for the first page. */
static const char read_games[] =
	"SELECT game_id, version, rematch IS NOT NULL, state FROM gangd.game"
	" WHERE ($1::uuid IS NULL OR game_id > $1) AND substr(state, 1, 2) <> "
	"$2"
	" ORDER BY game_id LIMIT 500";

static const char write_games[] =
	"UPDATE gangd.game SET state = anew.state"
	" FROM unnest($1::uuid[], $2::integer[], $3::bytea[])"
	"      AS anew(game_id, version, state)"
	" WHERE game.game_id = anew.game_id AND game.version = anew.version";

static const char read_events[] =
	"SELECT game_id, version, false, private_data, replay_data"
	" FROM gangd.event"
	" WHERE ($1::uuid IS NULL OR (game_id, version) > ($1, $2::integer))"
	" AND (substr(private_data, 1, 2) <> $3"
	"      OR substr(replay_data, 1, 2) <> $3)"
	" ORDER BY game_id, version LIMIT 500";

static const char write_events[] =
	"UPDATE gangd.event SET private_data = anew.private_data,"
	" replay_data = anew.replay_data"
	" FROM unnest($1::uuid[], $2::integer[], $3::bytea[], $4::bytea[])"
	"      AS anew(game_id, version, private_data, replay_data)"
	" WHERE event.game_id = anew.game_id"
	" AND event.version = anew.version";

/*
 * All texts are read, since the database cannot see which of them an earlier
 * release has encrypted.  They come in their order within a game, and a row is
 * found by the value that was read.  A row that was written after the place of
 * the scan is read once more, and is current then; a row that has changed since
 * is left.
 */
static const char read_references[] =
	"SELECT game_id, client_reference FROM gangd.seat"
	" WHERE client_reference IS NOT NULL"
	" AND ($1::uuid IS NULL OR (game_id, client_reference) > ($1, $2))"
	" ORDER BY game_id, client_reference LIMIT 500";

static const char write_references[] =
	"UPDATE gangd.seat SET client_reference = anew.value"
	" FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])"
	"      AS anew(game_id, old, value)"
	" WHERE seat.game_id = anew.game_id"
	" AND seat.client_reference = anew.old";

/* Two players may have the same text, if no key has encrypted it. */
static const char read_subscriptions[] =
	"SELECT game_id, sealed, token_hash, endpoint_hash"
	" FROM gangd.push_subscription WHERE $1::uuid IS NULL"
	" OR (game_id, sealed, token_hash) > ($1, $2, $3)"
	" ORDER BY game_id, sealed, token_hash LIMIT 500";

/*
 * A player may have two rows of one endpoint: during a rolling upgrade a daemon
 * without the key file writes another row next to one with a keyed hash.  Rows
 * of a player that get the same new hash become one, the row that has that hash
 * already, if any.  It gets the text of the newest row, whose keys are those
 * that the browser has now.
 *
 * Their unsent notifications move with them: the target of one is the hash.  A
 * message that both rows have is kept once.  No step updates a row to a key
 * that another step deletes, so their order does not matter.
 */
static const char write_subscriptions[] =
	"WITH anew AS ("
	"  SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[],"
	"    $4::bytea[], $5::bytea[], $6::bytea[])"
	"    AS one(game_id, old, value, token_hash, old_hash, new_hash)"
	"), found AS ("
	"  SELECT p.game_id, p.token_hash, p.endpoint_hash, anew.new_hash,"
	"    anew.value, p.service, p.created_at"
	"  FROM anew JOIN gangd.push_subscription AS p"
	"    ON p.game_id = anew.game_id AND p.sealed = anew.old"
	"    AND p.token_hash = anew.token_hash"
	"    AND p.endpoint_hash = anew.old_hash"
	"  FOR UPDATE OF p"
	"), same AS ("
	"  SELECT * FROM found UNION ALL"
	"  SELECT p.game_id, p.token_hash, p.endpoint_hash, p.endpoint_hash,"
	"    p.sealed, p.service, p.created_at"
	"  FROM (SELECT game_id, token_hash, new_hash FROM found"
	"    EXCEPT SELECT game_id, token_hash, endpoint_hash FROM found) AS f"
	"  JOIN gangd.push_subscription AS p ON p.game_id = f.game_id"
	"    AND p.token_hash = f.token_hash AND p.endpoint_hash = f.new_hash"
	"), ranked AS ("
	"  SELECT game_id, token_hash, endpoint_hash, new_hash,"
	"    first_value(value) OVER newest AS value,"
	"    first_value(service) OVER newest AS service,"
	"    row_number() OVER (PARTITION BY game_id, token_hash, new_hash"
	"      ORDER BY endpoint_hash = new_hash DESC, created_at DESC,"
	"      endpoint_hash) AS place"
	"  FROM same WINDOW newest AS (PARTITION BY game_id, token_hash,"
	"    new_hash ORDER BY created_at DESC, endpoint_hash)"
	"), dropped AS ("
	"  DELETE FROM gangd.push_subscription AS p USING ranked AS r"
	"  WHERE p.game_id = r.game_id AND p.token_hash = r.token_hash"
	"  AND p.endpoint_hash = r.endpoint_hash AND r.place > 1"
	"), moved AS ("
	"  UPDATE gangd.push_subscription AS p SET sealed = r.value,"
	"    endpoint_hash = r.new_hash, service = r.service"
	"  FROM ranked AS r"
	"  WHERE p.game_id = r.game_id AND p.token_hash = r.token_hash"
	"  AND p.endpoint_hash = r.endpoint_hash AND r.place = 1"
	"), message AS ("
	"  SELECT n.game_id, n.version, n.seat, n.target, r.new_hash,"
	"    row_number() OVER (PARTITION BY n.game_id, n.version, n.seat,"
	"      r.new_hash ORDER BY n.target = r.new_hash DESC, n.target)"
	"    AS place"
	"  FROM (SELECT game_id, token_hash, new_hash, new_hash AS target"
	"    FROM ranked UNION"
	"    SELECT game_id, token_hash, new_hash, endpoint_hash FROM ranked"
	"  ) AS r JOIN gangd.seat USING (game_id, token_hash)"
	"  JOIN gangd.notification AS n ON n.game_id = r.game_id"
	"    AND n.seat = seat.seat AND n.target = r.target"
	"), doubled AS ("
	"  DELETE FROM gangd.notification AS n USING message AS m"
	"  WHERE n.game_id = m.game_id AND n.version = m.version"
	"  AND n.seat = m.seat AND n.target = m.target AND m.place > 1"
	") UPDATE gangd.notification AS n SET target = m.new_hash"
	" FROM message AS m"
	" WHERE n.game_id = m.game_id AND n.version = m.version"
	" AND n.seat = m.seat AND n.target = m.target AND m.place = 1"
	" AND m.target <> m.new_hash";

/* A value, as it is stored and as it is to be. */
struct value {
	const uint8_t *bytes;
	size_t len;
};

/*
 * A text: as it was read, and anew; the hash of its owner's token; and its
 * endpoint's hash, as it was read, and anew.
 */
enum { OLD_TEXT, NEW_TEXT, OWNER, OLD_HASH, NEW_HASH, VALUES_MAX };

/*
 * A row of any table: a game has its state in the first value, an event its two
 * parts, a text what is named above.
 */
struct item {
	struct uuid game;
	uint32_t version;
	bool has_rematch;
	struct value values[VALUES_MAX];
};

/* A table whose key is the game, or the game and the version. */
struct table_of_values {
	const char *read;
	const char *write;
	enum encryption_column columns[2];
	unsigned values;
	bool by_version; /* its key has the version, too */
};

struct page {
	struct arena arena;
	struct item items[PAGE_MAX];
	size_t count;
	size_t unreadable; /* rows that were left out */
	struct uuid last;
	uint32_t last_version;
};

/* False if it cannot be decrypted, which the log says. */
static bool encrypt(struct page *page, const struct item *item,
                    enum encryption_column column, struct value *value)
{
	struct encryption_place place = { item->game, item->version, column,
		                          item->has_rematch };
	const uint8_t *plain =
		encryption_read(place, value->bytes, &value->len, &page->arena);

	if (value->bytes && !plain)
		return false;
	uint8_t *written =
		arena_alloc(&page->arena, value->len + ENCRYPTION_EXTRA);
	value->len = encryption_write(place, plain, value->len, written);
	value->bytes = written;
	return true;
}

/* Read a page of rows with this many values each; false if one is damaged. */
static bool read_page(struct page *page, const PGresult *res,
                      const enum encryption_column *columns, unsigned values)
{
	for (int i = 0; i < PQntuples(res); i++) {
		struct item *item = &page->items[page->count];
		bool is_readable = true;
		struct row row;

		row_init(&row, res, i);
		item->game = page->last = row_uuid(&row);
		item->version = page->last_version = row_int4(&row);
		item->has_rematch = row_bool(&row);
		for (unsigned j = 0; j < values; j++) {
			struct value *value = &item->values[j];

			value->len = 0;
			value->bytes = row_bytes_or_null(&row, &page->arena,
			                                 &value->len);
			is_readable = encrypt(page, item, columns[j], value) &&
			              is_readable;
		}
		if (!row_is_whole(&row)) {
			(void)fprintf(stderr, "a row has unexpected columns\n");
			return false;
		}
		if (is_readable)
			page->count++;
		else
			page->unreadable++;
	}
	return true;
}

/*
 * Write the page back and count it; false if that has no answer.  A statement
 * writes a page whole or not at all.
 */
static bool send_page(const struct page *page, const struct admin *admin,
                      const char *text, struct params *params, uint64_t *done,
                      struct rekey_counts *counts)
{
	bool good = admin_change(admin, text, params);

	if (good)
		*done += page->count;
	else if (admin_is_lost(admin))
		counts->open += page->count;
	return good;
}

static bool write_page(const struct page *page, const struct admin *admin,
                       const struct table_of_values *table, uint64_t *done,
                       struct rekey_counts *counts)
{
	const struct item *first = page->items;
	size_t stride = sizeof(*first);
	struct params params = { .bytes = NULL };

	if (page->count == 0)
		return true;
	params_array(&params, PARAMS_UUID, &first->game, stride, page->count);
	params_array(&params, PARAMS_UINT32, &first->version, stride,
	             page->count);
	for (unsigned i = 0; i < table->values; i++)
		params_array_bytes(&params, &first->values[i].bytes,
		                   &first->values[i].len, stride, page->count);
	return send_page(page, admin, table->write, &params, done, counts);
}

/* One table, from its beginning to its end. */
static bool rekey_table(const struct admin *admin,
                        const struct table_of_values *table, struct page *page,
                        uint64_t *done, struct rekey_counts *counts)
{
	uint8_t mark[ENCRYPTION_MARK_SIZE];
	int count;

	encryption_mark(mark);
	page->last = (struct uuid){ { 0 } };
	page->last_version = 0;
	do {
		struct params params = { .bytes = NULL };

		params_uuid(&params, page->last);
		if (table->by_version)
			params_int4(&params, page->last_version);
		params_bytes(&params, mark, sizeof(mark));
		PGresult *res = admin_query(admin, table->read, &params);
		if (!res)
			return false;
		count = PQntuples(res);
		page->count = page->unreadable = 0;
		bool good =
			read_page(page, res, table->columns, table->values) &&
			write_page(page, admin, table, done, counts);
		PQclear(res);
		arena_reset(&page->arena);
		counts->unreadable += page->unreadable;
		if (!good)
			return false;
	} while (count == PAGE_MAX);
	return true;
}

/* --- texts ---------------------------------------------------------------- */

/* A column of texts; those of subscriptions have an owner and a hash. */
struct column_of_texts {
	const char *read;
	const char *write;
	enum encryption_column column;
	unsigned values;
	rekey_hash_fn hash; /* or NULL */
};

/* True if the hash is as it would be written now; else it is item's new one. */
static bool is_current_hash(struct item *item, struct arena *arena,
                            const char *text, rekey_hash_fn hash)
{
	uint8_t plain[ENCRYPTION_HASH_SIZE];
	struct encryption_hash *stored =
		arena_alloc(arena, sizeof(*stored) * ENCRYPTION_HASHES_MAX);
	const struct value *old = &item->values[OLD_HASH];

	hash(text, plain);
	(void)encryption_hash_all(item->values[OWNER].bytes, plain, stored);
	item->values[NEW_HASH] =
		(struct value){ stored[0].bytes, ENCRYPTION_HASH_SIZE };
	return old->len == ENCRYPTION_HASH_SIZE &&
	       memcmp(old->bytes, stored[0].bytes, ENCRYPTION_HASH_SIZE) == 0;
}

static void read_text(struct page *page, const PGresult *res, int number,
                      const struct column_of_texts *table)
{
	struct item *item = &page->items[page->count];
	struct value *old = &item->values[OLD_TEXT];
	struct value *owner = &item->values[OWNER];
	struct value *old_hash = &item->values[OLD_HASH];
	struct value *anew = &item->values[NEW_TEXT];
	struct encryption_text_place place = { .column = table->column };
	struct arena *arena = &page->arena;
	struct row row;

	row_init(&row, res, number);
	item->game = place.game = row_uuid(&row);
	old->bytes = row_bytes_or_null(&row, arena, &old->len);
	if (table->hash) {
		owner->bytes = row_bytes_or_null(&row, arena, &owner->len);
		place.token_hash = owner->bytes;
		old_hash->bytes =
			row_bytes_or_null(&row, arena, &old_hash->len);
	}
	const char *text =
		encryption_read_text(place, old->bytes, old->len, arena);
	if (!text) {
		page->unreadable++;
		return;
	}
	bool is_current =
		!table->hash || is_current_hash(item, arena, text, table->hash);
	if (is_current &&
	    encryption_is_current_text(place, old->bytes, old->len, arena))
		return;
	uint8_t *written = arena_alloc(arena, ENCRYPTION_TEXT_ROOM);
	anew->len = encryption_write_text(place, text, strlen(text), written);
	anew->bytes = written;
	page->count++;
}

static bool write_texts(const struct page *page, const struct admin *admin,
                        const struct column_of_texts *table,
                        struct rekey_counts *counts)
{
	const struct item *first = page->items;
	size_t stride = sizeof(*first);
	struct params params = { .bytes = NULL };

	params_array(&params, PARAMS_UUID, &first->game, stride, page->count);
	for (unsigned i = 0; i < table->values; i++)
		params_array_bytes(&params, &first->values[i].bytes,
		                   &first->values[i].len, stride, page->count);
	return send_page(page, admin, table->write, &params, &counts->texts,
	                 counts);
}

/* Where a page ends: the last row's game, text and owner, if it has one. */
struct end {
	struct uuid game;
	struct value text;
	struct value owner;
};

/* Ask for the texts after an end, whose bytes are in the page's arena. */
static PGresult *read_texts(const struct admin *admin,
                            const struct column_of_texts *table,
                            const struct end *end)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, end->game);
	params_bytes(&params, end->text.bytes, end->text.len);
	if (table->hash)
		params_bytes(&params, end->owner.bytes, end->owner.len);
	return admin_query(admin, table->read, &params);
}

static void note_end(const PGresult *res, const struct column_of_texts *table,
                     struct arena *arena, struct end *end)
{
	struct row row;

	row_init(&row, res, PQntuples(res) - 1);
	end->game = row_uuid(&row);
	end->text.bytes = row_bytes_or_null(&row, arena, &end->text.len);
	if (table->hash)
		end->owner.bytes =
			row_bytes_or_null(&row, arena, &end->owner.len);
}

static bool rekey_texts(const struct admin *admin,
                        const struct column_of_texts *table, struct page *page,
                        struct rekey_counts *counts)
{
	struct end end = { .text = { .bytes = NULL } };
	int rows;

	do {
		PGresult *res = read_texts(admin, table, &end);
		if (!res)
			return false;
		rows = PQntuples(res);
		arena_reset(&page->arena);
		page->count = page->unreadable = 0;
		for (int i = 0; i < rows; i++)
			read_text(page, res, i, table);
		if (rows > 0)
			note_end(res, table, &page->arena, &end);
		PQclear(res);
		counts->unreadable += page->unreadable;
		if (page->count > 0 && !write_texts(page, admin, table, counts))
			return false;
	} while (rows == PAGE_MAX);
	return true;
}

enum verdict rekey_run(struct admin *admin, rekey_hash_fn hash,
                       struct rekey_counts *counts)
{
	static const struct table_of_values games = {
		read_games, write_games, { ENCRYPTION_STATE }, 1, false
	};
	static const struct table_of_values events = { read_events,
		                                       write_events,
		                                       { ENCRYPTION_PRIVATE,
		                                         ENCRYPTION_REPLAY },
		                                       2,
		                                       true };
	const struct column_of_texts references = { read_references,
		                                    write_references,
		                                    ENCRYPTION_REFERENCE,
		                                    NEW_TEXT + 1, NULL };
	const struct column_of_texts subscriptions = { read_subscriptions,
		                                       write_subscriptions,
		                                       ENCRYPTION_SUBSCRIPTION,
		                                       VALUES_MAX, hash };
	static struct page page;

	*counts = (struct rekey_counts){ .games = 0 };
	if (encryption_first() == 0) {
		(void)fprintf(stderr, "GANGD_KEY_FILE is not set; expected: a "
		                      "file whose first key encrypts\n");
		return VERDICT_BAD;
	}
	encryption_accept_plain(true);
	arena_init(&page.arena);
	bool good =
		rekey_table(admin, &games, &page, &counts->games, counts) &&
		rekey_table(admin, &events, &page, &counts->events, counts) &&
		rekey_texts(admin, &references, &page, counts) &&
		rekey_texts(admin, &subscriptions, &page, counts);
	arena_fini(&page.arena);
	if (!good)
		return VERDICT_UNKNOWN;
	return counts->unreadable ? VERDICT_BAD : VERDICT_DONE;
}
