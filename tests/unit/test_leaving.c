/*
 * test_leaving.c - players who leave, are removed, and join: seats, the host,
 * proposals and questions that no longer wait for a vote or an answer.  Every
 * state that is reached can be encoded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/gang_reachable.h"
#include "games/gang/rules/gang_view.h"
#include "gang_play.h"

/* --- rows ----------------------------------------------------------------- */

struct leaving_row {
	const char *name;
	const char *script;
	enum err last;
	enum status status;
	const char *seats;
	unsigned version;
	const char *events;
};

static struct leaving_row leaving_rows[] = {
#define LEAVING(name, script, last, status, ...) \
	{ name, script, ERR_##last, STATUS_##status, __VA_ARGS__ },
#include "leaving.def"
};

static const char *type_of(unsigned type)
{
	switch (type) {
#define EVENT(name, number, text) \
	case number:              \
		return (text);
#include "table/event.def"
	}
	return ruleset_event(&gang_ruleset, type)->code;
}

static void print_events(const struct events *events, char *text, size_t size)
{
	size_t len = 0;

	*text = '\0';
	for (unsigned i = 0; i < events->count; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s %u",
		                        i ? ", " : "",
		                        type_of(events->list[i].type),
		                        events->list[i].seat);
}

static void print_seats(const struct table *table, char *text)
{
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		bool is_host = seat == table->host;

		if (table_is_bot(table, seat))
			*text++ = is_host ? 'B' : 'b';
		else if (table_is_taken(table, seat))
			*text++ = is_host ? 'H' : 'p';
		else
			*text++ = is_host ? 'h' : '-';
	}
	*text = '\0';
}

/* The encoded game can be decoded, and is the same game. */
static void check_kept(const struct play *play)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t again[RULESET_STATE_MAX];
	size_t len = gang_ruleset.encode(&play->gang, bytes);
	struct table table = play->table;
	struct gang gang;

	assert_true(gang_ruleset.decode(&gang, bytes, len));
	assert_int_equal(gang_ruleset.encode(&gang, again), len);
	assert_memory_equal(bytes, again, len);
	table.state = &gang;
	table.vacant = 0;
	table.status = STATUS_COUNT;
	assert_true(table_open(&table));
	assert_int_equal(table.vacant, play->table.vacant);
	assert_int_equal(table.status, play->table.status);
}

static void check_leaving(void **state)
{
	const struct leaving_row *row = *state;
	char events[512];
	char seats[TABLE_SEATS_MAX + 1];
	unsigned vacant = 0;
	struct play play;

	play_open(&play);
	play_on(&play, row->script);
	assert_string_equal(err_code(play.last), err_code(row->last));
	print_events(&play.events, events, sizeof(events));
	assert_string_equal(events, row->events);
	print_seats(&play.table, seats);
	assert_string_equal(seats, row->seats);
	assert_string_equal(status_code(play.table.status),
	                    status_code(row->status));
	assert_int_equal(play.table.version, row->version);
	for (const char *seat = seats; *seat; seat++)
		vacant += *seat == '-' || *seat == 'h' ||
		          (*seat == 'b' && row->status == STATUS_LOBBY);
	assert_int_equal(table_free_seats(&play.table),
	                 status_is_over(row->status)
	                         ? 0
	                         : play.table.seats_max - strlen(seats) +
	                                   vacant);
	check_kept(&play);
}

/* --- seats ---------------------------------------------------------------- */

static void check_questions(void **state)
{
	struct play play;

	(void)state;
	play_open(&play);
	play_on(&play, "t4 D! B!");
	assert_false(table_is_taken(&play.table, 0));
	assert_true(table_is_taken(&play.table, 1));
	assert_false(table_is_taken(&play.table, 2));
	assert_true(table_is_taken(&play.table, 3));
	assert_false(table_is_taken(&play.table, 4));
	assert_false(table_is_taken(&play.table, 5));
	assert_int_equal(table_closed_up(&play.table, 1), 1);
	assert_int_equal(table_closed_up(&play.table, 3), 2);
	assert_false(table_is_last(&play.table, 1));
	play_on(&play, "j");
	assert_true(table_is_taken(&play.table, 2));
	assert_false(table_is_taken(&play.table, 4));

	play_open(&play);
	play_on(&play, "n6 j");
	assert_true(table_is_taken(&play.table, 2));
	assert_false(table_is_last(&play.table, 1));
	play_on(&play, "A!");
	assert_true(table_is_last(&play.table, 1));
	assert_false(table_is_last(&play.table, 2));
}

/*
 * After a rematch the host may sit anywhere.  "3 4 B" is a lobby of four whose
 * host is seat 3, and B leaves.
 */
