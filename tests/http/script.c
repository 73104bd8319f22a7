/*
 * script.c - carries out the lines of a story.
 *
 * struct place is where a run of lines has come to; a block ("for", "until",
 * "together") runs its lines with a place of its own.  A line is stripped of
 * its comment, its variables are filled in, and its first word chooses a
 * statement; any other line is a request, a stream or a further expectation of
 * the last answer.
 */
#include "script.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arrange.h"
#include "auth/token.h"
#include "client.h"
#include "expect.h"
#include "follow.h"
#include "play.h"
#include "stream.h"
#include "text.h"
#include "watch.h"

enum { AWAIT_MS = 20000, UNTIL_MAX = 40, TOGETHER_MAX = 8 };

/* The place in the file. */
struct place {
	const struct script *script;
	size_t at;
	size_t end;
	struct exchange *last; /* what further expectations are about */
};

static void run_lines(struct story *story, struct place *place);

/* --- reading -------------------------------------------------------------- */

bool script_read(struct script *script, const char *file)
{
	FILE *in = fopen(file, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	*script = (struct script){ NULL, 0 };
	if (!in) {
		perror(file);
		return false;
	}
	while ((len = getline(&line, &size, in)) >= 0) {
		script->lines = realloc(script->lines,
		                        (script->count + 1) * sizeof(char *));
		assert(script->lines);
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		script->lines[script->count++] = line;
		line = NULL;
		size = 0;
	}
	free(line);
	fclose(in);
	return true;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		free(script->lines[i]);
	free(script->lines);
}

size_t script_story(const struct script *script, size_t from)
{
	while (from < script->count) {
		const char *line = script->lines[from];
		if (text_take(&line, "story"))
			break;
		from++;
	}
	return from;
}

/* The line without its comment and the blanks around it. */
static const char *bare_line(struct story *story, const char *line)
{
	bool in_string = false;
	size_t len = 0;

	text_end(&line);
	for (; line[len]; len++) {
		if (line[len] == '\\' && line[len + 1])
			len++;
		else if (line[len] == '"')
			in_string = !in_string;
		else if (line[len] == '#' && !in_string &&
		         (!len || isspace((unsigned char)line[len - 1])))
			break;
	}
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return arena_strndup(&story->arena, line, len);
}

/* --- who speaks ----------------------------------------------------------- */

/* The "stranger": a valid token that no player has. */
static const char *strange_token(struct story *story)
{
	uint8_t bits[32];
	char text[TOKEN_TEXT_LEN + 1];

	for (size_t i = 0; i < sizeof(bits); i++)
		bits[i] = (uint8_t)rand();
	token_print(bits, text);
	return arena_strndup(&story->arena, text, TOKEN_TEXT_LEN);
}

/* The token with one character changed. */
static const char *damaged(struct story *story, const char *token)
{
	char *copy = arena_strndup(&story->arena, token, strlen(token));

	copy[20] = copy[20] == 'x' ? 'y' : 'x';
	return copy;
}

/* Give the request the token of the actor that the story names. */
static struct exchange *request_of(struct story *story, const char *who,
                                   const char *method, const char *path)
{
	size_t len = strlen(who);
	const char *token = NULL;
	struct actor *actor;
	struct exchange *exchange;

	if (strcmp(who, "nobody") == 0)
		return story_request(story, NULL, method, path);
	if (strcmp(who, "stranger") == 0) {
		token = strange_token(story);
		exchange = story_request(story, NULL, method, path);
	} else {
		bool is_damaged = who[len - 1] == '\'';
		actor = story_actor(story, arena_strndup(&story->arena, who,
		                                         len - is_damaged));
		if (strncmp(path, "/v1/", 4) != 0)
			path = story_below(story, actor, path);
		exchange = story_request(story, is_damaged ? NULL : actor,
		                         method, path);
		if (is_damaged && !actor->token)
			story_fail(story, NULL, "%s has no token", who);
		if (is_damaged)
			token = damaged(story, actor->token);
	}
	if (token)
		story_field(story, exchange, "authorization",
		            arena_printf(&story->arena, "Bearer %s", token));
	return exchange;
}

/* --- requests ------------------------------------------------------------- */

/* "with Name: value", any number of them. */
static void take_fields(struct story *story, struct exchange *exchange,
                        const char **at)
{
	while (text_take(at, "with")) {
		const char *text = text_until(story, at, " with ", " -> ");
		size_t len = strcspn(text, ":");
		char *name = arena_strndup(&story->arena, text, len);

		for (char *c = name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		text += len + (text[len] == ':');
		text_end(&text);
		story_field(story, exchange, name, *text ? text : NULL);
	}
}

static const char *take_path(struct story *story, const char **at)
{
	text_end(at);
	return **at == '"' ? text_string(story, at, NULL)
	                   : text_word(story, at);
}

/* WHO METHOD PATH [BODY] [with ...], not sent yet. */
static struct exchange *take_request(struct story *story, const char **at)
{
	const char *who = text_word(story, at);
	const char *method = text_word(story, at);
	const char *path = take_path(story, at);
	struct exchange *exchange = request_of(story, who, method, path);

	if (**at == '{' || **at == '[') {
		const char *body = text_json(story, at);
		story_body(story, exchange, body, strlen(body));
	} else if (text_take(at, "body")) {
		size_t len;
		const char *body = text_string(story, at, &len);
		story_body(story, exchange, body, len);
	}
	take_fields(story, exchange, at);
	return exchange;
}

static void park(struct story *story, struct exchange *exchange)
{
	/* Other actors may have changed the game by then. */
	exchange->before.found = false;
	if (client_wait(story, exchange, STORY_PARKED_MS))
		story_fail(story, exchange, "expected no answer yet");
	exchange->actor->parked = exchange;
}

/* A request and what is expected; "WHO ->" is the answer of a parked one. */
static struct exchange *do_request(struct story *story, const char *line)
{
	const char *rest = line;
	const char *who = text_word(story, &rest);
	struct exchange *exchange;

	if (text_take(&rest, "->")) {
		exchange = story_actor(story, who)->parked;
		if (!exchange)
			story_fail(story, NULL, "%s waits for nothing", who);
		story_receive(story, exchange);
		expect_all(story, exchange, rest);
		return exchange;
	}
	exchange = take_request(story, &line);
	if (!text_end(&line) && !text_take(&line, "->"))
		story_fail(story, NULL, "what is this? %s", line);
	story_send(story, exchange);
	if (exchange->actor && text_take(&line, "parked")) {
		park(story, exchange);
		return exchange;
	}
	story_receive(story, exchange);
	if (text_end(&line) && exchange->status >= 300)
		story_fail(story, exchange, "expected success");
	expect_all(story, exchange, line);
	return exchange;
}

/* WHO streams PATH [with ...] [-> EXPECTATIONS] */
static struct exchange *do_streams(struct story *story, const char *who,
                                   const char *line)
{
	struct exchange *exchange =
		request_of(story, who, "GET", take_path(story, &line));

	take_fields(story, exchange, &line);
	if (!text_end(&line) && !text_take(&line, "->"))
		story_fail(story, NULL, "what is this? %s", line);
	stream_open(story, exchange);
	expect_all(story, exchange, line);
	return exchange;
}

/* A request, or what becomes of a stream. */
static void do_request_line(struct story *story, struct place *place,
                            const char *line)
{
	const char *rest = line;
	const char *who = text_word(story, &rest);

	if (text_take(&rest, "streams"))
		place->last = do_streams(story, who, rest);
	else if (text_take(&rest, "hears"))
		place->last = stream_hear(story, story_actor(story, who), rest);
	else if (text_take(&rest, "sees"))
		place->last = stream_see(story, story_actor(story, who), rest);
	else if (text_take(&rest, "hangs up"))
		stream_close(story, story_actor(story, who));
	else
		place->last = do_request(story, line);
}

static void do_more(struct story *story, struct place *place, const char *line)
{
	if (!place->last)
		story_fail(story, NULL, "nothing was asked before");
	expect_all(story, place->last, line);
}

/* The word before a blank, as far as it is one; else "?". */
static const char *first_word(struct story *story, const char *bytes)
{
	size_t len = strcspn(bytes, " \r\n");

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] < '!' || bytes[i] > '~')
			return "?";
	}
	return arena_strndup(&story->arena, bytes, len);
}

