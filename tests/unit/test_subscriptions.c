/*
 * test_subscriptions.c - which waiter is woken when.  Rows are in
 * subscriptions.def; then thousands of random waiters are compared with a
 * plain model.
 */
#include "live/subscriptions.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "rows.h"

/* Far from now; what is due at a small number was so at the boot. */
#define NEVER_NS (UINT64_MAX - 1)

/* --- rows ----------------------------------------------------------------- */

enum { LETTERS = 26, WORDS_MAX = 256 };

struct live_row {
	const char *name;
	const char *script;
	const char *words;
};

struct play {
	struct subscriptions *subscriptions;
	struct waiter waiters[LETTERS];
	const char *then[LETTERS]; /* to be done when it is called */
	char words[WORDS_MAX];
	size_t len;
};

static struct play play;

static struct live_row live_rows[] = {
#define ROW(...) { __VA_ARGS__ },
#include "subscriptions.def"
};

static void put_char(char c)
{
	assert_true(play.len + 1 < sizeof(play.words));
	play.words[play.len++] = c;
}

static void put_text(const char *text)
{
	while (*text)
		put_char(*text++);
}

static struct uuid game_of(char letter)
{
	return (struct uuid){ { [15] = (uint8_t)letter } };
}

static unsigned digit_of(char c)
{
	assert_in_range(c, '0', '9');
	return (unsigned)(c - '0');
}

static void do_word(const char *word);

static void on_called(void *arg)
{
	size_t letter = (size_t)((struct waiter *)arg - play.waiters);
	const char *then = play.then[letter];

	put_char((char)('a' + letter));
	play.then[letter] = NULL;
	if (then)
		do_word(then);
}

static void do_waiter(size_t letter, const char *word)
{
	struct waiter *waiter = &play.waiters[letter];

	switch (*word++) {
	case '+':
		subscriptions_join(play.subscriptions, waiter, game_of(*word));
		return;
	case '-':
		subscriptions_leave(play.subscriptions, waiter);
		return;
	case '~':
		subscriptions_sleep(play.subscriptions, waiter,
		                    digit_of(word[0]),
		                    word[1] == '@' ? digit_of(word[2])
		                                   : NEVER_NS);
		return;
	case '@':
		subscriptions_pause(play.subscriptions, waiter,
		                    *word == '9' ? NEVER_NS : digit_of(*word));
		return;
	case '=':
		play.then[letter] = word;
		return;
	}
	fail_msg("what is %s?", word - 1);
}

static void put_timeout(void)
{
	uint64_t due_ns = subscriptions_due_ns(play.subscriptions);

	if (due_ns == UINT64_MAX)
		put_text("never");
	else
		put_text(due_ns > clock_monotonic_ns() ? "later" : "now");
}

static void put_list(size_t max)
{
	size_t count = subscriptions_count(play.subscriptions);

	for (size_t left = count; left > 0 && max > 0; left--) {
		struct uuid game;
		uint32_t version =
			subscriptions_next(play.subscriptions, &game);

		if (version == SUBSCRIPTIONS_DELETED)
			continue;
		put_char((char)game.bytes[15]);
		put_char((char)('0' + version));
		max--;
	}
}

/* Words that write something; "." when that is empty. */
static void do_asked(const char *word)
{
	size_t len;

	if (play.len > 0)
		put_char(' ');
	len = play.len;
	switch (*word) {
	case '!':
		subscriptions_run(play.subscriptions,
		                  word[1] >= '0' && word[1] <= '9'
		                          ? digit_of(word[1])
		                          : SIZE_MAX);
		break;
	case '#':
		put_char((char)('0' + subscriptions_count(play.subscriptions)));
		break;
	case '?':
		put_timeout();
		break;
	case '[':
		put_list(digit_of(word[1]));
		break;
	default:
		fail_msg("what is %s?", word);
	}
	if (play.len == len)
		put_char('.');
}

static void do_word(const char *word)
{
	if (*word >= 'a' && *word <= 'z')
		do_waiter((size_t)(*word - 'a'), word + 1);
	else if (*word >= 'A' && *word <= 'Z')
		subscriptions_publish(play.subscriptions, game_of(*word),
		                      word[2] == 'x' ? SUBSCRIPTIONS_DELETED
		                                     : digit_of(word[2]));
	else if (*word == '*')
		subscriptions_wake_all(play.subscriptions);
	else
		do_asked(word);
}

