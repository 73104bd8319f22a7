/*
 * test_seat_copies.c - the copy of the seats in a game's row, which makes a
 * load one look-up: every change of the seats renews it, and games without one
 * are loaded all the same.
 */
#include "group.h"
#include "postgres/schema.h"

/* "is": the copy agrees with the seats; "none": there is no copy. */
static const char *copy_of(struct uuid id)
{
	return sql(owner,
	           "SELECT CASE WHEN seats IS NULL THEN 'none' "
	           "WHEN seats = gangd.pack_seats(game_id) THEN 'is' "
	           "ELSE 'differs' END FROM gangd.game "
	           "WHERE game_id = '%s'",
	           id_text(id));
}

static void forget_copy(struct uuid id)
{
	sql(owner, "UPDATE gangd.game SET seats = NULL WHERE game_id = '%s'",
	    id_text(id));
}

/* The letters of those who sit at the table by order of seats, "-" for none. */
static void assert_seats(struct uuid id, const char *should)
{
	struct reply loaded = load(store, id, &arena);
	char text[STORE_SEATS_MAX + 1] = "";

	assert_int_equal(loaded.result, STORE_OK);
	for (unsigned i = 0; i < loaded.game.seats_count; i++) {
		const struct store_seat *seat = &loaded.game.seats[i];
		uint8_t hash[STORE_HASH_SIZE];

		text[i] = seat->name ? seat->name[0] : '-';
		if (!seat->name)
			continue;
		hash_of((unsigned)(text[i] - 'a' + 1), hash);
		assert_memory_equal(seat->token_hash, hash, sizeof(hash));
		assert_int_equal(strlen(seat->name), 1);
	}
	assert_string_equal(text, should);
	assert_string_equal(copy_of(id), "is");
}

static void joining_and_leaving_renew_the_copy(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 1);
	assert_seats(draft.game.id, "a");
	create_table(&draft, 4);
	assert_seats(draft.game.id, "abcd");
	draft.game.seats_count = 3;
	draft.move.leave = (struct store_leave){ .seat = 2, .closes_up = true };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_seats(draft.game.id, "acd");
	draft_next(&draft, 1);
	draft.move.leave = (struct store_leave){ .seat = 1 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_seats(draft.game.id, "-cd");
	draft_next(&draft, 1);
	draft.move.leave = (struct store_leave){ .seat = 3 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_seats(draft.game.id, "---");
}

static void a_rematch_copies_its_seats(void **state)
{
	struct draft next;
	struct draft draft;
	struct reply answer = { .count = 0 };

	(void)state;
	create_table(&draft, 4);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	draft_next(&draft, 1);
	draft_new(&next);
	next.game.seats_count = 3;
	store_rematch(store, &draft.move, &next.move, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	assert_seats(next.game.id, "acd");
	assert_seats(draft.game.id, "a-cd");
}

/* A name may have any characters, and the most bytes that a length allows. */
static void long_names_are_copied(void **state)
{
	static char name[UINT8_MAX + 100];
	struct draft draft;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	draft_new(&draft);
	draft.move.join.name = name;
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_string_equal(loaded.game.seats[0].name, name);
}

/* Games that older programs made; their next move copies the seats. */
static void a_game_without_a_copy_is_loaded_and_gets_one(void **state)
{
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	forget_copy(draft.game.id);
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_int_equal(loaded.result, STORE_OK);
	assert_string_equal(loaded.game.seats[2].name, "c");
	assert_string_equal(copy_of(draft.game.id), "none");
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_seats(draft.game.id, "abc");
}

/* Bytes that pack_seats cannot have written. */
static void a_damaged_copy_is_found(void **state)
{
	static const char *const damages[] = {
		"seats || '\\x01'",                  /* a seat cut off */
		"substr(seats, 2)",                  /* no number */
		"set_byte(seats, 0, 0)",             /* no seat */
		"set_byte(seats, 0, 4)",             /* one beyond the table */
		"set_byte(seats, 33, 1)",            /* a name beyond the end */
		"substr(seats, 1, length(seats)-1)", /* a name cut off */
	};
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
		sql(owner,
		    "UPDATE gangd.game SET seats = %s WHERE game_id = '%s'",
		    damages[i], id_text(draft.game.id));
		assert_int_equal(load(store, draft.game.id, &arena).result,
		                 STORE_BROKEN);
		copy_seats(draft.game.id);
		assert_int_equal(load(store, draft.game.id, &arena).result,
		                 STORE_OK);
	}
}

/* --- what the sources must keep ------------------------------------------- */

/* A function that forgot to would leave loads with the seats of before.  The
 * client_reference is not in the copy: to erase it alone renews nothing. */
static void functions_that_write_seats_renew_the_copy(void **state)
{
	static const char *const writers =
		"FROM pg_proc WHERE pronamespace = 'gangd'::regnamespace AND "
		"prosrc ~ '(INSERT INTO|DELETE FROM|UPDATE) gangd\\.seat\\M"
		"(?! SET client_reference = NULL\\n)' ";

	(void)state;
	assert_string_equal(sql(owner,
	                        "SELECT string_agg(proname, ' ' ORDER BY "
	                        "proname) %s AND prosrc !~ "
	                        "'PERFORM gangd\\.copy_seats\\('",
	                        writers),
	                    "");
	assert_true(strtol(sql(owner, "SELECT count(*) %s", writers), NULL,
	                   10) >= 4);
	/* The statements themselves write last_seen alone. */
	for (const struct embedded *query = embed_queries; query->name;
	     query++) {
		const char *write = strstr(query->bytes, "UPDATE gangd.seat");

		assert_null(strstr(query->bytes, "INSERT INTO gangd.seat"));
		assert_null(strstr(query->bytes, "DELETE FROM gangd.seat"));
		if (!write)
			continue;
		write = strstr(write, "SET ");
		assert_non_null(write);
		assert_memory_equal(write, "SET last_seen =", 15);
	}
}

/* The columns that every load has, up to the game of the last one. */
static void columns_of(const char *name, char columns[TEXT_MAX])
{
	const char *text = strstr(schema_query_text(name), "g.version,");
	const char *end = strstr(text, "gangd.pack_seats(");

	assert_non_null(end);
	(void)snprintf(columns, TEXT_MAX, "%.*s", (int)(end - text), text);
}

static void all_loads_have_the_same_columns(void **state)
{
	char columns[TEXT_MAX];
	char other[TEXT_MAX];

	(void)state;
	columns_of("load", columns);
	columns_of("load_many", other);
	assert_string_equal(other, columns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(joining_and_leaving_renew_the_copy),
		ON_A_STORE(a_rematch_copies_its_seats),
		ON_A_STORE(long_names_are_copied),
		ON_A_STORE(a_game_without_a_copy_is_loaded_and_gets_one),
		ON_A_STORE(a_damaged_copy_is_found),
		ON_A_STORE(functions_that_write_seats_renew_the_copy),
		ON_A_STORE(all_loads_have_the_same_columns),
	};

	return cmocka_run_group_tests_name("seat_copies", tests, open_all,
	                                   close_all);
}
