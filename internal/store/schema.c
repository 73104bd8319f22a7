/*
 * schema.c - the files of sql/ in this program, and a database's record of
 * them.
 *
 * The record has a row for each migration and one for all functions, with
 * SHA-256 digests.  A database fits when it has all of this program's digests;
 * it may have later migrations too if each says that this program goes on with
 * it.
 */
#include "store/schema.h"

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

PGconn *schema_connect(const char *url, const char *application,
                       const struct schema_host *only,
                       char reason[SCHEMA_REASON_MAX])
{
	/*
	 * The connection string overrides what stands before dbname, and is
	 * overridden by what stands behind it.
	 */
	const char *const names[] = { "connect_timeout",
		                      "target_session_attrs",
		                      "fallback_application_name",
		                      "dbname",
		                      "client_encoding",
		                      "host",
		                      "hostaddr",
		                      "port",
		                      NULL };
	const char *const values[] = { "2",
		                       "read-write",
		                       application,
		                       url,
		                       "UTF8",
		                       only ? only->name : NULL,
		                       only ? only->address : NULL,
		                       only ? only->port : NULL,
		                       NULL };

	PGconn *pg = PQconnectdbParams(names, values, 1);
	memory_expect(pg);
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

bool schema_connected_host(PGconn *pg, struct schema_host *host)
{
	PQconninfoOption *options = PQconninfo(pg);
	bool has_several = false;
	bool has_addresses = false;

	memory_expect(options);
	for (const PQconninfoOption *option = options; option->keyword;
	     option++) {
		bool is_address = strcmp(option->keyword, "hostaddr") == 0;

		if (!option->val || !option->val[0] ||
		    (!is_address && strcmp(option->keyword, "host") != 0))
			continue;
		has_addresses = has_addresses || is_address;
		has_several = has_several || strchr(option->val, ',');
	}
	PQconninfoFree(options);
	if (!has_several)
		return false;
	(void)snprintf(host->name, sizeof(host->name), "%s", PQhost(pg));
	(void)snprintf(host->address, sizeof(host->address), "%s",
	               has_addresses ? PQhostaddr(pg) : "");
	(void)snprintf(host->port, sizeof(host->port), "%s", PQport(pg));
	return true;
}
