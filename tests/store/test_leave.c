/*
 * test_leave.c - seats that become free, and the lobby: what is stored when
 * a player leaves, and which games wait for players; against a real server.
 */
#include "group.h"
#include "postgres/schema.h"

/* --- leaving -------------------------------------------------------------- */

/* The names by seat, "-" for a vacant one; each name has its own hash. */
static void assert_seats(struct uuid id, const char *seats)
{
	struct reply loaded = load(store, id, &arena);
	char found[STORE_SEATS_MAX + 1] = "";

	assert_int_equal(loaded.result, STORE_OK);
	for (unsigned i = 0; i < loaded.game.seats_count; i++) {
		const struct store_seat *seat = &loaded.game.seats[i];

		found[i] = seat->name ? seat->name[0] : '-';
		if (seat->name)
			assert_int_equal(seat->token_hash[31],
			                 seat->name[0] - 'a' + 1);
	}
	assert_string_equal(found, seats);
}

static const char *invitations(struct uuid id)
{
	return sql(owner,
	           "SELECT string_agg(code, ' ') FROM gangd.invitation "
	           "WHERE game_id = '%s'",
	           id_text(id));
}

static void a_lobby_closes_up(void **state)
{
	static const struct {
		uint8_t seat;
		const char *seats;
	} rows[] = {
		{ 1, "bcdef" }, { 2, "acdef" }, { 3, "abdef" },
		{ 5, "abcdf" }, { 6, "abcde" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct draft draft;

		create_table(&draft, 6);
		draft.game.seats_count = 5;
		draft.game.host = 3;
		draft.state[0] ^= 1;
		draft.move.leave = (struct store_leave){
			.seat = rows[i].seat,
			.closes_up = true,
		};
		struct reply left = leave(&draft.move);
		assert_int_equal(left.result, STORE_OK);
		assert_seats(draft.game.id, rows[i].seats);
		struct reply loaded = load(store, draft.game.id, &arena);
		assert_int_equal(loaded.game.version, draft.game.version);
		assert_int_equal(loaded.game.host, 3);
		assert_memory_equal(loaded.game.state, draft.state,
		                    sizeof(draft.state));
		assert_true(loaded.game.updated_us == left.at_us);
		assert_string_equal(invitations(draft.game.id), draft.code);
	}
}

static void a_seat_left_in_a_running_game_stays_vacant(void **state)
{
	static const char *const seats[] = { "a-cd", "--cd", "--c-", "----" };
	static const uint8_t leaving[] = { 2, 1, 4, 3 };
	struct draft draft;

	(void)state;
	create_table(&draft, 4);
	draft.game.status = "playing";
	for (size_t i = 0; i < ARRAY_LEN(leaving); i++) {
		draft.move.leave = (struct store_leave){ .seat = leaving[i] };
		assert_int_equal(leave(&draft.move).result, STORE_OK);
		assert_seats(draft.game.id, seats[i]);
		draft_next(&draft, 2);
	}

	/* A new player may take the name of one who has left. */
	uint8_t hash[STORE_HASH_SIZE];
	memset(hash, 3, sizeof(hash));
	draft.move.join = (struct store_join){
		.seat = 2, .name = "c", .name_key = "c", .token_hash = hash
	};
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_seats(draft.game.id, "-c--");
}

static void a_code_is_renewed(void **state)
{
	char before[STORE_CODE_LEN + 1];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	memcpy(before, draft.code, sizeof(before));
	draft.code[0] = draft.code[0] == '0' ? '1' : '0';
	draft.game.seats_count = 2;
	draft.move.leave = (struct store_leave){
		.seat = 2,
		.closes_up = true,
		.renews_code = true,
	};
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_string_equal(loaded.game.invite_code, draft.code);
	/* The old code still leads there, for a repeated join under a key. */
	assert_string_equal(sql(owner,
	                        "SELECT count(*) FROM gangd.invitation "
	                        "WHERE code IN ('%s', '%s') AND game_id = '%s'",
	                        before, draft.code, id_text(draft.game.id)),
	                    "2");
}

static void a_code_in_use_commits_nothing(void **state)
{
	struct draft other;
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_table(&other, 1);
	create_table(&draft, 3);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));
	memcpy(draft.code, other.code, sizeof(draft.code));
	draft.move.leave = (struct store_leave){
		.seat = 2,
		.closes_up = true,
		.renews_code = true,
	};
	assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
	assert_string_equal(all_rows(draft.game.id), before);
	assert_string_equal(invitations(other.game.id), other.code);
}

