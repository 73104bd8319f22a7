/*
 * ability.h - how the specialist of a heist is put to use.
 *
 * An automatic specialist acts right after the deal.  The others are used at
 * most once, before the showdown: somebody proposes a use, and it happens when
 * all have agreed; a refusal withdraws the proposal.  Some uses then wait for
 * private choices, and no chip moves meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/err.h"
#include "gang/heist.h"
#include "table/event.h"
#include "table/ruleset.h"

/* Right after the deal: an automatic specialist acts. */
void ability_begin(struct heist *heist, struct events *events);

/*
 * Propose a use.  Refuses, in this order, with ERR_HEIST_OVER,
 * ERR_NOT_ALLOWED_NOW (in the showdown; or there is no specialist, or one who
 * is automatic), ERR_PROPOSAL_OPEN, ERR_CHOICE_DUE, ERR_ALREADY_USED,
 * ERR_INVALID (which ability_fault_of_propose() explains).
 */
MUST_CHECK enum err ability_check_propose(const struct heist *heist,
                                          struct proposal wanted);
void ability_propose(struct heist *heist, struct proposal wanted,
                     struct events *events);

/*
 * Agree, or refuse and so withdraw the proposal: ERR_HEIST_OVER,
 * ERR_NO_PROPOSAL, ERR_NOT_ALLOWED_NOW (the seat has agreed already).
 */
MUST_CHECK enum err ability_check_vote(const struct heist *heist, unsigned seat,
                                       bool agrees);
void ability_vote(struct heist *heist, unsigned seat, bool agrees,
                  struct events *events);

/*
 * Nobody sits at a seat any more, and its vote is gone: do what is proposed
 * if all others have agreed.
 */
void ability_vacate(struct heist *heist, unsigned seat, struct events *events);

/* The fault of arguments that were refused with ERR_INVALID. */
struct fault ability_fault_of_propose(const struct heist *heist,
                                      struct proposal wanted);

/* The showdown begins: withdraw an open proposal. */
void ability_expire(struct heist *heist, struct events *events);

/* The seats that owe a vote or a choice. */
unsigned ability_waiting_for(const struct heist *heist);

/* True once the Jack that is no card of the deck is in the heist. */
bool ability_brings_jack(const struct heist *heist);

/* True if the parts fit each other and the heist. */
bool ability_valid(const struct heist *heist);
