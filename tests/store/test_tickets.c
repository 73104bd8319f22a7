/*
 * test_tickets.c - tickets for the streams of a game.
 */
#include "group.h"

static struct reply give(struct uuid id, const uint8_t *ticket,
                         const uint8_t *token)
{
	struct reply answer = { .count = 0 };

	store_give_ticket(store, id, ticket, token, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

static struct reply use(struct uuid id, const uint8_t *ticket)
{
	struct reply answer = { .count = 0 };

	store_use_ticket(store, id, ticket, &arena, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

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
	struct reply used = use(draft.game.id, some_ticket);
	assert_int_equal(used.result, STORE_OK);
	assert_memory_equal(used.token_hash, some_token, sizeof(some_token));
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_NONE);
}

static void only_one_of_many_uses_a_ticket(void **state)
{
	enum { TRIES = 64 };
	struct reply answers[TRIES] = { { .count = 0 } };
	struct draft draft;
	unsigned good = 0;

	(void)state;
	create_table(&draft, 1);
	(void)give(draft.game.id, some_ticket, some_token);
	for (size_t i = 0; i < TRIES; i++)
		store_use_ticket(store, draft.game.id, some_ticket, &arena,
		                 on_answer, &answers[i]);
	await(store, answers, TRIES);
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
	/* The expired one is deleted when the next one is given. */
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

/* A ticket belongs to a player, not to a seat. */
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
	struct reply used = use(draft.game.id, some_ticket);
	assert_int_equal(used.result, STORE_OK);
	assert_memory_equal(used.token_hash, token, sizeof(token));
	struct reply loaded = load(store, draft.game.id, &arena);
	assert_memory_equal(loaded.game.seats[1].token_hash, token,
	                    sizeof(token));
}

/* Tickets change neither the version nor anything else that is loaded. */
static void tickets_change_nothing_in_the_game(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_table(&draft, 3);
	save_rows(draft.game.id, before);
	(void)give(draft.game.id, some_ticket, some_token);
	(void)use(draft.game.id, some_ticket);
	assert_string_equal(all_rows(draft.game.id), before);

	/* Tickets do not wait for a move that is being committed. */
	sql(owner, "BEGIN");
	sql(owner, "UPDATE gangd.game SET host = 2 WHERE game_id = '%s'",
	    id_text(draft.game.id));
	assert_int_equal(give(draft.game.id, some_ticket, some_token).result,
	                 STORE_OK);
	assert_int_equal(use(draft.game.id, some_ticket).result, STORE_OK);
	sql(owner, "ROLLBACK");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_ticket_is_used_once),
		ON_A_STORE(only_one_of_many_uses_a_ticket),
		ON_A_STORE(a_ticket_is_good_for_thirty_seconds),
		ON_A_STORE(a_ticket_is_good_in_its_game_only),
		ON_A_STORE(a_deleted_game_has_no_tickets),
		ON_A_STORE(a_ticket_follows_its_player_to_another_seat),
		ON_A_STORE(tickets_change_nothing_in_the_game),
	};

	return cmocka_run_group_tests_name("tickets", tests, open_all,
	                                   close_all);
}
