/*
 * test_snapshot.c - the calls that write a field read it again; bytes that no
 * writer made are refused.
 */
#include "table/snapshot.h"

#include <string.h>

#include "rows.h"
#include "table/ruleset.h"

enum { LIST_MAX = 3 };

static const struct snapshot_formats formats = {
	.newest = 3,
	.checked = 2,
	.unpadded = 3,
};

struct fields {
	uint8_t number;
	uint16_t wide;
	uint64_t set;
	bool flag;
	uint8_t count;
	uint8_t list[LIST_MAX];
};

static const struct fields example = {
	.number = 7,
	.wide = 0x0102,
	.set = UINT64_C(0x8070605040302010),
	.flag = true,
	.count = 2,
	.list = { 5, 6 },
};

static void code_fields(struct snapshot *snapshot, struct fields *fields)
{
	snapshot_u8(snapshot, &fields->number);
	snapshot_u16(snapshot, &fields->wide);
	snapshot_u64(snapshot, &fields->set);
	snapshot_bool(snapshot, &fields->flag);
	snapshot_list(snapshot, &fields->count, fields->list, LIST_MAX);
}

static void fields_are_read_as_written(void **state)
{
	static const uint8_t expected[] = { 3,    7,    1,    2,    0x10, 0x20,
		                            0x30, 0x40, 0x50, 0x60, 0x70, 0x80,
		                            1,    2,    5,    6 };
	uint8_t bytes[RULESET_STATE_MAX];
	struct snapshot snapshot;
	struct fields fields = example;

	(void)state;
	snapshot_write(&snapshot, bytes, &formats);
	code_fields(&snapshot, &fields);
	size_t len = snapshot_written(&snapshot);
	assert_int_equal(len, sizeof(expected) + CHECKSUM_SIZE);
	assert_memory_equal(bytes, expected, sizeof(expected));

	fields = (struct fields){ 0 };
	assert_true(snapshot_read(&snapshot, bytes, len, &formats));
	code_fields(&snapshot, &fields);
	assert_true(get_all_read(&snapshot.in));
	assert_int_equal(snapshot.format, formats.newest);
	assert_int_equal(fields.number, example.number);
	assert_int_equal(fields.wide, example.wide);
	assert_true(fields.set == example.set);
	assert_true(fields.flag);
	assert_int_equal(fields.count, example.count);
	assert_memory_equal(fields.list, example.list, LIST_MAX);
}

/* Format 1 has a zero and no checksum: a test can damage its bytes. */
static struct fields read_damaged(size_t at, uint8_t value)
{
	uint8_t bytes[] = { 1, 0, 7, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 5, 6 };
	struct snapshot snapshot;
	struct fields fields = { 0 };

	bytes[at] = value;
	assert_true(snapshot_read(&snapshot, bytes, sizeof(bytes), &formats));
	code_fields(&snapshot, &fields);
	assert_false(get_all_read(&snapshot.in));
	return fields;
}

static void a_list_without_room_is_read_as_empty(void **state)
{
	(void)state;
	assert_int_equal(read_damaged(14, LIST_MAX + 1).count, 0);
	assert_int_equal(read_damaged(14, LIST_MAX + 1).list[0], 0);
}

static void a_bool_is_0_or_1(void **state)
{
	(void)state;
	assert_false(read_damaged(13, 2).flag);
}

static void other_formats_and_checksums_are_refused(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	struct snapshot_formats older = formats;
	struct snapshot snapshot;

	(void)state;
	snapshot_write(&snapshot, bytes, &formats);
	size_t len = snapshot_written(&snapshot);
	assert_true(snapshot_read(&snapshot, bytes, len, &formats));
	older.newest--;
	assert_false(snapshot_read(&snapshot, bytes, len, &older));
	assert_false(snapshot_read(&snapshot, bytes, 0, &formats));
	bytes[len - 1] ^= 1;
	assert_false(snapshot_read(&snapshot, bytes, len, &formats));
	memcpy(bytes, (uint8_t[]){ 0, 0 }, 2);
	assert_false(snapshot_read(&snapshot, bytes, 2, &formats));
	memcpy(bytes, (uint8_t[]){ 1, 1 }, 2);
	assert_false(snapshot_read(&snapshot, bytes, 2, &formats));
}

static void a_state_without_room_has_no_bytes(void **state)
{
	uint8_t bytes[RULESET_STATE_MAX];
	uint8_t more[RULESET_STATE_MAX] = { 0 };
	struct snapshot snapshot;

	(void)state;
	snapshot_write(&snapshot, bytes, &formats);
	snapshot_bytes(&snapshot, more, sizeof(more));
	assert_int_equal(snapshot_written(&snapshot), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_read_as_written),
		cmocka_unit_test(a_list_without_room_is_read_as_empty),
		cmocka_unit_test(a_bool_is_0_or_1),
		cmocka_unit_test(other_formats_and_checksums_are_refused),
		cmocka_unit_test(a_state_without_room_has_no_bytes),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