/* raw "bytes" -> ..., or -> library ... where libmicrohttpd answers itself */
static void do_raw(struct story *story, struct place *place, const char *line)
{
	size_t len;
	const char *bytes = text_string(story, &line, &len);
	const char *method = first_word(story, bytes);
	size_t blank = strcspn(bytes, " ");
	struct exchange *exchange = story_request(
		story, NULL, method,
		first_word(story, bytes + blank + (bytes[blank] != 0)));

	if (!text_take(&line, "->"))
		story_fail(story, NULL, "raw \"...\" -> what?");
	/* DEBIAN_12: libmicrohttpd 1.0 refuses more by itself than 0.9 does. */
	exchange->by_library =
		text_take(&line, "refused") || text_take(&line, "library");
	client_raw(story, exchange, bytes, len);
	place->last = exchange;
	expect_all(story, exchange, line);
	if (!exchange->by_library)
		watch_after(story, exchange);
}

/* within MS REQUEST: it is answered that soon */
static void do_within(struct story *story, struct place *place,
                      const char *line)
{
	double ms = strtod(text_word(story, &line), NULL);
	struct exchange *exchange = do_request(story, line);

	if (exchange->seconds * 1000 > ms)
		story_fail(story, exchange, "it took %.0f ms",
		           exchange->seconds * 1000);
	place->last = exchange;
}

