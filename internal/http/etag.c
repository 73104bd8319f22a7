#include "http/http.h"

#include <string.h>

#include <sodium.h>

bool http_etag_listed(const char *list, const char *etag, bool weak)
{
	size_t len = strlen(etag);

	if (!list)
		return false;
	list += strspn(list, " \t");
	if (*list == '*')
		return list[1 + strspn(list + 1, " \t")] == '\0';
	while (*list) {
		list += strspn(list, " \t,");
		bool is_weak = strncmp(list, "W/", 2) == 0;
		if (is_weak)
			list += 2;
		if (*list != '"')
			return false;
		const char *end = strchr(list + 1, '"');
		if (!end)
			return false;
		size_t found = (size_t)(end + 1 - list);
		if ((weak || !is_weak) && found == len &&
		    memcmp(list, etag, len) == 0)
			return true;
		list = end + 1;
		list += strspn(list, " \t");
		if (*list && *list != ',')
			return false;
	}
	return false;
}

void http_etag_print(const char *bytes, size_t len, char *etag)
{
	uint8_t hash[crypto_generichash_BYTES_MIN];

	_Static_assert(HTTP_ETAG_SIZE == 2 * sizeof(hash) + sizeof("\"\""),
	               "the hash has its place");
	(void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)bytes,
	                         len, NULL, 0);
	etag[0] = '"';
	sodium_bin2hex(etag + 1, 2 * sizeof(hash) + 1, hash, sizeof(hash));
	memcpy(etag + 1 + 2 * sizeof(hash), "\"", 2);
}
