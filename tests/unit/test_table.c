/*
 * test_table.c - what every game shares: seats, start, versions, statuses and
 * events.  Rows are in table.def and seats.def.
 */
#include <string.h>

#include "gang_play.h"

struct table_row {
	const char *name;
	const char *script;
	enum err last;
	enum status status;
	unsigned seats;
	unsigned seats_max;
	unsigned version;
};

static struct table_row table_rows[] = {
#define TABLE(name, script, last, status, ...) \
	{ name, script, ERR_##last, STATUS_##status, __VA_ARGS__ },
#include "table.def"
};

static void check_table(void **state)
{
	const struct table_row *row = *state;
	struct play play;

	play_open(&play);
	play_on(&play, row->script);
	assert_string_equal(err_code(play.last), err_code(row->last));
	assert_string_equal(status_code(play.table.status),
	                    status_code(row->status));
	assert_int_equal(play.table.seats, row->seats);
	assert_int_equal(play.table.seats_max, row->seats_max);
	assert_int_equal(play.table.host, 1);
	assert_int_equal(play.table.version, row->version);
	assert_int_equal(table_free_seats(&play.table),
	                 row->seats_max - row->seats);
	assert_string_equal(play.table.rules->standing(&play.gang).mode,
	                    "basic");
}

struct seats_row {
	const char *name;
	uint8_t seats;
	uint8_t seats_max;
	uint8_t host;
	enum status status;
	bool good;
};

static struct seats_row seats_rows[] = {
#define SEATS(name, seats, seats_max, host, status, good) \
	{ name, seats, seats_max, host, STATUS_##status, good },
#include "seats.def"
};

static void check_seats(void **state)
{
	const struct seats_row *row = *state;
	struct options options = { .bytes[GANG_OPTION_MODE] = GANG_MODE_BASIC };
	struct play play;

	play_open(&play);
	play_on(&play, "t3");
	if (row->status == STATUS_LOBBY)
		assert_true(play.table.rules->init(play.table.state, &options));
	play.table.status = STATUS_COUNT;
	play.table.seats = row->seats;
	play.table.seats_max = row->seats_max;
	play.table.host = row->host;
	assert_int_equal(table_open(&play.table), row->good);
	assert_int_equal(play.table.status, row->status);
}

/* A log may be damaged: what no client can ask for is refused all the same. */
static void check_create(void **state)
{
	static const struct {
		uint8_t seats;
		uint8_t mode;
		uint8_t bots;
		bool starts;
		enum err err;
	} rows[] = {
		{ 3, GANG_MODE_BASIC, 0, false, ERR_OK },
		{ 6, GANG_MODE_BASIC, 0, false, ERR_OK },
		{ 3, GANG_MODE_BASIC, 2, false, ERR_OK },
		{ 2, GANG_MODE_BASIC, 0, false, ERR_INVALID },
		{ 7, GANG_MODE_BASIC, 0, false, ERR_INVALID },
		{ 3, 0, 0, false, ERR_INVALID },
		{ 3, 99, 0, false, ERR_INVALID },
		{ 3, GANG_MODE_BASIC, 3, false, ERR_INVALID },
		{ 3, GANG_MODE_BASIC, 1, true, ERR_INVALID },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct gang gang = { 0 };
		struct table table = { .rules = &gang_ruleset, .state = &gang };
		struct events events = { .count = 0 };
		struct action action = { .verb = VERB_CREATE };
		struct rng rng = { .block = 0 };

		action.args[CREATE_SEATS] = rows[i].seats;
		action.args[CREATE_OPTIONS + GANG_OPTION_MODE] = rows[i].mode;
		action.args[CREATE_BOTS] = rows[i].bots;
		action.args[CREATE_STARTS] = rows[i].starts;
		unsigned players =
			rows[i].err == ERR_OK ? 1U + rows[i].bots : 0;
		assert_int_equal(table_apply(&table, &action, &rng, &events),
		                 rows[i].err);
		assert_int_equal(events.count, players);
		assert_int_equal(table.seats, players);
	}
}

static void check_damaged_actions(void **state)
{
	static const struct {
		const char *script;
		struct action action;
		enum err err;
	} rows[] = {
		{ "t3",
		  { VERB_TAKE, 1, { COLOR_COUNT, 1 } },
		  ERR_NO_SUCH_CHIP },
		{ "t3",
		  { VERB_TAKE, 0, { COLOR_WHITE, 1 } },
		  ERR_NO_SUCH_SEAT },
		{ "t3", { VERB_RETURN, 4, { 0, 1 } }, ERR_NO_SUCH_SEAT },
		{ "t3", { VERB_SEAT_BOT, 0, { 1 } }, ERR_NO_SUCH_SEAT },
		{ "t3", { VERB_SEAT_BOT, 9, { 1 } }, ERR_NO_SUCH_SEAT },
		{ "t3", { 255, 1, { 0 } }, ERR_NOT_ALLOWED_NOW },
		{ "t3 s4", { VERB_PROPOSE, 1, { 2, 0, 14 } }, ERR_INVALID },
		{ "t3 s4", { VERB_PROPOSE, 1, { 2, 0, 255 } }, ERR_INVALID },
		{ "t3 s4", { VERB_PROPOSE, 1, { 255, 0, 1 } }, ERR_INVALID },
		{ "t3 s1", { VERB_PROPOSE, 1, { 1, 255 } }, ERR_INVALID },
		{ "t3 s6", { VERB_CHOOSE, 1, { CARD_NONE } }, ERR_INVALID },
		{ "t3 s9", { VERB_CHOOSE, 1, { CARD_NONE } }, ERR_INVALID },
		{ "t3 x4 = = = =",
		  { VERB_ANSWER, 1, { 4, 0 } },
		  ERR_NOT_ALLOWED_NOW },
		{ "t3 x4 = = = =",
		  { VERB_ANSWER, 1, { 4, 14 } },
		  ERR_NOT_ALLOWED_NOW },
		{ "t3 x4 = = = =",
		  { VERB_ANSWER, 1, { 0, 1 } },
		  ERR_NOT_ALLOWED_NOW },
		{ "t3 x4 = = = =",
		  { VERB_ANSWER, 1, { 255, 1 } },
		  ERR_NOT_ALLOWED_NOW },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct play play;

		play_open(&play);
		play_on(&play, rows[i].script);
		play_act(&play, rows[i].action);
		assert_string_equal(err_code(play.last), err_code(rows[i].err));
		assert_int_equal(play.events.count, 0);
	}
}

/* Players change what is theirs at any time, and nobody else does. */
static void check_own(void **state)
{
	static const struct {
		const char *script;
		uint8_t seat; /* of the caller */
		uint8_t changed;
		enum err err;
	} rows[] = {
		{ "n6", 1, 1, ERR_OK },
		{ "n6 j", 2, 2, ERR_OK },
		{ "n6 j", 1, 2, ERR_NOT_YOUR_SEAT },
		{ "n6 j", 2, 1, ERR_NOT_YOUR_SEAT },
		{ "n6 j", 1, 3, ERR_NO_SUCH_SEAT },
		{ "n6 j", 1, 0, ERR_NO_SUCH_SEAT },
		{ "t3", 3, 3, ERR_OK },
		{ "t3 B!", 1, 2, ERR_NO_SUCH_SEAT },
		{ "t3 S A+ S A+ S", 1, 1, ERR_OK },
	};
	static const struct {
		uint8_t verb;
		enum event_type type;
	} verbs[] = {
		{ VERB_CHANGE_PLAYER, EVENT_PLAYER_CHANGED },
		{ VERB_RENEW_TOKEN, EVENT_TOKEN_RENEWED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows) * ARRAY_LEN(verbs); i++) {
		size_t row = i / ARRAY_LEN(verbs);
		struct action action = {
			.verb = verbs[i % ARRAY_LEN(verbs)].verb,
			.seat = rows[row].seat,
			.args = { [CHANGE_SEAT] = rows[row].changed },
		};
		struct play play;

		play_open(&play);
		play_on(&play, rows[row].script);
		uint32_t version = play.table.version;
		play_act(&play, action);
		assert_string_equal(err_code(play.last),
		                    err_code(rows[row].err));
		bool is_done = rows[row].err == ERR_OK;
		assert_int_equal(play.table.version, version + is_done);
		assert_int_equal(play.events.count, is_done);
		if (is_done)
			assert_int_equal(play.events.list[0].type,
			                 verbs[i % ARRAY_LEN(verbs)].type);
	}
}

/* Options and states that are longer than their first place come out again. */
static void check_split_args(void **state)
{
	struct action action = { .verb = VERB_START_REMATCH };
	uint8_t bytes[REMATCH_STATE_MAX];
	uint8_t read[REMATCH_STATE_MAX];

	(void)state;
	for (unsigned i = 0; i < REMATCH_STATE_MAX; i++)
		bytes[i] = (uint8_t)(i + 1);
	action.args[REMATCH_ARG_BOTS] = 200;
	action.args[REMATCH_ARG_WAITS] = 201;
	action_set_state(&action, bytes);
	action_state(&action, read);
	assert_memory_equal(read, bytes, sizeof(read));
	assert_int_equal(action.args[REMATCH_ARG_BOTS], 200);
	assert_int_equal(action.args[REMATCH_ARG_WAITS], 201);

	action = (struct action){ .verb = VERB_CREATE };
	action.args[CREATE_BOTS] = 200;
	action.args[CREATE_STARTS] = 201;
	action_set_options(&action, bytes);
	action_options(&action, read);
	assert_memory_equal(read, bytes, ACTION_OPTIONS_MAX);
	assert_int_equal(action.args[CREATE_BOTS], 200);
	assert_int_equal(action.args[CREATE_STARTS], 201);
}

/* No game begins by an action that table_start_rematch() did not write. */
static void check_damaged_again(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		bool good;
	} rows[] = {
		{ REMATCH_ARG_SEATS_MAX, 4, true },
		{ REMATCH_ARG_SEATS, 2,
		  true }, /* who have left may join again */
		{ REMATCH_ARG_HOST, 3, true },
		{ REMATCH_ARG_SEATS_MAX, 2, false },
		{ REMATCH_ARG_SEATS_MAX, 7, false },
		{ REMATCH_ARG_SEATS, 0, false },
		{ REMATCH_ARG_SEATS, 4, false },
		{ REMATCH_ARG_SEATS, 200, false },
		{ REMATCH_ARG_HOST, 0, false },
		{ REMATCH_ARG_HOST, 4, false },
		{ REMATCH_ARG_LEN, 0, false },
		{ REMATCH_ARG_LEN, 12, false },
		{ REMATCH_ARG_LEN, 255, false },
		{ REMATCH_ARG_STATE, 9, false },
		{ REMATCH_ARG_STATE + 4, 3, false }, /* a game that has begun */
	};
	static const uint8_t seed[RNG_SEED_SIZE];
	struct action action;
	struct rng rng;
	struct play play;
	struct gang next;

