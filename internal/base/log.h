/*
 * log.h - one JSON object a line on stderr.
 *
 * A line never holds a card, a token, an invitation code or a player's name:
 * its fields are words and numbers that the service made itself.
 *
 *   LOG(LOG_INFO, "request", LOG_TEXT("id", id), LOG_INT("status", 200));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

struct log_field {
	const char *name;
	const char *text; /* NULL: the number */
	int64_t number;
};

/* The level that a word names; false, and level untouched, if none does. */
MUST_CHECK bool log_level_find(const char *word, enum log_level *level);

/* Lines below this level are not written; LOG_INFO at first. */
void log_set_level(enum log_level level);

/* Are lines of this level written? */
bool log_writes(enum log_level level);

/*
 * Write {"at":…,"level":…,"event":…, fields}.  The lines of several threads do
 * not mix.  A line that is too long is written without its fields.
 */
void log_write(enum log_level level, const char *event,
               const struct log_field *fields, size_t count);

/*
 * Gather the lines of this thread below LOG_WARNING until log_flush(), or until
 * there are many; a warning is written at once, with the lines before it.
 * Gathered lines are lost when the process crashes.
 */
void log_gather(void);
void log_flush(void);

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
