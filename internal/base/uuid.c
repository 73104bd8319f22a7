/*
 * UUID version 7: 48 bits of milliseconds, then version, variant and random
 * bits.  Ids sort by the creation of their games; hash tables rely on the last
 * eight bytes being random.
 */
#include "base/uuid.h"

#include <string.h>

#include "base/hex.h"

struct uuid uuid_make(uint64_t now_ms, const uint8_t random[10])
{
	struct uuid uuid;

	for (unsigned i = 0; i < 6; i++)
		uuid.bytes[i] = (uint8_t)(now_ms >> (40 - 8 * i));
	memcpy(uuid.bytes + 6, random, 10);
	uuid.bytes[6] = (uint8_t)((uuid.bytes[6] & 0x0f) | 0x70);
	uuid.bytes[8] = (uint8_t)((uuid.bytes[8] & 0x3f) | 0x80);
	return uuid;
}

static bool dash_at(size_t at)
{
	return at == 8 || at == 13 || at == 18 || at == 23;
}

bool uuid_is_none(struct uuid uuid)
{
	static const struct uuid none;

	return memcmp(uuid.bytes, none.bytes, sizeof(none.bytes)) == 0;
}

void uuid_print(struct uuid uuid, char text[UUID_TEXT_LEN + 1])
{
	size_t at = 0;

	for (unsigned i = 0; i < 16; i++) {
		if (dash_at(at))
			text[at++] = '-';
		hex_put(text + at, uuid.bytes[i]);
		at += 2;
	}
	text[at] = '\0';
}

bool uuid_parse(const char *text, size_t len, struct uuid *uuid)
{
	struct uuid read;
	size_t at = 0;

	if (len != UUID_TEXT_LEN)
		return false;
	for (unsigned i = 0; i < 16; i++) {
		if (dash_at(at) && text[at++] != '-')
			return false;
		int high = hex_value(text[at++]);
		int low = hex_value(text[at++]);
		if (high < 0 || low < 0)
			return false;
		read.bytes[i] = (uint8_t)(high << 4 | low);
	}
	*uuid = read;
	return true;
}
