/*
 * test_store.c - every statement, every function, the migrations, and two
 * connections in each other's way; against a real server.
 */
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static struct store *store;
static PGconn *owner; /* may do anything in the schema */
static struct arena arena;

/* --- migrations ------------------------------------------------------------
 */

static int migrate_in_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	struct admin *admin = admin_open(owner_url());
	bool good = admin && admin_migrate(admin);
	admin_close(admin);
	fflush(stdout);
	_exit(good ? 0 : 1);
}

/* On an empty cluster this is the first thing that happens to it. */
static void four_migrate_at_once(void **state)
{
	pid_t pids[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		pids[i] = migrate_in_child();
	for (int i = 0; i < 4; i++) {
		int status = -1;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_string_equal(sql(owner, "SELECT count(*) FROM "
	                               "gangd.schema_migration"),
	                    "6");
}

static void migrating_again_changes_nothing(void **state)
{
	static const char *const query =
		"SELECT string_agg(name || applied_at || xmin, ' ' ORDER BY "
		"name) FROM gangd.schema_migration";
	char before[TEXT_MAX];

	(void)state;
	(void)snprintf(before, sizeof(before), "%s", sql(owner, "%s", query));
	migrate();
	assert_string_equal(sql(owner, "%s", query), before);
}

static void changed_functions_are_applied_again(void **state)
{
	(void)state;
	assert_string_equal(sql(owner, "DROP FUNCTION gangd.delete_game"), "");
	sql(owner, "UPDATE gangd.schema_migration SET digest = 'old' "
	           "WHERE name = 'functions'");
	migrate();
	assert_string_equal(sql(owner, "SELECT count(*) FROM pg_proc WHERE "
	                               "pronamespace = 'gangd'::regnamespace"),
	                    "10");
}

static void assert_migrate_refuses(void)
{
	struct admin *admin = admin_open(owner_url());

	assert_non_null(admin);
	assert_false(admin_migrate(admin));
	admin_close(admin);
}

static void a_changed_migration_is_refused(void **state)
{
	(void)state;
	sql(owner, "UPDATE gangd.schema_migration SET digest = digest || 'x' "
	           "WHERE name LIKE '0001%%'");
	assert_migrate_refuses();
	sql(owner, "UPDATE gangd.schema_migration "
	           "SET digest = substr(digest, 1, 32) WHERE name LIKE "
	           "'0001%%'");
	migrate();
}

static void a_newer_database_is_refused(void **state)
{
	(void)state;
	sql(owner,
	    "INSERT INTO gangd.schema_migration VALUES ('9999_x.sql', '')");
	sql(owner, "UPDATE gangd.schema_migration SET digest = 'new' "
	           "WHERE name = 'functions'");
	assert_migrate_refuses();
	assert_string_equal(sql(owner, "SELECT convert_from(digest, 'UTF8') "
	                               "FROM gangd.schema_migration "
	                               "WHERE name = 'functions'"),
	                    "new");
	sql(owner, "DELETE FROM gangd.schema_migration "
	           "WHERE name = '9999_x.sql'");
	migrate();
}

/* What lets the tables be spread over several servers one day. */
static void keys_begin_with_the_game(void **state)
{
	(void)state;
	assert_string_equal(
		sql(owner, "SELECT count(*) FROM pg_index i "
	                   "JOIN pg_class c ON c.oid = i.indrelid "
	                   "JOIN pg_attribute a ON a.attrelid = c.oid "
	                   "AND a.attnum = i.indkey[0] "
	                   "WHERE c.relnamespace = 'gangd'::regnamespace "
	                   "AND i.indisunique AND a.attname <> 'game_id' AND "
	                   "c.relname NOT IN ('invitation', 'creation_key', "
	                   "'schema_migration')"),
		"0");
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM pg_trigger t "
	                        "JOIN pg_class c ON c.oid = t.tgrelid "
	                        "WHERE c.relnamespace = 'gangd'::regnamespace "
	                        "AND NOT t.tgisinternal"),
	                    "0");
	assert_string_equal(
		sql(owner, "SELECT count(*) FROM pg_class WHERE relkind = 'S' "
	                   "AND relnamespace = 'gangd'::regnamespace"),
		"0");
	assert_string_equal(sql(owner,
	                        "SELECT attstorage FROM pg_attribute WHERE "
	                        "attrelid = 'gangd.game'::regclass "
	                        "AND attname = 'state'"),
	                    "p");
}

