/*
 * test_bot_twins.c - bots at the table tell a person nothing of hidden cards.
 *
 * First without a service: in positions of games of bots, everything that one
 * seat may not see is exchanged (sim/gang_twin.h), also the cards of the bots.
 * If a bot does the same in both, it has thought for the same time.
 *
 * Then over HTTP: a game of one person and bots is put into the database, and
 * the daemon plays for the bots, as slowly as it can.  When it has set
 * bot_due_at, the test notes the time and turns the clock of the game back, so
 * that the move is due at once.  The person gets it by a stream, reads the
 * view and the event.  Then the game's twin takes its place.  As long as the
 * bots make the same moves, all that the person gets is the same, byte for
 * byte, and so are the daemon's log and the times.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many moves alike
 *
 * Marks: waiting.
 */
#include <inttypes.h>
#include <time.h>

#include "bot/bot.h"
#include "daemon.h"
#include "operator/bot_table.h"
#include "stage.h"

enum {
	SEED = 20260131,
	POSITIONS = 600, /* in which a bot does the same */
	MOVES = 12,      /* of the daemon, likewise */
	GAMES_MOST = 400,
	STEPS_MAX = 4,
	TEXT_SIZE = 3 * DAEMON_ANSWER_MAX,
	/* At a pace of 10000 every bot thinks far longer than a lease lasts,
	 * also if the machine is busy and the lease begins late. */
	THINK_LEAST_MS = 45000,
	TOLERANCE_MS = 3000, /* 30 ms of a person's time */
	MEASURED_MOST = 4,
	LATE_SHARE = 6, /* one in this many moves may be late: a busy machine */
};
#define PACE "10000"

/* --- times ---------------------------------------------------------------- */

static struct bot_tally tally;

/* The input of a seat's bot in the twin; its own pocket is in the log too. */
static void look_at_twin(const struct bot_table *table,
                         const struct scene *twin, unsigned viewer,
                         struct bot_input *input, struct sim_random *random)
{
	static struct gang_view view;
	static struct event events[BOT_EVENTS_MAX];
	unsigned seat = ((const struct gang_view *)input->view)->seat;
	const struct pocket *pocket = &twin->gang.heist.pockets[seat - 1];
	size_t count = 0;

	gang_view(&twin->gang, seat, &view);
	for (size_t i = 0; i < table->log_count; i++) {
		struct event event = table->log[i];

		twin_event(&event, &twin->gang.heist, viewer, random);
		if (event.type == EVENT_CARDS_DEALT &&
		    event.public_data[0] == pocket->count)
			memcpy(event.private_data + (seat - 1) * pocket->count,
			       pocket->cards, pocket->count);
		if (count < BOT_EVENTS_MAX)
			count += bot_see(&gang_ruleset, &view, &event,
			                 &events[count]);
	}
	input->view = &view;
	input->events = events;
	input->events_count = count;
}

/* The card that a bot chooses is hidden; that it chooses one is not. */
static bool is_same_act(const struct action *one, const struct action *other)
{
	if (one->verb == VERB_CHOOSE && other->verb == VERB_CHOOSE)
		return true;
	return one->verb != VERB_NONE && memcmp(one, other, sizeof(*one)) == 0;
}

/* How often a bot did the same, and its times were different; and planted. */
static struct {
	uint64_t alike;
	uint64_t other_time;
	uint64_t planted;
} times;

static void compare_times(struct bot_table *table, const struct scene *twin,
                          unsigned viewer, unsigned seat,
                          struct sim_random *random)
{
	static struct event events[BOT_EVENTS_MAX];
	const struct gang *gang = table->state;
	struct bot_input inputs[2];
	struct bot_decision decisions[2];

	bot_table_look(table, seat, &inputs[0], events);
	inputs[1] = inputs[0];
	bot_decide(&gang_ruleset, &inputs[0], table->work, &decisions[0]);
	look_at_twin(table, twin, viewer, &inputs[1], random);
	bot_decide(&gang_ruleset, &inputs[1], table->work, &decisions[1]);
	if (!is_same_act(&decisions[0].action, &decisions[1].action))
		return;
	times.alike++;
	times.other_time += decisions[0].think_ms != decisions[1].think_ms;
	times.planted += decisions[0].think_ms +
	                         gang->heist.pockets[seat - 1].cards[0] !=
	                 decisions[1].think_ms +
	                         twin->gang.heist.pockets[seat - 1].cards[0];
}

