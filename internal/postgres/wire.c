/*
 * wire.c - PostgreSQL's binary format, in which numbers have their high byte
 * first and times count from the year 2000.
 *
 * The parameters of a statement are one buffer that grows, with the place and
 * length of each value in it.  A row is a position in a result: each reader
 * takes the next column.
 */
#include "postgres/wire.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	/* PostgreSQL's own numbers of these types; they never change. */
	OID_BOOL = 16,
	OID_BYTEA = 17,
	OID_INT2 = 21,
	OID_INT4 = 23,
	OID_TEXT = 25,
	OID_UUID = 2950,
	FORMAT_BINARY = 1,
	ARRAY_COUNT_AT = 12, /* in an array: how many elements it has */
	ARRAY_HEADER_LEN = 20,
	FIRST_SIZE = 1024,
};

/* The length of an array's element that is NULL. */
static const uint32_t ARRAY_NULL = UINT32_MAX;
/* From 1970 to 2000. */
static const int64_t EPOCH_US = INT64_C(946684800) * 1000000;
/* The end of the year 9999. */
static const int64_t LAST_US = INT64_C(253402300799) * 1000000 + 999999;

void params_fini(struct params *params)
{
	free(params->bytes);
	*params = (struct params){ .bytes = NULL };
}

static void append(struct params *params, const void *bytes, size_t len)
{
	/* Never quite full, so that an empty value has an address too. */
	if (params->size - params->len <= len) {
		size_t size = params->size ? params->size : FIRST_SIZE;

		while (size - params->len <= len)
			size *= 2;
		params->bytes = xrealloc(params->bytes, size);
		params->size = size;
	}
	if (len > 0)
		memcpy(params->bytes + params->len, bytes, len);
	params->len += len;
}

/* The lowest bytes of a number. */
static void append_number(struct params *params, uint64_t number, size_t size)
{
	uint8_t bytes[sizeof(number)];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(number >> 8 * (size - 1 - i));
	append(params, bytes, size);
}

/* Begin the next value: all that is appended until params_value_end(). */
static void value_begin(struct params *params)
{
	assert(params->count < PARAMS_MAX);
	params->starts[params->count] = params->len;
}

void params_value_end(struct params *params)
{
	size_t len = params->len - params->starts[params->count];

	assert(len <= INT_MAX);
	params->lens[params->count++] = (int)len;
}

