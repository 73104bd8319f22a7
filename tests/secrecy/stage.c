/*
 * stage.c - plays a game with the rules themselves, and writes its rows.
 *
 * The log grows with every action that succeeds: its count is the version of
 * the table.  The rows are those that the daemon would have written, replay
 * data included, so that "gangctl replay" accepts the game.  Tokens, names and
 * times depend on the seat and the version alone: two games that differ only in
 * their cards have rows that differ only in cards.
 */
#include "stage.h"

enum {
	STAGE_SQL_MAX = 2048 * 512,
	/* Digits of the ids of the games before and after this one. */
	STAGE_BEFORE = 0x8a,
	STAGE_AFTER = 0x9a,
};

void stage_copy(struct stage *to, const struct stage *from)
{
	*to = *from;
	to->scene.table.state = &to->scene.gang;
}

/* --- playing -------------------------------------------------------------- */

static void stage_note(struct stage *stage, const struct action *action)
{
	const struct events *events = &stage->scene.events;

	for (unsigned i = 0; i < events->count; i++) {
		assert_true(stage->count < STAGE_LOG_MAX);
		stage->log[stage->count++] = (struct happening){
			.event = events->list[i],
			.is_first = i == 0,
			.action = *action,
			.rng = stage->scene.rng,
		};
	}
}

enum err stage_act(struct stage *stage, const struct action *action,
                   struct sim_random *random)
{
	uint8_t seed[RNG_SEED_SIZE];

	sim_seed(random, seed);
	enum err err = scene_act(&stage->scene, action, seed);
	if (err)
		return err;
	stage_note(stage, action);
	assert_int_equal(stage->scene.table.version, stage->count);
	return ERR_OK;
}

void stage_open(struct stage *stage, unsigned number, unsigned players,
                const struct player_policy *policy, struct sim_random *random)
{
	struct table *table = &stage->scene.table;
	struct action create = player_create(policy, random);
	struct action join = { .verb = VERB_JOIN };

	create.args[CREATE_SEATS] = (uint8_t)players;
	stage->count = 0;
	(void)snprintf(stage->id, sizeof(stage->id),
	               "01890a5d-ac96-774b-bcce-%012u", number);
	(void)snprintf(stage->code, sizeof(stage->code), "%08u", number);
	player_open_table(table, &stage->scene.gang);
	table->is_public = sim_percent(random, 50);
	table->spectators = sim_percent(random, 50);
	stage->is_rematch = sim_percent(random, 30);
	assert_int_equal(stage_act(stage, &create, random), ERR_OK);
	while (table->seats < players)
		assert_int_equal(stage_act(stage, &join, random), ERR_OK);
	assert_int_equal(table->status, STATUS_PLAYING);
}

/* The id of a game that came before or after this one. */
static void stage_other(const struct stage *stage, uint8_t digit,
                        struct uuid *other)
{
	assert_true(uuid_parse(stage->id, strlen(stage->id), other));
	other->bytes[sizeof(other->bytes) - 8] = digit;
}

void stage_go_on(struct stage *stage, struct sim_random *random)
{
	struct action rematch = { .verb = VERB_REMATCH, .seat = 1 };
	struct uuid other;

	stage_other(stage, STAGE_AFTER, &other);
	memcpy(rematch.args, other.bytes, sizeof(other.bytes));
	assert_int_equal(stage_act(stage, &rematch, random), ERR_OK);
}

/* --- tokens --------------------------------------------------------------- */

void stage_token(unsigned seat, char text[TOKEN_TEXT_LEN + 1])
{
	uint8_t bits[32] = { (uint8_t)seat, 42 };

	token_print(bits, text);
}

static void stage_token_hash(unsigned seat, uint8_t hash[TOKEN_HASH_SIZE])
{
	char text[TOKEN_TEXT_LEN + 1];

	stage_token(seat, text);
	assert_true(token_parse(text, TOKEN_TEXT_LEN, hash));
}

/* --- into the database ---------------------------------------------------- */

/* A batch of statements. */
struct statement_text {
	size_t len;
	char text[STAGE_SQL_MAX];
};

