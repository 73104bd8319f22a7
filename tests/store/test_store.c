/*
 * test_store.c - every statement, every function, and two connections in each
 * other's way; against a real server.
 */
#include "group.h"
#include "store/encryption.h"

/* --- one game ------------------------------------------------------------- */

static void assert_same_game(const struct store_game *is,
                             const struct store_game *should)
{
	assert_memory_equal(&is->id, &should->id, sizeof(is->id));
	assert_int_equal(is->version, should->version);
	assert_int_equal(is->ruleset, should->ruleset);
	assert_int_equal(is->rules_version, should->rules_version);
	assert_int_equal(is->mode != NULL, should->mode != NULL);
	if (should->mode)
		assert_string_equal(is->mode, should->mode);
	assert_string_equal(is->status, should->status);
	assert_int_equal(is->is_public, should->is_public);
	assert_int_equal(is->spectators, should->spectators);
	assert_int_equal(is->seats_max, should->seats_max);
	assert_int_equal(is->seats_count, should->seats_count);
	assert_int_equal(is->host, should->host);
	assert_string_equal(is->invite_code, should->invite_code);
	assert_int_equal(is->state_len, should->state_len);
	assert_memory_equal(is->state, should->state, is->state_len);
}

static void assert_same_part(const uint8_t *is, size_t is_len,
                             const uint8_t *should, size_t should_len)
{
	assert_int_equal(is != NULL, should_len > 0);
	assert_int_equal(is_len, should_len);
	if (is)
		assert_memory_equal(is, should, is_len);
}

static void assert_same_event(const struct store_event *is,
                              const struct store_event *should)
{
	assert_int_equal(is->type, should->type);
	assert_int_equal(is->seat, should->seat);
	assert_int_equal(is->heist, should->heist);
	assert_int_equal(is->color, should->color);
	assert_same_part(is->public_data, is->public_len, should->public_data,
	                 should->public_len);
	assert_same_part(is->private_data, is->private_len,
	                 should->private_data, should->private_len);
}

static struct reply find(const char *code)
{
	struct reply answer = { .count = 0 };

