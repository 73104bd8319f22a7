/*
 * test_keys.c - what is stored with a change that is made under a key, and
 * how it is found again; against a real server.
 */
#include "group.h"
#include "admin/purge.h"

static const uint8_t key_hash[STORE_HASH_SIZE] = { 1, 2, 3 };
static const uint8_t other_hash[STORE_HASH_SIZE] = { 1, 2, 4 };
static const uint8_t request[STORE_HASH_SIZE] = { 5, 6, 7 };
static const uint8_t other_request[STORE_HASH_SIZE] = { 5, 6, 8 };
static const uint8_t sealed[] = { 0, 9, 255, 0 };

static const struct store_key some_key = {
	.hash = key_hash,
	.request = request,
	.sealed = sealed,
	.sealed_len = sizeof(sealed),
};

/* --- asking --------------------------------------------------------------- */

static struct reply load_idempotent(struct uuid id, const uint8_t *hash)
{
	struct reply answer = { .count = 0 };

	queue_load(store, id, hash, &arena, &answer);
	await(store, &answer, 1);
	return answer;
}

/* The id is of the game that was created; its key is in game.key. */
static struct reply find_creation(const uint8_t *hash)
{
	struct reply answer = { .count = 0 };

	store_find_creation(store, hash, &arena, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct reply rematch(const struct store_move *ended,
                            const struct store_move *next)
{
	struct reply answer = { .count = 0 };

	store_rematch(store, ended, next, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

/* A creation's key is found without a game: each test has its own. */
static void draft_keyed(struct draft *draft, uint8_t hash[STORE_HASH_SIZE])
{
	draft_new(draft);
	randombytes_buf(hash, STORE_HASH_SIZE);
	draft->move.key = some_key;
	draft->move.key.hash = hash;
}

static void assert_key(const struct store_key *is,
                       const struct store_key *should)
{
	assert_non_null(is->hash);
	assert_memory_equal(is->request, should->request, STORE_HASH_SIZE);
	assert_memory_equal(&is->location, &should->location,
	                    sizeof(is->location));
	assert_int_equal(is->sealed != NULL, should->sealed != NULL);
	assert_int_equal(is->sealed_len, should->sealed_len);
	if (should->sealed)
		assert_memory_equal(is->sealed, should->sealed, is->sealed_len);
}

static void assert_found(struct uuid id, const uint8_t *hash,
                         const struct store_key *should)
{
	struct reply loaded = load_idempotent(id, hash);

	assert_int_equal(loaded.result, STORE_OK);
	assert_key(&loaded.game.key, should);
}

static const char *count_keys(struct uuid id)
{
	return sql(owner,
	           "SELECT count(*) FROM gangd.idempotency_key "
	           "WHERE game_id = '%s'",
	           id_text(id));
}

/* --- moves ---------------------------------------------------------------- */

/* A move by which a seat changes has a row for its key. */
static void set_key(struct draft *draft, const struct store_key *key)
{
	draft->move.key = *key;
	draft->move.change = (struct store_change){ .seat = 1 };
}

static void a_key_is_found_with_its_game(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	assert_null(load_idempotent(draft.game.id, key_hash).game.key.hash);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);

	struct reply loaded = load_idempotent(draft.game.id, key_hash);
	assert_int_equal(loaded.result, STORE_OK);
	assert_int_equal(loaded.game.version, 3);
	assert_string_equal(loaded.game.seats[0].name, draft.move.join.name);
	assert_key(&loaded.game.key, &some_key);
	assert_null(load_idempotent(draft.game.id, other_hash).game.key.hash);
	assert_null(load(store, draft.game.id, &arena).game.key.hash);
}

static void a_key_may_have_no_sealed_answer(void **state)
{
	struct store_key key = { .hash = key_hash, .request = request };
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	set_key(&draft, &key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_found(draft.game.id, key_hash, &key);
}

static void a_joining_player_brings_a_key(void **state)
{
	struct draft draft;
	uint8_t hash[STORE_HASH_SIZE] = { 9 };

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	draft.game.seats_count = 2;
	draft.move.key = some_key;
	draft.move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	struct reply loaded = load_idempotent(draft.game.id, key_hash);
	assert_string_equal(loaded.game.seats[1].name, "Bob");
	assert_key(&loaded.game.key, &some_key);
}

static void the_same_key_counts_in_each_game(void **state)
{
	struct draft one;
	struct draft two;

	(void)state;
	create_new(&one);
	create_new(&two);
	draft_next(&one, 1);
	set_key(&one, &some_key);
	assert_int_equal(commit_move(store, &one.move).result, STORE_OK);
	assert_null(load_idempotent(two.game.id, key_hash).game.key.hash);
	draft_next(&two, 1);
	set_key(&two, &some_key);
	two.move.key.request = other_request;
	assert_int_equal(commit_move(store, &two.move).result, STORE_OK);
	assert_found(one.game.id, key_hash, &one.move.key);
	assert_found(two.game.id, key_hash, &two.move.key);
}

static void a_failed_move_leaves_no_key(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	/* Decided against version 2, of which 3 has come by now. */
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
	assert_string_equal(count_keys(draft.game.id), "0");
}

/* Its answer was lost; the version sees to it that it is not done twice. */
static void a_move_under_a_key_commits_once(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
	assert_string_equal(count_keys(draft.game.id), "1");
	assert_int_equal(load_idempotent(draft.game.id, key_hash).game.version,
	                 3);
}

/* A commit is refused whole if its key, not looked for before, is in use. */
static void a_key_in_use_commits_nothing(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_BROKEN);
	assert_int_equal(load(store, draft.game.id, &arena).game.version, 3);
}

/* The moves of one tick share a commit. */
static void many_keys_at_once_do_not_mix(void **state)
{
	enum { COUNT = 20 };
	static struct draft drafts[COUNT];
	static uint8_t hashes[COUNT][STORE_HASH_SIZE];
	struct reply answers[2 * COUNT] = { { .count = 0 } };

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		create_new(&drafts[i]);
		draft_next(&drafts[i], 1);
		memset(hashes[i], (int)i + 1, STORE_HASH_SIZE);
		set_key(&drafts[i], &some_key);
		drafts[i].move.key.hash = hashes[i];
	}
	for (size_t i = 0; i < COUNT; i++) {
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[2 * i]);
		store_commit_move(store, &drafts[i].move, on_answer,
		                  &answers[2 * i + 1]);
	}
	await(store, answers, ARRAY_LEN(answers));
	for (size_t i = 0; i < COUNT; i++) {
		bool first = answers[2 * i].result == STORE_OK;

		assert_int_equal(answers[2 * i + first].result, STORE_CONFLICT);
		assert_int_equal(answers[2 * i + !first].result, STORE_OK);
		assert_string_equal(count_keys(drafts[i].game.id), "1");
		assert_found(drafts[i].game.id, hashes[i], &drafts[i].move.key);
	}
}

static void a_key_is_deleted_with_its_game(void **state)
{
	struct reply answer = { .count = 0 };
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_string_equal(count_keys(draft.game.id), "1");
	store_delete(store, draft.game.id, 3, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_string_equal(count_keys(draft.game.id), "0");
	assert_int_equal(load_idempotent(draft.game.id, key_hash).result,
	                 STORE_NONE);
}

/* --- creations ------------------------------------------------------------ */

static void a_creation_is_found_by_its_key(void **state)
{
	uint8_t hash[STORE_HASH_SIZE];
	struct draft draft;

	(void)state;
	draft_keyed(&draft, hash);
	assert_int_equal(find_creation(hash).result, STORE_NONE);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	struct reply found = find_creation(hash);
	assert_int_equal(found.result, STORE_OK);
	assert_memory_equal(&found.id, &draft.game.id, sizeof(found.id));
	assert_key(&found.game.key, &draft.move.key);
	assert_int_equal(load(store, found.id, &arena).result, STORE_OK);
	assert_string_equal(count_keys(draft.game.id), "0");
}

static void under_one_key_one_game_is_created(void **state)
{
	uint8_t hash[STORE_HASH_SIZE];
	struct draft one;
	struct draft two;

	(void)state;
	draft_keyed(&one, hash);
	draft_new(&two);
	two.move.key = one.move.key;
	assert_int_equal(create(store, &one.move).result, STORE_OK);
	assert_int_equal(create(store, &two.move).result, STORE_TAKEN);
	assert_int_equal(load(store, two.game.id, &arena).result, STORE_NONE);
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.invitation "
	                        "WHERE code = '%s'",
	                        two.code),
	                    "0");
	struct reply found = find_creation(hash);
	assert_memory_equal(&found.id, &one.game.id, sizeof(found.id));
}

