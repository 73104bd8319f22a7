/*
 * json_out.h - writes JSON by appending to a buffer that the caller owns.
 *
 * Each call appends its text, with a comma if one is needed.  The writer builds
 * no tree and allocates nothing, so the rules may use it.  When the buffer is
 * full it drops text and sets full; the caller checks json_out_fits() once, at
 * the end.
 *
 * Strings must be valid UTF-8; the writer escapes them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_out {
	char *start; /* borrowed */
	char *at;    /* where the next byte goes */
	char *end;   /* behind the buffer */
	bool full;   /* text was dropped */
};

/* Begin with an empty text in a buffer of size bytes. */
void json_out_init(struct json_out *out, char *buffer, size_t size);

/* True if no text was dropped. */
bool json_out_fits(const struct json_out *out);

/* The number of bytes written so far. */
size_t json_out_len(const struct json_out *out);

void json_object(struct json_out *out); /* { */
void json_object_end(struct json_out *out);
void json_array(struct json_out *out); /* [ */
void json_array_end(struct json_out *out);

/* The name of the next member: ASCII without quotes and backslashes. */
void json_key(struct json_out *out, const char *name);

void json_string(struct json_out *out, const char *text);
void json_string_len(struct json_out *out, const char *text, size_t len);
void json_string_or_null(struct json_out *out, const char *text);
void json_int(struct json_out *out, int64_t value);
void json_bool(struct json_out *out, bool value);
void json_null(struct json_out *out);

/* A value that is JSON already. */
void json_literal(struct json_out *out, const char *json);
void json_raw(struct json_out *out, const char *text, size_t len);

/* A name and its value; the caller ends the object or array. */
void json_key_object(struct json_out *out, const char *name);
void json_key_array(struct json_out *out, const char *name);
void json_key_string(struct json_out *out, const char *name, const char *text);
void json_key_string_or_null(struct json_out *out, const char *name,
                             const char *text);
void json_key_int(struct json_out *out, const char *name, int64_t value);
void json_key_bool(struct json_out *out, const char *name, bool value);
void json_key_null(struct json_out *out, const char *name);

/* Null if the value is 0. */
void json_key_int_or_null(struct json_out *out, const char *name,
                          int64_t value);