	store_find_invitation(store, code, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct reply events(struct uuid id, uint32_t after, uint32_t up_to,
                           unsigned limit)
{
	struct reply answer = { .count = 0 };
	struct store_page page = { .after = after,
		                   .up_to = up_to,
		                   .limit = limit };

	store_events(store, id, page, &arena, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct reply delete (struct uuid id, uint32_t version)
{
	struct reply answer = { .count = 0 };

	store_delete(store, id, version, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static void a_created_game_can_be_loaded(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	struct reply created = create(store, &draft.move);
	assert_int_equal(created.result, STORE_OK);
	assert_true(llabs(created.at_us - clock_wall_us()) < 60 * 1000000);

	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.created_us == created.at_us);
	assert_true(loaded.game.updated_us == created.at_us);
	assert_string_equal(loaded.game.seats[0].name, draft.move.join.name);
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);

	struct reply found = find(draft.code);
	assert_int_equal(found.result, STORE_OK);
	assert_memory_equal(&found.id, &draft.game.id, sizeof(found.id));
}

static void a_game_may_have_no_mode_and_a_state_of_2_kib(void **state)
{
	uint8_t bytes[2048];
	struct draft draft;

	(void)state;
	draft_new(&draft);
	randombytes_buf(bytes, sizeof(bytes));
	bytes[0] &= STATE_FORMAT_MAX;
	draft.game.mode = NULL;
	draft.game.spectators = true;
	draft.game.is_public = false;
	draft.game.state = bytes;
	draft.game.state_len =
		sizeof(bytes) - (encryption_newest() ? ENCRYPTION_EXTRA : 0);
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
}

static void a_committed_move_can_be_loaded(void **state)
{
	struct draft draft;
	uint8_t hash[STORE_HASH_SIZE] = { 9 };

	(void)state;
	create_new(&draft);
	draft_next(&draft, 3);
	draft.game.status = "playing";
	draft.game.seats_count = 2;
	draft.game.seats_max = 2;
	draft.game.host = 2;
	draft.state[0] ^= 1;
	draft.move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	struct reply kept = commit_move(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_same_game(&loaded.game, &draft.game);
	assert_true(loaded.game.updated_us == kept.at_us);
	assert_true(loaded.game.created_us < kept.at_us);
	assert_string_equal(loaded.game.seats[0].name, "Ada \xc3\x9f");
	assert_string_equal(loaded.game.seats[1].name, "Bob");
	assert_memory_equal(loaded.game.seats[0].token_hash, draft.hash,
	                    STORE_HASH_SIZE);
	assert_memory_equal(loaded.game.seats[1].token_hash, hash,
	                    STORE_HASH_SIZE);
}

static void six_seats_are_loaded_in_order(void **state)
{
	static const char *const names[] = { "f", "e", "d", "c", "b", "a" };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		draft_next(&draft, 1);
		draft.game.seats_count = (uint8_t)seat;
		memset(draft.hash, seat, sizeof(draft.hash));
		draft.move.join.seat = (uint8_t)seat;
		draft.move.join.name = names[seat - 1];
		draft.move.join.name_key = names[seat - 1];
		assert_int_equal(commit_move(store, &draft.move).result,
		                 STORE_OK);
	}
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	for (int seat = 2; seat <= STORE_SEATS_MAX; seat++) {
		const struct store_seat *is = &loaded.game.seats[seat - 1];

		assert_string_equal(is->name, names[seat - 1]);
		assert_int_equal(is->token_hash[0], seat);
		assert_int_equal(is->token_hash[31], seat);
	}
}

static void a_missing_game_is_reported(void **state)
{
	struct draft draft;

	(void)state;
	draft_new(&draft);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_NONE);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
	assert_int_equal(delete (draft.game.id, 1).result, STORE_CONFLICT);
	assert_int_equal(find(draft.code).result, STORE_NONE);
	struct reply none = events(draft.game.id, 0, 9, 9);
	assert_int_equal(none.result, STORE_OK);
	assert_int_equal(none.rows_count, 0);
	assert_false(none.more);
}

/* --- conflicts ------------------------------------------------------------ */

static void a_move_that_comes_too_late_writes_nothing(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	draft_next(&draft, 1);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));

	/* Decided against version 2, of which 3 has come by now. */
	draft.move.join.seat = 2;
	draft.move.join.name_key = "late";
	struct reply late = commit_move(store, &draft.move);
	assert_int_equal(late.result, STORE_CONFLICT);
	assert_string_equal(all_rows(draft.game.id), before);
}

static void one_of_two_moves_at_once_commits(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply answers[2] = { { .count = 0 } };
	struct draft one;
	struct draft two;

	(void)state;
	await_ready(other);
	create_new(&one);
	two = one;
	two.move.game = &two.game;
	two.move.events = two.events;
	draft_next(&one, 1);
	draft_next(&two, 2);

	/* Both are let go when both have begun. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(one.game.id));
	store_commit_move(store, &one.move, on_answer, &answers[0]);
	store_commit_move(other, &two.move, on_answer, &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool first = answers[0].result == STORE_OK;
	assert_int_equal(answers[!first].result, STORE_OK);
	assert_int_equal(answers[first].result, STORE_CONFLICT);
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.event "
	                        "WHERE game_id = '%s'",
	                        id_text(one.game.id)),
	                    first ? "3" : "4");
	struct reply loaded = load(store, one.game.id, &arena);
	assert_int_equal(loaded.game.version, first ? 3 : 4);
	store_close(other);
}

static void a_code_in_use_is_taken(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.invite_code = first.code;
	assert_int_equal(create(store, &second.move).result, STORE_TAKEN);
	assert_int_equal(load(store, second.game.id, &arena).result,
	                 STORE_NONE);
	struct reply found = find(first.code);
	assert_memory_equal(&found.id, &first.game.id, sizeof(found.id));
}

/* The rules see to this; that the database does too is a second lock. */
static void a_taken_name_is_refused_whole(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_new(&draft);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));
	draft_next(&draft, 1);
	draft.game.seats_count = 2;
	draft.move.join.seat = 2;
	assert_int_equal(commit_move(store, &draft.move).result, STORE_BROKEN);
	assert_string_equal(all_rows(draft.game.id), before);
	assert_int_equal(ping(store), STORE_OK);
}

static void an_id_in_use_is_refused_whole(void **state)
{
	struct draft first;
	struct draft second;

	(void)state;
	create_new(&first);
	draft_new(&second);
	second.game.id = first.game.id;
	assert_int_equal(create(store, &second.move).result, STORE_BROKEN);
	assert_int_equal(find(second.code).result, STORE_NONE);
}

