/*
 * gang_play.h - scripts of games of The Gang, for rows of tests.
 *
 * A script is a line of words, each an action of a player:
 *
 *   n4      a table for four is created, and A sits down at it; the game is
 *           of basic mode, or with a letter another: n4a n4p n4m; with ~ at
 *           the end its stacks are to be shuffled, with ! its rounds are
 *           to be confirmed; with %2 two bots sit down too, with > it starts
 *   j       the next player sits down
 *   As      A asks to start; seats are letters, A is seat 1
 *   A2      A takes the chip with two stars of the present round
 *   Ay2     the same of the yellow ones: w y o r
 *   A2<     the same from the centre;  A2<B from B
 *   -A2     A returns the chip;  -Ay2 of the yellow ones
 *   A.      A confirms the end of the round
 *   A+      A deals the next heist
 *   A:B     A proposes that B uses the specialist
 *   A:BC    the same, with C as the other player;  A:B=K  with a value;
 *           A:-  without a player who uses it
 *   A&  A~  A agrees to what is proposed, or refuses
 *   A*Td    A chooses a card;  A*  A has looked
 *   A^K     A answers the Retina Scan;  A^pair  the Fingerprint Scan
 *   A#      A notes that there is a rematch
 *   r       the same gang starts the rematch, which takes this game's place;
 *           rb ra rp rm in another mode, r5 with five seats, rm5
 *   A%      A seats a bot;  A%%  a bot takes A's seat
 *   B!      B leaves;  A!B  A removes B;  A!B?  B, who was absent for too long
 *   A?      A sends a verb that no game knows
 *
 * and some that stand for several actions:
 *
 *   t4      a table for four that is full, so that the game has begun
 *   =       all take the chip of their own seat: A1 B2 C3
 *   S F     the heist is played to its end, with the red chips in the order of
 *           the hands or against it; choices are made, and answers are right
 *   .       all who have not confirmed the end of the round do
 *   &       all who have not agreed to a proposal do
 *   *       all who owe a choice make it: of their first card, or they look
 *   ^K      all who may answer say K;  ^pair  the same
 *   x2      the present heist begins anew, with challenge 2 active too
 *   p2      the same, and that one stays for the whole game
 *   s5      the same with specialist 5
 *
 * Each deal is that of a seed of zeros.  Three players then hold 5h9s,
 * 8c8h and 6cAs, and the board is 3h6s3d 7c Kc: A is weaker than C, C than B.
 */
#pragma once

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/specialist.h"
#include "rows.h"
#include "table/table.h"

/* A table with a game, and what its last action came to. */
struct play {
	struct table table;
	struct gang gang;
	struct events events; /* of the last action */
	enum err last;        /* what it came to */
};

/* Begin without a game: a script creates it. */
void play_open(struct play *play);

/* Apply an action, with a seed of zeros. */
void play_act(struct play *play, struct action action);

/* The seat of a letter: A is 1. */
uint8_t play_seat(char letter);

/* Read a color and go on after it; without one it is the present round's. */
unsigned play_color(const struct play *play, const char **at);

/* The action of a word that has only one. */
struct action play_action(const struct play *play, const char *word);

/* Apply an action that must succeed. */
void play_must(struct play *play, struct action action);

/* Play a script.  Only its last word may be refused. */
void play_on(struct play *play, const char *script);

/*
 * Arrange the cards of a heist in its first round: "TdTh 2c3c 4c5c /
 * 6h7h8h9hTs" are the pockets of A, B and C and what comes from the deck: the
 * community cards, unless somebody draws between.  "TdTh" is A's alone.
 */
void play_cards(struct play *play, const char *cards);

/*
 * Print the chips by colors and seats: "2-1" is A with two stars, B without a
 * chip, C with one star.  A colour without chips is ".", one that has not begun
 * is left out.
 */
void play_print_chips(const struct play *play, char *text);
