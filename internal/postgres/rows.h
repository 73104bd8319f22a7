/*
 * rows.h - what the rows of each statement mean, for the store and for the
 * operator's tool.
 */
#pragma once

#include <libpq-fe.h>

#include "postgres/records.h"
#include "postgres/wire.h"

struct rows;

/*
 * Reads the next row into an answer, into the members that store.h names for
 * the statement; what they point to lives in the arena.  Marks the row as
 * damaged if it is not what the statement should give.
 */
typedef void rows_fn(struct row *row, const struct rows *rows,
                     struct store_answer *answer);

/* The rows that one statement gave, and how to read them. */
struct rows {
	const char *statement; /* its name, for the log */
	const PGresult *res;
	int first; /* the first row of the answer, and how many there are */
	int count;
	int column; /* in which a row begins */
	rows_fn *reader;
	enum store_result if_none; /* of no row; unless STORE_OK, of NULL too */
	struct arena *arena;
	struct uuid game; /* that was asked for */
	unsigned limit;   /* of the items that were asked for */
};

/* Read all rows; STORE_BROKEN, and a line in the log, if one is damaged. */
struct store_answer rows_read(const struct rows *rows);

/* For statements that return one row. */
rows_fn rows_read_time; /* at_us */
rows_fn rows_read_game;
rows_fn rows_read_creation;
rows_fn rows_read_id;
rows_fn rows_read_token_hash;
rows_fn rows_read_transfer;
rows_fn rows_read_waiting;
rows_fn rows_read_subscribed; /* STORE_TAKEN: the limit is reached */

/* For statements that return a list. */
rows_fn rows_read_event;
rows_fn rows_read_replay; /* an event with its replay_data */
rows_fn rows_read_report, rows_read_version;
rows_fn rows_read_due;
rows_fn rows_read_placement;
rows_fn rows_read_notification;
rows_fn rows_read_last_seen;
rows_fn rows_read_count;
rows_fn rows_read_listed;