static void the_daemon_may_do_no_more_than_it_needs(void **state)
{
	PGconn *app = sql_open(app_url());

	(void)state;
	assert_string_equal(sql(app, "CREATE TABLE gangd.x ()"), "42501");
	assert_string_equal(sql(app, "DROP TABLE gangd.seat"), "42501");
	assert_string_equal(sql(app, "UPDATE gangd.event SET type = 0"),
	                    "42501");
	assert_string_equal(sql(app, "DELETE FROM gangd.event"), "42501");
	assert_string_equal(sql(app, "DELETE FROM gangd.schema_migration"),
	                    "42501");
	assert_string_equal(sql(app, "CREATE FUNCTION gangd.x() RETURNS int "
	                             "LANGUAGE sql AS 'SELECT 1'"),
	                    "42501");
	PQfinish(app);
}

/* --- one game --------------------------------------------------------------
 */

static void assert_same_game(const struct store_game *is,
                             const struct store_game *should)
{
	assert_memory_equal(&is->id, &should->id, sizeof(is->id));
	assert_int_equal(is->version, should->version);
	assert_int_equal(is->ruleset, should->ruleset);
	assert_int_equal(is->rules_version, should->rules_version);
	assert_int_equal(is->mode != NULL, should->mode != NULL);
	if (should->mode)
		assert_string_equal(is->mode, should->mode);
	assert_string_equal(is->status, should->status);
	assert_int_equal(is->is_public, should->is_public);
	assert_int_equal(is->spectators, should->spectators);
	assert_int_equal(is->seats_max, should->seats_max);
	assert_int_equal(is->seats_count, should->seats_count);
	assert_int_equal(is->host, should->host);
	assert_string_equal(is->invite_code, should->invite_code);
	assert_int_equal(is->state_len, should->state_len);
	assert_memory_equal(is->state, should->state, is->state_len);
}

static void assert_same_part(const uint8_t *is, size_t is_len,
                             const uint8_t *should, size_t should_len)
{
	assert_int_equal(is != NULL, should_len > 0);
	assert_int_equal(is_len, should_len);
	if (is)
		assert_memory_equal(is, should, is_len);
}

static void assert_same_event(const struct store_event *is,
                              const struct store_event *should)
{
	assert_int_equal(is->type, should->type);
	assert_int_equal(is->seat, should->seat);
	assert_int_equal(is->heist, should->heist);
	assert_int_equal(is->color, should->color);
	assert_same_part(is->open, is->open_len, should->open,
	                 should->open_len);
	assert_same_part(is->secret, is->secret_len, should->secret,
	                 should->secret_len);
}

static void create_new(struct draft *draft)
{
	draft_new(draft);
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
}

static struct answer find(const char *code)
{
	struct answer answer = { .count = 0 };

	store_find_invitation(store, code, on_id, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct answer events(struct uuid id, uint32_t after, uint32_t up_to,
                            unsigned limit)
{
	struct answer answer = { .count = 0 };
	struct store_page page = { .after = after,
		                   .up_to = up_to,
		                   .limit = limit };

	store_events(store, id, page, &arena, on_events, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct answer delete (struct uuid id, uint32_t version)
{
	struct answer answer = { .count = 0 };

	store_delete(store, id, version, on_done, &answer);
	await(store, &answer, 1);
	return answer;
}

static void what_is_created_can_be_loaded(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	struct answer created = create(store, &draft.move);
	assert_int_equal(created.result, STORE_OK);
	assert_true(llabs(created.at_us - clock_wall_us()) < 60 * 1000000);

	struct answer loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.created_us == created.at_us);
	assert_true(loaded.game.updated_us == created.at_us);
	assert_string_equal(loaded.game.seats[0].name, draft.move.join.name);
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);

	struct answer found = find(draft.code);
	assert_int_equal(found.result, STORE_OK);
	assert_memory_equal(&found.id, &draft.game.id, sizeof(found.id));
}

static void a_game_may_have_no_mode_and_a_state_of_2_kib(void **state)
{
	uint8_t bytes[2048];
	struct draft draft;

	(void)state;
	draft_new(&draft);
	randombytes_buf(bytes, sizeof(bytes));
	draft.game.mode = NULL;
	draft.game.spectators = true;
	draft.game.is_public = false;
	draft.game.state = bytes;
	draft.game.state_len = sizeof(bytes);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	struct answer loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
}

static void what_is_kept_can_be_loaded(void **state)
{
	struct draft draft;
	uint8_t hash[STORE_HASH_SIZE] = { 9 };

	(void)state;
	create_new(&draft);
	draft_next(&draft, 3);
	draft.game.status = "playing";
	draft.game.seats_count = 2;
	draft.game.seats_max = 2;
	draft.game.host = 2;
	draft.state[0] ^= 1;
	draft.move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	struct answer kept = keep(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct answer loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.updated_us == kept.at_us);
	assert_true(loaded.game.created_us < kept.at_us);
	assert_string_equal(loaded.game.seats[0].name, "Ada \xc3\x9f");
	assert_string_equal(loaded.game.seats[1].name, "Bob");
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);
	assert_memory_equal(loaded.game.seats[1].token_hash, hash,
	                    STORE_HASH_SIZE);
}

static void six_seats_stand_in_their_order(void **state)
{
	static const char *const names[] = { "f", "e", "d", "c", "b", "a" };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		draft_next(&draft, 1);
		draft.game.seats_count = (uint8_t)seat;
		memset(draft.hash, seat, sizeof(draft.hash));
		draft.move.join.seat = (uint8_t)seat;
		draft.move.join.name = names[seat - 1];
		draft.move.join.name_key = names[seat - 1];
		assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	}
	struct answer loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		const struct store_seat *is = &loaded.game.seats[seat - 1];

