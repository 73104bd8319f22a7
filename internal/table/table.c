/*
 * Seats are numbered in the order of joining. In the lobby the seats behind
 * one that is left close up; once the game has started a seat keeps its number
 * and is vacant until somebody takes it over. The host is always a seat of the
 * table, and after the start a taken one as long as anybody is there. Status,
 * mode and vacant seats are copies of what the state says, renewed by every
 * change.
 */
#include "table/table.h"

#include <assert.h>
#include <string.h>

static bool table_valid(const struct table *table)
{
	return table->seats >= 1 && table->seats <= table->seats_max &&
	       table->seats_max >= table->rules->seats_min &&
	       table->seats_max <= table->rules->seats_max &&
	       table->host >= 1 && table->host <= table->seats;
}

unsigned table_players(const struct table *table)
{
	return table->seats - (unsigned)__builtin_popcount(table->vacant);
}

/* Keep what is asked of the state again and again; how many play. */
static unsigned read_standing(struct table *table)
{
	struct standing standing = table->rules->standing(table->state);

	table->status = standing.status;
	table->mode = standing.mode;
	table->vacant = standing.vacant;
	return standing.players;
}

bool table_open(struct table *table)
{
	unsigned players = read_standing(table);

	return table_valid(table) &&
	       (players == 0 ||
	        (players == table->seats && players == table->seats_max));
}

static void begin(struct table *table, unsigned seat, struct rng *rng,
                  struct events *events)
{
	struct event *event = events_add(events, EVENT_GAME_STARTED, seat);

	event_put_public(event, table->seats);
	table->seats_max = table->seats;
	table->rules->start(table->state, table->seats, rng, events);
}

static enum err create(struct table *table, const struct action *action,
                       struct events *events)
{
	struct options options = {
		.mode = action->args[CREATE_MODE],
		.shuffled_stacks = action->args[CREATE_SHUFFLED],
	};

	unsigned seats = action->args[CREATE_SEATS];

	assert(table->version == 0 && table->seats == 0);
	if (seats < table->rules->seats_min ||
	    seats > table->rules->seats_max ||
	    !table->rules->init(table->state, &options))
		return ERR_INVALID;
	table->seats_max = (uint8_t)seats;
	table->seats = 1;
	table->host = 1;
	events_add(events, EVENT_PLAYER_JOINED, 1);
	return ERR_OK;
}

/* Nobody was there: who comes is the host. */
static void take_over(struct table *table, unsigned seat, struct events *events)
{
	bool is_alone = !table_is_taken(table, table->host);

	events_add(events, EVENT_PLAYER_JOINED, seat);
	table->rules->occupy(table->state, seat);
	if (!is_alone || seat == table->host)
		return;
	table->host = (uint8_t)seat;
	events_add(events, EVENT_HOST_CHANGED, seat);
}

static enum err join(struct table *table, struct rng *rng,
                     struct events *events)
{
	if (status_is_over(table->status))
		return ERR_GAME_OVER;
	if (!table_free_seats(table))
		return ERR_GAME_FULL;

	unsigned seat = table_next_seat(table);
	if (table->vacant) {
		take_over(table, seat, events);
		return ERR_OK;
	}
	table->seats++;
	events_add(events, EVENT_PLAYER_JOINED, seat);
	if (table->seats == table->seats_max)
		begin(table, 0, rng, events);
	return ERR_OK;
}

/* The next seat that is taken, the first after the last; 0 if none is. */
static unsigned next_taken(const struct table *table, unsigned seat)
{
	for (unsigned i = 1; i <= table->seats; i++) {
		unsigned next = (seat + i - 1) % table->seats + 1;

		if (next != seat && table_is_taken(table, next))
			return next;
	}
	return 0;
}

/* Before the start the seats behind it close up. */
static void leave_lobby(struct table *table, unsigned seat,
                        struct events *events)
{
	bool was_host = table->host == seat;

	table->seats--;
	if (table->host > seat || table->host > table->seats)
		table->host = was_host ? 1 : table->host - 1;
	if (was_host)
		events_add(events, EVENT_HOST_CHANGED, table->host);
}

static void leave_game(struct table *table, unsigned seat, bool is_removed,
                       struct events *events)
{
	unsigned heir = next_taken(table, seat);

	if (table->host == seat && heir) {
		table->host = (uint8_t)heir;
		events_add(events, EVENT_HOST_CHANGED, heir);
	}
	table->rules->vacate(table->state, seat, is_removed, events);
}

/* True if the others wait for what this seat owes: of the host, the start. */
static bool is_owing(const struct table *table, unsigned seat)
{
	if (table->status == STATUS_LOBBY)
		return seat == table->host &&
		       table->seats >= table->rules->seats_min;
	return table->rules->standing(table->state).waiting_for >> seat & 1;
}

bool table_host_may_remove(const struct table *table)
{
	return table->status != STATUS_PLAYING || table->rules->host_may_remove;
}

/* Everybody may leave; an absent player may be removed by anybody. */
static enum err check_leave(const struct table *table,
                            const struct action *action)
{
	unsigned seat = action->args[LEAVE_SEAT];

	if (!table_is_taken(table, seat))
		return ERR_NO_SUCH_SEAT;
	if (action->seat != seat &&
	    !(action->args[LEAVE_ABSENT] && is_owing(table, seat))) {
		if (!table_host_may_remove(table))
			return ERR_NOT_ALLOWED_NOW;
		if (action->seat != table->host)
			return ERR_NOT_HOST;
	}
	return table_is_last(table, seat) ? ERR_NOT_ALLOWED_NOW : ERR_OK;
}

static enum err leave(struct table *table, const struct action *action,
                      struct events *events)
{
	unsigned seat = action->args[LEAVE_SEAT];
	enum err err = check_leave(table, action);

