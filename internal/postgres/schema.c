/*
 * schema.c - the files of sql/ in this program, and a database's record of
 * them.
 *
 * The record has a row for each migration and one for all functions, with
 * SHA-256 digests.  A database fits when it has all of this program's digests;
 * it may have later migrations too if each says that this program goes on with
 * it.
 */
#include "postgres/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"

static size_t file_len(const struct embedded *file)
{
	return (size_t)(file->end - file->bytes);
}

void schema_digest_file(const struct embedded *file,
                        uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	crypto_hash_sha256(digest, (const unsigned char *)file->bytes,
	                   file_len(file));
}

void schema_digest_functions(uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	crypto_hash_sha256_state hash;

	crypto_hash_sha256_init(&hash);
	for (const struct embedded *file = embed_functions; file->name;
	     file++) {
		/* With the zero bytes, so that no two sets read alike. */
		crypto_hash_sha256_update(&hash,
		                          (const unsigned char *)file->name,
		                          strlen(file->name) + 1);
		crypto_hash_sha256_update(&hash,
		                          (const unsigned char *)file->bytes,
		                          file_len(file) + 1);
	}
	crypto_hash_sha256_final(&hash, digest);
}

void schema_query_name(const struct embedded *query, char name[SCHEMA_NAME_MAX])
{
	(void)snprintf(name, SCHEMA_NAME_MAX, "%.*s",
	               (int)strcspn(query->name, "."), query->name);
}

const char *schema_query_text(const char *name)
{
	size_t len = strlen(name);
	const struct embedded *query = embed_queries;

	while (query->name && (strncmp(query->name, name, len) != 0 ||
	                       strcmp(query->name + len, ".sql") != 0))
		query++;
	assert(query->name);
	return query->bytes;
}

static bool is_recorded(const PGresult *res, const char *name,
                        const uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	for (int row = 0; row < PQntuples(res); row++) {
		if (strcmp(PQgetvalue(res, row, 0), name) == 0 &&
		    PQgetlength(res, row, 1) == SCHEMA_DIGEST_SIZE &&
		    memcmp(PQgetvalue(res, row, 1), digest,
		           SCHEMA_DIGEST_SIZE) == 0)
			return true;
	}
	return false;
}

/* Migrations are compared by the number that their name begins with. */
static int compare_numbers(const char *a, const char *b)
{
	return strncmp(a, b, SCHEMA_NUMBER_LEN);
}

bool schema_has(const char *name)
{
	const struct embedded *file = embed_migrations;

	while (file->name && strcmp(file->name, name) != 0)
		file++;
	return file->name || strcmp(name, SCHEMA_FUNCTIONS) == 0;
}

/* A migration that came later, and says that this program goes on with it. */
static bool is_compatible(const PGresult *res, int row, const char *newest)
{
	return compare_numbers(PQgetvalue(res, row, 0), newest) > 0 &&
	       !PQgetisnull(res, row, 2) &&
	       compare_numbers(PQgetvalue(res, row, 2), newest) <= 0;
}

bool schema_is_known(const PGresult *res)
{
	uint8_t digest[SCHEMA_DIGEST_SIZE];
	const char *newest = "";
	bool is_newer = false;

	if (PQnfields(res) != 3)
		return false;
	for (const struct embedded *file = embed_migrations; file->name;
	     file++) {
		schema_digest_file(file, digest);
		if (!is_recorded(res, file->name, digest))
			return false;
		newest = file->name;
	}
	for (int row = 0; row < PQntuples(res); row++) {
		if (schema_has(PQgetvalue(res, row, 0)))
			continue;
		if (!is_compatible(res, row, newest))
			return false;
		is_newer = true;
	}
	schema_digest_functions(digest);
	return is_newer || is_recorded(res, SCHEMA_FUNCTIONS, digest);
}

/* True if a row of the statement "check_session" is the function of this file.
 */
static bool has_function(const PGresult *res, const struct embedded *file)
{
	size_t len = strcspn(file->name, ".");

	for (int row = 0; row < PQntuples(res); row++) {
		if ((size_t)PQgetlength(res, row, 0) == len &&
		    memcmp(PQgetvalue(res, row, 0), file->name, len) == 0)
			return true;
	}
	return false;
}

const char *schema_session_trouble(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
	const struct embedded *file = embed_functions;

	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		return state ? state : "no answer";
	while (file->name && has_function(res, file))
		file++;
	return file->name;
}

