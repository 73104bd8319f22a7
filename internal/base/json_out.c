/*
 * The writer keeps no stack: the last character tells whether a comma is needed
 * before a value or name.  It is, except at the beginning and after {, [ and
 * the colon of a name.
 */
#include "base/json_out.h"

#include <string.h>

static void put(struct json_out *out, const char *text, size_t len)
{
	if ((size_t)(out->end - out->at) < len) {
		out->full = true;
		return;
	}
	memcpy(out->at, text, len);
	out->at += len;
}

static void put_char(struct json_out *out, char c)
{
	put(out, &c, 1);
}

static void comma(struct json_out *out)
{
	if (out->at == out->start)
		return;
	char last = out->at[-1];
	if (last != '{' && last != '[' && last != ':')
		put_char(out, ',');
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
	comma(out);
	put_char(out, '{');
}

void json_object_end(struct json_out *out)
{
	put_char(out, '}');
}

void json_array(struct json_out *out)
{
	comma(out);
	put_char(out, '[');
}

void json_array_end(struct json_out *out)
{
	put_char(out, ']');
}

void json_key(struct json_out *out, const char *name)
{
	comma(out);
	put_char(out, '"');
	put(out, name, strlen(name));
	put(out, "\":", 2);
}

static void put_escaped(struct json_out *out, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	if (c == '"' || c == '\\') {
		put_char(out, '\\');
		put_char(out, (char)c);
		return;
	}
	char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

	put(out, text, sizeof(text));
}

void json_string_len(struct json_out *out, const char *text, size_t len)
{
	comma(out);
	put_char(out, '"');
	for (size_t from = 0; from < len;) {
		size_t to = from;
		while (to < len && (unsigned char)text[to] >= 0x20 &&
		       text[to] != '"' && text[to] != '\\' && text[to] != 0x7f)
			to++;
		put(out, text + from, to - from);
		if (to < len)
			put_escaped(out, (unsigned char)text[to++]);
		from = to;
	}
	put_char(out, '"');
}

void json_string(struct json_out *out, const char *text)
{
	json_string_len(out, text, strlen(text));
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
	comma(out);
	put(out, digits + at, sizeof(digits) - at);
}

void json_bool(struct json_out *out, bool value)
{
	json_literal(out, value ? "true" : "false");
}

void json_null(struct json_out *out)
{
	json_literal(out, "null");
}

void json_literal(struct json_out *out, const char *json)
{
	json_raw(out, json, strlen(json));
}

void json_raw(struct json_out *out, const char *text, size_t len)
{
	comma(out);
	put(out, text, len);
}

void json_key_object(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_object(out);
}

void json_key_array(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_array(out);
}

void json_key_string(struct json_out *out, const char *name, const char *text)
{
	json_key(out, name);
	json_string(out, text);
}

void json_key_string_or_null(struct json_out *out, const char *name,
                             const char *text)
{
	json_key(out, name);
	json_string_or_null(out, text);
}

void json_key_int(struct json_out *out, const char *name, int64_t value)
{
	json_key(out, name);
	json_int(out, value);
}

void json_key_bool(struct json_out *out, const char *name, bool value)
{
	json_key(out, name);
	json_bool(out, value);
}

void json_key_null(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_null(out);
}

void json_key_int_or_null(struct json_out *out, const char *name, int64_t value)
{
	if (value)
		json_key_int(out, name, value);
	else
		json_key_null(out, name);
}
