/*
 * test_push_seats.c - where players get notifications: their subscriptions, and
 * what is removed with those.
 */
#include "asks.h"
#include "notified.h"

#include "base/macros.h"

static const uint8_t webhook[STORE_HASH_SIZE];

/* --- subscriptions -------------------------------------------------------- */

static void a_player_has_five_subscriptions(void **state)
{
	struct draft draft;

	(void)state;
	delete_all_games();
	create_table(&draft, 2);
	for (unsigned i = 1; i <= STORE_SUBSCRIPTIONS_MAX; i++)
		assert_int_equal(subscribe(draft.game.id, 1, i, "x"), STORE_OK);
	assert_int_equal(STORE_SUBSCRIPTIONS_MAX, 5);
	assert_int_equal(subscribe(draft.game.id, 1, 6, "x"), STORE_TAKEN);
	assert_int_equal(subscribe(draft.game.id, 1, 5, "y"), STORE_OK);
	assert_int_equal(subscribe(draft.game.id, 2, 6, "x"), STORE_OK);
	assert_int_equal(subscribe(draft.game.id, 3, 6, "x"), STORE_NONE);
	assert_int_equal(count_where("push_subscription", "true"), 6);
	assert_int_equal(unsubscribe(draft.game.id, 1, 3), STORE_OK);
	assert_int_equal(subscribe(draft.game.id, 1, 6, "x"), STORE_OK);
	assert_int_equal(push_seats(draft.game.id), 1 << 1 | 1 << 2);
	assert_int_equal(unsubscribe(draft.game.id, 1, 0), STORE_OK);
	assert_int_equal(push_seats(draft.game.id), 1 << 2);
	assert_int_equal(count_where("push_subscription", "true"), 1);
}

static void a_subscription_is_replaced(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	assert_int_equal(subscribe(draft.game.id, 1, 1, "anew"), STORE_OK);
	struct taken taken = take();
	assert_int_equal(taken.count, 2); /* the webhook's too */
	const char *texts[] = { taken.list[0].subscription,
		                taken.list[1].subscription };
	assert_true(!texts[0] != !texts[1]);
	assert_string_equal(texts[0] ? texts[0] : texts[1], "anew");
}

/* A push service that does not know an endpoint any more: whoever has it. */
static void an_endpoint_that_is_gone_is_forgotten(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	tell(&draft, 2, GAME_WON);
	assert_int_equal(count_where("notification", "true"), 4);
	assert_int_equal(forget_target(draft.game.id, 1, 1), STORE_OK);
	assert_int_equal(count_where("push_subscription", "true"), 1);
	assert_int_equal(count_where("notification", "true"), 3);
	assert_int_equal(count_where("notification",
	                             "seat = 1 AND target <> "
	                             "decode(repeat('00', 32), 'hex')"),
	                 0);
	assert_int_equal(push_seats(draft.game.id), 1 << 2);
	draft.game.id.bytes[0] ^= 1;
	assert_int_equal(forget_target(draft.game.id, 1, 1), STORE_NONE);
}

static void a_player_who_leaves_is_told_no_more(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	tell(&draft, 2, GAME_WON);
	draft.move.leave = (struct store_leave){ .seat = 2 };
	assert_int_equal(leave(&draft.move).result, STORE_OK);
	assert_int_equal(count_where("push_subscription", "true"), 1);
	assert_int_equal(count_where("notification", "seat = 2"), 0);
	assert_int_equal(count_where("notification", "seat = 1"), 2);
	assert_int_equal(push_seats(draft.game.id), 1 << 1);
}

/* A thief of the old token may have subscribed. */
static void a_new_token_has_no_subscription(void **state)
{
	static const uint8_t key[STORE_HASH_SIZE] = { 1, 2, 3 };
	uint8_t token[STORE_HASH_SIZE];
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	hash_of(9, token);
	draft.move.renewal = (struct store_renewal){ 1, token };
	draft.move.key = (struct store_key){ .hash = key, .request = key };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_where("push_subscription", "true"), 1);
	assert_int_equal(push_seats(draft.game.id), 1 << 2);
	assert_int_equal(count_where("notification", "seat = 1"), 1);
	struct store_notification left = take_one();
	assert_memory_equal(left.key.target, webhook, sizeof(webhook));
}

static void a_deleted_game_tells_nobody(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	assert_int_equal(
		delete_game(draft.game.id, draft.game.version - 1).result,
		STORE_OK);
	assert_int_equal(count_where("push_subscription", "true"), 0);
	assert_int_equal(count_where("notification", "true"), 0);
}