static bool has_status(struct story *story, const char *line)
{
	struct exchange *exchange = take_request(story, &line);

	if (!text_take(&line, "->"))
		story_fail(story, NULL, "await REQUEST -> what?");
	story_send(story, exchange);
	return client_wait(story, exchange, STORY_WAIT_MS) &&
	       exchange->status == strtoul(line, NULL, 10);
}

/* await REQUEST -> STATUS ...: again and again until it is so */
static void do_await(struct story *story, struct place *place, const char *line)
{
	static const struct timespec pause = { .tv_nsec = 100000000 };

	for (int ms = 0; ms < AWAIT_MS && !has_status(story, line); ms += 100)
		nanosleep(&pause, NULL);
	place->last = do_request(story, line);
}

/* --- tables --------------------------------------------------------------- */

/* {"name":"A", ...} with what the story adds. */
static const char *named_body(struct story *story, const char *name,
                              const char *more)
{
	return *more == '{' && more[1] != '}'
	               ? arena_printf(&story->arena, "{\"name\":\"%s\",%s",
	                              name, more + 1)
	               : arena_printf(&story->arena, "{\"name\":\"%s\"}", name);
}

static struct exchange *post(struct story *story, struct actor *actor,
                             const char *target, const char *body)
{
	struct exchange *exchange = story_request(story, actor, "POST", target);

	if (body)
		story_body(story, exchange, body, strlen(body));
	story_do(story, exchange);
	if (exchange->status != 200 && exchange->status != 201)
		story_fail(story, exchange, "expected success");
	return exchange;
}

/* lobby A B C [with {...}]: A creates, the others join */
static void do_lobby(struct story *story, struct place *place, const char *line)
{
	const char *host = text_word(story, &line);
	const char *names = text_until(story, &line, "with {", "with {");
	const char *more = text_take(&line, "with") ? line : "";
	struct exchange *last;

	last = post(story, story_actor(story, host), "/v1/games",
	            named_body(story, host, more));
	while (!text_end(&names)) {
		const char *name = text_word(story, &names);
		last = post(story, story_actor(story, name),
		            arena_printf(&story->arena,
		                         "/v1/invitations/%s/players",
		                         story->games->code),
		            named_body(story, name, ""));
	}
	place->last = last;
}

