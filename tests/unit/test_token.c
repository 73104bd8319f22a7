/*
 * test_token.c - player tokens.  The checksum finds a damaged character
 * without the database.  Rows are in token.def.
 */
#include "auth/token.h"

#include <string.h>

#include <sodium.h>

#include "rows.h"

struct prints_row {
	const char *name;
	unsigned byte;
	unsigned last;
	const char *text;
};

static struct prints_row prints_rows[] = {
#define PRINTS(...) { __VA_ARGS__ },
#include "token.def"
};

static struct {
	const char *name;
	const char *text;
} refuses_rows[] = {
#define REFUSES(...) { __VA_ARGS__ },
#include "token.def"
};

static void check_prints(void **state)
{
	const struct prints_row *row = *state;
	uint8_t expected[TOKEN_HASH_SIZE];
	uint8_t hash[TOKEN_HASH_SIZE];
	char text[TOKEN_TEXT_LEN + 1];
	uint8_t bits[32];

	memset(bits, (int)row->byte, sizeof(bits));
	bits[31] = (uint8_t)row->last;
	token_print(bits, text);
	assert_string_equal(text, row->text);

	assert_true(token_parse(text, strlen(text), hash));
	crypto_hash_sha256(expected, (const unsigned char *)text,
	                   TOKEN_TEXT_LEN);
	assert_memory_equal(hash, expected, sizeof(hash));
}

static void check_refuses(void **state)
{
	const char *const *row = *state;
	uint8_t before[TOKEN_HASH_SIZE] = { 7 };
	uint8_t hash[TOKEN_HASH_SIZE] = { 7 };

	assert_false(token_parse(row[1], strlen(row[1]), hash));
	assert_memory_equal(hash, before, sizeof(hash));
}

/* A zero byte inside is no end: the length is the caller's. */
static void check_zero_byte(void **state)
{
	uint8_t hash[TOKEN_HASH_SIZE];
	struct token token;

	(void)state;
	assert_true(token_draw(&token));
	token.text[30] = '\0';
	assert_false(token_parse(token.text, TOKEN_TEXT_LEN, hash));
}

/* Every damage to one character is found by the checksum. */
static void check_every_damage(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz";
	uint8_t hash[TOKEN_HASH_SIZE];
	struct token token;

	(void)state;
	assert_true(token_draw(&token));
	for (size_t at = 5; at < TOKEN_TEXT_LEN; at++) {
		char kept = token.text[at];
		for (const char *digit = digits; *digit; digit++) {
			token.text[at] = *digit;
			assert_int_equal(token_parse(token.text, TOKEN_TEXT_LEN,
			                             hash),
			                 *digit == kept);
		}
		token.text[at] = kept;
	}
}

static void check_draw(void **state)
{
	struct token a;
	struct token b;
	uint8_t hash[TOKEN_HASH_SIZE];

	(void)state;
	assert_true(token_draw(&a));
	assert_true(token_draw(&b));
	assert_string_not_equal(a.text, b.text);
	assert_false(token_hash_equal(a.hash, b.hash));
	assert_true(token_parse(a.text, strlen(a.text), hash));
	assert_true(token_hash_equal(a.hash, hash));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, prints_rows, check_prints);
	ROWS_ADD(&rows, refuses_rows, check_refuses);
	rows_add(&rows, "a token with a zero byte is refused", check_zero_byte,
	         NULL);
	rows_add(&rows, "any damaged character is found", check_every_damage,
	         NULL);
	rows_add(&rows, "drawn tokens differ", check_draw, NULL);
	return rows_run("token", &rows);
}
