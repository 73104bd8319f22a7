/*
 * test_live.c - what is kept beside the moves of a game: when its players were
 * heard of, tickets for its streams, from where it was made; against a real
 * server.
 */
#include "group.h"

enum { STEP_US = 10 * 1000 * 1000 };

/* --- asking --------------------------------------------------------------- */

struct live_answer {
	unsigned count; /* how often it was told; once is right */
	enum store_result result;
	const struct store_last_seen *players;
	size_t players_count;
	const uint8_t *hash;
	struct store_waiting waiting;
};

static void on_presence(void *arg, const struct store_answer *got)
{
	struct live_answer *answer = arg;

	answer->count++;
	answer->result = got->result;
	answer->players = got->players;
	answer->players_count = got->count;
}

static void on_hash(void *arg, const struct store_answer *got)
{
	struct live_answer *answer = arg;

	answer->count++;
	answer->result = got->result;
	answer->hash = got->token_hash;
	assert_int_equal(got->token_hash != NULL, got->result == STORE_OK);
}

static void on_waiting(void *arg, const struct store_answer *got)
{
	struct live_answer *answer = arg;

	answer->count++;
	answer->result = got->result;
	answer->waiting = got->waiting;
}

static void await_live(const struct live_answer *answers, size_t count)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	store_flush(store);
	for (size_t i = 0; i < count; i++) {
		while (!answers[i].count && now_ms() < deadline)
			tick(store, 100);
		assert_int_equal(answers[i].count, 1);
	}
}

static struct live_answer presence(struct uuid id)
{
	struct live_answer answer = { .count = 0 };

	store_last_seen(store, id, &arena, on_presence, &answer);
	await_live(&answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer;
}

static enum store_result hear(const struct store_seen *heard, size_t count)
{
	struct reply answer = { .count = 0 };

