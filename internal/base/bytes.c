/*
 * Readers and writers for codecs.  A writer keeps len <= size and a reader
 * never moves past its end, so a codec needs no checks between its fields.
 */
#include "base/bytes.h"

#include <assert.h>
#include <string.h>

void put_u8(struct bytes_out *out, unsigned byte)
{
	assert(byte <= UINT8_MAX);
	if (out->len == out->size)
		out->full = true;
	else
		out->start[out->len++] = (uint8_t)byte;
}

void put_bytes(struct bytes_out *out, const uint8_t *run, size_t count)
{
	size_t room = out->size - out->len;

	if (count > room) {
		out->full = true;
		count = room;
	}
	if (count)
		memcpy(out->start + out->len, run, count);
	out->len += count;
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

void get_bytes(struct bytes_in *in, uint8_t *run, size_t count)
{
	size_t there = count < in->left ? count : in->left;

	if (there < count) {
		get_fail(in);
		memset(run + there, 0, count - there);
	}
	if (!there)
		return;
	memcpy(run, in->at, there);
	in->at += there;
	in->left -= there;
}

void put_u16be(struct bytes_out *out, unsigned number)
{
	put_u8(out, number >> 8);
	put_u8(out, number & 0xff);
}

uint16_t get_u16be(struct bytes_in *in)
{
	unsigned high = get_u8(in);

	return (uint16_t)(high << 8 | get_u8(in));
}

static void put_le(struct bytes_out *out, uint64_t number, unsigned bits)
{
	for (unsigned bit = 0; bit < bits; bit += 8)
		put_u8(out, number >> bit & 0xff);
}

void put_u64le(struct bytes_out *out, uint64_t number)
{
	put_le(out, number, 64);
}

uint64_t get_u64le(struct bytes_in *in)
{
	uint64_t number = 0;

	for (unsigned bit = 0; bit < 64; bit += 8)
		number |= (uint64_t)get_u8(in) << bit;
	return number;
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

/*
 * One step adds four bytes, or one byte at the end.  For a given word the step
 * is a bijection of the sum, so two inputs that differ in one step have
 * different sums.  The rotation keeps changes in two steps from cancelling out.
 */
static uint32_t checksum_step(uint32_t sum, uint32_t word)
{
	sum = (sum ^ word) * UINT32_C(0x9e3779b1);
	return sum << 15 | sum >> 17;
}

static uint32_t checksum_of(const uint8_t *bytes, size_t len)
{
	uint32_t sum = (uint32_t)len;

	for (; len >= 4; bytes += 4, len -= 4)
		sum = checksum_step(sum, bytes[0] | (uint32_t)bytes[1] << 8 |
		                                 (uint32_t)bytes[2] << 16 |
		                                 (uint32_t)bytes[3] << 24);
	for (; len > 0; bytes++, len--)
		sum = checksum_step(sum, *bytes);
	return sum;
}

void put_checksum(struct bytes_out *out)
{
	put_le(out, checksum_of(out->start, out->len), 32);
}

void get_checksum(struct bytes_in *in)
{
	if (in->left < CHECKSUM_SIZE) {
		get_fail(in);
		return;
	}
	in->left -= CHECKSUM_SIZE;

	uint32_t sum = checksum_of(in->at, in->left);
	for (unsigned i = 0; i < CHECKSUM_SIZE; i++) {
		if (in->at[in->left + i] != (sum >> 8 * i & 0xff))
			get_fail(in);
	}
}
