/*
 * generic_client.c - a player who knows no rule: it reads legal_actions, makes
 * the choices that "choose" leaves by the three forms of it, and sends the
 * "command" to POST .../actions.
 *
 *   generic_client PORT SEED FIRST STEP <kinds
 *
 * A line of the input is a kind of game: its name, how many games, the fewest
 * and the most players, and the body that creates one.  For each kind it plays
 * games FIRST, FIRST + STEP ... to their ends, for all players alternately, so
 * that nobody else moves meanwhile.  Any answer that is not a success ends the
 * program with status 1.
 *
 * It prints for each kind "KIND games N requests N actions N most N", and how
 * often it sent each form of command: "KIND form N: ACTION", with the members
 * whose values it was given, and those that it chose ("member:form").
 */
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <sys/socket.h>

#include "choose.h"

enum {
	PLAYERS_MAX = 6,
	FORMS_MAX = 64,
	NAME_MAX_LEN = 40,
	LINE_MAX_LEN = 512,
	ACTIONS_MAX = 20000,
	ANSWER_MAX = 128 * 1024,
};

/* A form of command, and how often it was sent. */
struct form {
	char text[160];
	unsigned count;
};

struct kind {
	char name[NAME_MAX_LEN];
	unsigned games;
	unsigned least;
	unsigned most;
	char creation[LINE_MAX_LEN];
	unsigned played;
	unsigned requests;
	unsigned actions;
	unsigned longest;
	struct form forms[FORMS_MAX];
	size_t forms_count;
};

struct client {
	int fd; /* the connection */
	unsigned seed;
	struct arena arena; /* until the next action */
	unsigned number;    /* of the game */
	struct kind *kind;
	char answer[ANSWER_MAX];
};

/* A game, and its players' tokens by seat. */
struct game {
	char path[128];
	char tokens[PLAYERS_MAX][64];
	unsigned players;
	unsigned waiting[PLAYERS_MAX]; /* for whom the game waits */
	unsigned waiting_count;
};

/* --- requests ------------------------------------------------------------- */

static void connect_to(struct client *client, unsigned long port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int on = 1;

	client->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(client->fd, (struct sockaddr *)&address, sizeof(address))) {
		printf("FAILED to connect\n");
		exit(2);
	}
	setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* The value of a field in the head of the answer, up to the line's end. */
static const char *find_field(const struct client *client, const char *name)
{
	const char *end = strstr(client->answer, "\r\n\r\n");
	const char *line = strstr(client->answer, "\r\n");

	for (; line && line < end; line = strstr(line + 2, "\r\n")) {
		if (strncasecmp(line + 2, name, strlen(name)) == 0)
			return line + 2 + strlen(name);
	}
	return NULL;
}

/* The whole length of an answer; 0 while its head is incomplete. */
static size_t answer_size(const struct client *client)
{
	const char *end = strstr(client->answer, "\r\n\r\n");
	const char *length =
		end ? find_field(client, "Content-Length: ") : NULL;

	if (!length)
		return 0;
	return (size_t)(end + 4 - client->answer) + strtoul(length, NULL, 10);
}

