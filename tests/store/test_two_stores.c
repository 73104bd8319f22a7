/*
 * test_two_stores.c - batches of moves that meet a lock: two stores with the
 * same games do not deadlock, and a locked game does not take the others down.
 */
#include "drafts.h"

enum { ROUNDS = 300 };

/*
 * Each game is moved once, by one of the two stores.  Without gathering, no
 * statement was retried alone, since each store has committed its moves of a
 * round together; a gathered statement leaves out what the other has locked.
 */
static void assert_no_deadlock(const struct reply *ours,
                               const struct reply *theirs)
{
	int64_t our_time = 0;
	int64_t their_time = 0;

	for (size_t i = 0; i < GAMES; i++) {
		bool is_ours = ours[i].result == STORE_OK;
		const struct reply *kept = is_ours ? &ours[i] : &theirs[i];
		const struct reply *late = is_ours ? &theirs[i] : &ours[i];
		int64_t *time = is_ours ? &our_time : &their_time;

		assert_int_equal(kept->result, STORE_OK);
		assert_int_equal(late->result, STORE_CONFLICT);
		if (*time == 0 || batch_max > 1)
			*time = kept->at_us;
		assert_true(kept->at_us == *time);
	}
}

static void opposite_orders_do_not_deadlock(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply theirs[GAMES];

	(void)state;
	await_ready(other);
	create_games(GAMES);
	for (int round = 0; round < ROUNDS; round++) {
		memset(answers, 0, sizeof(answers));
		memset(theirs, 0, sizeof(theirs));
		for (size_t i = 0; i < GAMES; i++) {
			size_t j = GAMES - 1 - i;

			store_commit_move(store, &drafts[i].move, on_answer,
			                  &answers[i]);
			store_commit_move(other, &drafts[j].move, on_answer,
			                  &theirs[j]);
		}
		store_flush(store);
		store_flush(other);
		await(store, answers, GAMES);
		await(other, theirs, GAMES);
		assert_no_deadlock(answers, theirs);
		for (size_t i = 0; i < GAMES; i++)
			draft_next(&drafts[i], 1);
	}
	store_close(other);
	assert_string_equal(sql(owner, "SELECT deadlocks FROM pg_stat_database "
	                               "WHERE datname = current_database()"),
	                    "0");
}

/*
 * A game whose row another session has locked delays those of its batch, for
 * a part of their time; then they are kept without it, and it fails alone.
 * No connection is given up for that.
 */
static void a_locked_game_does_not_take_the_others_down(void **state)
{
	enum { LOCKED = 5 };
	char before[TEXT_MAX];
	char after[TEXT_MAX];

	(void)state;
	create_games(GAMES);
	list_backends(before);
	lock_game(&drafts[LOCKED]);
	uint64_t began = now_ms();
	commit_all(GAMES);
	uint64_t took = now_ms() - began;
	sql(owner, "ROLLBACK");
	list_backends(after);

	for (size_t i = 0; i < GAMES; i++) {
		if (i == LOCKED)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_committed(&drafts[i]);
	}
	assert_int_equal(answers[LOCKED].result, STORE_REFUSED);
	assert_not_committed(&drafts[LOCKED]);
	assert_in_range(took, 1, DEADLINE_MS);
	assert_string_equal(after, before);
}

static void a_lock_released_in_time_does_no_harm(void **state)
{
	(void)state;
	create_games(GAMES);
	lock_game(&drafts[0]);
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	await_lock();
	sql(owner, "ROLLBACK");
	await(store, answers, GAMES);
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_true(batch_max > 1 ||
		            answers[i].at_us == answers[0].at_us);
		assert_committed(&drafts[i]);
	}
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(opposite_orders_do_not_deadlock),
		ON_A_STORE(a_locked_game_does_not_take_the_others_down),
		ON_A_STORE(a_lock_released_in_time_does_no_harm),
	};

	return run_on_drafts("two_stores", tests, ARRAY_LEN(tests));
}
