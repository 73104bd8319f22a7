/*
 * bytes.h - writes and reads fields of fixed layout within a buffer's bounds.
 *
 * Behind the end of the buffer a writer drops bytes and sets full, and a reader
 * returns zeros and sets broken; the caller asks once, at the end.  A reader
 * also sets broken for a value that its function does not allow.
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
	bool broken; /* a byte was missing, or had a value that is not allowed
	              */
};

void put_u8(struct bytes_out *out, unsigned byte);
void put_bytes(struct bytes_out *out, const uint8_t *bytes, size_t count);
uint8_t get_u8(struct bytes_in *in);
void get_bytes(struct bytes_in *in, uint8_t *bytes, size_t count);

/* Bytes with their count before them; a reader refuses more than max. */
void put_list(struct bytes_out *out, const uint8_t *list, unsigned count);
uint8_t get_list(struct bytes_in *in, uint8_t *list, unsigned max);

/* A number of eight bytes, the lowest byte first. */
void put_u64le(struct bytes_out *out, uint64_t number);
uint64_t get_u64le(struct bytes_in *in);

/* Read a byte that must be 0 or 1; or one that must be this byte. */
bool get_bool(struct bytes_in *in);
void get_expected(struct bytes_in *in, unsigned byte);

/* The caller read a value that is not allowed: set broken. */
void get_fail(struct bytes_in *in);

/* True if nothing was broken and no byte is left. */
bool get_all_read(const struct bytes_in *in);

/*
 * Append a checksum of all that was written before; or take one off the end of
 * what is to be read, all of which it is of.  Any one byte that has changed
 * fails the reader, and all but one in 2^32 of other changes do.  It finds
 * damage, not malice: anybody can compute it.
 */
enum { CHECKSUM_SIZE = 4 };
void put_checksum(struct bytes_out *out);
void get_checksum(struct bytes_in *in);
