/*
 * test_hidden_cards.c - over HTTP, a player learns nothing of hidden cards.
 *
 * A game at some moment is put into the database and asked a script of
 * requests: all that one viewer can ask for, right and wrong, and moves of the
 * viewer and of others.  Then its twin (sim/gang_twin.h) takes its place: a
 * game that differs in everything hidden from the viewer, in state, log and
 * seeds.  The twin is asked the same.  Every answer to the viewer must be the
 * same, byte for byte: status, header fields, body and lengths.  So must the
 * viewer's stream of events and the daemon's log.  Ids, tokens and versions are
 * the same in both; the digits of times are masked.  Answers to other players
 * must have the same status.
 *
 * So that the comparison can fail, pairs that differ in what may be seen, and
 * pairs seen by another player, are held to it too.
 *
 *   GANG_SEED   the first game's seed    GANG_GAMES  how many pairs
 *
 * Marks: singly.
 */
#include <inttypes.h>

#include "daemon.h"
#include "games/gang/rules/challenge.h"
#include "stage.h"

enum {
	PAIRS = 104,
	PAIRS_OF_EVERY_SORT = 520, /* bring every sort of moment */
	PLANTED = 16,
	SEED = 20260131,
	REQUESTS_MAX = 256,
	REQUEST_TEXT_MAX = 768,
	TRANSCRIPT_MAX = 8 * 1024 * 1024,
	TRIES = 14, /* moves that the viewer tries */
	STEPS = 6,  /* moves that follow, whoever makes them */
	NOBODY = 0,
};

struct request {
	/* The twin's differs where another player chooses a hidden card. */
	char text[2][REQUEST_TEXT_MAX];
	bool is_viewers;  /* else only the status is compared */
	bool is_known;    /* with the ETag of the last answer that had one */
	bool is_deal;     /* what comes of it differs by chance */
	unsigned version; /* that the game has come to */
};

