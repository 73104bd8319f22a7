/*
 * test_outbox.c - notifications that are taken, settled, sent again and purged;
 * by a statement for many games, and by one for each game.
 */
#include "notified.h"

#include "base/macros.h"
#include "admin/purge.h"

enum { DELAY_MS = 5000 };

static const uint8_t webhook[STORE_HASH_SIZE];

/* --- taking --------------------------------------------------------------- */

static void a_taken_one_is_its_takers_until_the_lease_ends(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	assert_int_equal(take().count, 2);
	assert_int_equal(take().count, 0);
	sql(owner, "UPDATE gangd.notification SET due_at = due_at - "
	           "interval '19 seconds'");
	assert_int_equal(take().count, 0);
	sql(owner, "UPDATE gangd.notification SET due_at = due_at - "
	           "interval '2 seconds'");
	assert_int_equal(take().count, 2);
}

/* The lease is as long with a delay, which the due time has added. */
static void a_lease_is_as_long_with_a_delay(void **state)
{
	struct store_taking delayed = taking();
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	delayed.push_delay_ms = delayed.webhook_delay_ms = DELAY_MS;
	assert_int_equal(take_as(delayed).count, 0);
	sql(owner, "UPDATE gangd.notification SET due_at = now() - "
	           "interval '5 seconds'");
	assert_int_equal(take_as(delayed).count, 2);
	assert_int_equal(
		count_where("notification",
	                    "due_at BETWEEN now() + '14 s' AND now() + '15 s'"),
		2);
	assert_int_equal(take_as(delayed).count, 0);
}

/* Two processes at once: each row goes to one of them. */
static void two_takers_share_what_is_due(void **state)
{
	struct store_taking some = taking();
	struct taken mine = { .count = 0 };
	struct taken theirs = { .count = 0 };
	uint64_t end_ms = now_ms() + PATIENCE_MS;
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	for (unsigned i = 0; i < 10; i++)
		tell(&draft, 1, GAME_WON + i);
	struct store *other = open_store(app_url(), 1, 900);
	await_ready(other);
	some.push_limit = 8;
	some.webhook_limit = 7;
	store_take_game_notifications(store, draft.game.id, &some, &arena,
	                              on_taken, &mine);
	store_take_notifications(other, &some, &arena, on_taken, &theirs);
	while (mine.answers + theirs.answers < 2 && now_ms() < end_ms) {
		tick(store, 1);
		tick(other, 1);
	}
	store_close(other);
	assert_int_equal(mine.answers + theirs.answers, 2);
	for (size_t i = 0; i < mine.count; i++) {
		const struct store_notification_key *one = &mine.list[i].key;

		for (size_t j = 0; j < theirs.count; j++)
			assert_true(theirs.list[j].key.version !=
			                    one->version ||
			            memcmp(theirs.list[j].key.target,
			                   one->target, STORE_HASH_SIZE) != 0);
	}
	/* A row that the other one has locked is passed by, not waited for. */
	assert_int_equal(mine.count + theirs.count + take().count, 20);
}

static void the_oldest_are_taken_first(void **state)
{
	struct store_taking two = taking();
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	for (unsigned i = 0; i < 3; i++)
		tell(&draft, 1, GAME_WON + i);
	sql(owner, "UPDATE gangd.notification SET due_at = created_at - "
	           "version * interval '1 minute'");
	two.push_limit = two.webhook_limit = 1;
	for (unsigned i = 0; i < 3; i++) {
		struct taken taken = take_as(two);

		assert_int_equal(taken.count, 2);
		assert_int_equal(taken.list[0].key.version,
		                 draft.game.version - 1 - i);
		assert_int_equal(taken.list[1].key.version,
		                 draft.game.version - 1 - i);
	}
	assert_int_equal(take_as(two).count, 0);
}

/*
 * A service has this many messages, each for another game and player, all due.
 * Those of the first half are the second ones of their players.
 */
static void pile_up(unsigned count, unsigned service, const char *age)
{
	sql(owner,
	    "INSERT INTO gangd.notification (game_id, version, seat, target, "
	    "code, service, place, due_at) "
	    "SELECT game_id, n, 1, decode(repeat('0%u', 32), 'hex'), 12, "
	    "decode(repeat('0%u', 8), 'hex'), (n <= %u)::integer, "
	    "now() - interval '%s' - n * interval '1 ms' "
	    "FROM gangd.game, generate_series(1, %u) AS n",
	    service, service, count / 2, age, count);
}

