/*
 * move_params.h - the parameters of the statements that change games.
 *
 * Each function adds those of one part of a change, encrypted where they hold
 * cards (encryption.h).
 */
#pragma once

#include "store/encryption.h"
#include "store/records.h"
#include "store/wire.h"

/* A move of a game that is there; and the first move of one, which creates it.
 */
void move_params_move(struct params *params, const struct store_move *move);
void move_params_game(struct params *params, const struct store_move *move);

/* The replay_data of a move with one event. */
void move_params_replay(struct params *params, const struct store_move *move);

/* End the program if the events do not fit the game's version. */
void move_params_check(const struct store_move *move);

void move_params_hash(struct params *params, const uint8_t *hash);

/* The player who joins, and the bots. */
void move_params_joins(struct params *params, const struct store_move *move);
/* The seat that becomes free; four NULLs if none does. */
void move_params_leave(struct params *params, const struct store_move *move);
void move_params_change(struct params *params,
                        const struct store_change *change);
void move_params_renewal(struct params *params,
                         const struct store_renewal *renewal);
void move_params_key(struct params *params, const struct store_key *key);

/* The seats that are told, and their codes; and those that are done. */
void move_params_told(struct params *params, const struct store_told *told);
void move_params_done(struct params *params, const struct store_told *told);

/* A text, encrypted; NULL: none. */
void move_params_sealed(struct params *params,
                        struct encryption_text_place place, const char *text);