static void check_hosts(void **state)
{
	static const struct {
		uint8_t host;
		const char *word;
		const char *seats;
	} rows[] = {
		{ 3, "A!", "pHp" }, { 3, "B!", "pHp" }, { 3, "C!", "ppH" },
		{ 3, "D!", "ppH" }, { 4, "A!", "ppH" }, { 4, "D!", "Hpp" },
		{ 2, "B!", "pHp" }, { 2, "C!", "pHp" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char seats[TABLE_SEATS_MAX + 1];
		struct play play;

		play_open(&play);
		play_on(&play, "n6 j j j");
		play.table.host = rows[i].host;
		play_on(&play, rows[i].word);
		print_seats(&play.table, seats);
		assert_string_equal(seats, rows[i].seats);
	}
}

/* The remaining players start the rematch, and their seats close up. */
static void check_again(void **state)
{
	static const struct {
		const char *script;
		const char *seats;
		enum status status;
	} rows[] = {
		{ "t4 F A+ F A+ F", "Hppp", STATUS_PLAYING },
		{ "t4 F A+ F A+ F B!", "Hpp", STATUS_PLAYING },
		{ "t4 F A+ F A+ F A!", "Hpp", STATUS_PLAYING },
		{ "t4 F A+ F A+ F B! A!", "Hp", STATUS_LOBBY },
		{ "t5 F A+ F A+ F C! A! B!", "Hp", STATUS_LOBBY },
		{ "t3 F A+ F A+ F B! C!", "H", STATUS_LOBBY },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char seats[TABLE_SEATS_MAX + 1];
		struct play before;
		struct play play;
		struct action action;

		play_open(&before);
		play_on(&before, rows[i].script);
		play_open(&play);
		assert_int_equal(table_start_rematch(&before.table, NULL, 0,
		                                     &play.gang, &action),
		                 ERR_OK);
		play_must(&play, action);
		print_seats(&play.table, seats);
		assert_string_equal(seats, rows[i].seats);
		assert_int_equal(play.table.status, rows[i].status);
		assert_int_equal(play.table.vacant, 0);
		check_kept(&play);
	}
}

/* --- what is kept --------------------------------------------------------- */

/* Only a seat of a player can be vacant. */
static void check_damaged(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct gang gang;
	struct play play;

	(void)state;
	play_open(&play);
	play_on(&play, "t3 A1");
	for (unsigned vacant = 0; vacant < 256; vacant++) {
		play.gang.heist.setup.vacant = (uint8_t)vacant;
		size_t len = gang_ruleset.encode(&play.gang, bytes);
		assert_int_equal(gang_ruleset.decode(&gang, bytes, len),
		                 !(vacant & ~0x0eU));
	}
}

/* No play leads to a proposal that all present players have agreed to. */
static void check_unreached_votes(void **state)
{
	static const struct {
		uint8_t vacant;
		uint8_t agreed;
		bool good;
	} rows[] = {
		{ 0x00, 0x02, true },  { 0x00, 0x06, true },
		{ 0x00, 0x00, true },  { 0x00, 0x0e, false },
		{ 0x08, 0x02, true },  { 0x08, 0x06, false },
		{ 0x08, 0x0a, false }, { 0x0e, 0x00, true },
		{ 0x0e, 0x02, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint8_t bytes[RULESET_STATE_MAX];
		struct gang gang;
		struct play play;

		play_open(&play);
		play_on(&play, "t3 s2 A:B");
		play.gang.heist.setup.vacant = rows[i].vacant;
		play.gang.heist.ability.proposal.agreed = rows[i].agreed;
		size_t len = gang_ruleset.encode(&play.gang, bytes);
		assert_true(gang_ruleset.decode(&gang, bytes, len));
		assert_int_equal(gang_reachable(&gang), rows[i].good);
	}
}

/* --- games in which people come and go ------------------------------------ */

enum { GAMES = 400, STEPS = 700 };

struct met {
	unsigned left;
	unsigned joined;
	unsigned used;    /* a specialist, because somebody left */
	unsigned settled; /* a question likewise */
	unsigned over;    /* games that ended */
};

static uint64_t randomness = 20260131;

/* Numbers that look random, always the same (splitmix64). */
static unsigned below(unsigned most)
{
	uint64_t z = randomness += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ z >> 31) % most);
}

static void act(struct play *play, struct action action)
{
	uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	for (size_t i = 0; i < sizeof(seed); i++)
		seed[i] = (uint8_t)below(256);
	rng_init(&rng, seed);
	play->events.count = 0;
	play->last = table_apply(&play->table, &action, &rng, &play->events);
}

static struct action any_leave(const struct table *table)
{
	uint8_t seat = (uint8_t)(1 + below(table->seats));

