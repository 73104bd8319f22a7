/*
 * test_pairs.c - nobody learns over HTTP what they may not see.
 *
 * A game at some moment is put into the database and asked a script of
 * requests: all that one viewer can ask for, right and wrong, moves of theirs
 * and of others.  Then its twin takes its place, in which the cards that the
 * viewer may not see are exchanged among each other (and the seeds that dealt
 * them for others), and is asked the same.  Every answer to the viewer must
 * be the same, byte for byte: status, header fields, body and lengths; so
 * must the log.  Ids, tokens and versions are the same in both; of the times
 * the digits are masked.  What others are told in between must have the same
 * status.
 *
 * So that this can fail, pairs that differ in what may be seen, and pairs
 * seen by somebody else, are held to the same comparison.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many pairs
 */
#include <inttypes.h>

#include "daemon.h"
#include "gang/challenge.h"
#include "stage.h"

enum {
	PAIRS = 520,
	PLANTED = 80,
	SEED = 20260131,
	REQUESTS_MAX = 256,
	REQUEST_TEXT_MAX = 768,
	TRANSCRIPT_MAX = 8 * 1024 * 1024,
	TRIES = 14, /* moves that the viewer tries */
	STEPS = 6,  /* moves that follow, whoever makes them */
	NOBODY = 0,
};

struct request {
	char text[REQUEST_TEXT_MAX];
	bool is_viewers; /* else only the status is compared */
	bool is_known;   /* with the ETag of the last answer that had one */
};

/* What a game was asked, and what it answered. */
struct transcript {
	size_t starts[REQUESTS_MAX + 1];
	char text[TRANSCRIPT_MAX];
	char log[DAEMON_LOG_MAX];
};

static struct daemon gangd;
static PGconn *owner;
static uint64_t game_seed;
static unsigned games_count;
static struct stage original; /* the pair */
static struct stage twin;
static struct scene models[2]; /* where the script has brought it to */
static struct request script[REQUESTS_MAX];
static unsigned requests_count;
static uint64_t requests_sent;
static struct transcript transcripts[2];

static struct twin_tally tally;
static unsigned challenges_met[CHALLENGE_MAX + 1];

/* --- a script ------------------------------------------------------------- */

