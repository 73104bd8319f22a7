/*
 * A name is checked as the code points of its NFC form, in the order of
 * name_fault.def: characters that break a line, visibility, length, single
 * characters, combining marks, scripts.  An invisible character is allowed only
 * where it makes an emoji.  libunistring has the properties; its version
 * decides which characters are assigned, so a name that was accepted once is
 * never checked again, only compared.
 */
#include "auth/name.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "base/memory.h"

enum {
	ZERO_WIDTH_JOINER = 0x200d,
	EMOJI_SELECTOR = 0xfe0f,
	KEYCAP = 0x20e3,
	MARKS_MAX = 2, /* on one letter */
};

static const struct {
	const char *code;
	const char *detail;
} faults[] = {
#define FAULT(id, code, detail) [NAME_##id] = { code, detail },
#include "auth/name_fault.def"
};

/* Scripts that one language is written in, by UTS 39. */
static const char *const script_sets[][3] = {
	{ "Han", "Hiragana", "Katakana" },
	{ "Han", "Hangul" },
	{ "Han", "Bopomofo" },
};
enum { SCRIPT_SETS = sizeof(script_sets) / sizeof(script_sets[0]) };

const char *name_fault_code(enum name_fault fault)
{
	return faults[fault].code;
}

const char *name_fault_detail(enum name_fault fault)
{
	return faults[fault].detail;
}

/* libunistring works on uint8_t; text is char everywhere else. */
static const uint8_t *bytes_of(const char *text)
{
	return (const uint8_t *)text;
}

static const char *skip_space(const char *text)
{
	ucs4_t c;

	for (;;) {
		int len = u8_strmbtouc(&c, bytes_of(text));
		if (len <= 0 || !uc_is_property_white_space(c))
			return text;
		text += len;
	}
}

/* Where the last character that is no space ends. */
static const char *trimmed_end(const char *text)
{
	const char *end = text;
	ucs4_t c;

	for (;;) {
		int len = u8_strmbtouc(&c, bytes_of(text));
		if (len <= 0)
			return end;
		text += len;
		if (!uc_is_property_white_space(c))
			end = text;
	}
}

/* Controls, line ends, and marks that turn the direction of text. */
static bool spoils_a_line(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_Cc) ||
	       uc_is_general_category(c, UC_CATEGORY_Zl) ||
	       uc_is_general_category(c, UC_CATEGORY_Zp) ||
	       uc_is_property_bidi_control(c);
}

/*
 * Joiners, fillers and blanks of width 0; and two characters that only look
 * like a blank, the empty cell of Braille and the null notehead (U+1D159).
 */
static bool is_invisible(ucs4_t c)
{
	return uc_is_property_default_ignorable_code_point(c) || c == 0x2800 ||
	       c == 0x1d159;
}

/* --- emoji ---------------------------------------------------------------- */

/* True of emoji of newer versions of Unicode too, which reserves their places.
 */
static bool is_pictograph(ucs4_t c)
{
	return uc_is_property_extended_pictographic(c);
}

/* A joiner between two emoji; the first may have a modifier or a selector. */
static bool joins_emoji(const ucs4_t *chars, size_t count, size_t at)
{
	if (at + 1 == count || !is_pictograph(chars[at + 1]))
		return false;
	while (at > 0 && (chars[at - 1] == EMOJI_SELECTOR ||
	                  uc_is_property_emoji_modifier(chars[at - 1])))
		at--;
	return at > 0 && is_pictograph(chars[at - 1]);
}

/* A selector behind an emoji, or between a digit and its keycap. */
static bool selects_emoji(const ucs4_t *chars, size_t count, size_t at)
{
	if (at == 0)
		return false;
	return is_pictograph(chars[at - 1]) ||
	       (uc_is_property_emoji(chars[at - 1]) && at + 1 < count &&
	        chars[at + 1] == KEYCAP);
}

static bool is_in_emoji(const ucs4_t *chars, size_t count, size_t at)
{
	switch (chars[at]) {
	case ZERO_WIDTH_JOINER:
		return joins_emoji(chars, count, at);
	case EMOJI_SELECTOR:
		return selects_emoji(chars, count, at);
	default:
		return false;
	}
}

/* --- checks --------------------------------------------------------------- */

static bool is_unassigned(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_Co) ||
	       (uc_is_general_category(c, UC_CATEGORY_Cn) && !is_pictograph(c));
}

static enum name_fault check_chars(const ucs4_t *chars, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (chars[i] == 0xfffc || chars[i] == 0xfffd)
			return NAME_REPLACEMENT;
		if (is_invisible(chars[i]) && is_in_emoji(chars, count, i))
			continue;
		if (is_invisible(chars[i]) ||
		    uc_is_general_category(chars[i], UC_CATEGORY_Cf))
			return NAME_INVISIBLE;
		if (is_unassigned(chars[i]))
			return NAME_UNASSIGNED;
	}
	return NAME_OK;
}

/* A mark above, below or around a letter, not beside it. */
static bool is_mark(ucs4_t c)
{
	return !is_invisible(c) && (uc_is_general_category(c, UC_CATEGORY_Mn) ||
	                            uc_is_general_category(c, UC_CATEGORY_Me));
}