/* --- rematches ------------------------------------------------------------ */

/* A game of two seats, the host in the second, that has just been stored. */
static void create_ended(struct draft *draft)
{
	static const uint8_t hash[STORE_HASH_SIZE] = { 2 };

	create_new(draft);
	draft_next(draft, 1);
	draft->game.status = "won";
	draft->game.seats_count = 2;
	draft->game.host = 2;
	draft->move.join = (struct store_join){
		.seat = 2, .name = "Bob", .name_key = "bob", .token_hash = hash
	};
	assert_int_equal(commit_move(store, &draft->move).result, STORE_OK);
	draft->move.join.seat = 0;
}

/* The game that follows it, and the one event of that which has ended. */
static void draft_rematch(struct draft *ended, struct draft *next)
{
	draft_next(ended, 1);
	draft_new(next);
	next->game.seats_count = 2;
	next->game.host = 2;
	next->game.rematch_of = ended->game.id;
	next->move.join.seat = 0;
}

static struct reply play_again(struct draft *ended, struct draft *next)
{
	struct reply answer = { .count = 0 };

	store_rematch(store, &ended->move, &next->move, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static void assert_id(struct uuid is, struct uuid should)
{
	assert_memory_equal(&is, &should, sizeof(is));
}

static void a_rematch_takes_seats_and_tokens_over(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_ended(&ended);
	draft_rematch(&ended, &next);
	struct reply kept = play_again(&ended, &next);
	assert_int_equal(kept.result, STORE_OK);

	struct store_game before = load(store, ended.game.id, &arena).game;
	struct store_game after = load(store, next.game.id, &arena).game;
	assert_same_game(&after, &next.game);
	assert_true(after.created_us == kept.at_us);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(after.seats[i].name, before.seats[i].name);
		assert_memory_equal(after.seats[i].token_hash,
		                    before.seats[i].token_hash,
		                    STORE_HASH_SIZE);
	}
	assert_string_equal(after.seats[0].name, "Ada \xc3\x9f");
	assert_string_equal(after.seats[1].name, "Bob");
	assert_int_equal(after.seats[1].token_hash[0], 2);
	assert_string_equal(sql(owner,
	                        "SELECT name_key FROM gangd.seat "
	                        "WHERE seat = 1 AND game_id = '%s'",
	                        id_text(next.game.id)),
	                    "ada ss");
	assert_id(find(next.code).id, next.game.id);
}

static void a_game_and_its_rematch_name_each_other(void **state)
{
	struct draft ended;
	struct draft next;

	(void)state;
	create_ended(&ended);
	struct store_game alone = load(store, ended.game.id, &arena).game;
	assert_true(uuid_is_none(alone.rematch));
	draft_rematch(&ended, &next);
	struct reply kept = play_again(&ended, &next);
	assert_int_equal(kept.result, STORE_OK);

	struct store_game before = load(store, ended.game.id, &arena).game;
	struct store_game after = load(store, next.game.id, &arena).game;
	assert_same_game(&before, &ended.game);
	assert_true(before.updated_us == kept.at_us);
	assert_id(before.rematch, next.game.id);
	assert_true(uuid_is_none(before.rematch_of));
	assert_id(after.rematch_of, ended.game.id);
	assert_true(uuid_is_none(after.rematch));

	/* Both logs are whole, and the new game outlives the old one. */
	struct reply page =
		events(ended.game.id, 0, ended.game.version, STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, ended.game.version);
	assert_same_event(&page.events[ended.game.version - 1],
	                  &(struct store_event){
				  .type = ended.events[0].type,
				  .seat = ended.events[0].seat,
				  .public_data = ended.events[0].public_data,
				  .public_len = ended.events[0].public_len,
			  });
	page = events(next.game.id, 0, next.game.version, STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, next.game.version);
	assert_same_event(&page.events[1], &next.events[1]);
	assert_int_equal(delete (ended.game.id, ended.game.version).result,
	                 STORE_OK);
	after = load(store, next.game.id, &arena).game;
	assert_id(after.rematch_of, ended.game.id);
}

static void a_rematch_that_comes_too_late_writes_nothing(void **state)
{
	struct draft ended;
	struct draft next;
	struct draft late;
	char before[TEXT_MAX];

	(void)state;
	create_ended(&ended);
	draft_rematch(&ended, &next);
	assert_int_equal(play_again(&ended, &next).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(ended.game.id));

	/* Decided against the same version as the other. */
	draft_rematch(&ended, &late);
	ended.game.version--;
	assert_int_equal(play_again(&ended, &late).result, STORE_CONFLICT);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, late.game.id, &arena).result, STORE_NONE);
	assert_int_equal(find(late.code).result, STORE_NONE);
}

