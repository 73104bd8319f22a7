/*
 * fuzz.h - what the fuzz targets share.
 *
 * libFuzzer calls LLVMFuzzerTestOneInput() millions of times in one process,
 * with bytes that it changes so that they reach code not reached before.  A
 * target asserts what must hold of any bytes at all; that nothing is read or
 * written out of bounds is the sanitizers' part.  It answers 0, always.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <unistr.h>

#include "auth/token.h"
#include "http/http.h"
#include "service/call.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * For bytes that chance alone would never get right: change them, size at
 * first and at most max, so that more of them are.  LLVMFuzzerMutate() is
 * what libFuzzer does without it.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* An Authorization field with a token that is one. */
static inline const char *fuzz_authorization(void)
{
	static char text[sizeof("Bearer ") + TOKEN_TEXT_LEN] = "Bearer ";
	static const uint8_t bits[32];

	if (text[7] == '\0')
		token_print(bits, text + 7);
	return text;
}

/* For choosing by the bytes themselves, so that they fail again alone. */
static inline uint32_t fuzz_hash(const uint8_t *data, size_t size)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 16777619U;
	return hash ^ hash >> 15;
}

/* --- JSON as we print it, told otherwise than in http/json_grammar.c ----- */

/* Behind a string that ends before `end`; NULL if it does not. */
static inline const char *fuzz_skip_string(const char *at, const char *end)
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

/* Behind what is no string and has nothing in it: a word or a whole number. */
static inline const char *fuzz_skip_word(const char *at, const char *end)
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

/* One value as the service prints them, without blanks. */
static inline const char *fuzz_skip_value(const char *at, const char *end)
{
	if (at == end)
		return NULL;
	if (*at == '"')
		return fuzz_skip_string(at + 1, end);
	if (*at != '{' && *at != '[')
		return fuzz_skip_word(at, end);
	char close = *at == '{' ? '}' : ']';
	if (++at < end && *at == close)
		return at + 1;
	for (;; at++) {
		if (close == '}') {
			if (at == end || *at != '"')
				return NULL;
			at = fuzz_skip_string(at + 1, end);
			if (!at || at == end || *at++ != ':')
				return NULL;
		}
		at = fuzz_skip_value(at, end);
		if (!at || at == end || (*at != ',' && *at != close))
			return NULL;
		if (*at == close)
			return at + 1;
	}
}

static inline void fuzz_assert_json(const char *text, size_t len)
{
	assert(u8_check((const uint8_t *)text, len) == NULL);
	assert(fuzz_skip_value(text, text + len) == text + len);
}

#endif