	(void)state;
	play_open(&play);
	play_on(&play, "t3 S A+ S A+ S");
	assert_int_equal(table_start_rematch(&play.table, NULL, 0, &next,
	                                     &action),
	                 ERR_OK);
	rng_init(&rng, seed);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct action damaged = action;
		struct play other;
		struct play before;

		assert_int_not_equal(action.args[rows[i].at], rows[i].value);
		damaged.args[rows[i].at] = rows[i].value;
		play_open(&other);
		memcpy(&before, &other, sizeof(before));
		assert_int_equal(table_apply(&other.table, &damaged, &rng,
		                             &other.events),
		                 rows[i].good ? ERR_OK : ERR_INVALID);
		if (!rows[i].good)
			assert_memory_equal(&other, &before, sizeof(other));
		assert_int_equal(other.table.version, other.events.count);
		assert_int_equal(
			other.table.status,
			rows[i].good && damaged.args[REMATCH_ARG_SEATS] >= 3
				? STATUS_PLAYING
				: STATUS_LOBBY);
	}
}

static void check_statuses(void **state)
{
	static const char *const codes[] = { "lobby", "playing", "won", "lost",
		                             "over" };

	(void)state;
	for (unsigned i = 0; i < STATUS_COUNT; i++) {
		assert_string_equal(status_code((enum status)i), codes[i]);
		assert_int_equal(status_is_over((enum status)i),
		                 i >= STATUS_WON);
	}
}

