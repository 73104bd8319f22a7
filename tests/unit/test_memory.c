/*
 * test_memory.c - allocation without NULL.  A process that is out of memory
 * ends with its own status and says so; so does one without descriptors or
 * threads.
 */
#include "base/memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* An allocation of 0 bytes is not NULL, and resizing keeps the bytes. */
static void resizing_keeps_the_bytes(void **state)
{
	static const char zeros[100];
	char *taken = xmalloc(0);

	(void)state;
	assert_non_null(taken);
	taken = xrealloc(taken, 3);
	memcpy(taken, "ab", 3);
	taken = xrealloc(taken, 5000);
	assert_string_equal(taken, "ab");
	free(xrealloc(taken, 0));
	taken = xcalloc(1, sizeof(zeros));
	assert_memory_equal(taken, zeros, sizeof(zeros));
	memory_expect(taken);
	free(taken);
}

static void without_memory(void)
{
	memory_expect(NULL);
}

static void without_descriptors(void)
{
	memory_expect_descriptor(STDERR_FILENO);
	errno = EMFILE;
	memory_expect_descriptor(-1);
}

static void without_threads(void)
{
	memory_expect_thread(0);
	memory_expect_thread(EAGAIN);
}

static void without_memory_for_a_thread(void)
{
	memory_expect_thread(ENOMEM);
}

/* The process writes one line to stderr, and leaves no core. */
static void assert_ends(void (*ask)(void), const char *event)
{
	char said[200] = "";
	size_t len = 0;
	ssize_t got;
	int ends[2];
	int status;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)dup2(ends[1], STDERR_FILENO);
		ask();
		_exit(EXIT_SUCCESS);
	}
	(void)close(ends[1]);
	while ((got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += (size_t)got;
	(void)close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), MEMORY_STATUS);
	assert_non_null(strstr(said, event));
	assert_ptr_equal(strchr(said, '\n'), said + len - 1);
}

static void the_process_ends_without(void **state)
{
	(void)state;
	assert_ends(without_memory, "\"event\":\"out_of_memory\"}\n");
	assert_ends(without_descriptors,
	            "\"event\":\"out_of_descriptors\",\"error\":\"Too many "
	            "open files\",\"errno\":24}\n");
	assert_ends(without_threads,
	            "\"event\":\"out_of_threads\",\"error\":\"Resource "
	            "temporarily unavailable\",\"errno\":11}\n");
	assert_ends(without_memory_for_a_thread,
	            "\"event\":\"out_of_memory\"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resizing_keeps_the_bytes),
		cmocka_unit_test(the_process_ends_without),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
