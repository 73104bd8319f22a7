/*
 * test_outage.c - what becomes of statements and of the store when
 * connections break, answers stay away, and the server stops and starts.
 *
 * Marks: timed.
 */
#include "fixture.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE_MS = 1000, CONNECTIONS = 4 };
#define CONNECTIONS_TEXT "4"

static PGconn *owner;
static PGconn *app; /* may end the store's connections */

static const char nowhere[] = "host=/nonexistent dbname=gangd";

/* --- connections that break ----------------------------------------------- */

static void end_all_connections(void)
{
	sql(app, "SELECT count(pg_terminate_backend(pid, 5000)) "
	         "FROM pg_stat_activity WHERE usename = current_user "
	         "AND pid <> pg_backend_pid()");
}

static void assert_back_within(struct store *store, uint64_t most_ms)
{
	uint64_t began = now_ms();

	while (!store_is_ready(store) || ping(store) != STORE_OK) {
		tick(store, 10);
		if (now_ms() - began > most_ms)
			fail_msg("not back after %u ms", (unsigned)most_ms);
	}
}

/* Until all of the store's connections are open and have settled. */
static void await_all_connections(struct store *store)
{
	uint64_t began = now_ms();

	while (strcmp(sql(app, "SELECT count(*) FROM pg_stat_activity "
	                       "WHERE usename = current_user "
	                       "AND pid <> pg_backend_pid() AND state = 'idle' "
	                       "AND now() - state_change > '100 ms'"),
	              CONNECTIONS_TEXT) != 0) {
		tick(store, 10);
		if (now_ms() - began > 10000)
			fail_msg("not all connections are open");
	}
}

/* Idle connections are found to be gone, not only those that are asked. */
static void ended_connections_are_reopened(void **state)
{
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);

	(void)state;
	await_ready(store);
	await_all_connections(store);
	end_all_connections();
	await_all_connections(store);
	for (int i = 0; i < 10 * CONNECTIONS; i++)
		assert_int_equal(ping(store), STORE_OK);
	store_close(store);
}

static void statements_of_a_lost_connection_end_once(void **state)
{
	static struct reply answers[2000];
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);

	(void)state;
	await_ready(store);
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 1000; i++)
		store_ping(store, on_answer, &answers[i]);
	store_flush(store);
	end_all_connections();
	for (int i = 1000; i < 2000; i++)
		store_ping(store, on_answer, &answers[i]);
	await(store, answers, 2000);
	for (int i = 0; i < 2000; i++)
		assert_true(answers[i].result == STORE_OK ||
		            answers[i].result == STORE_UNAVAILABLE);
	assert_back_within(store, 3000);
	store_close(store);
}

/* --- answers that stay away ----------------------------------------------- */

static const char *version_of(const struct draft *draft)
{
	return sql(owner, "SELECT version FROM gangd.game WHERE game_id = '%s'",
	           id_text(draft->game.id));
}

/* The server would end the statement if it found its client gone meanwhile. */
static void make_moves_sleep(void)
{
	sql(owner, "CREATE FUNCTION gangd.sleep() RETURNS trigger "
	           "LANGUAGE plpgsql SET client_connection_check_interval = 0 "
	           "AS 'BEGIN PERFORM pg_sleep(1.5); RETURN new; END'");
	sql(owner, "CREATE TRIGGER sleep BEFORE UPDATE ON gangd.game "
	           "FOR EACH ROW EXECUTE FUNCTION gangd.sleep()");
}

static void wake_moves(void)
{
	sql(owner, "DROP TRIGGER sleep ON gangd.game");
	sql(owner, "DROP FUNCTION gangd.sleep()");
}

/*
 * A move takes the server too long: its caller is answered in time, and the
 * statement, which nobody cancels, is carried out later.
 */
static void a_late_write_is_abandoned_but_not_cancelled(void **state)
{
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);
	struct draft draft;

	(void)state;
	await_ready(store);
	draft_new(&draft);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	make_moves_sleep();

	uint64_t began = now_ms();
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_UNAVAILABLE);
	uint64_t took = now_ms() - began;
	assert_in_range(took, DEADLINE_MS - 1, DEADLINE_MS + 300);
	assert_int_equal(ping(store), STORE_OK);

	assert_string_equal(version_of(&draft), "2");
	began = now_ms();
	while (strcmp(version_of(&draft), "3") != 0) {
		if (now_ms() - began > 3000)
			fail_msg("the write was not carried out");
	}
	wake_moves();
	store_close(store);
}

static void sleep_ms(unsigned ms)
{
	struct timespec time = { .tv_sec = ms / 1000,
		                 .tv_nsec = (long)(ms % 1000) * MS };

	(void)nanosleep(&time, NULL);
}

