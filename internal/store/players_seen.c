/*
 * players_seen.c - the statements of last_seen: when each player of a game was
 * last seen, and that callers were seen now.
 *
 * Many callers are recorded by one statement, or by one for each game if the
 * tables may be spread over servers.  A struct recording then counts the
 * statements that are still to be answered; the last answer frees it and calls
 * its caller.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/db.h"
#include "store/queries.h"
#include "store/store.h"

void store_last_seen(struct store *store, struct uuid id, struct arena *arena,
                     store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_last_seen, arena, done, arg);

	params_uuid(&statement->params, id);
	db_queue_game(store, id, statement);
}

void store_record_last_seen(struct store *store, struct uuid id,
                            const uint8_t *token_hash, uint32_t version,
                            store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_record_last_seen, NULL, done, arg);

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, token_hash, STORE_HASH_SIZE);
	params_int4(&statement->params, version);
	db_queue_game(store, id, statement);
}

/* --- callers of many games ------------------------------------------------ */

struct recording {
	store_fn done;
	void *arg;
	size_t unanswered;
	struct store_answer answer; /* the first that is not OK, or the last */
};

static void on_recorded(void *arg, const struct store_answer *answer)
{
	struct recording *recording = arg;

	if (recording->answer.result == STORE_OK)
		recording->answer = *answer;
	if (--recording->unanswered > 0)
		return;
	recording->done(recording->arg, &recording->answer);
	free(recording);
}

static int compare_games(const void *a, const void *b)
{
	const struct store_caller *left = a;
	const struct store_caller *right = b;

	return memcmp(&left->game, &right->game, sizeof(left->game));
}

/* Record the callers of the first one's game; returns how many these are. */
static size_t update_game(struct store *store,
                          const struct store_caller *callers, size_t count,
                          struct recording *recording)
{
	struct statement *statement =
		statement_make(&query_update_last_seen, NULL, on_recorded,
	                       recording);
	size_t same = 1;

	while (same < count && compare_games(callers, &callers[same]) == 0)
		same++;
	params_uuid(&statement->params, callers->game);
	params_array(&statement->params, PARAMS_HASH, &callers->token_hash,
	             sizeof(*callers), same);
	params_array(&statement->params, PARAMS_UINT32, &callers->version,
	             sizeof(*callers), same);
	params_array(&statement->params, PARAMS_UINT8,
	             &callers->is_waiting_host, sizeof(*callers), same);
	db_queue_game(store, callers->game, statement);
	return same;
}

static void update_each_game(struct store *store,
                             const struct store_caller *callers, size_t count,
                             store_fn done, void *arg)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));
	struct store_caller *sorted = xcalloc(count, sizeof(*sorted));

	*recording = (struct recording){ .done = done, .arg = arg };
	memcpy(sorted, callers, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_games);
	/* No statement is answered before the store runs. */
	for (size_t i = 0; i < count; recording->unanswered++)
		i += update_game(store, &sorted[i], count - i, recording);
	free(sorted);
}

void store_update_last_seen(struct store *store,
                            const struct store_caller *callers, size_t count,
                            store_fn done, void *arg)
{
	assert(count > 0 && count <= STORE_LAST_SEEN_MAX);
	if (db_is_spread(store)) {
		update_each_game(store, callers, count, done, arg);
		return;
	}
	struct statement *statement =
		statement_make(&query_update_last_seen_many, NULL, done, arg);
	params_array(&statement->params, PARAMS_UUID, &callers->game,
	             sizeof(*callers), count);
	params_array(&statement->params, PARAMS_HASH, &callers->token_hash,
	             sizeof(*callers), count);
	params_array(&statement->params, PARAMS_UINT32, &callers->version,
	             sizeof(*callers), count);
	params_array(&statement->params, PARAMS_UINT8,
	             &callers->is_waiting_host, sizeof(*callers), count);
	db_queue(store, statement);
}
