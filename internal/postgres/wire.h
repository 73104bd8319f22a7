/*
 * wire.h - PostgreSQL's binary format: parameters written, rows read.
 *
 * Parameters are appended one after the other, in the order of the
 * statement's $1, $2 and so on; columns are read likewise.  A column that is
 * missing, is NULL where it must not be, or holds a number out of its range
 * marks the row as damaged and reads as zero: ask row_is_whole() at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/arena.h"
#include "base/uuid.h"

enum { PARAMS_MAX = 40, PARAMS_HASH_SIZE = 32 };

/* Owns its bytes; params_fini() frees them.  Zeroed: empty. */
struct params {
	uint8_t *bytes;
	size_t len;
	size_t size;
	unsigned count;
	size_t starts[PARAMS_MAX]; /* of each value in bytes */
	int lens[PARAMS_MAX];      /* -1: NULL */
};

void params_fini(struct params *params);

/* True if they are the same, byte by byte. */
bool params_equal(const struct params *a, const struct params *b);

/* Append a value.  NULL, no uuid and no time (0) are sent as NULL. */
void params_null(struct params *params);
void params_bool(struct params *params, bool value);
void params_int2(struct params *params, unsigned value);
void params_int4(struct params *params, uint32_t value); /* up to INT32_MAX */
void params_uuid(struct params *params, struct uuid uuid);
void params_time_us(struct params *params, int64_t at_us); /* since 1970 */
void params_text(struct params *params, const char *text);
void params_bytes(struct params *params, const uint8_t *bytes, size_t len);

/*
 * An array of one member of count structs (1..INT16_MAX): first points to the
 * member in the first struct, and the structs are stride bytes apart.
 */
enum params_member {
	PARAMS_UINT8,  /* as int2 */
	PARAMS_UINT32, /* as int4; up to INT32_MAX */
	PARAMS_UUID,
	PARAMS_HASH, /* PARAMS_HASH_SIZE bytes in the struct, as bytea */
};
void params_array(struct params *params, enum params_member type,
                  const void *first, size_t stride, size_t count);

/* The same, of a pointer to bytes and their number; 0 is NULL. */
void params_array_bytes(struct params *params, const uint8_t *const *first,
                        const size_t *first_len, size_t stride, size_t count);

/*
 * An array whose elements are values of other parameters, which have that type:
 * begin it, add each, end it.  It may be empty.
 */
enum params_type {
	PARAMS_OF_BOOL,
	PARAMS_OF_BYTEA,
	PARAMS_OF_INT2,
	PARAMS_OF_INT4,
	PARAMS_OF_TEXT,
	PARAMS_OF_UUID,
};
void params_elements_begin(struct params *params, enum params_type type,
                           size_t count);
void params_elements_add(struct params *params, const struct params *from,
                         unsigned index);
void params_elements_add_all(struct params *params, const struct params *from,
                             unsigned index); /* the elements of an array */
void params_elements_add_int4(struct params *params, uint32_t value);
void params_elements_add_bytes(struct params *params, const uint8_t *bytes,
                               size_t len);
void params_value_end(struct params *params);

bool params_is_null(const struct params *params, unsigned index);

/* The number of elements of an array, or the value of an int4 or a bool. */
uint32_t params_get_count(const struct params *params, unsigned index);
uint32_t params_get_int4(const struct params *params, unsigned index);
bool params_get_bool(const struct params *params, unsigned index);

/* The arrays that libpq takes; borrowed from params. */
struct params_list {
	const char *values[PARAMS_MAX];
	int formats[PARAMS_MAX];
};
void params_list(const struct params *params, struct params_list *list);

/* Reads a row of a result; borrows the result. */
struct row {
	const PGresult *res;
	int number;
	int column; /* the next one */
	bool is_damaged;
};

void row_init(struct row *row, const PGresult *res, int number);

/* True if all that was read was there, and there is no column left. */
bool row_is_whole(const struct row *row);

bool row_bool(struct row *row);
uint8_t row_byte(struct row *row);  /* an int2 of 0..255 */
uint32_t row_int4(struct row *row); /* an int4 that is not negative */
uint32_t row_int4_or(struct row *row, uint32_t null); /* what NULL reads as */
uint64_t row_count(struct row *row);  /* an int8 that is not negative */
int64_t row_time_us(struct row *row); /* since 1970 */
struct uuid row_uuid(struct row *row);
struct uuid row_uuid_or_none(struct row *row); /* NULL is none */

/* Borrowed from the result; not copied. */
const uint8_t *row_bytes(struct row *row, size_t *len);

/* Copied into the arena; the last two give NULL for NULL. */
const char *row_text(struct row *row, struct arena *arena);
char *row_text_or_null(struct row *row, struct arena *arena);
const uint8_t *row_bytes_or_null(struct row *row, struct arena *arena,
                                 size_t *len);
