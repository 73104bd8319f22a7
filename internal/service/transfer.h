/*
 * transfer.h - a seat on another device, by a code that is used once.
 *
 * The code has 128 random bits.  The database keeps a hash of it, by which it
 * is found, and the seat's token, sealed under a secret that only the code
 * gives.
 */
#pragma once

#include "service/call.h"

enum { TRANSFER_SEALED_SIZE = TOKEN_TEXT_LEN + KEY_SEALED_EXTRA };

struct transfer {
	struct ticket code;
	struct key key; /* of the code, in its game */
	uint8_t sealed[TRANSFER_SEALED_SIZE];
	bool is_confirmed; /* false: only look whose seat it is */

	/* Names the claimer, who may repeat the claim. */
	uint8_t claimer[STORE_HASH_SIZE];
};

/*
 * The code led to this seat: from now on the caller is its player.  Opens the
 * sealed token into call->wanted.token.  ERR_INTERNAL if that fails.
 */
MUST_CHECK enum err transfer_take(struct call *call, const uint8_t *token_hash,
                                  const uint8_t *sealed, size_t sealed_len);