		assert_string_equal(is->name, names[seat - 1]);
		assert_int_equal(is->token_hash[0], seat);
		assert_int_equal(is->token_hash[31], seat);
	}
}

static void what_is_not_there_is_told_so(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_NONE);
	assert_int_equal(keep(store, &draft.move).result, STORE_MOVED_ON);
	assert_int_equal(delete (draft.game.id, 1).result, STORE_MOVED_ON);
	assert_int_equal(find(draft.code).result, STORE_NONE);
	struct answer none = events(draft.game.id, 0, 9, 9);
	assert_int_equal(none.result, STORE_OK);
	assert_int_equal(none.events_count, 0);
	assert_false(none.more);
}

/* --- conflicts -------------------------------------------------------------
 */

/* All rows of a game, with the transactions that wrote them. */
static const char *all_rows(struct uuid id)
{
	return sql(owner,
	           "WITH the (id) AS (SELECT '%s'::uuid) "
	           "SELECT md5(string_agg(r, '|' ORDER BY r)) FROM ("
	           "SELECT g.xmin || g::text FROM gangd.game g, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT s.xmin || s::text FROM gangd.seat s, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT i.xmin || i::text FROM gangd.invitation i, the "
	           "WHERE game_id = id UNION ALL "
	           "SELECT e.xmin || e::text FROM gangd.event e, the "
	           "WHERE game_id = id) AS rows(r)",
	           id_text(id));
}

static void a_move_that_comes_too_late_writes_nothing(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));

	/* Decided against version 2, of which 3 has come by now. */
	draft.move.join.seat = 2;
	draft.move.join.name_key = "late";
	struct answer late = keep(store, &draft.move);
	assert_int_equal(late.result, STORE_MOVED_ON);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* Wait until so many statements of the daemon wait for somebody's lock. */
static void await_waiting(int count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	while (strtol(sql(owner, "SELECT count(*) FROM pg_locks "
	                         "WHERE NOT granted"),
	              NULL, 10) < count) {
		if (now_ms() > deadline)
			fail_msg("nobody waits for the lock");
	}
}

static void of_two_moves_at_once_one_is_kept(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct answer answers[2] = { { .count = 0 } };
	struct draft one;
	struct draft two;

	(void)state;
	await_ready(other);
	create_new(&one);
	two = one;
	two.move.game = &two.game;
	two.move.events = two.events;
	draft_next(&one, 1);
	draft_next(&two, 2);

	/* Both are let go when both have begun. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(one.game.id));
	store_keep(store, &one.move, on_done, &answers[0]);
	store_keep(other, &two.move, on_done, &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool first = answers[0].result == STORE_OK;
	assert_int_equal(answers[!first].result, STORE_OK);
	assert_int_equal(answers[first].result, STORE_MOVED_ON);
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.event "
	                        "WHERE game_id = '%s'",
	                        id_text(one.game.id)),
	                    first ? "3" : "4");
	struct answer loaded = load(store, one.game.id, &arena);
	assert_int_equal(loaded.game.version, first ? 3 : 4);
	store_close(other);
}

static void a_code_in_use_is_taken(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.invite_code = first.code;
	assert_int_equal(create(store, &second.move).result, STORE_TAKEN);
	assert_int_equal(load(store, second.game.id, &arena).result,
	                 STORE_NONE);
	struct answer found = find(first.code);
	assert_memory_equal(&found.id, &first.game.id, sizeof(found.id));
}

/* The rules see to this; that the database does too is a second lock. */
static void a_name_that_is_there_is_refused_whole(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));
	draft_next(&draft, 1);
	draft.game.seats_count = 2;
	draft.move.join.seat = 2;
	assert_int_equal(keep(store, &draft.move).result, STORE_BROKEN);
	assert_string_equal(all_rows(draft.game.id), before);
	assert_int_equal(ping(store), STORE_OK);
}

