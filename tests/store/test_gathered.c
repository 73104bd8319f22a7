/*
 * test_gathered.c - moves of different games that are one statement: it writes
 * what single ones do, and leaves out what it cannot commit.
 */
#include "drafts.h"
#include "notified.h"

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

/* A gathered move leaves the same rows as the same move alone. */
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
	commit_all(KINDS);
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

/* --- moves with a key, or with notifications ------------------------------ */

enum { FULL = 12 }; /* more than the moves of a batch that is not gathered */

/* The rows of a game that its moves write besides events, without times. */
static void print_more(const struct draft *draft, char text[TEXT_MAX])
{
	(void)snprintf(
		text, TEXT_MAX, "%s",
		sql(owner,
	            "SELECT (SELECT count(*) || string_agg(concat_ws(' ', "
	            "seat, "
	            "version, code, left(target::text, 6), due_at IS NULL), "
	            "'|' "
	            "ORDER BY seat, version, target) FROM gangd.notification "
	            "WHERE game_id = g.game_id) || '; ' || "
	            "coalesce(recent_keys::text, 'no key') "
	            "FROM gangd.game AS g WHERE game_id = '%s'",
	            id_text(draft->game.id)));
}

/* Some have a key, some notify seats, and most do both. */
static void add_parts(struct draft *draft, size_t kind)
{
	static const uint8_t keys[] = { 1, 7, 8, 9 };
	struct store_move *move = &draft->move;

	move->join.seat = 0;
	if (kind % 3 != 1) {
		move->has_recent_key = true;
		draft->game.recent_keys = keys;
		draft->game.recent_keys_len = 2 + kind % 3;
	}
	move->notices.for_webhook = true;
	if (kind % 3 != 0) {
		move->notices.count = (uint8_t)(kind % 2 + 1);
		move->notices.seats[0] = 1;
		move->notices.seats[1] = 3;
		move->notices.codes[0] = GAME_WON;
		move->notices.codes[1] = YOUR_TURN;
	}
	if (kind % 4 != 0) {
		move->notices.done_count = 1;
		move->notices.done[0] = 2;
	}
}

/* A game of three, of whom the first two have subscriptions and unsent
 * notifications. */
static void create_told(struct draft *draft)
{
	create_table(draft, 3);
	assert_int_equal(subscribe(draft->game.id, 1, 1, "one"), STORE_OK);
	assert_int_equal(subscribe(draft->game.id, 2, 2, "two"), STORE_OK);
	tell(draft, 1, YOUR_TURN);
	tell(draft, 2, YOUR_TURN);
	tell(draft, 2, GAME_WON);
	sql(owner,
	    "INSERT INTO gangd.notification (game_id, version, seat, target, "
	    "code, due_at) VALUES ('%s', 1, 2, decode(repeat('00', 32), "
	    "'hex'), "
	    "1, NULL)",
	    id_text(draft->game.id));
	tell(draft, 2, YOUR_TURN);
}

/* The transaction that wrote a game's row last. */
static const char *transaction_of(const struct draft *draft,
                                  char text[TEXT_MAX])
{
	(void)snprintf(text, TEXT_MAX, "%s",
	               sql(owner,
	                   "SELECT xmin FROM gangd.game WHERE game_id = '%s'",
	                   id_text(draft->game.id)));
	return text;
}

static void a_gathered_full_move_writes_what_a_single_one_does(void **state)
{
	char texts[2][TEXT_MAX];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < 2 * FULL; i++) {
		create_told(&drafts[i]);
		add_parts(&drafts[i], i % FULL);
	}
	commit_all(FULL);
	for (size_t i = 0; i < FULL && batch_max > 1; i++)
		assert_string_equal(transaction_of(&drafts[i], texts[i > 0]),
		                    texts[0]);
	for (size_t i = 0; i < FULL; i++) {
		answers[FULL + i] = commit_move(store, &drafts[FULL + i].move);
		assert_int_equal(answers[i].result, STORE_OK);
		assert_int_equal(answers[FULL + i].result, STORE_OK);
		for (size_t way = 0; way < 2; way++)
			print_events(&drafts[i + way * FULL], texts[way]);
		assert_string_equal(texts[0], texts[1]);
		for (size_t way = 0; way < 2; way++)
			print_more(&drafts[i + way * FULL], texts[way]);
		assert_string_equal(texts[0], texts[1]);
		assert_int_equal(strstr(texts[0], "no key") == NULL,
		                 i % FULL % 3 != 1);
	}
}

