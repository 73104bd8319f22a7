/*
 * test_arena.c - the memory of one request.  Blocks are aligned and do not
 * overlap, and a reset or a rewind gives them back.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "rows.h"

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

/* Pieces of many sizes are aligned and zeroed, and do not overlap. */
static void pieces_are_aligned_zeroed_and_apart(void **state)
{
	static const size_t sizes[] = { 1, 2, 15, 16, 17, 100, 4096, 50000, 3 };
	unsigned char *pieces[20 * ARRAY_LEN(sizes)];
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		size_t size = sizes[i % ARRAY_LEN(sizes)];
		pieces[i] = arena_zalloc(&arena, size);
		assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t),
		                 0);
		assert_true(is_zero(pieces[i], size));
		memset(pieces[i], (int)(i + 1), size);
	}
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		size_t last = sizes[i % ARRAY_LEN(sizes)] - 1;
		assert_int_equal(pieces[i][0], i + 1);
		assert_int_equal(pieces[i][last], i + 1);
	}
	arena_fini(&arena);
	assert_null(arena.blocks);
}

static void texts_are_copied_and_printed(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_string_equal(arena_strndup(&arena, "Ada Lovelace", 3), "Ada");
	assert_string_equal(arena_strndup(&arena, "", 0), "");
	assert_string_equal(arena_printf(&arena, "%s/%d", "seat", 4), "seat/4");
	char *wide = arena_printf(&arena, "%*d", 60000, 7);
	assert_int_equal(strlen(wide), 60000);
	assert_int_equal(wide[59999], '7');
	arena_fini(&arena);
}

/* A reset keeps a small and a large block, which are then used and zeroed
 * again. */
static void a_reset_keeps_two_blocks(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	arena_reset(&arena);
	assert_null(arena.blocks);
	unsigned char *first = arena_zalloc(&arena, 100);
	memset(first, 1, 100);
	(void)arena_zalloc(&arena, 100000);
	(void)arena_zalloc(&arena, 5000);
	arena_reset(&arena);
	assert_non_null(arena.blocks);
	const unsigned char *again = arena_zalloc(&arena, 100);
	assert_true(is_zero(again, 100));
	arena_reset(&arena);
	assert_ptr_equal(arena_zalloc(&arena, 8), again);
	const char *other = arena_zalloc(&arena, 5000);
	arena_reset(&arena);
	(void)arena_zalloc(&arena, 8);
	assert_ptr_equal(arena_zalloc(&arena, 5000), other);
	arena_fini(&arena);
	arena_fini(&arena);
	assert_null(arena.blocks);
}

/* arena_alloc() may return memory with its former bytes. */
static void alloc_does_not_clear_the_memory(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	unsigned char *piece = arena_alloc(&arena, 100);
	assert_int_equal((uintptr_t)piece % alignof(max_align_t), 0);
	memset(piece, 1, 100);
	const unsigned char *other = arena_zalloc(&arena, 100);
	assert_true(other >= piece + 100);
	assert_true(is_zero(other, 100));
	arena_fini(&arena);
}

/* Rewinding frees all memory taken after the mark, large blocks too, and leaves
 * older memory as it was. */
static void a_rewind_frees_what_followed_its_mark(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	struct arena_mark empty = arena_mark(&arena);
	char *kept = arena_strndup(&arena, "kept", 4);
	struct arena_mark mark = arena_mark(&arena);
	char *first = arena_zalloc(&arena, 100);
	for (unsigned i = 0; i < 100; i++)
		(void)arena_zalloc(&arena, 10000);
	arena_rewind(&arena, mark);
	assert_string_equal(kept, "kept");
	assert_ptr_equal(arena_zalloc(&arena, 100), first);
	arena_rewind(&arena, empty);
	assert_null(arena.blocks);
	arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_aligned_zeroed_and_apart),
		cmocka_unit_test(texts_are_copied_and_printed),
		cmocka_unit_test(a_reset_keeps_two_blocks),
		cmocka_unit_test(alloc_does_not_clear_the_memory),
		cmocka_unit_test(a_rewind_frees_what_followed_its_mark),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
