/*
 * rekey.h - encrypts all that is stored under the first key of the key file.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/verdict.h"

struct admin;

/* How much was encrypted anew. */
struct rekey_counts {
	uint64_t games;
	uint64_t events;
	uint64_t texts;      /* client references and subscriptions */
	uint64_t unreadable; /* values left as they are; the log names them */
	uint64_t open;       /* rows whose writing has no answer */
};

/* The hash of the endpoint of a subscription, by the text of it. */
typedef void (*rekey_hash_fn)(const char *text, uint8_t *hash);

/*
 * Encrypt every state, private_data, replay_data, client_reference and
 * subscription that is not encrypted under the first key, and hash the
 * endpoints of subscriptions under it.  The connection's role must own the
 * schema.  Daemons may serve meanwhile; a game that changes is left to the
 * daemon that changed it.  Unless it is done, the reason is on stderr.
 * VERDICT_BAD: there is no key, or rows could not be read; VERDICT_UNKNOWN: it
 * was not finished, and the next run goes on.
 */
MUST_CHECK enum verdict rekey_run(struct admin *admin, rekey_hash_fn hash,
                                  struct rekey_counts *counts);
