/*
 * fixture.c - drives a store as an event loop would.
 *
 * A test has no loop of its own: await() turns the store until each reply was
 * given, and fails after PATIENCE_MS.  Statements of the test's own connection
 * block.  A draft points into itself, so it must not be copied.
 */
#include "fixture.h"

#include <poll.h>
#include <stdlib.h>

#include <sodium.h>

#include "postgres/encryption.h"

unsigned batch_max = 32;

/* Before main(), which may change it.  The keys are those of all stores. */
__attribute__((constructor)) static void read_settings(void)
{
	const char *value = getenv("GANGD_BATCH");
	const char *path = getenv("GANGD_KEY_FILE");

	if (value)
		batch_max = (unsigned)strtoul(value, NULL, 10);
	if (sodium_init() < 0 || !encryption_read_keys(path ? path : ""))
		abort();
}

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		fail_msg("%s is not set: run under with-cluster.sh", name);
	return value;
}

const char *app_url(void)
{
	return environment("GANGD_DATABASE_URL");
}

const char *owner_url(void)
{
	return environment("GANGD_MIGRATE_URL");
}

uint64_t now_ms(void)
{
	return clock_monotonic_ns() / MS;
}

/* --- a connection of the test's own --------------------------------------- */

PGconn *sql_open(const char *url)
{
	PGconn *pg = PQconnectdb(url);

	if (PQstatus(pg) != CONNECTION_OK)
		fail_msg("%s", PQerrorMessage(pg));
	return pg;
}

const char *sql(PGconn *pg, const char *format, ...)
{
	static char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	PGresult *res = PQexec(pg, text);
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
	const char *value = "";
	if (state)
		value = state;
	else if (PQntuples(res) > 0)
		value = PQgetvalue(res, 0, 0);
	(void)snprintf(text, sizeof(text), "%s", value);
	PQclear(res);
	return text;
}

void migrate(void)
{
	struct admin *admin = admin_open(owner_url());

	assert_non_null(admin);
	assert_int_equal(admin_migrate(admin), VERDICT_DONE);
	admin_close(admin);
}

/* --- a store and its answers ---------------------------------------------- */

void on_answer(void *arg, const struct store_answer *answer)
{
	struct reply *reply = arg;

	reply->count++;
	reply->result = answer->result;
	reply->was_sent = answer->was_sent;
	reply->at_us = answer->at_us;
	reply->id = answer->id;
	if (answer->game)
		reply->game = *answer->game;
	if (answer->key)
		reply->game.key = *answer->key;
	reply->token_hash = answer->token_hash;
	reply->waiting = answer->waiting;
	reply->rows_count = answer->count;
	reply->events = answer->events;
	reply->listed = answer->listed;
	reply->players = answer->last_seen;
	reply->versions = answer->versions;
	reply->reports = answer->reports;
	reply->more = answer->more || !uuid_is_none(answer->next);
	reply->next = answer->next;
}

void tick(struct store *store, uint64_t most_ms)
{
	struct pollfd fd = { .fd = store_fd(store), .events = POLLIN };
	uint64_t timeout_ns = store_timeout_ns(store);
	uint64_t wait_ms = most_ms;

	if (timeout_ns / MS < most_ms)
		wait_ms = (timeout_ns + MS - 1) / MS;
	(void)poll(&fd, 1, (int)wait_ms);
	store_run(store);
	store_flush(store);
}

void await(struct store *store, const struct reply *answers, size_t count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	size_t there = 0;

	store_flush(store);
	while (there < count) {
		if (answers[there].count > 0) {
			there++;
			continue;
		}
		tick(store, 100);
		if (now_ms() > deadline)
			fail_msg("no answer %zu of %zu", there, count);
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(answers[i].count, 1);
}

void await_ready(struct store *store)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	unsigned room = store_room(store);

	/* With batch_max 0 a store asks first where the games lie. */
	while (!store_is_ready(store) || store_room(store) < room) {
		tick(store, 10);
		if (now_ms() > deadline)
			fail_msg("the store does not get ready");
	}
}

struct store *open_store(const char *url, unsigned connections,
                         unsigned deadline_ms)
{
	struct store_config config = { .url = url,
		                       .connections = connections,
		                       .deadline_ms = deadline_ms,
		                       .batch_max = batch_max };

	return store_open(&config);
}

enum store_result ping(struct store *store)
{
	struct reply answer = { .count = 0 };

	store_ping(store, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

void queue_load(struct store *store, struct uuid id, const uint8_t *key_hash,
                struct arena *arena, struct reply *reply)
{
	struct store_load load = { .id = id, .key_hash = key_hash };

	store_load(store, &load, arena, on_answer, reply);
}

struct reply load(struct store *store, struct uuid id, struct arena *arena)
{
	struct reply answer = { .count = 0 };

	queue_load(store, id, NULL, arena, &answer);
	await(store, &answer, 1);
	return answer;
}

struct reply commit_move(struct store *store, const struct store_move *move)
{
	struct reply answer = { .count = 0 };

	store_commit_move(store, move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

struct reply create(struct store *store, const struct store_move *move)
{
	struct reply answer = { .count = 0 };

	store_create(store, move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

/* --- a game to store ------------------------------------------------------ */

/* Something in every field, and nothing in some parts of the events. */
static void draft_events(struct draft *draft, size_t count)
{
	static const uint8_t open[] = { 0, 1, 255 };
	static const uint8_t secret[] = { 7 };
	static const uint8_t sealed[40] = { 42 };

	for (size_t i = 0; i < count; i++) {
		draft->events[i] = (struct store_event){
			.type = (uint8_t)(i + 1),
			.seat = 1,
			.part = 2,
			.subpart = 3,
			.public_data = open,
			.public_len = i % 2 ? 0 : sizeof(open),
			.private_data = i % 3 ? NULL : secret,
			.private_len = i % 3 ? 0 : sizeof(secret),
			.replay_data = i ? NULL : sealed,
			.replay_len = i ? 0 : sizeof(sealed),
		};
	}
	draft->move.events_count = count;
}

void draft_new(struct draft *draft)
{
	uint8_t rng[10];

	*draft = (struct draft){ .move.game = &draft->game,
		                 .move.events = draft->events };
	randombytes_buf(rng, sizeof(rng));
	randombytes_buf(draft->state, sizeof(draft->state));
	draft->state[0] &= STATE_FORMAT_MAX;
	randombytes_buf(draft->hash, sizeof(draft->hash));
	for (int i = 0; i < STORE_CODE_LEN; i++)
		draft->code[i] = (char)('A' + randombytes_uniform(26));
	draft->game = (struct store_game){
		.id = uuid_make((uint64_t)clock_wall_us() / 1000, rng),
		.version = 2,
		.ruleset = 1,
		.rules_version = 3,
		.mode = "basic",
		.status = "lobby",
		.is_public = true,
		.spectators = false,
		.seats_max = 6,
		.seats_count = 1,
		.host = 1,
		.invite_code = draft->code,
		.state = draft->state,
		.state_len = sizeof(draft->state),
	};
	draft_events(draft, 2);
	draft->move.join = (struct store_join){ .seat = 1,
		                                .name = "Ada \xc3\x9f",
		                                .name_key = "ada ss",
		                                .token_hash = draft->hash };
}

void draft_next(struct draft *draft, size_t count)
{
	draft->game.version += (uint32_t)count;
	draft->move.join.seat = 0;
	draft_events(draft, count);
}

const char *id_text(struct uuid id)
{
	static char text[UUID_TEXT_LEN + 1];

	uuid_print(id, text);
	return text;
}