static void compare_position(struct bot_table *table, struct sim_random *random)
{
	static struct scene original;
	static struct scene twin;
	unsigned viewer = sim_below(random, table->table.seats + 1U);

	original.table = table->table;
	original.gang = *(const struct gang *)table->state;
	original.table.state = &original.gang;
	if (!twin_make(&twin, &original, viewer, random))
		return;
	for (unsigned seat = 1; seat <= table->table.seats; seat++) {
		if (seat != viewer)
			compare_times(table, &twin, viewer, seat, random);
	}
}

static void times_follow_from_what_is_seen(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	struct sim_random random = { sim_setting("GANG_SEED", SEED) };

	(void)state;
	for (unsigned game = 0; times.alike < POSITIONS; game++) {
		struct options options = { .bytes[GANG_OPTION_MODE] =
			                           (uint8_t)(1 + game % 4),
			                   .bytes[GANG_OPTION_SHUFFLED] =
			                           true };
		uint8_t seed[RNG_SEED_SIZE];

		for (unsigned i = 0; i < TABLE_SEATS_MAX; i++)
			table->levels[i] =
				(enum bot_level)((i + game) % BOT_LEVEL_COUNT);
		sim_seed(&random, seed);
		assert_true(
			bot_table_start(table, 3 + game % 4, &options, seed));
		while (!status_is_over(table->table.status)) {
			assert_true(bot_table_step(table));
			if (table->table.status == STATUS_PLAYING)
				compare_position(table, &random);
		}
	}
	print_message("%" PRIu64 " times a bot does the same\n", times.alike);
	assert_int_equal(times.other_time, 0);
	assert_in_range(times.planted, times.alike / 2, times.alike);
	bot_table_close(table);
}

/* --- over HTTP ------------------------------------------------------------ */

/* A move of a bot, and what the person gets of it. */
struct step {
	bool rests; /* no bot moves */
	long think_ms;
	unsigned events;
	char move[DAEMON_ANSWER_MAX]; /* its event, with what followed from it
	                               */
	char text[TEXT_SIZE];
};

struct side {
	unsigned steps_count;
	struct step steps[STEPS_MAX];
	struct daemon_stream stream;
	char log[DAEMON_LOG_MAX];
};

static struct daemon gangd;
static PGconn *owner;
static struct stage original;
static struct stage twin;
static struct side sides[2];
static unsigned games_count;
static unsigned moves_alike;
static unsigned moves_other;
static unsigned moves_late; /* alike, and not after the same time */

