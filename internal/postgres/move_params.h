/*
 * move_params.h - the parameters of the statements that change games.
 *
 * Each function adds those of one part of a change, encrypted where they hold
 * cards (encryption.h).  A missing part adds NULLs.
 */
#pragma once

#include "postgres/encryption.h"
#include "postgres/records.h"
#include "postgres/wire.h"

/*
 * A move of an existing game, with its notices: without a change of seats, as
 * commit_move.sql has it; with one, as change_seats.sql; and the first move of
 * a game, which creates it.
 */
void move_params_plain(struct params *params, const struct store_move *move);
void move_params_seats(struct params *params, const struct store_move *move);
void move_params_game(struct params *params, const struct store_move *move);

/* The replay_data of a move with one event. */
void move_params_replay(struct params *params, const struct store_move *move);

/* End the program if the events do not fit the game's version. */
void move_params_check(const struct store_move *move);

/* NULL for no hash. */
void move_params_hash(struct params *params, const uint8_t *hash);

/* The player who joins, and the bots. */
void move_params_joins(struct params *params, const struct store_move *move);
void move_params_key(struct params *params, const struct store_key *key);

/* The seats that are notified of a rematch, their codes, and the webhook. */
void move_params_rematch_notices(struct params *params,
                                 const struct store_notices *notices);

/* A text, encrypted; NULL: none. */
void move_params_sealed(struct params *params,
                        struct encryption_text_place place, const char *text);