	store_update_last_seen(store, heard, count, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

static void queue_record(const struct store_seen *heard, struct reply *answer)
{
	store_record_last_seen(store, heard->game, heard->token_hash, on_answer,
	                       answer);
	store_flush(store);
}

static struct reply record(const struct store_seen *heard)
{
	struct reply answer = { .count = 0 };

	queue_record(heard, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct reply give(struct uuid id, const uint8_t *ticket,
                         const uint8_t *token)
{
	struct reply answer = { .count = 0 };

	store_give_ticket(store, id, ticket, token, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct live_answer use(struct uuid id, const uint8_t *ticket)
{
	struct live_answer answer = { .count = 0 };

	store_use_ticket(store, id, ticket, &arena, on_hash, &answer);
	await_live(&answer, 1);
	return answer;
}

static struct store_waiting waiting_of(const uint8_t *address)
{
	struct live_answer answer = { .count = 0 };

	store_count_waiting(store, address, on_waiting, &answer);
	await_live(&answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer.waiting;
}

static uint32_t count_waiting(const uint8_t *address)
{
	return waiting_of(address).of_address;
}

/* --- games and players ---------------------------------------------------- */

static struct store_seen player(struct uuid game, unsigned number)
{
	struct store_seen heard = { .game = game };

	hash_of(number, heard.token_hash);
	return heard;
}

/* All that were heard of were so an hour ago, and a bit. */
static void set_back(struct uuid id)
{
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '1 hour' "
	    "WHERE game_id = '%s'",
	    id_text(id));
}

/* For each seat in its order: "+" was heard of now, "-" long ago. */
static void assert_heard(struct uuid id, const char *should)
{
	struct live_answer found = presence(id);
	char text[STORE_SEATS_MAX + 1] = "      ";

	for (size_t i = 0; i < found.players_count; i++) {
		const struct store_last_seen *seat = &found.players[i];
		int64_t ago_us = seat->now_us - seat->last_seen_us;

		assert_in_range(seat->seat, 1, STORE_SEATS_MAX);
		assert_true(ago_us >= 0);
		text[seat->seat - 1] = ago_us < STEP_US + 5000000 ? '+' : '-';
		if (text[seat->seat - 1] == '+')
			assert_int_equal(seat->last_seen_us % STEP_US, 0);
	}
	text[strcspn(text, " ")] = '\0';
	assert_string_equal(text, should);
}

/* --- who was heard of ----------------------------------------------------- */

static void joining_sets_last_seen(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	assert_heard(draft.game.id, "+++");
	assert_true(presence(draft.game.id).players[0].now_us -
	                    clock_wall_us() <
	            60000000);
	draft_new(&draft);
	assert_int_equal(presence(draft.game.id).players_count, 0);
}

static void a_request_updates_last_seen(void **state)
{
	struct store_seen heard[3];
	struct draft draft;
	struct draft other;

	(void)state;
	create_table(&draft, 4);
	create_table(&other, 3);
	set_back(draft.game.id);
	set_back(other.game.id);
	assert_heard(draft.game.id, "----");
	heard[0] = player(draft.game.id, 2);
	heard[1] = player(other.game.id, 1);
	heard[2] = player(draft.game.id, 4);
	assert_int_equal(hear(heard, 3), STORE_OK);
	assert_heard(draft.game.id, "-+-+");
	assert_heard(other.game.id, "+--");
}

/* Two loops, or a place that two share: the same player may come twice. */
static void a_seat_noted_twice_is_updated_once(void **state)
{
	struct store_seen heard[3];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	heard[0] = heard[1] = heard[2] = player(draft.game.id, 3);
	assert_int_equal(hear(heard, 3), STORE_OK);
	assert_heard(draft.game.id, "--+");
}

static void unknown_seats_are_not_updated(void **state)
{
	struct store_seen heard[3];
	char before[TEXT_MAX];
	struct draft draft;
	struct draft other;

	(void)state;
	create_table(&draft, 3);
	create_table(&other, 5);
	set_back(draft.game.id);
	keep_rows(draft.game.id, before);
	heard[0] = player(draft.game.id, 5);
	heard[1] = player(draft.game.id, 9);
	draft_new(&other);
	heard[2] = player(other.game.id, 1);
	assert_int_equal(hear(heard, 3), STORE_OK);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* As when it is written every ten seconds, it is never set back. */
static void last_seen_is_written_once_a_step(void **state)
{
	struct store_seen heard;
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	heard = player(draft.game.id, 2);
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() + interval '1 minute' "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	keep_rows(draft.game.id, before);
	assert_int_equal(hear(&heard, 1), STORE_OK);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* A note waits for nobody: it would hold all others of its second up. */
static void a_locked_seat_keeps_its_last_seen(void **state)
{
	struct store_seen heard[2];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	heard[0] = player(draft.game.id, 1);
	heard[1] = player(draft.game.id, 2);
	sql(owner, "BEGIN");
	sql(owner, "DELETE FROM gangd.seat WHERE game_id = '%s' AND seat = 2",
	    id_text(draft.game.id));
	assert_int_equal(hear(heard, 2), STORE_OK);
	sql(owner, "ROLLBACK");
	assert_heard(draft.game.id, "+--");
	assert_int_equal(hear(heard, 2), STORE_OK);
	assert_heard(draft.game.id, "++-");
}

/* Nor does a move wait for a note, nor a note for a move. */
static void a_move_commits_meanwhile(void **state)
{
	struct store_seen heard;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	sql(owner, "BEGIN");
	sql(owner,
	    "SELECT 1 FROM gangd.seat WHERE game_id = '%s' "
	    "FOR NO KEY UPDATE",
	    id_text(draft.game.id));
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	sql(owner, "ROLLBACK");

	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft.game.id));
	heard = player(draft.game.id, 3);
	assert_int_equal(hear(&heard, 1), STORE_OK);
	sql(owner, "ROLLBACK");
	assert_heard(draft.game.id, "--+");
}

static void one_statement_updates_as_many_seats_as_fit(void **state)
{
	static struct store_seen heard[STORE_SEEN_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	for (size_t i = 0; i < ARRAY_LEN(heard); i++)
		heard[i] = player(draft.game.id, 7);
	heard[STORE_SEEN_MAX - 1] = player(draft.game.id, 2);
	assert_int_equal(hear(heard, STORE_SEEN_MAX), STORE_OK);
	assert_heard(draft.game.id, "-+-");
}

static void last_seen_moves_up_with_the_player(void **state)
{
	struct store_seen heard;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	heard = player(draft.game.id, 3);
	assert_int_equal(hear(&heard, 1), STORE_OK);
	draft.game.seats_count = 2;
	draft.move.leave = (struct store_leave){ .seat = 1, .closes_up = true };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_heard(draft.game.id, "-+");
}

static void taking_a_seat_over_sets_last_seen(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	draft.game.status = "playing";
	set_back(draft.game.id);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	hash_of(9, draft.hash);
	draft.move.join = (struct store_join){ .seat = 2,
		                               .name = "n",
		                               .name_key = "n",
		                               .token_hash = draft.hash };
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	assert_heard(draft.game.id, "-+-");
}

/* --- players who come back ------------------------------------------------ */

static void set_absence(struct uuid id, const char *seconds)
{
	sql(owner,
	    "UPDATE gangd.game SET absence_seconds = %s WHERE game_id = '%s'",
	    seconds, id_text(id));
}

static void assert_stale(struct uuid id, const char *should)
{
	static const uint8_t key[STORE_HASH_SIZE] = { 1 };
	struct reply loaded[2] = { { .count = 0 }, { .count = 0 } };

	store_load(store, id, NULL, &arena, on_answer, &loaded[0]);
	store_load(store, id, key, &arena, on_answer, &loaded[1]);
	await(store, loaded, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct store_game *game = &loaded[i].game;
		char text[STORE_SEATS_MAX + 1] = "";

		for (size_t seat = 0; seat < game->seats_count; seat++)
			text[seat] = game->seats[seat].is_stale ? 's' : '.';
		assert_string_equal(text, should);
	}
}

static void a_seat_is_stale_after_half_the_absence(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 4);
	assert_stale(draft.game.id, "....");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - "
	    "(ARRAY[0, 290, 301, 100000])[seat] * interval '1 second' "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_stale(draft.game.id, "....");
	set_absence(draft.game.id, "600");
	assert_stale(draft.game.id, "..ss");
	set_absence(draft.game.id, "120");
	assert_stale(draft.game.id, ".sss");
	set_absence(draft.game.id, "604800");
	assert_stale(draft.game.id, "....");
	/* Nobody sits there, and so it is nobody's. */
	set_absence(draft.game.id, "120");
	draft.move.leave = (struct store_leave){ .seat = 3 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_stale(draft.game.id, ".s.s");
}

static void an_updated_seat_is_not_stale(void **state)
{
	struct store_seen heard;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_absence(draft.game.id, "120");
	set_back(draft.game.id);
	heard = player(draft.game.id, 2);
	struct reply recorded = record(&heard);
	assert_int_equal(recorded.result, STORE_OK);
	assert_true(recorded.at_us > 0);
	assert_heard(draft.game.id, "-+-");
	assert_stale(draft.game.id, "s.s");
	assert_int_equal(record(&heard).result, STORE_OK);
}

static void recording_an_unknown_seat_changes_nothing(void **state)
{
	struct store_seen heard;
	char before[TEXT_MAX];
	struct draft draft;
	struct draft none;

	(void)state;
	create_table(&draft, 3);
	keep_rows(draft.game.id, before);
	heard = player(draft.game.id, 9);
	assert_int_equal(record(&heard).result, STORE_NONE);
	draft_new(&none);
	heard = player(none.game.id, 1);
	assert_int_equal(record(&heard).result, STORE_NONE);
	assert_string_equal(all_rows(draft.game.id), before);
}

/* The answer that it belongs to is given by somebody who still sits there. */
static void an_update_of_last_seen_waits_for_a_removal(void **state)
{
	static const char *const ends[] = { "ROLLBACK", "COMMIT" };
	static const enum store_result results[] = { STORE_OK, STORE_NONE };
	struct store_seen heard;
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	heard = player(draft.game.id, 2);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct reply answer = { .count = 0 };

		sql(owner, "BEGIN");
		sql(owner,
		    "DELETE FROM gangd.seat WHERE game_id = '%s' AND seat = 2",
		    id_text(draft.game.id));
		queue_record(&heard, &answer);
		await_waiting(1);
		assert_int_equal(answer.count, 0);
		sql(owner, "%s", ends[i]);
		await(store, &answer, 1);
		assert_int_equal(answer.result, results[i]);
	}
}

/* As it was decided against; of one who is removed by the host it is 0. */
static void a_player_seen_meanwhile_is_not_removed(void **state)
{
	static const uint8_t hash[STORE_HASH_SIZE] = { 3 };
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	set_back(draft.game.id);
	int64_t last_seen_us = presence(draft.game.id).players[1].last_seen_us;
	keep_rows(draft.game.id, before);
	draft.move.leave =
		(struct store_leave){ .seat = 2, .renews_code = true };
	draft.game.invite_code = "NEWCODE1";
	for (unsigned is_keyed = 0; is_keyed < 2; is_keyed++) {
		if (is_keyed)
			draft.move.key = (struct store_key){ hash, hash };
		draft.move.leave.last_seen_us = last_seen_us + 1;
		assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
		draft.move.leave.last_seen_us = last_seen_us - 1;
		assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
	}
	assert_string_equal(all_rows(draft.game.id), before);
	draft.move.leave.last_seen_us = last_seen_us;
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_int_equal(presence(draft.game.id).players_count, 2);
}

static void a_removal_waits_for_an_update_of_last_seen(void **state)
{
	static const char *const ends[] = { "COMMIT", "ROLLBACK" };
	static const enum store_result results[] = { STORE_CONFLICT, STORE_OK };
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct reply answer = { .count = 0 };

		set_back(draft.game.id);
		draft.move.leave.last_seen_us =
			presence(draft.game.id).players[1].last_seen_us;
		sql(owner, "BEGIN");
		sql(owner,
		    "UPDATE gangd.seat SET last_seen = now() "
		    "WHERE game_id = '%s' AND seat = 2",
		    id_text(draft.game.id));
		store_leave(store, &draft.move, on_answer, &answer);
		store_flush(store);
		await_waiting(1);
		sql(owner, "%s", ends[i]);
		await(store, &answer, 1);
		assert_int_equal(answer.result, results[i]);
	}
}

/* --- tickets -------------------------------------------------------------- */

static const uint8_t some_ticket[STORE_HASH_SIZE] = { 1, 2, 3 };
static const uint8_t other_ticket[STORE_HASH_SIZE] = { 1, 2, 4 };
static const uint8_t some_token[STORE_HASH_SIZE] = { 7, 8 };

static const char *count_tickets(struct uuid id)
{
	return sql(owner,
	           "SELECT count(*) FROM gangd.stream_ticket "
	           "WHERE game_id = '%s'",
	           id_text(id));
}

static void grow_old(struct uuid id, unsigned ms)
{
	sql(owner,
	    "UPDATE gangd.stream_ticket "
	    "SET at = at - make_interval(secs => %u.%03u) WHERE game_id = '%s'",
	    ms / 1000, ms % 1000, id_text(id));
}

static void a_ticket_is_used_once(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	struct reply given = give(draft.game.id, some_ticket, some_token);
	assert_int_equal(given.result, STORE_OK);
	assert_true(given.at_us > 0);
	assert_int_equal(use(draft.game.id, other_ticket).result, STORE_NONE);
	struct live_answer used = use(draft.game.id, some_ticket);
	assert_int_equal(used.result, STORE_OK);
	assert_memory_equal(used.hash, some_token, sizeof(some_token));
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_NONE);
}

static void only_one_of_many_uses_a_ticket(void **state)
{
	enum { TRIES = 64 };
	struct live_answer answers[TRIES] = { { .count = 0 } };
	struct draft draft;
	unsigned good = 0;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_ticket, some_token);
	for (size_t i = 0; i < TRIES; i++)
		store_use_ticket(store, draft.game.id, some_ticket, &arena,
		                 on_hash, &answers[i]);
	await_live(answers, TRIES);
	for (size_t i = 0; i < TRIES; i++)
		good += answers[i].result == STORE_OK;
	assert_int_equal(good, 1);
}

static void a_ticket_is_good_for_thirty_seconds(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_ticket, some_token);
	grow_old(draft.game.id, 25000);
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_OK);
	(void)give(draft.game.id, some_ticket, some_token);
	grow_old(draft.game.id, 30001);
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_NONE);
	/* It lies there, and goes with the next one that is given. */
	assert_string_equal(count_tickets(draft.game.id), "1");
	(void)give(draft.game.id, other_ticket, some_token);
	assert_string_equal(count_tickets(draft.game.id), "1");
	assert_int_equal(use(draft.game.id, other_ticket).result, STORE_OK);
}

static void a_ticket_is_good_in_its_game_only(void **state)
{
	struct draft draft;
	struct draft other;

	(void)state;
	create_table(&draft, 1);
	create_table(&other, 1);
	(void)give(draft.game.id, some_ticket, some_token);
	assert_int_equal(use(other.game.id, some_ticket).result, STORE_NONE);
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_OK);
}

