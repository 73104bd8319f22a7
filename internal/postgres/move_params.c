/*
 * The parameters of the statements that change games, in the order in which
 * sql/queries has them.  Bytes that hold cards are encrypted here, so no later
 * step has them in the clear, the batches of gather.c included.
 */
#include "postgres/move_params.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/macros.h"
#include "postgres/encryption.h"

enum { STATE_MAX = 2048, PART_MAX = 128 };

/*
 * One array for a move, of private_data or replay_data: where an event has the
 * pointer to it, and its length.
 */
static void add_encrypted(struct params *params, const struct store_move *move,
                          enum encryption_column column, size_t at,
                          size_t len_at)
{
	struct part {
		const uint8_t *bytes;
		size_t len;
		uint8_t written[PART_MAX + ENCRYPTION_EXTRA];
	} parts[STORE_EVENTS_MAX];
	size_t count = move->events_count;

	for (size_t i = 0; i < count; i++) {
		const char *event = (const char *)&move->events[i];
		struct encryption_place place = { move->game->id, 0, column,
			                          false };
		struct part *part = &parts[i];

		place.version = move->game->version - (uint32_t)(count - 1 - i);
		memcpy(&part->bytes, event + at, sizeof(part->bytes));
		memcpy(&part->len, event + len_at, sizeof(part->len));
		assert(part->len <= PART_MAX);
		part->len = encryption_write(place, part->bytes, part->len,
		                             part->written);
		part->bytes = part->written;
	}
	params_array_bytes(params, &parts->bytes, &parts->len,
	                   sizeof(struct part), count);
}

void move_params_hash(struct params *params, const uint8_t *hash)
{
	params_bytes(params, hash, STORE_HASH_SIZE);
}

static void add_events(struct params *params, const struct store_move *move)
{
	const struct store_event *first = move->events;
	size_t stride = sizeof(*first);
	size_t count = move->events_count;

	params_array(params, PARAMS_UINT8, &first->type, stride, count);
	params_array(params, PARAMS_UINT8, &first->seat, stride, count);
	params_array(params, PARAMS_UINT8, &first->part, stride, count);
	params_array(params, PARAMS_UINT8, &first->subpart, stride, count);
	params_array_bytes(params, &first->public_data, &first->public_len,
	                   stride, count);
	add_encrypted(params, move, ENCRYPTION_PRIVATE,
	              offsetof(struct store_event, private_data),
	              offsetof(struct store_event, private_len));
	add_encrypted(params, move, ENCRYPTION_REPLAY,
	              offsetof(struct store_event, replay_data),
	              offsetof(struct store_event, replay_len));
}

/* The columns that every move may change. */
static void add_state(struct params *params, const struct store_game *game)
{
	params_text(params, game->status);
	params_int2(params, game->seats_max);
	params_int2(params, game->seats_count);
	params_int2(params, game->host);
	uint8_t state[STATE_MAX + ENCRYPTION_EXTRA];
	struct encryption_place place = { game->id, game->version,
		                          ENCRYPTION_STATE, false };

	assert(game->state_len <= STATE_MAX);
	size_t len =
		encryption_write(place, game->state, game->state_len, state);
	params_bytes(params, state, len);
}

_Static_assert((int)STORE_ENDPOINT_MAX <= (int)ENCRYPTION_TEXT_MAX &&
                       (int)STORE_REFERENCE_MAX <= (int)ENCRYPTION_TEXT_MAX,
               "texts fit");

void move_params_sealed(struct params *params,
                        struct encryption_text_place place, const char *text)
{
	uint8_t sealed[ENCRYPTION_TEXT_ROOM];

	if (!text) {
		params_null(params);
		return;
	}
	size_t len = encryption_write_text(place, text, strlen(text), sealed);
	params_bytes(params, sealed, len);
}

/* An array of numbers, which may be empty. */
static void add_numbers(struct params *params, const uint8_t *numbers,
                        size_t count)
{
	struct params each[STORE_SEATS_MAX] = { 0 };

	assert(count <= STORE_SEATS_MAX);
	params_elements_begin(params, PARAMS_OF_INT2, count);
	for (size_t i = 0; i < count; i++) {
		params_int2(&each[i], numbers[i]);
		params_elements_add(params, &each[i], 0);
		params_fini(&each[i]);
	}
	params_value_end(params);
}

static void add_nulls(struct params *params, unsigned count)
{
	while (count-- > 0)
		params_null(params);
}

/* The notified seats, their codes, those that are done; and the webhook. */
static void add_notices(struct params *params,
                        const struct store_notices *notices)
{
	if (notices->count == 0 && notices->done_count == 0) {
		add_nulls(params, 4);
		return;
	}
	add_numbers(params, notices->seats, notices->count);
	add_numbers(params, notices->codes, notices->count);
	add_numbers(params, notices->done, notices->done_count);
	params_bool(params, notices->for_webhook);
}

