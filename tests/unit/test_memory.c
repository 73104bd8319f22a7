/*
 * test_memory.c - allocation without NULL.  A process that is out of memory
 * ends with its own status and says so.
 */
#include "base/memory.h"

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

/* The process writes one line to stderr, and leaves no core. */
static void without_memory_the_process_ends(void **state)
{
	char said[200] = "";
	size_t len = 0;
	ssize_t got;
	int ends[2];
	int status;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)dup2(ends[1], STDERR_FILENO);
		memory_expect(NULL);
		_exit(EXIT_SUCCESS);
	}
	(void)close(ends[1]);
	while ((got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += (size_t)got;
	(void)close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), MEMORY_STATUS);
	assert_non_null(strstr(said, "\"event\":\"out_of_memory\"}\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resizing_keeps_the_bytes),
		cmocka_unit_test(without_memory_the_process_ends),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