/* The key is free again, and the caller draws another code. */
static void a_code_in_use_leaves_no_key(void **state)
{
	uint8_t hash[STORE_HASH_SIZE];
	struct draft first;
	struct draft second;
	char code[STORE_CODE_LEN + 1];

	(void)state;
	create_new(&first);
	draft_keyed(&second, hash);
	memcpy(code, second.code, sizeof(code));
	memcpy(second.code, first.code, sizeof(code));
	assert_int_equal(create(store, &second.move).result, STORE_TAKEN);
	assert_int_equal(find_creation(hash).result, STORE_NONE);
	memcpy(second.code, code, sizeof(code));
	assert_int_equal(create(store, &second.move).result, STORE_OK);
	assert_int_equal(find_creation(hash).result, STORE_OK);
}

/* On two replicas: the second waits until it is known what became of it. */
static void one_of_two_creations_at_once_commits(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply answers[2] = { { .count = 0 } };
	uint8_t hash[STORE_HASH_SIZE];
	struct draft one;
	struct draft two;

	(void)state;
	await_ready(other);
	draft_keyed(&one, hash);
	draft_new(&two);
	two.move.key = one.move.key;
	store_create(store, &one.move, on_answer, &answers[0]);
	store_create(other, &two.move, on_answer, &answers[1]);
	store_flush(store);
	store_flush(other);
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool first = answers[0].result == STORE_OK;
	const struct draft *winner = first ? &one : &two;
	assert_int_equal(answers[!first].result, STORE_OK);
	assert_int_equal(answers[first].result, STORE_TAKEN);
	struct reply found = find_creation(hash);
	assert_memory_equal(&found.id, &winner->game.id, sizeof(found.id));
	store_close(other);
}

