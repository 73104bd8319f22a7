/*
 * test_reports.c - what processes report to each other through the database.
 */
#include "group.h"

static const struct uuid ours = { { 1 } };
static const struct uuid theirs = { { 2 } };
static const struct store_version games[] = {
	{ { { 10 } }, 7 },
	{ { { 11 } }, STORE_REPORT_GONE },
};

/* Exchange as a process that has seen reports of the other up to a number. */
static struct reply exchange(struct uuid process, uint32_t number, size_t count,
                             struct uuid other, uint32_t seen)
{
	const struct store_report last = { .process = other, .number = seen };
	const struct store_exchange exchange = {
		.process = process,
		.number = number,
		.games = games,
		.games_count = count,
		.seen = &last,
		.seen_count = seen > 0,
		.forgets = true,
	};
	struct reply answer = { .count = 0 };

	store_exchange_reports(store, &exchange, &arena, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer;
}

static void age(const char *interval)
{
	sql(owner, "UPDATE gangd.commit_report SET at = now() - interval '%s'",
	    interval);
}

static const char *count_rows(void)
{
	return sql(owner, "SELECT count(*) FROM gangd.commit_report");
}

static void forget_all(void)
{
	sql(owner, "DELETE FROM gangd.commit_report");
}

static void a_report_is_read_by_others(void **state)
{
	(void)state;
	forget_all();
	assert_int_equal(exchange(ours, 1, 2, theirs, 0).rows_count, 0);
	assert_int_equal(exchange(ours, 0, 0, theirs, 0).rows_count, 0);
	struct reply read = exchange(theirs, 0, 0, ours, 0);
	assert_int_equal(read.rows_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct store_report *report = &read.reports[i];
		bool is_first = report->game.version == games[0].version;
		const struct store_version *game = &games[is_first ? 0 : 1];

		assert_memory_equal(&report->process, &ours, sizeof(ours));
		assert_int_equal(report->number, 1);
		assert_memory_equal(&report->game.id, &game->id,
		                    sizeof(game->id));
		assert_int_equal(report->game.version, game->version);
	}
	assert_string_equal(count_rows(), "1");
}

static void what_was_read_is_not_read_again(void **state)
{
	(void)state;
	forget_all();
	(void)exchange(ours, 1, 1, theirs, 0);
	(void)exchange(ours, 2, 2, theirs, 0);
	assert_int_equal(exchange(theirs, 0, 0, ours, 0).rows_count, 3);
	assert_int_equal(exchange(theirs, 0, 0, ours, 1).rows_count, 2);
	assert_int_equal(exchange(theirs, 0, 0, ours, 2).rows_count, 0);
	/* Of a third process it has read nothing. */
	assert_int_equal(exchange(theirs, 0, 0, theirs, 2).rows_count, 3);
}

static void a_report_without_games_says_that_the_process_runs(void **state)
{
	(void)state;
	forget_all();
	(void)exchange(ours, 4, 0, theirs, 0);
	struct reply read = exchange(theirs, 0, 0, ours, 3);
	assert_int_equal(read.rows_count, 1);
	assert_int_equal(read.reports[0].number, 4);
	assert_int_equal(read.reports[0].game.version, 0);
}

static void old_reports_are_forgotten(void **state)
{
	(void)state;
	forget_all();
	(void)exchange(ours, 1, 1, theirs, 0);
	(void)exchange(theirs, 1, 1, ours, 0);
	age("9 seconds");
	(void)exchange(ours, 0, 0, theirs, 0);
	assert_string_equal(count_rows(), "2");
	age("11 seconds");
	(void)exchange(ours, 0, 0, theirs, 0);
	assert_string_equal(count_rows(), "1");
	/* The other process has ended. */
	age("61 seconds");
	(void)exchange(ours, 0, 0, theirs, 0);
	assert_string_equal(count_rows(), "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_report_is_read_by_others),
		ON_A_STORE(what_was_read_is_not_read_again),
		ON_A_STORE(a_report_without_games_says_that_the_process_runs),
		ON_A_STORE(old_reports_are_forgotten),
	};

	return cmocka_run_group_tests_name("reports", tests, open_all,
	                                   close_all);
}