/* table A B C [with {...}]: and A starts, if the last seat did not */
static void do_table(struct story *story, struct place *place, const char *line)
{
	const char *rest = line;
	struct actor *host = story_actor(story, text_word(story, &rest));

	do_lobby(story, place, line);
	if (expect_holds(story, place->last, ".game.status == \"lobby\""))
		place->last = post(story, host,
		                   story_below(story, host, "/start"), NULL);
}

/* --- blocks --------------------------------------------------------------- */

/* The line that ends the block which begins at place->at. */
static size_t block_end(struct story *story, const struct place *place)
{
	static const char *const openers[] = { "for", "until", "together" };
	int depth = 0;

	for (size_t i = place->at; i < place->end; i++) {
		const char *line = place->script->lines[i];
		if (text_take(&line, "end") && depth-- == 0)
			return i;
		for (size_t k = 0; k < ARRAY_LEN(openers); k++)
			depth += text_take(&line, openers[k]);
	}
	story_fail(story, NULL, "the block has no end");
}

static void run_block(struct story *story, const struct place *place,
                      size_t from, size_t end)
{
	struct place inner = { place->script, from, end, place->last };

	run_lines(story, &inner);
}

/* A cell in quotes is a string with its escapes; any other is itself. */
static const char *cell_text(struct story *story, const char *cell)
{
	const char *rest = cell;

	if (*cell != '"')
		return cell;
	const char *text = text_string(story, &rest, NULL);
	return *rest ? cell : text;
}

/* Give each column's name the text of its cell. */
static void set_cells(struct story *story, const char *const *names,
                      size_t count, const char *row)
{
	for (size_t i = 0; i < count; i++) {
		const char *cell = text_until(story, &row, " | ", " | ");
		text_take(&row, "|");
		story_set(story, names[i],
		          cell_text(story, text_fill(story, cell)));
	}
}

/*
 * for $NAME in WORD...   or   for $NAME...   followed by rows "| cell | cell":
 * the lines to the end, once for each
 */
static void do_for(struct story *story, struct place *place, const char *line)
{
	const char *names[STORY_COLUMNS_MAX] = { NULL };
	size_t count = 0;
	size_t end = block_end(story, place);
	size_t body = place->at;

	while (!text_end(&line) && !text_take(&line, "in")) {
		if (count == STORY_COLUMNS_MAX)
			story_fail(story, NULL, "too many columns");
		names[count] = text_word(story, &line);
		names[count] += *names[count] == '$';
		count++;
	}
	if (!count)
		story_fail(story, NULL, "for which $name?");
	while (!text_end(&line)) {
		set_cells(story, names, 1, text_word(story, &line));
		run_block(story, place, body, end);
	}
	for (;; body++) {
		const char *row = place->script->lines[body];
		if (body == end || (!text_end(&row) && !strchr("|#", *row)))
			break;
	}
	for (size_t i = place->at; i < body; i++) {
		const char *row = bare_line(story, place->script->lines[i]);
		if (!text_take(&row, "|"))
			continue;
		set_cells(story, names, count, row);
		run_block(story, place, body, end);
	}
	place->at = end + 1;
}

/* until WHO EXPECTATION: the lines to the end, until WHO's view is so */
static void do_until(struct story *story, struct place *place, const char *line)
{
	struct actor *actor = story_actor(story, text_word(story, &line));
	size_t end = block_end(story, place);
	int at = story->line;

	for (int i = 0; i < UNTIL_MAX; i++) {
		struct exchange *view =
			story_request(story, actor, "GET",
		                      story_below(story, actor, ""));
		story_do(story, view);
		if (expect_holds(story, view, line)) {
			place->at = end + 1;
			return;
		}
		run_block(story, place, place->at, end);
		story->line = at;
	}
	story_fail(story, NULL, "it never comes to that");
}