/* --- rematches ------------------------------------------------------------ */

static void the_key_of_a_rematch_has_its_location(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_new(&ended);
	draft_next(&ended, 1);
	draft_new(&next);
	next.game.rematch_of = ended.game.id;
	next.move.join.seat = 0;
	ended.move.key = (struct store_key){ .hash = key_hash,
		                             .request = request,
		                             .location = next.game.id };
	assert_int_equal(rematch(&ended.move, &next.move).result, STORE_OK);

	struct reply loaded = load_idempotent(ended.game.id, key_hash);
	assert_key(&loaded.game.key, &ended.move.key);
	assert_memory_equal(&loaded.game.rematch, &next.game.id,
	                    sizeof(loaded.game.rematch));
	assert_null(load_idempotent(next.game.id, key_hash).game.key.hash);
	assert_int_equal(rematch(&ended.move, &next.move).result,
	                 STORE_CONFLICT);
	assert_string_equal(count_keys(ended.game.id), "1");
}

static void a_failed_rematch_is_not_remembered(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_new(&ended);
	draft_next(&ended, 1);
	draft_new(&next);
	memcpy(next.code, ended.code, sizeof(next.code));
	next.move.join.seat = 0;
	ended.move.key = some_key;
	ended.move.key.location = next.game.id;
	assert_int_equal(rematch(&ended.move, &next.move).result,
	                 STORE_CONFLICT);
	assert_string_equal(count_keys(ended.game.id), "0");
	assert_int_equal(load(store, next.game.id, &arena).result, STORE_NONE);
}

/* --- the end of keys ------------------------------------------------------ */