void move_params_rematch_notices(struct params *params,
                                 const struct store_notices *notices)
{
	if (notices->count == 0) {
		add_nulls(params, 3);
		return;
	}
	add_numbers(params, notices->seats, notices->count);
	add_numbers(params, notices->codes, notices->count);
	params_bool(params, notices->for_webhook);
}

/* The columns of a player who takes a seat, as seat_players.sql has them. */
static const enum params_type join_types[] = {
	PARAMS_OF_INT2,  PARAMS_OF_TEXT, PARAMS_OF_TEXT,  PARAMS_OF_TEXT,
	PARAMS_OF_BYTEA, PARAMS_OF_INT2, PARAMS_OF_BYTEA,
};

static void add_join(struct params *params, const struct store_join *join)
{
	params_int2(params, join->seat);
	params_text(params, join->name);
	params_text(params, join->name_key);
	params_text(params, join->avatar);
	move_params_hash(params, join->token_hash);
	if (join->bot_level)
		params_int2(params, join->bot_level);
	else
		params_null(params);
	move_params_sealed(params,
	                   (struct encryption_text_place){ ENCRYPTION_REFERENCE,
	                                                   NULL },
	                   join->client_reference);
}

void move_params_joins(struct params *params, const struct store_move *move)
{
	struct params each[STORE_SEATS_MAX] = { 0 };
	size_t count = 0;

	if (!move->join.seat && move->bots_count == 0) {
		add_nulls(params, ARRAY_LEN(join_types));
		return;
	}
	assert(move->bots_count < STORE_SEATS_MAX);
	if (move->join.seat)
		add_join(&each[count++], &move->join);
	for (size_t i = 0; i < move->bots_count; i++)
		add_join(&each[count++], &move->bots[i]);
	for (unsigned i = 0; i < ARRAY_LEN(join_types); i++) {
		params_elements_begin(params, join_types[i], count);
		for (size_t k = 0; k < count; k++)
			params_elements_add(params, &each[k], i);
		params_value_end(params);
	}
	for (size_t k = 0; k < count; k++)
		params_fini(&each[k]);
}

static void add_leave(struct params *params, const struct store_move *move)
{
	const struct store_leave *leave = &move->leave;

	if (!leave->seat) {
		add_nulls(params, 4);
		return;
	}
	params_int2(params, leave->seat);
	params_bool(params, leave->closes_up);
	params_text(params,
	            leave->renews_code ? move->game->invite_code : NULL);
	params_time_us(params, leave->last_seen_us);
}

static void add_change(struct params *params, const struct store_change *change)
{
	if (!change->seat) {
		add_nulls(params, 4);
		return;
	}
	params_int2(params, change->seat);
	params_text(params, change->name);
	params_text(params, change->name_key);
	params_text(params, change->avatar);
}

void move_params_key(struct params *params, const struct store_key *key)
{
	move_params_hash(params, key->hash);
	move_params_hash(params, key->request);
	params_uuid(params, key->location);
	params_bytes(params, key->sealed, key->sealed_len);
}

void move_params_check(const struct store_move *move)
{
	assert(move->events_count > 0);
	assert(move->events_count <= STORE_EVENTS_MAX);
	assert(move->game->version >= move->events_count);
}

static void add_move(struct params *params, const struct store_move *move)
{
	const struct store_game *game = move->game;

	move_params_check(move);
	params_uuid(params, game->id);
	params_int4(params, game->version - (uint32_t)move->events_count);
	add_state(params, game);
	add_events(params, move);
	add_notices(params, &move->notices);
}

void move_params_seats(struct params *params, const struct store_move *move)
{
	add_move(params, move);
	move_params_key(params, &move->key);
	add_leave(params, move);
	move_params_joins(params, move);
	add_change(params, &move->change);
	if (!move->renewal.seat) {
		add_nulls(params, 2);
		return;
	}
	params_int2(params, move->renewal.seat);
	move_params_hash(params, move->renewal.token_hash);
}

void move_params_plain(struct params *params, const struct store_move *move)
{
	const struct store_game *game = move->game;

	add_move(params, move);
	if (move->revision)
		params_int4(params, move->revision);
	else
		params_null(params);
	params_bytes(params, move->has_recent_key ? game->recent_keys : NULL,
	             game->recent_keys_len);
}

void move_params_game(struct params *params, const struct store_move *move)
{
	const struct store_game *game = move->game;

	move_params_check(move);
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
	params_bytes(params, game->creator_address, STORE_ADDRESS_SIZE);
	add_state(params, game);
	add_events(params, move);
}

void move_params_replay(struct params *params, const struct store_move *move)
{
	const struct store_event *event = &move->events[0];
	uint8_t written[PART_MAX + ENCRYPTION_EXTRA];
	struct encryption_place place = { move->game->id, move->game->version,
		                          ENCRYPTION_REPLAY, false };

	assert(move->events_count == 1 && event->replay_len <= PART_MAX);
	size_t len = encryption_write(place, event->replay_data,
	                              event->replay_len, written);
	params_bytes(params, written, len);
}
