/*
 * output.h - bytes for a client that its socket has not taken yet.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Zeroed, it is empty. */
struct output {
	char *bytes;
	size_t size;
	size_t start;
	size_t end;
};

/* Bytes that are not sent yet. */
size_t output_left(const struct output *output);

/* Make room for len more bytes, so that appending them allocates nothing. */
void output_reserve(struct output *output, size_t len);

void output_append(struct output *output, const char *text, size_t len);

/* Send to the socket what it takes; returns as send() does. */
ssize_t output_send(struct output *output, int fd);

/* Drop what is left, and the memory. */
void output_forget(struct output *output);
