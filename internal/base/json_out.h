/*
 * json_out.h - writes JSON by appending to a buffer that the caller owns.
 *
 * A view is written for every request, so no tree is built: each call appends
 * its text, with a comma where one is needed.  Nothing is allocated, so the
 * rules may use the writer.  A full buffer drops the rest and sets full; ask
 * json_out_fits() once, at the end.
 *
 * Strings are valid UTF-8 that the service has checked; they are escaped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_out {
	char *start; /* borrowed */
	char *at;    /* where the next byte goes */
	char *end;   /* one past the buffer */
	bool full;   /* something was dropped */
};

/* Begin with an empty text in buffer, which has size bytes. */
void json_out_init(struct json_out *out, char *buffer, size_t size);

/* True when all that was written is there. */
bool json_out_fits(const struct json_out *out);

/* Bytes written so far. */
size_t json_out_len(const struct json_out *out);

void json_object(struct json_out *out); /* { */
void json_object_end(struct json_out *out);
void json_array(struct json_out *out); /* [ */
void json_array_end(struct json_out *out);

/* The name of the next member; plain ASCII without quotes or backslashes. */
void json_key(struct json_out *out, const char *name);

void json_string(struct json_out *out, const char *text);
void json_string_len(struct json_out *out, const char *text, size_t len);
void json_string_or_null(struct json_out *out, const char *text);
void json_int(struct json_out *out, int64_t value);
void json_bool(struct json_out *out, bool value);
void json_null(struct json_out *out);
/* A value that is written as JSON already: "false". */
void json_literal(struct json_out *out, const char *json);

/* A value that was printed before, as it is. */
void json_raw(struct json_out *out, const char *text, size_t len);

/* A key and its value; an object or an array is only begun. */
void json_key_object(struct json_out *out, const char *name);
void json_key_array(struct json_out *out, const char *name);
void json_key_string(struct json_out *out, const char *name, const char *text);
void json_key_string_or_null(struct json_out *out, const char *name,
                             const char *text);
void json_key_int(struct json_out *out, const char *name, int64_t value);
void json_key_bool(struct json_out *out, const char *name, bool value);
void json_key_null(struct json_out *out, const char *name);

/* A number, or null for 0. */
void json_key_int_or_null(struct json_out *out, const char *name,
                          int64_t value);
