/*
 * ruleset.h - the interface between the service and the rules of a game.
 *
 * The service knows seats, versions and events; a ruleset knows everything
 * else.  A state and a view are plain values without pointers: the caller
 * provides state_size or view_size bytes, copies them as bytes and frees
 * nothing inside.  The functions are pure: no allocation, no clock, no HTTP, no
 * SQL, and no randomness but the rng that they are given.
 *
 * Secrets leave only through views: the service prints nothing but a view, or
 * an event for one viewer.  A viewer is a seat, or 0 for a spectator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/rng.h"
#include "table/action.h"
#include "table/event.h"
#include "table/now.h"

enum {
	RULESET_STATE_MAX = 1024, /* bytes of an encoded state */
	RULESET_OPTIONS_MAX = ACTION_OPTIONS_MAX,
	RULESET_MODES_MAX = 16,
	TABLE_SEATS_MAX = 6,
};

enum status {
#define STATUS(name, code) STATUS_##name,
#include "table/status.def"
	STATUS_COUNT
};

/* The code of a status, such as "lobby"; static. */
const char *status_code(enum status status);

/* True for every status after the end of play. */
bool status_is_over(enum status status);

/*
 * The options of a new game, which only the ruleset understands; zeros after
 * those that it has.  The first byte is the mode: its place in the ruleset's
 * list of modes, from 1; 0 without modes.
 */
struct options {
	uint8_t bytes[RULESET_OPTIONS_MAX];
};

/* A fault of one member of a request's body; all static. */
struct fault {
	const char *member; /* its name; NULL: no fault */
	const char *code;   /* of http/body.h */
	const char *detail; /* a sentence */
};

/*
 * How much of an event a viewer sees: only that an event happened, as much as a
 * spectator, or also the share of the viewer's own seat.
 */
enum sight { SIGHT_NONE, SIGHT_SPECTATOR, SIGHT_SEAT };

/*
 * An event that is being printed.  Its bytes come from the database and may be
 * damaged: printers accept any values, and zeros past the end.
 */
struct event_reader {
	const struct event *event;
	unsigned seat; /* of the viewer; 0: a spectator */
	struct bytes_in public_data;
	struct bytes_in private_data;
};

/* A ruleset's type of events. */
struct event_row {
	const char *code; /* such as "chip_taken" */

	/* How much the viewer of the view sees; NULL: always SIGHT_SEAT. */
	enum sight (*sight)(const void *view, const struct event *event);

	/* Print the members of "data" that from->seat may see. */
	void (*print)(struct event_reader *from, struct json_out *out);
};

/*
 * The part of a state that the table reads after every change.  A set of seats
 * has bit n for seat n.
 */
struct standing {
	enum status status;    /* LOBBY until the start */
	uint8_t players;       /* 0 until the start */
	uint8_t vacant;        /* seats without a player */
	uint8_t waiting_for;   /* seats that must move, after the start */
	const char *mode;      /* the code of the mode; static, or NULL */
	const char *round_end; /* the code of how rounds end; likewise */
};

struct bot_rules;

struct ruleset {
	const char *code;          /* such as "the_gang" */
	uint8_t number;            /* in the database */
	uint8_t rules_version;     /* stored with each game at its creation */
	uint8_t rules_version_min; /* the oldest that can be played on */
	const char *const *modes;  /* codes; NULL ends them */
	uint8_t seats_min;
	uint8_t seats_max;
	bool host_may_remove; /* during play; else only absent players */
	size_t state_size;
	size_t view_size;

	/*
	 * Write the state of a new game in the lobby.  False, and state
	 * untouched, for options that the rules do not have.
	 */
	bool (*init)(void *state, const struct options *options);

	/*
	 * Start the game, with players at the seats 1..players.  The newest
	 * event is EVENT_GAME_STARTED, with the number of players as its first
	 * public byte; the ruleset may append bytes to it, and events.
	 */
	void (*start)(void *state, unsigned players, struct rng *rng,
	              struct events *events);

	/*
	 * Apply an action of a started game: change the state and append at
	 * least one event.  On an error nothing is changed or appended.
	 */
	enum err (*apply)(void *state, const struct action *action,
	                  struct rng *rng, struct events *events);

	/*
	 * Explain an action that apply() refused with ERR_INVALID: a member.
	 */
	struct fault (*fault)(const void *state, const struct action *action);

	/*
	 * Write the state, in the lobby, of the rematch of an ended game.  It
	 * inherits the order of the card stacks and the player to begin.
	 * The mode is one of modes, or NULL for the mode of the ended game.
	 * False, and state untouched, for a mode that the rules do not have.
	 */
	bool (*start_rematch)(void *state, const void *before,
	                      const char *mode);

	/*
	 * Free a seat of a started game.  If its player left (is_removed
	 * false), the next player takes over all that the seat has.  If
	 * somebody removed the player, the next player must learn nothing that
	 * the removed one could see: otherwise anybody could remove a player,
	 * join in their place and see their cards.
	 */
	void (*vacate)(void *state, unsigned seat, bool is_removed,
	               struct events *events);

	/* A player takes over a vacant seat. */
	void (*occupy)(void *state, unsigned seat);

	struct standing (*standing)(const void *state);

	/* Write the view of a seat; 0: of a spectator. */
	void (*view)(const void *state, unsigned seat, void *view);

	/*
	 * Fill in "now" and the detail for an action that was refused with err
	 * because of the game's state.  A read has VERB_NONE.
	 */
	void (*now)(const void *view, const struct action *action, enum err err,
	            struct now *now);

	/*
	 * Print the actions that would succeed now for the viewer's seat, as
	 * elements of an array.  Every other action would be refused.  Their
	 * paths begin with game_path.
	 */
	void (*print_legal)(const void *view, const char *game_path,
	                    struct json_out *out);

	/* Print the members of the view that belong to the ruleset. */
	void (*print_view)(const void *view, struct json_out *out);

	/* Print the members of "you", except seat and legal_actions. */
	void (*print_you)(const void *view, struct json_out *out);

	/*
	 * Print the members of a hand, except its seat.  The seat is in
	 * 1..players; in the lobby it is the viewer's own.  False, and nothing
	 * printed, if the viewer may not see the hand.
	 */
	bool (*print_hand)(const void *view, unsigned seat,
	                   struct json_out *out);

	/* EVENT_TYPES_MAX rows by type; has EVENT_GAME_STARTED too. */
	const struct event_row *events;

	/*
	 * Write the state as bytes, at most RULESET_STATE_MAX, and return their
	 * number; and read them.  decode() trusts nothing: it accepts only a
	 * state that play can reach or safely continue from.  False, and state
	 * untouched, otherwise.
	 */
	size_t (*encode)(const void *state, uint8_t *bytes);
	bool (*decode)(void *state, const uint8_t *bytes, size_t len);

	/* How bots play (bot/bot.h); NULL: they do not. */
	const struct bot_rules *bot;
};

/* The row of an event type; NULL if the ruleset does not have the type. */
const struct event_row *ruleset_event(const struct ruleset *rules,
                                      unsigned type);

/* Print the members of an event's "data"; no member for an unknown type. */
void ruleset_print_event(const struct ruleset *rules, const struct event *event,
                         unsigned seat, struct json_out *out);
