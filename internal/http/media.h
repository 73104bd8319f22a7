/*
 * media.h - the media type of a body, as Content-Type has it (RFC 9110,
 * section 8.3).
 */
#pragma once

#include <stdbool.h>

/* True for application/json with any parameters; false for NULL. */
bool media_is_json(const char *content_type);

/* True if the parameters name no charset, or UTF-8 alone. */
bool media_is_utf8(const char *content_type);

/* True if no coding such as gzip has been applied to the body. */
bool media_is_plain(const char *content_encoding);
