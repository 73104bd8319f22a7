/*
 * A recursive descent over the text, which changes nothing and allocates
 * nothing.  json-c, which reads the text afterwards, accepts much more; a text
 * that two readers understand differently is a way past one of them.  Names are
 * compared by what they mean, so "a" and "\u0061" are the same; a hash of the
 * characters spares most comparisons.
 */
#include "http/json_grammar.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <unistr.h>

#include "base/hex.h"

struct name {
	uint64_t hash;
	const uint8_t *at; /* after its opening quote */
};

/* Every function below moves `at` on, or sets fault and returns false. */
struct reader {
	const uint8_t *at;
	const uint8_t *end;
	const char *fault;
	unsigned depth;
	struct name *names; /* of the objects that are open */
	size_t names_count;
};

static bool value(struct reader *reader);

static bool fail(struct reader *reader, const char *fault)
{
	reader->fault = fault;
	return false;
}

static bool next_is(const struct reader *reader, char c)
{
	return reader->at < reader->end && *reader->at == (uint8_t)c;
}

static bool skip(struct reader *reader, char c)
{
	if (!next_is(reader, c))
		return false;
	reader->at++;
	return true;
}

static void blanks(struct reader *reader)
{
	while (reader->at < reader->end && *reader->at &&
	       strchr(" \t\r\n", *reader->at))
		reader->at++;
}

static bool digits(struct reader *reader)
{
	const uint8_t *from = reader->at;

	while (reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9')
		reader->at++;
	return reader->at > from || fail(reader, "a digit is expected here");
}

static bool number(struct reader *reader)
{
	(void)skip(reader, '-');
	if (!skip(reader, '0') && !digits(reader))
		return false;
	if (skip(reader, '.') && !digits(reader))
		return false;
	if (!skip(reader, 'e') && !skip(reader, 'E'))
		return true;
	if (!skip(reader, '+'))
		(void)skip(reader, '-');
	return digits(reader);
}

static bool hex4(struct reader *reader, ucs4_t *code)
{
	*code = 0;
	for (unsigned i = 0; i < 4; i++) {
		int digit = reader->at < reader->end
		                    ? hex_value((char)*reader->at)
		                    : -1;
		if (digit < 0)
			return fail(reader, "\\u needs four hex digits");
		*code = *code << 4 | (ucs4_t)digit;
		reader->at++;
	}
	return true;
}

/* After "\u": one code point, which may be written as a pair. */
static bool unicode_escape(struct reader *reader, ucs4_t *code)
{
	static const char lone[] = "unpaired surrogate";
	ucs4_t low;

	if (!hex4(reader, code))
		return false;
	if (*code == 0)
		return fail(reader, "a zero character is not allowed");
	if (*code < 0xd800 || *code > 0xdfff)
		return true;
	if (*code > 0xdbff || !skip(reader, '\\') || !skip(reader, 'u'))
		return fail(reader, lone);
	if (!hex4(reader, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return fail(reader, lone);
	*code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

static bool escape(struct reader *reader, ucs4_t *code)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";

	if (skip(reader, 'u'))
		return unicode_escape(reader, code);
	const char *letter = reader->at < reader->end && *reader->at
	                             ? strchr(letters, *reader->at)
	                             : NULL;
	if (!letter)
		return fail(reader, "invalid escape");
	*code = (ucs4_t)meanings[letter - letters];
	reader->at++;
	return true;
}

/* One character of a string, which has not ended. */
static bool character(struct reader *reader, ucs4_t *code)
{
	if (reader->at == reader->end)
		return fail(reader, "the text ends inside a string");
	if (*reader->at < 0x20)
		return fail(reader, "a control character must be escaped");
	if (skip(reader, '\\'))
		return escape(reader, code);
	int size = u8_mbtoucr(code, reader->at,
	                      (size_t)(reader->end - reader->at));
	if (size <= 0)
		return fail(reader, "this byte is not UTF-8");
	reader->at += size;
	return true;
}

/* After the opening quote; the hash is of the decoded characters. */
static bool string(struct reader *reader, uint64_t *hash)
{
	ucs4_t code;

	*hash = 14695981039346656037U;
	while (!skip(reader, '"')) {
		if (!character(reader, &code))
			return false;
		*hash = (*hash ^ code) * 1099511628211U;
	}
	return true;
}

/* Do two strings mean the same?  They were read before. */
static bool same_string(const uint8_t *left, const uint8_t *right,
                        const uint8_t *end)
{
	struct reader a = { .at = left, .end = end };
	struct reader b = { .at = right, .end = end };
	ucs4_t codes[2] = { 0 };

	while (!next_is(&a, '"') && !next_is(&b, '"')) {
		if (!character(&a, &codes[0]) || !character(&b, &codes[1]) ||
		    codes[0] != codes[1])
			return false;
	}
	return next_is(&a, '"') && next_is(&b, '"');
}

/* A name and its colon; those of its object begin at first. */
static bool name(struct reader *reader, size_t first)
{
	struct name this = { .hash = 0 };

	if (!skip(reader, '"'))
		return fail(reader, "a name in double quotes is expected here");
	this.at = reader->at;
	if (!string(reader, &this.hash))
		return false;
	for (size_t i = first; i < reader->names_count; i++) {
		const struct name *other = &reader->names[i];
		if (other->hash == this.hash &&
		    same_string(other->at, this.at, reader->end))
			return fail(reader, "duplicate member name");
	}
	if (reader->names_count == JSON_NAMES_MAX)
		return fail(reader, "there are too many names");
	reader->names[reader->names_count++] = this;
	blanks(reader);
	return skip(reader, ':') || fail(reader, "a colon is expected here");
}

/* After the opening bracket, up to the closing one. */
static bool items(struct reader *reader, char close)
{
	size_t first = reader->names_count;

	blanks(reader);
	if (skip(reader, close))
		return true;
	do {
		blanks(reader);
		if (close == '}' && !name(reader, first))
			return false;
		if (!value(reader))
			return false;
		blanks(reader);
	} while (skip(reader, ','));
	reader->names_count = first;
	if (skip(reader, close))
		return true;
	return fail(reader, close == '}' ? "a comma or } is expected here"
	                                 : "a comma or ] is expected here");
}

static bool word(struct reader *reader)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i]);
		if ((size_t)(reader->end - reader->at) >= len &&
		    memcmp(reader->at, words[i], len) == 0) {
			reader->at += len;
			return true;
		}
	}
	return fail(reader, "a value is expected here");
}

