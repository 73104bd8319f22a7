/*
 * capacity.c - divides what the process may have among its loops.  The settings
 * ask for a number of connections.  The limit on open files (RLIMIT_NOFILE,
 * which is raised to its maximum) may allow fewer: each connection is a file,
 * and the service needs some files of its own.
 */
#include "base/capacity.h"

#include <assert.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"

enum {
	FILES_OF_PROCESS = 16,
	FILES_OF_LOOP = 16 /* epoll, events, listening, connecting */
};

unsigned capacity_loops(const struct settings *settings)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	assert(settings->loops <= CAPACITY_LOOPS_MAX);
	if (settings->loops)
		return settings->loops;
	if (processors < 1)
		return 1;
	return processors > CAPACITY_LOOPS_MAX ? CAPACITY_LOOPS_MAX
	                                       : (unsigned)processors;
}

unsigned capacity_database_connections(const struct settings *settings,
                                       unsigned loops, unsigned loop)
{
	unsigned share = settings->database_connections / loops;

	share += loop < settings->database_connections % loops;
	return share > 0 ? share : 1;
}

unsigned capacity_clients(const struct settings *settings, unsigned loops,
                          unsigned others)
{
	unsigned own =
		FILES_OF_PROCESS + others + loops * FILES_OF_LOOP +
		capacity_database_connections(settings, loops, 0) * loops +
		(settings->bots ? settings->bot_connections : 0);
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return settings->connections;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
	if (getrlimit(RLIMIT_NOFILE, &files) != 0 ||
	    files.rlim_cur >= (rlim_t)settings->connections + own)
		return settings->connections;
	unsigned left = files.rlim_cur > own + loops
	                        ? (unsigned)files.rlim_cur - own
	                        : loops;
	LOG(LOG_WARNING, "connections_capped", LOG_INT("connections", left));
	return left;
}