static bool has_few_marks(const ucs4_t *chars, size_t count)
{
	unsigned marks = MARKS_MAX; /* so that no name begins with one */

	for (size_t i = 0; i < count; i++) {
		if (!is_mark(chars[i])) {
			if (!uc_is_general_category(chars[i], UC_CATEGORY_M))
				marks = 0;
			continue;
		}
		if (marks == MARKS_MAX)
			return false;
		marks++;
	}
	return true;
}

static bool is_in_set(const uc_script_t *script, size_t set)
{
	for (size_t i = 0; i < 3 && script_sets[set][i]; i++) {
		if (strcmp(script->name, script_sets[set][i]) == 0)
			return true;
	}
	return false;
}

static bool is_of_any_script(const uc_script_t *script)
{
	return !script || strcmp(script->name, "Common") == 0 ||
	       strcmp(script->name, "Inherited") == 0;
}

static bool is_one_script(const ucs4_t *chars, size_t count)
{
	const uc_script_t *first = NULL;
	bool fits[SCRIPT_SETS] = { true, true, true };
	bool is_one = true;

	for (size_t i = 0; i < count; i++) {
		const uc_script_t *script = uc_script(chars[i]);

		if (is_of_any_script(script))
			continue;
		if (!first)
			first = script;
		is_one = is_one && script == first;
		for (size_t set = 0; set < SCRIPT_SETS; set++)
			fits[set] = fits[set] && is_in_set(script, set);
	}
	return is_one || fits[0] || fits[1] || fits[2];
}

/*
 * NFKC maps mathematical letters to Latin ones.  Emoji have no script, also
 * those that show a letter, such as the katakana in a square.
 */
static bool has_one_script(const ucs4_t *chars, size_t count)
{
	ucs4_t letters[NAME_MAX];
	size_t letters_count = 0;
	size_t len;

	for (size_t i = 0; i < count; i++) {
		if (!is_pictograph(chars[i]))
			letters[letters_count++] = chars[i];
	}
	if (letters_count == 0)
		return true;
	ucs4_t *plain =
		u32_normalize(UNINORM_NFKC, letters, letters_count, NULL, &len);
	memory_expect(plain);
	bool is_one = is_one_script(plain, len);
	free(plain);
	return is_one;
}

static enum name_fault check(const char *text)
{
	ucs4_t chars[NAME_MAX];
	size_t count = 0;
	bool visible = false;
	ucs4_t c;

	for (;;) {
		int len = u8_strmbtouc(&c, bytes_of(text));
		if (len <= 0)
			break;
		if (spoils_a_line(c))
			return NAME_CONTROL;
		visible = visible || !is_invisible(c);
		text += len;
		if (count < NAME_MAX)
			chars[count] = c;
		count++;
	}
	if (!visible)
		return NAME_EMPTY;
	if (count > NAME_MAX)
		return NAME_TOO_LONG;
	enum name_fault fault = check_chars(chars, count);
	if (fault)
		return fault;
	if (!has_few_marks(chars, count))
		return NAME_MARKS;
	return has_one_script(chars, count) ? NAME_OK : NAME_SCRIPTS;
}

/* --- reading -------------------------------------------------------------- */

/* Copy into the arena, and free, what libunistring allocated. */
static const char *move_to(struct arena *arena, uint8_t *bytes, size_t len)
{
	memory_expect(bytes);
	const char *text = arena_strndup(arena, (const char *)bytes, len);
	free(bytes);
	return text;
}

/* Copy a text without its invisible characters; returns the length. */
static size_t copy_visible(const char *text, uint8_t *into)
{
	const uint8_t *at = bytes_of(text);
	size_t len = 0;
	ucs4_t c;

	for (;;) {
		int step = u8_strmbtouc(&c, at);
		if (step <= 0)
			return len;
		if (!is_invisible(c)) {
			memcpy(into + len, at, (size_t)step);
			len += (size_t)step;
		}
		at += step;
	}
}

/*
 * Case-fold in form NFKC, before and after: a mathematical letter has no lower
 * case, and folding may leave letters that compose.
 */
static uint8_t *fold(const char *text, size_t *len)
{
	uint8_t *visible = xmalloc(strlen(text) + 1);
	size_t visible_len = copy_visible(text, visible);
	size_t plain_len;
	uint8_t *plain = u8_normalize(UNINORM_NFKC, visible, visible_len, NULL,
	                              &plain_len);
	memory_expect(plain);
	free(visible);
	uint8_t *folded =
		u8_casefold(plain, plain_len, NULL, UNINORM_NFKC, NULL, len);
	memory_expect(folded);
	free(plain);
	return folded;
}

enum name_fault name_parse(const char *text, struct arena *arena,
                           struct name *name)
{
	const char *start = skip_space(text);
	const char *end = trimmed_end(start);
	size_t len;

	uint8_t *normal = u8_normalize(UNINORM_NFC, bytes_of(start),
	                               (size_t)(end - start), NULL, &len);
	if (!normal && errno == ENOMEM)
		memory_fail();
	if (!normal && end > start)
		return NAME_CONTROL;
	const char *shown =
		end > start ? move_to(arena, normal, len) : (free(normal), "");
	enum name_fault fault = check(shown);
	if (fault)
		return fault;
	uint8_t *folded = fold(shown, &len);
	*name = (struct name){ shown, move_to(arena, folded, len) };
	return NAME_OK;
}

bool name_has_key(const char *text, const char *key)
{
	size_t len;
	uint8_t *folded = fold(text, &len);

	bool same = strlen(key) == len && memcmp(folded, key, len) == 0;
	free(folded);
	return same;
}
