/*
 * operator_bots.h - gangctl bots: games of bots alone, without a service.
 */
#pragma once

#include <stdbool.h>

/*
 * Read the words after "bots", play, and print a table.  False, with a line on
 * stderr, for invalid words, and if a game did not end by itself.
 */
bool operator_bots(int count, char **words);