static void leaving_too_late_changes_nothing(void **state)
{
	struct draft draft;
	char before[TEXT_MAX];

	(void)state;
	create_table(&draft, 3);
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	(void)snprintf(before, sizeof(before), "%s", all_rows(draft.game.id));
	draft.code[0] = draft.code[0] == '0' ? '1' : '0';
	draft.move.leave = (struct store_leave){
		.seat = 2,
		.closes_up = true,
		.renews_code = true,
	};
	assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
	assert_string_equal(all_rows(draft.game.id), before);
	assert_string_equal(invitations(draft.game.id),
	                    sql(owner,
	                        "SELECT invite_code FROM gangd.game "
	                        "WHERE game_id = '%s'",
	                        id_text(draft.game.id)));

	draft_new(&draft);
	draft.move.leave = (struct store_leave){ .seat = 1 };
	assert_int_equal(leave(&draft.move).result, STORE_CONFLICT);
}

/* Rows that no game can have are not taken for vacant seats. */
static void a_seat_beyond_the_table_is_damaged(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	sql(owner,
	    "UPDATE gangd.seat SET seat = 5 WHERE game_id = '%s' "
	    "AND seat = 3",
	    id_text(draft.game.id));
	copy_seats(draft.game.id);
	assert_int_equal(load(store, draft.game.id, &arena).result,
	                 STORE_BROKEN);
}

/* --- the lobby ------------------------------------------------------------ */

static struct store_wanted anything(unsigned limit)
{
	struct store_wanted wanted = { .free_seats = 1, .limit = limit };

	memset(wanted.before.bytes, 0xff, sizeof(wanted.before.bytes));
	return wanted;
}

static struct reply lobby(struct store_wanted wanted)
{
	struct reply answer = { .count = 0 };

	store_lobby(store, &wanted, &arena, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer;
}

static enum store_result update_last_seen(const struct store_caller *heard)
{
	struct reply answer = { .count = 0 };

	store_update_last_seen(store, heard, 1, on_answer, &answer);
	await(store, &answer, 1);
	return answer.result;
}

/* Nothing else waits. */
static void empty_lobby(void)
{
	delete_all_games();
	assert_int_equal(lobby(anything(100)).rows_count, 0);
}

static void open_game(struct draft *draft, const char *mode, unsigned players)
{
	create_table(draft, players);
	sql(owner,
	    "UPDATE gangd.game SET mode = nullif('%s', '') "
	    "WHERE game_id = '%s'",
	    mode, id_text(draft->game.id));
}

static void a_game_is_listed(void **state)
{
	struct draft draft;

	(void)state;
	empty_lobby();
	open_game(&draft, "basic", 3);
	sql(owner, "UPDATE gangd.game SET host = 2, spectators = true");
	struct reply found = lobby(anything(1));
	assert_int_equal(found.rows_count, 1);
	assert_false(found.more);
	const struct store_listed *game = &found.listed[0];
	assert_memory_equal(&game->id, &draft.game.id, sizeof(game->id));
	assert_int_equal(game->ruleset, 1);
	assert_string_equal(game->mode, "basic");
	assert_string_equal(game->host, "b");
	assert_true(game->spectators);
	assert_int_equal(game->seats_max, 6);
	assert_int_equal(game->seats_count, 3);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_true(game->created_us == loaded.game.created_us);

	sql(owner, "UPDATE gangd.game SET mode = NULL");
	assert_null(lobby(anything(1)).listed[0].mode);
	/* A game whose host is at a vacant seat is not listed. */
	sql(owner, "UPDATE gangd.game SET host = 4");
	assert_int_equal(lobby(anything(1)).rows_count, 0);
}

static void only_public_games_that_wait_are_listed(void **state)
{
	static const char *const changes[] = {
		"is_public = false", "status = 'playing'", "status = 'won'",
		"status = 'lost'",   "seats_max = 3",
	};
	struct draft draft;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		empty_lobby();
		open_game(&draft, "basic", 3);
		assert_int_equal(lobby(anything(100)).rows_count, 1);
		sql(owner, "UPDATE gangd.game SET %s", changes[i]);
		assert_int_equal(lobby(anything(100)).rows_count, 0);
	}
}