static void add(struct request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add(struct request *request, const char *format, ...)
{
	size_t len = strlen(request->text);
	va_list args;

	va_start(args, format);
	len += (size_t)vsnprintf(request->text + len, REQUEST_TEXT_MAX - len,
	                         format, args);
	va_end(args);
	assert_true(len < REQUEST_TEXT_MAX);
}

/*
 * Add a request: by a seat, the stranger or nobody, for a path (below the
 * game's if it is not whole), with a body or "".
 */
static struct request *ask(unsigned who, const char *method, const char *path,
                           const char *body)
{
	struct request *request = &script[requests_count];
	bool is_whole = strncmp(path, "/v1/", 4) == 0;
	char token[TOKEN_TEXT_LEN + 1];

	assert_true(++requests_count < REQUESTS_MAX);
	*request = (struct request){ .is_viewers = true };
	add(request, "%s %s%s%s HTTP/1.1\r\nHost: gangd\r\n", method,
	    is_whole ? "" : "/v1/games/", is_whole ? "" : original.id, path);
	add(request, "X-Request-Id: request-%u\r\n", requests_count);
	if (who != NOBODY) {
		stage_token(who, token);
		add(request, "Authorization: Bearer %s\r\n", token);
	}
	if (body[0])
		add(request,
		    "Content-Type: application/json\r\n"
		    "Content-Length: %zu\r\n",
		    strlen(body));
	add(request, "\r\n%s", body);
	return request;
}

static void ask_get(unsigned who, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void ask_get(unsigned who, const char *format, ...)
{
	char path[64];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	ask(who, "GET", path, "");
}

/* All of the log, in four pages, and past its end. */
static void ask_pages(unsigned who)
{
	unsigned limit = original.count / 4 + 1;

	for (unsigned after = 0; after <= original.count; after += limit)
		ask_get(who, "/events?after=%u&limit=%u", after, limit);
	ask_get(who, "/events?after=%u", original.count);
	ask_get(who, "/events?limit=%u", 0);
}

/* The three that the planted pairs must differ in stand first. */
static void ask_views(unsigned who)
{
	ask(who, "GET", "", "");
	ask(who, "GET", "/events", "");
	ask(who, "GET", "/hand", "");
}

static void ask_reads(unsigned who)
{
	static const char *const paths[] = { "",          "/hand",
		                             "/events",   "/heists",
		                             "/showdown", "/invitation",
		                             "/players",  "/players/1/hand" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		ask(who, "GET", paths[i], "");
		ask(who, "HEAD", paths[i], "");
		ask(who, "GET", paths[i], "")->is_known = true;
	}
	for (unsigned seat = 1; seat <= GANG_PLAYERS_MAX; seat++)
		ask_get(who, "/players/%u/hand", seat);
	for (unsigned number = 1; number <= GANG_HEISTS_MAX; number++)
		ask_get(who, "/heists/%u", number);
	ask_pages(who);
}

/* What is refused whatever the cards are. */
static void ask_nonsense(unsigned who)
{
	ask(who, "POST", "/chips/white/1/take", "{\"from\":9}");
	ask(who, "POST", "/chips/white/1/take", "{\"from\":");
	ask(who, "POST", "/chips/red/1/take", "{\"card\":\"Ah\"}");
	ask(who, "POST", "/chips/blue/1/take", "");
	ask(who, "POST", "/chips/white/7/return", "");
	ask(who, "PUT", "/hand", "");
	ask(who, "OPTIONS", "/hand", "");
	if (who != original.scene.table.host)
		ask(who, "DELETE", "", "");
	ask(STAGE_STRANGER, "POST", "/players", "{\"name\":\"Eve\"}");
	ask_get(who, "/v1/invitations/%s", original.code);
}

static void ask_outsiders(void)
{
	static const char *const paths[] = { "", "/hand", "/events",
		                             "/showdown", "/players/2/hand" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		ask(NOBODY, "GET", paths[i], "");
		ask(STAGE_STRANGER, "GET", paths[i], "");
	}
	ask(STAGE_STRANGER, "POST", "/chips/white/1/take", "");
	ask(NOBODY, "POST", "/heists", "");
}

/* --- moves ---------------------------------------------------------------- */

/*
 * Do it to both models, or to neither: not if it deals anew, since chance
 * would make the answers differ, nor if it opens what differs.
 */
static bool is_done(const struct action *action)
{
	static const uint8_t seed[CHANCE_SEED_SIZE];
	static struct scene kept[2];

	for (int i = 0; i < 2; i++)
		scene_copy(&kept[i], &models[i]);
	enum err err = scene_act(&models[0], action, seed);
	if (scene_act(&models[1], action, seed) != err)
		fail_msg("twins refuse differently: GANG_SEED=%" PRIu64,
		         game_seed);
	if ((err || action->verb != VERB_NEXT_HEIST) &&
	    !twins_are_opened(&models[0], &models[1]))
		return true;
	for (int i = 0; i < 2; i++)
		scene_copy(&models[i], &kept[i]);
	return false;
}

static struct request *ask_move(const struct action *action)
{
	unsigned from = action->args[ARG_FROM];
	char path[64];
	char body[32] = "";

	switch (action->verb) {
	case VERB_JOIN:
		(void)snprintf(body, sizeof(body), "{\"name\":\"Eve\"}");
		(void)snprintf(path, sizeof(path), "/v1/invitations/%s/players",
		               original.code);
		return ask(NOBODY, "POST", path, body);
	case VERB_START:
		return ask(action->seat, "POST", "/start", "");
	case VERB_NEXT_HEIST:
		return ask(action->seat, "POST", "/heists", "{}");
	}
	(void)snprintf(path, sizeof(path), "/chips/%s/%u/%s",
	               color_code(action->args[ARG_COLOR]),
	               action->args[ARG_STARS],
	               action->verb == VERB_TAKE ? "take" : "return");
	if (action->verb == VERB_TAKE && from == CHIPS_CENTER)
		(void)snprintf(body, sizeof(body), "{\"from\":\"center\"}");
	else if (action->verb == VERB_TAKE && from != CHIP_FROM_ANYWHERE)
		(void)snprintf(body, sizeof(body), "{\"from\":%u}", from);
	return ask(action->seat, "POST", path, body);
}

/* Anything that a client can send, more often with a chip of the round. */
static struct action draw_try(unsigned viewer, struct sim_random *random)
{
	const struct gang *gang = &models[0].gang;
	struct action action = sim_nonsense(gang->players, random);

	action.seat = (uint8_t)viewer;
	if (action.args[ARG_STARS] && sim_percent(random, 60)) {
		action.args[ARG_COLOR] = (uint8_t)(gang->heist.round - 1);
		action.args[ARG_STARS] =
			(uint8_t)(1 + sim_below(random, gang->players));
	}
	return action;
}

/* What the viewer tries: most of it is refused. */
static void ask_tries(unsigned viewer, struct sim_random *random)
{
	for (unsigned i = 0; i < TRIES; i++) {
		struct action action = draw_try(viewer, random);
		if (is_done(&action))
			ask_move(&action);
	}
}

/* The game goes on before the viewer's eyes. */
static void ask_steps(unsigned viewer, struct sim_random *random)
{
	struct sim_policy policy = { .nonsense = 20, .trouble = 20 };

	for (unsigned i = 0; i < STEPS; i++) {
		struct table *table = &models[0].table;
		unsigned version = table->version;
		if (table->status != STATUS_PLAYING)
			return;
		struct action action = sim_choose(table, &policy, random);
		if (!is_done(&action))
			return;
		ask_move(&action)->is_viewers =
			action.seat == viewer || action.verb == VERB_JOIN;
		ask(viewer, "GET", "", "");
		ask_get(viewer, "/events?after=%u", version);
	}
}

/* A deal ends the script: from then on chance makes the games differ. */
static void ask_deal(struct sim_random *random)
{
	if (models[0].table.status != STATUS_PLAYING ||
	    models[0].gang.heist.outcome == OUTCOME_OPEN)
		return;
	struct action deal = {
		.verb = VERB_NEXT_HEIST,
		.seat = (uint8_t)(1 + sim_below(random, models[0].gang.players))
	};
	ask_move(&deal)->is_viewers = false;
}

static void begin_script(void)
{
	requests_count = 0;
	scene_copy(&models[0], &original.scene);
	scene_copy(&models[1], &twin.scene);
}

static void write_script(unsigned viewer, struct sim_random *random)
{
	begin_script();
	ask_reads(viewer);
	ask_outsiders();
	ask_nonsense(viewer);
	if (viewer)
		ask_tries(viewer, random);
	ask_steps(viewer, random);
	ask_views(viewer);
	ask_deal(random);
}

/* --- asking, and comparing ------------------------------------------------ */

/* Remember the ETag of an answer; the last one if it has none. */
static void note_etag(const char *answer, char etag[128])
{
	static const char key[] = "\r\nETag: ";
	const char *found = strstr(answer, key);

	if (!found)
		return;
	found += strlen(key);
	(void)snprintf(etag, 128, "%.*s", (int)strcspn(found, "\r"), found);
}

/* The request as it is sent; it has no body if it is known. */
static const char *text_of(const struct request *request, const char *etag)
{
	static char text[REQUEST_TEXT_MAX + 256];

	(void)snprintf(text, sizeof(text), "%s", request->text);
	if (request->is_known)
		(void)snprintf(text + strlen(text) - 2, 256,
		               "If-None-Match: %s\r\n\r\n", etag);
	return text;
}

static void perform(const struct stage *stage, struct transcript *transcript)
{
	char etag[128] = "\"none\"";
	size_t len = 0;

	stage_write(owner, stage);
	for (unsigned i = 0; i < requests_count; i++) {
		char *answer = transcript->text + len;
		assert_true(len + DAEMON_ANSWER_MAX <= TRANSCRIPT_MAX);
		transcript->starts[i] = len;
		daemon_ask(&gangd, text_of(&script[i], etag), answer);
		note_etag(answer, etag);
		len += strlen(answer) + 1;
	}
	transcript->starts[requests_count] = len;
	daemon_take_log(&gangd, requests_count, transcript->log,
	                sizeof(transcript->log));
	requests_sent += requests_count;
}

static const char *answer_of(unsigned side, unsigned i)
{
	return transcripts[side].text + transcripts[side].starts[i];
}

static bool is_same(unsigned i)
{
	const char *answers[] = { answer_of(0, i), answer_of(1, i) };

	if (!script[i].is_viewers)
		return daemon_status(answers[0]) == daemon_status(answers[1]);
	return strcmp(answers[0], answers[1]) == 0;
}

static void check_same(unsigned viewer)
{
	for (unsigned i = 0; i < requests_count; i++) {
		if (is_same(i))
			continue;
		fail_msg("viewer %u of %u can tell twins apart by\n%s\n"
		         "--- one\n%s\n--- other\n%s\n"
		         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=20",
		         viewer, original.scene.table.seats, script[i].text,
		         answer_of(0, i), answer_of(1, i), game_seed);
	}
	if (strcmp(transcripts[0].log, transcripts[1].log) != 0)
		fail_msg("the log tells twins apart:\n%s\nand\n%s",
		         transcripts[0].log, transcripts[1].log);
}

/* --- twins ---------------------------------------------------------------- */

/* What the log keeps of the twin's cards must be the twin's, too. */
static void mend_log(struct sim_random *random)
{
	struct event *deal = &twin.log[0].event;

	for (unsigned i = 0; i < twin.count; i++) {
		struct happening *happening = &twin.log[i];
		if (happening->is_first && happening->chance.used)
			sim_seed(random, happening->chance.seed);
		if (happening->event.type == EVENT_CARDS_DEALT)
			deal = &happening->event;
	}
	assert_int_equal(deal->type, EVENT_CARDS_DEALT);
	event_pockets(deal, &twin.scene.gang.heist);
}

static void check_twin(bool good)
{
	if (!good)
		fail_msg("a twin that is no game: GANG_SEED=%" PRIu64,
		         game_seed);
}

static void make_twin(unsigned viewer, struct sim_random *random)
{
	stage_copy(&twin, &original);
	check_twin(twin_make(&twin.scene, &original.scene, viewer, random));
	mend_log(random);
}

/* One that the viewer must tell apart: a card of their own is another. */
static void make_visible_twin(unsigned viewer, struct sim_random *random)
{
	struct heist *heist = &twin.scene.gang.heist;

	stage_copy(&twin, &original);
	swap_cards(&heist->pockets[viewer - 1].cards[0],
	           &heist->deck[sim_below(random, heist->deck_count)]);
	mend_log(random);
	check_twin(gang_valid(&twin.scene.gang));
}

static bool has_same_pocket(unsigned seat)
{
	return memcmp(&original.scene.gang.heist.pockets[seat - 1],
	              &twin.scene.gang.heist.pockets[seat - 1],
	              sizeof(struct pocket)) == 0;
}

/* --- games ---------------------------------------------------------------- */

/* None, one, or two of the five that bend the base game's heists. */
static uint16_t draw_challenges(struct sim_random *random)
{
	static const uint8_t numbers[] = { 0,
		                           CHALLENGE_QUICK_ACCESS,
		                           CHALLENGE_NOISE_SENSORS,
		                           CHALLENGE_HASTY_GETAWAY,
		                           CHALLENGE_VENTILATION_SHAFT,
		                           CHALLENGE_SECURITY_CAMERAS };
	unsigned first = numbers[sim_below(random, ARRAY_LEN(numbers))];
	unsigned second =
		sim_percent(random, 30)
			? numbers[sim_below(random, ARRAY_LEN(numbers))]
			: 0;

	return (uint16_t)((1U << first | 1U << second) & ~1U);
}

typedef bool pair_fn(struct sim_random *random);

/*
 * A game, in which some moments become pairs, until the function has enough.
 * Moments after a showdown are few, so more of them are taken.
 */
static bool play_game(uint64_t seed, pair_fn *pair)
{
	struct sim_random random = { seed };
	struct sim_policy policy = sim_policy(&random);
	const struct table *table = &original.scene.table;
	const struct heist *heist = &original.scene.gang.heist;
	bool more = true;

	game_seed = seed;
	stage_open(&original, ++games_count, 3 + (unsigned)(seed % 4), &random);
	while (more && table->status == STATUS_PLAYING) {
		struct action action = sim_choose(table, &policy, &random);
		bool is_over = heist->outcome != OUTCOME_OPEN;
		if (stage_act(&original, &action, draw_challenges(&random),
		              &random))
			continue;
		if (sim_percent(&random, is_over ? 25 : 5) ||
		    table->status != STATUS_PLAYING)
			more = pair(&random);
	}
	stage_remove(owner, &original);
	return more;
}

/* --- the tests ------------------------------------------------------------ */

static unsigned pairs_wanted;
static unsigned pairs_count;

static void count_pair(unsigned viewer)
{
	const struct heist *heist = &original.scene.gang.heist;

	pairs_count++;
	tally_pair(&tally, &original.scene, viewer);
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++)
		challenges_met[i] += heist->challenges >> i & 1;
}

/*
 * The log that is put into the database, and what the daemon adds to it, are
 * what play would have made: they replay to the same state.
 */
static void check_replays(void)
{
	for (unsigned i = 0; i < original.count; i++) {
		const struct event *event = &original.log[i].event;
		if (event->type == EVENT_HEIST_STARTED &&
		    (event->open[1] || event->open[2]))
			return; /* challenges are none of the basic mode's */
	}
	if (!daemon_gangctl(&gangd, "replay", original.id))
		fail_msg("the game does not replay");
}

static bool check_pair(struct sim_random *random)
{
	const struct table *table = &original.scene.table;
	unsigned first = table->spectators ? 0 : 1;
	unsigned viewer = first + sim_below(random, table->seats + 1 - first);

	make_twin(viewer, random);
	write_script(viewer, random);
	perform(&original, &transcripts[0]);
	if (pairs_count % 20 == 0)
		check_replays();
	perform(&twin, &transcripts[1]);
	check_same(viewer);
	count_pair(viewer);
	return pairs_count < pairs_wanted;
}

static void check_coverage(void)
{
	tally_check(&tally);
#define CHALLENGE(name, number, ...) \
	assert_int_not_equal(challenges_met[number], 0);
#include "gang/challenge.def"
}

static void twins_look_the_same(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);

	(void)state;
	pairs_count = 0;
	requests_sent = 0;
	pairs_wanted = (unsigned)sim_setting("GANG_GAMES", PAIRS);
	while (play_game(seed, check_pair))
		seed++;
	print_message("%u pairs of games, %" PRIu64 " answers\n", pairs_count,
	              requests_sent);
	if (pairs_wanted >= PAIRS)
		check_coverage();
}