/* Earlier events in the list stay, and are not counted twice. */
static void check_appended(void **state)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;
	struct play play;

	(void)state;
	rng_init(&rng, seed);
	play_open(&play);
	play_on(&play, "n3 j");
	struct action join = { .verb = VERB_JOIN };
	assert_int_equal(table_apply(&play.table, &join, &rng, &play.events),
	                 ERR_OK);
	assert_int_equal(play.events.count, 6);
	assert_int_equal(play.events.list[0].seat, 2);
	assert_int_equal(play.events.list[1].seat, 3);
	assert_int_equal(play.table.version, 7);
}

static void check_event(void **state)
{
	static struct events events;
	struct event *event = events_add(&events, EVENT_CHIP_TAKEN, 3);

	(void)state;
	event_put_public(event, 7);
	event_put_public(event, 255);
	event_put_private(event, 9);
	assert_int_equal(event->type, EVENT_CHIP_TAKEN);
	assert_int_equal(event->seat, 3);
	assert_int_equal(event->public_len, 2);
	assert_memory_equal(event->public_data, ((uint8_t[]){ 7, 255 }), 2);
	assert_int_equal(event->private_len, 1);
	assert_int_equal(event->private_data[0], 9);
	/* A place is used again as if it were new. */
	events.count = 0;
	assert_ptr_equal(events_add(&events, EVENT_ROUND_ENDED, 0), event);
	assert_int_equal(event->public_len + event->private_len, 0);
	while (events.count < EVENTS_MAX)
		(void)events_add(&events, EVENT_ROUND_ENDED, 0);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, table_rows, check_table);
	ROWS_ADD(&rows, seats_rows, check_seats);
	rows_add(&rows, "the statuses", check_statuses, NULL);
	rows_add(&rows, "events are appended", check_appended, NULL);
	rows_add(&rows, "an event and its parts", check_event, NULL);
	rows_add(&rows, "long options and states have two places",
	         check_split_args, NULL);
	rows_add(&rows, "invalid options of a game are refused", check_create,
	         NULL);
	rows_add(&rows, "players change what is theirs", check_own, NULL);
	rows_add(&rows, "a damaged rematch is refused", check_damaged_again,
	         NULL);
	rows_add(&rows, "damaged actions are refused", check_damaged_actions,
	         NULL);
	return rows_run("table", &rows);
}
