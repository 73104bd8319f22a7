/*
 * The host is always one of the seats, and a taken one as long as any seat is
 * taken.  Status, mode, round_end and vacant are copies of the ruleset's
 * standing(), which every change renews.  Each function for a verb checks
 * everything before its first change.
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

static enum err create(struct table *table, const struct action *action,
                       struct events *events)
{
	struct options options = {
		.mode = action->args[CREATE_MODE],
		.shuffled_stacks = action->args[CREATE_SHUFFLED],
		.confirms_rounds = action->args[CREATE_CONFIRMS],
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

/* If all seats were vacant, the new player becomes host. */
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

	if (table->vacant) {
		take_over(table, (unsigned)__builtin_ctz(table->vacant),
		          events);
		return ERR_OK;
	}
	table->seats++;
	events_add(events, EVENT_PLAYER_JOINED, table->seats);
	if (table->seats == table->seats_max)
		begin(table, 0, rng, events);
	return ERR_OK;
}

/* The next taken seat behind this one, cyclically; 0: there is no other. */
static unsigned next_taken(const struct table *table, unsigned seat)
{
	for (unsigned i = 1; i <= table->seats; i++) {
		unsigned next = (seat + i - 1) % table->seats + 1;

		if (next != seat && table_is_taken(table, next))
			return next;
	}
	return 0;
}

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

enum err table_start_rematch(const struct table *table, const char *mode,
                             unsigned seats, void *next, struct action *action)
{
	unsigned players = table_players(table);
	uint8_t state[RULESET_STATE_MAX];

	if (seats && (seats < table->rules->seats_min ||
	              seats > table->rules->seats_max))
		return ERR_INVALID;
	if (!table->rules->start_rematch(next, table->state, mode))
		return ERR_INVALID;
	if (seats && seats < players)
		return ERR_NOT_ALLOWED_NOW;
	size_t len = table->rules->encode(next, state);
	assert(len > 0 && len <= REMATCH_ARG_STATE_MAX);
	*action = (struct action){ .verb = VERB_START_REMATCH };
	action->args[REMATCH_ARG_SEATS_MAX] =
		(uint8_t)(seats ? seats : table->seats_max);
	action->args[REMATCH_ARG_SEATS] = (uint8_t)players;
	action->args[REMATCH_ARG_HOST] =
		(uint8_t)table_closed_up(table, table->host);
	action->args[REMATCH_ARG_LEN] = (uint8_t)len;
	action->args[REMATCH_ARG_WAITS] = seats > players;
	memcpy(action->args + REMATCH_ARG_STATE, state, len);
	return ERR_OK;
}

/* The arguments may come from a damaged log, so none is trusted. */
static enum err start_rematch(struct table *table, const struct action *action,
                              struct rng *rng, struct events *events)
{
	const uint8_t *args = action->args;
	size_t len = args[REMATCH_ARG_LEN];
	struct table next = *table;

	assert(table->version == 0 && table->seats == 0);
	next.seats_max = args[REMATCH_ARG_SEATS_MAX];
	next.seats = args[REMATCH_ARG_SEATS];
	next.host = args[REMATCH_ARG_HOST];
	/* Decode last: it changes the state.  The state must be a lobby's. */
	if (!table_valid(&next) || len > REMATCH_ARG_STATE_MAX ||
	    !table->rules->decode(table->state, args + REMATCH_ARG_STATE,
	                          len) ||
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
		return create(table, action, events);
	case VERB_JOIN:
		return join(table, rng, events);
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

unsigned table_closed_up(const struct table *table, unsigned seat)
{
	unsigned below = table->vacant & ((1U << seat) - 1);

	return seat - (unsigned)__builtin_popcount(below);
}