/* The process was stopped, or others had its processors. */
static void a_loop_that_did_not_run_refuses_nothing_unsent(void **state)
{
	struct store *store = open_store(app_url(), 1, DEADLINE_MS);
	struct reply answers[3] = { { .count = 0 } };

	(void)state;
	await_ready(store);
	store_ping(store, on_answer, &answers[0]);
	sleep_ms(DEADLINE_MS * 3 / 2);
	store_run(store);
	await(store, answers, 1);
	assert_int_equal(answers[0].result, STORE_OK);

	/* The same with an earlier deadline of its own, which has passed. */
	store_set_deadline(store, clock_monotonic_ns() + 10 * MS);
	store_ping(store, on_answer, &answers[1]);
	sleep_ms(DEADLINE_MS * 3 / 2);
	store_run(store);
	await(store, answers + 1, 1);
	assert_int_equal(answers[1].result, STORE_OK);

	/* The deadline is extended once only. */
	store_ping(store, on_answer, &answers[2]);
	sleep_ms(DEADLINE_MS * 3 / 2);
	store_run(store);
	sleep_ms(DEADLINE_MS * 3 / 2);
	store_run(store);
	assert_int_equal(answers[2].count, 1);
	assert_int_equal(answers[2].result, STORE_UNAVAILABLE);
	store_close(store);
}

/* A statement waits for the only connection, which the server then ends. */
static void unsent_statements_are_sent_after_reconnecting(void **state)
{
	struct store *store = open_store(app_url(), 1, DEADLINE_MS);
	struct reply answers[3] = { { .count = 0 } };
	struct draft draft;

	(void)state;
	await_ready(store);
	draft_new(&draft);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	make_moves_sleep();
	uint64_t began = now_ms();
	store_commit_move(store, &draft.move, on_answer, &answers[0]);
	store_flush(store);
	store_ping(store, on_answer, &answers[1]);
	store_set_deadline(store, clock_monotonic_ns() + UINT64_C(500) * MS);
	store_update_last_seen(store,
	                       &(struct store_caller){ .game = draft.game.id },
	                       1, on_answer, &answers[2]);
	await(store, &answers[2], 1);
	/* Its request would have taken too long. */
	assert_int_equal(answers[2].result, STORE_UNAVAILABLE);
	assert_in_range(now_ms() - began, 499, 700);
	assert_int_equal(answers[1].count, 0);
	await(store, answers, 2);
	assert_int_equal(answers[0].result, STORE_UNAVAILABLE);
	assert_int_equal(answers[1].result, STORE_OK);
	assert_in_range(now_ms() - began, DEADLINE_MS - 1, 2 * DEADLINE_MS);
	store_close(store);
	wake_moves();
}

static void closing_ends_running_statements(void **state)
{
	struct store *store = open_store(app_url(), 1, DEADLINE_MS);
	struct reply answers[3] = { { .count = 0 } };

	(void)state;
	await_ready(store);
	store_ping(store, on_answer, &answers[0]);
	store_ping(store, on_answer, &answers[1]);
	store_flush(store);
	store_ping(store, on_answer, &answers[2]);
	store_close(store);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(answers[i].count, 1);
		assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
}

/* --- no server, or not the right one -------------------------------------- */

static void statements_wait_for_a_server_until_their_deadline(void **state)
{
	uint64_t began = now_ms();
	struct store *store = open_store(nowhere, CONNECTIONS, DEADLINE_MS);

	(void)state;
	assert_int_equal(ping(store), STORE_UNAVAILABLE);
	assert_in_range(now_ms() - began, DEADLINE_MS - 1, DEADLINE_MS + 300);
	began = now_ms();
	assert_int_equal(ping(store), STORE_UNAVAILABLE);
	assert_in_range(now_ms() - began, 0, 100);
	assert_false(store_is_ready(store));
	store_close(store);
	assert_in_range(now_ms() - began, 0, 300);
}

/* A server that accepts connections and never answers. */
static int open_mute_server(unsigned *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	*port = ntohs(address.sin_port);
	return fd;
}

static void a_mute_server_does_not_hold_up_the_close(void **state)
{
	char url[TEXT_MAX];
	unsigned port;
	int fd = open_mute_server(&port);

	(void)state;
	(void)snprintf(url, sizeof(url), "host=127.0.0.1 port=%u", port);
	uint64_t began = now_ms();
	struct store *store = open_store(url, CONNECTIONS, DEADLINE_MS);
	assert_int_equal(ping(store), STORE_UNAVAILABLE);
	assert_in_range(now_ms() - began, DEADLINE_MS - 1, DEADLINE_MS + 300);
	store_close(store);
	assert_in_range(now_ms() - began, 0, 4000);
	close(fd);
}

static void the_store_refuses_an_unknown_schema(void **state)
{
	(void)state;
	sql(owner, "INSERT INTO gangd.schema_migration VALUES "
	           "('9999_later.sql', '')");
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);
	assert_int_equal(ping(store), STORE_UNAVAILABLE);
	assert_false(store_is_ready(store));
	sql(owner, "DELETE FROM gangd.schema_migration "
	           "WHERE name = '9999_later.sql'");
	assert_back_within(store, 3000);
	store_close(store);
}

static void add_later_migration(const char *number, const char *compatible)
{
	sql(owner,
	    "INSERT INTO gangd.schema_migration VALUES ('%s_later.sql', '', "
	    "now(), %s)",
	    number, compatible);
}

