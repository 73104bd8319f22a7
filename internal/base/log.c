/*
 * Each line, or each buffer of gathered lines, is one write(2) under a lock. It
 * has at most PIPE_BUF bytes, which a pipe takes whole or not at all.  The log
 * never blocks the service: while stderr is not writable, lines are dropped and
 * counted in lost; the next line that can be written reports their number.
 */
#include "base/log.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_out.h"

enum { LINE_MAX_BYTES = 2048, GATHERED_MAX = PIPE_BUF };

static const char *const levels[] = { "debug", "info", "warning", "error" };

static _Atomic enum log_level lowest = LOG_INFO;

static _Thread_local struct {
	bool on;
	size_t len;
	char lines[GATHERED_MAX];
} gathered;

bool log_level_find(const char *word, enum log_level *level)
{
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (strcmp(levels[i], word) == 0) {
			*level = (enum log_level)i;
			return true;
		}
	}
	return false;
}

void log_set_level(enum log_level level)
{
	lowest = level;
}

bool log_writes(enum log_level level)
{
	return level >= lowest;
}

static size_t print_line(char *line, enum log_level level, const char *event,
                         const struct log_field *fields, size_t count)
{
	char at[CLOCK_TEXT_LEN + 1];
	struct json_out out;

	json_out_init(&out, line, LINE_MAX_BYTES - 1);
	clock_print(clock_wall_us(), at);
	json_object(&out);
	json_key_string(&out, "at", at);
	json_key_string(&out, "level", levels[level]);
	json_key_string(&out, "event", event);
	for (size_t i = 0; i < count; i++) {
		if (fields[i].text)
			json_key_string(&out, fields[i].name, fields[i].text);
		else
			json_key_int(&out, fields[i].name, fields[i].number);
	}
	json_object_end(&out);
	if (!json_out_fits(&out))
		return 0;
	size_t len = json_out_len(&out);
	line[len++] = '\n';
	return len;
}

/* Protects stderr and both numbers of lost lines. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static uint64_t lost;     /* lines dropped since the last report */
static uint64_t reported; /* before that */

/* True if stderr takes PIPE_BUF bytes without blocking. */
static bool is_writable(void)
{
	struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&out, 1, 0) == 1 && out.revents & POLLOUT;
}

static void write_lost(void)
{
	struct log_field field = LOG_INT("lines", lost);
	char line[LINE_MAX_BYTES];
	size_t len = print_line(line, LOG_WARNING, "log_lost", &field, 1);

	if (write(STDERR_FILENO, line, len) > 0) {
		reported += lost;
		lost = 0;
	}
}

static void write_lines(const char *lines, size_t len)
{
	pthread_mutex_lock(&writing);
	if (lost && is_writable())
		write_lost();
	if (lost || !is_writable() || write(STDERR_FILENO, lines, len) < 0) {
		for (size_t i = 0; i < len; i++)
			lost += lines[i] == '\n';
	}
	pthread_mutex_unlock(&writing);
}

uint64_t log_lines_lost(void)
{
	pthread_mutex_lock(&writing);
	uint64_t all = reported + lost;
	pthread_mutex_unlock(&writing);
	return all;
}

void log_gather(void)
{
	gathered.on = true;
}

void log_flush(void)
{
	if (gathered.len > 0)
		write_lines(gathered.lines, gathered.len);
	gathered.len = 0;
}

void log_write(enum log_level level, const char *event,
               const struct log_field *fields, size_t count)
{
	char line[LINE_MAX_BYTES];

	if (!log_writes(level))
		return;
	size_t len = print_line(line, level, event, fields, count);
	if (len == 0)
		len = print_line(line, level, event, NULL, 0);
	if (!gathered.on) {
		write_lines(line, len);
		return;
	}
	if (gathered.len + len > sizeof(gathered.lines))
		log_flush();
	memcpy(gathered.lines + gathered.len, line, len);
	gathered.len += len;
	if (level >= LOG_WARNING)
		log_flush();
}