static void a_deleted_game_has_no_tickets(void **state)
{
	struct reply deleted = { .count = 0 };
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_ticket, some_token);
	store_delete(store, draft.game.id, draft.game.version - 1, on_answer,
	             &deleted);
	await(store, &deleted, 1);
	assert_int_equal(deleted.result, STORE_OK);
	assert_string_equal(count_tickets(draft.game.id), "0");
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_NONE);
	assert_int_equal(give(draft.game.id, some_ticket, some_token).result,
	                 STORE_NONE);
	assert_string_equal(count_tickets(draft.game.id), "0");
}

/* It stands for a player, not for a seat. */
static void a_ticket_follows_its_player_to_another_seat(void **state)
{
	uint8_t token[STORE_HASH_SIZE];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	hash_of(3, token);
	(void)give(draft.game.id, some_ticket, token);
	draft.game.seats_count = 2;
	draft.move.leave = (struct store_leave){ .seat = 1, .closes_up = true };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	struct live_answer used = use(draft.game.id, some_ticket);
	assert_int_equal(used.result, STORE_OK);
	assert_memory_equal(used.hash, token, sizeof(token));
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_memory_equal(loaded.game.seats[1].token_hash, token,
	                    sizeof(token));
}

/* Neither its version nor anything else that is loaded. */
static void updating_last_seen_changes_nothing_in_the_game(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	keep_rows(draft.game.id, before);
	(void)give(draft.game.id, some_ticket, some_token);
	(void)use(draft.game.id, some_ticket);
	assert_string_equal(all_rows(draft.game.id), before);

	/* Nor does it wait for a move that is being kept. */
	sql(owner, "BEGIN");
	sql(owner, "UPDATE gangd.game SET host = 2 WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(give(draft.game.id, some_ticket, some_token).result,
	                 STORE_OK);
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_OK);
	sql(owner, "ROLLBACK");
}

