/*
 * fuzz_token.c - the values of an Authorization field, and invitation codes.
 *
 * Random bytes never have a token's checksum, so half of the tries are given
 * the right one; and 34 bytes are made into a token, and damaged.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <strings.h>

#include <sodium.h>

#include "auth/invite.h"
#include "service/request.h"
#include "service/route_table.h"

enum { PREFIX_LEN = 5, DIGITS = 43, CRC_AT = PREFIX_LEN + DIGITS, BASE = 62 };

/* 256 bits, a place and what to write there. */
enum { BITS_INPUT = 34 };

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz";

/* --- tokens, read in another way than in auth/token.c --------------------- */

static unsigned digit_value(char c)
{
	const char *at = strchr(digits, c);

	assert(c && at);
	return (unsigned)(at - digits);
}

/* The 256 bits that the digits say; false if they say more. */
static bool bits_of(const char *text, uint8_t bits[32])
{
	memset(bits, 0, 32);
	for (size_t i = 0; i < DIGITS; i++) {
		unsigned carry = digit_value(text[i]);
		for (size_t j = 32; j > 0; j--) {
			carry += bits[j - 1] * (unsigned)BASE;
			bits[j - 1] = (uint8_t)carry;
			carry >>= 8;
		}
		if (carry)
			return false;
	}
	return true;
}

static uint32_t crc32_of(const uint8_t *bytes, size_t len)
{
	uint32_t crc = UINT32_MAX;

	for (size_t bit = 0; bit < 8 * len; bit++) {
		uint32_t out = (crc ^ (uint32_t)bytes[bit / 8] >> bit % 8) & 1;
		crc = (crc >> 1) ^ (out * 0xedb88320U);
	}
	return crc ^ UINT32_MAX;
}

/* Make a token, or what would be one with fewer bits, of any 54 bytes. */
static void repair(uint8_t *data)
{
	memcpy(data, "gang_", PREFIX_LEN);
	for (size_t i = PREFIX_LEN; i < CRC_AT; i++) {
		if (!data[i] || !strchr(digits, data[i]))
			data[i] = (uint8_t)digits[data[i] % BASE];
	}
	uint32_t crc = crc32_of(data + PREFIX_LEN, DIGITS);
	for (size_t i = TOKEN_TEXT_LEN; i > CRC_AT; i--) {
		data[i - 1] = (uint8_t)digits[crc % BASE];
		crc /= BASE;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, max);
	if (seed % 2 == 0 || size < TOKEN_TEXT_LEN)
		return size;
	repair(data);
	return TOKEN_TEXT_LEN;
}

/* --- what must hold ------------------------------------------------------- */

/* A token is one in each reading: itself printed anew, and hashed. */
static void check_token(const char *text, const uint8_t found[TOKEN_HASH_SIZE])
{
	uint8_t hash[crypto_hash_sha256_BYTES];
	char again[TOKEN_TEXT_LEN + 1];
	uint8_t bits[32];

	assert(bits_of(text + PREFIX_LEN, bits));
	token_print(bits, again);
	assert(memcmp(again, text, TOKEN_TEXT_LEN) == 0);
	crypto_hash_sha256(hash, (const uint8_t *)text, TOKEN_TEXT_LEN);
	assert(token_hash_equal(hash, found));
}

/* Check the service's answer to an Authorization field. */
static void check_field(const char *field)
{
	static struct http_request req;
	static struct call call;
	size_t count;
	const struct http_route *http_route = route_table(&count);
	uint8_t hash[TOKEN_HASH_SIZE];

	while (((const struct route *)http_route->user)->guard !=
	               GUARD_SEATED ||
	       http_route->method != HTTP_GET)
		http_route++;
	req.route = http_route;
	req.authorization = field;
	memset(&call, 0, sizeof(call));
	call.req = &req;
	call.route = req.route->user;
	enum err err = request_read_token(&call);
	assert(call.caller.has_token == (err == ERR_OK));
	if (strncasecmp(field, "Bearer ", 7) != 0) {
		assert(err == ERR_UNAUTHENTICATED);
		return;
	}
	for (field += 7; *field == ' '; field++)
		;
	bool good = token_parse(field, strlen(field), hash);
	assert(err == (good ? ERR_OK : ERR_INVALID_TOKEN));
	assert(!good || token_hash_equal(hash, call.caller.token_hash));
}

/* 256 bits make a token, which no other character anywhere leaves one. */
static void check_bits(const uint8_t data[BITS_INPUT])
{
	uint8_t hash[TOKEN_HASH_SIZE];
	char text[TOKEN_TEXT_LEN + 1];

	token_print(data, text);
	assert(strlen(text) == TOKEN_TEXT_LEN);
	assert(token_parse(text, TOKEN_TEXT_LEN, hash));
	check_token(text, hash);
	char *at = &text[data[32] % TOKEN_TEXT_LEN];
	char other = (char)data[33];
	bool same = *at == other;
	*at = other;
	assert(token_parse(text, TOKEN_TEXT_LEN, hash) == same);
}

static void check_code(const char *text, size_t size)
{
	char code[INVITE_LEN + 1];
	char again[INVITE_LEN + 1];

	if (!invite_parse(text, size, code))
		return;
	assert(strlen(code) == INVITE_LEN);
	assert(invite_parse(code, INVITE_LEN, again));
	assert(invite_equal(code, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	uint8_t hash[TOKEN_HASH_SIZE];

	if (token_parse(text, size, hash)) {
		assert(size == TOKEN_TEXT_LEN);
		check_token(text, hash);
	}
	if (size == BITS_INPUT)
		check_bits(data);
	check_code(text, size);
	char *field = malloc(size + 8);
	assert(field);
	memcpy(field, "Bearer ", 7);
	memcpy(field + 7, data, size);
	field[size + 7] = '\0';
	check_field(field);
	check_field(field + 7);
	free(field);
	return 0;
}