/* gangd-push locks a notification while it takes it; a commit does not wait. */
static void a_locked_notification_stays(void **state)
{
	(void)state;
	if (batch_max < 2)
		return;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < 2; i++) {
		create_told(&drafts[i]);
		add_parts(&drafts[i], 5);
	}
	sql(owner, "BEGIN");
	sql(owner,
	    "SELECT 1 FROM gangd.notification WHERE game_id = '%s' AND "
	    "seat = 1 AND code = 1 AND target = decode(repeat('00', 32), "
	    "'hex') "
	    "FOR NO KEY UPDATE",
	    id_text(drafts[0].game.id));
	commit_all(2);
	sql(owner, "ROLLBACK");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_string_equal(
			sql(owner,
		            "SELECT count(*) FROM gangd.notification WHERE "
		            "game_id = '%s' AND seat = 1 AND code = 1",
		            id_text(drafts[i].game.id)),
			i == 0 ? "1" : "0");
	}
}

/* A conflict writes neither its keys nor its notifications. */
static void a_conflict_writes_no_more_than_a_move_does(void **state)
{
	char before[TEXT_MAX];
	char after[TEXT_MAX];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < 3; i++) {
		create_told(&drafts[i]);
		add_parts(&drafts[i], 5);
	}
	sql(owner, "UPDATE gangd.game SET version = 99 WHERE game_id = '%s'",
	    id_text(drafts[1].game.id));
	print_more(&drafts[1], before);
	commit_all(3);
	print_more(&drafts[1], after);
	assert_string_equal(before, after);
	assert_int_equal(answers[0].result, STORE_OK);
	assert_int_equal(answers[1].result, STORE_CONFLICT);
	assert_int_equal(answers[2].result, STORE_OK);
}

/* Without a key they stay as they are; another key is added by the caller. */
static void recent_keys_stay_without_a_new_one(void **state)
{
	static const uint8_t keys[] = { 1, 2, 3, 4 };
	struct reply loaded;

	(void)state;
	create_games(3);
	for (size_t i = 0; i < 2; i++) {
		drafts[i].game.recent_keys = keys;
		drafts[i].game.recent_keys_len = sizeof(keys) - i;
		drafts[i].move.has_recent_key = true;
	}
	for (size_t times = 0; times < 2; times++) {
		commit_all(3);
		for (size_t i = 0; i < 3; i++) {
			loaded = load(store, drafts[i].game.id, &arena);
			assert_int_equal(loaded.game.recent_keys_len,
			                 i < 2 ? sizeof(keys) - i : 0);
			assert_memory_equal(loaded.game.recent_keys, keys,
			                    i < 2 ? sizeof(keys) - i : 0);
			draft_next(&drafts[i], 1);
			drafts[i].move.has_recent_key = false;
			memset(answers, 0, sizeof(answers));
		}
	}
}

/* Gathered and alone: what has no version may have changed, or must not. */
static void another_revision_is_a_conflict(void **state)
{
	enum { SAME, CHANGED, ANY, COUNT };

	(void)state;
	for (size_t alone = 0; alone < 2; alone++) {
		create_games(COUNT);
		for (size_t i = 0; i < COUNT; i++) {
			const struct reply loaded =
				load(store, drafts[i].game.id, &arena);

			assert_true(loaded.game.revision > 0);
			drafts[i].move.revision =
				i == ANY ? 0 : loaded.game.revision;
			if (i != SAME)
				sql(owner, "SELECT gangd.copy_seats('%s')",
				    id_text(drafts[i].game.id));
		}
		if (!alone)
			commit_all(COUNT);
		for (size_t i = 0; i < COUNT && alone; i++)
			answers[i] = commit_move(store, &drafts[i].move);
		for (size_t i = 0; i < COUNT; i++)
			assert_int_equal(answers[i].result,
			                 i == CHANGED ? STORE_CONFLICT
			                              : STORE_OK);
		assert_not_committed(&drafts[CHANGED]);
	}
}