bool schema_compatible_from(const struct embedded *file,
                            char number[SCHEMA_NUMBER_LEN + 1])
{
	static const char mark[] = "-- compatible-from: ";
	const char *line = file->bytes;

	while (line && strncmp(line, mark, strlen(mark)) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return false;
	(void)snprintf(number, SCHEMA_NUMBER_LEN + 1, "%s",
	               line + strlen(mark));
	return true;
}

static void ignore_notice(void *arg, const char *message)
{
	(void)arg;
	(void)message;
}

typedef PGconn *(*connect_fn)(const char *const *names,
                              const char *const *values, int expand_dbname);

static PGconn *connect_by(connect_fn connect, const char *url,
                          const char *application,
                          const struct schema_host *only)
{
	/*
	 * The connection string overrides the options before dbname; those
	 * after dbname override it.  A connection whose commit waits for a
	 * standby is not given up, so its socket has to detect that the host is
	 * gone.
	 */
	const char *const names[] = { "connect_timeout",
		                      "keepalives_idle",
		                      "keepalives_interval",
		                      "keepalives_count",
		                      "tcp_user_timeout",
		                      "target_session_attrs",
		                      "fallback_application_name",
		                      "dbname",
		                      "client_encoding",
		                      "host",
		                      "hostaddr",
		                      "port",
		                      NULL };
	const char *const values[] = { "2",
		                       "5",
		                       "2",
		                       "3",
		                       "5000",
		                       "read-write",
		                       application,
		                       url,
		                       "UTF8",
		                       only ? only->name : NULL,
		                       only ? only->address : NULL,
		                       only ? only->port : NULL,
		                       NULL };

	PGconn *pg = connect(names, values, 1);
	memory_expect(pg);
	return pg;
}

PGconn *schema_connect(const char *url, const char *application,
                       const struct schema_host *only,
                       char reason[SCHEMA_REASON_MAX])
{
	return schema_connected(
		connect_by(PQconnectdbParams, url, application, only), reason);
}

PGconn *schema_start(const char *url, const char *application,
                     const struct schema_host *only)
{
	return connect_by(PQconnectStartParams, url, application, only);
}

PGconn *schema_connected(PGconn *pg, char reason[SCHEMA_REASON_MAX])
{
	if (PQstatus(pg) != CONNECTION_OK) {
		(void)snprintf(reason, SCHEMA_REASON_MAX, "%s",
		               PQerrorMessage(pg));
		reason[strcspn(reason, "\n")] = '\0';
		PQfinish(pg);
		return NULL;
	}
	PQsetErrorVerbosity(pg, PQERRORS_SQLSTATE);
	PQsetNoticeProcessor(pg, ignore_notice, NULL);
	return pg;
}

/* --- hosts ---------------------------------------------------------------- */

/* The lists of a connection string; of one port for all hosts, that one. */
struct lists {
	const char *hosts;
	const char *addresses;
	const char *ports;
};

static void find_lists(const PQconninfoOption *options, struct lists *lists)
{
	*lists = (struct lists){ .hosts = "", .addresses = "", .ports = "" };
	for (; options->keyword; options++) {
		const char *value = options->val ? options->val : "";

		if (strcmp(options->keyword, "host") == 0)
			lists->hosts = value;
		else if (strcmp(options->keyword, "hostaddr") == 0)
			lists->addresses = value;
		else if (strcmp(options->keyword, "port") == 0)
			lists->ports = value;
	}
}

/* Take the first part of a list with commas. */
static void take_part(const char **list, char *part, size_t size)
{
	size_t len = strcspn(*list, ",");

	(void)snprintf(part, size, "%.*s", (int)len, *list);
	*list += len + ((*list)[len] == ',');
}

unsigned schema_hosts(PGconn *pg, struct schema_host hosts[SCHEMA_HOSTS_MAX])
{
	PQconninfoOption *options = PQconninfo(pg);
	struct lists lists;
	unsigned count = 0;

	memory_expect(options);
	find_lists(options, &lists);
	bool has_ports = strchr(lists.ports, ',');
	do {
		struct schema_host *host = &hosts[count++];
		const char *ports = lists.ports;

		take_part(&lists.hosts, host->name, sizeof(host->name));
		take_part(&lists.addresses, host->address,
		          sizeof(host->address));
		take_part(has_ports ? &lists.ports : &ports, host->port,
		          sizeof(host->port));
		if (!host->name[0])
			(void)snprintf(host->name, sizeof(host->name), "%s",
			               host->address);
	} while (count < SCHEMA_HOSTS_MAX &&
	         (lists.hosts[0] || lists.addresses[0]));
	PQconninfoFree(options);
	return count;
}

bool schema_is_host(const struct schema_host *host, const PGconn *pg)
{
	return strcmp(host->name, PQhost(pg)) == 0 &&
	       strcmp(host->port, PQport(pg)) == 0 &&
	       (!host->address[0] ||
	        strcmp(host->address, PQhostaddr(pg)) == 0);
}

bool schema_is_same_host(const PGconn *pg, const PGconn *other)
{
	return strcmp(PQhost(pg), PQhost(other)) == 0 &&
	       strcmp(PQport(pg), PQport(other)) == 0;
}

bool schema_connected_host(PGconn *pg, struct schema_host *host)
{
	struct schema_host hosts[SCHEMA_HOSTS_MAX];
	bool has_addresses = false;
	unsigned count = schema_hosts(pg, hosts);

	if (count == 1)
		return false;
	for (unsigned i = 0; i < count; i++)
		has_addresses = has_addresses || hosts[i].address[0];
	(void)snprintf(host->name, sizeof(host->name), "%s", PQhost(pg));
	(void)snprintf(host->address, sizeof(host->address), "%s",
	               has_addresses ? PQhostaddr(pg) : "");
	(void)snprintf(host->port, sizeof(host->port), "%s", PQport(pg));
	return true;
}
