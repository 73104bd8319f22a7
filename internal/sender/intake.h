/*
 * intake.h - takes notifications that are due from the store, now and then.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/uuid.h"
#include "postgres/records.h"
#include "sender/in_flight.h"
#include "sender/sender_config.h"

enum {
	INTAKE_LEASE_MS = 20000, /* longer than a delivery, and its settling */
	INTAKE_GAMES_MAX = STORE_NOTIFICATIONS_MAX,
};

/* Gets a notification that was taken; it is valid during the call. */
typedef void intake_fn(void *arg, const struct store_notification *taken);

struct intake {
	const struct sender_config *config;
	intake_fn *handle;
	void *arg;
	struct arena arena; /* of what is being taken */
	bool is_asking;
	uint64_t take_at_ns;
	uint64_t busy_until_ns;
	struct store_taking taking; /* of the last take */
	size_t games_next; /* of those that were found, the next to take from */
	size_t games_count;
	struct uuid games[INTAKE_GAMES_MAX];
};

void intake_open(struct intake *intake, const struct sender_config *config,
                 intake_fn *handle, void *arg);
void intake_close(struct intake *intake);

/*
 * Ask the store, unless it was asked lately, for at most what there is room
 * for.  The room must not shrink before the answer arrives.
 */
void intake_take(struct intake *intake, const struct in_flight *in_flight);

/* The time until intake_take() may be called again; 0: now. */
uint64_t intake_wait_ns(const struct intake *intake);
