/*
 * The 256 bits of a token are one big-endian number, printed in base 62 by long
 * division; 43 digits are the fewest that hold it.  Values above most[] do not
 * fit 256 bits.  The CRC covers the digits as printed.  A token that fails here
 * is refused without the database; one that passes is found by its SHA-256.
 */
#include "auth/token.h"

#include <string.h>

#include <sodium.h>

#include "base/random.h"

enum { BITS_SIZE = 32, BITS_DIGITS = 43, CRC_DIGITS = 6, BASE = 62 };

static const char prefix[] = "gang_";
static const char digits[BASE + 1] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz";

/* The largest number of 256 bits. */
static const char most[] = "yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1";

enum { PREFIX_LEN = sizeof(prefix) - 1 };
_Static_assert(sizeof(most) - 1 == BITS_DIGITS, "as many digits");
_Static_assert(PREFIX_LEN + BITS_DIGITS + CRC_DIGITS == TOKEN_TEXT_LEN,
               "the parts make the whole");

/* CRC-32 as in IEEE 802.3, by half bytes: a row is a half byte's own sum. */
static uint32_t crc32_of(const char *text, size_t len)
{
	static const uint32_t halves[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	uint32_t crc = 0xffffffffU;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)text[i];
		crc = crc >> 4 ^ halves[crc & 15];
		crc = crc >> 4 ^ halves[crc & 15];
	}
	return ~crc;
}

/* Divide the big-endian number by the base; return the remainder. */
static unsigned divide(uint8_t number[BITS_SIZE])
{
	unsigned rest = 0;

	for (size_t i = 0; i < BITS_SIZE; i++) {
		rest = rest << 8 | number[i];
		number[i] = (uint8_t)(rest / BASE);
		rest %= BASE;
	}
	return rest;
}

static void print_crc(const char *text, char *at)
{
	uint32_t crc = crc32_of(text, BITS_DIGITS);

	for (size_t i = CRC_DIGITS; i > 0; i--) {
		at[i - 1] = digits[crc % BASE];
		crc /= BASE;
	}
}

void token_print(const uint8_t bits[32], char text[TOKEN_TEXT_LEN + 1])
{
	uint8_t number[BITS_SIZE];
	char *at = text + PREFIX_LEN;

	memcpy(number, bits, sizeof(number));
	memcpy(text, prefix, PREFIX_LEN);
	for (size_t i = BITS_DIGITS; i > 0; i--)
		at[i - 1] = digits[divide(number)];
	print_crc(at, at + BITS_DIGITS);
	text[TOKEN_TEXT_LEN] = '\0';
	sodium_memzero(number, sizeof(number));
}

static void hash_of(const char *text, uint8_t hash[TOKEN_HASH_SIZE])
{
	_Static_assert(crypto_hash_sha256_BYTES == TOKEN_HASH_SIZE, "SHA-256");
	(void)crypto_hash_sha256(hash, (const unsigned char *)text,
	                         TOKEN_TEXT_LEN);
}

bool token_draw(struct token *token)
{
	uint8_t bits[BITS_SIZE];

	if (!random_bytes(bits, sizeof(bits)))
		return false;
	token_print(bits, token->text);
	hash_of(token->text, token->hash);
	sodium_memzero(bits, sizeof(bits));
	return true;
}

/* In ASCII each of the three ranges of digits is without a gap. */
static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

bool token_parse(const char *text, size_t len, uint8_t hash[TOKEN_HASH_SIZE])
{
	char crc[CRC_DIGITS];

	if (len != TOKEN_TEXT_LEN || memcmp(text, prefix, PREFIX_LEN) != 0)
		return false;
	for (size_t i = PREFIX_LEN; i < len; i++) {
		if (!is_digit(text[i]))
			return false;
	}
	/* digits[] is in ASCII order, so memcmp compares numbers. */
	if (memcmp(text + PREFIX_LEN, most, BITS_DIGITS) > 0)
		return false;
	print_crc(text + PREFIX_LEN, crc);
	if (memcmp(crc, text + PREFIX_LEN + BITS_DIGITS, CRC_DIGITS) != 0)
		return false;
	hash_of(text, hash);
	return true;
}

bool token_hash_equal(const uint8_t a[TOKEN_HASH_SIZE],
                      const uint8_t b[TOKEN_HASH_SIZE])
{
	return sodium_memcmp(a, b, TOKEN_HASH_SIZE) == 0;
}
