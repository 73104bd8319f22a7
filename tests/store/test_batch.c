/*
 * test_batch.c - statements that share a sync, and so a commit: that they do,
 * and what becomes of the others when one of them fails, waits, or when the
 * connection breaks under them.
 */
#include "group.h"

enum { GAMES = 8, MANY = 40, DEADLINE_MS = 900, ROUNDS = 300 };

static PGconn *app; /* may end the store's connections */

/* Games of which each has its next move ready. */
static struct draft drafts[MANY];
static struct reply answers[MANY];

static void create_games(size_t count)
{
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < count; i++) {
		draft_new(&drafts[i]);
		assert_int_equal(create(store, &drafts[i].move).result,
		                 STORE_OK);
		draft_next(&drafts[i], 1);
	}
}

static void keep_all(size_t count)
{
	for (size_t i = 0; i < count; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	await(store, answers, count);
}

static const char *version_of(const struct draft *draft)
{
	return sql(owner,
	           "SELECT version || ' ' || (SELECT count(*) FROM gangd.event "
	           "e WHERE e.game_id = g.game_id) FROM gangd.game g "
	           "WHERE game_id = '%s'",
	           id_text(draft->game.id));
}

/* The game has one move, with its one event. */
static void assert_kept(const struct draft *draft)
{
	assert_string_equal(version_of(draft), "3 3");
}

static void assert_not_kept(const struct draft *draft)
{
	assert_string_equal(version_of(draft), "2 2");
}

/* The next move of a game will find a row where it wants to write its own. */
static void spoil(const struct draft *draft)
{
	sql(owner,
	    "INSERT INTO gangd.event (game_id, version, type, seat, heist, "
	    "color) VALUES ('%s', %u, 1, 1, 1, 1)",
	    id_text(draft->game.id), draft->game.version);
}

static void unspoil(const struct draft *draft)
{
	sql(owner,
	    "DELETE FROM gangd.event WHERE game_id = '%s' AND version = %u",
	    id_text(draft->game.id), draft->game.version);
}

static void lock_game(const struct draft *draft)
{
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft->game.id));
}

/* Run the store until one of its statements waits for a lock. */
static void await_lock(void)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (strcmp(sql(owner,
	                  "SELECT count(*) FROM pg_locks WHERE NOT granted"),
	              "0") == 0) {
		tick(store, 10);
		if (now_ms() > deadline)
			fail_msg("no statement waits for the lock");
	}
}

/* The server's processes for the store, which tells if any was replaced. */
static void list_backends(char list[TEXT_MAX])
{
	(void)snprintf(list, TEXT_MAX, "%s",
	               sql(app, "SELECT string_agg(pid::text, ' ' ORDER BY "
	                        "pid) FROM pg_stat_activity "
	                        "WHERE application_name = 'gangd'"));
}

/* --- one commit ----------------------------------------------------------- */

/* now() is the transaction's. */
static void moves_of_a_tick_share_a_commit(void **state)
{
	const size_t together = batch_max > 1 ? batch_max : GAMES;

	(void)state;
	create_games(MANY);
	keep_all(MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_kept(&drafts[i]);
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
	keep_all(GAMES);
	assert_int_equal(answers[LATE].result, STORE_CONFLICT);
	for (size_t i = 0; i < GAMES; i++) {
		assert_kept(&drafts[i]);
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
	assert_kept(&drafts[0]);
	assert_kept(&drafts[1]);
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
		assert_kept(&drafts[i]);
		for (size_t j = 0; j < i; j++)
			assert_true(answers[j].at_us != answers[i].at_us);
	}
	store_close(apart);
}

/* --- one that fails ------------------------------------------------------- */

/* Wherever it stands: before it they were carried out, behind it not. */
static void a_failing_move_leaves_the_others_committed(void **state)
{
	(void)state;
	for (size_t broken = 0; broken < GAMES; broken++) {
		create_games(GAMES);
		spoil(&drafts[broken]);
		keep_all(GAMES);
		unspoil(&drafts[broken]);
		for (size_t i = 0; i < GAMES; i++) {
			if (i == broken)
				continue;
			assert_int_equal(answers[i].result, STORE_OK);
			assert_kept(&drafts[i]);
		}
		assert_int_equal(answers[broken].result, STORE_BROKEN);
		assert_not_kept(&drafts[broken]);
	}
}

static void several_failing_moves_leave_the_others_committed(void **state)
{
	(void)state;
	create_games(GAMES);
	for (size_t i = 0; i < GAMES; i += 2)
		spoil(&drafts[i]);
	keep_all(GAMES);
	for (size_t i = 0; i < GAMES; i++) {
		bool broken = i % 2 == 0;

		assert_int_equal(answers[i].result,
		                 broken ? STORE_BROKEN : STORE_OK);
		if (!broken)
			assert_kept(&drafts[i]);
	}
}

/*
 * The server can refuse the COMMIT itself: that error comes after the answers
 * of all statements, and belongs to none of them.
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
	keep_all(GAMES);
	sql(owner, "DROP TRIGGER refuse ON gangd.game");
	sql(owner, "DROP FUNCTION gangd.refuse()");
	for (size_t i = 0; i < GAMES; i++) {
		if (i == BROKEN)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_kept(&drafts[i]);
	}
	assert_int_equal(answers[BROKEN].result, STORE_BROKEN);
	assert_not_kept(&drafts[BROKEN]);
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
		keep_all(GAMES);
		sql(owner, "DROP TRIGGER refuse ON gangd.game");
		sql(owner, "DROP FUNCTION gangd.refuse()");
		list_backends(after);
		assert_string_equal(after, before);
		for (size_t j = 0; j < GAMES; j++)
			assert_int_equal(answers[j].result,
			                 j == 2 ? STORE_UNAVAILABLE : STORE_OK);
		assert_not_kept(&drafts[2]);
	}
}

/* Retried statements have waited already; newer ones go behind them. */
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

/* --- two stores with the same games --------------------------------------- */

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
	keep_all(GAMES);
	uint64_t took = now_ms() - began;
	sql(owner, "ROLLBACK");
	list_backends(after);

	for (size_t i = 0; i < GAMES; i++) {
		if (i == LOCKED)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_kept(&drafts[i]);
	}
	assert_int_equal(answers[LOCKED].result, STORE_UNAVAILABLE);
	assert_not_kept(&drafts[LOCKED]);
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
		assert_kept(&drafts[i]);
	}
}

