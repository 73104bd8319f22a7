/*
 * load.h - the steps that read: from the database into the call.
 */
#pragma once

#include "loop/step.h"

/* Check that the database answers, for /readyz. */
extern const struct step load_readiness;

/* A page of the lobby. */
extern const struct step load_lobby;

/*
 * Count the waiting public games of the creator's address, and refuse another
 * one at the cap.
 */
extern const struct step load_lobby_count;

/* The game that a {code} leads to, and then the plan of the shape. */
extern const struct step load_invitation;

/*
 * The seat that the code of a transfer leads to.  Without confirmation the
 * first step finds it, with it the second one uses the code up.
 */
extern const struct step load_offered;
extern const struct step load_claimed;

/*
 * The game that was created under the request's idempotency key.  If it exists,
 * the plan of a replay follows.
 */
extern const struct step load_creation;

/* The game, with its seats, and who calls. */
extern const struct step load_game;

/* Record the caller as seen. */
extern const struct step load_caller;

/*
 * Refuse a request that is not authorized.  A request that was carried out
 * before under its idempotency key continues with its reply.
 */
extern const struct step load_permission;

/* When each player was last seen. */
extern const struct step load_last_seen;

/*
 * The seat that becomes free; and when its player was last seen, if the removal
 * depends on that.
 */
extern const struct step load_absence;

/* A page of the event log. */
extern const struct step load_events;
