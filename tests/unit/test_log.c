/*
 * test_log.c - the log.  A line is one JSON object, or it is not written.
 */
#include "base/log.h"

#include <string.h>
#include <unistd.h>

#include "rows.h"

enum { TEXT_MAX = 8192, AT_LEN = 27 };

/* The text written to stderr between capture_begin() and capture_end(). */
struct capture {
	int ends[2];
	int kept;
	char text[TEXT_MAX];
};

static void capture_begin(struct capture *capture)
{
	assert_int_equal(pipe(capture->ends), 0);
	capture->kept = dup(STDERR_FILENO);
	assert_true(capture->kept >= 0);
	assert_true(dup2(capture->ends[1], STDERR_FILENO) >= 0);
	close(capture->ends[1]);
}

static const char *capture_end(struct capture *capture)
{
	assert_true(dup2(capture->kept, STDERR_FILENO) >= 0);
	close(capture->kept);
	ssize_t len = read(capture->ends[0], capture->text, TEXT_MAX - 1);
	assert_true(len >= 0);
	close(capture->ends[0]);
	capture->text[len] = '\0';
	return capture->text;
}

/* The line but for its time, whose form is checked. */
static const char *without_time(const char *line)
{
	static const char begin[] = "{\"at\":\"";
	const char *at = line + strlen(begin);

	assert_memory_equal(line, begin, strlen(begin));
	assert_true(strlen(line) > strlen(begin) + AT_LEN);
	assert_int_equal(at[4], '-');
	assert_int_equal(at[10], 'T');
	assert_int_equal(at[AT_LEN - 1], 'Z');
	return at + AT_LEN;
}

static void a_line_is_a_json_object(void **state)
{
	struct capture capture;

	(void)state;
	capture_begin(&capture);
	LOG(LOG_INFO, "request", LOG_TEXT("route", "/v1/games"),
	    LOG_INT("status", 200), LOG_TEXT("who", "a\"b"));
	assert_string_equal(without_time(capture_end(&capture)),
	                    "\",\"level\":\"info\",\"event\":\"request\","
	                    "\"route\":\"/v1/games\",\"status\":200,"
	                    "\"who\":\"a\\\"b\"}\n");
}

static void lower_levels_are_not_written(void **state)
{
	static const char *const levels[] = { "debug", "info", "warning",
		                              "error" };
	struct capture capture;

	(void)state;
	for (unsigned lowest = LOG_DEBUG; lowest <= LOG_ERROR; lowest++) {
		log_set_level((enum log_level)lowest);
		for (unsigned level = LOG_DEBUG; level <= LOG_ERROR; level++) {
			capture_begin(&capture);
			log_write((enum log_level)level, "x", NULL, 0);
			const char *line = capture_end(&capture);
			if (level < lowest)
				assert_string_equal(line, "");
			else
				assert_non_null(strstr(line, levels[level]));
		}
	}
	log_set_level(LOG_INFO);
}

static void levels_are_found_by_name(void **state)
{
	enum log_level level = LOG_ERROR;

	(void)state;
	assert_true(log_level_find("debug", &level));
	assert_int_equal(level, LOG_DEBUG);
	assert_true(log_level_find("warning", &level));
	assert_int_equal(level, LOG_WARNING);
	assert_false(log_level_find("", &level));
	assert_false(log_level_find("Info", &level));
	assert_false(log_level_find("errors", &level));
	assert_int_equal(level, LOG_WARNING);
}

/* Too long a line is cut to its event: half an object helps nobody. */
static void a_long_line_is_cut_to_its_event(void **state)
{
	static char text[3000];
	struct capture capture;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	capture_begin(&capture);
	LOG(LOG_WARNING, "long", LOG_TEXT("text", text));
	assert_string_equal(without_time(capture_end(&capture)),
	                    "\",\"level\":\"warning\",\"event\":\"long\"}\n");
}

/* Whole lines, in their order; a warning takes along what is before it. */
static void gathered_lines_are_written_in_order(void **state)
{
	enum { MANY = 100, PIECE_MAX = 4096 };
	struct capture capture;

	(void)state;
	log_gather();
	capture_begin(&capture);
	LOG(LOG_INFO, "first", LOG_INT("number", 1));
	assert_string_equal(capture_end(&capture), "");
	capture_begin(&capture);
	LOG(LOG_WARNING, "second", LOG_INT("number", 2));
	const char *text = capture_end(&capture);
	assert_non_null(strstr(text, "first"));
	assert_true(strstr(text, "second") > strstr(text, "first"));

	capture_begin(&capture);
	for (unsigned i = 0; i < MANY; i++)
		LOG(LOG_INFO, "one of many", LOG_INT("number", i));
	text = capture_end(&capture);
	size_t len = strlen(text);
	assert_true(len > PIECE_MAX / 2);
	assert_int_equal(text[len - 1], '\n');
	capture_begin(&capture);
	log_flush();
	assert_non_null(strstr(capture_end(&capture), "\"number\":99}\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_json_object),
		cmocka_unit_test(lower_levels_are_not_written),
		cmocka_unit_test(levels_are_found_by_name),
		cmocka_unit_test(a_long_line_is_cut_to_its_event),
		cmocka_unit_test(gathered_lines_are_written_in_order),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
