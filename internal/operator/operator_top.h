/*
 * operator_top.h - gangctl top: what a running service does.
 */
#pragma once

#include "base/macros.h"
#include "base/verdict.h"

/*
 * Read the words after "top", and show samples of the daemons whose metrics
 * are at these addresses ("address:port", with commas; the words may name
 * others) and of the database with a valid connection string: one with --once,
 * else one a second in the terminal until q or SIGINT.  VERDICT_BAD, with the
 * reason on stderr, for words that are not understood and without a terminal;
 * VERDICT_UNKNOWN with --once if a daemon or the database did not answer.
 */
MUST_CHECK enum verdict operator_top(int count, char **words,
                                     const char *addresses, const char *url);
