/*
 * check.c - runs the table of checks and prints the results.
 *
 * A row of the table with an area and no name is a heading.  Checks whose needs
 * are not met are left out; counts[] holds how many results there were of each
 * level.
 */
#include "operator/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json_out.h"
#include "base/memory.h"

enum { JSON_MAX = 131072 };

static const char *const levels[] = { "ok", "warn", "fail" };

struct report {
	unsigned counts[CHECK_LEVELS];
	unsigned skipped;
	const char *area;
	struct json_out *json; /* NULL: text */
};

static void print_text(const struct check *check,
                       const struct check_result *result)
{
	(void)printf("  %-4s  %s: %s\n", levels[result->level], check->name,
	             result->found);
	if (result->level != CHECK_OK)
		(void)printf("        mend: %s\n", result->mend);
}

static void print_json(struct report *report, const struct check *check,
                       const struct check_result *result)
{
	json_object(report->json);
	json_key_string(report->json, "area", report->area);
	json_key_string(report->json, "name", check->name);
	json_key_string(report->json, "level", levels[result->level]);
	json_key_string(report->json, "found", result->found);
	json_key_string_or_null(report->json, "mend",
	                        result->level == CHECK_OK ? NULL
	                                                  : result->mend);
	json_object_end(report->json);
}

static bool is_possible(const struct check *check,
                        const struct check_facts *facts)
{
	switch (check->needs) {
	case NEEDS_NOTHING:
		return true;
	case NEEDS_FILE:
		return facts->env_file;
	case NEEDS_DATABASE:
		return !facts->survey.facts[SURVEY_refusal];
	}
	return false;
}

static void run_one(struct report *report, const struct check *check,
                    const struct check_facts *facts)
{
	struct check_result result = { .level = CHECK_OK };

	if (!check->name) {
		report->area = check->area;
		if (!report->json)
			(void)printf("%s\n", check->area);
		return;
	}
	if (!is_possible(check, facts)) {
		report->skipped++;
		return;
	}
	check->judge(check, facts, &result);
	report->counts[result.level]++;
	if (report->json)
		print_json(report, check, &result);
	else
		print_text(check, &result);
}

static void run_all(struct report *report, const struct check_facts *facts)
{
	for (unsigned i = 0; i < check_count; i++)
		run_one(report, &check_table[i], facts);
}

static void report_text(struct report *report, const struct check_facts *facts)
{
	run_all(report, facts);
	(void)printf("%u ok, %u warn, %u fail", report->counts[CHECK_OK],
	             report->counts[CHECK_WARN], report->counts[CHECK_FAIL]);
	if (report->skipped)
		(void)printf(", %u not done without %s", report->skipped,
		             facts->survey.facts[SURVEY_refusal]
		                     ? "a database"
		                     : "--env-file");
	(void)printf("\n");
}

static bool report_json(struct report *report, const struct check_facts *facts)
{
	char *buffer = xmalloc(JSON_MAX);
	struct json_out out;

	json_out_init(&out, buffer, JSON_MAX);
	report->json = &out;
	json_object(&out);
	json_key_array(&out, "checks");
	run_all(report, facts);
	json_array_end(&out);
	for (unsigned i = 0; i < CHECK_LEVELS; i++)
		json_key_int(&out, levels[i], report->counts[i]);
	json_key_int(&out, "skipped", report->skipped);
	json_object_end(&out);
	report->json = NULL;
	bool fits = json_out_fits(&out);
	if (fits)
		(void)printf("%.*s\n", (int)json_out_len(&out), buffer);
	free(buffer);
	return fits;
}

bool check_run(struct check_facts *facts, const char *app_url,
               const char *owner_url, bool as_json)
{
	struct report report = { .area = "" };
	struct arena arena;
	bool printed = true;

	arena_init(&arena);
	survey_database(&facts->survey, &arena, app_url, owner_url);
	if (as_json)
		printed = report_json(&report, facts);
	else
		report_text(&report, facts);
	arena_fini(&arena);
	return printed && report.counts[CHECK_FAIL] == 0;
}
