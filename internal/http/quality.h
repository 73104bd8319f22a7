/*
 * quality.h - how much something is wanted: the weight that Accept and its
 * relatives give behind "q=" (RFC 9110, section 12.4.2).
 */
#ifndef HTTP_QUALITY_H
#define HTTP_QUALITY_H

#include <stdbool.h>

#include "base/err.h"

enum { QUALITY_MAX = 1000 };

/*
 * Read a number from 0 to 1 with at most three digits behind its point, as
 * thousandths, and move behind it.  False if there is none, or a greater one.
 */
MUST_CHECK bool quality_read(const char **at, unsigned *quality);

#endif
