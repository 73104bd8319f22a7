/*
 * A writer that is full and a reader that is at its end go on without touching
 * memory, and keep a flag; so a codec writes or reads field by field without a
 * check between them, and asks once at the end.
 */
#include "base/bytes.h"

#include <assert.h>

void put_u8(struct bytes_out *out, unsigned byte)
{
	assert(byte <= UINT8_MAX);
	if (out->len == out->size)
		out->full = true;
	else
		out->start[out->len++] = (uint8_t)byte;
}

void put_bytes(struct bytes_out *out, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_u8(out, bytes[i]);
}

uint8_t get_u8(struct bytes_in *in)
{
	if (in->left == 0) {
		get_fail(in);
		return 0;
	}
	in->left--;
	return *in->at++;
}

void get_bytes(struct bytes_in *in, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = get_u8(in);
}

void put_list(struct bytes_out *out, const uint8_t *list, unsigned count)
{
	put_u8(out, count);
	put_bytes(out, list, count);
}

uint8_t get_list(struct bytes_in *in, uint8_t *list, unsigned max)
{
	uint8_t count = get_u8(in);

	if (count > max)
		get_fail(in);
	else
		get_bytes(in, list, count);
	return count;
}

void put_u64le(struct bytes_out *out, uint64_t number)
{
	for (unsigned bit = 0; bit < 64; bit += 8)
		put_u8(out, number >> bit & 0xff);
}

uint64_t get_u64le(struct bytes_in *in)
{
	uint64_t number = 0;

	for (unsigned bit = 0; bit < 64; bit += 8)
		number |= (uint64_t)get_u8(in) << bit;
	return number;
}

bool get_bool(struct bytes_in *in)
{
	uint8_t byte = get_u8(in);

	if (byte > 1)
		get_fail(in);
	return byte == 1;
}

void get_expected(struct bytes_in *in, unsigned byte)
{
	if (get_u8(in) != byte)
		get_fail(in);
}

void get_fail(struct bytes_in *in)
{
	in->broken = true;
}

bool get_all_read(const struct bytes_in *in)
{
	return in->left == 0 && !in->broken;
}
