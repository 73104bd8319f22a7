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
#include "store/rekey.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "store/admin_query.h"
#include "store/encryption.h"

enum { PAGE_MAX = 500 };

/* The first page begins behind no game: $1 is NULL. */
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
 * found by the value that was read; so one that was written behind comes once
 * more, and is current then, and one that has changed since is left.
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

static const char read_subscriptions[] =
	"SELECT game_id, sealed FROM gangd.push_subscription"
	" WHERE $1::uuid IS NULL OR (game_id, sealed) > ($1, $2)"
	" ORDER BY game_id, sealed LIMIT 500";

static const char write_subscriptions[] =
	"UPDATE gangd.push_subscription SET sealed = anew.value"
	" FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])"
	"      AS anew(game_id, old, value)"
	" WHERE push_subscription.game_id = anew.game_id"
	" AND push_subscription.sealed = anew.old";

/* A value, as it is stored and as it is to be. */
struct value {
	const uint8_t *bytes;
	size_t len;
};

/* A row of either table: a game has its state in the first value. */
struct item {
	struct uuid game;
	uint32_t version;
	bool has_rematch;
	struct value values[2];
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

/* Read a page of rows with so many values each; false if one is damaged. */
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
			(void)fprintf(stderr, "a row is not as expected\n");
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

/* The text as it was read is in the first value, and anew in the second. */
static void read_text(struct page *page, const PGresult *res, int number,
                      enum encryption_column column)
{
	struct item *item = &page->items[page->count];
	struct value *old = &item->values[0];
	struct value *anew = &item->values[1];
	struct row row;

	row_init(&row, res, number);
	item->game = row_uuid(&row);
	old->bytes = row_bytes_or_null(&row, &page->arena, &old->len);
	if (encryption_is_current_text(column, old->bytes, old->len,
	                               &page->arena))
		return;
	const char *text = encryption_read_text(column, old->bytes, old->len,
	                                        &page->arena);
	if (!text) {
		page->unreadable++;
		return;
	}
	uint8_t *written = arena_alloc(&page->arena, ENCRYPTION_TEXT_ROOM);
	anew->len = encryption_write_text(column, text, strlen(text), written);
	anew->bytes = written;
	page->count++;
}

static bool write_texts(const struct page *page, const struct admin *admin,
                        const char *text, struct rekey_counts *counts)
{
	const struct item *first = page->items;
	size_t stride = sizeof(*first);
	struct params params = { .bytes = NULL };

	params_array(&params, PARAMS_UUID, &first->game, stride, page->count);
	for (unsigned i = 0; i < 2; i++)
		params_array_bytes(&params, &first->values[i].bytes,
		                   &first->values[i].len, stride, page->count);
	return send_page(page, admin, text, &params, &counts->texts, counts);
}

/* Ask for the texts behind one, whose bytes are in the page's arena. */
static PGresult *read_texts(const struct admin *admin, const char *text,
                            struct uuid game, const struct value *last)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, game);
	params_bytes(&params, last->bytes, last->len);
	return admin_query(admin, text, &params);
}

/* The last row of a page, from where the next one goes on. */
static void note_last(const PGresult *res, struct arena *arena,
                      struct uuid *game, struct value *last)
{
	struct row row;

	row_init(&row, res, PQntuples(res) - 1);
	*game = row_uuid(&row);
	last->bytes = row_bytes_or_null(&row, arena, &last->len);
}

static bool rekey_texts(const struct admin *admin, const char *read,
                        const char *write, enum encryption_column column,
                        struct page *page, struct rekey_counts *counts)
{
	struct value last = { .bytes = NULL };
	struct uuid game = { { 0 } };
	int rows;

	do {
		PGresult *res = read_texts(admin, read, game, &last);
		if (!res)
			return false;
		rows = PQntuples(res);
		arena_reset(&page->arena);
		page->count = page->unreadable = 0;
		for (int i = 0; i < rows; i++)
			read_text(page, res, i, column);
		if (rows > 0)
			note_last(res, &page->arena, &game, &last);
		PQclear(res);
		counts->unreadable += page->unreadable;
		if (page->count > 0 && !write_texts(page, admin, write, counts))
			return false;
	} while (rows == PAGE_MAX);
	return true;
}

enum verdict rekey_run(struct admin *admin, struct rekey_counts *counts)
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
		rekey_texts(admin, read_references, write_references,
	                    ENCRYPTION_REFERENCE, &page, counts) &&
		rekey_texts(admin, read_subscriptions, write_subscriptions,
	                    ENCRYPTION_SUBSCRIPTION, &page, counts);
	arena_fini(&page.arena);
	if (!good)
		return VERDICT_UNKNOWN;
	return counts->unreadable ? VERDICT_BAD : VERDICT_DONE;
}
