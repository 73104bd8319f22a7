/*
 * test_transfers.c - codes by which another device gets a seat.
 */
#include "group.h"

static const uint8_t some_code[STORE_HASH_SIZE] = { 1, 2, 3 };
static const uint8_t other_code[STORE_HASH_SIZE] = { 1, 2, 4 };
static const uint8_t some_token[STORE_HASH_SIZE] = { 7, 8 };
static const uint8_t other_token[STORE_HASH_SIZE] = { 7, 9 };
static const uint8_t one[STORE_HASH_SIZE] = { 5 };
static const uint8_t another[STORE_HASH_SIZE] = { 6 };

static struct reply give(struct uuid id, const uint8_t *code,
                         const uint8_t *token)
{
	struct reply answer = { .count = 0 };
	struct store_transfer transfer = { .game = id,
		                           .token_hash = token,
		                           .code_hash = code,
		                           .sealed = code,
		                           .sealed_len = 20 };

	store_give_transfer(store, &transfer, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

/* Without a claimer only look. */
static enum store_result use(struct uuid id, const uint8_t *code,
                             const uint8_t *claimer)
{
	struct reply answer = { .count = 0 };

	if (claimer)
		store_claim_transfer(store,
		                     &(struct store_claim){ id, code, claimer },
		                     &arena, on_answer, &answer);
	else
		store_find_transfer(store, id, code, &arena, on_answer,
		                    &answer);
	await(store, &answer, 1);
	if (answer.result == STORE_OK)
		assert_memory_equal(answer.token_hash, some_token,
		                    sizeof(some_token));
	return answer.result;
}

static void a_code_is_used_once(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	assert_int_equal(give(draft.game.id, some_code, some_token).result,
	                 STORE_OK);
	assert_int_equal(use(draft.game.id, other_code, one), STORE_NONE);
	assert_int_equal(use(draft.game.id, some_code, NULL), STORE_OK);
	assert_int_equal(use(draft.game.id, some_code, one), STORE_OK);
	assert_int_equal(use(draft.game.id, some_code, another), STORE_NONE);
	assert_int_equal(use(draft.game.id, some_code, NULL), STORE_NONE);
	assert_int_equal(use(draft.game.id, some_code, one), STORE_OK);
}

static void only_one_of_many_uses_a_code(void **state)
{
	enum { TRIES = 64 };
	uint8_t claimers[TRIES][STORE_HASH_SIZE] = { { 0 } };
	struct reply answers[TRIES] = { { .count = 0 } };
	struct draft draft;
	unsigned good = 0;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_code, some_token);
	for (size_t i = 0; i < TRIES; i++) {
		claimers[i][0] = (uint8_t)(i + 1);
		const struct store_claim claim = { draft.game.id, some_code,
			                           claimers[i] };

		store_claim_transfer(store, &claim, &arena, on_answer,
		                     &answers[i]);
	}
	await(store, answers, TRIES);
	for (size_t i = 0; i < TRIES; i++)
		good += answers[i].result == STORE_OK;
	assert_int_equal(good, 1);
}

static void a_seat_has_one_code(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	for (unsigned i = 0; i < 3; i++)
		(void)give(draft.game.id, some_code, some_token);
	(void)give(draft.game.id, other_code, some_token);
	(void)give(draft.game.id, one, other_token);
	assert_int_equal(use(draft.game.id, some_code, NULL), STORE_NONE);
	assert_int_equal(use(draft.game.id, other_code, NULL), STORE_OK);
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.transfer "
	                        "WHERE game_id = '%s'",
	                        id_text(draft.game.id)),
	                    "2");
}

static void a_code_is_good_for_ten_minutes(void **state)
{
	static const char grow_old[] =
		"UPDATE gangd.transfer SET at = at - interval '%u s' "
		"WHERE game_id = '%s'";
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_code, some_token);
	sql(owner, grow_old, STORE_TRANSFER_S - 10, id_text(draft.game.id));
	assert_int_equal(use(draft.game.id, some_code, one), STORE_OK);
	sql(owner, grow_old, 11, id_text(draft.game.id));
	assert_int_equal(use(draft.game.id, some_code, one), STORE_NONE);
	assert_int_equal(use(draft.game.id, some_code, NULL), STORE_NONE);
}

static void a_deleted_game_has_no_codes(void **state)
{
	struct reply answer = { .count = 0 };
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_code, some_token);
	store_delete(store, draft.game.id, draft.game.version - 1, on_answer,
	             &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_int_equal(use(draft.game.id, some_code, one), STORE_NONE);
	assert_int_equal(give(draft.game.id, some_code, some_token).result,
	                 STORE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_code_is_used_once),
		ON_A_STORE(only_one_of_many_uses_a_code),
		ON_A_STORE(a_seat_has_one_code),
		ON_A_STORE(a_code_is_good_for_ten_minutes),
		ON_A_STORE(a_deleted_game_has_no_codes),
	};

	return cmocka_run_group_tests_name("transfers", tests, open_all,
	                                   close_all);
}