/* Each answer must be one of those that are expected, each once. */
static void expect_each(struct story *story, struct exchange *const *exchanges,
                        size_t count, const char *line)
{
	bool used[TOGETHER_MAX] = { false };

	while (!text_end(&line)) {
		const char *status = text_word(story, &line);
		const char *code = islower((unsigned char)*line)
		                           ? text_word(story, &line)
		                           : "";
		size_t i = 0;
		while (i < count &&
		       (used[i] ||
		        exchanges[i]->status != strtoul(status, NULL, 10) ||
		        strcmp(expect_code(exchanges[i]), code) != 0))
			i++;
		if (i == count)
			story_fail(story, exchanges[0],
			           "no answer is %s %s; this is one", status,
			           code);
		used[i] = true;
		if (*line == ',')
			line++;
	}
}

/*
 * together ... end -> STATUS [CODE], ...: the requests are sent at once, and
 * no move can be committed until all of them wait.
 */
static void do_together(struct story *story, struct place *place,
                        const char *line)
{
	struct exchange *exchanges[TOGETHER_MAX];
	size_t count = 0;
	size_t end = block_end(story, place);

	for (size_t i = place->at; i < end && count < TOGETHER_MAX; i++) {
		line = bare_line(story, place->script->lines[i]);
		if (!*line)
			continue;
		line = text_fill(story, line);
		exchanges[count] = take_request(story, &line);
		if (!count)
			watch_hold(story, story->games);
		story_send(story, exchanges[count]);
		exchanges[count++]->before.found = false;
	}
	if (!count)
		story_fail(story, NULL, "nothing together");
	for (int i = 0; i < 50 && watch_waiting(story) < (int)count; i++)
		(void)client_wait(story, exchanges[0], 10);
	watch_release(story);
	/* Await all answers before the runner reads the game. */
	for (size_t i = 0; i < count; i++)
		(void)client_wait(story, exchanges[i], STORY_WAIT_MS);
	for (size_t i = 0; i < count; i++)
		story_receive(story, exchanges[i]);
	line = text_fill(story, bare_line(story, place->script->lines[end]));
	place->last = exchanges[count - 1];
	place->at = end + 1;
	story->line = (int)end + 1;
	story->text = line;
	if (text_take(&line, "end") && text_take(&line, "->"))
		expect_each(story, exchanges, count, line);
}

/* --- the rest ------------------------------------------------------------- */

static void do_round(struct story *story, struct place *place, const char *line)
{
	(void)place;
	play_round(story, line);
}

static void do_heist(struct story *story, struct place *place, const char *line)
{
	(void)place;
	play_heist(story, line);
}

static void do_follow(struct story *story, struct place *place,
                      const char *line)
{
	(void)place;
	follow_legal(story, line);
}

/* Have the newest game arranged, and note that it was. */
static void arrange_game(struct story *story, const char *command)
{
	const struct game *game = story->games;
	const char *wrong;

	if (!game)
		story_fail(story, NULL, "there is no game to arrange");
	wrong = arrange(watch_database(story->watch), game->id, command,
	                &story->arena);
	if (wrong)
		story_fail(story, NULL, "%s", wrong);
	if (story->arranged) {
		fprintf(story->arranged, "%s\n", game->id);
		fflush(story->arranged);
	}
	watch_learn(story, game);
}

static void do_next(struct story *story, struct place *place, const char *line)
{
	(void)place;
	arrange_game(story, arena_printf(&story->arena, "next %s", line));
}

static void do_active(struct story *story, struct place *place,
                      const char *line)
{
	(void)place;
	arrange_game(story, arena_printf(&story->arena, "active %s", line));
}