/* The requests to a game, and their answers. */
struct transcript {
	size_t starts[REQUESTS_MAX + 2]; /* the last is the stream's */
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
static struct request listening; /* by the viewer, meanwhile */
static struct daemon_stream heard;

static struct twin_tally tally;

/* --- a script ------------------------------------------------------------- */

static void add(struct request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add(struct request *request, const char *format, ...)
{
	size_t len = strlen(request->text[0]);
	va_list args;

	va_start(args, format);
	len += (size_t)vsnprintf(request->text[0] + len, REQUEST_TEXT_MAX - len,
	                         format, args);
	va_end(args);
	assert_true(len < REQUEST_TEXT_MAX);
	memcpy(request->text[1], request->text[0], len + 1);
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
	*request = (struct request){
		.is_viewers = true,
		.version = models[0].table.version,
	};
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

/* The three that the planted pairs must differ in; the log's last page. */
static void ask_views(unsigned who)
{
	unsigned page = STORE_PAGE_MAX;

	ask(who, "GET", "", "");
	ask_get(who, "/events?after=%u&limit=%u",
	        original.count > page ? original.count - page : 0, page);
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

/* Send requests that are refused whatever the cards are. */
static void ask_nonsense(unsigned who)
{
	ask(who, "POST", "/chips/white/1/take", "{\"from\":9}");
	ask(who, "POST", "/chips/white/1/take", "{\"from\":");
	ask(who, "POST", "/chips/red/1/take", "{\"card\":\"Ah\"}");
	ask(who, "POST", "/chips/blue/1/take", "");
	ask(who, "POST", "/chips/white/7/return", "");
	ask(who, "POST", "/choices", "{\"looked\":false}");
	ask(who, "POST", "/choices", "{\"card\":\"Jx\"}");
	ask(who, "POST", "/specialist/proposals", "{\"seat\":9}");
	ask(who, "POST", "/specialist/votes", "{}");
	ask(who, "POST", "/showdown/answers",
	    "{\"question\":\"blackout\",\"value\":\"K\"}");
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
 * Do it to both models, or to neither: not if it uses chance, which would make
 * the answers differ, nor if it opens what differs.
 */
static bool is_done(unsigned viewer, const struct action *action,
                    struct action *same)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	static struct scene kept[2];

	for (int i = 0; i < 2; i++)
		scene_copy(&kept[i], &models[i]);
	*same = twin_action(&models[1], &models[0], viewer, *action);
	enum err err = scene_act(&models[0], action, seed);
	if (scene_act(&models[1], same, seed) != err)
		fail_msg("twins refuse differently: GANG_SEED=%" PRIu64,
		         game_seed);
	if (err || (!models[0].rng.used && action->verb != VERB_REMATCH &&
	            !twins_are_opened(&models[0], &models[1], viewer)))
		return true;
	for (int i = 0; i < 2; i++)
		scene_copy(&models[i], &kept[i]);
	return false;
}

static struct request *ask_chip(const struct action *action)
{
	unsigned from = action->args[ARG_FROM];
	char path[64];
	char body[32] = "";

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

static struct request *ask_proposal(const struct action *action)
{
	char body[96];
	int len = snprintf(body, sizeof(body), "{\"seat\":%u",
	                   action->args[ARG_SEAT]);

	if (action->args[ARG_TARGET])
		len += snprintf(body + len, sizeof(body) - (size_t)len,
		                ",\"target_seat\":%u",
		                action->args[ARG_TARGET]);
	if (action->args[ARG_VALUE])
		len += snprintf(body + len, sizeof(body) - (size_t)len,
		                ",\"value\":\"%s\"",
		                gang_value_text(VALUE_RANK,
		                                action->args[ARG_VALUE]));
	(void)snprintf(body + len, sizeof(body) - (size_t)len, "}");
	return ask(action->seat, "POST", "/specialist/proposals", body);
}

static struct request *ask_choice(const struct action *action,
                                  const struct action *same)
{
	unsigned card = action->args[ARG_CARD];
	char body[32] = "{\"looked\":true}";

	if (card != CHOICE_LOOKED)
		(void)snprintf(body, sizeof(body), "{\"card\":\"%s\"}",
		               card_text((uint8_t)card));
	struct request *request = ask(action->seat, "POST", "/choices", body);
	if (card == CHOICE_LOOKED)
		return request;
	size_t end = strlen(request->text[1]) - strlen("\"}");
	memcpy(request->text[1] + end - CARD_TEXT_LEN,
	       card_text(same->args[ARG_CARD]), CARD_TEXT_LEN);
	return request;
}

static struct request *ask_answer(const struct action *action)
{
	const struct challenge *row =
		gang_challenge_get(action->args[ARG_QUESTION]);
	char body[96];

	(void)snprintf(body, sizeof(body),
	               "{\"question\":\"%s\",\"value\":\"%s\"}", row->code,
	               gang_value_text(row->asks, action->args[ARG_ANSWER]));
	return ask(action->seat, "POST", "/showdown/answers", body);
}

/* An action, and the same one in the twin. */
static struct request *ask_move(const struct action *action,
                                const struct action *same)
{
	char path[64];

	switch (action->verb) {
	case VERB_JOIN:
		(void)snprintf(path, sizeof(path), "/v1/invitations/%s/players",
		               original.code);
		return ask(NOBODY, "POST", path, "{\"name\":\"Eve\"}");
	case VERB_START:
		return ask(action->seat, "POST", "/start", "");
	case VERB_REMATCH:
		return ask(action->seat, "POST", "/rematch", "");
	case VERB_NEXT_HEIST:
		return ask(action->seat, "POST", "/heists", "{}");
	case VERB_CONFIRM_ROUND:
		return ask(action->seat, "POST", "/round/confirmations", "");
	case VERB_PROPOSE:
		return ask_proposal(action);
	case VERB_VOTE:
		return ask(action->seat, "POST", "/specialist/votes",
		           action->args[ARG_AGREES] ? "{\"agree\":true}"
		                                    : "{\"agree\":false}");
	case VERB_CHOOSE:
		return ask_choice(action, same);
	case VERB_ANSWER:
		return ask_answer(action);
	}
	return ask_chip(action);
}

/* Something legal, or anything that a client can send. */
static struct action draw_try(unsigned viewer, struct sim_random *random)
{
	static struct gang_view view;
	const struct gang *gang = &models[0].gang;
	struct action action = player_nonsense(gang->players, random);

	action.seat = (uint8_t)viewer;
	gang_view(gang, viewer, &view);
	if (view.legal_count && sim_percent(random, 40))
		return view
		        .legal[sim_below(random, (unsigned)view.legal_count)];
	if ((action.verb == VERB_TAKE || action.verb == VERB_RETURN) &&
	    sim_percent(random, 60)) {
		action.args[ARG_COLOR] = (uint8_t)(gang->heist.round - 1);
		action.args[ARG_STARS] =
			(uint8_t)player_seat(gang->players, random);
	}
	return action;
}

/* Send the viewer's tries, most of which are refused. */
static void ask_tries(unsigned viewer, struct sim_random *random)
{
	for (unsigned i = 0; i < TRIES; i++) {
		struct action action = draw_try(viewer, random);
		struct action same;

		if (is_done(viewer, &action, &same))
			ask_move(&action, &same);
	}
}

/* The game goes on before the viewer's eyes. */
static void ask_steps(unsigned viewer, struct sim_random *random)
{
	struct player_policy policy = { .nonsense = 20,
		                        .trouble = 20,
		                        .eager = 40 };

	for (unsigned i = 0; i < STEPS; i++) {
		struct table *table = &models[0].table;
		unsigned version = table->version;
		struct action same;

		if (table->status != STATUS_PLAYING)
			return;
		struct action action = player_choose(table, &policy, random);
		if (!is_done(viewer, &action, &same))
			return;
		ask_move(&action, &same)->is_viewers =
			action.seat == viewer || action.verb == VERB_JOIN;
		ask(viewer, "GET", "", "");
		ask_get(viewer, "/events?after=%u", version);
	}
}

/*
 * A deal ends the script: from then on chance makes the games differ.  So does
 * a rematch, whose id is drawn; a second one is refused.
 */
static void ask_deal(struct sim_random *random)
{
	const struct table *table = &models[0].table;
	bool is_over = table->status != STATUS_PLAYING;
	struct action deal = {
		.verb = is_over ? VERB_REMATCH : VERB_NEXT_HEIST,
		.seat = (uint8_t)player_seat(models[0].gang.players, random),
	};

	if (models[0].gang.heist.outcome == OUTCOME_OPEN)
		return;
	struct request *request = ask_move(&deal, &deal);
	request->is_viewers = table->has_rematch;
	request->is_deal = true;
}

/* The viewer's stream has the end of the log, and then what happens. */
static void listen_to(unsigned who)
{
	unsigned page = STORE_PAGE_MAX;
	char token[TOKEN_TEXT_LEN + 1];

	listening = (struct request){ .is_viewers = true };
	add(&listening,
	    "GET /v1/games/%s/events?after=%u HTTP/1.0\r\n"
	    "Accept: text/event-stream\r\nX-Request-Id: stream\r\n",
	    original.id, original.count > page ? original.count - page : 0);
	if (who != NOBODY) {
		stage_token(who, token);
		add(&listening, "Authorization: Bearer %s\r\n", token);
	}
	add(&listening, "\r\n");
}

static void begin_script(unsigned viewer)
{
	requests_count = 0;
	scene_copy(&models[0], &original.scene);
	scene_copy(&models[1], &twin.scene);
	listen_to(viewer);
}

static void write_script(unsigned viewer, struct sim_random *random)
{
	begin_script(viewer);
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

/* Remember the ETag of an answer; keep the last one if it has no ETag. */
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
static const char *text_of(const struct request *request, int side,
                           const char *etag)
{
	static char text[REQUEST_TEXT_MAX + 256];

	(void)snprintf(text, sizeof(text), "%s", request->text[side]);
	if (request->is_known)
		(void)snprintf(text + strlen(text) - 2, 256,
		               "If-None-Match: %s\r\n\r\n", etag);
	return text;
}

static size_t take_log(struct transcript *transcript, size_t len,
                       unsigned requests)
{
	daemon_take_log(&gangd, requests, transcript->log + len,
	                sizeof(transcript->log) - len);
	return len + strlen(transcript->log + len);
}

/*
 * Ask, and get each event before the next request: the event shows cards that
 * were on the table and are hidden later as they were at the time.
 */
static void perform(const struct stage *stage, int side)
{
	struct transcript *transcript = &transcripts[side];
	unsigned asked = requests_count;
	char etag[128] = "\"none\"";
	size_t log_len = 0;
	size_t len = 0;

	stage_write(owner, stage);
	daemon_open_stream(&gangd, listening.text[side], &heard);
	daemon_hear(&heard, stage->count);
	if (script[requests_count - 1].is_deal)
		asked--;
	for (unsigned i = 0; i < requests_count; i++) {
		char *answer = transcript->text + len;
		assert_true(len + DAEMON_ANSWER_MAX <= TRANSCRIPT_MAX);
		transcript->starts[i] = len;
		if (i == asked) {
			daemon_end_stream(&heard);
			log_len = take_log(transcript, log_len, asked + 1);
		}
		daemon_ask(&gangd, text_of(&script[i], side, etag), answer);
		note_etag(answer, etag);
		mask_etag(answer);
		len += strlen(answer) + 1;
		if (i < asked)
			daemon_hear(&heard, script[i].version);
	}
	if (asked == requests_count)
		daemon_end_stream(&heard);
	take_log(transcript, log_len,
	         asked == requests_count ? asked + 1 : requests_count - asked);
	transcript->starts[requests_count] = len;
	assert_true(len + heard.len < TRANSCRIPT_MAX);
	memcpy(transcript->text + len, heard.text, heard.len + 1);
	requests_sent += requests_count + 1;
}

/* The script, and after it the stream. */
static const struct request *request_of(unsigned i)
{
	return i < requests_count ? &script[i] : &listening;
}

static const char *answer_of(unsigned side, unsigned i)
{
	return transcripts[side].text + transcripts[side].starts[i];
}

static bool is_same(unsigned i)
{
	const char *answers[] = { answer_of(0, i), answer_of(1, i) };

	if (!request_of(i)->is_viewers)
		return daemon_status(answers[0]) == daemon_status(answers[1]);
	return strcmp(answers[0], answers[1]) == 0;
}

static void check_same(unsigned viewer)
{
	for (unsigned i = 0; i <= requests_count; i++) {
		if (is_same(i))
			continue;
		fail_msg("viewer %u of %u can tell twins apart by\n%s\n"
		         "--- one\n%s\n--- other\n%s\n"
		         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=20",
		         viewer, original.scene.table.seats,
		         request_of(i)->text[0], answer_of(0, i),
		         answer_of(1, i), game_seed);
	}
	if (strcmp(transcripts[0].log, transcripts[1].log) != 0)
		fail_msg("the log tells twins apart:\n%s\nand\n%s",
		         transcripts[0].log, transcripts[1].log);
}

/* --- twins ---------------------------------------------------------------- */

/*
 * Give the twin's log other secrets too: those that twin_event() names in the
 * events, and in the data that is never shown the seeds and others' choices.
 */
static void mend_log(unsigned viewer, struct sim_random *random)
{
	const struct heist *heist = &original.scene.gang.heist;

	for (unsigned i = 0; i < twin.count; i++) {
		struct happening *happening = &twin.log[i];
		struct action *action = &happening->action;

		if (happening->is_first && happening->rng.used)
			sim_seed(random, happening->rng.seed);
		if (action->verb == VERB_CHOOSE && action->seat != viewer)
			random_cards(&action->args[ARG_CARD], 1, random);
		if (happening->event.type >= EVENT_OF_RULESET)
			twin_event(&happening->event, heist, viewer, random);
	}
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
	mend_log(viewer, random);
}

/* The last event that gave the viewer cards, and where these stand in it. */
static uint8_t *find_share(unsigned viewer)
{
	uint8_t *share = twin.log[0].event.private_data; /* there is a deal */

	for (unsigned i = 0; i < twin.count; i++) {
		struct event *event = &twin.log[i].event;

		if (event->type == EVENT_CARDS_DEALT ||
		    event->type == EVENT_CARDS_PASSED ||
		    event->type == EVENT_CARDS_REDEALT)
			share = event->private_data +
			        (viewer - 1) * event->public_data[0];
		if (event->type == EVENT_CARDS_REDRAWN && event->seat == viewer)
			share = event->private_data;
	}
	return share;
}

/* One that the viewer must tell apart: a card of their own is another. */
static void make_visible_twin(unsigned viewer, struct sim_random *random)
{
	struct heist *heist = &twin.scene.gang.heist;

	stage_copy(&twin, &original);
	swap_cards(&heist->pockets[viewer - 1].cards[0],
	           &heist->deck[sim_below(random, heist->deck_count)]);
	mend_log(viewer, random);
	*find_share(viewer) = heist->pockets[viewer - 1].cards[0];
	check_twin(gang_valid(&twin.scene.gang));
}

static bool has_same_pocket(unsigned seat)
{
	return memcmp(&original.scene.gang.heist.pockets[seat - 1],
	              &twin.scene.gang.heist.pockets[seat - 1],
	              sizeof(struct pocket)) == 0;
}

/* --- games ---------------------------------------------------------------- */

typedef bool pair_fn(struct sim_random *random);

/* True if there were hardly any pairs of a moment like this. */
static bool is_hardly_met(const struct scene *scene)
{
	const struct heist *heist = &scene->gang.heist;
	const struct ability *use = &heist->ability;
	const unsigned *met = tally.specialists[use->specialist][use->state];

	return (use->specialist && met[false] + met[true] < 3) ||
	       tally.modes[scene->gang.mode][twin_phase(heist)] < 3;
}

/* The percentage of such moments that become pairs: low for usual ones. */
static unsigned share_of_moment(void)
{
	const struct table *table = &original.scene.table;
	enum phase phase = twin_phase(&original.scene.gang.heist);

	if (is_hardly_met(&original.scene))
		return 100;
	if (table->status != STATUS_PLAYING)
		return 60;
	if (phase == PHASE_CHOOSING)
		return 30;
	return phase == PHASE_CHIPS ? 2 : 12;
}

/* A game, in which some moments become pairs, until there are enough. */
static bool play_game(uint64_t seed, pair_fn *pair)
{
	struct sim_random random = { seed };
	struct player_policy policy = player_policy(&random);

	/* Everybody stays, since each is a client with a token. */
	policy.restless = 0;
	const struct table *table = &original.scene.table;
	bool more = true;

	game_seed = seed;
	policy.shuffled = sim_percent(&random, 75);
	stage_open(&original, ++games_count, 3 + (unsigned)(seed % 4), &policy,
	           &random);
	while (more && table->status == STATUS_PLAYING) {
		struct action action = player_choose(table, &policy, &random);

		if (stage_act(&original, &action, &random))
			continue;
		if (table->status != STATUS_PLAYING && sim_percent(&random, 50))
			stage_go_on(&original, &random);
		if (sim_percent(&random, share_of_moment()))
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
	pairs_count++;
	twin_tally_pair(&tally, &original.scene, viewer);
}

/*
 * The log that is put into the database, and what the daemon adds to it, are
 * what play would have made: they replay to the same state.
 */
static void check_replays(void)
{
	if (!daemon_gangctl(&gangd, "replay", original.id))
		fail_msg("the game does not replay");
}

/* Somebody who owes a choice, if that was not met as often as others. */
static unsigned choose_viewer(struct sim_random *random)
{
	const struct table *table = &original.scene.table;
	const struct ability *use = &original.scene.gang.heist.ability;
	const unsigned *met = tally.specialists[use->specialist][use->state];
	unsigned first = table->spectators ? 0 : 1;

	if (use->choosing && met[true] <= met[false])
		return (unsigned)__builtin_ctz(use->choosing);
	return first + sim_below(random, table->seats + 1 - first);
}

static bool check_pair(struct sim_random *random)
{
	unsigned viewer = choose_viewer(random);

	make_twin(viewer, random);
	write_script(viewer, random);
	perform(&original, 0);
	if (pairs_count % 20 == 0)
		check_replays();
	perform(&twin, 1);
	check_same(viewer);
	count_pair(viewer);
	return pairs_count < pairs_wanted;
}

static void a_viewer_cannot_tell_twins_apart(void **state)
{
	uint64_t seed = sim_setting("GANG_SEED", SEED);

	(void)state;
	pairs_count = 0;
	requests_sent = 0;
	pairs_wanted = (unsigned)sim_games(PAIRS);
	while (play_game(seed, check_pair))
		seed++;
	print_message("%u pairs of games, %" PRIu64 " answers\n", pairs_count,
	              requests_sent);
	if (pairs_wanted >= PAIRS_OF_EVERY_SORT)
		twin_tally_check(&tally);
}

/* How many of the views and the stream, all compared, look different. */
static unsigned differences_for(unsigned seat)
{
	unsigned differences = 0;

	begin_script(seat);
	ask_views(seat);
	perform(&original, 0);
	perform(&twin, 1);
	for (unsigned i = 0; i <= requests_count; i++)
		differences += !is_same(i);
	return differences;
}

/* Chips are moved, and nobody has to choose or knows of a drawn card. */
static bool is_plain_moment(void)
{
	const struct heist *heist = &original.scene.gang.heist;

	return heist->outcome == OUTCOME_OPEN && !heist_is_asking(heist) &&
	       !heist->ability.choosing && !ability_brings_jack(heist);
}

/*
 * Each of the three views and the stream must tell; a hand of an ended heist is
 * no secret.
 */
static bool check_planted(struct sim_random *random)
{
	unsigned players = original.scene.table.seats;
	unsigned viewer = 1 + sim_below(random, players);
	unsigned other = viewer % players + 1;

	if (!is_plain_moment())
		return true;
	make_visible_twin(viewer, random);
	assert_int_equal(differences_for(viewer), 4);
	do {
		make_twin(viewer, random);
	} while (has_same_pocket(other));
	assert_int_equal(differences_for(viewer), 0);
	assert_int_equal(differences_for(other), 4);
	return ++pairs_count < pairs_wanted;
}

static void visible_differences_are_found(void **state)
{
	uint64_t seed = SEED;

	(void)state;
	pairs_count = 0;
	pairs_wanted = PLANTED * (unsigned)sim_setting("GANG_TIMES", 1);
	while (play_game(seed, check_planted))
		seed++;
	print_message("%u pairs told apart by who may, in two ways each\n",
	              pairs_count);
}

/* Only the digits of times are masked. */
static void masks_hide_times_only(void **state)
{
	char text[] = "HTTP/1.1 200 OK\r\nDate: Sat, 31 Jan 2026\r\n"
		      "ETag: \"1-a.12.2.6613f.0.4\"\r\n"
		      "X: \"at\"\r\n\r\n"
		      "{\"at\":\"2026-01\",\"created_at\":\"26\",\"n\":7,"
		      "\"updated_at\":\"2x\",\"us\":123,\"z\":1}";

	(void)state;
	mask_date(text);
	mask_etag(text);
	mask_digits(text, "\"at\":\"", "\"");
	mask_digits(text, "\"updated_at\":\"", "\"");
	mask_number(text, "\"us\":");
	assert_string_equal(text,
	                    "HTTP/1.1 200 OK\r\nDate: ################\r\n"
	                    "ETag: \"1-a.12.2.#####.0.4\"\r\n"
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
		cmocka_unit_test(visible_differences_are_found),
		cmocka_unit_test(a_viewer_cannot_tell_twins_apart),
	};

	return cmocka_run_group_tests_name("secrecy over HTTP", tests, set_up,
	                                   tear_down);
}