static void a_rematch_with_a_code_in_use_writes_nothing(void **state)
{
	struct draft ended;
	struct draft next;
	char before[TEXT_MAX];

	(void)state;
	create_ended(&ended);
	(void)snprintf(before, sizeof(before), "%s", all_rows(ended.game.id));
	draft_rematch(&ended, &next);
	next.game.invite_code = ended.code;
	assert_int_equal(play_again(&ended, &next).result, STORE_CONFLICT);
	assert_string_equal(all_rows(ended.game.id), before);
	assert_int_equal(load(store, next.game.id, &arena).result, STORE_NONE);
	assert_id(find(ended.code).id, ended.game.id);

	/* Decided anew, with another code. */
	next.game.invite_code = next.code;
	assert_int_equal(play_again(&ended, &next).result, STORE_OK);
}

static void one_of_two_rematches_at_once_commits(void **state)
{
	struct store *other = open_store(app_url(), 1, 5000);
	struct reply answers[2] = { { .count = 0 } };
	struct draft ended;
	struct draft next[2];

	(void)state;
	await_ready(other);
	create_ended(&ended);
	draft_rematch(&ended, &next[0]);
	ended.game.version--;
	draft_rematch(&ended, &next[1]);

	/* Both are let go when both have begun. */
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(ended.game.id));
	store_rematch(store, &ended.move, &next[0].move, on_answer,
	              &answers[0]);
	store_rematch(other, &ended.move, &next[1].move, on_answer,
	              &answers[1]);
	store_flush(store);
	store_flush(other);
	await_waiting(2);
	sql(owner, "ROLLBACK");
	await(store, &answers[0], 1);
	await(other, &answers[1], 1);

	bool second = answers[1].result == STORE_OK;
	assert_int_equal(answers[second].result, STORE_OK);
	assert_int_equal(answers[!second].result, STORE_CONFLICT);
	assert_id(load(store, ended.game.id, &arena).game.rematch,
	          next[second].game.id);
	assert_int_equal(load(store, next[!second].game.id, &arena).result,
	                 STORE_NONE);
	store_close(other);
}

/* --- events, the end of games --------------------------------------------- */

static void events_come_in_pages(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	draft_next(&draft, STORE_EVENTS_MAX);
	struct reply kept = commit_move(store, &draft.move);
	assert_int_equal(kept.result, STORE_OK);

	struct reply page = events(draft.game.id, 2, 34, 10);
	assert_int_equal(page.result, STORE_OK);
	assert_int_equal(page.rows_count, 10);
	assert_true(page.more);
	for (size_t i = 0; i < page.rows_count; i++) {
		assert_int_equal(page.events[i].version, 3 + i);
		assert_true(page.events[i].at_us == kept.at_us);
		assert_same_event(&page.events[i], &draft.events[i]);
		assert_null(page.events[i].replay_data);
	}
	page = events(draft.game.id, 24, 34, 10);
	assert_int_equal(page.rows_count, 10);
	assert_int_equal(page.events[9].version, 34);
	assert_false(page.more);
	page = events(draft.game.id, 24, 30, 10);
	assert_int_equal(page.rows_count, 6);
	assert_false(page.more);
	page = events(draft.game.id, 0, 34, STORE_PAGE_MAX);
	assert_int_equal(page.rows_count, 34);
}

static void the_operator_reads_the_replay_data(void **state)
{
	struct admin *admin = admin_open(owner_url());
	const struct store_event *list;
	struct store_game game;
	struct draft draft;
	size_t count;

	(void)state;
	assert_non_null(admin);
	create_new(&draft);
	assert_true(admin_load(admin, draft.game.id, &arena, &game));
	assert_same_game(&game, &draft.game);
	assert_true(admin_events(admin, draft.game.id, &arena, &list, &count));
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		const struct store_event *should = &draft.events[i];

		assert_int_equal(list[i].version, i + 1);
		assert_same_event(&list[i], should);
		assert_same_part(list[i].replay_data, list[i].replay_len,
		                 should->replay_data, should->replay_len);
	}
	draft.game.id.bytes[15] ^= 1;
	assert_false(admin_load(admin, draft.game.id, &arena, &game));
	admin_close(admin);
}