static void an_id_in_use_is_refused_whole(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.id = first.game.id;
	assert_int_equal(create(store, &second.move).result, STORE_BROKEN);
	assert_int_equal(find(second.code).result, STORE_NONE);
}

/* --- rematches -------------------------------------------------------------
 */

/* A game of two seats, the host in the second, that has just been kept. */
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
	assert_int_equal(keep(store, &draft->move).result, STORE_OK);
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

static struct answer play_again(struct draft *ended, struct draft *next)
{
	struct answer answer = { .count = 0 };

	store_rematch(store, &ended->move, &next->move, on_done, &answer);
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
	struct answer kept = play_again(&ended, &next);
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
	assert_id(find(next.code).id, next.game.id);
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
	struct answer kept = play_again(&ended, &next);
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
	struct answer page =
		events(ended.game.id, 0, ended.game.version, STORE_PAGE_MAX);
	assert_int_equal(page.events_count, ended.game.version);
	assert_same_event(&page.events[ended.game.version - 1],
	                  &(struct store_event){
				  .type = ended.events[0].type,
				  .seat = ended.events[0].seat,
				  .open = ended.events[0].open,
				  .open_len = ended.events[0].open_len,
			  });
	page = events(next.game.id, 0, next.game.version, STORE_PAGE_MAX);
	assert_int_equal(page.events_count, next.game.version);
	assert_same_event(&page.events[1], &next.events[1]);
	assert_int_equal(delete (ended.game.id, ended.game.version).result,
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
	assert_int_equal(play_again(&ended, &late).result, STORE_MOVED_ON);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, late.game.id, &arena).result, STORE_NONE);
	assert_int_equal(find(late.code).result, STORE_NONE);
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
	assert_int_equal(play_again(&ended, &next).result, STORE_MOVED_ON);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, next.game.id, &arena).result, STORE_NONE);
	assert_id(find(ended.code).id, ended.game.id);

	/* Decided anew, with another code. */
	next.game.invite_code = next.code;
	assert_int_equal(play_again(&ended, &next).result, STORE_OK);
}

static void of_two_rematches_at_once_one_is_kept(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct answer answers[2] = { { .count = 0 } };
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
	store_rematch(store, &ended.move, &next[0].move, on_done, &answers[0]);
	store_rematch(other, &ended.move, &next[1].move, on_done, &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool second = answers[1].result == STORE_OK;
	assert_int_equal(answers[second].result, STORE_OK);
	assert_int_equal(answers[!second].result, STORE_MOVED_ON);
	assert_id(load(store, ended.game.id, &arena).game.rematch,
	          next[second].game.id);
	assert_int_equal(load(store, next[!second].game.id, &arena).result,
	                 STORE_NONE);
	store_close(other);
}

/* --- events, the end of games ----------------------------------------------
 */

static void events_come_in_pages(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, STORE_EVENTS_MAX);
	struct answer kept = keep(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct answer page = events(draft.game.id, 2, 34, 10);
	assert_int_equal(page.result, STORE_OK);
	assert_int_equal(page.events_count, 10);
	assert_true(page.more);
	for (size_t i = 0; i < page.events_count; i++) {
		assert_int_equal(page.events[i].version, 3 + i);
		assert_true(page.events[i].at_us == kept.at_us);
		assert_same_event(&page.events[i], &draft.events[i]);
		assert_null(page.events[i].sealed);
	}
	page = events(draft.game.id, 24, 34, 10);
	assert_int_equal(page.events_count, 10);
	assert_int_equal(page.events[9].version, 34);
	assert_false(page.more);
	page = events(draft.game.id, 24, 30, 10);
	assert_int_equal(page.events_count, 6);
	assert_false(page.more);
	page = events(draft.game.id, 0, 34, STORE_PAGE_MAX);
	assert_int_equal(page.events_count, 34);
}

static void the_operator_sees_the_sealed_parts(void **state)
{
	struct admin *admin = admin_open(owner_url());
	struct store_event *list;
	struct store_game game;
	struct draft draft;
	size_t count;

	(void)state;
	assert_non_null(admin);
	create_new(&draft);
	assert_int_equal(admin_load(admin, draft.game.id, &arena, &game),
	                 STORE_OK);
	assert_same_game(&game, &draft.game);
	assert_int_equal(admin_events(admin, draft.game.id, &arena, &list,
	                              &count),
	                 STORE_OK);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		const struct store_event *should = &draft.events[i];

		assert_int_equal(list[i].version, i + 1);
		assert_same_event(&list[i], should);
		assert_same_part(list[i].sealed, list[i].sealed_len,
		                 should->sealed, should->sealed_len);
	}
	draft.game.id.bytes[15] ^= 1;
	assert_int_equal(admin_load(admin, draft.game.id, &arena, &game),
	                 STORE_NONE);
	admin_close(admin);
}

