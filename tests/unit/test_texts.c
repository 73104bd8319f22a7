/*
 * test_texts.c - every code of the rules has its texts in every language, and
 * there are no others.
 */
#include "service/texts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

enum { KEY_SIZE = 64 };

/*
 * The subjects that have texts, each with two parts; the second one explains.
 * A section of the guide may have more of the second, text_2 and so on.
 */
struct subject {
	const char *name; /* of the test, and the kind */
	const char *code;
	const char *first; /* NULL: it has none */
	const char *second;
};

static struct subject subjects[] = {
#define MODE(name, number, code, ...) { "mode", code, "name", "text" },
#include "games/gang/rules/mode.def"
#define CHALLENGE(name, number, code, ...) \
	{ "challenge", code, "name", "text" },
#include "games/gang/rules/challenge.def"
#define SPECIALIST(name, number, code, ...) \
	{ "specialist", code, "name", "text" },
#include "games/gang/rules/specialist.def"
#define RANKING(name, code) { "ranking", code, "name", "text" },
#include "poker/ranking.def"
#define FAMILY(name, code, ...) { "family", code, "name", "text" },
#include "games/famiglia/rules/family.def"
#define SECTION(code) { "guide", code, "title", "text_1" },
#include "games/gang/guide.def"
#define SECTION(code) { "guide", code, "title", "text_1" },
#include "games/famiglia/guide.def"
#define WORD(code, ...) { "word", code, "name", "text" },
#include "games/gang/word.def"
#define WORD(code, ...) { "word", code, "name", "text" },
#include "games/famiglia/word.def"
#define ACTION(code, ...) { "action", code, "name", "text" },
#include "games/gang/action.def"
#define ACTION(code, ...) { "action", code, "name", "text" },
#include "games/famiglia/action.def"
#define ACTION(code, ...) { "action", code, "name", "text" },
#define OF_GAMES
#include "service/action.def"
#define ERR(name, code, ...) { "problem", code, "title", "text" },
#include "base/err.def"
#define SENTENCE(kind, code, part, ...) { kind, code, NULL, part },
#include "games/gang/sentence.def"
#define SENTENCE(kind, code, part, ...) { kind, code, NULL, part },
#include "games/famiglia/sentence.def"
#define SENTENCE(kind, code, part, ...) { kind, code, NULL, part },
#include "service/sentence.def"
};

/* The subjects that must have a sentence. */
static struct subject told[] = {
#define SPECIALIST(name, number, code, ...) \
	{ "announcement", code, NULL, "text" },
#include "games/gang/rules/specialist.def"
#define EVENT(name, number, code) { "event", code, NULL, "text" },
#include "table/event.def"
#define EVENT(name, number, code, ...) { "event", code, NULL, "text" },
#include "games/gang/rules/gang_event.def"
#define EVENT(name, number, code, ...) { "event", code, NULL, "text" },
#include "games/famiglia/rules/famiglia_event.def"
#define STATUS(name, code) { "status", code, NULL, "text" },
#include "table/status.def"
};

/* The keys of all texts that the service has. */
static const char *const keys[] = {
#define LANGUAGE(tag)
#define TEXT(key, ...) key,
#include "service/texts.def"
};

/* The first row of err.def is no problem. */
static bool is_exempt(const struct subject *subject)
{
	return strcmp(subject->name, "problem") == 0 &&
	       strcmp(subject->code, "ok") == 0;
}

static void print_key(char *key, const struct subject *subject,
                      const char *part)
{
	(void)snprintf(key, KEY_SIZE, "%s.%s.%s", subject->name, subject->code,
	               part);
}

static void check_key(const char *key)
{
	size_t languages;

	(void)texts_languages(&languages);
	for (size_t i = 0; i < languages; i++) {
		const char *text = texts_find(key, i);
		if (!text || !*text)
			fail_msg("%s is missing", key);
	}
}

static void check_subject(void **state)
{
	const struct subject *subject = *state;
	char key[KEY_SIZE];

	if (is_exempt(subject))
		return;
	if (subject->first) {
		print_key(key, subject, subject->first);
		check_key(key);
	}
	print_key(key, subject, subject->second);
	check_key(key);
}

/* A row of sentence.def is what an answer has, and the text is its own. */
static void check_told(void **state)
{
	const struct subject *wanted = *state;

	for (size_t i = 0; i < ARRAY_LEN(subjects); i++) {
		const struct subject *subject = &subjects[i];
		if (strcmp(subject->name, wanted->name) == 0 &&
		    strcmp(subject->code, wanted->code) == 0 &&
		    strcmp(subject->second, wanted->second) == 0)
			return;
	}
	fail_msg("%s %s has no sentence", wanted->name, wanted->code);
}

/* A name may be the same in two languages, an explanation is not. */
static void check_translated(void **state)
{
	const struct subject *subject = *state;
	char key[KEY_SIZE];
	size_t languages;

	if (is_exempt(subject))
		return;
	(void)texts_languages(&languages);
	print_key(key, subject, subject->second);
	for (size_t one = 0; one < languages; one++) {
		for (size_t other = 0; other < one; other++)
			assert_string_not_equal(texts_find(key, one),
			                        texts_find(key, other));
	}
}

/* True if the key is that of a part of one of the subjects. */
static bool is_wanted(const char *key)
{
	char wanted[KEY_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(subjects) * 2; i++) {
		const struct subject *subject = &subjects[i / 2];
		const char *part = i % 2 ? subject->second : subject->first;
		if (!part || is_exempt(subject))
			continue;
		print_key(wanted, subject, part);
		if (strcmp(key, wanted) == 0)
			return true;
	}
	return false;
}

/* Paragraphs are read from the first to the last, without a gap. */
static bool is_next_paragraph(const char *key)
{
	size_t len = strlen(key);
	char before[KEY_SIZE];

	if (strncmp(key, "guide.", 6) != 0 || key[len - 1] <= '1')
		return false;
	memcpy(before, key, len + 1);
	before[len - 1]--;
	return texts_find(before, 0) != NULL;
}

static void check_left_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (!is_wanted(keys[i]) && !is_next_paragraph(keys[i]))
			fail_msg("%s is left over", keys[i]);
	}
}

static void check_languages(void **state)
{
	size_t count;
	const char *const *languages = texts_languages(&count);

	(void)state;
	assert_int_equal(count, 4);
	assert_string_equal(languages[0], "en");
	assert_string_equal(texts_find("ranking.pair.name", 0), "Pair");
	assert_null(texts_find("ranking.pair", 0));
	assert_null(texts_find("", count - 1));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, subjects, check_subject);
	ROWS_ADD(&rows, subjects, check_translated);
	ROWS_ADD(&rows, told, check_told);
	rows_add(&rows, "there are no texts without a code", check_left_over,
	         NULL);
	rows_add(&rows, "the languages", check_languages, NULL);
	return rows_run("texts", &rows);
}
