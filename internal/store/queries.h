/*
 * queries.h - the statements of query.def, each as query_NAME; store.c has
 * them.
 */
#pragma once

#include "store/statement.h"

#define QUERY(name, ...) extern const struct query query_##name;
#include "store/query.def"
