/*
 * test_bytes.c - values of fixed layout.  The get functions read what the put
 * functions wrote; writing or reading past the end is marked, and touches
 * nothing.
 */
#include "base/bytes.h"

#include <string.h>

#include "rows.h"

static void put_stops_when_full(void **state)
{
	uint8_t room[] = { 9, 9, 9, 9, 9 };
	struct bytes_out out = { .start = room, .size = 4 };

	(void)state;
	put_u8(&out, 1);
	put_bytes(&out, (const uint8_t[]){ 2, 255 }, 2);
	assert_int_equal(out.len, 3);
	assert_false(out.full);
	put_u8(&out, 4);
	assert_false(out.full);
	put_u8(&out, 5);
	assert_true(out.full);
	assert_int_equal(out.len, 4);
	assert_memory_equal(room, ((uint8_t[]){ 1, 2, 255, 4, 9 }), 5);
}

/* The bytes that fit are written, and the rest of the run is dropped. */
static void a_long_run_is_cut(void **state)
{
	uint8_t room[] = { 9, 9, 9 };
	struct bytes_out out = { .start = room, .size = 2 };

	(void)state;
	put_bytes(&out, (const uint8_t[]){ 1, 2, 3 }, 3);
	assert_true(out.full);
	assert_int_equal(out.len, 2);
	assert_memory_equal(room, ((uint8_t[]){ 1, 2, 9 }), 3);
}

static void reading_past_the_end_is_marked(void **state)
{
	const uint8_t bytes[] = { 7, 8, 9 };
	struct bytes_in in = { .at = bytes, .left = sizeof(bytes) };
	uint8_t run[2];

	(void)state;
	assert_int_equal(get_u8(&in), 7);
	assert_false(get_all_read(&in));
	get_bytes(&in, run, 2);
	assert_memory_equal(run, bytes + 1, 2);
	assert_true(get_all_read(&in));
	assert_int_equal(get_u8(&in), 0);
	assert_false(get_all_read(&in));
	assert_true(in.broken);
}

/* Zeros stand for what is missing. */
static void missing_bytes_of_a_run_are_zero(void **state)
{
	const uint8_t bytes[] = { 7 };
	struct bytes_in in = { .at = bytes, .left = sizeof(bytes) };
	uint8_t run[3] = { 1, 1, 1 };

	(void)state;
	get_bytes(&in, run, 3);
	assert_memory_equal(run, ((uint8_t[]){ 7, 0, 0 }), 3);
	assert_true(in.broken);
	assert_false(get_all_read(&in));
}

static void wide_numbers_keep_their_byte_order(void **state)
{
	const uint64_t number = UINT64_C(0x8070605040302010);
	uint8_t room[8];
	struct bytes_out out = { .start = room, .size = sizeof(room) };
	struct bytes_in in = { .at = room, .left = sizeof(room) };

	(void)state;
	put_u64le(&out, number);
	assert_memory_equal(room,
	                    ((uint8_t[]){ 0x10, 0x20, 0x30, 0x40, 0x50, 0x60,
	                                  0x70, 0x80 }),
	                    8);
	assert_true(get_u64le(&in) == number);
	assert_true(get_all_read(&in));
	in = (struct bytes_in){ .at = room, .left = 7 };
	(void)get_u64le(&in);
	assert_true(in.broken);

	out = (struct bytes_out){ .start = room, .size = 2 };
	in = (struct bytes_in){ .at = room, .left = 2 };
	put_u16be(&out, 0x1020);
	assert_memory_equal(room, ((uint8_t[]){ 0x10, 0x20 }), 2);
	assert_int_equal(get_u16be(&in), 0x1020);
	assert_true(get_all_read(&in));
}

/* An impossible value marks the input as broken, even if no byte is missing. */
static void an_impossible_value_is_marked(void **state)
{
	const uint8_t bytes[] = { 3 };
	struct bytes_in in = { .at = bytes, .left = sizeof(bytes) };

	(void)state;
	get_expected(&in, 3);
	assert_true(get_all_read(&in));
	in = (struct bytes_in){ .at = bytes, .left = sizeof(bytes) };
	get_expected(&in, 2);
	assert_true(in.broken);
	in = (struct bytes_in){ .at = NULL, .left = 0 };
	get_fail(&in);
	assert_false(get_all_read(&in));
}

static void empty_input_is_read_whole(void **state)
{
	struct bytes_in in = { .at = NULL, .left = 0 };

	(void)state;
	assert_true(get_all_read(&in));
	get_bytes(&in, NULL, 0);
	assert_true(get_all_read(&in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(put_stops_when_full),
		cmocka_unit_test(a_long_run_is_cut),
		cmocka_unit_test(reading_past_the_end_is_marked),
		cmocka_unit_test(missing_bytes_of_a_run_are_zero),
		cmocka_unit_test(wide_numbers_keep_their_byte_order),
		cmocka_unit_test(an_impossible_value_is_marked),
		cmocka_unit_test(empty_input_is_read_whole),
	};

	return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
