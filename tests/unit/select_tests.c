/*
 * select_tests.c - lets pytest list the tests of a cmocka program, and run
 * some.
 *
 * The Makefile links every test program with --wrap=_cmocka_run_group_tests, so
 * each group comes here first.  With GANGD_TESTS=list in the environment a
 * group prints its name and those of its tests, and runs no test.  Any other
 * value selects tests by "GROUP.TEST", two numbers from 0 in the order of the
 * list, each followed by a space.  Without the variable all tests run.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
int __real__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
/* NOLINTEND(bugprone-reserved-identifier) */

static unsigned groups_met;

static int list(const char *name, const struct CMUnitTest *tests, size_t count)
{
	printf("group %s\n", name);
	for (size_t i = 0; i < count; i++)
		printf("test %s\n", tests[i].name);
	return 0;
}

static bool is_selected(const char *selection, unsigned group, size_t test)
{
	char word[48];
	const char *found;

	(void)snprintf(word, sizeof(word), "%u.%zu ", group, test);
	found = strstr(selection, word);
	while (found && found != selection && found[-1] != ' ')
		found = strstr(found + 1, word);
	return found;
}

/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
int __wrap__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown)
{
	const char *selection = getenv("GANGD_TESTS");
	unsigned group = groups_met++;
	struct CMUnitTest *chosen;
	size_t chosen_count = 0;
	int failed = 0;

	if (!selection)
		return __real__cmocka_run_group_tests(name, tests, count, setup,
		                                      teardown);
	if (strcmp(selection, "list") == 0)
		return list(name, tests, count);
	chosen = calloc(count + 1, sizeof(*chosen));
	if (!chosen)
		abort();
	for (size_t i = 0; i < count; i++)
		if (is_selected(selection, group, i))
			chosen[chosen_count++] = tests[i];
	if (chosen_count > 0)
		failed = __real__cmocka_run_group_tests(name, chosen,
		                                        chosen_count, setup,
		                                        teardown);
	free(chosen);
	return failed;
}
