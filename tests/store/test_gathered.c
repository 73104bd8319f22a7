/*
 * test_gathered.c - moves of different games that are one statement: it writes
 * what single ones do, and leaves out what it cannot commit.
 */
#include "drafts.h"

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
		ON_A_STORE(a_locked_game_holds_no_other_move),
		ON_A_STORE(a_row_changed_meanwhile_is_no_conflict),
		ON_A_STORE(games_that_cannot_be_gathered_are_asked_singly),
	};

	return run_on_drafts("gathered", tests, ARRAY_LEN(tests));
}
