/*
 * gang_view.h - the part of a game of The Gang that one viewer may see.
 *
 * Only gang_view() reads hidden cards.  Everything that a client receives is
 * printed from a struct gang_view, or from an event for one viewer, so no
 * printer can show what a view does not hold.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/gang/rules/gang.h"
#include "table/ruleset.h"

enum phase { PHASE_CHIPS, PHASE_CHOOSING, PHASE_ANSWERING, PHASE_OVER };

/* Moves that one player can have at a time. */
enum { LEGAL_MAX = 128 };

/* A chip as everybody sees it. */
struct chip_view {
	uint8_t color;
	uint8_t stars;
	uint8_t seat; /* 0: in the centre */
	bool locked;
	bool dark; /* locked for the round once a seat has taken it */
};

/* A private choice that the viewer owes. */
struct choice_view {
	uint8_t specialist; /* 0: none is due */
	uint8_t options_count;
	uint8_t options[OPTIONS_MAX];
};

struct gang_view {
	uint8_t seat; /* the viewer's; 0: a spectator */
	uint8_t mode;
	uint8_t challenges_unseen; /* unseen cards in the stack */
	uint8_t specialists_unseen;
	uint8_t players; /* 0 in the lobby: the members below are zero */
	uint8_t vaults;
	uint8_t alarms;
	struct heist_setup setup;
	uint8_t phase;
	uint8_t outcome; /* an enum outcome */
	uint8_t round;
	uint8_t community_count;
	uint8_t community[COMMUNITY_MAX];
	uint8_t chips_count;
	struct chip_view chips[COLOR_COUNT * CHIPS_MAX];
	uint8_t confirmed;   /* in phase chips; bit n: seat n */
	uint8_t waiting_for; /* likewise */

	/* The use of the specialist. */
	uint8_t ability_state;
	struct proposal proposal; /* while it is open */
	uint8_t announcements_count;
	struct announcement announcements[HEIST_PLAYERS_MAX];

	/* The viewer's own; empty for a spectator. */
	uint8_t closed_deals; /* up to this one, see struct gang */
	struct pocket pocket;
	struct hand hand;
	struct pocket former;
	uint8_t shown_by; /* the seat that showed the viewer a card; 0: none */
	uint8_t shown;
	struct choice_view choice;

	/* The present heist's; zeros before it begins. */
	bool has_showdown;
	struct showdown showdown;

	/* The heists that are over and had a showdown, in their order. */
	uint8_t summaries_count;
	struct summary summaries[GANG_HEISTS_MAX];

	size_t legal_count;
	struct action legal[LEGAL_MAX];
};

/* Write the view of a seat, or of a spectator (0): a struct gang_view. */
void gang_view(const void *state, unsigned seat, void *into);

/* The summary of the heist with this number; NULL if it is not over. */
const struct summary *gang_view_summary(const struct gang_view *view,
                                        unsigned number);

/* The present showdown, or the last one; false before the first one. */
MUST_CHECK bool gang_view_showdown(const struct gang_view *view,
                                   struct showdown *showdown);

/*
 * The pocket cards of a seat if the viewer may see them: their own ones, and
 * revealed ones.  Else NULL.
 */
const struct pocket *gang_view_pocket(const struct gang_view *view,
                                      unsigned seat);

/*
 * How much of an event the viewer may see (struct event_row).  If a player was
 * removed from the viewer's seat, the viewer sees the events of that time as a
 * spectator does.  Moves of chips are out of sight while a challenge hides the
 * chips of their round.
 */
enum sight gang_view_sight(const void *from, const struct event *event);
enum sight gang_view_sight_of_chip(const void *from, const struct event *event);
