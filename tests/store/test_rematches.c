/*
 * test_rematches.c - the start of a rematch, which writes two games at once or
 * nothing.
 */
#include "asks.h"

/* A game of two seats, the host in the second, that has just been stored. */
static void create_ended(struct draft *draft)
{
	static const uint8_t hash[STORE_HASH_SIZE] = { 2 };

	create_new(draft);
	draft_next(draft, 1);
	draft->game.status = "won";
	draft->game.seats_count = 2;
	draft->game.host = 2;
	draft->move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	assert_int_equal(commit_move(store, &draft->move).result, STORE_OK);
	draft->move.join.seat = 0;
}

/* The game that follows it, and the one event of that which has ended. */
static void draft_rematch(struct draft *ended, struct draft *next)
{
	draft_next(ended, 1);
	draft_new(next);
	next->game.seats_count = 2;
	next->game.host = 2;
	next->game.rematch_of = ended->game.id;
	next->move.join.seat = 0;
}

static struct reply play_again(struct draft *ended, struct draft *next)
{
	struct reply answer = { .count = 0 };

	store_rematch(store, &ended->move, &next->move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static void assert_id(struct uuid is, struct uuid should)
{
	assert_memory_equal(&is, &should, sizeof(is));
}

static void a_rematch_takes_seats_and_tokens_over(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_ended(&ended);
	draft_rematch(&ended, &next);
	struct reply kept = play_again(&ended, &next);
	assert_int_equal(kept.result, STORE_OK);

	struct store_game before = load(store, ended.game.id, &arena).game;
	struct store_game after = load(store, next.game.id, &arena).game;
	assert_same_game(&after, &next.game);
	assert_true(after.created_us == kept.at_us);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(after.seats[i].name, before.seats[i].name);
		assert_memory_equal(after.seats[i].token_hash,
		                    before.seats[i].token_hash,
		                    STORE_HASH_SIZE);
	}
	assert_string_equal(after.seats[0].name, "Ada \xc3\x9f");
	assert_string_equal(after.seats[1].name, "Bob");
	assert_int_equal(after.seats[1].token_hash[0], 2);
	assert_string_equal(sql(owner,
	                        "SELECT name_key FROM gangd.seat "
	                        "WHERE seat = 1 AND game_id = '%s'",
	                        id_text(next.game.id)),
	                    "ada ss");
	assert_id(find_invitation(next.code).id, next.game.id);
}

static void a_game_and_its_rematch_name_each_other(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_ended(&ended);
	struct store_game alone = load(store, ended.game.id, &arena).game;
	assert_true(uuid_is_none(alone.rematch));
	draft_rematch(&ended, &next);
	struct reply kept = play_again(&ended, &next);
	assert_int_equal(kept.result, STORE_OK);

	struct store_game before = load(store, ended.game.id, &arena).game;
	struct store_game after = load(store, next.game.id, &arena).game;
	assert_same_game(&before, &ended.game);
	assert_true(before.updated_us == kept.at_us);
	assert_id(before.rematch, next.game.id);
	assert_true(uuid_is_none(before.rematch_of));
	assert_id(after.rematch_of, ended.game.id);
	assert_true(uuid_is_none(after.rematch));

	/* Both logs are whole, and the new game outlives the old one. */
	struct reply page = read_events(ended.game.id, 0, ended.game.version,
	                                STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, ended.game.version);
	assert_same_event(&page.events[ended.game.version - 1],
	                  &(struct store_event){
				  .type = ended.events[0].type,
				  .seat = ended.events[0].seat,
				  .public_data = ended.events[0].public_data,
				  .public_len = ended.events[0].public_len,
			  });
	page = read_events(next.game.id, 0, next.game.version, STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, next.game.version);
	assert_same_event(&page.events[1], &next.events[1]);
	assert_int_equal(delete_game(ended.game.id, ended.game.version).result,
	                 STORE_OK);
	after = load(store, next.game.id, &arena).game;
	assert_id(after.rematch_of, ended.game.id);
}

static void a_rematch_that_comes_too_late_writes_nothing(void **state)
{
	struct draft ended;
	struct draft next;
	struct draft late;
	char before[TEXT_MAX];

	(void)state;
	create_ended(&ended);
	draft_rematch(&ended, &next);
	assert_int_equal(play_again(&ended, &next).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(ended.game.id));

	/* Decided against the same version as the other. */
	draft_rematch(&ended, &late);
	ended.game.version--;
	assert_int_equal(play_again(&ended, &late).result, STORE_CONFLICT);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, late.game.id, &arena).result, STORE_NONE);
	assert_int_equal(find_invitation(late.code).result, STORE_NONE);
}

static void a_rematch_with_a_code_in_use_writes_nothing(void **state)
{
	struct draft ended;
	struct draft next;
	char before[TEXT_MAX];

	(void)state;
	create_ended(&ended);
	(void)snprintf(before, sizeof(before), "%s", all_rows(ended.game.id));
	draft_rematch(&ended, &next);
	next.game.invite_code = ended.code;
	assert_int_equal(play_again(&ended, &next).result, STORE_CONFLICT);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, next.game.id, &arena).result, STORE_NONE);
	assert_id(find_invitation(ended.code).id, ended.game.id);

	/* Decided anew, with another code. */
	next.game.invite_code = next.code;
	assert_int_equal(play_again(&ended, &next).result, STORE_OK);
}

static void one_of_two_rematches_at_once_commits(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply answers[2] = { { .count = 0 } };
	struct draft ended;
	struct draft next[2];

	(void)state;
	await_ready(other);
	create_ended(&ended);
	draft_rematch(&ended, &next[0]);
	ended.game.version--;
	draft_rematch(&ended, &next[1]);

	/* Both are let go when both have begun. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(ended.game.id));
	store_rematch(store, &ended.move, &next[0].move, on_answer,
	              &answers[0]);
	store_rematch(other, &ended.move, &next[1].move, on_answer,
	              &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool second = answers[1].result == STORE_OK;
	assert_int_equal(answers[second].result, STORE_OK);
	assert_int_equal(answers[!second].result, STORE_CONFLICT);
	assert_id(load(store, ended.game.id, &arena).game.rematch,
	          next[second].game.id);
	assert_int_equal(load(store, next[!second].game.id, &arena).result,
	                 STORE_NONE);
	store_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_rematch_takes_seats_and_tokens_over),
		ON_A_STORE(a_game_and_its_rematch_name_each_other),
		ON_A_STORE(a_rematch_that_comes_too_late_writes_nothing),
		ON_A_STORE(a_rematch_with_a_code_in_use_writes_nothing),
		ON_A_STORE(one_of_two_rematches_at_once_commits),
	};

	return run_both_ways("rematches", tests, ARRAY_LEN(tests), 0);
}
