#include "store/record.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"

static void write_numbers(struct params *params, const struct store_move *move,
                          size_t offset)
{
	params_array_int2(params, move->events_count);
	for (size_t i = 0; i < move->events_count; i++) {
		const uint8_t *event = (const uint8_t *)&move->events[i];

		params_element_int2(params, event[offset]);
	}
	params_array_end(params);
}

static void write_events(struct params *params, const struct store_move *move)
{
	const struct store_event *events = move->events;
	size_t count = move->events_count;

	write_numbers(params, move, offsetof(struct store_event, type));
	write_numbers(params, move, offsetof(struct store_event, seat));
	write_numbers(params, move, offsetof(struct store_event, heist));
	write_numbers(params, move, offsetof(struct store_event, color));
	params_array_bytes(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_bytes(params, events[i].public_data,
		                     events[i].public_len);
	params_array_end(params);
	params_array_bytes(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_bytes(params, events[i].private_data,
		                     events[i].private_len);
	params_array_end(params);
	params_array_bytes(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_bytes(params, events[i].replay_data,
		                     events[i].replay_len);
	params_array_end(params);
}

/* What every move may change. */
static void write_state(struct params *params, const struct store_game *game)
{
	params_text(params, game->status);
	params_int2(params, game->seats_max);
	params_int2(params, game->seats_count);
	params_int2(params, game->host);
	params_bytes(params, game->state, game->state_len);
}

static void write_join(struct params *params, const struct store_join *join)
{
	if (join->seat == 0) {
		for (int i = 0; i < 4; i++)
			params_null(params);
		return;
	}
	params_int2(params, join->seat);
	params_text(params, join->name);
	params_text(params, join->name_key);
	params_bytes(params, join->token_hash, STORE_HASH_SIZE);
}

static void check_move(const struct store_move *move)
{
	assert(move->events_count > 0);
	assert(move->events_count <= STORE_EVENTS_MAX);
	assert(move->game->version >= move->events_count);
}

static void write_act(struct params *params, const struct store_move *move)
{
	const struct store_game *game = move->game;

	check_move(move);
	params_uuid(params, game->id);
	params_int4(params, game->version - (uint32_t)move->events_count);
	write_state(params, game);
	write_events(params, move);
}

/* With a key the statement has four parameters more. */
static void write_key(struct params *params, const struct store_key *key)
{
	params_bytes(params, key->hash, STORE_HASH_SIZE);
	params_bytes(params, key->request, STORE_HASH_SIZE);
	if (uuid_is_none(key->location))
		params_null(params);
	else
		params_uuid(params, key->location);
	if (key->sealed)
		params_bytes(params, key->sealed, key->sealed_len);
	else
		params_null(params);
}

void record_write_move(struct params *params, const struct store_move *move)
{
	write_act(params, move);
	write_join(params, &move->join);
	if (move->key.hash)
		write_key(params, &move->key);
}

void record_write_leave(struct params *params, const struct store_move *move)
{
	const struct store_leave *leave = &move->leave;

	assert(leave->seat > 0);
	write_act(params, move);
	params_int2(params, leave->seat);
	params_bool(params, leave->closes_up);
	params_text(params,
	            leave->renews_code ? move->game->invite_code : NULL);
	if (leave->last_seen_us)
		params_time_us(params, leave->last_seen_us);
	else
		params_null(params);
	if (move->key.hash)
		write_key(params, &move->key);
}

static void write_game(struct params *params, const struct store_move *move)
{
	const struct store_game *game = move->game;

	check_move(move);
	assert(game->version == move->events_count);
	params_uuid(params, game->id);
	params_text(params, game->invite_code);
	params_int2(params, game->ruleset);
	params_int2(params, game->rules_version);
	params_text(params, game->mode);
	params_bool(params, game->is_public);
	params_bool(params, game->spectators);
	if (game->absence_s)
		params_int4(params, game->absence_s);
	else
		params_null(params);
	if (game->creator_address)
		params_bytes(params, game->creator_address, STORE_ADDRESS_SIZE);
	else
		params_null(params);
	write_state(params, game);
	write_events(params, move);
}

void record_write_new(struct params *params, const struct store_move *move)
{
	assert(move->join.seat > 0);
	write_game(params, move);
	write_join(params, &move->join);
	if (!move->key.hash)
		return;
	params_bytes(params, move->key.hash, STORE_HASH_SIZE);
	params_bytes(params, move->key.request, STORE_HASH_SIZE);
	params_bytes(params, move->key.sealed, move->key.sealed_len);
}

void record_write_rematch(struct params *params, const struct store_move *ended,
                          const struct store_move *next)
{
	const struct store_event *event = &ended->events[0];

	check_move(ended);
	assert(ended->events_count == 1);
	params_uuid(params, ended->game->id);
	params_int4(params, ended->game->version - 1);
	params_int2(params, event->type);
	params_int2(params, event->seat);
	params_bytes(params, event->public_data, event->public_len);
	params_bytes(params, event->replay_data, event->replay_len);
	write_game(params, next);
	if (ended->key.hash)
		write_key(params, &ended->key);
}

static enum store_result broken(const char *what)
{
	LOG(LOG_ERROR, "row_damaged", LOG_TEXT("row", what));
	return STORE_BROKEN;
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

enum store_result record_read_creation(const PGresult *res, struct arena *arena,
                                       struct uuid *id, struct store_key *key)
{
	struct store_key read = { .hash = NULL };
	struct row row;
	size_t len;

	if (PQntuples(res) == 0)
		return STORE_NONE;
	row_init(&row, res, 0);
	*id = row_uuid(&row);
	read.request = row_bytes_or_null(&row, arena, &len);
	read.sealed = row_bytes_or_null(&row, arena, &read.sealed_len);
	read.hash = read.request;
	if (!row_is_whole(&row) || !read.request || len != STORE_HASH_SIZE)
		return broken("creation");
	*key = read;
	return STORE_OK;
}

enum store_result record_read_game(const PGresult *res, struct uuid id,
                                   bool is_keyed, struct arena *arena,
                                   struct store_game *game)
{
	struct store_game read = { .id = id };
	struct row row;

	if (PQntuples(res) == 0)
		return STORE_NONE;
	row_init(&row, res, 0);
	read.version = row_int4(&row);
	read.ruleset = row_byte(&row);
	read.rules_version = row_byte(&row);
	read.mode = row_text_or_null(&row, arena);
	read.status = row_text(&row, arena);
	read.is_public = row_bool(&row);
	read.spectators = row_bool(&row);
	read.seats_max = row_byte(&row);
	read.seats_count = row_byte(&row);
	read.host = row_byte(&row);
	read.invite_code = row_text(&row, arena);
	read.state = row_bytes_or_null(&row, arena, &read.state_len);
	read.created_us = row_time_us(&row);
	read.updated_us = row_time_us(&row);
	read.rematch = row_uuid_or_none(&row);
	read.rematch_of = row_uuid_or_none(&row);
	read.absence_s = row_int4(&row);
	bool is_read = read_seats(&row, arena, &read) &&
	               (!is_keyed || read_key(&row, arena, &read.key));
	if (!is_read || !row_is_whole(&row) || !read.state)
		return broken("game");
	*game = read;
	return STORE_OK;
}

static bool read_event(struct row *row, bool sealed, struct arena *arena,
                       struct store_event *event)
{
	event->version = row_int4(row);
	event->at_us = row_time_us(row);
	event->type = row_byte(row);
	event->seat = row_byte(row);
	event->heist = row_byte(row);
	event->color = row_byte(row);
	event->public_data = row_bytes_or_null(row, arena, &event->public_len);
	event->private_data =
		row_bytes_or_null(row, arena, &event->private_len);
	if (sealed)
		event->replay_data =
			row_bytes_or_null(row, arena, &event->replay_len);
	return row_is_whole(row);
}

enum store_result record_read_events(const PGresult *res, bool sealed,
                                     struct arena *arena,
                                     struct store_event **events, size_t *count)
{
	int rows = PQntuples(res);
	struct store_event *read =
		arena_zalloc(arena, (size_t)rows * sizeof(*read));

	for (int i = 0; i < rows; i++) {
		struct row row;

		row_init(&row, res, i);
		if (!read_event(&row, sealed, arena, &read[i]))
			return broken("event");
	}
	*events = read;
	*count = (size_t)rows;
	return STORE_OK;
}

static bool read_listed(struct row *row, struct arena *arena,
                        struct store_listed *game, bool *fits, bool *is_last)
{
	game->id = row_uuid(row);
	game->ruleset = row_byte(row);
	game->mode = row_text_or_null(row, arena);
	game->spectators = row_bool(row);
	game->seats_max = row_byte(row);
	game->seats_count = row_byte(row);
	game->created_us = row_time_us(row);
	game->host = row_text_or_null(row, arena);
	*fits = row_bool(row);
	*is_last = row_bool(row);
	return row_is_whole(row);
}

enum store_result record_read_lobby(const PGresult *res, size_t limit,
                                    struct arena *arena,
                                    struct record_lobby *lobby)
{
	int rows = PQntuples(res);
	struct record_lobby read = {
		.games = arena_zalloc(arena, limit * sizeof(*read.games)),
	};

	for (int i = 0; i < rows; i++) {
		struct store_listed game;
		struct row row;
		bool fits;
		bool is_last;

		row_init(&row, res, i);
		if (!read_listed(&row, arena, &game, &fits, &is_last))
			return broken("lobby");
		if (fits && read.count == limit) {
			read.next = read.games[limit - 1].id;
			break;
		}
		if (fits)
			read.games[read.count++] = game;
		if (is_last)
			read.next = game.id;
	}
	*lobby = read;
	return STORE_OK;
}

void record_write_versions(struct params *params,
                           const struct store_version *seen, size_t count)
{
	params_array_uuid(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_uuid(params, seen[i].id);
	params_array_end(params);
	params_array_int4(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_int4(params, seen[i].version);
	params_array_end(params);
}

enum store_result record_read_versions(const PGresult *res, struct arena *arena,
                                       struct store_version **games,
                                       size_t *count)
{
	int rows = PQntuples(res);
	struct store_version *read =
		arena_zalloc(arena, (size_t)rows * sizeof(*read));

	for (int i = 0; i < rows; i++) {
		bool is_gone = PQgetisnull(res, i, 1);
		struct row row;

		row_init(&row, res, i);
		read[i].id = row_uuid(&row);
		read[i].version = UINT32_MAX;
		if (is_gone)
			row.column++;
		else
			read[i].version = row_int4(&row);
		if (!row_is_whole(&row))
			return broken("version");
	}
	*games = read;
	*count = (size_t)rows;
	return STORE_OK;
}

void record_write_seen(struct params *params, const struct store_seen *heard,
                       size_t count)
{
	params_array_uuid(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_uuid(params, heard[i].game);
	params_array_end(params);
	params_array_bytes(params, count);
	for (size_t i = 0; i < count; i++)
		params_element_bytes(params, heard[i].token_hash,
		                     STORE_HASH_SIZE);
	params_array_end(params);
}

enum store_result record_read_last_seen(const PGresult *res,
                                        struct arena *arena,
                                        struct store_last_seen **players,
                                        size_t *count)
{
	int rows = PQntuples(res);
	struct store_last_seen *read =
		arena_zalloc(arena, (size_t)rows * sizeof(*read));

	for (int i = 0; i < rows; i++) {
		struct row row;

		row_init(&row, res, i);
		read[i].seat = row_byte(&row);
		read[i].last_seen_us = row_time_us(&row);
		read[i].now_us = row_time_us(&row);
		if (!row_is_whole(&row))
			return broken("last_seen");
	}
	*players = read;
	*count = (size_t)rows;
	return STORE_OK;
}

enum store_result record_read_hash(const PGresult *res, struct arena *arena,
                                   const uint8_t **hash)
{
	const uint8_t *read;
	struct row row;
	size_t len;

	if (PQntuples(res) == 0)
		return STORE_NONE;
	row_init(&row, res, 0);
	read = row_bytes_or_null(&row, arena, &len);
	if (!row_is_whole(&row) || !read || len != STORE_HASH_SIZE)
		return broken("ticket");
	*hash = read;
	return STORE_OK;
}
