/*
 * rows.h - what the rows of each statement mean, for the store and for the
 * operator's tool.
 *
 * A reader fills the members of a zeroed answer that store.h names for its
 * statement; what they point to lives in the arena.  STORE_BROKEN, and a line
 * in the log, when a row is not what the statement should give.  The answer
 * counts only when the result is STORE_OK.
 */
#pragma once

#include <libpq-fe.h>

#include "store/records.h"

struct rows;

/* Reads the rows into a zeroed answer, which counts if the result is STORE_OK.
 */
typedef enum store_result (*rows_fn)(const struct rows *rows,
                                     struct store_answer *answer);

/* The rows that one statement gave, and how to read them. */
struct rows {
	const char *statement; /* its name, for the log */
	const PGresult *res;
	rows_fn reader;
	enum store_result if_none; /* of no row, or NULL; STORE_OK: damage */
	struct arena *arena;
	struct uuid game; /* that was asked for */
	unsigned limit;   /* of the items that were asked for */
};

/* Read the whole answer, with its result. */
struct store_answer rows_read(const struct rows *rows);

/* One row, with at_us. */
MUST_CHECK enum store_result rows_read_time(const struct rows *rows,
                                            struct store_answer *answer);

/* One row, with what its name says. */
MUST_CHECK enum store_result rows_read_game(const struct rows *rows,
                                            struct store_answer *answer);
MUST_CHECK enum store_result rows_read_game_and_key(
	const struct rows *rows, struct store_answer *answer);
MUST_CHECK enum store_result rows_read_creation(const struct rows *rows,
                                                struct store_answer *answer);
MUST_CHECK enum store_result rows_read_id(const struct rows *rows,
                                          struct store_answer *answer);
MUST_CHECK enum store_result rows_read_token_hash(const struct rows *rows,
                                                  struct store_answer *answer);
MUST_CHECK enum store_result rows_read_waiting(const struct rows *rows,
                                               struct store_answer *answer);

/* At most limit events; one more was asked for, to see whether there are. */
MUST_CHECK enum store_result rows_read_events(const struct rows *rows,
                                              struct store_answer *answer);

/* All events, with their replay_data. */
MUST_CHECK enum store_result rows_read_replay(const struct rows *rows,
                                              struct store_answer *answer);

MUST_CHECK enum store_result rows_read_versions(const struct rows *rows,
                                                struct store_answer *answer);
MUST_CHECK enum store_result rows_read_last_seen(const struct rows *rows,
                                                 struct store_answer *answer);
MUST_CHECK enum store_result rows_read_lobby(const struct rows *rows,
                                             struct store_answer *answer);
