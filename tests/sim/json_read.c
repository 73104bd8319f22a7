/*
 * json_read.c - a member that the contract promises must be there: its absence
 * fails the simulation, so no caller has to ask.
 */
#include "json_read.h"

#include "sim.h"

struct json_c_object *json_member(struct json_c_object *json, const char *name)
{
	struct json_c_object *found = NULL;

	CHECK(json_object_object_get_ex(json, name, &found));
	return found;
}
