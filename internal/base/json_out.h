/*
 * json_out.h - writes JSON by appending to a buffer that the caller owns.
 *
 * Each call appends its text, with a comma if one is needed.  The writer builds
 * no tree and allocates nothing, so the rules may use it.  When the buffer is
 * full it drops text and sets full; the caller checks json_out_fits() once, at
 * the end.
 *
 * Strings must be valid UTF-8; the writer escapes them.
 *
 * The functions that take a text without its length are inline: the length of a
 * literal is then known when the caller is compiled.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct json_out {
	char *start; /* borrowed */
	char *at;    /* where the next byte goes */
	char *end;   /* past the buffer */
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
void json_key_len(struct json_out *out, const char *name, size_t len);

static inline void json_key(struct json_out *out, const char *name)
{
	json_key_len(out, name, strlen(name));
}

void json_string_len(struct json_out *out, const char *text, size_t len);

static inline void json_string(struct json_out *out, const char *text)
{
	json_string_len(out, text, strlen(text));
}

void json_string_or_null(struct json_out *out, const char *text);
void json_int(struct json_out *out, int64_t value);
void json_bool(struct json_out *out, bool value);
void json_null(struct json_out *out);

/* A value that is JSON already. */
void json_raw(struct json_out *out, const char *text, size_t len);

static inline void json_literal(struct json_out *out, const char *json)
{
	json_raw(out, json, strlen(json));
}

/* A name and its value; the caller ends the object or array. */
static inline void json_key_object(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_object(out);
}

static inline void json_key_array(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_array(out);
}

static inline void json_key_string(struct json_out *out, const char *name,
                                   const char *text)
{
	json_key(out, name);
	json_string(out, text);
}

static inline void json_key_string_or_null(struct json_out *out,
                                           const char *name, const char *text)
{
	json_key(out, name);
	json_string_or_null(out, text);
}

static inline void json_key_int(struct json_out *out, const char *name,
                                int64_t value)
{
	json_key(out, name);
	json_int(out, value);
}

static inline void json_key_bool(struct json_out *out, const char *name,
                                 bool value)
{
	json_key(out, name);
	json_bool(out, value);
}

static inline void json_key_null(struct json_out *out, const char *name)
{
	json_key(out, name);
	json_null(out);
}

/* Null if the value is 0. */
static inline void json_key_int_or_null(struct json_out *out, const char *name,
                                        int64_t value)
{
	json_key(out, name);
	if (value)
		json_int(out, value);
	else
		json_null(out);
}
