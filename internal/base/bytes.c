#include "base/bytes.h"

#include <assert.h>
#include <string.h>

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
		in->short_of = true;
		return 0;
	}
	in->left--;
	return *in->at++;
}

void bytes_expect(struct bytes_in *in, unsigned byte)
{
	if (bytes_get(in) != byte)
		in->short_of = true;
}

void bytes_get_run(struct bytes_in *in, uint8_t *run, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run[i] = bytes_get(in);
}

bool bytes_all_read(const struct bytes_in *in)
{
	return in->left == 0 && !in->short_of;
}
