/*
 * connection.h - one connection to the database, which carries one batch of
 * statements at a time.
 *
 * A function that can fail returns false; failure then says why.  A connection
 * that has failed is closed by its owner, who first takes what is left in its
 * batch: those statements may or may not have been carried out.
 */
#pragma once

#include "store/statement.h"

enum { CONNECTION_FAILURE_MAX = 128 };

struct connection {
	PGconn *pg; /* owned; NULL: it is not open */
	int epoll_fd;
	uint32_t number;              /* in the events of the epoll_fd */
	struct statement_queue batch; /* in the order of their results */
	struct statement *answered;   /* whose results come now; in batch */
	struct deadline deadline;     /* for all results of the batch */
	bool is_one_of_several;       /* hosts of the connection string */
	bool is_proving;  /* results of a commit come before those of the batch
	                   */
	bool is_busy;     /* results of what was sent are still to come */
	bool may_commit;  /* what was sent waits for a commit */
	bool is_probe;    /* a commit was sent that belongs to no batch */
	bool has_failed;  /* the probe, by an error of the server */
	uint64_t sent_ns; /* when the batch, probe or ping was sent */
	uint64_t answered_ns; /* sent_ns of the last that has all its results */
	bool is_checking_session; /* it was asked whether it can run functions
	                           */
	uint64_t overdue_ns; /* since when nobody waits for the results, though
	                      * they may come yet; 0: not so */
	uint64_t stuck_ns;   /* if it is overdue: since when other commits are
	                      * known to come back; 0: they are not */
	bool is_complete;    /* the results of the batch count */
	bool is_dirty;       /* has something to flush */
	bool is_full;        /* waits until the socket takes more */
	char failure[CONNECTION_FAILURE_MAX];
};

/*
 * Take over a connection in non-blocking pipeline mode, and add it to epoll. It
 * was sent the commit that it has acknowledged at proven_ns; 0: no commit.
 */
void connection_open(struct connection *connection, PGconn *pg, int epoll_fd,
                     uint32_t number, uint64_t proven_ns);

/* The batch must be empty. */
void connection_close(struct connection *connection);

/* The name of the first statement of a busy connection, for the log. */
const char *connection_asked(const struct connection *connection);

/* Open, with nothing on its way. */
bool connection_is_idle(const struct connection *connection);

/* True if the next batch has to wait for a probe commit. */
bool connection_is_silent(const struct connection *connection, uint64_t now_ns);

/* Send what the caller has put into the batch, by the next flush. */
MUST_CHECK bool connection_send(struct connection *connection);

/* Send a commit that changes nothing; or a statement that only answers. */
MUST_CHECK bool connection_send_commit(struct connection *connection);
MUST_CHECK bool connection_send_ping(struct connection *connection);

/*
 * Nobody waits for the results any more; the caller takes out the statements.
 * The connection is busy until they have come, and are dropped.
 */
void connection_give_up(struct connection *connection, uint64_t now_ns);

MUST_CHECK bool connection_flush(struct connection *connection);

/*
 * Read what has come.  If is_complete, also when the connection failed after
 * that, the batch has its results: the caller takes the statements out.
 */
MUST_CHECK bool connection_read(struct connection *connection);

/*
 * The batch is complete, and its statements are still in it.  Fails if one of
 * its errors says that the session is of no use any more.  If one leaves that
 * in doubt, check_session is sent by the next flush, and the connection fails
 * when its answer is bad, or takes longer than check_ns.
 */
MUST_CHECK bool connection_review(struct connection *connection,
                                  uint64_t check_ns);

/* Note why a connection is given up; detail may be "".  Always false. */
bool connection_fail(struct connection *connection, const char *reason,
                     const char *detail);
