/*
 * Entity-tags as If-Match and If-None-Match list them (RFC 9110, section
 * 8.8.3).  A tag is compared byte by byte with its quotes; a weak one, with
 * "W/" before it, equals a strong one only where weak comparison is asked for.
 */
#include "http/http.h"

#include <string.h>

#include <sodium.h>

struct tag {
	const char *text; /* with its quotes */
	size_t len;
	bool is_weak;
};

/* "*" names every tag. */
static bool is_any(const char *list)
{
	list += strspn(list, " \t");
	return *list == '*' && list[1 + strspn(list + 1, " \t")] == '\0';
}

/*
 * Read the next tag of a list.  False at the end of the list, and at text that
 * is not a tag; then *list begins with that text.
 */
static bool read_tag(const char **list, struct tag *tag)
{
	const char *at = *list + strspn(*list, " \t,");

	*list = at;
	tag->is_weak = strncmp(at, "W/", 2) == 0;
	if (tag->is_weak)
		at += 2;
	if (*at != '"')
		return false;
	tag->text = at++;
	while ((unsigned char)*at > ' ' && *at != '"' && *at != 0x7f)
		at++;
	if (*at != '"')
		return false;
	tag->len = (size_t)(++at - tag->text);
	at += strspn(at, " \t");
	if (*at && *at != ',')
		return false;
	*list = at;
	return true;
}

bool http_etag_listed(const char *list, const char *etag, bool weak)
{
	size_t len = strlen(etag);
	struct tag tag;

	if (!list)
		return false;
	if (is_any(list))
		return true;
	while (read_tag(&list, &tag)) {
		if ((weak || !tag.is_weak) && tag.len == len &&
		    memcmp(tag.text, etag, len) == 0)
			return true;
	}
	return false;
}

enum http_etags http_etags_read(const char *list)
{
	enum http_etags found = HTTP_ETAGS_MALFORMED; /* of an empty list */
	struct tag tag;

	if (is_any(list))
		return HTTP_ETAGS_STRONG;
	while (read_tag(&list, &tag)) {
		if (tag.is_weak)
			found = HTTP_ETAGS_WEAK;
		else if (found == HTTP_ETAGS_MALFORMED)
			found = HTTP_ETAGS_STRONG;
	}
	return *list ? HTTP_ETAGS_MALFORMED : found;
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
