#include "base/bytes.h"

#include <assert.h>

void bytes_put(struct bytes_out *out, unsigned byte)
{
	assert(byte <= UINT8_MAX);
	if (out->len == out->size)
		out->full = true;
	else
		out->start[out->len++] = (uint8_t)byte;
}

void bytes_put_run(struct bytes_out *out, const uint8_t *run, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes_put(out, run[i]);
}

uint8_t bytes_get(struct bytes_in *in)
{
	if (in->left == 0) {
		bytes_fail(in);
		return 0;
	}
	in->left--;
	return *in->at++;
}

void bytes_get_run(struct bytes_in *in, uint8_t *run, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run[i] = bytes_get(in);
}

void bytes_put_list(struct bytes_out *out, const uint8_t *list, unsigned count)
{
	bytes_put(out, count);
	bytes_put_run(out, list, count);
}

uint8_t bytes_get_list(struct bytes_in *in, uint8_t *list, unsigned max)
{
	uint8_t count = bytes_get(in);

	if (count > max)
		bytes_fail(in);
	else
		bytes_get_run(in, list, count);
	return count;
}

void bytes_put_wide(struct bytes_out *out, uint64_t number)
{
	for (unsigned bit = 0; bit < 64; bit += 8)
		bytes_put(out, number >> bit & 0xff);
}

uint64_t bytes_get_wide(struct bytes_in *in)
{
	uint64_t number = 0;

	for (unsigned bit = 0; bit < 64; bit += 8)
		number |= (uint64_t)bytes_get(in) << bit;
	return number;
}

bool bytes_get_bool(struct bytes_in *in)
{
	uint8_t byte = bytes_get(in);

	if (byte > 1)
		bytes_fail(in);
	return byte == 1;
}

void bytes_expect(struct bytes_in *in, unsigned byte)
{
	if (bytes_get(in) != byte)
		bytes_fail(in);
}

void bytes_fail(struct bytes_in *in)
{
	in->broken = true;
}

bool bytes_all_read(const struct bytes_in *in)
{
	return in->left == 0 && !in->broken;
}
