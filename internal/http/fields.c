/*
 * libmicrohttpd makes strings of the header in the buffer where it arrived, and
 * skips what it does not understand: it stops at a zero byte, and loses pieces
 * of a folded line.  A proxy in front may read the skipped bytes differently
 * and find another end of the request.  So the reader follows the addresses of
 * the strings: between the method and the end of the header there may only be
 * the strings found, blanks and the ends of lines.  Anything else is a gap, and
 * the request is refused.
 *
 * libmicrohttpd also copies the first Cookie field, and keeps a record of 64
 * bytes for each cookie, of which a header of 16 KiB can hold 8,000.  Nothing
 * here reads a cookie.  So a field of the same name is planted before the
 * others, and libmicrohttpd takes that one apart.
 */
#include "http/fields.h"

#include <string.h>
#include <strings.h>

#include <microhttpd.h>

static const struct {
	const char *name;
	size_t len;
} field_names[] = {
#define FIELD(field, name) { name, sizeof(name) - 1 },
#include "http/field.def"
};

/* The planted field; only it has a name at this address. */
static const char cookie_name[] = "Cookie";
static const char cookie_value[] = "a=";

struct reader {
	struct fields *fields;
	struct arena *arena;
	const char *next; /* the address at which the next field must begin */
};

/* Control characters can hide one field in another. */
static bool has_control(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if ((c < ' ' && c != '\t') || c == 0x7f)
			return true;
	}
	return false;
}

static bool is_token(const char *text, size_t len)
{
	static const char allowed[] = "!#$%&'*+-.^_`|~0123456789"
				      "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return len > 0 && strspn(text, allowed) >= len;
}

/*
 * How many blanks libmicrohttpd 1.0 has cut off after a value; it has
 * overwritten the first of them with a zero byte.  (DEBIAN_12: 0.9 does not cut
 * blanks: a line feed follows.)
 */
static size_t cut_blanks(const char *end)
{
	size_t more = strspn(end + 1, " \t");

	return end[1 + more] == '\r' ? 1 + more : 0;
}

static void check_gap(struct reader *reader, const char *name, size_t name_len,
                      const char *value, size_t value_len)
{
	const char *start = name + name_len + 1;

	if (name != reader->next || start + strspn(start, " \t") != value)
		reader->fields->has_gap = true;
	reader->next = value + value_len + cut_blanks(value + value_len) +
	               strlen("\r\n");
}

/* Trailing blanks are not part of a value (RFC 9110, section 5.5). */
static const char *trimmed(struct arena *arena, const char *value, size_t len)
{
	size_t full = len;

	while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
		len--;
	return len == full ? value : arena_strndup(arena, value, len);
}

static enum MHD_Result count_field(void *cls, enum MHD_ValueKind kind,
                                   const char *name, size_t name_len,
                                   const char *value, size_t value_len)
{
	struct fields *fields = cls;

	(void)kind;
	(void)value;
	if (name == cookie_name)
		return MHD_YES;
	fields->size += name_len + value_len + strlen(": \r\n");
	fields->count++;
	return MHD_YES;
}

static enum MHD_Result read_field(void *cls, enum MHD_ValueKind kind,
                                  const char *name, size_t name_len,
                                  const char *value, size_t value_len)
{
	struct reader *reader = cls;
	struct fields *fields = reader->fields;

	if (name == cookie_name)
		return MHD_YES;
	(void)count_field(fields, kind, name, name_len, value, value_len);
	if (!value)
		value = "";
	if (!is_token(name, name_len) || has_control(value, value_len))
		fields->malformed = true;
	check_gap(reader, name, name_len, value, value_len);
	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		if (field_names[i].len != name_len ||
		    strcasecmp(field_names[i].name, name) != 0)
			continue;
		const char *before = fields->values[i];
		/* "chunked " is not "chunked" to every proxy. */
		if ((i == FIELD_TRANSFER_ENCODING ||
		     i == FIELD_CONTENT_LENGTH) &&
		    cut_blanks(value + value_len) > 0)
			fields->malformed = true;
		if (i != FIELD_TRANSFER_ENCODING)
			value = trimmed(reader->arena, value, value_len);
		fields->values[i] =
			before ? arena_printf(reader->arena, "%s, %s", before,
		                              value)
			       : value;
		fields->counts[i]++;
	}
	return MHD_YES;
}

void fields_hide_cookies(struct MHD_Connection *connection)
{
	/*
	 * There is no memory for it if the request line is far too long, which
	 * is refused anyway.
	 */
	(void)MHD_set_connection_value(connection, MHD_HEADER_KIND, cookie_name,
	                               cookie_value);
}

void fields_read(struct fields *fields, struct arena *arena,
                 struct MHD_Connection *connection, const char *method,
                 struct http_slice target, const char *version)
{
	struct reader reader = {
		.fields = fields,
		.arena = arena,
		.next = version + strlen(version) + strlen("\r\n"),
	};

	fields->has_gap =
		(method && method + strlen(method) + 1 != target.text) ||
		target.text + target.len + 1 != version;
	(void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND,
	                                  read_field, &reader);
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	fields->header_size = info ? info->header_size : 0;
	fields->has_gap |= method && method + fields->header_size !=
	                                     reader.next + strlen("\r\n");
}

void fields_count(struct fields *fields, struct MHD_Connection *connection,
                  enum MHD_ValueKind kind)
{
	(void)MHD_get_connection_values_n(connection, kind, count_field,
	                                  fields);
}

bool fields_are_too_many(const struct fields *fields)
{
	return fields->size > HTTP_FIELDS_MAX ||
	       fields->count > HTTP_FIELDS_COUNT_MAX;
}
