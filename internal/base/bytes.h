/*
 * bytes.h - reading and writing plain bytes, with the bounds kept for you.
 *
 * Past its end a writer drops and a reader gives zeros; both remember it, so
 * ask once, at the end.  A reader remembers likewise what cannot be.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

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
	bool broken; /* something was missing, or is not what it must be */
};

void put_u8(struct bytes_out *out, unsigned byte);
void put_bytes(struct bytes_out *out, const uint8_t *run, size_t count);
uint8_t get_u8(struct bytes_in *in);
void get_bytes(struct bytes_in *in, uint8_t *run, size_t count);

/* A run with its count before it; one longer than max cannot be. */
void put_list(struct bytes_out *out, const uint8_t *list, unsigned count);
uint8_t get_list(struct bytes_in *in, uint8_t *list, unsigned max);

/* A number of eight bytes, the lowest first. */
void put_u64le(struct bytes_out *out, uint64_t number);
uint64_t get_u64le(struct bytes_in *in);

/* Read a byte that must be 0 or 1; or this one. */
bool get_bool(struct bytes_in *in);
void get_expected(struct bytes_in *in, unsigned byte);

/* What was read cannot be. */
void get_fail(struct bytes_in *in);

/* True when everything was there and nothing is left. */
bool get_all_read(const struct bytes_in *in);

#endif