/* --- from where a game was made ------------------------------------------- */

static const uint8_t here[STORE_ADDRESS_SIZE] = {
	[10] = 255, 255, 10, 0, 0, 1
};
static const uint8_t there[STORE_ADDRESS_SIZE] = { [15] = 1 };

static void create_from(struct draft *draft, const uint8_t *address,
                        bool is_public)
{
	draft_new(draft);
	draft->game.is_public = is_public;
	draft->game.creator_address = address;
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	draft_next(draft, 1);
}

static const char *creator_address(struct uuid id)
{
	return sql(owner,
	           "SELECT coalesce(encode(creator_address_hash, 'hex'), "
	           "'forgotten') "
	           "FROM gangd.game WHERE game_id = '%s'",
	           id_text(id));
}

static void games_of_an_address_count_while_in_the_lobby(void **state)
{
	struct draft draft;

	(void)state;
	sql(owner, "DELETE FROM gangd.game");
	assert_int_equal(count_waiting(here), 0);
	create_from(&draft, here, true);
	create_from(&draft, there, true);
	create_from(&draft, here, false);
	create_from(&draft, NULL, true);
	assert_int_equal(count_waiting(here), 1);
	create_from(&draft, here, true);
	assert_int_equal(count_waiting(here), 2);
	assert_int_equal(count_waiting(there), 1);

	/* Somebody joins, and it waits on; then it begins. */
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 2);
	draft_next(&draft, 1);
	draft.game.status = "playing";
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 1);
	assert_string_equal(creator_address(draft.game.id), "forgotten");
	/* For good, whatever comes. */
	draft_next(&draft, 1);
	draft.game.status = "lobby";
	assert_int_equal(keep(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 1);
}