	if (err)
		return err;

	events_add(events, EVENT_PLAYER_LEFT, seat);
	if (table->status == STATUS_LOBBY)
		leave_lobby(table, seat, events);
	else
		leave_game(table, seat, action->seat != seat, events);
	return ERR_OK;
}

enum err table_check_start(const struct table *table, unsigned seat)
{
	if (seat != table->host)
		return ERR_NOT_HOST;
	if (table->status != STATUS_LOBBY)
		return ERR_ALREADY_STARTED;
	return table->seats < table->rules->seats_min ? ERR_NOT_ALLOWED_NOW
	                                              : ERR_OK;
}

static enum err start(struct table *table, unsigned seat, struct rng *rng,
                      struct events *events)
{
	enum err err = table_check_start(table, seat);

	if (!err)
		begin(table, seat, rng, events);
	return err;
}

enum err table_check_rematch(const struct table *table)
{
	if (table->status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (!status_is_over(table->status))
		return ERR_NOT_ALLOWED_NOW;
	return table->has_rematch ? ERR_ALREADY_USED : ERR_OK;
}

static enum err rematch(struct table *table, const struct action *action,
                        struct events *events)
{
	enum err err = table_check_rematch(table);

	if (err)
		return err;
	struct event *event =
		events_add(events, EVENT_REMATCH_CREATED, action->seat);
	for (unsigned i = 0; i < REMATCH_ID_SIZE; i++)
		event_put_public(event, action->args[i]);
	table->has_rematch = true;
	return ERR_OK;
}

enum err table_start_rematch(const struct table *table, const char *mode,
                             unsigned seats, void *next, struct action *action)
{
	unsigned players = table_players(table);
	uint8_t state[RULESET_STATE_MAX];

	if (seats && (seats < table->rules->seats_min ||
	              seats > table->rules->seats_max))
		return ERR_INVALID;
	if (!table->rules->again(next, table->state, mode))
		return ERR_INVALID;
	if (seats && seats < players)
		return ERR_NOT_ALLOWED_NOW;
	size_t len = table->rules->encode(next, state);
	assert(len > 0 && len <= AGAIN_STATE_MAX);
	*action = (struct action){ .verb = VERB_AGAIN };
	action->args[AGAIN_SEATS_MAX] =
		(uint8_t)(seats ? seats : table->seats_max);
	action->args[AGAIN_SEATS] = (uint8_t)players;
	action->args[AGAIN_HOST] = (uint8_t)table_closed_up(table, table->host);
	action->args[AGAIN_LEN] = (uint8_t)len;
	action->args[AGAIN_WAITS] = seats > players;
	memcpy(action->args + AGAIN_STATE, state, len);
	return ERR_OK;
}

/* Checks what it is told: it may come from a log that somebody damaged. */
static enum err again(struct table *table, const struct action *action,
                      struct rng *rng, struct events *events)
{
	const uint8_t *args = action->args;
	size_t len = args[AGAIN_LEN];
	struct table next = *table;

	assert(table->version == 0 && table->seats == 0);
	next.seats_max = args[AGAIN_SEATS_MAX];
	next.seats = args[AGAIN_SEATS];
	next.host = args[AGAIN_HOST];
	/*
	 * The decoded state comes last, since it cannot be taken back.  A game
	 * that has begun takes more bytes than these.
	 */
	if (!table_valid(&next) || len > AGAIN_STATE_MAX ||
	    !table->rules->decode(table->state, args + AGAIN_STATE, len) ||
	    table->rules->standing(table->state).players)
		return ERR_INVALID;
	*table = next;
	for (unsigned seat = 1; seat <= table->seats; seat++)
		events_add(events, EVENT_PLAYER_JOINED, seat);
	if (table->seats >= table->rules->seats_min && !args[AGAIN_WAITS])
		begin(table, 0, rng, events);
	return ERR_OK;
}

enum err table_apply(struct table *table, const struct action *action,
                     struct rng *rng, struct events *events)
{
	unsigned before = events->count;
	enum err err;

	if (action->verb == VERB_CREATE)
		err = create(table, action, events);
	else if (action->verb == VERB_JOIN)
		err = join(table, rng, events);
	else if (action->verb == VERB_START)
		err = start(table, action->seat, rng, events);
	else if (action->verb == VERB_REMATCH)
		err = rematch(table, action, events);
	else if (action->verb == VERB_AGAIN)
		err = again(table, action, rng, events);
	else if (action->verb == VERB_LEAVE)
		err = leave(table, action, events);
	else if (table->status == STATUS_LOBBY)
		err = ERR_GAME_NOT_STARTED;
	else
		err = table->rules->act(table->state, action, rng, events);
	if (err)
		return err;

	assert(events->count > before);
	table->version += events->count - before;
	(void)read_standing(table);
	assert(table_valid(table));
	return ERR_OK;
}

unsigned table_free_seats(const struct table *table)
{
	if (status_is_over(table->status))
		return 0;
	return table->seats_max - table_players(table);
}

bool table_is_taken(const struct table *table, unsigned seat)
{
	return seat >= 1 && seat <= table->seats &&
	       !(table->vacant >> seat & 1);
}

bool table_is_last(const struct table *table, unsigned seat)
{
	return table->status == STATUS_LOBBY && table->seats == 1 && seat == 1;
}

unsigned table_next_seat(const struct table *table)
{
	return table->vacant ? (unsigned)__builtin_ctz(table->vacant)
	                     : table->seats + 1U;
}

unsigned table_closed_up(const struct table *table, unsigned seat)
{
	unsigned below = table->vacant & ((1U << seat) - 1);

	return seat - (unsigned)__builtin_popcount(below);
}
