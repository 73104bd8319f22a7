/*
 * An invisible character is judged by its neighbours.  The joiners follow UAX
 * 31, section 2.3 (rules A1, A2 and B), selectors follow a character that has
 * variants, and emoji are as in UTS 51.  libunistring has the properties; no
 * list of ours says which letters a script has.
 */
#include "auth/invisible.h"

#include <string.h>

#include <unictype.h>

enum {
	ZERO_WIDTH_NON_JOINER = 0x200c,
	ZERO_WIDTH_JOINER = 0x200d,
	VOWEL_SEPARATOR = 0x180e, /* of Mongolian */
	TEXT_SELECTOR = 0xfe0e,
	EMOJI_SELECTOR = 0xfe0f,
	BLACK_FLAG = 0x1f3f4,
	TAG = 0xe0000, /* and an ASCII character is the tag of that */
	TAG_END = 0xe007f,
	KEYCAP = 0x20e3,
};

/*
 * Joiners, fillers and blanks of width 0; and two characters that only look
 * like a blank, the empty cell of Braille and the null notehead (U+1D159).
 */
bool invisible_is(ucs4_t c)
{
	return uc_is_property_default_ignorable_code_point(c) || c == 0x2800 ||
	       c == 0x1d159;
}

/* --- emoji ---------------------------------------------------------------- */

/* True of emoji of newer versions of Unicode too, which reserves their places.
 */
bool invisible_is_pictograph(ucs4_t c)
{
	return uc_is_property_extended_pictographic(c);
}

/* A joiner between two emoji; the first may have a modifier or a selector. */
static bool joins_emoji(const ucs4_t *chars, size_t count, size_t at)
{
	if (at + 1 == count || !invisible_is_pictograph(chars[at + 1]))
		return false;
	while (at > 0 && (chars[at - 1] == EMOJI_SELECTOR ||
	                  uc_is_property_emoji_modifier(chars[at - 1])))
		at--;
	return at > 0 && invisible_is_pictograph(chars[at - 1]);
}

/* A selector after an emoji, or between a digit and its keycap. */
static bool selects_emoji(const ucs4_t *chars, size_t count, size_t at)
{
	if (at == 0)
		return false;
	return invisible_is_pictograph(chars[at - 1]) ||
	       (uc_is_property_emoji(chars[at - 1]) && at + 1 < count &&
	        chars[at + 1] == KEYCAP);
}

static bool is_tag(ucs4_t c)
{
	return (c >= TAG + 'a' && c <= TAG + 'z') ||
	       (c >= TAG + '0' && c <= TAG + '9');
}

/* In the flag of a part of a country: three to six tags, and their end. */
static bool tags_flag(const ucs4_t *chars, size_t count, size_t at)
{
	size_t first = at;
	size_t end = at;

	while (first > 0 && is_tag(chars[first - 1]))
		first--;
	while (end < count && is_tag(chars[end]))
		end++;
	return first > 0 && chars[first - 1] == BLACK_FLAG && end < count &&
	       chars[end] == TAG_END && end - first >= 3 && end - first <= 6;
}

/* --- scripts ---------------------------------------------------------------
 */

static bool is_letter(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_L);
}

static bool is_virama(ucs4_t c)
{
	return uc_combining_class(c) == UC_CCC_VR;
}

/* The joining type of the next letter that has one, to the left or right. */
static int joining_next(const ucs4_t *chars, size_t count, size_t at,
                        bool before)
{
	int type = UC_JOINING_TYPE_T;

	while (type == UC_JOINING_TYPE_T &&
	       (before ? at > 0 : at + 1 < count)) {
		at = before ? at - 1 : at + 1;
		type = uc_joining_type(chars[at]);
	}
	return type;
}

/* Between two letters that would join (rule A1). */
static bool parts_letters(const ucs4_t *chars, size_t count, size_t at)
{
	int before = joining_next(chars, count, at, true);
	int after = joining_next(chars, count, at, false);

	return (before == UC_JOINING_TYPE_D || before == UC_JOINING_TYPE_L) &&
	       (after == UC_JOINING_TYPE_D || after == UC_JOINING_TYPE_R);
}

/* After a letter with a virama, and perhaps marks (rules A2 and B). */
static bool follows_virama(const ucs4_t *chars, size_t at)
{
	bool has_virama = false;

	while (at > 0 &&
	       uc_is_general_category(chars[at - 1], UC_CATEGORY_Mn)) {
		at--;
		has_virama = has_virama || is_virama(chars[at]);
	}
	return has_virama && at > 0 && is_letter(chars[at - 1]);
}

static bool precedes_letter(const ucs4_t *chars, size_t count, size_t at)
{
	return at + 1 < count && is_letter(chars[at + 1]);
}

/* Rule B; and between a letter and its virama, as Bengali writes RA with YA. */
static bool joins_conjunct(const ucs4_t *chars, size_t count, size_t at)
{
	bool ends = at + 1 == count;

	if (follows_virama(chars, at))
		return ends ||
		       !uc_is_general_category(chars[at + 1], UC_CATEGORY_M);
	return at > 0 && is_letter(chars[at - 1]) && !ends &&
	       is_virama(chars[at + 1]);
}

static bool is_mongolian(ucs4_t c)
{
	const uc_script_t *script = uc_script(c);

	return is_letter(c) && script && strcmp(script->name, "Mongolian") == 0;
}

/* A shape of the character before: an ideograph, or a letter of Mongolian. */
static bool selects_variant(const ucs4_t *chars, size_t at)
{
	ucs4_t c = chars[at];

	if (at == 0 || !uc_is_property_variation_selector(c))
		return false;
	if ((c >= 0xfe00 && c <= 0xfe02) || c >= 0xe0100)
		return uc_is_property_unified_ideograph(chars[at - 1]);
	return c < 0x2000 && is_mongolian(chars[at - 1]);
}

/* --- invisible characters --------------------------------------------------
 */

bool invisible_is_needed(const ucs4_t *chars, size_t count, size_t at)
{
	switch (chars[at]) {
	case ZERO_WIDTH_NON_JOINER:
		return parts_letters(chars, count, at) ||
		       (follows_virama(chars, at) &&
		        precedes_letter(chars, count, at));
	case ZERO_WIDTH_JOINER:
		return joins_emoji(chars, count, at) ||
		       joins_conjunct(chars, count, at);
	case VOWEL_SEPARATOR:
		return at > 0 && is_mongolian(chars[at - 1]) &&
		       at + 1 < count && is_mongolian(chars[at + 1]);
	case TEXT_SELECTOR:
	case EMOJI_SELECTOR:
		return selects_emoji(chars, count, at);
	case TAG_END:
		return at > 0 && is_tag(chars[at - 1]) &&
		       tags_flag(chars, count, at - 1);
	default:
		return is_tag(chars[at]) ? tags_flag(chars, count, at)
		                         : selects_variant(chars, at);
	}
}
