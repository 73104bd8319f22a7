/*
 * The writer keeps no stack: the last character decides whether a value or name
 * needs a comma before it.  A comma is needed except at the start or after {, [
 * or the colon of a name.  A name or value is written whole or not at all, with
 * its comma; only a string that needs escapes may be cut.
 */
#include "base/json_out.h"

#include <string.h>

#include "base/hex.h"

/* Bytes of a string that are escaped: controls, the quote, the backslash. */
#define EIGHT true, true, true, true, true, true, true, true
static const bool escaped[256] = {
	EIGHT, EIGHT, EIGHT, EIGHT, ['"'] = true, ['\\'] = true, [0x7f] = true
};

static bool needs_comma(const struct json_out *out)
{
	if (out->at == out->start)
		return false;
	char last = out->at[-1];
	return last != '{' && last != '[' && last != ':';
}

static bool has_room(struct json_out *out, size_t len)
{
	bool fits = (size_t)(out->end - out->at) >= len;

	out->full |= !fits;
	return fits;
}

static void put(struct json_out *out, const char *text, size_t len)
{
	if (!has_room(out, len))
		return;
	memcpy(out->at, text, len);
	out->at += len;
}

static void put_char(struct json_out *out, char c)
{
	if (has_room(out, 1))
		*out->at++ = c;
}

void json_out_init(struct json_out *out, char *buffer, size_t size)
{
	*out = (struct json_out){
		.start = buffer,
		.at = buffer,
		.end = buffer + size,
	};
}

bool json_out_fits(const struct json_out *out)
{
	return !out->full;
}

size_t json_out_len(const struct json_out *out)
{
	return (size_t)(out->at - out->start);
}

void json_object(struct json_out *out)
{
	json_raw(out, "{", 1);
}

void json_object_end(struct json_out *out)
{
	put_char(out, '}');
}

void json_array(struct json_out *out)
{
	json_raw(out, "[", 1);
}

void json_array_end(struct json_out *out)
{
	put_char(out, ']');
}

/* Between quotes, with a comma before them, and a character after unless 0. */
static void put_quoted(struct json_out *out, bool comma, const char *text,
                       size_t len, char after)
{
	if (!has_room(out, comma + len + 2 + (after != 0)))
		return;
	char *at = out->at;

	if (comma)
		*at++ = ',';
	*at++ = '"';
	memcpy(at, text, len);
	at += len;
	*at++ = '"';
	if (after)
		*at++ = after;
	out->at = at;
}

void json_key_len(struct json_out *out, const char *name, size_t len)
{
	put_quoted(out, needs_comma(out), name, len, ':');
}

static void put_escaped(struct json_out *out, unsigned char c)
{
	if (c == '"' || c == '\\') {
		put_char(out, '\\');
		put_char(out, (char)c);
		return;
	}
	char text[6] = { '\\', 'u', '0', '0' };

	hex_put(text + 4, c);
	put(out, text, sizeof(text));
}

/* How many bytes from here on need no escape. */
static size_t plain_len(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && !escaped[(unsigned char)text[at]])
		at++;
	return at;
}

void json_string_len(struct json_out *out, const char *text, size_t len)
{
	size_t run = plain_len(text, len);

	if (run == len) {
		put_quoted(out, needs_comma(out), text, len, 0);
		return;
	}
	json_raw(out, "\"", 1);
	for (size_t at = 0; at < len; at += run) {
		if (escaped[(unsigned char)text[at]]) {
			put_escaped(out, (unsigned char)text[at]);
			run = 1;
			continue;
		}
		run = plain_len(text + at, len - at);
		put(out, text + at, run);
	}
	put_char(out, '"');
}

void json_string_or_null(struct json_out *out, const char *text)
{
	if (text)
		json_string(out, text);
	else
		json_null(out);
}

void json_int(struct json_out *out, int64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);
	/* Unsigned, since -INT64_MIN overflows. */
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--at] = '-';
	json_raw(out, digits + at, sizeof(digits) - at);
}

void json_bool(struct json_out *out, bool value)
{
	if (value)
		json_literal(out, "true");
	else
		json_literal(out, "false");
}

void json_null(struct json_out *out)
{
	json_literal(out, "null");
}

void json_raw(struct json_out *out, const char *text, size_t len)
{
	bool comma = needs_comma(out);

	if (!has_room(out, comma + len))
		return;
	if (comma)
		*out->at++ = ',';
	memcpy(out->at, text, len);
	out->at += len;
}