/* deal A=AhKd board=...: names are seats */
static void do_deal(struct story *story, struct place *place, const char *line)
{
	const char *command = "deal";

	(void)place;
	while (!text_end(&line)) {
		const char *word = text_word(story, &line);
		size_t len = strcspn(word, "=.");
		const char *name = arena_strndup(&story->arena, word, len);

		command = isupper((unsigned char)*name)
		                  ? arena_printf(&story->arena, "%s %d%s",
		                                 command,
		                                 story_actor(story, name)->seat,
		                                 word + len)
		                  : arena_printf(&story->arena, "%s %s",
		                                 command, word);
	}
	arrange_game(story, command);
}

/* hold: no move of the newest game can be committed until release */
static void do_hold(struct story *story, struct place *place, const char *line)
{
	(void)place;
	(void)line;
	watch_hold(story, story->games);
}

static void do_release(struct story *story, struct place *place,
                       const char *line)
{
	(void)place;
	(void)line;
	watch_release(story);
}

/* operator ...: run the program GANGD_OPERATOR of the environment */
static void do_operator(struct story *story, struct place *place,
                        const char *line)
{
	const char *command = getenv("GANGD_OPERATOR");

	(void)place;
	if (!command)
		story_fail(story, NULL, "no GANGD_OPERATOR here");
	if (system(arena_printf(&story->arena, "%s %s", command, line)) != 0)
		story_fail(story, NULL, "the operator failed");
}

/* elsewhere: from here on the other daemon is asked, GANGD_ELSEWHERE_URL */
static void do_elsewhere(struct story *story, struct place *place,
                         const char *line)
{
	(void)place;
	(void)line;
	if (!getenv("GANGD_ELSEWHERE_URL"))
		story_fail(story, NULL, "there is no other daemon");
	story->elsewhere = true;
}

static void do_story(struct story *story, struct place *place, const char *line)
{
	(void)place;
	story->name = text_string(story, &line, NULL);
}

static const struct {
	const char *word;
	void (*run)(struct story *story, struct place *place, const char *line);
	bool filled; /* with variables before it is carried out */
} statements[] = {
	{ "story", do_story, true },
	{ "table", do_table, true },
	{ "lobby", do_lobby, true },
	{ "raw", do_raw, true },
	{ "within", do_within, true },
	{ "await", do_await, true },
	{ "for", do_for, false },
	{ "until", do_until, true },
	{ "together", do_together, true },
	{ "round", do_round, true },
	{ "heist", do_heist, true },
	{ "follow", do_follow, true },
	{ "hold", do_hold, true },
	{ "release", do_release, true },
	{ "operator", do_operator, true },
	{ "next", do_next, true },
	{ "active", do_active, true },
	{ "deal", do_deal, true },
	{ "elsewhere", do_elsewhere, true },
};

static bool is_more(const char *line)
{
	return *line == '.' || text_take(&line, "header") ||
	       text_take(&line, "body") || text_take(&line, "keep");
}

static void run_line(struct story *story, struct place *place, const char *line)
{
	const char *rest = line;

	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		if (!text_take(&rest, statements[i].word))
			continue;
		if (statements[i].filled)
			story->text = rest = text_fill(story, rest);
		statements[i].run(story, place, rest);
		return;
	}
	line = text_fill(story, line);
	story->text = line;
	if (is_more(line))
		do_more(story, place, line);
	else
		do_request_line(story, place, line);
}

static void run_lines(struct story *story, struct place *place)
{
	while (place->at < place->end) {
		const char *raw = place->script->lines[place->at++];
		const char *line = bare_line(story, raw);

		if (!*line)
			continue;
		story->line = (int)place->at;
		story->text = line;
		run_line(story, place, line);
	}
}

void script_run(struct story *story, const struct script *script, size_t from,
                size_t end)
{
	struct place place = { script, from, end, NULL };

	run_lines(story, &place);
	watch_release(story);
}
