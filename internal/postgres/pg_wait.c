/* Polls the connection and the stop_fd; keeps nothing. */
#include "postgres/pg_wait.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"

bool pg_wait(PGconn *pg, int stop_fd, uint64_t deadline_ns)
{
	while (PQisBusy(pg)) {
		uint64_t now = clock_monotonic_ns();
		int more = PQflush(pg);
		struct pollfd fds[] = {
			{ .fd = PQsocket(pg), .events = POLLIN },
			{ .fd = stop_fd, .events = POLLIN },
		};

		if (more < 0 || now >= deadline_ns)
			return false;
		if (more > 0)
			fds[0].events |= POLLOUT;
		int ready =
			poll(fds, ARRAY_LEN(fds),
		             (int)((deadline_ns - now) / CLOCK_NS_PER_MS) + 1);
		if ((ready < 0 && errno != EINTR) || fds[1].revents != 0)
			return false;
		if (ready > 0 && fds[0].revents & ~POLLOUT &&
		    !PQconsumeInput(pg))
			return false;
	}
	return true;
}