	return (struct action){
		.verb = VERB_LEAVE,
		.seat = below(16) ? seat : table->host,
		.args = { [LEAVE_SEAT] = seat },
	};
}

/* A legal move of a random seat; VERB_JOIN if the seat has no move. */
static struct action any_move(const struct play *play)
{
	unsigned seat = 1 + below(play->table.seats);
	struct gang_view view;

	gang_view(&play->gang, seat, &view);
	if (!table_is_taken(&play->table, seat))
		assert_int_equal(view.legal_count, 0);
	if (!view.legal_count)
		return (struct action){ .verb = VERB_JOIN };
	return view.legal[below((unsigned)view.legal_count)];
}

static bool has_event(const struct events *events, unsigned type)
{
	for (unsigned i = 0; i < events->count; i++) {
		if (events->list[i].type == type)
			return true;
	}
	return false;
}

static void note(struct met *met, const struct play *play)
{
	bool left = play->events.list[0].type == EVENT_PLAYER_LEFT;

	met->left += left;
	met->joined += play->events.list[0].type == EVENT_PLAYER_JOINED;
	met->used += left && has_event(&play->events, EVENT_SPECIALIST_USED);
	met->settled +=
		left && has_event(&play->events, EVENT_QUESTION_SETTLED);
	met->over += has_event(&play->events, EVENT_GAME_ENDED);
}

/* A table with players has a present host. */
static void check_host(const struct table *table)
{
	bool is_empty = true;

	for (unsigned seat = 1; seat <= table->seats; seat++)
		is_empty = is_empty && !table_is_taken(table, seat);
	assert_int_equal(table_is_taken(table, table->host), !is_empty);
}

static void step(struct play *play, struct met *met, unsigned restless)
{
	struct gang before = play->gang;
	unsigned version = play->table.version;
	bool is_lobby = play->table.status == STATUS_LOBBY;

	if (below(100) < restless)
		act(play, any_leave(&play->table));
	else if (is_lobby || below(100) < 2 * restless)
		act(play, (struct action){ .verb = VERB_JOIN });
	else
		act(play, any_move(play));
	assert_int_equal(play->events.count != 0, play->last == ERR_OK);
	assert_int_equal(play->table.version, version + play->events.count);
	if (play->last)
		assert_memory_equal(&before, &play->gang, sizeof(before));
	else
		note(met, play);
	check_host(&play->table);
	check_kept(play);
}

/* Under valgrind only one in this many games is played. */
static unsigned share(void)
{
	const char *text = getenv("GAMES_SHARE");
	unsigned long share = text ? strtoul(text, NULL, 10) : 1;

	assert_in_range(share, 1, GAMES);
	return (unsigned)share;
}

static void check_random(void **state)
{
	static const uint8_t modes[] = { GANG_MODE_BASIC, GANG_MODE_ADVANCED,
		                         GANG_MODE_PROFESSIONAL,
		                         GANG_MODE_MASTER_THIEF };
	static struct met met;
	static struct play play;
	unsigned games = GAMES / share();

	(void)state;
	for (unsigned game = 0; game < games; game++) {
		unsigned restless = 1 + below(12);

		struct action create = { .verb = VERB_CREATE };

		create.args[CREATE_SEATS] = (uint8_t)(3 + below(4));
		create.args[CREATE_OPTIONS + GANG_OPTION_MODE] =
			modes[game % 4];
		create.args[CREATE_OPTIONS + GANG_OPTION_SHUFFLED] = 1;
		play_open(&play);
		act(&play, create);
		assert_int_equal(play.last, ERR_OK);
		for (unsigned i = 0; i < STEPS; i++)
			step(&play, &met, restless);
	}
	print_message("%u left, %u came, %u specialists, %u questions, "
	              "%u games ended\n",
	              met.left, met.joined, met.used, met.settled, met.over);
	assert_true(met.left > games * 5 / 2 && met.joined > games * 5 / 2);
	assert_true(met.used > games / 80 && met.settled > games / 80 &&
	            met.over > games / 4);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, leaving_rows, check_leaving);
	rows_add(&rows, "questions about seats", check_questions, NULL);
	rows_add(&rows, "the host is right after anyone leaves the lobby",
	         check_hosts, NULL);
	rows_add(&rows, "the remaining players start the rematch", check_again,
	         NULL);
	rows_add(&rows, "an impossible vacant seat is refused", check_damaged,
	         NULL);
	rows_add(&rows, "votes that no play leads to are refused",
	         check_unreached_votes, NULL);
	rows_add(&rows, "players join and leave at random", check_random, NULL);
	return rows_run("leaving", &rows);
}