/* From now on an update of this game waits for the lock of its name. */
static void pause_updates_of(const struct draft *draft)
{
	sql(owner, "CREATE FUNCTION gangd.pause() RETURNS trigger "
	           "LANGUAGE plpgsql AS 'BEGIN "
	           "PERFORM pg_advisory_xact_lock(1); RETURN new; END'");
	sql(owner,
	    "CREATE TRIGGER pause BEFORE UPDATE ON gangd.game FOR EACH ROW "
	    "WHEN (old.game_id = '%s') EXECUTE FUNCTION gangd.pause()",
	    id_text(draft->game.id));
	sql(owner, "SELECT pg_advisory_lock(1)");
}

/*
 * The statement has begun, and so does not see a subscription that is committed
 * before it comes to that game: it leaves the game out, and the move alone
 * notifies the subscription.
 */
static void a_subscription_meanwhile_is_told(void **state)
{
	enum { PAUSED, SUBSCRIBED, MOVES };
	char texts[MOVES][TEXT_MAX];

	(void)state;
	if (batch_max < MOVES)
		return;
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < MOVES; i++) {
		create_told(&drafts[i]);
		add_parts(&drafts[i], 5);
	}
	pause_updates_of(&drafts[PAUSED]);
	for (size_t i = 0; i < MOVES; i++)
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[i]);
	await_lock();
	assert_string_equal(
		sql(owner,
	            "SELECT gangd.subscribe(game_id, token_hash, "
	            "decode(repeat('e3', 32), 'hex'), '{}', 'three', 5, 'x') "
	            "FROM gangd.seat WHERE game_id = '%s' AND seat = 3",
	            id_text(drafts[SUBSCRIBED].game.id)),
		"1");
	sql(owner, "SELECT pg_advisory_unlock(1)");
	await(store, answers, MOVES);
	for (size_t i = 0; i < MOVES; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		(void)transaction_of(&drafts[i], texts[i]);
	}
	assert_string_not_equal(texts[PAUSED], texts[SUBSCRIBED]);
	assert_string_equal(
		sql(owner,
	            "SELECT count(*) FILTER (WHERE game_id = '%s' AND seat = 3)"
	            " || ' of ' || count(*) FROM gangd.notification "
	            "WHERE target = decode(repeat('e3', 32), 'hex')",
	            id_text(drafts[SUBSCRIBED].game.id)),
		"1 of 1");
	sql(owner, "DROP FUNCTION gangd.pause CASCADE");
}

/* --- what cannot be gathered ------------------------------------------------
 */

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
	assert_committed(&drafts[LOCKED]);
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
		assert_committed(&drafts[i]);
	}
}

/* Deleted games conflict; games without a copy of their seats get one. */
static void games_that_cannot_be_gathered_are_asked_singly(void **state)
{
	enum { DELETED = 0, UNCOPIED = 2 };

	(void)state;
	create_games(GAMES);
	sql(owner, "SELECT gangd.delete_game('%s', 2)",
	    id_text(drafts[DELETED].game.id));
	sql(owner, "UPDATE gangd.game SET seats = NULL WHERE game_id = '%s'",
	    id_text(drafts[UNCOPIED].game.id));
	commit_all(GAMES);
	assert_int_equal(answers[DELETED].result, STORE_CONFLICT);
	for (size_t i = 0; i < GAMES; i++) {
		if (i == DELETED)
			continue;
		assert_int_equal(answers[i].result, STORE_OK);
		assert_committed(&drafts[i]);
	}
	assert_string_equal(sql(owner,
	                        "SELECT seats = gangd.pack_seats(game_id) "
	                        "FROM gangd.game WHERE game_id = '%s'",
	                        id_text(drafts[UNCOPIED].game.id)),
	                    "t");
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_gathered_move_writes_what_a_single_one_does),
		ON_A_STORE(a_gathered_full_move_writes_what_a_single_one_does),
		ON_A_STORE(a_locked_notification_stays),
		ON_A_STORE(a_conflict_writes_no_more_than_a_move_does),
		ON_A_STORE(recent_keys_stay_without_a_new_one),
		ON_A_STORE(another_revision_is_a_conflict),
		ON_A_STORE(a_subscription_meanwhile_is_told),
		ON_A_STORE(a_locked_game_holds_no_other_move),
		ON_A_STORE(a_row_changed_meanwhile_is_no_conflict),
		ON_A_STORE(games_that_cannot_be_gathered_are_asked_singly),
	};

	return run_on_drafts("gathered", tests, ARRAY_LEN(tests));
}
