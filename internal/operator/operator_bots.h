/*
 * operator_bots.h - gangctl bots: games of bots alone, without a service.
 */
#pragma once

#include <stdbool.h>

/*
 * Read the words behind "bots", play, and print a table.  False, with a line on
 * stderr, for words that are none, and if a game did not end by itself.
 */
bool operator_bots(int count, char **words);