static void the_lobby_filters_by_ruleset_mode_and_seats(void **state)
{
	static const struct {
		uint8_t ruleset;
		const char *mode;
		unsigned free_seats;
		size_t count;
	} rows[] = {
		{ 0, NULL, 1, 3 },       { 1, NULL, 1, 3 },
		{ 2, NULL, 1, 0 },       { 0, "basic", 1, 2 },
		{ 0, "advanced", 1, 1 }, { 0, "master_thief", 1, 0 },
		{ 0, NULL, 4, 2 },       { 0, NULL, 5, 1 },
		{ 0, NULL, 6, 0 },       { 1, "basic", 5, 1 },
		{ 1, "advanced", 5, 0 },
	};
	struct draft draft;

	(void)state;
	empty_lobby();
	open_game(&draft, "basic", 1);
	open_game(&draft, "advanced", 2);
	open_game(&draft, "basic", 3);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct store_wanted wanted = anything(100);

		wanted.ruleset = rows[i].ruleset;
		wanted.mode = rows[i].mode;
		wanted.free_seats = rows[i].free_seats;
		assert_int_equal(lobby(wanted).rows_count, rows[i].count);
	}
}

/*
 * Store games, of which every "each" one waits in the lobby; the hosts were
 * last seen in one of four steps.
 */
static void fill(int games, int each)
{
	sql(owner,
	    "INSERT INTO gangd.game (game_id, version, ruleset, rules_version, "
	    "seats_max, seats_count, host, is_public, spectators, mode, "
	    "status, "
	    "invite_code, state, host_last_seen) SELECT "
	    "('01890000-0000-7000-8000-' || "
	    "lpad(to_hex(n), 12, '0'))::uuid, 1, 1, 1, 6, 1, 1, true, false, "
	    "'basic', CASE WHEN n %% %d = 0 THEN 'lobby' ELSE 'won' END, "
	    "'x' || n, '', date_bin('5 minutes', now(), 'epoch') - "
	    "n %% 4 * interval '5 minutes' "
	    "FROM generate_series(1, %d) AS n",
	    each, games);
	sql(owner, "INSERT INTO gangd.seat (game_id, seat, name, name_key, "
	           "token_hash) SELECT game_id, 1, 'a', 'a', sha256('') "
	           "FROM gangd.game WHERE status = 'lobby'");
}

static void pages_have_each_game_once(void **state)
{
	struct store_wanted wanted = anything(7);
	struct uuid last = wanted.before;
	struct reply page;
	size_t count = 0;

	(void)state;
	empty_lobby();
	fill(12000, 100);
	do {
		page = lobby(wanted);
		for (size_t i = 0; i < page.rows_count; i++, count++) {
			assert_true(memcmp(page.listed[i].id.bytes, last.bytes,
			                   sizeof(last.bytes)) < 0);
			last = page.listed[i].id;
		}
		assert_int_equal(page.more,
		                 page.rows_count == 7 && count < 120);
		wanted.before = page.next;
	} while (page.more);
	assert_int_equal(count, 120);

	/* A page of exactly the remaining games says that there are no more. */
	page = lobby(anything(100));
	assert_int_equal(page.rows_count, 100);
	assert_true(page.more);
	wanted = anything(20);
	wanted.before = page.listed[99].id;
	page = lobby(wanted);
	assert_int_equal(page.rows_count, 20);
	assert_false(page.more);
}

/* Only a present host can start the game. */
static void games_with_absent_hosts_are_not_listed(void **state)
{
	struct store_caller host;
	struct draft draft;

	(void)state;
	empty_lobby();
	open_game(&draft, "basic", 3);
	sql(owner, "UPDATE gangd.seat SET last_seen = now() - "
	           "interval '14 minutes 50 seconds'");
	assert_int_equal(lobby(anything(1)).rows_count, 1);
	sql(owner, "UPDATE gangd.seat SET last_seen = now() - "
	           "interval '15 minutes 1 second' WHERE seat = 1");
	struct reply found = lobby(anything(1));
	assert_int_equal(found.rows_count, 0);
	assert_false(found.more);

	/* After a long absence host_last_seen of the game is old, too. */
	sql(owner, "UPDATE gangd.game SET host_last_seen = "
	           "date_bin('5 minutes', now() - interval '1 day', 'epoch')");
	assert_int_equal(lobby(anything(1)).rows_count, 0);
	/* Another player is no host. */
	host = (struct store_caller){ .game = draft.game.id };
	hash_of(2, host.token_hash);
	assert_int_equal(update_last_seen(&host), STORE_OK);
	assert_int_equal(lobby(anything(1)).rows_count, 0);
	hash_of(1, host.token_hash);
	host.is_waiting_host = 1;
	assert_int_equal(update_last_seen(&host), STORE_OK);
	assert_int_equal(lobby(anything(1)).rows_count, 1);
}

