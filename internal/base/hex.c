/*
 * Reads and writes hexadecimal digits independently of the locale.  Both run
 * for every request (ids), so they are not libsodium's, whose time is constant.
 */
#include "base/hex.h"

void hex_put(char text[2], unsigned byte)
{
	static const char digits[] = "0123456789abcdef";

	text[0] = digits[byte >> 4];
	text[1] = digits[byte & 15];
}

int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
