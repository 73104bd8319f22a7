/*
 * test_schema.c - the migrations, what they refuse, and what the schema they
 * make promises; against a real server.
 */
#include "fixture.h"
#include "postgres/schema.h"

#include <sys/wait.h>
#include <unistd.h>

static PGconn *owner; /* may do anything in the schema */

static int migrate_in_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	struct admin *admin = admin_open(owner_url());
	bool good = admin && admin_migrate(admin) == VERDICT_DONE;
	admin_close(admin);
	fflush(stdout);
	_exit(good ? 0 : 1);
}

/* Apply the migrations before the one of this name. */
static void apply_before(const char *name)
{
	for (const struct embedded *file = embed_migrations;
	     strcmp(file->name, name) != 0; file++) {
		uint8_t digest[SCHEMA_DIGEST_SIZE];
		char hex[2 * SCHEMA_DIGEST_SIZE + 1];
		PGresult *res = PQexec(owner, file->bytes);

		assert_int_equal(PQresultStatus(res), PGRES_COMMAND_OK);
		PQclear(res);
		sql(owner, "SET ROLE gangd_owner");
		schema_digest_file(file, digest);
		(void)sodium_bin2hex(hex, sizeof(hex), digest, sizeof(digest));
		sql(owner,
		    "INSERT INTO gangd.schema_migration (name, digest) "
		    "VALUES ('%s', '\\x%s')",
		    file->name, hex);
	}
	sql(owner, "RESET ROLE");
}

/* On an empty cluster this is the first thing that happens to it. */
static void old_unkeyed_hashes_of_addresses_are_deleted(void **state)
{
	(void)state;
	apply_before("0007_lobby.sql");
	sql(owner, "INSERT INTO gangd.game (game_id, version, ruleset, "
	           "rules_version, seats_max, seats_count, host, is_public, "
	           "spectators, status, invite_code, state, made_from) VALUES "
	           "(gen_random_uuid(), 1, 1, 1, 3, 1, 1, true, false, "
	           "'lobby', 'CODE', '', sha256('an address'))");
	assert_string_equal(sql(owner, "SELECT count(made_from) "
	                               "FROM gangd.game"),
	                    "1");
	migrate();
	assert_string_equal(sql(owner, "SELECT count(*) "
	                               "FROM gangd.game"),
	                    "1");
	assert_string_equal(sql(owner, "SELECT count(creator_address_hash) "
	                               "FROM gangd.game"),
	                    "0");
	sql(owner, "DROP SCHEMA gangd CASCADE");
}

/* Four programs migrate an empty database. */
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
	                    "25");
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
	                    "32");
}

static void assert_migrate_refuses(void)
{
	struct admin *admin = admin_open(owner_url());

	assert_non_null(admin);
	assert_int_equal(admin_migrate(admin), VERDICT_BAD);
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

/* So the tables can be spread over several servers by game. */
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
	                   "'schema_migration', 'address_secret', "
	                   "'commit_report')"),
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
	sql(owner, "INSERT INTO gangd.game (game_id, version, ruleset, "
	           "rules_version, seats_max, seats_count, host, is_public, "
	           "spectators, status, invite_code, state) SELECT "
	           "'00000000-0000-4000-8000-000000000001', 1, 1, 1, 3, 1, 1, "
	           "true, false, 'lobby', 'CODE', ''");
	sql(owner, "INSERT INTO gangd.event (game_id, version, type, seat, "
	           "heist, color) SELECT game_id, 1, 1, 1, 0, 0 "
	           "FROM gangd.game");
	sql(app, "SELECT gangd.delete_events(game_id) FROM gangd.game");
	assert_string_equal(sql(owner, "SELECT count(*) FROM gangd.event"),
	                    "1");
	sql(app, "SELECT gangd.delete_game(game_id, 1) FROM gangd.game");
	assert_string_equal(sql(owner, "SELECT count(*) FROM gangd.event"),
	                    "0");
	assert_string_equal(sql(app, "DELETE FROM gangd.schema_migration"),
	                    "42501");
	assert_string_equal(sql(app, "CREATE FUNCTION gangd.x() RETURNS int "
	                             "LANGUAGE sql AS 'SELECT 1'"),
	                    "42501");
	PQfinish(app);
}

/* The columns that say whether the player of a notification watches the game.
 */
static const char *watching(const char *query, size_t *len)
{
	static const char last[] = "ELSE 0 END::integer";
	const char *first =
		strstr(schema_query_text(query), "NOT taken.is_replay");
	const char *end = first ? strstr(first, last) : NULL;

	assert_non_null(end);
	*len = (size_t)(end - first) + strlen(last);
	return first;
}

/* The rule is in both: a function for it would have to be on every server. */
static void both_statements_know_alike_who_is_watching(void **state)
{
	size_t len;
	size_t len_of_one;
	const char *many = watching("take_notifications", &len);
	const char *one = watching("take_game_notifications", &len_of_one);

	(void)state;
	assert_int_equal(len, len_of_one);
	assert_memory_equal(many, one, len);
}

static int open_owner(void **state)
{
	(void)state;
	owner = sql_open(owner_url());
	return 0;
}

static int close_owner(void **state)
{
	(void)state;
	PQfinish(owner);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_unkeyed_hashes_of_addresses_are_deleted),
		cmocka_unit_test(four_migrate_at_once),
		cmocka_unit_test(migrating_again_changes_nothing),
		cmocka_unit_test(changed_functions_are_applied_again),
		cmocka_unit_test(a_changed_migration_is_refused),
		cmocka_unit_test(a_newer_database_is_refused),
		cmocka_unit_test(keys_begin_with_the_game),
		cmocka_unit_test(the_daemon_may_do_no_more_than_it_needs),
		cmocka_unit_test(both_statements_know_alike_who_is_watching),
	};

	return cmocka_run_group_tests_name("schema", tests, open_owner,
	                                   close_owner);
}