/* A newer notification deletes the one that says that the table waits. */
static void a_turn_that_is_over_is_not_told(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, YOUR_TURN);
	tell(&draft, 2, YOUR_TURN);
	tell(&draft, 1, GAME_WON);
	assert_int_equal(count_where("notification", "seat = 1 AND code = 1"),
	                 0);
	assert_int_equal(count_where("notification", "seat = 2 AND code = 1"),
	                 2);
	draft.move.notices =
		(struct store_notices){ .done_count = 1, .done = { 2 } };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_where("notification", "code = 1"), 0);
}

/* A newer message replaces an older one that says the same; that alone. */
static void a_message_is_told_once(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	for (unsigned i = 0; i < 3; i++) {
		tell(&draft, 1, GAME_WON);
		tell(&draft, 2, GAME_WON);
		tell(&draft, 1, GAME_WON + 1);
	}
	assert_int_equal(count_where("notification", "true"), 6);
	assert_int_equal(
		count_where("notification", "seat = 2 AND version < 8"), 0);
	/* One that was sent stays for the webhook, and gets a newer one. */
	sql(owner,
	    "UPDATE gangd.notification SET due_at = NULL "
	    "WHERE seat = 2 AND target = decode(repeat('00', 32), 'hex')");
	tell(&draft, 2, GAME_WON);
	assert_int_equal(count_where("notification", "true"), 7);
}

/* The webhook is notified only if there is one. */
static void nothing_is_stored_for_no_webhook(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	draft.move.notices = (struct store_notices){ .count = 3,
		                                     .seats = { 1, 2, 3 },
		                                     .codes = { 12, 12, 12 } };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_where("notification", "true"), 2);
	assert_int_equal(
		count_where("notification",
	                    "target = decode(repeat('00', 32), 'hex')"),
		0);
}

/* One of several subscriptions at a service comes first. */
static void a_player_has_one_first_message_for_a_service(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	for (unsigned endpoint = 3; endpoint < 7; endpoint++)
		assert_int_equal(subscribe(draft.game.id, 1, endpoint, "more"),
		                 STORE_OK);
	tell(&draft, 1, GAME_WON);
	tell(&draft, 2, GAME_WON);
	assert_string_equal(
		sql(owner, "SELECT string_agg(seat || ':' || place, ' ' ORDER "
	                   "BY seat, place) FROM gangd.notification "
	                   "WHERE target <> decode(repeat('00', 32), 'hex')"),
		"1:0 1:1 1:2 1:3 1:3 2:0");
	assert_string_equal(sql(owner, "SELECT count(DISTINCT service) "
	                               "FROM gangd.push_subscription"),
	                    "1");
}

/* gangctl webhooks replay has messages sent that are out of date, too. */
static void a_turn_that_is_asked_for_again_is_told(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, YOUR_TURN);
	sql(owner, "UPDATE gangd.notification SET is_replay = true"
	           " WHERE target = decode(repeat('00', 32), 'hex')");
	tell(&draft, 1, GAME_WON);
	assert_int_equal(count_where("notification", "code = 1"), 1);
	draft.move.notices =
		(struct store_notices){ .done_count = 1, .done = { 1 } };
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_where("notification", "code = 1"), 1);
}

/* A gathered commit sees by the game's row that its subscriptions have changed.
 */
static void a_subscription_changes_the_row_of_its_game(void **state)
{
	char before[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	for (unsigned endpoint = 3; endpoint < 5; endpoint++) {
		save_rows(draft.game.id, before);
		assert_int_equal(subscribe(draft.game.id, 1, endpoint, "more"),
		                 STORE_OK);
		assert_string_not_equal(all_rows(draft.game.id), before);
	}
	save_rows(draft.game.id, before);
	assert_int_equal(unsubscribe(draft.game.id, 1, 3), STORE_OK);
	assert_string_not_equal(all_rows(draft.game.id), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_player_has_five_subscriptions),
		ON_A_STORE(a_subscription_is_replaced),
		ON_A_STORE(an_endpoint_that_is_gone_is_forgotten),
		ON_A_STORE(a_player_who_leaves_is_told_no_more),
		ON_A_STORE(a_new_token_has_no_subscription),
		ON_A_STORE(a_deleted_game_tells_nobody),
		ON_A_STORE(a_turn_that_is_over_is_not_told),
		ON_A_STORE(a_turn_that_is_asked_for_again_is_told),
		ON_A_STORE(a_message_is_told_once),
		ON_A_STORE(nothing_is_stored_for_no_webhook),
		ON_A_STORE(a_player_has_one_first_message_for_a_service),
		ON_A_STORE(a_subscription_changes_the_row_of_its_game),
	};

	return run_both_ways("push_seats", tests, ARRAY_LEN(tests), 0);
}
