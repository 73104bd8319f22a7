/*
 * watch.h - the checks of every answer, whatever a story expects.
 *
 * A refusal leaves the game's row and its events as they were; a game has as
 * many events as its version says; no answer holds another player's token or
 * a card that was not revealed; problems are whole problem documents; every
 * answer names its request's id.
 *
 * The runner knows the rows, and when cards were dealt, moved or revealed,
 * because it asks the database; and the cards because it then reads every
 * actor's view.
 */
#pragma once

#include "story.h"

struct watch;

/* Connects by a libpq connection string; NULL if it cannot. */
struct watch *watch_open(const char *database);
void watch_close(struct watch *watch);

/* Between two stories: let go of what the last one may have left. */
void watch_reset(struct watch *watch);

/* Before a request is sent, and when its answer is there. */
void watch_before(struct story *story, struct exchange *exchange);
void watch_after(struct story *story, struct exchange *exchange);

/* Read the hands of a game anew: its cards were changed by the runner. */
void watch_learn(struct story *story, const struct game *game);

/* The connection by which the runner looks; borrowed. */
struct pg_conn *watch_database(struct watch *watch);

/* Hold a game: no move of it can be committed until it is released. */
void watch_hold(struct story *story, const struct game *game);
void watch_release(struct story *story);

/* The number of statements that wait for the held game. */
int watch_waiting(struct story *story);
