/*
 * One statement of the operator's tool, which waits for its answer.
 */
#include "store/admin_query.h"

#include <stdio.h>

PGresult *admin_query(const struct admin *admin, const char *text,
                      struct params *params)
{
	struct params_list list;

	params_list(params, &list);
	PGresult *res =
		PQexecParams(admin->pg, text, (int)params->count, NULL,
	                     list.values, params->lens, list.formats, 1);
	params_fini(params);
	if (PQresultStatus(res) == PGRES_TUPLES_OK ||
	    PQresultStatus(res) == PGRES_COMMAND_OK)
		return res;
	fprintf(stderr, "the database refused: %s", PQresultErrorMessage(res));
	PQclear(res);
	return NULL;
}