/* How many of the views, all of them compared, look different. */
static unsigned differences_for(unsigned seat)
{
	unsigned differences = 0;

	begin_script();
	ask_views(seat);
	perform(&original, &transcripts[0]);
	perform(&twin, &transcripts[1]);
	for (unsigned i = 0; i < requests_count; i++)
		differences += !is_same(i);
	return differences;
}

/* Each of the three views must tell; a hand of an ended heist is no secret. */
static bool check_planted(struct sim_random *random)
{
	unsigned players = original.scene.table.seats;
	unsigned viewer = 1 + sim_below(random, players);
	unsigned other = viewer % players + 1;

	if (original.scene.gang.heist.outcome != OUTCOME_OPEN)
		return true;
	make_visible_twin(viewer, random);
	assert_int_equal(differences_for(viewer), 3);
	do {
		make_twin(viewer, random);
	} while (has_same_pocket(other));
	assert_int_equal(differences_for(viewer), 0);
	assert_int_equal(differences_for(other), 3);
	return ++pairs_count < pairs_wanted;
}

static void what_may_be_seen_differs(void **state)
{
	uint64_t seed = SEED;

	(void)state;
	pairs_count = 0;
	pairs_wanted = PLANTED;
	while (play_game(seed, check_planted))
		seed++;
	print_message("%u pairs told apart by who may, in two ways each\n",
	              pairs_count);
}