static unsigned count_of(const struct taken *taken, store_service service)
{
	unsigned count = 0;

	for (size_t i = 0; i < taken->count; i++)
		count += taken->list[i].service == service;
	return count;
}

/* However much is due for one, and for how long. */
static void each_service_has_its_room(void **state)
{
	const store_service full = 0x0101010101010101;
	const store_service busy = 0x0202020202020202;
	const store_service idle = 0x0303030303030303;
	struct store_taking some = taking();
	struct draft draft;

	(void)state;
	delete_all_games();
	create_table(&draft, 2);
	pile_up(2000, 1, "2 hours");
	pile_up(2000, 2, "1 hour");
	pile_up(3, 3, "1 s");
	some.room = 10;
	some.used[0] = (struct store_used){ full, 10 };
	some.used[1] = (struct store_used){ busy, 3 };
	some.used[2] = (struct store_used){ 9, 1 };
	some.used_count = 3;
	struct taken taken = take_as(some);
	assert_int_equal(taken.count, 10);
	assert_int_equal(count_of(&taken, full), 0);
	assert_int_equal(count_of(&taken, busy), 7);
	assert_int_equal(count_of(&taken, idle), 3);
	/* Notifications beyond the room are not touched. */
	assert_int_equal(count_where("notification", "due_at > now()"),
	                 (long)taken.count);
	/* Those of players who had no message before. */
	assert_int_equal(
		count_where("notification", "due_at > now() AND place = 0"), 9);
	some.push_limit = 4;
	some.used_count = 0;
	assert_int_equal(take_as(some).count, 4);
}

/* A process that cannot send to a target leaves what is for it, for a day. */
static void what_cannot_be_sent_is_left_to_others(void **state)
{
	struct store_taking hooks = taking();
	struct store_taking pushes = taking();
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	sql(owner, "UPDATE gangd.notification SET due_at = now() - "
	           "interval '23 hours'");
	hooks.push_delay_ms = STORE_LEFT_MS;
	pushes.webhook_delay_ms = STORE_LEFT_MS;
	struct taken taken = take_as(hooks);
	assert_int_equal(taken.count, 1);
	assert_memory_equal(taken.list[0].key.target, webhook, sizeof(webhook));
	assert_int_equal(take_as(hooks).count, 0);
	taken = take_as(pushes);
	assert_int_equal(taken.count, 1);
	assert_string_equal(taken.list[0].subscription, "one");
	sql(owner, "UPDATE gangd.notification SET due_at = now() - "
	           "interval '24 hours', expires_at = now()");
	taken = take_as(pushes);
	assert_int_equal(taken.count, 2);
	assert_int_equal(taken.list[0].left_s + taken.list[1].left_s, 0);
}

/* Seen this many steps after the one of the commit. */
static void see_after(int steps)
{
	sql(owner,
	    "UPDATE gangd.seat SET last_seen = date_bin('10 s', n.created_at, "
	    "'epoch') + %d * interval '10 s' FROM gangd.notification AS n "
	    "WHERE n.game_id = seat.game_id AND n.seat = seat.seat",
	    steps);
	make_due();
}

/*
 * A player who was seen before, up to the ten seconds of the commit, may be
 * watching: it is known four seconds later.
 */
static void who_was_seen_since_is_watching(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	for (int steps = -6; steps <= 1; steps++) {
		sql(owner, "UPDATE gangd.notification SET created_at = now()");
		see_after(steps);
		struct taken taken = take();
		assert_int_equal(taken.count, 2);
		for (size_t i = 0; i < 2; i++) {
			assert_int_equal(taken.list[i].is_watching, steps == 1);
			assert_in_range(taken.list[i].unsure_ms,
			                steps == 1 ? 0 : 1000, 4000);
		}
	}
	sql(owner, "UPDATE gangd.notification SET created_at = created_at - "
	           "interval '5 s'");
	see_after(0);
	struct taken taken = take();
	assert_int_equal(taken.count, 2);
	assert_false(taken.list[0].is_watching);
	assert_int_equal(taken.list[0].unsure_ms, 0);
	sql(owner, "UPDATE gangd.notification SET is_replay = true, "
	           "created_at = now()");
	see_after(0);
	taken = take();
	assert_int_equal(taken.count, 2);
	assert_int_equal(taken.list[0].unsure_ms, 0);
}