/* --- moves that are one statement ----------------------------------------- */

/* The events of a game, without its id and without times. */
static void print_events(const struct draft *draft, char text[TEXT_MAX])
{
	(void)snprintf(
		text, TEXT_MAX, "%s",
		sql(owner,
	            "SELECT count(*) || md5(string_agg(concat_ws(' ', version, "
	            "type, seat, heist, color, coalesce(public_data, '-'), "
	            "coalesce(private_data, '-'), coalesce(replay_data, '-')), "
	            "'|' ORDER BY version)) FROM gangd.event WHERE game_id = "
	            "'%s'",
	            id_text(draft->game.id)));
}

/* The row of a game, without what differs from game to game. */
static void print_game(const struct draft *draft, char text[TEXT_MAX])
{
	(void)snprintf(
		text, TEXT_MAX, "%s",
		sql(owner,
	            "SELECT to_jsonb(g) - 'game_id' - 'created_at' - "
	            "'updated_at' - 'invite_code' - 'seats' FROM gangd.game g "
	            "WHERE game_id = '%s'",
	            id_text(draft->game.id)));
}

/* What a gathered move leaves is what the same move leaves alone. */
static void a_gathered_move_writes_what_a_single_one_does(void **state)
{
	enum { KINDS = 6 };
	static const size_t counts[KINDS] = { 1, 2, 3, 32, 1, 7 };
	uint8_t address[STORE_ADDRESS_SIZE] = { 1 };
	char texts[2][TEXT_MAX];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < 2 * KINDS; i++) {
		draft_new(&drafts[i]);
		memset(drafts[i].state, (int)i % KINDS, sizeof(drafts->state));
		drafts[i].game.creator_address = address;
		assert_int_equal(create(store, &drafts[i].move).result,
		                 STORE_OK);
		draft_next(&drafts[i], counts[i % KINDS]);
		memset(drafts[i].state, 9, 1 + i % KINDS);
		drafts[i].game.state_len = 40 + i % KINDS;
		drafts[i].game.status = i % 2 ? "playing" : "lobby";
		drafts[i].game.seats_max = 5;
		drafts[i].game.host = (uint8_t)(1 + i % KINDS);
	}
	keep_all(KINDS);
	for (size_t i = 0; i < KINDS; i++) {
		answers[KINDS + i] =
			commit_move(store, &drafts[KINDS + i].move);
		assert_int_equal(answers[i].result, STORE_OK);
		assert_int_equal(answers[KINDS + i].result, STORE_OK);
		for (size_t way = 0; way < 2; way++)
			print_events(&drafts[i + way * KINDS], texts[way]);
		assert_string_equal(texts[0], texts[1]);
		for (size_t way = 0; way < 2; way++)
			print_game(&drafts[i + way * KINDS], texts[way]);
		assert_string_equal(texts[0], texts[1]);
		assert_non_null(strstr(texts[0], "creator_address_hash"));
	}
}

/* A game that another transaction has locked is waited for alone. */
static void a_locked_game_holds_no_other_move(void **state)
{
	enum { LOCKED = 3 };

	(void)state;
	if (batch_max < 2)
		return;
	create_games(GAMES);
	lock_game(&drafts[LOCKED]);
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	for (size_t i = 0; i < GAMES; i++) {
		if (i == LOCKED)
			continue;
		await(store, &answers[i], 1);
		assert_int_equal(answers[i].result, STORE_OK);
	}
	assert_int_equal(answers[LOCKED].count, 0);
	sql(owner, "ROLLBACK");
	await(store, &answers[LOCKED], 1);
	assert_int_equal(answers[LOCKED].result, STORE_OK);
	assert_kept(&drafts[LOCKED]);
}

