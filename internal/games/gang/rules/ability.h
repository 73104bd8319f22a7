/*
 * ability.h - the use of a heist's specialist: proposals and votes.
 *
 * An automatic specialist acts right after the deal.  The others are used at
 * most once, before the showdown: a player proposes a use, and it happens when
 * all players have agreed; a refusal withdraws the proposal.  Some uses then
 * wait for private choices (choice.h), and no chip moves meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "games/gang/rules/heist.h"
#include "table/event.h"
#include "table/ruleset.h"

/* Let an automatic specialist act, right after the deal. */
void ability_begin(struct heist *heist, struct events *events);

/*
 * Propose a use.  Refuses, in this order, with ERR_HEIST_OVER,
 * ERR_NOT_ALLOWED_NOW (in the showdown, without a specialist, or with an
 * automatic one), ERR_PROPOSAL_OPEN, ERR_CHOICE_DUE, ERR_ALREADY_USED,
 * ERR_INVALID (which ability_fault_of_propose() explains).
 */
MUST_CHECK enum err ability_check_propose(const struct heist *heist,
                                          struct proposal wanted);
void ability_propose(struct heist *heist, struct proposal wanted,
                     struct events *events);

/*
 * Agree to the proposal, or withdraw it by refusing.  Refuses, in this order,
 * with ERR_HEIST_OVER, ERR_NO_PROPOSAL, ERR_NOT_ALLOWED_NOW (the seat has
 * agreed already).
 */
MUST_CHECK enum err ability_check_vote(const struct heist *heist, unsigned seat,
                                       bool agrees);
void ability_vote(struct heist *heist, unsigned seat, bool agrees,
                  struct events *events);

/*
 * Forget the vote of a seat that became vacant.  If all others have agreed, the
 * proposed use happens.
 */
void ability_vacate(struct heist *heist, unsigned seat, struct events *events);

/* The fault of a proposal; its member is NULL if the proposal is valid. */
struct fault ability_fault_of_propose(const struct heist *heist,
                                      struct proposal wanted);

/* Withdraw an open proposal, because the showdown begins. */
void ability_expire(struct heist *heist, struct events *events);

/* The seats that owe a vote or a choice. */
unsigned ability_waiting_for(const struct heist *heist);

/* True once the heist has the suitless Jack, which is not in the deck. */
bool ability_brings_jack(const struct heist *heist);

/* True if the parts fit each other and the heist. */
bool ability_valid(const struct heist *heist);
