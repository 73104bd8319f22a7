/*
 * admin.h - the database for the operator's tool, which may wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/finding.h"
#include "base/uuid.h"
#include "base/verdict.h"
#include "postgres/records.h"

struct admin;

/* url is valid.  NULL, with the reason on stderr: the server is not reached. */
struct admin *admin_open(const char *url);

/* NULL is fine. */
void admin_close(struct admin *admin);

/*
 * Bring the schema up to what this program knows: the migrations that are
 * missing, each in a transaction, then the functions.  Safe to run twice and
 * from several machines at once.  Writes to stdout what it does; unless it is
 * done, the reason is on stderr.  VERDICT_BAD: the schema is not one that this
 * program may change.
 */
MUST_CHECK enum verdict admin_migrate(struct admin *admin);

/*
 * Load a game, or all its events with their replay_data, into the arena.
 * Unless it is found, the reason is on stderr; a row that cannot be read leaves
 * the answer unknown.
 */
MUST_CHECK enum finding admin_load(struct admin *admin, struct uuid id,
                                   struct arena *arena,
                                   struct store_game *game);
MUST_CHECK enum finding admin_events(struct admin *admin, struct uuid id,
                                     struct arena *arena,
                                     const struct store_event **events,
                                     size_t *count);

/*
 * Make the notifications due again that the webhook was sent since a time, a
 * text that PostgreSQL reads; *count is their number.  Unless it is done, the
 * reason is on stderr.  VERDICT_BAD: the text is not a time.
 */
MUST_CHECK enum verdict admin_replay_webhooks(struct admin *admin,
                                              const char *since,
                                              uint64_t *count);
