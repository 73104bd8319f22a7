/*
 * The alphabet has 32 characters, 0-9 and the letters without I, L, O and U, so
 * five random bits choose one, and no two of its characters look alike.
 */
#include "auth/invite.h"

#include <stdint.h>
#include <string.h>

#include <sodium.h>

#include "base/random.h"

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

bool invite_draw(char code[INVITE_LEN + 1])
{
	uint8_t drawn[INVITE_LEN];

	if (!random_bytes(drawn, sizeof(drawn)))
		return false;
	/* 32 divides 256, so every character is equally likely. */
	for (size_t i = 0; i < INVITE_LEN; i++)
		code[i] = alphabet[drawn[i] % 32];
	code[INVITE_LEN] = '\0';
	return true;
}

/* The character of the alphabet that a typed c means; 0 if c is invalid. */
static char meant(char c)
{
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	if (c == 'O')
		return '0';
	if (c == 'I' || c == 'L')
		return '1';
	return c && strchr(alphabet, c) ? c : '\0';
}

bool invite_parse(const char *text, size_t len, char code[INVITE_LEN + 1])
{
	char read[INVITE_LEN + 1] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-')
			continue;
		char c = meant(text[i]);
		if (!c || count == INVITE_LEN)
			return false;
		read[count++] = c;
	}
	if (count != INVITE_LEN)
		return false;
	memcpy(code, read, sizeof(read));
	return true;
}

bool invite_equal(const char a[INVITE_LEN + 1], const char b[INVITE_LEN + 1])
{
	return sodium_memcmp(a, b, INVITE_LEN) == 0;
}
