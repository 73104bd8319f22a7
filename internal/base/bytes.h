/*
 * bytes.h - reading and writing plain bytes, with the bounds kept for you.
 *
 * Past its end a writer drops and a reader gives zeros; both remember it, so
 * ask once, at the end.
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
	bool short_of; /* something was missing */
};

void bytes_put(struct bytes_out *out, unsigned byte);
void bytes_put_run(struct bytes_out *out, const uint8_t *run, size_t count);
uint8_t bytes_get(struct bytes_in *in);
/* Read a byte that must be this one; another counts as missing. */
void bytes_expect(struct bytes_in *in, unsigned byte);
void bytes_get_run(struct bytes_in *in, uint8_t *run, size_t count);

/* True when everything was there and nothing is left. */
bool bytes_all_read(const struct bytes_in *in);

#endif
