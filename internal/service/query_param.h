/*
 * query.h - the parameters of a query: numbers, and words of a list.
 */
#ifndef SERVICE_QUERY_PARAM_H
#define SERVICE_QUERY_PARAM_H

#include "service/call.h"

/* A number; otherwise when it is absent or a fault. */
uint32_t query_param_number(struct call *call, const char *name, uint32_t least,
                            uint32_t most, uint32_t otherwise);

/* The place of one of these codes; count if it is absent or a fault. */
size_t query_param_choice(struct call *call, const char *name,
                          const char *const *codes, size_t count);

#endif
