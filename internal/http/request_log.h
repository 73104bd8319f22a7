/*
 * request_log.h - the lines that a server logs, and how many of them.
 *
 * Each request that the loop carried out has a line.  A server logs requests
 * that any client can send without limit once per second and kind, with the
 * number that it left out (not_logged), so that clients cannot fill the log.
 * At the level "debug" it logs each of them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct exchange;

enum request_log_kind {
	REQUEST_LOG_LIMITED,    /* refused by a quota */
	REQUEST_LOG_REFUSED,    /* refused before the loop saw it */
	REQUEST_LOG_ROUTINE,    /* OPTIONS, and a probe that is answered well */
	REQUEST_LOG_UNREADABLE, /* refused by libmicrohttpd itself */
	REQUEST_LOG_FULL,       /* the connections have reached their cap */
	REQUEST_LOG_KIND_COUNT,
	REQUEST_LOG_EACH = REQUEST_LOG_KIND_COUNT /* each is logged */
};

/* The log of one server; zeroed at first. */
struct request_log {
	struct {
		uint64_t logged_ns; /* when the last one was */
		unsigned unlogged;  /* since then */
	} kinds[REQUEST_LOG_KIND_COUNT];
};

/*
 * Log a finished request; is_done: libmicrohttpd sent all of the answer.  One
 * that libmicrohttpd has answered by itself is logged as unreadable instead.
 */
void request_log_request(struct request_log *log,
                         const struct exchange *exchange, bool is_done);

/* libmicrohttpd refused bytes that it could not read; 0: without an answer. */
void request_log_unreadable(struct request_log *log, unsigned status);

/* The connections have reached their cap. */
void request_log_full(struct request_log *log, unsigned connections);

/* Log how many were left out so far, when the server ends. */
void request_log_end(struct request_log *log);
