/*
 * test_batch.c - statements that share a sync, and so a commit: that they do,
 * and what becomes of the others when one of them fails, or when the connection
 * breaks under them.
 */
#include "drafts.h"

/* --- one commit ----------------------------------------------------------- */

/* now() is the transaction's. */
static void moves_of_a_tick_share_a_commit(void **state)
{
	const size_t together = batch_max > 1 ? batch_max : GAMES;

	(void)state;
	create_games(DRAFTS_MAX);
	commit_all(DRAFTS_MAX);
	for (size_t i = 0; i < DRAFTS_MAX; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_committed(&drafts[i]);
		if (i < together)
			assert_true(answers[i].at_us == answers[0].at_us);
	}
	assert_true(answers[together].at_us > answers[0].at_us);
}

static void a_conflict_fails_only_its_own_move(void **state)
{
	enum { LATE = 3 };

	(void)state;
	create_games(GAMES);
	assert_int_equal(commit_move(store, &drafts[LATE].move).result,
	                 STORE_OK);
	commit_all(GAMES);
	assert_int_equal(answers[LATE].result, STORE_CONFLICT);
	for (size_t i = 0; i < GAMES; i++) {
		assert_committed(&drafts[i]);
		if (i == LATE)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_true(answers[i].at_us == answers[0].at_us);
	}
}

/* The second was decided against what the first has changed. */
static void the_first_of_two_moves_of_a_game_commits(void **state)
{
	struct reply second = { .count = 0 };

	(void)state;
	create_games(2);
	store_commit_move(store, &drafts[0].move, on_answer, &answers[0]);
	store_commit_move(store, &drafts[0].move, on_answer, &second);
	store_commit_move(store, &drafts[1].move, on_answer, &answers[1]);
	await(store, answers, 2);
	await(store, &second, 1);
	assert_int_equal(answers[0].result, STORE_OK);
	assert_int_equal(second.result, STORE_CONFLICT);
	assert_int_equal(answers[1].result, STORE_OK);
	assert_committed(&drafts[0]);
	assert_committed(&drafts[1]);
}

/* As a PostgreSQL needs whose transactions end on several servers. */
static void with_0_no_two_moves_share_a_commit(void **state)
{
	struct store *apart;

	(void)state;
	create_games(GAMES);
	config.batch_max = 0;
	apart = store_open(&config);
	await_ready(apart);
	spoil(&drafts[1]);
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(apart, &drafts[i].move, on_answer,
		                  &answers[i]);
	await(apart, answers, GAMES);
	unspoil(&drafts[1]);
	assert_int_equal(answers[1].result, STORE_BROKEN);
	for (size_t i = 0; i < GAMES; i++) {
		if (i == 1)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_committed(&drafts[i]);
		for (size_t j = 0; j < i; j++)
			assert_true(answers[j].at_us != answers[i].at_us);
	}
	store_close(apart);
}

/* --- one that fails ------------------------------------------------------- */

/* In any place: those before it were carried out, those after it not. */
static void a_failing_move_leaves_the_others_committed(void **state)
{
	(void)state;
	for (size_t broken = 0; broken < GAMES; broken++) {
		create_games(GAMES);
		spoil(&drafts[broken]);
		commit_all(GAMES);
		unspoil(&drafts[broken]);
		for (size_t i = 0; i < GAMES; i++) {
			if (i == broken)
				continue;
			assert_int_equal(answers[i].result, STORE_OK);
			assert_committed(&drafts[i]);
		}
		assert_int_equal(answers[broken].result, STORE_BROKEN);
		assert_false(answers[broken].was_sent);
		assert_not_committed(&drafts[broken]);
	}
}

static void several_failing_moves_leave_the_others_committed(void **state)
{
	(void)state;
	create_games(GAMES);
	for (size_t i = 0; i < GAMES; i += 2)
		spoil(&drafts[i]);
	commit_all(GAMES);
	for (size_t i = 0; i < GAMES; i++) {
		bool broken = i % 2 == 0;

		assert_int_equal(answers[i].result,
		                 broken ? STORE_BROKEN : STORE_OK);
		if (!broken)
			assert_committed(&drafts[i]);
	}
}

/*
 * The server can refuse the COMMIT itself: that error comes after the answers
 * of all statements, and belongs to no statement.
 */
