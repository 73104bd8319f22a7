/*
 * test_recent_keys.c - the keys of the last moves: how long each is found, what
 * else is not taken for it, and which bytes are refused.
 */
#include "auth/recent_keys.h"

#include <string.h>

#include "rows.h"

/* Keys and requests differ in their last bytes that are stored. */
enum { KEY_LAST = 7, REQUEST_LAST = 3 };

struct list {
	uint8_t bytes[RECENT_KEYS_MAX];
	size_t len;
};

static struct recent_keys keys_of(const struct list *list)
{
	return (struct recent_keys){ list->bytes, list->len };
}

static enum recent_use find(const struct list *list, unsigned key,
                            unsigned request)
{
	uint8_t key_hash[KEY_HASH_SIZE] = { [KEY_LAST] = (uint8_t)key };
	uint8_t request_hash[KEY_HASH_SIZE] = {
		[REQUEST_LAST] = (uint8_t)request,
	};

	return recent_keys_find(keys_of(list), key_hash, request_hash);
}

/* The request of a key is its double. */
static void add(struct list *list, unsigned seat, unsigned key)
{
	uint8_t key_hash[KEY_HASH_SIZE] = { [KEY_LAST] = (uint8_t)key };
	uint8_t request_hash[KEY_HASH_SIZE] = {
		[REQUEST_LAST] = (uint8_t)(2 * key),
	};
	struct list before = *list;

	list->len = recent_keys_add(keys_of(&before), seat, key_hash,
	                            request_hash, list->bytes);
	assert_true(recent_keys_valid(keys_of(list)));
}

static void check_found(void **state)
{
	struct list list = { .len = 0 };

	(void)state;
	assert_true(recent_keys_valid((struct recent_keys){ NULL, 0 }));
	assert_int_equal(find(&list, 1, 2), RECENT_UNUSED);
	add(&list, 3, 1);
	assert_int_equal(list.len, 1 + RECENT_KEYS_ENTRY);
	assert_int_equal(find(&list, 1, 2), RECENT_SAME_REQUEST);
	assert_int_equal(find(&list, 1, 3), RECENT_OTHER_REQUEST);
	assert_int_equal(find(&list, 2, 2), RECENT_UNUSED);
}

/* The oldest of a seat goes, and no other seat's. */
static void check_each_seat_has_its_own(void **state)
{
	struct list list = { .len = 0 };
	unsigned key = 0;

	(void)state;
	for (unsigned i = 0; i < RECENT_KEYS_EACH; i++)
		for (unsigned seat = 1; seat <= RECENT_KEYS_SEATS; seat++)
			add(&list, seat, ++key);
	assert_int_equal(list.len, RECENT_KEYS_MAX);
	for (unsigned each = 1; each <= key; each++)
		assert_int_equal(find(&list, each, 2 * each),
		                 RECENT_SAME_REQUEST);
	add(&list, 2, 100);
	assert_int_equal(list.len, RECENT_KEYS_MAX);
	for (unsigned each = 1; each <= key; each++)
		assert_int_equal(find(&list, each, 2 * each),
		                 each == 2 ? RECENT_UNUSED
		                           : RECENT_SAME_REQUEST);
	for (unsigned i = 1; i < RECENT_KEYS_EACH; i++)
		add(&list, 2, 100 + i);
	assert_int_equal(find(&list, 100, 200), RECENT_SAME_REQUEST);
	add(&list, 2, 110);
	assert_int_equal(find(&list, 100, 200), RECENT_UNUSED);
	assert_int_equal(find(&list, 101, 202), RECENT_SAME_REQUEST);
}

static void check_refuses(void **state)
{
	struct list list = { .len = 0 };

	(void)state;
	for (unsigned i = 0; i < RECENT_KEYS_EACH; i++)
		add(&list, 1, i);
	for (size_t len = 1; len < list.len; len++)
		assert_int_equal(recent_keys_valid((struct recent_keys){
					 list.bytes, len }),
		                 (len - 1) % RECENT_KEYS_ENTRY == 0);
	for (unsigned format = 0; format < 256; format++) {
		list.bytes[0] = (uint8_t)format;
		assert_int_equal(recent_keys_valid(keys_of(&list)),
		                 format == 1);
	}
	list.bytes[0] = 1;
	for (unsigned seat = 0; seat < 256; seat++) {
		list.bytes[1] = (uint8_t)seat;
		assert_int_equal(recent_keys_valid(keys_of(&list)),
		                 seat >= 1 && seat <= RECENT_KEYS_SEATS);
	}
	list.bytes[1] = 1;
	/* One more of the seat than there may be. */
	list.bytes[list.len] = 1;
	list.len += RECENT_KEYS_ENTRY;
	assert_false(recent_keys_valid(keys_of(&list)));
}

int main(void)
{
	static struct rows rows;

	rows_add(&rows, "a key is found with its request", check_found, NULL);
	rows_add(&rows, "each seat has its own keys",
	         check_each_seat_has_its_own, NULL);
	rows_add(&rows, "damaged bytes are refused", check_refuses, NULL);
	return rows_run("recent keys", &rows);
}
