/*
 * A body is JSON in UTF-8 and says so: browsers send other types across origins
 * without asking, so a body of another type may be a forgery.  JSON has no
 * charset parameter (RFC 8259), but clients send one; each has to be UTF-8.
 * "identity" is not a coding (RFC 9110, section 8.4.1), but clients name it.
 */
#include "http/media.h"

#include <string.h>
#include <strings.h>

#include "http/list.h"

bool media_is_json(const char *content_type)
{
	struct list_member type;

	return content_type && *list_read(content_type, &type) == '\0' &&
	       list_is(&type, "application/json");
}

static bool is_utf8(struct http_slice charset)
{
	static const char *const names[] = { "utf-8", "utf8", "\"utf-8\"",
		                             "\"utf8\"" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (charset.len == strlen(names[i]) &&
		    strncasecmp(charset.text, names[i], charset.len) == 0)
			return true;
	}
	return false;
}

bool media_is_utf8(const char *content_type)
{
	struct list_member type;
	struct http_slice charset;

	(void)list_read(content_type, &type);
	while (list_param(&type, "charset", &charset)) {
		if (!is_utf8(charset))
			return false;
	}
	return true;
}

bool media_is_plain(const char *content_encoding)
{
	struct list_member coding;

	while (list_next(&content_encoding, &coding)) {
		if (!list_is(&coding, "identity"))
			return false;
	}
	return true;
}