static void a_failed_commit_fails_only_its_cause(void **state)
{
	enum { BROKEN = 2 };

	(void)state;
	create_games(GAMES);
	sql(owner, "UPDATE gangd.game SET ruleset = 99 WHERE game_id = '%s'",
	    id_text(drafts[BROKEN].game.id));
	sql(owner, "CREATE FUNCTION gangd.refuse() RETURNS trigger "
	           "LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'");
	sql(owner,
	    "CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON gangd.game "
	    "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
	    "WHEN (new.ruleset = 99) EXECUTE FUNCTION gangd.refuse()");
	commit_all(GAMES);
	sql(owner, "DROP TRIGGER refuse ON gangd.game");
	sql(owner, "DROP FUNCTION gangd.refuse()");
	for (size_t i = 0; i < GAMES; i++) {
		if (i == BROKEN)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_committed(&drafts[i]);
	}
	assert_int_equal(answers[BROKEN].result, STORE_BROKEN);
	assert_not_committed(&drafts[BROKEN]);
	assert_int_equal(ping(store), STORE_OK);
}

/*
 * The server may lose a server of its own, and say so with a state that would
 * end this session if it were FATAL.
 */
static void the_loss_of_a_server_behind_keeps_the_connection(void **state)
{
	static const char *const states[] = { "57P01", "08006" };
	char before[TEXT_MAX];
	char after[TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		create_games(GAMES);
		list_backends(before);
		sql(owner,
		    "UPDATE gangd.game SET ruleset = 99 "
		    "WHERE game_id = '%s'",
		    id_text(drafts[2].game.id));
		sql(owner,
		    "CREATE FUNCTION gangd.refuse() RETURNS trigger LANGUAGE "
		    "plpgsql AS 'BEGIN RAISE ''no'' USING ERRCODE = ''%s''; "
		    "END'",
		    states[i]);
		sql(owner, "CREATE TRIGGER refuse BEFORE UPDATE ON gangd.game "
		           "FOR EACH ROW WHEN (new.ruleset = 99) "
		           "EXECUTE FUNCTION gangd.refuse()");
		commit_all(GAMES);
		sql(owner, "DROP TRIGGER refuse ON gangd.game");
		sql(owner, "DROP FUNCTION gangd.refuse()");
		list_backends(after);
		assert_string_equal(after, before);
		for (size_t j = 0; j < GAMES; j++)
			assert_int_equal(answers[j].result,
			                 j == 2 ? STORE_UNAVAILABLE : STORE_OK);
		assert_not_committed(&drafts[2]);
	}
}

/* Retried statements have waited already; newer ones go after them. */
static void a_retried_statement_goes_before_newer_ones(void **state)
{
	struct reply created = { .count = 0 };
	struct draft newer;

	(void)state;
	create_games(3);
	spoil(&drafts[0]);
	for (size_t i = 0; i < 3; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	store_flush(store);
	draft_new(&newer);
	store_create(store, &newer.move, on_answer, &created);
	await(store, answers, 3);
	await(store, &created, 1);
	assert_int_equal(answers[0].result, STORE_BROKEN);
	assert_int_equal(created.result, STORE_OK);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_true(answers[i].at_us < created.at_us);
	}
}

/* A socket takes some 200 KiB; the rest goes when the server has read them. */
static void a_full_socket_delays_statements(void **state)
{
	enum { CODES = 16, CODE_SIZE = 1 << 16 };
	static char code[CODE_SIZE];
	struct reply found[CODES] = { { .count = 0 } };

	(void)state;
	memset(code, 'A', sizeof(code) - 1);
	for (size_t i = 0; i < CODES; i++)
		store_find_invitation(store, code, on_answer, &found[i]);
	await(store, found, CODES);
	for (size_t i = 0; i < CODES; i++)
		assert_int_equal(found[i].result, STORE_NONE);
}

/* --- a batch that does not end well --------------------------------------- */

/* True once the server carries out the sleep of an event. */
static bool is_sleeping(void)
{
	return strcmp(sql(owner, "SELECT count(*) FROM pg_stat_activity "
	                         "WHERE wait_event = 'PgSleep'"),
	              "0") != 0;
}

/*
 * Some moves are carried out and one is not over: no sync was reached.  It
 * sleeps, since a move that waits for a lock gives up after a while.
 */
static void start_batch_that_sleeps(void)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	create_games(GAMES);
	sql(owner, "CREATE FUNCTION gangd.sleep() RETURNS trigger LANGUAGE "
	           "plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN new; END'");
	sql(owner,
	    "CREATE TRIGGER sleep BEFORE INSERT ON gangd.event FOR EACH ROW "
	    "WHEN (new.game_id = '%s') EXECUTE FUNCTION gangd.sleep()",
	    id_text(drafts[GAMES - 1].game.id));
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	store_flush(store);
	while (!is_sleeping())
		assert_true(now_ms() < deadline);
}

