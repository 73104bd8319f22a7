/*
 * Each loop has a socket of its own; the kernel spreads connections over those
 * that listen at one address.
 */
#include "loop/listening.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/setting.h"
#include "http/http.h"

int listening_again(int first_fd)
{
	struct arena arena;

	arena_init(&arena);
	int fd = http_listen(http_listen_name(first_fd, &arena), false);
	arena_fini(&arena);
	return fd;
}

int listening_at(const char *variable, const char *address)
{
	int fd = http_listen(address, true);

	if (fd < 0 && errno == EINVAL)
		setting_refuse(variable, address);
	else if (fd < 0)
		(void)fprintf(stderr, "cannot listen on \"%s\": %s\n", address,
		              strerror(errno));
	return fd;
}
