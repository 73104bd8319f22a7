/*
 * bytes.h - writes and reads fields of fixed layout within a buffer's bounds.
 *
 * A writer drops bytes past the end of its buffer and sets full.  A reader
 * returns zeros past the end and sets broken; it also sets broken for a value
 * that the function does not allow.  The caller checks the flag once, at the
 * end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes_out {
	uint8_t *start; /* borrowed */
	size_t size;
	size_t len;
	bool full;
};

struct bytes_in {
	const uint8_t *at; /* borrowed */
	size_t left;
	bool broken; /* a byte was missing or not allowed */
};

void put_u8(struct bytes_out *out, unsigned byte);
void put_bytes(struct bytes_out *out, const uint8_t *bytes, size_t count);
uint8_t get_u8(struct bytes_in *in);
void get_bytes(struct bytes_in *in, uint8_t *bytes, size_t count);

/* Two bytes, the most significant first. */
void put_u16be(struct bytes_out *out, unsigned number);
uint16_t get_u16be(struct bytes_in *in);

/* Eight bytes, the least significant first. */
void put_u64le(struct bytes_out *out, uint64_t number);
uint64_t get_u64le(struct bytes_in *in);

/* A byte of which only the expected value is allowed. */
void get_expected(struct bytes_in *in, unsigned byte);

/* Set broken: the caller has read a value that is not allowed. */
void get_fail(struct bytes_in *in);

/* True if the reader is not broken and no byte is left. */
bool get_all_read(const struct bytes_in *in);

/*
 * Append a checksum of all bytes written so far; or, before reading anything,
 * remove the checksum from the end and set broken if it does not match.  It
 * detects every change of a single byte, and other damage with a probability of
 * 1 - 2^-32.  It has no key, so it does not detect forgery.
 */
enum { CHECKSUM_SIZE = 4 };
void put_checksum(struct bytes_out *out);
void get_checksum(struct bytes_in *in);
