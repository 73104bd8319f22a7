/*
 * check.c - runs the table of checks and prints the results.
 *
 * A row of the table with an area and no name is a heading.  Checks whose needs
 * are not met are left out, and so is a heading without a check; counts[] holds
 * how many results there were of each level, and lacking[] how many checks were
 * left out for want of each thing that the last line names.
 */
#include "operator/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json_out.h"
#include "base/memory.h"

enum { JSON_MAX = 131072 };

static const char *const levels[] = { "ok", "warn", "fail", "unknown" };

enum lack { LACK_NOTHING, LACK_FILE, LACK_PUSH_FILE, LACK_DATABASE, LACKS };

static const char *const lack_names[LACKS] = { NULL, "--env-file",
	                                       "--push-env-file",
	                                       "a database" };

struct report {
	unsigned counts[CHECK_LEVELS];
	unsigned lacking[LACKS];
	const char *area;
	bool is_headed;        /* the area is printed */
	struct json_out *json; /* NULL: text */
};

static void print_text(struct report *report, const struct check *check,
                       const struct check_result *result)
{
	if (!report->is_headed)
		(void)printf("%s\n", report->area);
	report->is_headed = true;
	(void)printf("  %-4s  %s: %s\n", levels[result->level], check->name,
	             result->found);
	if (result->level != CHECK_OK)
		(void)printf("        advice: %s\n", result->advice);
}

static void print_json(struct report *report, const struct check *check,
                       const struct check_result *result)
{
	json_object(report->json);
	json_key_string(report->json, "area", report->area);
	json_key_string(report->json, "name", check->name);
	json_key_string(report->json, "level", levels[result->level]);
	json_key_string(report->json, "found", result->found);
	json_key_string_or_null(report->json, "fix",
	                        result->level == CHECK_OK ? NULL
	                                                  : result->advice);
	json_object_end(report->json);
}

static enum lack find_lack(const struct check *check,
                           const struct check_facts *facts)
{
	const struct survey_answer *found = facts->survey.facts;
	bool is_refused = found[SURVEY_refusal].finding == FINDING_FOUND;
	bool has_push = facts->push_env_file != NULL;

	switch (check->needs) {
	case NEEDS_NOTHING:
		break;
	case NEEDS_FILE:
		return facts->env_file ? LACK_NOTHING : LACK_FILE;
	case NEEDS_DATABASE:
		return is_refused ? LACK_DATABASE : LACK_NOTHING;
	case NEEDS_PUSH_ROLE:
		if (has_push &&
		    (is_refused ||
		     found[SURVEY_push_refusal].finding == FINDING_FOUND))
			return LACK_DATABASE;
		return has_push ? LACK_NOTHING : LACK_PUSH_FILE;
	case NEEDS_PUSH_FILE:
		return has_push ? LACK_NOTHING : LACK_PUSH_FILE;
	}
	return LACK_NOTHING;
}

static void run_one(struct report *report, const struct check *check,
                    const struct check_facts *facts)
{
	struct check_result result = { .level = CHECK_OK };

	if (!check->name) {
		report->area = check->area;
		report->is_headed = false;
		return;
	}
	enum lack lack = find_lack(check, facts);
	report->lacking[lack]++;
	if (lack)
		return;
	check->judge(check, facts, &result);
	report->counts[result.level]++;
	if (report->json)
		print_json(report, check, &result);
	else
		print_text(report, check, &result);
}

static void run_all(struct report *report, const struct check_facts *facts)
{
	for (unsigned i = 0; i < check_count; i++)
		run_one(report, &check_table[i], facts);
}

static void report_text(struct report *report, const struct check_facts *facts)
{
	run_all(report, facts);
	(void)printf("%u ok, %u warn, %u fail, %u unknown",
	             report->counts[CHECK_OK], report->counts[CHECK_WARN],
	             report->counts[CHECK_FAIL], report->counts[CHECK_UNKNOWN]);
	for (unsigned i = LACK_NOTHING + 1; i < LACKS; i++) {
		if (report->lacking[i])
			(void)printf(", %u not done without %s",
			             report->lacking[i], lack_names[i]);
	}
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
	unsigned skipped = 0;
	for (unsigned i = LACK_NOTHING + 1; i < LACKS; i++)
		skipped += report->lacking[i];
	json_key_int(&out, "skipped", skipped);
	json_object_end(&out);
	report->json = NULL;
	bool fits = json_out_fits(&out);
	if (fits)
		(void)printf("%.*s\n", (int)json_out_len(&out), buffer);
	free(buffer);
	return fits;
}

enum verdict check_run(struct check_facts *facts,
                       const struct survey_urls *urls, bool as_json)
{
	struct report report = { .area = "" };
	struct arena arena;
	bool printed = true;

	arena_init(&arena);
	survey_database(&facts->survey, &arena, urls);
	if (as_json)
		printed = report_json(&report, facts);
	else
		report_text(&report, facts);
	arena_fini(&arena);
	if (report.counts[CHECK_FAIL])
		return VERDICT_BAD;
	return printed && report.counts[CHECK_UNKNOWN] == 0 ? VERDICT_DONE
	                                                    : VERDICT_UNKNOWN;
}