static void a_deleted_game_is_not_in_the_lobby(void **state)
{
	struct reply deleted = { .count = 0 };
	struct draft draft;

	(void)state;
	sql(owner, "DELETE FROM gangd.game");
	create_from(&draft, here, true);
	store_delete(store, draft.game.id, draft.game.version - 1, on_answer,
	             &deleted);
	await(store, &deleted, 1);
	assert_int_equal(count_waiting(here), 0);
}

static void an_address_is_stored_as_a_hash(void **state)
{
	char kept[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_from(&draft, here, true);
	(void)snprintf(kept, sizeof(kept), "%s",
	               creator_address(draft.game.id));
	assert_int_equal(strlen(kept), 2 * STORE_HASH_SIZE);
	assert_null(strstr(kept, "0a000001"));
	draft_new(&draft);
	draft.game.creator_address = here;
	draft.game.status = "playing";
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	assert_string_equal(creator_address(draft.game.id), "forgotten");
}

/* The key, whose owner combined it with the pads of HMAC. */
static void read_secret(uint8_t key[crypto_auth_hmacsha256_KEYBYTES])
{
	char hex[TEXT_MAX];
	size_t len;

	(void)snprintf(hex, sizeof(hex), "%s",
	               sql(owner, "SELECT encode(substr(inner_pad, 1, 32), "
	                          "'hex') FROM gangd.address_secret"));
	assert_int_equal(sodium_hex2bin(key, crypto_auth_hmacsha256_KEYBYTES,
	                                hex, strlen(hex), NULL, &len, NULL),
	                 0);
	assert_int_equal(len, crypto_auth_hmacsha256_KEYBYTES);
	for (size_t i = 0; i < len; i++)
		key[i] ^= 0x36;
}

/* All IPv4 addresses are soon hashed, but not without the secret. */
static void the_hash_is_keyed(void **state)
{
	uint8_t key[crypto_auth_hmacsha256_KEYBYTES];
	uint8_t mac[crypto_auth_hmacsha256_BYTES];
	char hex[2 * sizeof(mac) + 1];
	struct draft draft;
	PGconn *app = sql_open(app_url());

	(void)state;
	create_from(&draft, here, true);
	read_secret(key);
	assert_false(sodium_is_zero(key, sizeof(key)));
	crypto_auth_hmacsha256(mac, here, STORE_ADDRESS_SIZE, key);
	(void)sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	assert_string_equal(creator_address(draft.game.id), hex);
	crypto_hash_sha256(mac, here, STORE_ADDRESS_SIZE);
	(void)sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	assert_string_not_equal(creator_address(draft.game.id), hex);

	assert_string_equal(sql(app, "SELECT 1 FROM gangd.address_secret"),
	                    "42501");
	assert_string_equal(sql(app, "UPDATE gangd.address_secret "
	                             "SET inner_pad = outer_pad"),
	                    "42501");
	assert_string_equal(sql(app, "SELECT octet_length("
	                             "gangd.hash_address('x'))"),
	                    "32");
	PQfinish(app);
}

/* Who has 48 bits of IPv6 has 65,536 networks, each counted by itself. */
static void games_of_a_site_are_counted_together(void **state)
{
	static const uint8_t homes[][STORE_ADDRESS_SIZE] = {
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 7, 0, 1 },
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 7, 0, 2 },
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 8, 0, 1 },
	};
	struct draft drafts[ARRAY_LEN(homes)];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(homes); i++)
		create_from(&drafts[i], homes[i], true);
	assert_int_equal(waiting_of(homes[0]).of_address, 1);
	assert_int_equal(waiting_of(homes[0]).of_site, 2);
	assert_int_equal(waiting_of(homes[2]).of_site, 1);
	drafts[1].game.status = "playing";
	assert_int_equal(keep(store, &drafts[1].move).result, STORE_OK);
	assert_int_equal(waiting_of(homes[0]).of_site, 1);
	/* All of IPv4 is no site. */
	struct draft other;
	create_from(&other, here, true);
	assert_int_equal(waiting_of(here).of_site, 0);
}

