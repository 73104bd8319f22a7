/*
 * admit.h - the steps that decide whether the request may go on.
 */
#pragma once

#include "loop/step.h"

/* Use a stream ticket up: the caller is the player it was given to. */
extern const struct step admit_ticket;

/*
 * Behind load_game: record the caller as seen; then refuse what may not be, and
 * answer what was done before under the same idempotency key.
 */
extern const struct step admit_caller;

/* Are there too many public games of the caller's address in the lobby? */
extern const struct step admit_creation;