static void assert_is_served(bool is_served)
{
	/* A busy machine may be slow to connect; a refusal takes it all. */
	struct store *store =
		open_store(app_url(), 1, is_served ? 10000 : 1000);
	enum store_result result = ping(store);

	assert_int_equal(result == STORE_OK, is_served);
	store_close(store);
	sql(owner, "DELETE FROM gangd.schema_migration "
	           "WHERE name LIKE '%%later.sql'");
}

/* The newest that this program knows, or an older one, is said to go on. */
static void a_later_schema_is_served_if_it_says_so(void **state)
{
	char newest[TEXT_MAX];

	(void)state;
	(void)snprintf(newest, sizeof(newest), "%s",
	               sql(owner, "SELECT quote_literal(left(max(name), 4)) "
	                          "FROM gangd.schema_migration "
	                          "WHERE name <> 'functions'"));
	add_later_migration("9998", newest);
	assert_is_served(true);
	add_later_migration("9998", "'0001'");
	assert_is_served(true);
	add_later_migration("9998", newest);
	sql(owner, "UPDATE gangd.schema_migration SET digest = 'other' "
	           "WHERE name = 'functions'");
	assert_is_served(true);
	migrate();

	add_later_migration("9998", "'9998'");
	assert_is_served(false);
	add_later_migration("9998", newest);
	add_later_migration("9999", "'9998'");
	assert_is_served(false);
	/* The migrations are not later, so they are another program's. */
	add_later_migration("0001", newest);
	assert_is_served(false);
	assert_is_served(true);
}

static void the_store_refuses_changed_functions(void **state)
{
	(void)state;
	sql(owner, "UPDATE gangd.schema_migration SET digest = 'other' "
	           "WHERE name = 'functions'");
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);
	assert_int_equal(ping(store), STORE_UNAVAILABLE);
	assert_false(store_is_ready(store));
	migrate();
	assert_back_within(store, 3000);
	store_close(store);
}

/* --- the server stops and starts ------------------------------------------ */

/* The folder of with-cluster.sh: its socket lies in FOLDER/socket. */
static bool find_cluster(char folder[TEXT_MAX])
{
	static const char suffix[] = "/socket";
	const char *host = PQhost(app);
	size_t len = strlen(host);

	if (len <= strlen(suffix) ||
	    strcmp(host + len - strlen(suffix), suffix) != 0 ||
	    access("deploy/local/cluster.sh", X_OK) != 0)
		return false;
	(void)snprintf(folder, TEXT_MAX, "%.*s", (int)(len - strlen(suffix)),
	               host);
	return true;
}

static void run_cluster(const char *verb, const char *folder,
                        const char *options)
{
	char command[2 * TEXT_MAX];

	(void)snprintf(command, sizeof(command),
	               "deploy/local/cluster.sh %s '%s' %s >/dev/null", verb,
	               folder, options);
	int status = system(command);
	assert_int_equal(status, 0);
}

static void a_server_that_stops_and_starts_is_found_again(void **state)
{
	struct store *store = open_store(app_url(), CONNECTIONS, DEADLINE_MS);
	char folder[TEXT_MAX];

	(void)state;
	if (!find_cluster(folder)) {
		store_close(store);
		skip();
	}
	await_ready(store);
	assert_int_equal(ping(store), STORE_OK);
	run_cluster("stop", folder, "");
	uint64_t began = now_ms();
	while (now_ms() - began < 3000) {
		uint64_t asked = now_ms();

		assert_int_equal(ping(store), STORE_UNAVAILABLE);
		assert_in_range(now_ms() - asked, 0, 2000);
	}
	assert_false(store_is_ready(store));
	run_cluster("start", folder, "-F");
	assert_back_within(store, 3000);
	store_close(store);
}

/* --- all of them ---------------------------------------------------------- */

static int open_all(void **state)
{
	(void)state;
	migrate();
	owner = sql_open(owner_url());
	app = sql_open(app_url());
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	PQfinish(app);
	PQfinish(owner);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ended_connections_are_reopened),
		cmocka_unit_test(statements_of_a_lost_connection_end_once),
		cmocka_unit_test(a_late_write_is_abandoned_but_not_cancelled),
		cmocka_unit_test(
			a_loop_that_did_not_run_refuses_nothing_unsent),
		cmocka_unit_test(unsent_statements_are_sent_after_reconnecting),
		cmocka_unit_test(closing_ends_running_statements),
		cmocka_unit_test(
			statements_wait_for_a_server_until_their_deadline),
		cmocka_unit_test(a_mute_server_does_not_hold_up_the_close),
		cmocka_unit_test(the_store_refuses_an_unknown_schema),
		cmocka_unit_test(a_later_schema_is_served_if_it_says_so),
		cmocka_unit_test(the_store_refuses_changed_functions),
		cmocka_unit_test(a_server_that_stops_and_starts_is_found_again),
	};

	return cmocka_run_group_tests_name("outage", tests, open_all,
	                                   close_all);
}
