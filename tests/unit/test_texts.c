/*
 * test_texts.c - all that the rules have is explained, in every language, and
 * nothing else is.
 */
#include "service/texts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

enum { KEY_SIZE = 64 };

/* What there are texts for. */
struct subject {
	const char *name; /* of the test, and the kind */
	const char *code;
};

static struct subject subjects[] = {
#define MODE(name, number, code, ...) { "mode", code },
#include "gang/mode.def"
#define CHALLENGE(name, number, code, ...) { "challenge", code },
#include "gang/challenge.def"
#define SPECIALIST(name, number, code, ...) { "specialist", code },
#include "gang/specialist.def"
#define RANKING(name, code) { "ranking", code },
#include "poker/ranking.def"
#define FAMILY(name, code, ...) { "family", code },
#include "famiglia/family.def"
};

static const char *const parts[] = { "name", "text" };

static void check_key(const char *key)
{
	size_t languages;

	(void)text_languages(&languages);
	for (size_t i = 0; i < languages; i++) {
		const char *text = text_find(key, i);
		if (!text || !*text)
			fail_msg("%s is missing", key);
	}
}

static void check_subject(void **state)
{
	const struct subject *subject = *state;
	char key[KEY_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		(void)snprintf(key, sizeof(key), "%s.%s.%s", subject->name,
		               subject->code, parts[i]);
		check_key(key);
	}
}

/* A name may be the same in two languages, an explanation is not. */
static void check_translated(void **state)
{
	const struct subject *subject = *state;
	char key[KEY_SIZE];
	size_t languages;

	(void)text_languages(&languages);
	(void)snprintf(key, sizeof(key), "%s.%s.text", subject->name,
	               subject->code);
	for (size_t one = 0; one < languages; one++) {
		for (size_t other = 0; other < one; other++)
			assert_string_not_equal(text_find(key, one),
			                        text_find(key, other));
	}
}

/* True if the key is that of a part of one of the subjects. */
static bool is_wanted(const char *key)
{
	char wanted[KEY_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(subjects) * ARRAY_LEN(parts); i++) {
		const struct subject *subject = &subjects[i / ARRAY_LEN(parts)];
		(void)snprintf(wanted, sizeof(wanted), "%s.%s.%s",
		               subject->name, subject->code,
		               parts[i % ARRAY_LEN(parts)]);
		if (strcmp(key, wanted) == 0)
			return true;
	}
	return false;
}

static void check_left_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < text_count(); i++) {
		if (!is_wanted(text_key(i)))
			fail_msg("%s is left over", text_key(i));
	}
	assert_int_equal(text_count(), ARRAY_LEN(subjects) * ARRAY_LEN(parts));
}

static void check_languages(void **state)
{
	size_t count;
	const char *const *languages = text_languages(&count);

	(void)state;
	assert_int_equal(count, 4);
	assert_string_equal(languages[0], "en");
	assert_string_equal(text_find("ranking.pair.name", 0), "Pair");
	assert_null(text_find("ranking.pair", 0));
	assert_null(text_find("", count - 1));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, subjects, check_subject);
	ROWS_ADD(&rows, subjects, check_translated);
	rows_add(&rows, "nothing is left over", check_left_over, NULL);
	rows_add(&rows, "the languages", check_languages, NULL);
	return rows_run("texts", &rows);
}