/* The status of the answer; 0 if it does not come. */
static unsigned exchange(struct client *client, const char *request)
{
	size_t len = strlen(request);
	size_t have = 0;
	size_t size = 0;

	client->answer[0] = '\0';
	if (send(client->fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
		return 0;
	while (size == 0 || have < size) {
		ssize_t got = recv(client->fd, client->answer + have,
		                   ANSWER_MAX - 1 - have, 0);
		if (got <= 0)
			return 0;
		have += (size_t)got;
		client->answer[have] = '\0';
		size = size ? size : answer_size(client);
		assert(size < ANSWER_MAX);
	}
	return (unsigned)strtoul(client->answer + strlen("HTTP/1.1 "), NULL,
	                         10);
}

/* Send a GET, or with a body a POST; the answer's body, which must be freed. */
static struct json_object *ask(struct client *client, const char *path,
                               const char *token, const char *body)
{
	struct arena *arena = &client->arena;
	const char *fields =
		token ? arena_printf(arena, "Authorization: Bearer %s\r\n",
	                             token)
		      : "";
	const char *request =
		body ? arena_printf(arena,
	                            "POST %s HTTP/1.1\r\nHost: gangd\r\n%s"
	                            "Content-Type: application/json\r\n"
	                            "Content-Length: %zu\r\n\r\n%s",
	                            path, fields, strlen(body), body)
		     : arena_printf(arena,
	                            "GET %s HTTP/1.1\r\nHost: gangd\r\n%s\r\n",
	                            path, fields);
	unsigned status = exchange(client, request);

	client->kind->requests++;
	if (status != 200 && status != 201) {
		printf("FAILED %s game %u of seed %u:\n%s\n%s\n",
		       client->kind->name, client->number, client->seed,
		       request, status ? client->answer : "no answer");
		exit(1);
	}
	return json_tokener_parse(strstr(client->answer, "\r\n\r\n") + 4);
}

/* The path of what the last request has created, or "". */
static void read_location(const struct client *client, char *path, size_t size)
{
	const char *value = find_field(client, "Location: ");
	size_t len = value ? strcspn(value, "\r") : 0;

	assert(len < size);
	memcpy(path, value ? value : "", len);
	path[len] = '\0';
}

static struct json_object *member(struct json_object *json, const char *name)
{
	struct json_object *found = NULL;

	json_object_object_get_ex(json, name, &found);
	return found;
}

static void read_text(struct json_object *json, const char *name, char *text,
                      size_t size)
{
	const char *found = json_object_get_string(member(json, name));

	assert(found && strlen(found) < size);
	memcpy(text, found, strlen(found) + 1);
}

/* --- a game --------------------------------------------------------------- */

/*
 * Create a game and have the others join.  In one of four games a seat stays
 * free if there may be one more, so that a player has to start it.
 */
static void sit_down(struct client *client, struct game *game)
{
	const struct kind *kind = client->kind;
	unsigned spare;
	char code[64];

	/* Half of the games have the fewest players, who need less time. */
	game->players = kind->least;
	if (any_of(2))
		game->players += any_of(kind->most - kind->least + 1);
	spare = game->players < kind->most && any_of(4) == 0;
	struct json_object *made =
		ask(client, "/v1/games", NULL,
	            arena_printf(&client->arena,
	                         "{\"name\":\"P1\",\"seats\":%u%s%s",
	                         game->players + spare,
	                         kind->creation[1] == '}' ? "" : ",",
	                         kind->creation + 1));
	read_location(client, game->path, sizeof(game->path));
	read_text(made, "token", game->tokens[0], sizeof(game->tokens[0]));
	read_text(made, "invite_code", code, sizeof(code));
	json_object_put(made);
	for (unsigned i = 1; i < game->players; i++) {
		struct json_object *seated = ask(
			client,
			arena_printf(&client->arena, "%s/players", game->path),
			NULL,
			arena_printf(&client->arena,
		                     "{\"name\":\"P%u\",\"invite_code\":"
		                     "\"%s\"}",
		                     i + 1, code));
		read_text(seated, "token", game->tokens[i],
		          sizeof(game->tokens[i]));
		json_object_put(seated);
	}
}

/* Remember for whom the game waits, as far as a view shows. */
static void read_waiting(struct game *game, struct json_object *view)
{
	struct json_object *list = member(member(view, "heist"), "waiting_for");
	size_t count = list ? json_object_array_length(list) : 0;

	assert(count <= game->players);
	game->waiting_count = (unsigned)count;
	for (size_t i = 0; i < count; i++)
		game->waiting[i] = (unsigned)json_object_get_int(
					   json_object_array_get_idx(list, i)) -
		                   1;
}

/*
 * Mostly one for whom the game waits: five players of whom each takes and
 * returns chips at any time hardly ever come to the end of a round.
 */
static unsigned draw_seat(const struct game *game)
{
	if (game->waiting_count > 0 && any_of(16))
		return game->waiting[any_of(game->waiting_count)];
	return any_of(game->players);
}

/* Count the form of an entry: the members of its body, and of "choose". */
static void count_form(struct client *client, struct json_object *entry)
{
	struct kind *kind = client->kind;
	struct form form = { .count = 1 };
	size_t len = 0;
	size_t i = 0;

	len += (size_t)snprintf(form.text, sizeof(form.text), "%s",
	                        json_object_get_string(
					member(entry, "action")));
	json_object_object_foreach(member(entry, "body"), name, value)
	{
		(void)value;
		len += (size_t)snprintf(form.text + len,
		                        sizeof(form.text) - len, " %s", name);
	}
	if (member(entry, "choose")) {
		json_object_object_foreach(member(entry, "choose"), left, of)
			len += (size_t)snprintf(
				form.text + len, sizeof(form.text) - len,
				" %s:%s", left,
				json_object_get_string(member(of, "form")));
	}
	assert(len < sizeof(form.text));
	while (i < kind->forms_count &&
	       strcmp(kind->forms[i].text, form.text) != 0)
		i++;
	assert(i < FORMS_MAX);
	if (i == kind->forms_count)
		kind->forms[kind->forms_count++] = form;
	else
		kind->forms[i].count++;
}

/* True for "pass" and the like, whose command has no member but the action. */
static bool is_bare(struct json_object *entry)
{
	return json_object_object_length(member(entry, "command")) == 1 &&
	       !member(entry, "choose");
}

/*
 * One of the actions, by lot.  Mostly it moves no chip, so that players who
 * have to agree on something do so some day; and is not bare, so that a game
 * does not end with the first two passes.
 */
static struct json_object *draw(struct json_object *actions)
{
	size_t count = json_object_array_length(actions);
	size_t tries = any_of(8) ? 8 * count : 1;
	struct json_object *entry;

	do {
		entry = json_object_array_get_idx(actions, any_of(count));
	} while (--tries > 0 &&
	         (member(entry, "chip") || (is_bare(entry) && any_of(4))));
	return entry;
}

/* Do one of the listed actions; false if it has led to another game. */
static bool act(struct client *client, struct game *game, unsigned seat,
                struct json_object *actions)
{
	const char *path =
		arena_printf(&client->arena, "%s/actions", game->path);
	struct json_object *entry = draw(actions);
	char location[128];

	count_form(client, entry);
	struct json_object *view =
		ask(client, path, game->tokens[seat],
	            choose_from(&client->arena, entry).command);
	read_waiting(game, view);
	json_object_put(view);
	read_location(client, location, sizeof(location));
	return !location[0] ||
	       strncmp(location, game->path, strlen(game->path)) == 0;
}

/*
 * The legal actions of a player except seating a bot: bots move between two
 * requests, and the next one could be refused.
 */
static struct json_object *actions_of(struct json_object *view)
{
	struct json_object *actions =
		member(member(view, "you"), "legal_actions");

	for (size_t i = json_object_array_length(actions); i-- > 0;) {
		struct json_object *entry =
			json_object_array_get_idx(actions, i);

		if (strcmp(json_object_get_string(member(entry, "action")),
		           "seat_bot") == 0)
			(void)json_object_array_del_idx(actions, i, 1);
	}
	return actions;
}

/* Somebody does something; false if nobody can, or it led to another game. */
static bool step(struct client *client, struct game *game)
{
	unsigned first = draw_seat(game);

	for (unsigned i = 0; i < game->players; i++) {
		unsigned seat = (first + i) % game->players;
		struct json_object *view =
			ask(client, game->path, game->tokens[seat], NULL);
		struct json_object *actions = actions_of(view);
		bool acts = json_object_array_length(actions) > 0;
		bool goes_on = acts && act(client, game, seat, actions);

		json_object_put(view);
		if (acts)
			return goes_on;
	}
	return false;
}

static void play(struct client *client)
{
	struct kind *kind = client->kind;
	unsigned actions = 1;
	struct game game = { .players = 0 };

	srand(client->seed + client->number);
	sit_down(client, &game);
	for (; step(client, &game); actions++) {
		arena_reset(&client->arena);
		if (actions < ACTIONS_MAX)
			continue;
		printf("FAILED %s game %u of seed %u has no end\n", kind->name,
		       client->number, client->seed);
		exit(1);
	}
	arena_reset(&client->arena);
	kind->played++;
	kind->actions += actions;
	if (actions > kind->longest)
		kind->longest = actions;
}

/* --- the games ------------------------------------------------------------ */

static bool read_kind(struct kind *kind)
{
	char line[LINE_MAX_LEN];

	*kind = (struct kind){ .games = 0 };
	if (!fgets(line, sizeof(line), stdin))
		return false;
	char *at = strchr(line, ' ');
	assert(at && at - line < NAME_MAX_LEN);
	memcpy(kind->name, line, (size_t)(at - line));
	kind->games = (unsigned)strtoul(at, &at, 10);
	kind->least = (unsigned)strtoul(at, &at, 10);
	kind->most = (unsigned)strtoul(at, &at, 10);
	assert(kind->most >= kind->least && kind->most <= PLAYERS_MAX);
	at += strspn(at, " ");
	assert(kind->least > 0 && at[0] == '{');
	memcpy(kind->creation, at, strcspn(at, "\n"));
	return true;
}

static void print_kind(const struct kind *kind)
{
	printf("%s games %u requests %u actions %u most %u\n", kind->name,
	       kind->played, kind->requests, kind->actions, kind->longest);
	for (size_t i = 0; i < kind->forms_count; i++)
		printf("%s form %u: %s\n", kind->name, kind->forms[i].count,
		       kind->forms[i].text);
}

int main(int argc, char **argv)
{
	static struct client client;
	static struct kind kind;

	assert(argc == 5);
	unsigned first = (unsigned)strtoul(argv[3], NULL, 10);
	unsigned stride = (unsigned)strtoul(argv[4], NULL, 10);
	assert(stride > 0);
	client.seed = (unsigned)strtoul(argv[2], NULL, 10);
	client.kind = &kind;
	arena_init(&client.arena);
	connect_to(&client, strtoul(argv[1], NULL, 10));
	while (read_kind(&kind)) {
		for (client.number = first; client.number < kind.games;
		     client.number += stride)
			play(&client);
		print_kind(&kind);
	}
	close(client.fd);
	arena_fini(&client.arena);
	return 0;
}