/* In every table that has such a column, also those to come. */
static int count_rows(struct uuid id)
{
	char list[TEXT_MAX];
	int count = 0;
	char *rest = list;

	(void)snprintf(list, sizeof(list), "%s",
	               sql(owner, "SELECT string_agg(table_name, ' ') "
	                          "FROM information_schema.columns WHERE "
	                          "table_schema = 'gangd' "
	                          "AND column_name = 'game_id'"));
	for (char *table = strtok_r(list, " ", &rest); table;
	     table = strtok_r(NULL, " ", &rest))
		count += (int)strtol(sql(owner,
		                         "SELECT count(*) FROM gangd.%s "
		                         "WHERE game_id = '%s'",
		                         table, id_text(id)),
		                     NULL, 10);
	return count;
}

static void a_deleted_game_leaves_nothing(void **state)
{
	struct draft draft;
	struct draft bystander;

	(void)state;
	create_new(&draft);
	create_new(&bystander);
	assert_int_equal(count_rows(draft.game.id), 5);
	assert_int_equal(delete (draft.game.id, draft.game.version + 1).result,
	                 STORE_MOVED_ON);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_OK);
	struct answer deleted = delete (draft.game.id, draft.game.version);
	assert_int_equal(deleted.result, STORE_OK);
	assert_true(deleted.at_us > 0);
	assert_int_equal(count_rows(draft.game.id), 0);
	assert_int_equal(count_rows(bystander.game.id), 5);
	assert_int_equal(delete (draft.game.id, 1).result, STORE_MOVED_ON);
	draft_next(&draft, 1);
	assert_int_equal(keep(store, &draft.move).result, STORE_MOVED_ON);
}

static void old_games_are_purged(void **state)
{
	struct admin *admin = admin_open(owner_url());
	struct draft old;
	struct draft young;
	uint64_t games = 99;

	(void)state;
	assert_non_null(admin);
	create_new(&old);
	create_new(&young);
	sql(owner,
	    "UPDATE gangd.game SET updated_at = now() - interval '36501 days' "
	    "WHERE game_id = '%s'",
	    id_text(old.game.id));
	assert_true(admin_purge(admin, 36500, true, &games));
	assert_int_equal(games, 1);
	assert_int_equal(count_rows(old.game.id), 5);
	assert_true(admin_purge(admin, 36500, false, &games));
	assert_int_equal(games, 1);
	assert_int_equal(count_rows(old.game.id), 0);
	assert_int_equal(count_rows(young.game.id), 5);
	assert_true(admin_purge(admin, 36500, false, &games));
	assert_int_equal(games, 0);
	admin_close(admin);
}

static void a_row_that_is_not_whole_is_broken(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	sql(owner, "UPDATE gangd.game SET seats_count = 0 WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
	sql(owner,
	    "UPDATE gangd.game SET seats_count = 1, ruleset = 256 "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
}

/* --- many at once ----------------------------------------------------------
 */

static void each_of_500_loads_gets_its_own_answer(void **state)
{
	static struct answer answers[500];
	struct draft drafts[5];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5; i++)
		create_new(&drafts[i]);
	for (int i = 0; i < 500; i++)
		store_load(store, drafts[i % 5].game.id, NULL, &arena, on_game,
		           &answers[i]);
	await(store, answers, 500);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_same_game(&answers[i].game, &drafts[i % 5].game);
	}
}