static void keys_are_purged_after_a_day(void **state)
{
	const struct purge_ages ages = { 36500, 36500, 36500, 36500 };
	struct admin *admin = admin_open(app_url()); /* as gangctl does */
	uint8_t hash[STORE_HASH_SIZE];
	struct draft draft;
	struct purge_counts counts;

	(void)state;
	assert_non_null(admin);
	draft_keyed(&draft, hash);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	set_key(&draft, &some_key);
	draft.move.key.hash = other_hash;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);

	sql(owner, "UPDATE gangd.creation_key "
	           "SET at = now() - interval '23 hours 59 minutes'");
	unsigned long kept =
		strtoul(sql(owner, "SELECT count(*) FROM gangd.creation_key"),
	                NULL, 10);
	assert_int_equal(purge_run(admin, &ages, false, &counts), VERDICT_DONE);
	assert_int_equal(find_creation(hash).result, STORE_OK);
	sql(owner, "UPDATE gangd.creation_key "
	           "SET at = now() - interval '24 hours 1 minute'");
	sql(owner,
	    "UPDATE gangd.idempotency_key "
	    "SET at = now() - interval '24 hours 1 minute' "
	    "WHERE game_id = '%s' AND get_byte(key_hash, 2) = 3",
	    id_text(draft.game.id));
	assert_int_equal(purge_run(admin, &ages, true, &counts), VERDICT_DONE);
	assert_int_equal(find_creation(hash).result, STORE_OK);

	assert_int_equal(purge_run(admin, &ages, false, &counts), VERDICT_DONE);
	assert_int_equal(counts.games, 0);
	assert_int_equal(counts.keys, 1);
	assert_int_equal(counts.creation_keys, kept);
	assert_int_equal(counts.tickets, 0);
	assert_int_equal(find_creation(hash).result, STORE_NONE);
	assert_string_equal(count_keys(draft.game.id), "1");
	assert_null(load_idempotent(draft.game.id, key_hash).game.key.hash);
	assert_non_null(
		load_idempotent(draft.game.id, other_hash).game.key.hash);
	admin_close(admin);
}

static void the_daemon_may_not_change_a_key(void **state)
{
	PGconn *app = sql_open(app_url());

	(void)state;
	assert_string_equal(sql(app,
	                        "UPDATE gangd.idempotency_key SET at = now()"),
	                    "42501");
	assert_string_equal(
		sql(app, "UPDATE gangd.creation_key SET at = now()"), "42501");
	PQfinish(app);
}

/* A game may have thousands: one of them is found by its index. */
static void a_key_among_many_is_found_by_the_index(void **state)
{
	static const char *const query =
		"EXPLAIN (FORMAT json) SELECT FROM gangd.idempotency_key "
		"WHERE game_id = '%s' AND key_hash = '\\x%064d'";
	struct draft draft;

	(void)state;
	create_new(&draft);
	sql(owner,
	    "INSERT INTO gangd.idempotency_key (game_id, key_hash, "
	    "request_hash) SELECT '%s', sha256(n::text::bytea), "
	    "sha256('') FROM generate_series(1, 10000) AS n",
	    id_text(draft.game.id));
	sql(owner, "ANALYZE gangd.idempotency_key");
	assert_string_equal(count_keys(draft.game.id), "10000");
	const char *plan = sql(owner, query, id_text(draft.game.id), 0);
	assert_non_null(strstr(plan, "\"idempotency_key_pkey\""));
	assert_non_null(strstr(plan, "key_hash = "));
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_key_is_found_with_its_game),
		ON_A_STORE(a_key_may_have_no_sealed_answer),
		ON_A_STORE(a_joining_player_brings_a_key),
		ON_A_STORE(the_same_key_counts_in_each_game),
		ON_A_STORE(a_failed_move_leaves_no_key),
		ON_A_STORE(a_move_under_a_key_commits_once),
		ON_A_STORE(a_key_in_use_commits_nothing),
		ON_A_STORE(many_keys_at_once_do_not_mix),
		ON_A_STORE(a_key_is_deleted_with_its_game),
		ON_A_STORE(a_creation_is_found_by_its_key),
		ON_A_STORE(under_one_key_one_game_is_created),
		ON_A_STORE(a_code_in_use_leaves_no_key),
		ON_A_STORE(one_of_two_creations_at_once_commits),
		ON_A_STORE(the_key_of_a_rematch_has_its_location),
		ON_A_STORE(a_failed_rematch_is_not_remembered),
		ON_A_STORE(keys_are_purged_after_a_day),
		cmocka_unit_test(the_daemon_may_not_change_a_key),
		ON_A_STORE(a_key_among_many_is_found_by_the_index),
	};

	return cmocka_run_group_tests_name("keys", tests, open_all, close_all);
}