static bool nested(struct reader *reader, char close)
{
	if (reader->depth == JSON_DEPTH_MAX)
		return fail(reader, "this is nested too deeply");
	reader->depth++;
	if (!items(reader, close))
		return false;
	reader->depth--;
	return true;
}

static bool value(struct reader *reader)
{
	uint64_t hash;

	blanks(reader);
	if (skip(reader, '{'))
		return nested(reader, '}');
	if (skip(reader, '['))
		return nested(reader, ']');
	if (skip(reader, '"'))
		return string(reader, &hash);
	if (next_is(reader, '-') || (reader->at < reader->end &&
	                             *reader->at >= '0' && *reader->at <= '9'))
		return number(reader);
	return word(reader);
}

static const char *print_fault(const struct reader *reader,
                               const uint8_t *start, struct arena *arena)
{
	const uint8_t *line = start;
	unsigned lines = 1;

	for (const uint8_t *at = start; at < reader->at; at++) {
		if (*at == '\n') {
			lines++;
			line = at + 1;
		}
	}
	return arena_printf(arena,
	                    "The body is not valid JSON: %s "
	                    "(line %u, byte %zu).",
	                    reader->fault, lines,
	                    (size_t)(reader->at - line) + 1);
}

const char *json_grammar_fault(const char *text, size_t len,
                               struct arena *arena)
{
	struct name names[JSON_NAMES_MAX];
	struct reader reader = {
		.names = names,
		.at = (const uint8_t *)text,
		.end = (const uint8_t *)text + len,
	};

	if (value(&reader)) {
		blanks(&reader);
		if (reader.at == reader.end)
			return NULL;
		(void)fail(&reader, "nothing more is expected here");
	}
	return print_fault(&reader, (const uint8_t *)text, arena);
}
