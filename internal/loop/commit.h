/*
 * commit.h - the steps that decide what a request changes, and commit it.
 *
 * On a conflict they restart the plan.
 */
#pragma once

#include "loop/step.h"

/* Decide with a fresh seed, and refuse what the rules refuse. */
extern const struct step commit_decide_creation;
extern const struct step commit_decide;
extern const struct step commit_decide_rematch;

/* Count the change for its quotas, and refuse it if one is used up. */
extern const struct step commit_charge;

extern const struct step commit_creation;
extern const struct step commit_move;
extern const struct step commit_rematch;

/* If the caller is the last in a lobby: delete the game, and reply. */
extern const struct step commit_last_leaving;
extern const struct step commit_deletion;

/* Give the caller a stream ticket. */
extern const struct step commit_ticket;

/* Give the caller a code for another device. */
extern const struct step commit_transfer;

/* Add a push subscription of the caller, or remove one or all. */
extern const struct step commit_subscription;
