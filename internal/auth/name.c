/*
 * A name is checked as the code points of its NFC form, in the order of
 * name_fault.def: characters that break a line, visibility, length, single
 * characters, combining marks, scripts.  The marks of direction, which
 * keyboards add, are dropped before.  libunistring has the properties; its
 * version decides which characters are assigned, so a name that was accepted
 * once is never checked again, only compared.
 */
#include "auth/name.h"

#include <stdlib.h>
#include <string.h>

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "auth/invisible.h"
#include "auth/skeleton.h"
#include "base/memory.h"

enum { MARKS_MAX = 2 }; /* on one letter */

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

/* The three marks that only act as an invisible letter of one direction.
 */
static bool is_direction_mark(ucs4_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f;
}

/* Controls, line ends, and marks that turn the direction of text. */
static bool spoils_a_line(ucs4_t c)
{
	return uc_is_general_category_withtable(c,
	                                        UC_CATEGORY_MASK_Cc |
	                                                UC_CATEGORY_MASK_Zl |
	                                                UC_CATEGORY_MASK_Zp) ||
	       uc_is_property_bidi_control(c);
}

/* --- checks --------------------------------------------------------------- */

static bool is_unassigned(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_Co) ||
	       (uc_is_general_category(c, UC_CATEGORY_Cn) &&
	        !invisible_is_pictograph(c));
}

static enum name_fault check_chars(const ucs4_t *chars, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (chars[i] == 0xfffc || chars[i] == 0xfffd)
			return NAME_REPLACEMENT;
		if (invisible_is(chars[i]) &&
		    invisible_is_needed(chars, count, i))
			continue;
		if (invisible_is(chars[i]) ||
		    uc_is_general_category(chars[i], UC_CATEGORY_Cf))
			return NAME_INVISIBLE;
		if (is_unassigned(chars[i]))
			return NAME_UNASSIGNED;
	}
	return NAME_OK;
}

/* A mark above, below or around a letter, not next to it. */
static bool is_mark(ucs4_t c)
{
	return !invisible_is(c) &&
	       uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Mn |
	                                                   UC_CATEGORY_MASK_Me);
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

/* In a normal form; the caller frees it. */
static ucs4_t *normalize(uninorm_t form, const ucs4_t *chars, size_t count,
                         size_t *normal_count)
{
	ucs4_t *normal = u32_normalize(form, chars, count, NULL, normal_count);

	memory_expect(normal);
	return normal;
}

/* Copy the characters that are not of a kind; returns their number. */
static size_t copy_others(ucs4_t *into, const ucs4_t *chars, size_t count,
                          bool (*is_of_kind)(ucs4_t))
{
	size_t copied = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_of_kind(chars[i]))
			into[copied++] = chars[i];
	}
	return copied;
}

/*
 * NFKC maps mathematical letters to Latin ones.  Emoji have no script, also
 * those that show a letter, such as the katakana in a square.
 */
static bool has_one_script(const ucs4_t *chars, size_t count)
{
	ucs4_t letters[NAME_MAX];

	count = copy_others(letters, chars, count, invisible_is_pictograph);
	ucs4_t *plain = normalize(UNINORM_NFKC, letters, count, &count);
	bool is_one = is_one_script(plain, count);
	free(plain);
	return is_one;
}

static enum name_fault check(const ucs4_t *chars, size_t count)
{
	bool visible = false;

	for (size_t i = 0; i < count; i++) {
		if (spoils_a_line(chars[i]))
			return NAME_CONTROL;
		visible = visible || !invisible_is(chars[i]);
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

/* The characters of a text in UTF-8; the caller frees them. */
static ucs4_t *decode(const char *text, size_t *count)
{
	ucs4_t *chars =
		u8_to_u32((const uint8_t *)text, strlen(text), NULL, count);

	memory_expect(chars);
	return chars;
}

/* A text in UTF-8, in the arena. */
static const char *encode(const ucs4_t *chars, size_t count,
                          struct arena *arena)
{
	size_t len;
	uint8_t *bytes = u32_to_u8(chars, count, NULL, &len);

	memory_expect(bytes);
	const char *text = arena_strndup(arena, (const char *)bytes, len);
	free(bytes);
	return text;
}

/*
 * The key of a name, whose characters are freed: without invisible characters,
 * case-folded, in form NFKC before and after.  A mathematical letter has no
 * lower case, and folding may leave letters that compose.
 */
static const char *key_of(ucs4_t *chars, size_t count, struct arena *arena)
{
	count = copy_others(chars, chars, count, invisible_is);
	ucs4_t *plain = normalize(UNINORM_NFKC, chars, count, &count);
	ucs4_t *folded =
		u32_casefold(plain, count, NULL, UNINORM_NFKC, NULL, &count);
	memory_expect(folded);
	const char *key = encode(folded, count, arena);
	free(folded);
	free(plain);
	free(chars);
	return key;
}

enum name_fault name_parse(const char *text, struct arena *arena,
                           struct name *name)
{
	size_t count;
	ucs4_t *sent = decode(text, &count);
	const ucs4_t *start = sent;

	count = copy_others(sent, sent, count, is_direction_mark);

	for (; count > 0 && uc_is_property_white_space(*start); start++)
		count--;
	while (count > 0 && uc_is_property_white_space(start[count - 1]))
		count--;
	ucs4_t *shown = normalize(UNINORM_NFC, start, count, &count);
	free(sent);
	enum name_fault fault = check(shown, count);
	if (fault) {
		free(shown);
		return fault;
	}
	name->text = encode(shown, count, arena);
	name->key = key_of(shown, count, arena);
	return NAME_OK;
}

static enum name_fault check_avatar(const ucs4_t *chars, size_t count,
                                    size_t bytes)
{
	bool visible = false;

	for (size_t i = 0; i < count; i++) {
		if (spoils_a_line(chars[i]))
			return NAME_CONTROL;
		visible = visible || !(invisible_is(chars[i]) ||
		                       uc_is_property_white_space(chars[i]));
	}
	if (!visible)
		return NAME_EMPTY;
	if (bytes > NAME_AVATAR_MAX)
		return NAME_AVATAR_TOO_LONG;
	return check_chars(chars, count);
}

enum name_fault name_check_avatar(const char *text)
{
	size_t count;
	ucs4_t *chars = decode(text, &count);
	enum name_fault fault = check_avatar(chars, count, strlen(text));

	free(chars);
	return fault;
}

bool name_is_text(const uint8_t *bytes, size_t len)
{
	return !u8_check(bytes, len) && !memchr(bytes, '\0', len);
}

/* A key in capitals: two texts may look alike in one case alone, or as sent. */
static const char *in_capitals(const char *key, struct arena *arena)
{
	size_t len;
	uint8_t *capitals = u8_toupper((const uint8_t *)key, strlen(key), NULL,
	                               NULL, NULL, &len);

	memory_expect(capitals);
	const char *text = arena_strndup(arena, (const char *)capitals, len);
	free(capitals);
	return text;
}

static bool look_alike(const char *one, const char *other, struct arena *arena)
{
	return strcmp(skeleton_of(one, arena), skeleton_of(other, arena)) == 0;
}

bool name_is_like(const struct name *name, const char *other,
                  struct arena *arena)
{
	size_t count;
	ucs4_t *chars = decode(other, &count);
	const char *key = key_of(chars, count, arena);

	return strcmp(name->key, key) == 0 ||
	       look_alike(name->text, other, arena) ||
	       look_alike(name->key, key, arena) ||
	       look_alike(in_capitals(name->key, arena),
	                  in_capitals(key, arena), arena);
}
