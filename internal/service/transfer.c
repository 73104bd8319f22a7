/*
 * transfer.c - POST …/transfers gives a code for the caller's seat; with it
 * POST …/transfers/claim gives another device the seat's token.
 *
 * The code comes in the body and not in the path, since proxies log paths.  The
 * old device keeps its token: both have the same one.
 */
#include "service/transfer.h"

#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "service/answer.h"
#include "service/games.h"
#include "service/handler.h"

/* False if the text cannot be a code. */
static bool read_code(struct call *call, const char *text)
{
	struct transfer *transfer = call->wanted.transfer;

	return ticket_parse(text, strlen(text), &transfer->code) &&
	       !key_read(transfer->code.text, call->game.id.bytes,
	                 sizeof(call->game.id.bytes), &transfer->key);
}

/* --- giving a code -------------------------------------------------------- */

/* request_read_token() has found that the field ends with a token. */
static const char *token_of(const struct call *call)
{
	const char *header = call->req->authorization;

	return header + strlen(header) - TOKEN_TEXT_LEN;
}

enum err decode_transfer(struct call *call)
{
	struct transfer *transfer =
		arena_zalloc(&call->req->arena, sizeof(*transfer));

	call->wanted.transfer = transfer;
	if (!ticket_draw(&transfer->code) ||
	    !read_code(call, transfer->code.text) ||
	    !key_seal(&transfer->key, (const uint8_t *)token_of(call),
	              TOKEN_TEXT_LEN, transfer->sealed))
		return ERR_INTERNAL;
	return ERR_OK;
}

enum err encode_transfer(struct call *call)
{
	int64_t lasts_us = STORE_TRANSFER_S * CLOCK_US_PER_S;
	struct json_out out;

	answer_begin(call, &out, 256);
	json_object(&out);
	json_key_string(&out, "code", call->wanted.transfer->code.text);
	answer_time(&out, "expires_at", call->decided.given_us + lasts_us);
	json_object_end(&out);
	return answer_end(call, &out, 201);
}

/* --- using it ------------------------------------------------------------- */

/* A repeated request has the same key, and so is the same claimer. */
static bool name_claimer(struct call *call)
{
	uint8_t *claimer = call->wanted.transfer->claimer;

	if (!call->idempotency.has_key)
		return random_bytes(claimer, STORE_HASH_SIZE);
	memcpy(claimer, call->idempotency.key.hash, STORE_HASH_SIZE);
	return true;
}

/* A malformed code counts as a wrong one. */
enum err decode_claim(struct call *call)
{
	struct transfer *transfer =
		arena_zalloc(&call->req->arena, sizeof(*transfer));
	const char *code = body_string(call->body, "code", true);

	call->wanted.transfer = transfer;
	transfer->is_confirmed = body_bool(call->body, "confirm", false);
	if (!code || call->req->faults_count)
		return ERR_OK;
	if (!read_code(call, code))
		return ERR_NO_SUCH_TRANSFER;
	return name_claimer(call) ? ERR_OK : ERR_INTERNAL;
}

enum err transfer_take(struct call *call, const uint8_t *token_hash,
                       const uint8_t *sealed, size_t sealed_len)
{
	struct token *token = &call->wanted.token;

	if (sealed_len != TRANSFER_SEALED_SIZE ||
	    !key_open(&call->wanted.transfer->key, sealed, sealed_len,
	              (uint8_t *)token->text))
		return ERR_INTERNAL;
	token->text[TOKEN_TEXT_LEN] = '\0';
	memcpy(call->caller.token_hash, token_hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	return ERR_OK;
}

/* Whose seat it is, so that a page can ask before it takes the seat. */
static enum err encode_offer(struct call *call)
{
	unsigned seat = call->caller.seat;
	struct json_out out;

	answer_begin_offer(call, &out);
	json_key_int(&out, "seat", seat);
	json_key_string_or_null(&out, "name",
	                        call->game.loaded->seats[seat - 1].name);
	json_object_end(&out);
	http_header(call->req, "Cache-Control", "no-store");
	return answer_end(call, &out, 200);
}

enum err encode_claim(struct call *call)
{
	return call->wanted.transfer->is_confirmed ? encode_seated(call)
	                                           : encode_offer(call);
}
