/*
 * commit.h - the steps that decide what a request changes, and commit it.
 *
 * On a conflict they restart the plan.
 */
#pragma once

#include "loop/step.h"

/* Refuse a public game if its creator's address has too many in the lobby. */
extern const struct step commit_lobby_cap;

extern const struct step commit_creation;
extern const struct step commit_move;
extern const struct step commit_rematch;

/* If the caller is the last in a lobby: delete the game, and reply. */
extern const struct step commit_last_leaving;
extern const struct step commit_leaving;
extern const struct step commit_deletion;

/* Give the caller a stream ticket. */
extern const struct step commit_ticket;

/* Give the caller a code for another device. */
extern const struct step commit_transfer;

/* Add a subscription of the caller, or remove some. */
extern const struct step commit_subscription;