static void pause_ms(long ms)
{
	struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

/* All other seats are bots', of every level. */
static void write_game(const struct stage *stage, unsigned viewer)
{
	stage_write(owner, stage);
	(void)sql(owner,
	          "UPDATE gangd.seat SET bot_level = 1 + seat %% 3 "
	          "WHERE game_id = '%s' AND seat <> %u",
	          stage->id, viewer);
	(void)sql(owner,
	          "UPDATE gangd.game SET updated_at = now() "
	          "WHERE game_id = '%s'",
	          stage->id);
	(void)sql(owner, "SELECT gangd.copy_seats('%s')", stage->id);
}

/* The time that the bots think from the last change, or -1: they rest. */
static long await_due(const struct stage *stage)
{
	for (unsigned ms = 0; ms < DAEMON_PATIENCE_MS; ms += 5) {
		const char *text =
			sql(owner,
		            "SELECT coalesce(extract(epoch FROM "
		            "bot_due_at - updated_at) * 1000, -1)::integer "
		            "FROM gangd.game WHERE game_id = '%s'",
		            stage->id);
		long due = strtol(text, NULL, 10);

		if (due < 0 || due >= THINK_LEAST_MS)
			return due;
		pause_ms(5);
	}
	fail_msg("the bots of %s are not looked after", stage->id);
	return -1;
}

static unsigned version_of(const struct stage *stage)
{
	return (unsigned)strtoul(
		sql(owner,
	            "SELECT version FROM gangd.game WHERE game_id = '%s'",
	            stage->id),
		NULL, 10);
}

/* The clock of the game is turned: the move is due now. */
static unsigned let_move(const struct stage *stage, unsigned version)
{
	unsigned now = version;

	(void)sql(owner,
	          "UPDATE gangd.game SET bot_due_at = now(), "
	          "updated_at = now() - interval '1 hour' "
	          "WHERE game_id = '%s'",
	          stage->id);
	for (unsigned ms = 0; ms < DAEMON_PATIENCE_MS && now == version;
	     ms += 5) {
		pause_ms(5);
		now = version_of(stage);
	}
	assert_true(now > version);
	return now;
}

static void ask_view(const struct stage *stage, unsigned viewer,
                     const char *tail, unsigned number, char *answer)
{
	char token[TOKEN_TEXT_LEN + 1];
	char request[512];

	stage_token(viewer, token);
	(void)snprintf(request, sizeof(request),
	               "GET /v1/games/%s%s HTTP/1.1\r\nHost: gangd\r\n"
	               "X-Request-Id: request-%u\r\n"
	               "Authorization: Bearer %s\r\n\r\n",
	               stage->id, tail, number, token);
	daemon_ask(&gangd, request, answer);
	mask_etag(answer);
}

static void listen_to(const struct stage *stage, unsigned viewer,
                      struct daemon_stream *stream)
{
	char token[TOKEN_TEXT_LEN + 1];
	char request[512];

	stage_token(viewer, token);
	(void)snprintf(
		request, sizeof(request),
		"GET /v1/games/%s/events?views=true&after=%u HTTP/1.0\r\n"
		"Accept: text/event-stream\r\nX-Request-Id: stream\r\n"
		"Authorization: Bearer %s\r\n\r\n",
		stage->id, stage->count, token);
	daemon_open_stream(&gangd, request, stream);
}

/* How many events are the move itself: a bot that takes another chip returns
 * its own first. */
static unsigned own_events(const struct stage *stage, unsigned before)
{
	const char *type = sql(owner,
	                       "SELECT type FROM gangd.event "
	                       "WHERE game_id = '%s' AND version = %u",
	                       stage->id, before + 1);

	return strtol(type, NULL, 10) == EVENT_CHIP_RETURNED ? 2 : 1;
}

/* Note a move of the bots; false if they do not move. */
static bool take_step(const struct stage *stage, unsigned viewer,
                      struct side *side, unsigned *version)
{
	struct step *step = &side->steps[side->steps_count++];
	char tail[64];

	step->think_ms = await_due(stage);
	step->rests = step->think_ms < 0;
	if (step->rests)
		return false;
	unsigned before = *version;
	*version = let_move(stage, before);
	step->events = *version - before;
	daemon_hear(&side->stream, *version);
	(void)snprintf(tail, sizeof(tail), "/events?after=%u&limit=%u", before,
	               own_events(stage, before));
	ask_view(stage, viewer, tail, before, step->move);
	ask_view(stage, viewer, "", before, step->text);
	size_t len = strlen(step->text);
	(void)snprintf(tail, sizeof(tail), "/events?after=%u", before);
	ask_view(stage, viewer, tail, before, step->text + len);
	len += strlen(step->text + len);
	ask_view(stage, viewer, "/players", before, step->text + len);
	return true;
}

/*
 * A step with several events ends a round or more: it opens cards, or what a
 * specialist says.
 */
static void perform(const struct stage *stage, unsigned viewer,
                    struct side *side)
{
	unsigned version = stage->count;
	unsigned asked = 0;

	write_game(stage, viewer);
	listen_to(stage, viewer, &side->stream);
	side->steps_count = 0;
	while (side->steps_count < STEPS_MAX &&
	       take_step(stage, viewer, side, &version)) {
		asked += 4;
		if (side->steps[side->steps_count - 1].events > 1)
			break;
	}
	daemon_end_stream(&side->stream);
	mask_digits(side->stream.text, "\"updated_at\":\"", "\"");
	daemon_take_log(&gangd, asked + 1, side->log, sizeof(side->log));
}

/* A busy machine may be late once; a leak is there each time. */
static void check_times(unsigned viewer)
{
	long off = 0;

	for (unsigned i = 0; i < MEASURED_MOST; i++) {
		long ms[2];

		for (unsigned j = 0; j < 2; j++) {
			write_game(j ? &twin : &original, viewer);
			ms[j] = await_due(j ? &twin : &original);
		}
		off = labs(ms[0] - ms[1]);
		if (off < TOLERANCE_MS)
			return;
	}
	fail_msg("a bot does the same in twins, %ld ms sooner in one", off);
}

static void check_step(unsigned viewer, unsigned i)
{
	const struct step *one = &sides[0].steps[i];
	const struct step *other = &sides[1].steps[i];

	if (labs(one->think_ms - other->think_ms) >= TOLERANCE_MS) {
		moves_late++;
		if (i == 0)
			check_times(viewer);
	}
	if (one->events == 1 && other->events == 1 &&
	    strcmp(one->text, other->text) != 0)
		fail_msg("a bot's move tells twins apart:\n%s\n--- or\n%s",
		         one->text, other->text);
}

/* True while the bots act alike, and open nothing. */
static bool is_alike(unsigned i)
{
	const struct step *one = &sides[0].steps[i];
	const struct step *other = &sides[1].steps[i];

	return !one->rests && !other->rests &&
	       strcmp(one->move, other->move) == 0;
}

static void compare(unsigned viewer)
{
	unsigned steps = sides[0].steps_count;
	unsigned i = 0;

	if (sides[1].steps_count < steps)
		steps = sides[1].steps_count;
	for (; i < steps && is_alike(i); i++) {
		check_step(viewer, i);
		moves_alike++;
	}
	bool is_whole = i == steps ||
	                (sides[0].steps[i].rests && sides[1].steps[i].rests);
	bool opens = i > 0 && sides[0].steps[i - 1].events > 1;
	moves_other += !is_whole;
	if (!is_whole || opens || sides[0].steps_count != sides[1].steps_count)
		return;
	assert_string_equal(sides[0].stream.text, sides[1].stream.text);
	assert_string_equal(sides[0].log, sides[1].log);
}

/* Chips are moved, and nobody owes anything else. */
static bool is_plain_moment(void)
{
	const struct heist *heist = &original.scene.gang.heist;

	return original.scene.table.status == STATUS_PLAYING &&
	       heist->outcome == OUTCOME_OPEN && !heist_is_asking(heist) &&
	       !heist->ability.choosing && !ability_brings_jack(heist);
}

static void make_twin(unsigned viewer, struct sim_random *random)
{
	const struct heist *heist = &original.scene.gang.heist;

	stage_copy(&twin, &original);
	assert_true(twin_make(&twin.scene, &original.scene, viewer, random));
	for (unsigned i = 0; i < twin.count; i++) {
		if (twin.log[i].event.type >= EVENT_OF_RULESET)
			twin_event(&twin.log[i].event, heist, viewer, random);
	}
}

static void compare_game(uint64_t seed)
{
	struct sim_random random = { seed };
	struct player_policy policy = player_policy(&random);
	unsigned viewer = 1 + sim_below(&random, 3);
	unsigned moves = 10 + sim_below(&random, 60);

	policy.restless = 0;
	stage_open(&original, ++games_count, 3 + (unsigned)(seed % 3), &policy,
	           &random);
	for (unsigned i = 0; i < moves || !is_plain_moment(); i++) {
		struct action action =
			player_choose(&original.scene.table, &policy, &random);

		(void)stage_act(&original, &action, &random);
		if (original.scene.table.status != STATUS_PLAYING)
			return;
	}
	make_twin(viewer, &random);
	perform(&original, viewer, &sides[0]);
	perform(&twin, viewer, &sides[1]);
	compare(viewer);
	stage_remove(owner, &twin);
}

static void a_person_cannot_tell_twins_apart(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	unsigned wanted = (unsigned)sim_games(MOVES);

	(void)state;
	while (moves_alike < wanted && games_count < GAMES_MOST)
		compare_game(seed++);
	print_message("%u games: bots moved alike in twins %u times, and "
	              "otherwise %u times\n",
	              games_count, moves_alike, moves_other);
	assert_in_range(moves_alike, wanted, UINT32_MAX);
	assert_true(moves_late * LATE_SHARE <= moves_alike);
	assert_true(moves_other > 0); /* the twins' bots have other cards */
}

static int set_up(void **state)
{
	(void)state;
	migrate();
	owner = sql_open(owner_url());
	(void)setenv("GANGD_BOTS", "on", 1);
	(void)setenv("GANGD_BOT_PACE", PACE, 1);
	daemon_start(&gangd);
	daemon_await_ready(&gangd);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	daemon_stop(&gangd);
	PQfinish(owner);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_follow_from_what_is_seen),
		cmocka_unit_test(a_person_cannot_tell_twins_apart),
	};

	return cmocka_run_group_tests_name("bots at a person's table", tests,
	                                   set_up, tear_down);
}
