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

/* Controls, line ends, and what turns the direction of the text around it. */
static bool spoils_a_line(ucs4_t c)
{
	return uc_is_general_category(c, UC_CATEGORY_Cc) ||
	       uc_is_general_category(c, UC_CATEGORY_Zl) ||
	       uc_is_general_category(c, UC_CATEGORY_Zp) ||
	       uc_is_property_bidi_control(c);
}

/* Characters that are not to be seen, such as a joiner or a blank of width 0.
 */
static bool is_invisible(ucs4_t c)
{
	return uc_is_property_default_ignorable_code_point(c);
}

static enum name_fault check(const char *text)
{
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
		count++;
	}
	if (!visible)
		return NAME_EMPTY;
	return count > NAME_MAX ? NAME_TOO_LONG : NAME_OK;
}

/* Take over what libunistring allocated. */
static const char *move_to(struct arena *arena, uint8_t *bytes, size_t len)
{
	memory_expect(bytes);
	const char *text = arena_text(arena, (const char *)bytes, len);
	free(bytes);
	return text;
}

/* What is left of a text without the invisible characters. */
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

static uint8_t *fold(const char *text, size_t *len)
{
	uint8_t *visible = memory_take(strlen(text) + 1);
	size_t visible_len = copy_visible(text, visible);
	uint8_t *folded =
		u8_casefold(visible, visible_len, NULL, UNINORM_NFC, NULL, len);
	memory_expect(folded);
	free(visible);
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