bool params_equal(const struct params *a, const struct params *b)
{
	return a->count == b->count && a->len == b->len &&
	       memcmp(a->lens, b->lens, a->count * sizeof(*a->lens)) == 0 &&
	       (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

void params_null(struct params *params)
{
	value_begin(params);
	params->lens[params->count++] = -1;
}

void params_bytes(struct params *params, const uint8_t *bytes, size_t len)
{
	if (!bytes) {
		params_null(params);
		return;
	}
	value_begin(params);
	append(params, bytes, len);
	params_value_end(params);
}

static void add_number(struct params *params, uint64_t number, size_t size)
{
	value_begin(params);
	append_number(params, number, size);
	params_value_end(params);
}

void params_bool(struct params *params, bool value)
{
	add_number(params, value, 1);
}

void params_int2(struct params *params, unsigned value)
{
	assert(value <= INT16_MAX);
	add_number(params, value, 2);
}

void params_int4(struct params *params, uint32_t value)
{
	assert(value <= INT32_MAX);
	add_number(params, value, 4);
}

void params_time_us(struct params *params, int64_t at_us)
{
	if (at_us)
		add_number(params, (uint64_t)(at_us - EPOCH_US), 8);
	else
		params_null(params);
}

void params_uuid(struct params *params, struct uuid uuid)
{
	params_bytes(params, uuid_is_none(uuid) ? NULL : uuid.bytes,
	             sizeof(uuid.bytes));
}

void params_text(struct params *params, const char *text)
{
	params_bytes(params, (const uint8_t *)text, text ? strlen(text) : 0);
}

/*
 * An array of one dimension: how many dimensions, whether there may be NULLs,
 * the type of the elements, how many there are and the number of the first;
 * then the elements, each after its length.
 */
static void array_begin(struct params *params, uint32_t type, size_t count)
{
	assert(count <= INT16_MAX);
	value_begin(params);
	append_number(params, count > 0, 4); /* dimensions */
	append_number(params, 1, 4);
	append_number(params, type, 4);
	if (count > 0) {
		append_number(params, count, 4);
		append_number(params, 1, 4);
	}
}

void params_array(struct params *params, enum params_member type,
                  const void *first, size_t stride, size_t count)
{
	static const struct {
		uint32_t oid;
		uint32_t size;
	} elements[] = {
		[PARAMS_UINT8] = { OID_INT2, 2 },
		[PARAMS_UINT32] = { OID_INT4, 4 },
		[PARAMS_UUID] = { OID_UUID, sizeof(struct uuid) },
		[PARAMS_HASH] = { OID_BYTEA, PARAMS_HASH_SIZE },
	};
	const uint8_t *member = first;
	size_t size = elements[type].size;
	uint32_t number;

	array_begin(params, elements[type].oid, count);
	for (size_t i = 0; i < count; i++, member += stride) {
		append_number(params, size, 4);
		if (type == PARAMS_UINT8) {
			append_number(params, *member, size);
		} else if (type == PARAMS_UINT32) {
			memcpy(&number, member, sizeof(number));
			assert(number <= INT32_MAX);
			append_number(params, number, size);
		} else {
			append(params, member, size);
		}
	}
	params_value_end(params);
}

void params_array_bytes(struct params *params, const uint8_t *const *first,
                        const size_t *first_len, size_t stride, size_t count)
{
	const uint8_t *bytes;
	size_t len;

	array_begin(params, OID_BYTEA, count);
	for (size_t i = 0; i < count; i++) {
		memcpy(&bytes, (const char *)first + i * stride, sizeof(bytes));
		memcpy(&len, (const char *)first_len + i * stride, sizeof(len));
		assert(len <= INT32_MAX);
		append_number(params, len > 0 ? len : ARRAY_NULL, 4);
		append(params, bytes, len);
	}
	params_value_end(params);
}

void params_elements_begin(struct params *params, enum params_type type,
                           size_t count)
{
	static const uint32_t oids[] = {
		[PARAMS_OF_BOOL] = OID_BOOL, [PARAMS_OF_BYTEA] = OID_BYTEA,
		[PARAMS_OF_INT2] = OID_INT2, [PARAMS_OF_INT4] = OID_INT4,
		[PARAMS_OF_TEXT] = OID_TEXT, [PARAMS_OF_UUID] = OID_UUID,
	};

	array_begin(params, oids[type], count);
}

void params_elements_add(struct params *params, const struct params *from,
                         unsigned index)
{
	int len = from->lens[index];

	assert(index < from->count);
	append_number(params, len < 0 ? ARRAY_NULL : (uint32_t)len, 4);
	if (len > 0)
		append(params, from->bytes + from->starts[index], (size_t)len);
}

void params_elements_add_bytes(struct params *params, const uint8_t *bytes,
                               size_t len)
{
	append_number(params, len, 4);
	append(params, bytes, len);
}

void params_elements_add_all(struct params *params, const struct params *from,
                             unsigned index)
{
	assert(index < from->count && from->lens[index] >= ARRAY_HEADER_LEN);
	append(params, from->bytes + from->starts[index] + ARRAY_HEADER_LEN,
	       (size_t)from->lens[index] - ARRAY_HEADER_LEN);
}

void params_elements_add_int4(struct params *params, uint32_t value)
{
	assert(value <= INT32_MAX);
	append_number(params, 4, 4);
	append_number(params, value, 4);
}

/* The number of size bytes at an offset of a value. */
static uint32_t get_number(const struct params *params, unsigned index,
                           size_t at, size_t size)
{
	const uint8_t *bytes = params->bytes + params->starts[index] + at;
	uint32_t number = 0;

	assert(params->lens[index] >= (int)(at + size));
	for (size_t i = 0; i < size; i++)
		number = number << 8 | bytes[i];
	return number;
}

bool params_is_null(const struct params *params, unsigned index)
{
	assert(index < params->count);
	return params->lens[index] < 0;
}

uint32_t params_get_count(const struct params *params, unsigned index)
{
	/* An empty array has no dimension, and so no count. */
	return params->lens[index] < ARRAY_HEADER_LEN
	               ? 0
	               : get_number(params, index, ARRAY_COUNT_AT, 4);
}

uint32_t params_get_int4(const struct params *params, unsigned index)
{
	return get_number(params, index, 0, 4);
}

bool params_get_bool(const struct params *params, unsigned index)
{
	return get_number(params, index, 0, 1) != 0;
}

void params_list(const struct params *params, struct params_list *list)
{
	for (unsigned i = 0; i < params->count; i++) {
		const uint8_t *value = params->bytes + params->starts[i];

		list->values[i] =
			params->lens[i] < 0 ? NULL : (const char *)value;
		list->formats[i] = FORMAT_BINARY;
	}
}

void row_init(struct row *row, const PGresult *res, int number)
{
	*row = (struct row){ .res = res, .number = number };
	row->is_damaged = number >= PQntuples(res);
}

bool row_is_whole(const struct row *row)
{
	return !row->is_damaged && row->column == PQnfields(row->res);
}

/* The next column's bytes; NULL for NULL and from a damaged row. */
static const uint8_t *next(struct row *row, size_t *len)
{
	int column = row->column++;

	*len = 0;
	if (row->is_damaged || column >= PQnfields(row->res)) {
		row->is_damaged = true;
		return NULL;
	}
	if (PQgetisnull(row->res, row->number, column))
		return NULL;
	*len = (size_t)PQgetlength(row->res, row->number, column);
	return (const uint8_t *)PQgetvalue(row->res, row->number, column);
}

/* The next column as a number of size bytes. */
static uint64_t next_number(struct row *row, size_t size)
{
	size_t len;
	const uint8_t *bytes = next(row, &len);
	uint64_t number = 0;

	if (!bytes || len != size) {
		row->is_damaged = true;
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		number = number << 8 | bytes[i];
	return number;
}

/* The same; a number above max damages the row. */
static uint64_t next_number_up_to(struct row *row, size_t size, uint64_t max)
{
	uint64_t number = next_number(row, size);

	if (number <= max)
		return number;
	row->is_damaged = true;
	return 0;
}

bool row_bool(struct row *row)
{
	return next_number_up_to(row, 1, 1) == 1;
}

uint8_t row_byte(struct row *row)
{
	return (uint8_t)next_number_up_to(row, 2, UINT8_MAX);
}

uint32_t row_int4(struct row *row)
{
	return (uint32_t)next_number_up_to(row, 4, INT32_MAX);
}

uint32_t row_int4_or(struct row *row, uint32_t null)
{
	if (!PQgetisnull(row->res, row->number, row->column))
		return row_int4(row);
	row->column++;
	return null;
}

uint64_t row_count(struct row *row)
{
	return next_number_up_to(row, 8, INT64_MAX);
}

int64_t row_time_us(struct row *row)
{
	int64_t at_us = (int64_t)(next_number(row, 8) + (uint64_t)EPOCH_US);

	/* Infinity and years that RFC 3339 has no digits for are damage. */
	if (at_us < 0 || at_us > LAST_US) {
		row->is_damaged = true;
		return 0;
	}
	return at_us;
}

struct uuid row_uuid_or_none(struct row *row)
{
	struct uuid uuid = { { 0 } };
	size_t len;
	const uint8_t *bytes = next(row, &len);

	if (bytes && len == sizeof(uuid.bytes))
		memcpy(uuid.bytes, bytes, len);
	else if (bytes)
		row->is_damaged = true;
	return uuid;
}

struct uuid row_uuid(struct row *row)
{
	struct uuid uuid = row_uuid_or_none(row);

	if (uuid_is_none(uuid))
		row->is_damaged = true;
	return uuid;
}

const uint8_t *row_bytes(struct row *row, size_t *len)
{
	const uint8_t *bytes = next(row, len);

	if (bytes)
		return bytes;
	row->is_damaged = true;
	*len = 0;
	return NULL;
}

const uint8_t *row_bytes_or_null(struct row *row, struct arena *arena,
                                 size_t *len)
{
	const uint8_t *bytes = next(row, len);

	if (!bytes)
		return NULL;
	return (const uint8_t *)arena_strndup(arena, (const char *)bytes, *len);
}

char *row_text_or_null(struct row *row, struct arena *arena)
{
	size_t len;
	const uint8_t *bytes = next(row, &len);

	return bytes ? arena_strndup(arena, (const char *)bytes, len) : NULL;
}

const char *row_text(struct row *row, struct arena *arena)
{
	const char *text = row_text_or_null(row, arena);

	if (text)
		return text;
	row->is_damaged = true;
	return "";
}
