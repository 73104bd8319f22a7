/*
 * schema.h - what this program knows of the database: the files of sql/,
 * which the build put into it, and whether a database has them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/embed.h"
#include "base/err.h"
#include "base/macros.h"

enum {
	SCHEMA_DIGEST_SIZE = 32,
	SCHEMA_NAME_MAX = 64,
	SCHEMA_REASON_MAX = 512,
	SCHEMA_NUMBER_LEN = 4, /* that the name of a migration begins with */
};

/* The files in the order of their names; a row without a name ends them. */
extern const struct embedded embed_migrations[];
extern const struct embedded embed_functions[];
extern const struct embedded embed_queries[];

/* The name under which all functions together are recorded. */
#define SCHEMA_FUNCTIONS "functions"

/* The record of a migration, and of the functions. */
void schema_digest_file(const struct embedded *file,
                        uint8_t digest[SCHEMA_DIGEST_SIZE]);
void schema_digest_functions(uint8_t digest[SCHEMA_DIGEST_SIZE]);

/* The statement that a file of sql/queries holds: its name without ".sql". */
void schema_query_name(const struct embedded *query,
                       char name[SCHEMA_NAME_MAX]);

/* The text of a statement that is there. */
const char *schema_query_text(const char *name);

/*
 * True if the rows of the statement "schema" (in binary) have all of this
 * program's migrations, and otherwise only later ones that allow it to go on.
 * Functions are this program's own, or came with a later migration.
 */
bool schema_is_known(const PGresult *res);

/*
 * Why the result of the statement "check_session" is bad: its SQLSTATE, or the
 * file of a function that is not there or may not be called.  NULL: it is good.
 */
const char *schema_session_trouble(const PGresult *res);

/* True if this program has a migration of this name, or it is the functions'.
 */
bool schema_has(const char *name);

/*
 * The number in a migration's line "-- compatible-from: NNNN"; false, and
 * nothing written, if it has none.
 */
MUST_CHECK bool schema_compatible_from(const struct embedded *file,
                                       char number[SCHEMA_NUMBER_LEN + 1]);

/*
 * SQL that makes its transaction a commit.  A host that was the primary, and
 * does not know yet that another is, has no standby for it, and does not
 * answer.
 */
#define SCHEMA_COMMIT "pg_logical_emit_message(true, 'gangd', '')"

/* One of several hosts, as libpq names it; name[0] == 0: no host. */
struct schema_host {
	char name[256];
	char address[64]; /* "" unless the connection string has addresses */
	char port[8];
};

/*
 * Connect to a valid URL and wait for it; a host that does not answer is given
 * up after two seconds, or as the string says, and the next one is tried.  With
 * only, no other host is tried; NULL: all are.  NULL if no server that takes
 * writes is reached: then reason says why, without a password in it.  Errors
 * and notices of the connection name no values.
 */
PGconn *schema_connect(const char *url, const char *application,
                       const struct schema_host *only,
                       char reason[SCHEMA_REASON_MAX]);

/*
 * The same in two parts: begin to connect to one host, for PQconnectPoll(); and
 * end it when that has ended.  Its time is the caller's to limit.
 */
PGconn *schema_start(const char *url, const char *application,
                     const struct schema_host *only);
PGconn *schema_connected(PGconn *pg, char reason[SCHEMA_REASON_MAX]);

enum { SCHEMA_HOSTS_MAX = 16 };

/*
 * The hosts that a connection's string names, in their order, SCHEMA_HOSTS_MAX
 * at most; how many they are.
 */
unsigned schema_hosts(PGconn *pg, struct schema_host hosts[SCHEMA_HOSTS_MAX]);

/* True if the connection was made to this host. */
bool schema_is_host(const struct schema_host *host, const PGconn *pg);

/* True if two connections were made to one host. */
bool schema_is_same_host(const PGconn *pg, const PGconn *other);

/*
 * The host that a connection was made to, if its connection string named
 * several; false, and nothing written, if it named one.
 */
MUST_CHECK bool schema_connected_host(PGconn *pg, struct schema_host *host);
