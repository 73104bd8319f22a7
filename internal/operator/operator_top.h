/*
 * operator_top.h - gangctl top: what a running service does.
 */
#pragma once

#include <stdbool.h>

/*
 * Read the words behind "top", and show samples of the daemons whose metrics
 * are at these addresses ("address:port", with commas; the words may name
 * others) and of the database with a valid connection string: one with --once,
 * else one a second in the terminal until q or SIGINT.  False, with the reason
 * on stderr, for words that are none and without a terminal; with --once also
 * if a daemon or the database did not answer.
 */
bool operator_top(int count, char **words, const char *addresses,
                  const char *url);
