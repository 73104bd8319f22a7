/*
 * record.h - games and events as rows, for the store and for the operator.
 *
 * Readers answer STORE_BROKEN, having logged it, when a row is not what it
 * should be; nothing is handed out then.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "store/store.h"
#include "store/wire.h"

/* The parameters of "keep", "leave", "create" and "rematch". */
void record_write_move(struct params *params, const struct store_move *move);
void record_write_leave(struct params *params, const struct store_move *move);
void record_write_new(struct params *params, const struct store_move *move);
void record_write_rematch(struct params *params, const struct store_move *ended,
                          const struct store_move *next);

/* What "load", or "load_idempotent", gave for this id; STORE_NONE if it is no
 * row.
 */
MUST_CHECK enum store_result record_read_game(const PGresult *res,
                                              struct uuid id, bool is_keyed,
                                              struct arena *arena,
                                              struct store_game *game);

/* What "find_creation" gave; STORE_NONE if it is no row. */
MUST_CHECK enum store_result record_read_creation(const PGresult *res,
                                                  struct arena *arena,
                                                  struct uuid *id,
                                                  struct store_key *key);

/* The parameters of "moved", and what it gave. */
void record_write_versions(struct params *params,
                           const struct store_version *seen, size_t count);
MUST_CHECK enum store_result record_read_versions(const PGresult *res,
                                                  struct arena *arena,
                                                  struct store_version **games,
                                                  size_t *count);

/* The parameters of "seen"; what "presence" and "use_ticket" gave. */
void record_write_seen(struct params *params, const struct store_seen *heard,
                       size_t count);
MUST_CHECK enum store_result record_read_last_seen(
	const PGresult *res, struct arena *arena,
	struct store_last_seen **players, size_t *count);
MUST_CHECK enum store_result record_read_hash(const PGresult *res,
                                              struct arena *arena,
                                              const uint8_t **hash);

/*
 * What "lobby" gave: at most limit games that fit, and the one behind which the
 * next page begins, or none.
 */
struct record_lobby {
	struct store_listed *games;
	size_t count;
	struct uuid next;
};
MUST_CHECK enum store_result record_read_lobby(const PGresult *res,
                                               size_t limit,
                                               struct arena *arena,
                                               struct record_lobby *lobby);

/* What "events" gave, or with sealed parts "events_replay". */
MUST_CHECK enum store_result record_read_events(const PGresult *res,
                                                bool sealed,
                                                struct arena *arena,
                                                struct store_event **events,
                                                size_t *count);

#endif