/* A player who was sent the version of the change has seen it; by any daemon.
 */
static void who_was_sent_the_version_is_watching(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	uint32_t version = draft.game.version - 1;
	for (unsigned newer = 0; newer < 2; newer++) {
		sql(owner,
		    "UPDATE gangd.seat SET seen_version = %u WHERE seat = 1",
		    version - 1 + newer);
		make_due();
		struct taken taken = take();
		assert_int_equal(taken.count, 2);
		assert_int_equal(taken.list[0].is_watching, newer);
		assert_int_equal(taken.list[1].is_watching, newer);
		assert_int_equal(taken.list[0].unsure_ms, 0);
	}
}

/* --- settling ------------------------------------------------------------- */

static void each_fate_is_kept(void **state)
{
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	assert_int_equal(unsubscribe(draft.game.id, 1, 0), STORE_OK);
	tell(&draft, 1, GAME_WON);
	struct store_notification taken = take_one();
	assert_int_equal(taken.attempts, 0);
	settle(&taken, STORE_DUE_AGAIN, 8000, DELAY_MS);
	assert_int_equal(count_where("notification",
	                             "attempts = 3 AND due_at BETWEEN "
	                             "now() + '2 s' AND now() + '3 s'"),
	                 1);
	make_due();
	taken = take_one();
	assert_int_equal(taken.attempts, 3);
	settle(&taken, STORE_STAYS, 0, 0);
	assert_int_equal(count_where("notification", "due_at IS NULL"), 1);
	assert_int_equal(take().count, 0);
	sql(owner, "UPDATE gangd.notification SET due_at = now()");
	taken = take_one();
	settle(&taken, STORE_DELETED, 0, 0);
	assert_int_equal(count_where("notification", "true"), 0);
}

/* The first taker was away for longer than its lease. */
static void a_late_settlement_changes_nothing(void **state)
{
	static const enum store_fate fates[] = { STORE_DUE_AGAIN, STORE_STAYS,
		                                 STORE_DELETED };
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	assert_int_equal(unsubscribe(draft.game.id, 1, 0), STORE_OK);
	tell(&draft, 1, GAME_WON);
	struct store_notification first = take_one();
	make_due();
	struct store_notification second = take_one();
	assert_int_not_equal(first.key.lease, second.key.lease);
	for (size_t i = 0; i < ARRAY_LEN(fates); i++)
		settle(&first, fates[i], 0, 0);
	assert_int_equal(count_where("notification",
	                             "attempts = 0 AND due_at > now()"),
	                 1);
	assert_int_equal(take().count, 0);
	settle(&second, STORE_STAYS, 0, 0);
	settle(&first, STORE_DUE_AGAIN, 0, 0);
	assert_int_equal(count_where("notification", "due_at IS NULL"), 1);
}

static void several_games_are_settled_at_once(void **state)
{
	struct store_settled settled[4] = { { .fate = STORE_STAYS } };
	struct reply answers[2] = { { .count = 0 } };
	struct draft drafts[2];

	(void)state;
	delete_all_games();
	for (unsigned i = 0; i < 2; i++) {
		create_table(&drafts[i], 2);
		tell(&drafts[i], 1, GAME_WON);
		tell(&drafts[i], 2, GAME_WON);
	}
	struct taken taken = take();
	assert_int_equal(taken.count, 4);
	for (size_t i = 0; i < 4; i++)
		settled[i] = (struct store_settled){ .key = taken.list[i].key,
			                             .fate = STORE_DELETED };
	if (batch_max == 0) { /* a statement for each run of a game */
		store_settle_notifications(store, settled, 2, 0, on_answer,
		                           &answers[0]);
		store_settle_notifications(store, &settled[2], 2, 0, on_answer,
		                           &answers[1]);
	} else {
		store_settle_notifications(store, settled, 4, 0, on_answer,
		                           &answers[0]);
	}
	await(store, answers, batch_max == 0 ? 2 : 1);
	assert_int_equal(count_where("notification", "true"), 0);
}