static void put(struct statement_text *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void put(struct statement_text *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	out->len +=
		(size_t)vsnprintf(out->text + out->len,
	                          sizeof(out->text) - out->len, format, args);
	va_end(args);
	assert_true(out->len < sizeof(out->text));
}

static void put_bytea(struct statement_text *out, const uint8_t *bytes,
                      size_t len)
{
	if (len == 0) {
		put(out, ",NULL");
		return;
	}
	put(out, ",'\\x");
	for (size_t i = 0; i < len; i++)
		put(out, "%02x", bytes[i]);
	put(out, "'");
}

static void put_other(struct statement_text *out, const struct stage *stage,
                      uint8_t digit, bool is_there)
{
	char text[UUID_TEXT_LEN + 1];
	struct uuid other;

	if (!is_there) {
		put(out, ",NULL");
		return;
	}
	stage_other(stage, digit, &other);
	uuid_print(other, text);
	put(out, ",'%s'", text);
}

static void put_game(struct statement_text *out, const struct stage *stage)
{
	const struct table *table = &stage->scene.table;
	uint8_t state[RULESET_STATE_MAX];
	size_t len = gang_encode(&stage->scene.gang, state);

	put(out,
	    "INSERT INTO gangd.game (game_id, created_at, updated_at, "
	    "version, ruleset, rules_version, seats_max, seats_count, host, "
	    "is_public, spectators, mode, status, invite_code, state, "
	    "rematch, rematch_of) VALUES "
	    "('%s','2026-01-31 12:00:00Z','2026-01-31 13:00:00Z',%u,%u,%u,%u,"
	    "%u,%u,%s,%s,'%s','%s','%s'",
	    stage->id, stage->count, table->rules->number,
	    table->rules->rules_version, table->seats_max, table->seats,
	    table->host, table->is_public ? "true" : "false",
	    table->spectators ? "true" : "false", table->mode,
	    status_code(table->status), stage->code);
	put_bytea(out, state, len);
	put_other(out, stage, STAGE_AFTER, table->has_rematch);
	put_other(out, stage, STAGE_BEFORE, stage->is_rematch);
	put(out, "); INSERT INTO gangd.invitation VALUES ('%s','%s');",
	    stage->code, stage->id);
}

static void put_seats(struct statement_text *out, const struct stage *stage)
{
	for (unsigned seat = 1; seat <= stage->scene.table.seats; seat++) {
		uint8_t hash[TOKEN_HASH_SIZE];

		stage_token_hash(seat, hash);
		put(out, "INSERT INTO gangd.seat VALUES ('%s',%u,'N%u','n%u'",
		    stage->id, seat, seat, seat);
		put_bytea(out, hash, sizeof(hash));
		put(out, ");");
	}
}

static void put_event(struct statement_text *out, const char *id,
                      unsigned version, const struct happening *happening)
{
	const struct event *event = &happening->event;
	uint8_t sealed[REPLAY_DATA_MAX];
	size_t len = 0;

	if (happening->is_first)
		len = replay_data_write(&happening->action, &happening->rng,
		                        sealed);
	put(out, "%s('%s',%u,'2026-01-31 12:%02u:%02uZ',%u,%u,%u,%u",
	    version == 1 ? "" : ",", id, version, version / 60 % 60,
	    version % 60, event->type, event->seat, event->part,
	    event->subpart);
	put_bytea(out, event->public_data, event->public_len);
	put_bytea(out, event->private_data, event->private_len);
	put_bytea(out, sealed, len);
	put(out, ")");
}

static void stage_run(PGconn *pg, const struct statement_text *out)
{
	PGresult *res = PQexec(pg, out->text);

	if (PQresultStatus(res) != PGRES_COMMAND_OK)
		fail_msg("%s", PQresultErrorMessage(res));
	PQclear(res);
}

static void put_removal(struct statement_text *out, const struct stage *stage)
{
	put(out,
	    "SELECT gangd.delete_game(game_id, version) FROM gangd.game "
	    "WHERE game_id = '%s';"
	    "DELETE FROM gangd.invitation WHERE code = '%s';",
	    stage->id, stage->code);
}

void stage_remove(PGconn *pg, const struct stage *stage)
{
	static struct statement_text out;

	out.len = 0;
	put_removal(&out, stage);
	stage_run(pg, &out);
}

void stage_write(PGconn *pg, const struct stage *stage)
{
	static struct statement_text out;

	out.len = 0;
	put_removal(&out, stage);
	put_game(&out, stage);
	put_seats(&out, stage);
	put(&out, "INSERT INTO gangd.event VALUES ");
	for (unsigned i = 0; i < stage->count; i++)
		put_event(&out, stage->id, i + 1, &stage->log[i]);
	stage_run(pg, &out);
}