/* Look in every table with a game_id, also in later ones. */
static int count_rows(struct uuid id)
{
	char list[TEXT_MAX];
	int count = 0;
	char *rest = list;

	(void)snprintf(list, sizeof(list), "%s",
	               sql(owner, "SELECT string_agg(table_name, ' ') "
	                          "FROM information_schema.columns WHERE "
	                          "table_schema = 'gangd' "
	                          "AND column_name = 'game_id'"));
	for (char *table = strtok_r(list, " ", &rest); table;
	     table = strtok_r(NULL, " ", &rest))
		count += (int)strtol(sql(owner,
		                         "SELECT count(*) FROM gangd.%s "
		                         "WHERE game_id = '%s'",
		                         table, id_text(id)),
		                     NULL, 10);
	return count;
}

static void a_deleted_game_leaves_nothing(void **state)
{
	struct draft draft;
	struct draft bystander;

	(void)state;
	create_new(&draft);
	create_new(&bystander);
	assert_int_equal(count_rows(draft.game.id), 5);
	assert_int_equal(delete (draft.game.id, draft.game.version + 1).result,
	                 STORE_CONFLICT);
	assert_int_equal(load(store, draft.game.id, &arena).result, STORE_OK);
	struct reply deleted = delete (draft.game.id, draft.game.version);
	assert_int_equal(deleted.result, STORE_OK);
	assert_true(deleted.at_us > 0);
	assert_int_equal(count_rows(draft.game.id), 0);
	assert_int_equal(count_rows(bystander.game.id), 5);
	assert_int_equal(delete (draft.game.id, 1).result, STORE_CONFLICT);
	draft_next(&draft, 1);
	assert_int_equal(commit_move(store, &draft.move).result,
	                 STORE_CONFLICT);
}

static uint64_t purge(struct admin *admin, unsigned days, bool dry_run)
{
	const struct admin_ages ages = { .lobby_days = 7,
		                         .finished_days = days,
		                         .abandoned_days = days };
	uint64_t games = UINT64_MAX;

	assert_true(admin_purge(admin, &ages, dry_run, &games));
	return games;
}

static void old_games_are_purged(void **state)
{
	struct admin *admin = admin_open(owner_url());
	struct draft old;
	struct draft young;

	(void)state;
	assert_non_null(admin);
	create_new(&old);
	create_new(&young);
	sql(owner,
	    "UPDATE gangd.game SET updated_at = now() - interval '36501 days' "
	    "WHERE game_id = '%s'",
	    id_text(old.game.id));
	assert_int_equal(purge(admin, 36500, true), 1);
	assert_int_equal(count_rows(old.game.id), 5);
	assert_int_equal(purge(admin, 36500, false), 1);
	assert_int_equal(count_rows(old.game.id), 0);
	assert_int_equal(count_rows(young.game.id), 5);
	assert_int_equal(purge(admin, 36500, false), 0);
	admin_close(admin);
}

static void an_incomplete_row_is_damaged(void **state)
{
	struct draft draft;

	(void)state;
	create_new(&draft);
	sql(owner, "UPDATE gangd.game SET seats_count = 0 WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
	sql(owner,
	    "UPDATE gangd.game SET seats_count = 1, ruleset = 256 "
	    "WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
}

/* --- many at once --------------------------------------------------------- */

static void each_of_500_loads_gets_its_own_answer(void **state)
{
	static struct reply answers[500];
	struct draft drafts[5];

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5; i++)
		create_new(&drafts[i]);
	for (int i = 0; i < 500; i++)
		queue_load(store, drafts[i % 5].game.id, NULL, &arena,
		           &answers[i]);
	await(store, answers, 500);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(answers[i].result, STORE_OK);
		assert_same_game(&answers[i].game, &drafts[i % 5].game);
	}
}

