/*
 * json_number.h - whole numbers in any notation of JSON.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

struct json_object;

/*
 * Read the text of a number, valid in JSON: 4, 4.0, 0.4e1 and 400E-2 are equal.
 * False if it is not whole.  A number beyond int64_t reads as the nearest
 * int64_t.
 */
MUST_CHECK bool json_number_whole(const char *text, int64_t *number);

/* The same of a value that json-c has parsed; false if it is not a number. */
MUST_CHECK bool json_number_read(struct json_object *value, int64_t *number);
