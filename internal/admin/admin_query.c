/*
 * One statement of the operator's tool, which waits for its answer.  On a
 * connection that was lost nothing more is sent, and nothing more is reported.
 */
#include "admin/admin_query.h"

#include <stdio.h>
#include <string.h>

static bool is_good(const PGresult *res)
{
	return PQresultStatus(res) == PGRES_TUPLES_OK ||
	       PQresultStatus(res) == PGRES_COMMAND_OK;
}

bool admin_is_lost(const struct admin *admin)
{
	return PQstatus(admin->pg) != CONNECTION_OK;
}

void admin_report(const struct admin *admin, const PGresult *res)
{
	const char *message = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);

	if (!admin_is_lost(admin))
		fprintf(stderr, "the database refused: %s",
		        res ? PQresultErrorMessage(res) : "no result\n");
	else if (message)
		fprintf(stderr, "the database ended the connection: %s\n",
		        message);
	else
		fprintf(stderr, "the connection to the database was lost\n");
}

PGresult *admin_ask(const struct admin *admin, const char *text,
                    struct params *params)
{
	struct params_list list;

	params_list(params, &list);
	PGresult *res =
		PQexecParams(admin->pg, text, (int)params->count, NULL,
	                     list.values, params->lens, list.formats, 1);
	params_fini(params);
	return res;
}

PGresult *admin_query(const struct admin *admin, const char *text,
                      struct params *params)
{
	if (admin_is_lost(admin)) {
		params_fini(params);
		return NULL;
	}
	PGresult *res = admin_ask(admin, text, params);
	if (is_good(res))
		return res;
	admin_report(admin, res);
	PQclear(res);
	return NULL;
}

bool admin_change(const struct admin *admin, const char *text,
                  struct params *params)
{
	PGresult *res = admin_query(admin, text, params);

	PQclear(res);
	return res != NULL;
}

/* COMMIT succeeds also when it rolls back, since a statement has failed. */
enum store_result admin_commit(const struct admin *admin)
{
	if (admin_is_lost(admin))
		return STORE_BROKEN;
	PGresult *res = PQexec(admin->pg, "COMMIT");
	bool is_written =
		is_good(res) && strcmp(PQcmdStatus(res), "COMMIT") == 0;
	if (!is_written)
		admin_report(admin, res);
	PQclear(res);
	if (is_written)
		return STORE_OK;
	return admin_is_lost(admin) ? STORE_UNAVAILABLE : STORE_BROKEN;
}