static void check_row(void **state)
{
	const struct live_row *row = *state;

	play = (struct play){ .subscriptions = subscriptions_open(NULL) };
	for (size_t i = 0; i < LETTERS; i++) {
		play.waiters[i].wake = on_called;
		play.waiters[i].arg = &play.waiters[i];
	}
	for (const char *word = row->script; *word;) {
		do_word(word);
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	assert_string_equal(play.words, row->words);
	for (size_t i = 0; i < LETTERS; i++)
		subscriptions_leave(play.subscriptions, &play.waiters[i]);
	subscriptions_close(play.subscriptions);
}

/* --- at random ------------------------------------------------------------ */

enum {
	WAITERS = 5000,
	GAMES = 700,
	STEPS = 300000,
	VERSIONS = 30,
	SEED = 20260131,
};

/* The test's own knowledge of a waiter, without subscriptions.c. */
struct model {
	struct waiter waiter;
	size_t game;
	bool has_joined;
	bool sleeps;
	bool is_woken;
	bool is_due;
	uint32_t seen;
};

static struct {
	struct subscriptions *subscriptions;
	struct model models[WAITERS];
	uint32_t versions[GAMES]; /* the newest reported while somebody waits */
	size_t joined[GAMES];
	size_t watched;
	size_t woken;
	size_t called; /* in this run */
	uint64_t random;
} world;

static size_t below(size_t most)
{
	world.random =
		world.random * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(world.random >> 33U) % most;
}

/* The games share few buckets, so that their lists are long. */
static struct uuid id_of(size_t game)
{
	return (struct uuid){ { [0] = (uint8_t)(game >> 8U),
		                [1] = (uint8_t)game,
		                [8] = (uint8_t)(game % 64) } };
}

static void wake_model(struct model *model)
{
	world.woken += model->sleeps;
	model->is_woken |= model->sleeps;
	model->sleeps = false;
}

static void tell_model(size_t game, uint32_t version)
{
	if (world.joined[game] == 0 || world.versions[game] >= version)
		return;
	world.versions[game] = version;
	for (size_t i = 0; i < WAITERS; i++) {
		struct model *model = &world.models[i];

		if (model->has_joined && model->game == game &&
		    model->seen < version)
			wake_model(model);
	}
}

static void on_model_called(void *arg)
{
	struct model *model = arg;

	assert_true(model->is_woken);
	model->is_woken = false;
	world.woken--;
	world.called++;
}

static void join(struct model *model)
{
	model->game = below(GAMES);
	model->has_joined = true;
	if (world.joined[model->game]++ == 0) {
		world.versions[model->game] = 0;
		world.watched++;
	}
	subscriptions_join(world.subscriptions, &model->waiter,
	                   id_of(model->game));
}

static void sleep_at(struct model *model)
{
	model->seen = (uint32_t)below(VERSIONS);
	model->sleeps = true;
	model->is_due = below(8) == 0;
	tell_model(model->game, model->seen);
	if (world.versions[model->game] > model->seen)
		wake_model(model);
	subscriptions_sleep(world.subscriptions, &model->waiter, model->seen,
	                    model->is_due ? 1 + below(1000)
	                                  : NEVER_NS - below(1000));
}

static void leave(struct model *model)
{
	if (model->has_joined && --world.joined[model->game] == 0)
		world.watched--;
	world.woken -= model->is_woken;
	model->has_joined = model->sleeps = model->is_woken = false;
	subscriptions_leave(world.subscriptions, &model->waiter);
}

static void run(size_t most)
{
	size_t due;

	for (size_t i = 0; i < WAITERS; i++) {
		if (world.models[i].is_due)
			wake_model(&world.models[i]);
	}
	due = world.woken < most ? world.woken : most;
	world.called = 0;
	subscriptions_run(world.subscriptions, most);
	assert_int_equal(world.called, due);
}

static void step(void)
{
	struct model *model = &world.models[below(WAITERS)];
	size_t game = below(GAMES);
	size_t rng = below(100);

	if (rng < 5) {
		uint32_t version = rng == 0 && below(20) == 0
		                           ? SUBSCRIPTIONS_DELETED
		                           : (uint32_t)below(VERSIONS);
		tell_model(game, version);
		subscriptions_publish(world.subscriptions, id_of(game),
		                      version);
	} else if (rng < 15) {
		leave(model);
	} else if (rng == 15 && below(10) == 0) {
		run(below(2) ? SIZE_MAX : below(500));
	} else if (!model->has_joined) {
		join(model);
	} else if (!model->sleeps && !model->is_woken) {
		sleep_at(model);
	}
}

static void check_world(void)
{
	assert_int_equal(subscriptions_count(world.subscriptions),
	                 world.watched);
	for (size_t i = 0; i < WAITERS; i++)
		assert_int_equal(waiter_is_asleep(&world.models[i].waiter),
		                 world.models[i].sleeps);
}

static void check_random(void **state)
{
	(void)state;
	world.subscriptions = subscriptions_open(NULL);
	world.random = SEED;
	for (size_t i = 0; i < WAITERS; i++) {
		world.models[i].waiter.wake = on_model_called;
		world.models[i].waiter.arg = &world.models[i];
	}
	for (size_t i = 0; i < STEPS; i++) {
		step();
		if (i % 500 == 0)
			check_world();
	}
	run(SIZE_MAX);
	check_world();
	for (size_t i = 0; i < WAITERS; i++)
		leave(&world.models[i]);
	check_world();
	assert_int_equal(subscriptions_due_ns(world.subscriptions), UINT64_MAX);
	subscriptions_close(world.subscriptions);
}

/* Any number of due waiters are called in the order of their times. */
static uint64_t last_due_ns;

static void on_due(void *arg)
{
	const struct waiter *waiter = arg;

	assert_true(waiter->due_ns >= last_due_ns);
	last_due_ns = waiter->due_ns;
	world.called++;
}

static void check_order(void **state)
{
	static struct waiter waiters[WAITERS];
	struct subscriptions *subscriptions = subscriptions_open(NULL);
	size_t left = 0;

	(void)state;
	world.called = 0;
	for (size_t i = 0; i < WAITERS; i++) {
		waiters[i].wake = on_due;
		waiters[i].arg = &waiters[i];
		subscriptions_join(subscriptions, &waiters[i],
		                   id_of(i % GAMES));
		subscriptions_sleep(subscriptions, &waiters[i], 0,
		                    1 + below(100000));
	}
	for (size_t i = 0; i < WAITERS; i += 1 + below(3)) {
		subscriptions_leave(subscriptions, &waiters[i]);
		left++;
	}
	subscriptions_run(subscriptions, SIZE_MAX);
	assert_int_equal(world.called, WAITERS - left);
	for (size_t i = 0; i < WAITERS; i++)
		subscriptions_leave(subscriptions, &waiters[i]);
	subscriptions_close(subscriptions);
}

/* The timeout is the time to the next waiter, which is not called before. */
static void check_time(void **state)
{
	struct waiter waiter = { .wake = on_due, .arg = &waiter };
	struct subscriptions *subscriptions = subscriptions_open(NULL);
	uint64_t due_ns = clock_monotonic_ns() + 20 * 1000 * 1000;

	(void)state;
	last_due_ns = 0;
	world.called = 0;
	subscriptions_join(subscriptions, &waiter, id_of(0));
	subscriptions_sleep(subscriptions, &waiter, 0, due_ns);
	assert_int_equal(subscriptions_due_ns(subscriptions), due_ns);
	while (clock_monotonic_ns() < due_ns) {
		subscriptions_run(subscriptions, SIZE_MAX);
		assert_true(world.called == 0 ||
		            clock_monotonic_ns() >= due_ns);
	}
	subscriptions_run(subscriptions, SIZE_MAX);
	assert_int_equal(world.called, 1);
	subscriptions_leave(subscriptions, &waiter);
	subscriptions_close(subscriptions);
}

/* A game is in the filter from the first who waits for it to the last. */
static void check_filter(void **state)
{
	static struct subscriptions_filter filter;
	struct waiter waiters[3] = { 0 };
	struct subscriptions *subscriptions = subscriptions_open(&filter);

	(void)state;
	assert_false(subscriptions_filter_has(&filter, id_of(1)));
	for (unsigned i = 0; i < 3; i++)
		subscriptions_join(subscriptions, &waiters[i],
		                   id_of(1 + i / 2));
	assert_true(subscriptions_filter_has(&filter, id_of(1)));
	assert_true(subscriptions_filter_has(&filter, id_of(2)));
	subscriptions_leave(subscriptions, &waiters[0]);
	assert_true(subscriptions_filter_has(&filter, id_of(1)));
	subscriptions_leave(subscriptions, &waiters[1]);
	subscriptions_leave(subscriptions, &waiters[2]);
	subscriptions_close(subscriptions);
	for (unsigned i = 0; i < SUBSCRIPTIONS_FILTER_SIZE; i++)
		assert_int_equal(filter.games[i], 0);
}

/* Ids that are equal but for one byte share a place by chance only. */
static void check_hash(void **state)
{
	static struct subscriptions_filter filter;
	enum { BYTES = sizeof(struct uuid) };
	struct subscriptions *subscriptions = subscriptions_open(&filter);
	struct waiter waiter = { 0 };
	unsigned found = 0;

	(void)state;
	subscriptions_join(subscriptions, &waiter, id_of(1));
	for (unsigned i = 0; i < BYTES; i++) {
		struct uuid other = id_of(1);

		other.bytes[i] ^= 0xff;
		found += subscriptions_filter_has(&filter, other);
	}
	assert_in_range(found, 0, 2);
	subscriptions_leave(subscriptions, &waiter);
	subscriptions_close(subscriptions);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, live_rows, check_row);
	rows_add(&rows, "thousands of waiters at random match the model",
	         check_random, NULL);
	rows_add(&rows,
	         "thousands of waiters are woken in the order of their times",
	         check_order, NULL);
	rows_add(&rows, "a waiter is not woken before its time", check_time,
	         NULL);
	rows_add(&rows, "the filter knows the games that have waiters",
	         check_filter, NULL);
	rows_add(&rows, "ids that look alike do not share a place", check_hash,
	         NULL);
	return rows_run("subscriptions", &rows);
}
