/*
 * notified.c - both ways to take notifications: from all games by a statement,
 * or from each game that was found by one of its own, as with GANGD_BATCH=0.
 */
#include "notified.h"

#include "postgres/encryption.h"

/* --- what a test asks for ------------------------------------------------- */

static void endpoint_of(unsigned number, uint8_t hash[STORE_HASH_SIZE])
{
	memset(hash, 0xe0, STORE_HASH_SIZE);
	hash[0] = (uint8_t)number;
}

enum store_result subscribe(struct uuid game, unsigned player,
                            unsigned endpoint, const char *text)
{
	uint8_t token[STORE_HASH_SIZE];
	uint8_t hash[STORE_HASH_SIZE];
	struct store_subscription subscription = { game, token, hash, text,
		                                   "push.example" };
	struct reply answer = { .count = 0 };

	hash_of(player, token);
	endpoint_of(endpoint, hash);
	store_subscribe(store, &subscription, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

/* Endpoint 0 means all endpoints. */
enum store_result unsubscribe(struct uuid game, unsigned player,
                              unsigned endpoint)
{
	uint8_t token[STORE_HASH_SIZE];
	uint8_t hash[STORE_HASH_SIZE];
	struct store_subscription subscription = { .game = game };
	struct reply answer = { .count = 0 };

	hash_of(player, token);
	endpoint_of(endpoint, hash);
	subscription.token_hash = token;
	subscription.endpoint_hash = endpoint ? hash : NULL;
	store_unsubscribe(store, &subscription, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

enum store_result forget_target(struct uuid game, unsigned player,
                                unsigned endpoint)
{
	struct encryption_hash targets[ENCRYPTION_HASHES_MAX];
	uint8_t token[STORE_HASH_SIZE];
	uint8_t hash[STORE_HASH_SIZE];
	struct reply answer = { .count = 0 };

	hash_of(player, token);
	endpoint_of(endpoint, hash);
	(void)encryption_hash_all(token, hash, targets);
	store_forget_target(store, game, targets[0].bytes, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

/* Commit a move that notifies a seat. */
void tell(struct draft *draft, unsigned seat, unsigned code)
{
	draft->move.join.seat = 0;
	draft->move.notices =
		(struct store_notices){ .for_webhook = true,
		                        .count = 1,
		                        .seats = { (uint8_t)seat },
		                        .codes = { (uint8_t)code } };
	assert_int_equal(commit_move(store, &draft->move).result, STORE_OK);
	draft_next(draft, 1);
	draft->move.notices = (struct store_notices){ .count = 0 };
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - '1 hour'::interval"
	    " WHERE game_id = '%s'",
	    id_text(draft->game.id));
}

void on_taken(void *arg, const struct store_answer *answer)
{
	struct taken *taken = arg;

	assert_int_equal(answer->result, STORE_OK);
	assert_in_range(taken->count + answer->count, 0, TAKEN_MAX);
	taken->answers++;
	for (size_t i = 0; i < answer->count; i++)
		taken->list[taken->count++] = answer->notifications[i];
}

struct found {
	unsigned answers;
	size_t count;
	struct uuid games[TAKEN_MAX];
};

static void on_found(void *arg, const struct store_answer *answer)
{
	struct found *found = arg;

	assert_int_equal(answer->result, STORE_OK);
	assert_in_range(answer->count, 0, TAKEN_MAX);
	found->answers++;
	found->count = answer->count;
	for (size_t i = 0; i < answer->count; i++)
		found->games[i] = answer->due[i].id;
}

static void await_answers(const unsigned *answers, unsigned count)
{
	uint64_t end_ms = now_ms() + PATIENCE_MS;

	while (*answers < count && now_ms() < end_ms)
		tick(store, 10);
	assert_int_equal(*answers, count);
}

struct taken take_as(struct store_taking taking)
{
	struct taken taken = { .count = 0 };
	struct found found = { .count = 0 };

	if (batch_max > 0) {
		store_take_notifications(store, &taking, &arena, on_taken,
		                         &taken);
		await_answers(&taken.answers, 1);
		return taken;
	}
	store_find_due_notifications(store, &taking, &arena, on_found, &found);
	await_answers(&found.answers, 1);
	for (size_t i = 0; i < found.count; i++) {
		store_take_game_notifications(store, found.games[i], &taking,
		                              &arena, on_taken, &taken);
		await_answers(&taken.answers, (unsigned)i + 1);
	}
	return taken;
}

struct store_taking taking(void)
{
	return (struct store_taking){ .push_limit = TAKEN_MAX,
		                      .webhook_limit = TAKEN_MAX,
		                      .lease_ms = LEASE_MS,
		                      .room = TAKEN_MAX };
}

struct taken take(void)
{
	return take_as(taking());
}

struct store_notification take_one(void)
{
	struct taken taken = take();

	assert_int_equal(taken.count, 1);
	return taken.list[0];
}

void settle(const struct store_notification *taken, enum store_fate fate,
            uint32_t rest_ms, uint32_t delay_ms)
{
	const struct store_settled settled = { .key = taken->key,
		                               .attempts = 3,
		                               .fate = (uint8_t)fate,
		                               .rest_ms = rest_ms };
	struct reply answer = { .count = 0 };

	store_settle_notifications(store, &settled, 1, delay_ms, on_answer,
	                           &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
}

/* --- what is there -------------------------------------------------------- */

static long number(const char *text)
{
	return strtol(text, NULL, 10);
}

long count_where(const char *table, const char *condition)
{
	return number(sql(owner, "SELECT count(*) FROM gangd.%s WHERE %s",
	                  table, condition));
}

long push_seats(struct uuid game)
{
	return number(sql(owner,
	                  "SELECT push_seats FROM gangd.game "
	                  "WHERE game_id = '%s'",
	                  id_text(game)));
}

void make_due(void)
{
	sql(owner, "UPDATE gangd.notification SET due_at = now()"
	           " WHERE due_at IS NOT NULL");
}

/* A game whose first two players have a subscription each, 1 and 2. */
void create_subscribed(struct draft *draft)
{
	delete_all_games();
	create_table(draft, 3);
	assert_int_equal(subscribe(draft->game.id, 1, 1, "one"), STORE_OK);
	assert_int_equal(subscribe(draft->game.id, 2, 2, "two"), STORE_OK);
}
