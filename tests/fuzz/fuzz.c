/*
 * fuzz.c - a reader of JSON for the fuzz targets, and choices by hash.
 *
 * The reader accepts one value as the service prints it, without blanks.  It is
 * written independently of http/json_grammar.c, so that one does not excuse the
 * other.  The hash makes a target's choices depend on the bytes alone: a file
 * that failed fails again.
 */
#include "fuzz.h"

#include "base/bytes.h"

#include <assert.h>
#include <string.h>

#include <unistr.h>

#include "auth/token.h"

const char *fuzz_authorization(void)
{
	static char text[sizeof("Bearer ") + TOKEN_TEXT_LEN] = "Bearer ";
	static const uint8_t bits[32];

	if (text[7] == '\0')
		token_print(bits, text + 7);
	return text;
}

const uint8_t *fuzz_seal(const uint8_t *data, size_t size, unsigned format)
{
	static uint8_t copy[RULESET_STATE_MAX];
	struct bytes_out out = { .start = copy, .size = size };

	if (size < CHECKSUM_SIZE || size > sizeof(copy) || data[0] != format)
		return data;
	memcpy(copy, data, size);
	out.len = size - CHECKSUM_SIZE;
	put_checksum(&out);
	return copy;
}

uint32_t fuzz_hash(const uint8_t *data, size_t size)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 16777619U;
	return hash ^ hash >> 15;
}

/* The place after a string that ends before `end`; else NULL. */
static const char *skip_string(const char *at, const char *end)
{
	while (at < end && *at != '"') {
		if ((unsigned char)*at < ' ')
			return NULL;
		if (*at == '\\' && (++at == end || !strchr("\"\\/bfnrtu", *at)))
			return NULL;
		at++;
	}
	return at < end ? at + 1 : NULL;
}

/* The place after a word or a whole number; else NULL. */
static const char *skip_word(const char *at, const char *end)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i]);
		if ((size_t)(end - at) >= len && memcmp(at, words[i], len) == 0)
			return at + len;
	}
	const char *from = at + (at < end && *at == '-');
	for (at = from; at < end && *at >= '0' && *at <= '9';)
		at++;
	return at > from ? at : NULL;
}

/* The place after one value; NULL without a value. */
static const char *skip_value(const char *at, const char *end)
{
	if (at == end)
		return NULL;
	if (*at == '"')
		return skip_string(at + 1, end);
	if (*at != '{' && *at != '[')
		return skip_word(at, end);
	char close = *at == '{' ? '}' : ']';
	if (++at < end && *at == close)
		return at + 1;
	for (;; at++) {
		if (close == '}') {
			if (at == end || *at != '"')
				return NULL;
			at = skip_string(at + 1, end);
			if (!at || at == end || *at++ != ':')
				return NULL;
		}
		at = skip_value(at, end);
		if (!at || at == end || (*at != ',' && *at != close))
			return NULL;
		if (*at == close)
			return at + 1;
	}
}

void fuzz_assert_json(const char *text, size_t len)
{
	assert(u8_check((const uint8_t *)text, len) == NULL);
	assert(skip_value(text, text + len) == text + len);
}
