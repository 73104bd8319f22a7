/*
 * query_param.h - reads the parameters of a query: numbers and codes.
 */
#pragma once

#include "service/call.h"

/* A number from least to most; the fallback if absent or at fault. */
uint32_t query_param_number(struct call *call, const char *name, uint32_t least,
                            uint32_t most, uint32_t fallback);

/* The place of the value among these codes; count if absent or at fault. */
size_t query_param_choice(struct call *call, const char *name,
                          const char *const *codes, size_t count);