/* What is masked is the digits of times, and nothing beside them. */
static void masks_hide_times_only(void **state)
{
	char text[] = "HTTP/1.1 200 OK\r\nDate: Sat, 31 Jan 2026\r\n"
		      "X: \"at\"\r\n\r\n"
		      "{\"at\":\"2026-01\",\"created_at\":\"26\",\"n\":7,"
		      "\"updated_at\":\"2x\",\"us\":123,\"z\":1}";

	(void)state;
	mask_date(text);
	mask_digits(text, "\"at\":\"", "\"");
	mask_digits(text, "\"updated_at\":\"", "\"");
	mask_number(text, "\"us\":");
	assert_string_equal(text,
	                    "HTTP/1.1 200 OK\r\nDate: ################\r\n"
	                    "X: \"at\"\r\n\r\n"
	                    "{\"at\":\"####-##\",\"created_at\":\"26\",\"n\":7,"
	                    "\"updated_at\":\"#x\",\"us\":#,\"z\":1}");
}

static int set_up(void **state)
{
	(void)state;
	migrate();
	owner = sql_open(owner_url());
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
		cmocka_unit_test(masks_hide_times_only),
		cmocka_unit_test(what_may_be_seen_differs),
		cmocka_unit_test(twins_look_the_same),
	};

	return cmocka_run_group_tests_name("secrecy over HTTP", tests, set_up,
	                                   tear_down);
}
