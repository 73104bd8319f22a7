/*
 * ruleset.h - the seam between the service and the rules of a game.
 *
 * The service knows seats, versions and events; a ruleset knows everything
 * else.  Its state and its views are plain values without pointers, of sizes
 * that it names; the service finds the memory.  "=" copies them, nothing is
 * freed.  Functions are pure: no allocation, no clock, no random numbers but
 * those they are given, no HTTP, no SQL.
 *
 * A view is the only door out: what leaves the service is printed from a view
 * or from an event with the seat that looks; 0 looks for a spectator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "base/err.h"
#include "base/json_out.h"
#include "table/action.h"
#include "table/event.h"
#include "table/now.h"

enum {
	RULESET_STATE_MAX = 1024, /* bytes of an encoded state */
	RULESET_MODES_MAX = 8,
	TABLE_SEATS_MAX = 6,
};

enum status {
#define STATUS(name, code) STATUS_##name,
#include "table/status.def"
	STATUS_COUNT
};

/* "lobby"; static. */
const char *status_code(enum status status);

/* True of a game that was played to its end. */
bool status_is_over(enum status status);

/*
 * The options of a new game, beyond its seats.  A ruleset without modes or
 * stacks knows none but 0 and false.
 */
struct options {
	uint8_t mode; /* the ruleset's */
	bool shuffled_stacks;
};

/* The fault of one member of a request's body; all static. */
struct fault {
	const char *member; /* its name; NULL: nothing is wrong */
	const char *code;   /* as http/body.h has them */
	const char *detail; /* a sentence */
};

/*
 * How much of an event a viewer may see: only that something happened, what a
 * spectator sees, or what the viewer's seat sees.
 */
enum sight { SIGHT_NONE, SIGHT_SPECTATOR, SIGHT_SEAT };

/*
 * An event that is being printed.  It is read from a database, so its bytes may
 * be anything: past their end the readers give zeros.
 */
struct event_reader {
	const struct event *event;
	unsigned seat; /* of the viewer; 0: a spectator */
	struct bytes_in public_data;
	struct bytes_in private_data;
};

/* A type of event, as the ruleset has it. */
struct event_row {
	const char *code; /* "chip_taken" */

	/* How much a viewer may see of one; NULL: all. */
	enum sight (*sight)(const void *view, const struct event *event);

	/* The members of its data, as the seat may see it. */
	void (*print)(struct event_reader *from, struct json_out *out);
};

/*
 * The table asks a state for this after every change.  Sets of seats are bits,
 * bit n for seat n.
 */
struct standing {
	enum status status;  /* LOBBY until started, then as the game stands */
	uint8_t players;     /* 0 until started */
	uint8_t vacant;      /* seats at which nobody sits */
	uint8_t waiting_for; /* seats that owe something; of a started game */
	const char *mode;    /* the code of the mode; static, or NULL */
};

struct ruleset {
	const char *code;          /* "the_gang" */
	uint8_t number;            /* in the database */
	uint8_t rules_version;     /* recorded with each game that is created */
	uint8_t rules_version_min; /* whose games can go on by these rules */
	/* Codes, then NULL; perhaps none. */
	const char *modes[RULESET_MODES_MAX + 1];
	uint8_t seats_min;
	uint8_t seats_max;
	bool host_may_remove; /* in play; else only who is absent is removed */
	size_t state_size;
	size_t view_size;

	/*
	 * The state of a game that waits for its players.  False, and state
	 * untouched, for options that the rules do not know.
	 */
	bool (*init)(void *state, const struct options *options);

	/*
	 * Begin, with players seated at 1..players.  EVENT_GAME_STARTED is the
	 * newest event, and its open part begins with how many they are; what
	 * the ruleset has to say of the beginning it adds there.
	 */
	void (*start)(void *state, unsigned players, struct rng *rng,
	              struct events *events);

	/*
	 * Do what a player wants.  Refuses with an enum err and then changes
	 * nothing, or changes the state and appends at least one event.
	 */
	enum err (*act)(void *state, const struct action *action,
	                struct rng *rng, struct events *events);

	/* Of an action that act() refused with ERR_INVALID: what is wrong. */
	struct fault (*fault)(const void *state, const struct action *action);

	/*
	 * The state of a game that waits to be played by those who have ended
	 * one, with all that goes on from game to game: how the stacks lie,
	 * whose turn it is to begin.  The mode is one of modes, or NULL for the
	 * same as before.  False, and state untouched, for a mode that the
	 * rules do not have.
	 */
	bool (*again)(void *state, const void *before, const char *mode);

	/*
	 * A seat of a game that was started becomes vacant.  Its player leaves,
	 * and whoever joins next takes over all that the seat has.  Or somebody
	 * else removes the player: then whoever joins must learn nothing of
	 * what the player could see, or could anybody who removes a player and
	 * joins in their place.
	 */
	void (*vacate)(void *state, unsigned seat, bool is_removed,
	               struct events *events);

	/* Somebody sits down at a vacant seat. */
	void (*occupy)(void *state, unsigned seat);

	/* How the game stands, for the table. */
	struct standing (*standing)(const void *state);

	/* Fill in what a seat (0: a spectator) may see. */
	void (*view)(const void *state, unsigned seat, void *view);

	/*
	 * Of an action that the state of the game refused: where the game
	 * stands, and a detail that fits the case.  A request that only reads
	 * comes with VERB_NONE.
	 */
	void (*now)(const void *view, const struct action *action, enum err err,
	            struct now *now);

	/*
	 * Print the moves that would succeed now for the seat that looks, as
	 * elements of an array; game_path is the path that theirs continue.  A
	 * move that no element allows is refused.
	 */
	void (*print_legal)(const void *view, const char *game_path,
	                    struct json_out *out);

	/* Print the members of the view that belong to the ruleset. */
	void (*print_view)(const void *view, struct json_out *out);

	/* The members of "you" but seat and legal_actions. */
	void (*print_you)(const void *view, struct json_out *out);

	/*
	 * The members of the hand of a seat 1..players (in the lobby, of the
	 * own seat) but the seat itself.  False, and nothing printed, if the
	 * viewer may not see it.
	 */
	bool (*print_hand)(const void *view, unsigned seat,
	                   struct json_out *out);

	/*
	 * EVENT_TYPES_MAX rows, by type: those of its own, and
	 * EVENT_GAME_STARTED.
	 */
	const struct event_row *events;

	/*
	 * Write the state as bytes, RULESET_STATE_MAX at the most, and return
	 * how many; and read them again.  Reading checks everything it is
	 * told: what it accepts is a state that play can reach, or could be
	 * treated as one.  False, and state untouched, if it does not.
	 */
	size_t (*encode)(const void *state, uint8_t *bytes);
	bool (*decode)(void *state, const uint8_t *bytes, size_t len);
};

/* The row of a type of event; NULL: the rules have none. */
const struct event_row *ruleset_event(const struct ruleset *rules,
                                      unsigned type);

/* Print the members of the data of an event; none, if it has no such row. */
void ruleset_print_event(const struct ruleset *rules, const struct event *event,
                         unsigned seat, struct json_out *out);

/*
 * Print such an element: a POST to game_path and tail without a body.  Or
 * begin one, whose members "body" and "choose" and whose end are to follow.
 */
void legal_print(struct json_out *out, const char *name, const char *game_path,
                 const char *tail);
void legal_begin(struct json_out *out, const char *name, const char *game_path,
                 const char *tail);