/* A page may be short, or empty, and yet there is more. */
static void a_page_examines_a_bounded_number_of_games(void **state)
{
	struct store_wanted wanted = anything(5);
	size_t pages = 0;
	size_t count = 0;
	struct reply page;

	(void)state;
	empty_lobby();
	fill(400, 1);
	/* The oldest two of them have six free seats. */
	sql(owner, "UPDATE gangd.game SET seats_count = 0 WHERE invite_code "
	           "IN ('x1', 'x2')");
	wanted.free_seats = 6;
	do {
		page = lobby(wanted);
		count += page.rows_count;
		pages++;
		wanted.before = page.next;
	} while (page.more);
	assert_int_equal(count, 2);
	assert_in_range(pages, 400 / 60, 400 / 20);
}

/* The server's plan for the lobby, whatever the values. */
static const char *plan_of_lobby(void)
{
	char text[16 * TEXT_MAX];
	const char *plan = "";

	(void)snprintf(text, sizeof(text),
	               "SET plan_cache_mode = force_generic_plan; "
	               "SET enable_seqscan = off; PREPARE lobby AS %s",
	               schema_query_text("lobby"));
	PQclear(PQexec(owner, text));
	PGresult *res = PQexec(owner, "EXPLAIN (COSTS off) EXECUTE lobby("
	                              "'ffffffff-ffff-ffff-ffff-ffffffffffff',"
	                              " NULL, NULL, 1, 120)");
	assert_true(PQntuples(res) > 0);
	for (int i = 0; i < PQntuples(res); i++)
		plan = arena_printf(&arena, "%s%s\n", plan,
		                    PQgetvalue(res, i, 0));
	PQclear(res);
	sql(owner, "DEALLOCATE lobby");
	sql(owner, "RESET enable_seqscan");
	sql(owner, "RESET plan_cache_mode");
	return plan;
}

static bool line_has(const char *line, const char *piece)
{
	const char *found = strstr(line, piece);

	return found && found < line + strcspn(line, "\n");
}

/* Games are found by an index of the lobby, or one by one by their id. */
static bool is_bounded(const char *plan)
{
	unsigned of_lobby = 0;

	for (const char *line = plan; *line; line += strcspn(line, "\n") + 1) {
		if (!line_has(line, "Scan") || !line_has(line, " on game "))
			continue;
		const char *next = line + strcspn(line, "\n") + 1;

		if (line_has(line, " using game_lobby"))
			of_lobby++;
		else if (!line_has(line, " using game_pkey") ||
		         !line_has(next, "(game_id = "))
			return false;
	}
	return of_lobby == 3 && strstr(plan, "game_lobby_mode") &&
	       strstr(plan, "game_lobby_ruleset");
}

/* The lobby costs what is listed, however many games wait, or have been. */
static void the_lobby_reads_by_its_indexes(void **state)
{
	static const int each[] = { 100, 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		empty_lobby();
		fill(12000, each[i]);
		sql(owner, "ANALYZE gangd.game");
		sql(owner, "ANALYZE gangd.seat");
		const char *plan = plan_of_lobby();
		if (!is_bounded(plan))
			fail_msg("the plan is\n%s", plan);
	}
	empty_lobby();
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_lobby_closes_up),
		ON_A_STORE(a_seat_left_in_a_running_game_stays_vacant),
		ON_A_STORE(a_code_is_renewed),
		ON_A_STORE(a_code_in_use_commits_nothing),
		ON_A_STORE(leaving_too_late_changes_nothing),
		ON_A_STORE(a_seat_beyond_the_table_is_damaged),
		ON_A_STORE(a_game_is_listed),
		ON_A_STORE(only_public_games_that_wait_are_listed),
		ON_A_STORE(the_lobby_filters_by_ruleset_mode_and_seats),
		ON_A_STORE(pages_have_each_game_once),
		ON_A_STORE(games_with_absent_hosts_are_not_listed),
		ON_A_STORE(a_page_examines_a_bounded_number_of_games),
		ON_A_STORE(the_lobby_reads_by_its_indexes),
	};

	return cmocka_run_group_tests_name("leave", tests, open_all, close_all);
}
