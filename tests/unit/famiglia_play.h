/*
 * famiglia_play.h - scripts of games of Famiglia, for rows of tests.
 *
 * A setup says how the cards lie, in words; "" leaves them as they were dealt
 * by a seed of zeros, and the game in its first turn:
 *
 *   s=m1a,f2b  the street
 *   p=b1a,b2a  the draw pile, the top card first
 *   d=b1b      the discards
 *   A=m2a      cards of A's hand, in addition to the zeros that A begins with
 *   A_=f1a     cards of A's display; a zero there is not in the hand
 *   B= B_=     the same of B
 *   2          the pile is in its second pass
 *   b          it is B's turn, not A's
 *   ~          the turn before was a pass
 *   _          the cards that are not named lie in the displays, evenly
 *
 * Without "_" they lie beneath the pile, or a zero in the second pass in a
 * display.  As many turns have passed as the players need for the cards that
 * they own.
 *
 * A script is a line of words, each an action of a player:
 *
 *   n          a table is created, and A sits down at it
 *   j          the next player sits down
 *   t          both at once
 *   A-m1a      A refills the street: m1a goes
 *   A$a2a:f0a,m0a<f1b,m1a   A plays an accountant, gives f0a and m0a and takes
 *              back f1b and m1a
 *   A*b2a:f3a-1             A plays a brute against f3a, lowering it by 1
 *   A+f0c      A takes a card for nothing
 *   A+f2a:f1b,m3a^f1b       A takes f2a, shows f1b and m3a, and keeps f1b
 *   A/         A passes
 *   A!  A!B    A leaves; A removes B
 *   As         A asks to start
 *   A#         A notes that there is a rematch
 *   r          the same two start the rematch, which takes this game's place
 *   A?         A sends a verb that no game knows
 *
 * The card "x" does not exist: it is number 61.
 */
#pragma once

#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "rows.h"
#include "table/table.h"

/* A table with a game, and what its last action came to. */
struct fam_play {
	struct table table;
	struct famiglia game;
	struct events events; /* of the last action */
	enum err last;        /* what it came to */
};

/* Begin without a game: a script creates it. */
void fam_play_open(struct fam_play *play);

/* Apply an action, with a seed of zeros. */
void fam_play_act(struct fam_play *play, struct action action);

/* Read a card and go on after it. */
uint8_t fam_play_card(const char **at);

/* Read cards with commas between; returns how many. */
unsigned fam_play_cards(const char **at, uint8_t *gangsters);

/* The cards of a list, as a bit mask. */
uint64_t fam_play_set(const char *text);

/* The seat of a letter: A is 1. */
uint8_t fam_play_seat(char letter);

/* The action of a word that has only one. */
struct action fam_play_action(const char *word);

/* The next player sits down. */
void fam_play_join(struct fam_play *play);

/* Call each() with every word of a line. */
void fam_play_each(void *arg, const char *line,
                   void (*each)(void *arg, const char *word));

/* Play a script.  Only its last word may be refused. */
void fam_play_on(struct fam_play *play, const char *script);

/* Begin with a table for two whose cards lie as the setup says. */
void fam_play_begin(struct fam_play *play, const char *setup);