/* Those that were asked with it had no part in its failure. */
static void what_fails_among_others_fails_alone(void **state)
{
	enum { EACH = 5 };
	struct answer good[2 * EACH] = { { .count = 0 } };
	struct answer bad = { .count = 0 };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (size_t i = 0; i < EACH; i++)
		store_load(store, draft.game.id, NULL, &arena, on_game,
		           &good[i]);
	store_find_invitation(store, "no \xff text", on_id, &bad);
	for (size_t i = EACH; i < ARRAY_LEN(good); i++)
		store_load(store, draft.game.id, NULL, &arena, on_game,
		           &good[i]);
	await(store, &bad, 1);
	assert_int_equal(bad.result, STORE_BROKEN);
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		await(store, &good[i], 1);
		assert_int_equal(good[i].result, STORE_OK);
		assert_int_equal(good[i].count, 1);
	}
}

static void a_full_queue_takes_no_more(void **state)
{
	static struct answer answers[5000];
	unsigned served = 0;

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5000; i++) {
		store_ping(store, on_done, &answers[i]);
		assert_int_equal(answers[i].count, 0);
	}
	assert_int_equal(store_timeout_ns(store), 0);
	await(store, answers, 5000);
	for (int i = 0; i < 5000; i++) {
		if (answers[i].result == STORE_OK)
			served++;
		else
			assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
	assert_int_equal(served, 4096);
	assert_int_equal(ping(store), STORE_OK);
}

/* --- all of them -----------------------------------------------------------
 */

static int open_all(void **state)
{
	(void)state;
	owner = sql_open(owner_url());
	arena_init(&arena);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	arena_fini(&arena);
	PQfinish(owner);
	return 0;
}

static int open_one(void **state)
{
	(void)state;
	store = open_store(app_url(), 4, 5000);
	await_ready(store);
	return 0;
}

static int close_one(void **state)
{
	(void)state;
	if (PQtransactionStatus(owner) != PQTRANS_IDLE)
		sql(owner, "ROLLBACK"); /* a test failed on its way */
	store_close(store);
	arena_reset(&arena);
	return 0;
}

#define ON_A_STORE(test) \
	cmocka_unit_test_setup_teardown(test, open_one, close_one)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_migrate_at_once),
		cmocka_unit_test(migrating_again_changes_nothing),
		cmocka_unit_test(changed_functions_are_applied_again),
		cmocka_unit_test(a_changed_migration_is_refused),
		cmocka_unit_test(a_newer_database_is_refused),
		cmocka_unit_test(keys_begin_with_the_game),
		cmocka_unit_test(the_daemon_may_do_no_more_than_it_needs),
		ON_A_STORE(what_is_created_can_be_loaded),
		ON_A_STORE(a_game_may_have_no_mode_and_a_state_of_2_kib),
		ON_A_STORE(what_is_kept_can_be_loaded),
		ON_A_STORE(six_seats_stand_in_their_order),
		ON_A_STORE(what_is_not_there_is_told_so),
		ON_A_STORE(a_move_that_comes_too_late_writes_nothing),
		ON_A_STORE(of_two_moves_at_once_one_is_kept),
		ON_A_STORE(a_code_in_use_is_taken),
		ON_A_STORE(a_name_that_is_there_is_refused_whole),
		ON_A_STORE(an_id_in_use_is_refused_whole),
		ON_A_STORE(a_rematch_takes_seats_and_tokens_over),
		ON_A_STORE(a_game_and_its_rematch_name_each_other),
		ON_A_STORE(a_rematch_that_comes_too_late_writes_nothing),
		ON_A_STORE(a_rematch_with_a_code_in_use_writes_nothing),
		ON_A_STORE(of_two_rematches_at_once_one_is_kept),
		ON_A_STORE(events_come_in_pages),
		ON_A_STORE(the_operator_sees_the_sealed_parts),
		ON_A_STORE(a_deleted_game_leaves_nothing),
		ON_A_STORE(old_games_are_purged),
		ON_A_STORE(a_row_that_is_not_whole_is_broken),
		ON_A_STORE(each_of_500_loads_gets_its_own_answer),
		ON_A_STORE(what_fails_among_others_fails_alone),
		ON_A_STORE(a_full_queue_takes_no_more),
	};

	return cmocka_run_group_tests_name("store", tests, open_all, close_all);
}
