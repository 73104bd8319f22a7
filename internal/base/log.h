/*
 * log.h - the log on stderr, with one JSON object in each line.
 *
 * Never log a card, a token, an invitation code or a player's name.
 *
 *   LOG(LOG_INFO, "request", LOG_TEXT("id", id), LOG_INT("status", 200));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

struct log_field {
	const char *name;
	const char *text; /* NULL: the value is the number */
	int64_t number;
};

/* Find the level with this name; false if the name is unknown. */
MUST_CHECK bool log_level_find(const char *word, enum log_level *level);

/* Set the lowest level that is written; LOG_INFO by default. */
void log_set_level(enum log_level level);

/* True if lines of this level are written. */
bool log_writes(enum log_level level);

/*
 * Write {"at":…,"level":…,"event":…, fields}.  Any thread may call it; lines
 * are never interleaved.  A line above 2 KiB is written without its fields.
 */
void log_write(enum log_level level, const char *event,
               const struct log_field *fields, size_t count);

/*
 * log_gather(): from now on the calling thread buffers its lines.  log_flush(),
 * a line of LOG_WARNING or above, and a full buffer (PIPE_BUF bytes) write
 * them.  A crash loses buffered lines.
 */
void log_gather(void);
void log_flush(void);

/* How many lines were dropped since the start.  For any thread. */
uint64_t log_lines_lost(void);

#define LOG(level, event, ...)                                                 \
	log_write((level), (event), (const struct log_field[]){ __VA_ARGS__ }, \
	          sizeof((const struct log_field[]){ __VA_ARGS__ }) /          \
	                  sizeof(struct log_field))
#define LOG_TEXT(name, text)      \
	{                         \
		(name), (text), 0 \
	}
#define LOG_INT(name, number)                   \
	{                                       \
		(name), NULL, (int64_t)(number) \
	}
