/*
 * actions.h - the codes of all moves, in the order of lists.
 */
#pragma once

#include "service/call.h"

struct actions_row {
	const char *code;
	const struct ruleset *rules; /* NULL: every one */
	const struct route *route;   /* of the move's own path */
};

/* All rows, and their number; static. */
const struct actions_row *actions_list(size_t *count);