/* End the session that sleeps, and let events be inserted at once again. */
static void end_sleep(void)
{
	sql(app_session(),
	    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
	    "WHERE wait_event = 'PgSleep'");
	sql(owner, "DROP TRIGGER sleep ON gangd.event");
	sql(owner, "DROP FUNCTION gangd.sleep()");
}

static void assert_all_unavailable_and_not_committed(void)
{
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
		assert_not_committed(&drafts[i]);
	}
}

static void a_connection_lost_in_a_batch_commits_nothing(void **state)
{
	(void)state;
	start_batch_that_sleeps();
	end_sleep();
	await(store, answers, GAMES);
	assert_all_unavailable_and_not_committed();
	await_ready(store);
	assert_int_equal(ping(store), STORE_OK);
}

static void closing_in_a_batch_runs_each_callback_once(void **state)
{
	(void)state;
	start_batch_that_sleeps();
	store_close(store);
	store = NULL;
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
	end_sleep();
}

static struct reply asked_in_vain;

/* A callback that learns of the end sends another statement. */
static void ask_more(void *arg, const struct store_answer *answer)
{
	on_answer(arg, answer);
	store_commit_move(store, &drafts[0].move, on_answer, &asked_in_vain);
}

static void closing_in_a_batch_ends_statements_that_callbacks_add(void **state)
{
	(void)state;
	asked_in_vain = (struct reply){ .count = 0 };
	create_games(2);
	store_commit_move(store, &drafts[0].move, ask_more, &answers[0]);
	store_commit_move(store, &drafts[1].move, on_answer, &answers[1]);
	store_flush(store);
	store_close(store);
	store = NULL;
	assert_int_equal(answers[0].count, 1);
	assert_int_equal(answers[1].count, 1);
	assert_int_equal(asked_in_vain.count, 1);
	assert_int_equal(asked_in_vain.result, STORE_UNAVAILABLE);
}

/* A batch is in the order of its games, not of its deadlines. */
static void the_oldest_statement_meets_its_deadline(void **state)
{
	struct draft *early = &drafts[1];
	struct draft *late = &drafts[2];

	(void)state;
	create_games(3);
	if (memcmp(&early->game.id, &late->game.id, sizeof(struct uuid)) < 0) {
		early = &drafts[2];
		late = &drafts[1];
	}
	sql(owner, "CREATE FUNCTION gangd.sleep() RETURNS trigger "
	           "LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(new.host / "
	           "10.0); RETURN new; END'");
	sql(owner, "CREATE TRIGGER sleep BEFORE UPDATE ON gangd.game "
	           "FOR EACH ROW EXECUTE FUNCTION gangd.sleep()");
	drafts[0].game.host = 5;
	late->game.host = 30;

	/* The first keeps the one connection, so that the others wait. */
	store_commit_move(store, &drafts[0].move, on_answer, &answers[0]);
	store_flush(store);
	uint64_t began = now_ms();
	store_commit_move(store, &early->move, on_answer, &answers[1]);
	while (now_ms() < began + 400)
		tick(store, 10);
	store_commit_move(store, &late->move, on_answer, &answers[2]);
	await(store, &answers[1], 1);
	assert_in_range(now_ms() - began, DEADLINE_MS - 1, DEADLINE_MS + 200);
	await(store, answers, 3);
	sql(owner, "DROP TRIGGER sleep ON gangd.game");
	sql(owner, "DROP FUNCTION gangd.sleep()");
	assert_int_equal(answers[0].result, STORE_OK);
	assert_int_equal(answers[1].result, STORE_UNAVAILABLE);
	assert_int_equal(answers[2].result, STORE_UNAVAILABLE);
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(moves_of_a_tick_share_a_commit),
		ON_A_STORE(a_conflict_fails_only_its_own_move),
		ON_A_STORE(the_first_of_two_moves_of_a_game_commits),
		ON_A_STORE(with_0_no_two_moves_share_a_commit),
		ON_A_STORE(a_failing_move_leaves_the_others_committed),
		ON_A_STORE(several_failing_moves_leave_the_others_committed),
		ON_A_STORE(a_failed_commit_fails_only_its_cause),
		ON_A_STORE(the_loss_of_a_server_behind_keeps_the_connection),
		ON_A_STORE(a_retried_statement_goes_before_newer_ones),
		ON_A_STORE(a_full_socket_delays_statements),
		ON_A_STORE(a_connection_lost_in_a_batch_commits_nothing),
		ON_A_STORE(closing_in_a_batch_runs_each_callback_once),
		ON_A_STORE(
			closing_in_a_batch_ends_statements_that_callbacks_add),
		ON_A_STORE(the_oldest_statement_meets_its_deadline),
	};

	return run_on_drafts("batch", tests, ARRAY_LEN(tests));
}