static void the_allowed_absence_is_stored(void **state)
{
	static const uint32_t seconds[] = { 0, 120, 604800 };
	struct draft draft;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(seconds); i++) {
		draft_new(&draft);
		draft.game.absence_s = seconds[i];
		assert_int_equal(create(store, &draft.move).result, STORE_OK);
		draft_next(&draft, 1);
		assert_int_equal(keep(store, &draft.move).result, STORE_OK);
		struct reply loaded = load(store, draft.game.id, &arena);
		assert_int_equal(loaded.game.absence_s, seconds[i]);
	}
}

/* Whoever was away has as long as anybody else to come. */
static void players_of_a_rematch_begin_as_present(void **state)
{
	struct reply answer = { .count = 0 };
	struct store_seen heard;
	struct draft draft;
	struct draft next;

	(void)state;
	create_table(&draft, 4);
	set_back(draft.game.id);
	heard = player(draft.game.id, 3);
	assert_int_equal(hear(&heard, 1), STORE_OK);
	draft.game.status = "won";
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft_new(&next);
	next.game.rematch_of = draft.game.id;
	next.game.seats_count = 3;
	next.game.absence_s = 120;
	next.move.join.seat = 0;
	store_rematch(store, &draft.move, &next.move, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_heard(next.game.id, "+++");
	assert_int_equal(load(store, next.game.id, &arena).game.absence_s, 120);
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(joining_sets_last_seen),
		ON_A_STORE(a_request_updates_last_seen),
		ON_A_STORE(a_seat_noted_twice_is_updated_once),
		ON_A_STORE(unknown_seats_are_not_updated),
		ON_A_STORE(last_seen_is_written_once_a_step),
		ON_A_STORE(a_locked_seat_keeps_its_last_seen),
		ON_A_STORE(a_move_commits_meanwhile),
		ON_A_STORE(one_statement_updates_as_many_seats_as_fit),
		ON_A_STORE(last_seen_moves_up_with_the_player),
		ON_A_STORE(taking_a_seat_over_sets_last_seen),
		ON_A_STORE(a_seat_is_stale_after_half_the_absence),
		ON_A_STORE(an_updated_seat_is_not_stale),
		ON_A_STORE(recording_an_unknown_seat_changes_nothing),
		ON_A_STORE(an_update_of_last_seen_waits_for_a_removal),
		ON_A_STORE(a_player_seen_meanwhile_is_not_removed),
		ON_A_STORE(a_removal_waits_for_an_update_of_last_seen),
		ON_A_STORE(a_ticket_is_used_once),
		ON_A_STORE(only_one_of_many_uses_a_ticket),
		ON_A_STORE(a_ticket_is_good_for_thirty_seconds),
		ON_A_STORE(a_ticket_is_good_in_its_game_only),
		ON_A_STORE(a_deleted_game_has_no_tickets),
		ON_A_STORE(a_ticket_follows_its_player_to_another_seat),
		ON_A_STORE(updating_last_seen_changes_nothing_in_the_game),
		ON_A_STORE(games_of_an_address_count_while_in_the_lobby),
		ON_A_STORE(a_deleted_game_is_not_in_the_lobby),
		ON_A_STORE(an_address_is_stored_as_a_hash),
		ON_A_STORE(the_hash_is_keyed),
		ON_A_STORE(games_of_a_site_are_counted_together),
		ON_A_STORE(the_allowed_absence_is_stored),
		ON_A_STORE(players_of_a_rematch_begin_as_present),
	};

	return cmocka_run_group_tests_name("live", tests, open_all, close_all);
}
