#include "base/clock.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

uint64_t clock_monotonic_ns(void)
{
	struct timespec now;
	int res = clock_gettime(CLOCK_MONOTONIC, &now);

	assert(res == 0);
	(void)res;
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

int64_t clock_wall_us(void)
{
	struct timespec now;
	int res = clock_gettime(CLOCK_REALTIME, &now);

	assert(res == 0);
	(void)res;
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void clock_print(int64_t wall_us, char text[CLOCK_TEXT_LEN + 1])
{
	int64_t micros = wall_us % 1000000;
	time_t seconds = (time_t)(wall_us / 1000000);
	struct tm utc;
	char day[20];

	if (micros < 0) {
		micros += 1000000;
		seconds--;
	}
	const struct tm *broken_down = gmtime_r(&seconds, &utc);
	assert(broken_down);
	size_t len =
		strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", broken_down);
	assert(len == sizeof(day) - 1);
	(void)snprintf(text, CLOCK_TEXT_LEN + 1, "%s.%06dZ", day, (int)micros);
}
