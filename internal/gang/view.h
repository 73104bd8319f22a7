/*
 * view.h - what one viewer may see of a game of The Gang.
 *
 * gang_view() is the only function that reads what is hidden and the only
 * door out of it: everything that a client is told is printed from a struct
 * gang_view, or from an event by gang_print_event().  What a view does not
 * hold, no printer can give away.
 */
#ifndef GANG_VIEW_H
#define GANG_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gang/gang.h"
#include "table/ruleset.h"

enum phase { PHASE_CHIPS, PHASE_OVER };

/* A chip as everybody sees it. */
struct chip_view {
	uint8_t color;
	uint8_t stars;
	uint8_t seat; /* 0: in the centre */
	bool locked;
};

struct gang_view {
	uint8_t seat; /* who looks; 0: a spectator */
	uint8_t mode;
	uint8_t players; /* 0 in the lobby: then only what stands above */
	uint8_t gold;
	uint8_t red;
	uint8_t number; /* of the heist */
	uint8_t phase;
	uint8_t round;
	uint16_t challenges;
	uint8_t community_count;
	uint8_t community[HEIST_COMMUNITY_MAX];
	uint8_t chips_count;
	struct chip_view chips[COLOR_COUNT * CHIPS_MAX];
	uint8_t waiting_for; /* bit n: seat n */

	/* The viewer's own; empty for a spectator. */
	struct pocket pocket;
	struct hand hand;

	/* The heists that are over; the present one too, then as the last. */
	uint8_t records_count;
	struct record records[GANG_HEISTS_MAX];

	size_t legal_count;
	struct action legal[LEGAL_MAX];
};

/* Fill in the view of a seat, or of a spectator (0). */
void gang_view(const struct gang *gang, unsigned seat, struct gang_view *view);

/* The newest heist that is over, or NULL. */
const struct record *gang_view_last_record(const struct gang_view *view);

/* The one with this number, or NULL. */
const struct record *gang_view_record(const struct gang_view *view,
                                      unsigned number);

/*
 * The pocket cards of a seat, where the viewer may see them: the own ones,
 * and everybody's after a showdown.  NULL otherwise.
 */
const struct pocket *gang_view_pocket(const struct gang_view *view,
                                      unsigned seat);

#endif