/* The row was changed, but not its version, while a move waited for it. */
static void a_row_changed_meanwhile_is_no_conflict(void **state)
{
	(void)state;
	create_games(GAMES);
	sql(owner, "BEGIN");
	sql(owner,
	    "UPDATE gangd.game SET host_last_seen = now() WHERE game_id = '%s'",
	    id_text(drafts[1].game.id));
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	await_lock();
	sql(owner, "COMMIT");
	await(store, answers, GAMES);
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_kept(&drafts[i]);
	}
}

/* Deleted games conflict; games without a copy of their seats get one. */
static void games_that_cannot_be_gathered_are_asked_singly(void **state)
{
	enum { DELETED = 0, UNCOPIED = 2 };

	(void)state;
	create_games(GAMES);
	sql(owner, "DELETE FROM gangd.game WHERE game_id = '%s'",
	    id_text(drafts[DELETED].game.id));
	sql(owner, "UPDATE gangd.game SET seats = NULL WHERE game_id = '%s'",
	    id_text(drafts[UNCOPIED].game.id));
	keep_all(GAMES);
	assert_int_equal(answers[DELETED].result, STORE_CONFLICT);
	for (size_t i = 0; i < GAMES; i++) {
		if (i == DELETED)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_kept(&drafts[i]);
	}
	assert_string_equal(sql(owner,
	                        "SELECT seats = gangd.pack_seats(game_id) "
	                        "FROM gangd.game WHERE game_id = '%s'",
	                        id_text(drafts[UNCOPIED].game.id)),
	                    "t");
}

/* --- a batch that does not end well --------------------------------------- */

/* Some moves are carried out and one waits: no sync was reached. */
static void start_batch_that_waits(void)
{
	create_games(GAMES);
	/* Whether an event can be inserted is known when that one ends. */
	sql(owner, "BEGIN");
	spoil(&drafts[GAMES - 1]);
	for (size_t i = 0; i < GAMES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	store_flush(store);
	await_waiting(1);
}

static void assert_all_unavailable_and_not_kept(void)
{
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
		assert_not_kept(&drafts[i]);
	}
}

static void a_connection_lost_in_a_batch_commits_nothing(void **state)
{
	(void)state;
	start_batch_that_waits();
	sql(app, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
	         "WHERE wait_event_type = 'Lock'");
	await(store, answers, GAMES);
	sql(owner, "ROLLBACK");
	assert_all_unavailable_and_not_kept();
	await_ready(store);
	assert_int_equal(ping(store), STORE_OK);
}

static void closing_in_a_batch_runs_each_callback_once(void **state)
{
	(void)state;
	start_batch_that_waits();
	store_close(store);
	store = NULL;
	for (size_t i = 0; i < GAMES; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
	sql(owner, "ROLLBACK");
}

static struct reply asked_in_vain;

/* A callback that hears of the end sends another statement. */
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

/* The batch stands in the order of its games, not of its deadlines. */
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
		ON_A_STORE(with_0_no_two_moves_share_a_commit),
		ON_A_STORE(a_conflict_fails_only_its_own_move),
		ON_A_STORE(the_first_of_two_moves_of_a_game_commits),
		ON_A_STORE(a_failing_move_leaves_the_others_committed),
		ON_A_STORE(several_failing_moves_leave_the_others_committed),
		ON_A_STORE(a_failed_commit_fails_only_its_cause),
		ON_A_STORE(the_loss_of_a_server_behind_keeps_the_connection),
		ON_A_STORE(a_retried_statement_goes_before_newer_ones),
		ON_A_STORE(a_full_socket_delays_statements),
		ON_A_STORE(opposite_orders_do_not_deadlock),
		ON_A_STORE(a_locked_game_does_not_take_the_others_down),
		ON_A_STORE(a_lock_released_in_time_does_no_harm),
		ON_A_STORE(a_gathered_move_writes_what_a_single_one_does),
		ON_A_STORE(a_locked_game_holds_no_other_move),
		ON_A_STORE(a_row_changed_meanwhile_is_no_conflict),
		ON_A_STORE(games_that_cannot_be_gathered_are_asked_singly),
		ON_A_STORE(a_connection_lost_in_a_batch_commits_nothing),
		ON_A_STORE(closing_in_a_batch_runs_each_callback_once),
		ON_A_STORE(
			closing_in_a_batch_ends_statements_that_callbacks_add),
		ON_A_STORE(the_oldest_statement_meets_its_deadline),
	};

	config.connections = 1;
	config.deadline_ms = DEADLINE_MS;
	app = sql_open(app_url());
	int failed = run_both_ways("batch", tests, ARRAY_LEN(tests), 1);
	PQfinish(app);
	return failed;
}
