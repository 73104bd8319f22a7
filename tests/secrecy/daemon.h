/*
 * daemon.h - starts the real daemon, and compares its answers byte by byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	DAEMON_PATIENCE_MS = 10000,
	DAEMON_LOG_MAX = 256 * 1024,
	DAEMON_ANSWER_MAX = 64 * 1024,
	DAEMON_STREAM_MAX = 512 * 1024,
};

/* A process, a connection to it, and its log. */
struct daemon {
	char folder[512]; /* of the build */
	pid_t pid;
	int log_fd;
	int fd; /* the connection */
	unsigned port;
	size_t log_len;
	char log[DAEMON_LOG_MAX]; /* what was read of it and not taken */
};

/* --- masks ---------------------------------------------------------------- */

/* Replace the digits after each key, up to a character of end, by signs. */
void mask_digits(char *text, const char *key, const char *end);

/* Replace the number after each key by one sign, whatever its length. */
void mask_number(char *text, const char *key);

/* Replace the Date field of an answer by signs. */
void mask_date(char *text);

/* Replace the time in the ETag of an answer by signs, if it has one. */
void mask_etag(char *text);

/* --- the log -------------------------------------------------------------- */

/*
 * The lines of this many requests, one below the other.  A warning or an error
 * fails the test.
 */
void daemon_take_log(struct daemon *daemon, unsigned requests, char *text,
                     size_t size);

/* --- the process ---------------------------------------------------------- */

/* Run gangctl with two arguments; true if it succeeds. */
bool daemon_gangctl(const struct daemon *daemon, const char *word,
                    const char *id);

/* Start it on a free port, with one loop, and connect. */
void daemon_start(struct daemon *daemon);

/* Stop it, and check that it ended well. */
void daemon_stop(struct daemon *daemon);

/* --- exchanges ------------------------------------------------------------ */

/*
 * Send a request and read the whole answer into DAEMON_ANSWER_MAX bytes, its
 * times masked.
 */
void daemon_ask(struct daemon *daemon, const char *request, char *answer);

/* The status of an answer. */
unsigned daemon_status(const char *answer);

/* --- streams -------------------------------------------------------------- */

/* A stream of events, with all that was read of it. */
struct daemon_stream {
	int fd;
	unsigned heard; /* the version of an event, which ends here: */
	size_t at;
	size_t len;
	char text[DAEMON_STREAM_MAX];
};

/* Open a stream by HTTP/1.0, which has no chunks that depend on timing. */
void daemon_open_stream(const struct daemon *daemon, const char *request,
                        struct daemon_stream *stream);

/* Read until the event of a version has been received. */
void daemon_hear(struct daemon_stream *stream, unsigned version);

void daemon_end_stream(struct daemon_stream *stream);

/* Wait until it serves. */
void daemon_await_ready(struct daemon *daemon);