/* A commit that deletes it holds its lock, and is not waited for. */
static void a_locked_one_is_neither_taken_nor_settled(void **state)
{
	PGconn *pg = sql_open(owner_url());
	struct draft draft;

	(void)state;
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	struct taken taken = take();
	assert_int_equal(taken.count, 2);
	sql(pg, "BEGIN");
	sql(pg, "SELECT count(*) FROM (SELECT FROM gangd.notification "
	        "WHERE target <> decode(repeat('00', 32), 'hex') FOR UPDATE) "
	        "AS locked");
	for (size_t i = 0; i < 2; i++)
		settle(&taken.list[i], STORE_DELETED, 0, 0);
	assert_int_equal(count_where("notification", "true"), 1);
	sql(pg, "ROLLBACK");
	make_due();
	assert_int_equal(take().count, 1);
	make_due();
	sql(pg, "BEGIN");
	sql(pg, "SELECT count(*) FROM (SELECT FROM gangd.notification "
	        "FOR UPDATE) AS locked");
	assert_int_equal(take().count, 0);
	sql(pg, "ROLLBACK");
	PQfinish(pg);
}

/* --- replaying and purging ------------------------------------------------ */

static void the_webhooks_are_replayed_since_a_time(void **state)
{
	struct admin *admin = admin_open(owner_url());
	struct draft draft;
	uint64_t count = 0;

	(void)state;
	assert_non_null(admin);
	create_subscribed(&draft);
	for (unsigned i = 0; i < 3; i++)
		tell(&draft, 1, GAME_WON + i);
	sql(owner,
	    "UPDATE gangd.notification SET attempts = 7, due_at = NULL, "
	    "expires_at = now(), created_at = "
	    "'2026-01-31T12:00:00Z'::timestamptz "
	    "+ (version - %u) * interval '1 hour'",
	    (unsigned)draft.game.version - 3);
	sql(owner, "UPDATE gangd.seat SET last_seen = now()");
	assert_int_equal(admin_replay_webhooks(admin, "2026-01-31T13:00:00Z",
	                                       &count),
	                 VERDICT_DONE);
	assert_int_equal(count, 2);
	struct taken taken = take();
	assert_int_equal(taken.count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_memory_equal(taken.list[i].key.target, webhook,
		                    sizeof(webhook));
		assert_int_equal(taken.list[i].attempts, 0);
		assert_false(taken.list[i].is_watching);
		assert_in_range(taken.list[i].left_s, 86300, 86400);
	}
	/* Asked for once more while it is sent: that is not settled. */
	assert_int_equal(admin_replay_webhooks(admin, "2026-01-31T14:00:00Z",
	                                       &count),
	                 VERDICT_DONE);
	assert_int_equal(count, 1);
	for (size_t i = 0; i < 2; i++)
		settle(&taken.list[i], STORE_STAYS, 0, 0);
	assert_int_equal(take().count, 1);
	admin_close(admin);
}

static void old_notifications_are_purged(void **state)
{
	const struct purge_ages ages = { .lobby_days = 7,
		                         .finished_days = 90,
		                         .abandoned_days = 90,
		                         .notification_days = 30 };
	struct admin *admin = admin_open(app_url());
	struct purge_counts counts;
	struct draft draft;

	(void)state;
	assert_non_null(admin);
	create_subscribed(&draft);
	tell(&draft, 1, GAME_WON);
	tell(&draft, 2, GAME_WON);
	sql(owner, "UPDATE gangd.notification SET created_at = now() - "
	           "interval '1 day' * (28 + seat * 2 - 1)");
	assert_int_equal(purge_run(admin, &ages, false, &counts), VERDICT_DONE);
	assert_int_equal(counts.notifications, 2);
	assert_int_equal(count_where("notification", "seat = 1"), 2);
	assert_int_equal(count_where("push_subscription", "true"), 2);
	admin_close(admin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(a_taken_one_is_its_takers_until_the_lease_ends),
		ON_A_STORE(a_lease_is_as_long_with_a_delay),
		ON_A_STORE(two_takers_share_what_is_due),
		ON_A_STORE(the_oldest_are_taken_first),
		ON_A_STORE(what_cannot_be_sent_is_left_to_others),
		ON_A_STORE(who_was_seen_since_is_watching),
		ON_A_STORE(who_was_sent_the_version_is_watching),
		ON_A_STORE(each_service_has_its_room),
		ON_A_STORE(each_fate_is_kept),
		ON_A_STORE(a_late_settlement_changes_nothing),
		ON_A_STORE(several_games_are_settled_at_once),
		ON_A_STORE(a_locked_one_is_neither_taken_nor_settled),
		ON_A_STORE(the_webhooks_are_replayed_since_a_time),
		ON_A_STORE(old_notifications_are_purged),
	};

	return run_both_ways("outbox", tests, ARRAY_LEN(tests), 0);
}
