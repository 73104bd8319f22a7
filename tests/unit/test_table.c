/*
 * test_table.c - what every game shares: sitting down, starting, versions,
 * statuses and events.
 */
#include "play.h"

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
	assert_string_equal(play.table.rules->mode(&play.gang), "basic");
}

struct seats_row {
	const char *name;
	uint8_t seats;
	uint8_t seats_max;
	uint8_t host;
	bool good;
};

static struct seats_row seats_rows[] = {
#define SEATS(...) { __VA_ARGS__ },
#include "seats.def"
};

static void check_seats(void **state)
{
	const struct seats_row *row = *state;
	struct play play;

	play_open(&play);
	play_on(&play, "t3");
	play.table.status = STATUS_LOBBY;
	play.table.seats = row->seats;
	play.table.seats_max = row->seats_max;
	play.table.host = row->host;
	assert_int_equal(table_open(&play.table), row->good);
	assert_int_equal(play.table.status, STATUS_PLAYING);
}

static void check_statuses(void **state)
{
	static const char *const codes[] = { "lobby", "playing", "won",
		                             "lost" };
	enum status status = STATUS_COUNT;

	(void)state;
	for (unsigned i = 0; i < STATUS_COUNT; i++) {
		assert_string_equal(status_code((enum status)i), codes[i]);
		assert_true(status_find(codes[i], &status));
		assert_int_equal(status, i);
	}
	assert_false(status_find("over", &status));
	assert_int_equal(status, STATUS_LOST);
}

/* What there was among the events stays, and does not count twice. */
static void check_appended(void **state)
{
	static const uint8_t seed[CHANCE_SEED_SIZE];
	struct chance chance;
	struct play play;

	(void)state;
	chance_init(&chance, seed);
	play_open(&play);
	play_on(&play, "n3 j");
	struct action join = { .verb = VERB_JOIN };
	assert_int_equal(table_act(&play.table, &join, &chance, &play.events),
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
	event_open(event, 7);
	event_open(event, 255);
	event_secret(event, 9);
	assert_int_equal(event->type, EVENT_CHIP_TAKEN);
	assert_int_equal(event->seat, 3);
	assert_int_equal(event->open_len, 2);
	assert_memory_equal(event->open, ((uint8_t[]){ 7, 255 }), 2);
	assert_int_equal(event->secret_len, 1);
	assert_int_equal(event->secret[0], 9);
	/* A place is used again as if it were new. */
	events.count = 0;
	assert_ptr_equal(events_add(&events, EVENT_ROUND_ENDED, 0), event);
	assert_int_equal(event->open_len + event->secret_len, 0);
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
	return rows_run("table", &rows);
}