/* The other statements of its batch succeed. */
static void a_failing_statement_fails_alone(void **state)
{
	enum { EACH = 5 };
	struct reply good[2 * EACH] = { { .count = 0 } };
	struct reply bad = { .count = 0 };
	struct draft draft;

	(void)state;
	create_new(&draft);
	for (size_t i = 0; i < EACH; i++)
		queue_load(store, draft.game.id, NULL, &arena, &good[i]);
	store_find_invitation(store, "no \xff text", on_answer, &bad);
	for (size_t i = EACH; i < ARRAY_LEN(good); i++)
		queue_load(store, draft.game.id, NULL, &arena, &good[i]);
	await(store, &bad, 1);
	assert_int_equal(bad.result, STORE_BROKEN);
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		await(store, &good[i], 1);
		assert_int_equal(good[i].result, STORE_OK);
		assert_int_equal(good[i].count, 1);
	}
}

static void a_full_queue_refuses_statements(void **state)
{
	static struct reply answers[5000];
	unsigned served = 0;

	(void)state;
	memset(answers, 0, sizeof(answers));
	for (int i = 0; i < 5000; i++) {
		store_ping(store, on_answer, &answers[i]);
		assert_int_equal(answers[i].count, 0);
	}
	assert_int_equal(store_timeout_ns(store), 0);
	await(store, answers, 5000);
	for (int i = 0; i < 5000; i++) {
		if (answers[i].result == STORE_OK)
			served++;
		else
			assert_int_equal(answers[i].result, STORE_UNAVAILABLE);
	}
	assert_int_equal(served, 4096);
	assert_int_equal(ping(store), STORE_OK);
}

/* --- all of them ---------------------------------------------------------- */

/* Its creator has forgotten it by then; a week lets a game wait for a date. */
static void games_that_never_start_are_purged_after_a_week(void **state)
{
	struct draft waiting;
	struct draft playing;
	struct draft heard;
	struct admin *admin;

	(void)state;
	sql(owner, "DELETE FROM gangd.game");
	create_new(&waiting);
	create_new(&heard);
	create_new(&playing);
	draft_next(&playing, 1);
	playing.game.status = "playing";
	assert_int_equal(commit_move(store, &playing.move).result, STORE_OK);
	admin = admin_open(app_url());
	assert_non_null(admin);

	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '6 days'");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '6 days'");
	assert_int_equal(purge(admin, 90, false), 0);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '8 days'");
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = now() - interval '8 days' "
	    "WHERE game_id <> '%s'",
	    id_text(heard.game.id));
	assert_int_equal(purge(admin, 90, true), 1);
	assert_int_equal(purge(admin, 90, false), 1);
	assert_string_equal(sql(owner, "SELECT count(*) FROM gangd.game"), "2");
	assert_int_equal(load(store, waiting.game.id, &arena).result,
	                 STORE_NONE);
	admin_close(admin);
}

/* Of games unchanged for 30 days, those that have reached the age of their
 * kind. */
static void each_kind_of_game_has_its_age(void **state)
{
	static const struct {
		struct admin_ages ages;
		const char *kept;
	} rows[] = {
		{ { 31, 31, 31 }, "lobby over playing won" },
		{ { 31, 29, 31 }, "lobby playing" },
		{ { 29, 31, 31 }, "over playing won" },
		{ { 31, 31, 29 }, "over won" },
		{ { 29, 29, 31 }, "playing" },
	};
	static const char *const statuses[] = { "lobby", "over", "playing",
		                                "won" };
	struct admin *admin = admin_open(app_url());
	struct draft draft;
	uint64_t games;

	(void)state;
	assert_non_null(admin);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		sql(owner, "DELETE FROM gangd.game");
		for (size_t j = 0; j < ARRAY_LEN(statuses); j++) {
			draft_new(&draft);
			draft.game.status = statuses[j];
			assert_int_equal(create(store, &draft.move).result,
			                 STORE_OK);
		}
		sql(owner, "UPDATE gangd.game SET updated_at = now() - "
		           "interval '30 days'");
		sql(owner, "UPDATE gangd.seat SET last_seen = now() - "
		           "interval '30 days'");
		assert_true(admin_purge(admin, &rows[i].ages, false, &games));
		assert_string_equal(sql(owner, "SELECT string_agg(status, ' ' "
		                               "ORDER BY status) "
		                               "FROM gangd.game"),
		                    rows[i].kept);
	}
	admin_close(admin);
}

