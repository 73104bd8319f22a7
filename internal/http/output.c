/*
 * The bytes from start to end are left to be sent.  A connection is idle most
 * of the time, and has no memory here then.
 */
#include "http/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"

size_t output_left(const struct output *output)
{
	return output->end - output->start;
}

void output_reserve(struct output *output, size_t len)
{
	size_t left = output_left(output);

	if (output->size - output->end >= len)
		return;
	if (left > 0 && output->start > 0)
		memmove(output->bytes, output->bytes + output->start, left);
	output->start = 0;
	output->end = left;
	if (left + len <= output->size)
		return;
	output->size = left + len;
	output->bytes = xrealloc(output->bytes, output->size);
}

void output_append(struct output *output, const char *text, size_t len)
{
	output_reserve(output, len);
	if (len > 0)
		memcpy(output->bytes + output->end, text, len);
	output->end += len;
}

ssize_t output_send(struct output *output, int fd)
{
	ssize_t sent = send(fd, output->bytes + output->start,
	                    output_left(output), MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent > 0)
		output->start += (size_t)sent;
	return sent;
}

void output_forget(struct output *output)
{
	free(output->bytes);
	*output = (struct output){ .bytes = NULL };
}
