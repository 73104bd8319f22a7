/*
 * The host is always one of the seats: a person's as long as there is one, else
 * a taken one as long as any is.  A lobby has a person.  Status, mode,
 * round_end and vacant are copies of the ruleset's standing(), which every
 * change renews.  Each function for a verb checks everything before its first
 * change.
 */
#include "table/table.h"

#include <assert.h>
#include <string.h>

#include "table/table_seats.h"

/* Bit n for seat n. */
static unsigned taken_seats(const struct table *table)
{
	return ((2U << table->seats) - 2) & ~(unsigned)table->vacant;
}

static unsigned persons_of(const struct table *table)
{
	return taken_seats(table) & ~(unsigned)table->bots;
}

unsigned table_persons(const struct table *table)
{
	return (unsigned)__builtin_popcount(persons_of(table));
}

static bool table_valid(const struct table *table)
{
	return table->seats >= 1 && table->seats <= table->seats_max &&
	       table->seats_max >= table->rules->seats_min &&
	       table->seats_max <= table->rules->seats_max &&
	       table->host >= 1 && table->host <= table->seats &&
	       !(table->bots & ~taken_seats(table));
}

/* Returns the number of players of a started game, else 0. */
static unsigned read_standing(struct table *table)
{
	struct standing standing = table->rules->standing(table->state);

	table->status = standing.status;
	table->mode = standing.mode;
	table->round_end = standing.round_end;
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

/* The next new seat, for a person or a bot. */
static void add_seat(struct table *table, bool is_bot, struct events *events)
{
	table->seats++;
	table->bots |= (uint8_t)(is_bot << table->seats);
	events_add(events, EVENT_PLAYER_JOINED, table->seats);
}

static enum err create(struct table *table, const struct action *action,
                       struct rng *rng, struct events *events)
{
	struct options options;
	unsigned seats = action->args[CREATE_SEATS];
	unsigned bots = action->args[CREATE_BOTS];
	bool starts = action->args[CREATE_STARTS];

	assert(table->version == 0 && table->seats == 0);
	action_options(action, options.bytes);
	if (seats < table->rules->seats_min ||
	    seats > table->rules->seats_max || bots >= seats ||
	    (starts && bots + 1 < table->rules->seats_min) ||
	    !table->rules->init(table->state, &options))
		return ERR_INVALID;
	table->seats_max = (uint8_t)seats;
	table->host = 1;
	table->bots = 0;
	add_seat(table, false, events);
	while (table->seats <= bots)
		add_seat(table, true, events);
	if (starts)
		begin(table, 1, rng, events);
	return ERR_OK;
}

/* If no person was at the table, a person who joins becomes host. */
static void take_over(struct table *table, unsigned seat, struct events *events)
{
	bool is_alone = !table_is_taken(table, table->host) ||
	                table_is_bot(table, table->host);

	events_add(events, EVENT_PLAYER_JOINED, seat);
	table->rules->occupy(table->state, seat);
	if (!is_alone || seat == table->host)
		return;
	table->host = (uint8_t)seat;
	events_add(events, EVENT_HOST_CHANGED, seat);
}

static void leave_lobby(struct table *table, unsigned seat,
                        struct events *events)
{
	bool was_host = table->host == seat;

	table->seats--;
	table->bots = table_seats_close_up(table->bots, seat);
	if (was_host) {
		unsigned heir = table_seats_next(persons_of(table),
		                                 table->seats, seat - 1);

		table->host = (uint8_t)(heir ? heir : seat - 1);
		events_add(events, EVENT_HOST_CHANGED, table->host);
	} else if (table->host > seat) {
		table->host--;
	}
}

/* The host leaves: the next person becomes host, or without any a bot. */
static void pass_host(struct table *table, struct events *events)
{
	unsigned heir =
		table_seats_prefer(persons_of(table), taken_seats(table),
	                           table->seats, table->host);

	if (!heir)
		return;
	table->host = (uint8_t)heir;
	events_add(events, EVENT_HOST_CHANGED, heir);
}

static void leave_game(struct table *table, unsigned seat, bool is_removed,
                       struct events *events)
{
	if (table->host == seat)
		pass_host(table, events);
	table->bots &= (uint8_t) ~(1U << seat);
	table->rules->vacate(table->state, seat, is_removed, events);
}

/* In a full lobby: the last bot leaves, for a person. */
static void free_bot(struct table *table, struct events *events)
{
	unsigned seat = 31U - (unsigned)__builtin_clz(table->bots);

	events_add(events, EVENT_PLAYER_LEFT, seat);
	leave_lobby(table, seat, events);
}

static enum err join(struct table *table, struct rng *rng,
                     struct events *events)
{
	if (status_is_over(table->status))
		return ERR_GAME_OVER;
	if (!table_free_seats(table))
		return ERR_GAME_FULL;

	if (table->vacant) {
		take_over(table, (unsigned)__builtin_ctz(table->vacant),
		          events);
		return ERR_OK;
	}
	bool was_full = table->seats == table->seats_max;
	if (was_full)
		free_bot(table, events);
	add_seat(table, false, events);
	if (table->seats == table->seats_max && (!was_full || !table->bots))
		begin(table, 0, rng, events);
	return ERR_OK;
}

/* A bot takes over a vacant seat. */
static void put_bot(struct table *table, unsigned seat, struct events *events)
{
	events_add(events, EVENT_PLAYER_JOINED, seat);
	table->rules->occupy(table->state, seat);
	table->bots |= (uint8_t)(1U << seat);
}

/* The player who acts gives the seat to a bot. */
static enum err hand_over(struct table *table, unsigned seat,
                          struct events *events)
{
	if (status_is_over(table->status))
		return ERR_GAME_OVER;
	if (table->status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (!table_is_taken(table, seat))
		return ERR_NO_SUCH_SEAT;
	events_add(events, EVENT_PLAYER_LEFT, seat);
	table->bots |= (uint8_t)(1U << seat);
	if (table->host == seat)
		pass_host(table, events);
	events_add(events, EVENT_PLAYER_JOINED, seat);
	return ERR_OK;
}

enum err table_check_bot(const struct table *table, unsigned seat)
{
	if (status_is_over(table->status))
		return ERR_GAME_OVER;
	if (table->status == STATUS_LOBBY && seat != table->host)
		return ERR_NOT_HOST;
	return !table->vacant && table->seats == table->seats_max
	               ? ERR_GAME_FULL
	               : ERR_OK;
}

static enum err seat_bot(struct table *table, const struct action *action,
                         struct events *events)
{
	if (action->args[BOT_INSTEAD])
		return hand_over(table, action->seat, events);
	enum err err = table_check_bot(table, action->seat);
	if (err)
		return err;
	if (table->vacant)
		put_bot(table, (unsigned)__builtin_ctz(table->vacant), events);
	else
		add_seat(table, true, events);
	return ERR_OK;
}

/* True if the game waits for this seat; a lobby waits for its host to start. */
static bool is_waited_for(const struct table *table, unsigned seat)
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

static enum err check_leave(const struct table *table,
                            const struct action *action)
{
	unsigned seat = action->args[LEAVE_SEAT];

	if (!table_is_taken(table, seat))
		return ERR_NO_SUCH_SEAT;
	if (action->seat != seat &&
	    !(action->args[LEAVE_ABSENT] && is_waited_for(table, seat))) {
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

static enum err change_own(const struct table *table,
                           const struct action *action, unsigned type,
                           struct events *events)
{
	if (!table_is_taken(table, action->args[CHANGE_SEAT]))
		return ERR_NO_SUCH_SEAT;
	if (action->args[CHANGE_SEAT] != action->seat)
		return ERR_NOT_YOUR_SEAT;
	events_add(events, type, action->seat);
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

/* The arguments may come from a damaged log, so each is checked. */
static enum err start_rematch(struct table *table, const struct action *action,
                              struct rng *rng, struct events *events)
{
	const uint8_t *args = action->args;
	size_t len = args[REMATCH_ARG_LEN];
	struct table next = *table;
	uint8_t state[REMATCH_STATE_MAX];

	assert(table->version == 0 && table->seats == 0);
	action_state(action, state);
	next.seats_max = args[REMATCH_ARG_SEATS_MAX];
	next.seats = args[REMATCH_ARG_SEATS];
	next.host = args[REMATCH_ARG_HOST];
	next.bots = args[REMATCH_ARG_BOTS];
	/* Decode last: it changes the state, which must be a lobby's. */
	if (!table_valid(&next) || len > REMATCH_STATE_MAX ||
	    !table->rules->decode(table->state, state, len) ||
	    table->rules->standing(table->state).players)
		return ERR_INVALID;
	*table = next;
	for (unsigned seat = 1; seat <= table->seats; seat++)
		events_add(events, EVENT_PLAYER_JOINED, seat);
	if (table->seats >= table->rules->seats_min && !args[REMATCH_ARG_WAITS])
		begin(table, 0, rng, events);
	return ERR_OK;
}

static enum err apply(struct table *table, const struct action *action,
                      struct rng *rng, struct events *events)
{
	switch (action->verb) {
	case VERB_CREATE:
		return create(table, action, rng, events);
	case VERB_JOIN:
		return join(table, rng, events);
	case VERB_SEAT_BOT:
		return seat_bot(table, action, events);
	case VERB_START:
		return start(table, action->seat, rng, events);
	case VERB_REMATCH:
		return rematch(table, action, events);
	case VERB_START_REMATCH:
		return start_rematch(table, action, rng, events);
	case VERB_LEAVE:
		return leave(table, action, events);
	case VERB_CHANGE_PLAYER:
		return change_own(table, action, EVENT_PLAYER_CHANGED, events);
	case VERB_RENEW_TOKEN:
		return change_own(table, action, EVENT_TOKEN_RENEWED, events);
	default:
		if (table->status == STATUS_LOBBY)
			return ERR_GAME_NOT_STARTED;
		return table->rules->apply(table->state, action, rng, events);
	}
}

enum err table_apply(struct table *table, const struct action *action,
                     struct rng *rng, struct events *events)
{
	unsigned before = events->count;
	enum err err = apply(table, action, rng, events);

	if (err)
		return err;
	assert(events->count > before);
	table->version += events->count - before;
	(void)read_standing(table);
	assert(table_valid(table));
	return ERR_OK;
}