/* Several pages of them, of which one is locked. */
static void a_purge_leaves_a_locked_game(void **state)
{
	enum { GAMES = 250 };
	struct admin *admin = admin_open(app_url());
	struct draft draft;

	(void)state;
	assert_non_null(admin);
	sql(owner, "DELETE FROM gangd.game");
	create_new(&draft);
	sql(owner,
	    "INSERT INTO gangd.game (game_id, version, ruleset, rules_version, "
	    "seats_max, seats_count, host, is_public, spectators, status, "
	    "invite_code, state) SELECT gen_random_uuid(), 1, 1, 1, 3, 1, 1, "
	    "false, false, 'won', 'CODE', '' FROM generate_series(1, %u)",
	    GAMES - 1);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '91 days'");
	sql(owner, "BEGIN");
	sql(owner, "SELECT 1 FROM gangd.game WHERE game_id = '%s' FOR UPDATE",
	    id_text(draft.game.id));
	assert_int_equal(purge(admin, 90, true), GAMES);
	assert_int_equal(purge(admin, 90, false), GAMES - 1);
	sql(owner, "ROLLBACK");
	assert_int_equal(purge(admin, 90, false), 1);
	admin_close(admin);
}

static void one_purge_works_at_a_time(void **state)
{
	struct admin *admin = admin_open(app_url());
	struct draft draft;

	(void)state;
	assert_non_null(admin);
	sql(owner, "DELETE FROM gangd.game");
	create_new(&draft);
	sql(owner, "UPDATE gangd.game SET updated_at = now() - "
	           "interval '91 days'");
	sql(owner, "SELECT pg_advisory_lock(7453010309)");
	assert_int_equal(purge(admin, 90, false), 0);
	sql(owner, "SELECT pg_advisory_unlock(7453010309)");
	assert_int_equal(purge(admin, 90, false), 1);
	admin_close(admin);
}

static void old_tickets_are_purged(void **state)
{
	struct draft draft;
	struct admin *admin = admin_open(app_url());

	(void)state;
	assert_non_null(admin);
	create_new(&draft);
	sql(owner,
	    "INSERT INTO gangd.stream_ticket SELECT '%s', "
	    "sha256(n::text::bytea),"
	    " sha256(''), now() - n * interval '20 seconds' "
	    "FROM generate_series(1, 5) AS n",
	    id_text(draft.game.id));
	assert_int_equal(purge(admin, 90, false), 0);
	assert_string_equal(sql(owner, "SELECT count(*) FROM "
	                               "gangd.stream_ticket"),
	                    "1");
	admin_close(admin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_created_game_can_be_loaded),
		ON_A_STORE(a_game_may_have_no_mode_and_a_state_of_2_kib),
		ON_A_STORE(a_committed_move_can_be_loaded),
		ON_A_STORE(six_seats_are_loaded_in_order),
		ON_A_STORE(a_missing_game_is_reported),
		ON_A_STORE(a_move_that_comes_too_late_writes_nothing),
		ON_A_STORE(one_of_two_moves_at_once_commits),
		ON_A_STORE(a_code_in_use_is_taken),
		ON_A_STORE(a_taken_name_is_refused_whole),
		ON_A_STORE(an_id_in_use_is_refused_whole),
		ON_A_STORE(a_rematch_takes_seats_and_tokens_over),
		ON_A_STORE(a_game_and_its_rematch_name_each_other),
		ON_A_STORE(a_rematch_that_comes_too_late_writes_nothing),
		ON_A_STORE(a_rematch_with_a_code_in_use_writes_nothing),
		ON_A_STORE(one_of_two_rematches_at_once_commits),
		ON_A_STORE(events_come_in_pages),
		ON_A_STORE(the_operator_reads_the_replay_data),
		ON_A_STORE(a_deleted_game_leaves_nothing),
		ON_A_STORE(old_games_are_purged),
		ON_A_STORE(games_that_never_start_are_purged_after_a_week),
		ON_A_STORE(each_kind_of_game_has_its_age),
		ON_A_STORE(a_purge_leaves_a_locked_game),
		ON_A_STORE(one_purge_works_at_a_time),
		ON_A_STORE(old_tickets_are_purged),
		ON_A_STORE(an_incomplete_row_is_damaged),
		ON_A_STORE(each_of_500_loads_gets_its_own_answer),
		ON_A_STORE(a_failing_statement_fails_alone),
		ON_A_STORE(a_full_queue_refuses_statements),
	};

	return run_both_ways("store", tests, ARRAY_LEN(tests), 0);
}
