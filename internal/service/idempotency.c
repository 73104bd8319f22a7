/*
 * idempotency.c - a key is committed together with the change.  That of a move
 * is in the game's row, among the recent keys of its seat (recent_keys.h): the
 * answer is made again from the game.
 *
 * All others have a row, to which the hash of the key leads: the hash of the
 * request, and the part of the answer that cannot be rebuilt from the game.
 * That is the id of a rematch, and a new token; the token is sealed under the
 * client's key, so that nobody who reads the database gets it.  A bot has no
 * token: the hash in its seat is sealed, by which a repeated request finds the
 * seat.
 *
 * A key belongs to the token that the request was sent with.  So a renewal is
 * repeated with the old token, which is good for nothing else by then: the
 * response has the new one again, and is that of its player.
 */
#include "service/idempotency.h"

#include <string.h>

#include "auth/recent_keys.h"
#include "http/problem.h"

/*
 * A deletion needs no key: it can be repeated.  Leaving cannot, since the
 * second request would free the seat of the next player.
 */
static bool takes_key(const struct call *call)
{
	enum shape shape = call->route->shape;

	return shape == SHAPE_CREATE || shape == SHAPE_MOVE ||
	       shape == SHAPE_REMATCH || shape == SHAPE_LEAVE ||
	       shape == SHAPE_CLAIM;
}

void idempotency_read(struct call *call)
{
	static const struct {
		const char *code;
		const char *detail;
	} faults[] = {
		[KEY_TOO_SHORT] = { "too_short",
		                    "A key has at least 20 characters; draw "
		                    "them at random." },
		[KEY_TOO_LONG] = { "too_long",
		                   "A key has at most 255 characters." },
		[KEY_CHARACTER] = { "not_allowed",
		                    "A key is printable ASCII without "
		                    "blanks." },
	};
	const char *text = call->req->idempotency_key;
	const char *path = call->req->path;
	const uint8_t *scope = call->caller.has_token ? call->caller.token_hash
	                                              : (const uint8_t *)path;
	size_t scope_len =
		call->caller.has_token ? TOKEN_HASH_SIZE : strlen(path);

	if (!text || !takes_key(call))
		return;
	enum key_fault fault =
		key_read(text, scope, scope_len, &call->idempotency.key);
	if (fault) {
		problem_header_fault(call->req, "Idempotency-Key",
		                     faults[fault].code, faults[fault].detail);
		return;
	}
	call->idempotency.has_key = true;
	key_hash_request(&call->idempotency.key,
	                 http_method_name(call->req->route->method), path,
	                 call->req->body, call->req->body_len,
	                 call->idempotency.request_hash);
}

const uint8_t *idempotency_hash(const struct call *call)
{
	return call->idempotency.has_key && !call->idempotency.is_replay
	               ? call->idempotency.key.hash
	               : NULL;
}

static bool seats_bot(const struct call *call)
{
	return call->wanted.action.verb == VERB_SEAT_BOT;
}

/* The value to seal, and its length; 0: nothing. */
static size_t find_secret(const struct call *call, const uint8_t **secret)
{
	const struct token *token = &call->wanted.token;

	*secret = seats_bot(call) ? token->hash : (const uint8_t *)token->text;
	if (seats_bot(call))
		return TOKEN_HASH_SIZE;
	return token->text[0] ? TOKEN_TEXT_LEN : 0;
}

_Static_assert((int)RECENT_KEYS_SEATS == (int)STORE_SEATS_MAX,
               "each seat has keys");

static struct recent_keys recent_keys_of(const struct store_game *game)
{
	return (struct recent_keys){ game->recent_keys, game->recent_keys_len };
}

static void record_recent(struct call *call)
{
	struct store_game *next = call->decided.next;
	uint8_t *bytes = arena_alloc(&call->req->arena, RECENT_KEYS_MAX);

	next->recent_keys_len =
		recent_keys_add(recent_keys_of(next), call->caller.seat,
	                        call->idempotency.key.hash,
	                        call->idempotency.request_hash, bytes);
	next->recent_keys = bytes;
	call->decided.move.has_recent_key = true;
}

enum err idempotency_record(struct call *call)
{
	struct store_key *key = &call->decided.move.key;
	const uint8_t *secret;
	size_t len = find_secret(call, &secret);
	uint8_t *sealed;

	if (!call->idempotency.has_key)
		return ERR_OK;
	if (call->route->shape == SHAPE_MOVE &&
	    !store_changes_seats(&call->decided.move)) {
		record_recent(call);
		return ERR_OK;
	}
	key->hash = call->idempotency.key.hash;
	key->request = call->idempotency.request_hash;
	if (len == 0)
		return ERR_OK;
	sealed = arena_zalloc(&call->req->arena, len + KEY_SEALED_EXTRA);
	if (!key_seal(&call->idempotency.key, secret, len, sealed))
		return ERR_INTERNAL;
	key->sealed = sealed;
	key->sealed_len = len + KEY_SEALED_EXTRA;
	return ERR_OK;
}

/*
 * The caller is the player whose token the first answer held.  Releases before
 * this one sealed a token of a bot, too; their keys live for a day.
 */
static enum err open_secret(struct call *call, const struct store_key *key)
{
	struct token *token = &call->wanted.token;

	if (seats_bot(call) &&
	    key->sealed_len == TOKEN_HASH_SIZE + KEY_SEALED_EXTRA)
		return key_open(&call->idempotency.key, key->sealed,
		                key->sealed_len, token->hash)
		               ? ERR_OK
		               : ERR_INTERNAL;
	if (key->sealed_len != TOKEN_TEXT_LEN + KEY_SEALED_EXTRA ||
	    !key_open(&call->idempotency.key, key->sealed, key->sealed_len,
	              (uint8_t *)token->text))
		return ERR_INTERNAL;
	token->text[TOKEN_TEXT_LEN] = '\0';
	if (!token_parse(token->text, TOKEN_TEXT_LEN, token->hash))
		return ERR_INTERNAL;
	if (seats_bot(call))
		return ERR_OK;
	memcpy(call->caller.token_hash, token->hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	return ERR_OK;
}

enum err idempotency_replay(struct call *call, const struct store_key *key)
{
	if (memcmp(key->request, call->idempotency.request_hash,
	           KEY_HASH_SIZE) != 0)
		return ERR_IDEMPOTENCY_KEY_REUSED;
	call->idempotency.is_replay = true;
	call->idempotency.location = key->location;
	return key->sealed ? open_secret(call, key) : ERR_OK;
}

static enum recent_use find_recent(const struct call *call,
                                   const struct store_game *game)
{
	if (!idempotency_hash(call))
		return RECENT_UNUSED;
	return recent_keys_find(recent_keys_of(game),
	                        call->idempotency.key.hash,
	                        call->idempotency.request_hash);
}

bool idempotency_is_recent(const struct call *call,
                           const struct store_game *game)
{
	return find_recent(call, game) != RECENT_UNUSED;
}

enum err idempotency_find_recent(struct call *call)
{
	switch (find_recent(call, call->game.loaded)) {
	case RECENT_OTHER_REQUEST:
		return ERR_IDEMPOTENCY_KEY_REUSED;
	case RECENT_SAME_REQUEST:
		call->idempotency.is_replay = true;
		break;
	case RECENT_UNUSED:
		break;
	}
	return ERR_OK;
}
