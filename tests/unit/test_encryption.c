/*
 * test_encryption.c - key files, and values that are encrypted at rest.
 */
#include "postgres/encryption.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "rows.h"

#define KEY_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define KEY_B "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

enum {
	OWNER_ONLY = 0600,
	EVERYONE = 0604,
	VALUE_LEN = 300,
	PIECE_LEN = 6,
	DAMAGE_STEP = 19
};

/* Read the keys of a file with this text and mode. */
static bool read_text(const char *text, mode_t mode)
{
	char path[] = "/tmp/gangd-keys-XXXXXX";
	int fd = mkstemp(path);
	size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	(void)close(fd);
	bool good = encryption_read_keys(path);
	(void)unlink(path);
	return good;
}

struct file_row {
	const char *name;
	const char *text;
	unsigned first; /* 0: the file is refused */
};

static struct file_row file_rows[] = {
	{ "one key", "7 " KEY_A "\n", 7 },
	{ "no end of the line", "255 " KEY_A, 255 },
	{ "lines of DOS", "7 " KEY_A "\r\n", 7 },
	{ "the first of two", "2 " KEY_B "\n1 " KEY_A "\n", 2 },
	{ "comments", "# keys\n\n  # more\n3 " KEY_A "\n", 3 },
	{ "capitals",
	  "3 00112233445566778899AABBCCDDEEFF00112233445566778899AAB"
	  "BCCDDEEFF\n",
	  3 },
	{ "an empty file", "", 0 },
	{ "comments alone", "# none\n", 0 },
	{ "number 0", "0 " KEY_A "\n", 0 },
	{ "number 256", "256 " KEY_A "\n", 0 },
	{ "a negative number", "-1 " KEY_A "\n", 0 },
	{ "no number", KEY_A "\n", 0 },
	{ "no key", "1 \n", 0 },
	{ "a key too short", "1 00112233\n", 0 },
	{ "a key too long", "1 " KEY_A "00\n", 0 },
	{ "a key with another letter",
	  "1 "
	  "g0112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n",
	  0 },
	{ "more after the key", "1 " KEY_A " x\n", 0 },
	{ "a number twice", "1 " KEY_A "\n1 " KEY_B "\n", 0 },
	{ "the second line is wrong", "1 " KEY_A "\nx\n", 0 },
};

static void check_file(void **state)
{
	const struct file_row *row = *state;

	assert_int_equal(read_text(row->text, OWNER_ONLY), row->first > 0);
	assert_int_equal(encryption_first(), row->first);
}

static void check_mode(void **state)
{
	(void)state;
	assert_false(read_text("1 " KEY_A "\n", EVERYONE));
	assert_int_equal(encryption_first(), 0);
	assert_false(encryption_read_keys("/nonexistent/keys"));
	assert_true(encryption_read_keys(""));
}

static void check_new_key(void **state)
{
	char line[ENCRYPTION_LINE_SIZE];
	char other[ENCRYPTION_LINE_SIZE];

	(void)state;
	encryption_make_key(255, line);
	encryption_make_key(255, other);
	assert_string_not_equal(line, other);
	assert_true(read_text(line, OWNER_ONLY));
	assert_int_equal(encryption_first(), 255);
}

/* --- values --------------------------------------------------------------- */

static struct encryption_place place(void)
{
	struct encryption_place at = { .version = 17,
		                       .column = ENCRYPTION_STATE };

	memset(at.game.bytes, 0x5a, sizeof(at.game.bytes));
	return at;
}

struct value {
	uint8_t plain[VALUE_LEN];
	uint8_t written[VALUE_LEN + ENCRYPTION_EXTRA];
	size_t len;
	struct arena arena;
};

static void write_value(struct value *value, const char *keys)
{
	assert_true(read_text(keys, OWNER_ONLY));
	for (unsigned i = 0; i < VALUE_LEN; i++)
		value->plain[i] = (uint8_t)(i * 7);
	value->len = encryption_write(place(), value->plain, VALUE_LEN,
	                              value->written);
	arena_init(&value->arena);
}

static bool holds(const struct value *value, const uint8_t *piece)
{
	for (size_t i = 0; i + PIECE_LEN <= value->len; i++) {
		if (memcmp(value->written + i, piece, PIECE_LEN) == 0)
			return true;
	}
	return false;
}

static bool reads(struct value *value, struct encryption_place at)
{
	size_t len = value->len;
	const uint8_t *read =
		encryption_read(at, value->written, &len, &value->arena);

	return read && len == VALUE_LEN && memcmp(read, value->plain, len) == 0;
}

static void check_value(void **state)
{
	struct value value;

	(void)state;
	write_value(&value, "9 " KEY_A "\n");
	assert_int_equal(value.len, VALUE_LEN + ENCRYPTION_EXTRA);
	assert_int_equal(value.written[0], 255);
	assert_int_equal(value.written[1], 9);
	for (unsigned i = 0; i + PIECE_LEN < VALUE_LEN; i++)
		assert_false(holds(&value, value.plain + i));
	assert_true(reads(&value, place()));

	/* The same again: equal bytes; another value: another nonce. */
	uint8_t again[VALUE_LEN + ENCRYPTION_EXTRA];
	(void)encryption_write(place(), value.plain, VALUE_LEN, again);
	assert_memory_equal(again, value.written, value.len);
	value.plain[VALUE_LEN - 1] ^= 1;
	(void)encryption_write(place(), value.plain, VALUE_LEN, again);
	assert_memory_not_equal(again + 2, value.written + 2, 24);
	arena_fini(&value.arena);
}

static void check_places(void **state)
{
	struct encryption_place others[] = { place(), place(), place(),
		                             place() };
	struct value value;

	(void)state;
	write_value(&value, "9 " KEY_A "\n");
	others[0].version++;
	others[1].game.bytes[15] ^= 1;
	others[2].column = ENCRYPTION_PRIVATE;
	others[3].column = ENCRYPTION_REPLAY;
	for (unsigned i = 0; i < ARRAY_LEN(others); i++)
		assert_false(reads(&value, others[i]));
	others[0].or_before = true;
	assert_true(reads(&value, others[0]));
	others[0].version++;
	assert_false(reads(&value, others[0]));
	arena_fini(&value.arena);
}

static void check_damage(void **state)
{
	struct value value;

	(void)state;
	write_value(&value, "9 " KEY_A "\n");
	for (unsigned i = 0; i < value.len; i += DAMAGE_STEP) {
		value.written[i] ^= 0x10;
		assert_false(reads(&value, place()));
		value.written[i] ^= 0x10;
	}
	assert_true(reads(&value, place()));
	value.len--;
	assert_false(reads(&value, place()));
	arena_fini(&value.arena);
}

static void check_keys(void **state)
{
	struct value value;

	(void)state;
	write_value(&value, "9 " KEY_A "\n");
	assert_true(read_text("10 " KEY_B "\n9 " KEY_A "\n", OWNER_ONLY));
	assert_true(reads(&value, place()));
	assert_true(read_text("10 " KEY_A "\n", OWNER_ONLY));
	assert_false(reads(&value, place()));
	assert_true(read_text("9 " KEY_B "\n", OWNER_ONLY));
	assert_false(reads(&value, place()));
	assert_true(encryption_read_keys(""));
	assert_false(reads(&value, place()));
	arena_fini(&value.arena);
}

/*
 * Without a key all stays as it is; with one, what is not encrypted is read
 * only if that is asked for, however short it is.
 */
static void check_plain(void **state)
{
	struct value value;
	size_t len = 0;

	(void)state;
	write_value(&value, "9 " KEY_A "\n");
	assert_true(encryption_read_keys(""));
	assert_int_equal(encryption_write(place(), value.plain, VALUE_LEN,
	                                  value.written),
	                 VALUE_LEN);
	assert_memory_equal(value.written, value.plain, VALUE_LEN);
	value.len = VALUE_LEN;
	assert_true(reads(&value, place()));
	assert_true(read_text("9 " KEY_A "\n", OWNER_ONLY));
	assert_false(reads(&value, place()));
	for (len = 1; len <= ENCRYPTION_EXTRA; len++) {
		size_t left = len;

		/* Shorter than what is encrypted, but with its mark. */
		value.written[0] = len % 2 ? 255 : 2;
		assert_null(encryption_read(place(), value.written, &left,
		                            &value.arena));
	}
	memcpy(value.written, value.plain, VALUE_LEN);
	encryption_accept_plain(true);
	assert_true(reads(&value, place()));
	encryption_accept_plain(false);
	assert_false(reads(&value, place()));
	len = 0;
	assert_null(encryption_read(place(), NULL, &len, &value.arena));
	assert_int_equal(encryption_write(place(), NULL, 0, value.written), 0);
	assert_ptr_equal(encryption_read(place(), value.written, &len,
	                                 &value.arena),
	                 value.written);
	arena_fini(&value.arena);
}

static const uint8_t token_one[ENCRYPTION_HASH_SIZE] = { 1, 2, 3 };
static const uint8_t token_two[ENCRYPTION_HASH_SIZE] = { 1, 2, 4 };
static const struct encryption_text_place reference = {
	.column = ENCRYPTION_REFERENCE
};
static const struct encryption_text_place of_one = {
	.column = ENCRYPTION_SUBSCRIPTION, .token_hash = token_one
};
static const struct encryption_text_place of_two = {
	.column = ENCRYPTION_SUBSCRIPTION, .token_hash = token_two
};

/* Equal texts look different, texts of one step are of one length. */
static void check_texts(void **state)
{
	uint8_t first[ENCRYPTION_TEXT_ROOM];
	uint8_t second[ENCRYPTION_TEXT_ROOM];
	char text[ENCRYPTION_TEXT_MAX + 1] = "";
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_true(read_text("9 " KEY_A "\n", OWNER_ONLY));
	for (size_t len = 1; len <= ENCRYPTION_TEXT_MAX; len++) {
		text[len - 1] = (char)('a' + len % 26);
		const struct encryption_text_place place =
			len % 2 ? reference : of_one;
		size_t size = encryption_write_text(place, text, len, first);

		assert_int_equal(size, (len / ENCRYPTION_TEXT_STEP + 1) *
		                                       ENCRYPTION_TEXT_STEP +
		                               ENCRYPTION_EXTRA);
		assert_int_equal(
			encryption_write_text(place, text, len, second), size);
		assert_memory_not_equal(first, second, size);
		assert_string_equal(
			encryption_read_text(place, first, size, &arena), text);
		assert_true(
			encryption_is_current_text(place, first, size, &arena));
		if (len % 100 < 2)
			assert_null(encryption_read_text(of_two, first, size,
			                                 &arena));
		arena_reset(&arena);
	}
	arena_fini(&arena);
}

/* Somebody who can write to the database gives a subscription another owner. */
static void check_owner(void **state)
{
	static const char text[] = "https://push.example/1 key auth";
	uint8_t written[ENCRYPTION_TEXT_ROOM];
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_true(read_text("9 " KEY_A "\n", OWNER_ONLY));
	size_t len = encryption_write_text(of_one, text, strlen(text), written);
	assert_string_equal(encryption_read_text(of_one, written, len, &arena),
	                    text);
	assert_null(encryption_read_text(of_two, written, len, &arena));
	assert_null(encryption_read_text(
		(struct encryption_text_place){
			.column = ENCRYPTION_SUBSCRIPTION },
		written, len, &arena));
	assert_false(encryption_is_current_text(of_two, written, len, &arena));
	arena_fini(&arena);
}

/* As an earlier release wrote it: read, and encrypted anew by rekey. */
static void check_old_text(void **state)
{
	static const char text[] = "account seven";
	const struct encryption_text_place places[] = { reference, of_one };
	uint8_t written[ENCRYPTION_TEXT_ROOM];
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		assert_true(read_text("9 " KEY_A "\n", OWNER_ONLY));
		size_t len = encryption_write(
			(struct encryption_place){ .column = places[i].column },
			(const uint8_t *)text, strlen(text), written);
		assert_string_equal(encryption_read_text(places[i], written,
		                                         len, &arena),
		                    text);
		assert_false(encryption_is_current_text(places[i], written, len,
		                                        &arena));
		len = encryption_write_text(places[i], text, strlen(text),
		                            written);
		assert_true(
			read_text("8 " KEY_B "\n9 " KEY_A "\n", OWNER_ONLY));
		assert_false(encryption_is_current_text(places[i], written, len,
		                                        &arena));
	}
	arena_fini(&arena);
}

/* A stored hash reveals neither the endpoint nor that two players share it. */
static void check_hashes(void **state)
{
	static const uint8_t endpoint[ENCRYPTION_HASH_SIZE] = { 7 };
	struct encryption_hash one[ENCRYPTION_HASHES_MAX];
	struct encryption_hash two[ENCRYPTION_HASHES_MAX];
	struct encryption_hash former[ENCRYPTION_HASHES_MAX];

	(void)state;
	assert_true(read_text("9 " KEY_A "\n", OWNER_ONLY));
	assert_int_equal(encryption_hash_all(token_one, endpoint, former), 2);
	assert_memory_not_equal(former[0].bytes, endpoint, sizeof(endpoint));
	assert_memory_equal(former[1].bytes, endpoint, sizeof(endpoint));
	assert_true(read_text("8 " KEY_B "\n9 " KEY_A "\n", OWNER_ONLY));
	assert_int_equal(encryption_hash_all(token_one, endpoint, one), 3);
	assert_int_equal(encryption_hash_all(token_two, endpoint, two), 3);
	assert_memory_not_equal(one[0].bytes, two[0].bytes,
	                        sizeof(one[0].bytes));
	assert_memory_not_equal(one[0].bytes, former[0].bytes,
	                        sizeof(one[0].bytes));
	assert_memory_equal(one[1].bytes, former[0].bytes,
	                    sizeof(one[1].bytes));
	assert_memory_equal(one[2].bytes, endpoint, sizeof(endpoint));
	assert_true(encryption_read_keys(""));
	assert_int_equal(encryption_hash_all(token_one, endpoint, one), 1);
	assert_memory_equal(one[0].bytes, endpoint, sizeof(endpoint));
}

int main(void)
{
	static struct rows rows;

	if (sodium_init() < 0)
		return 1;
	ROWS_ADD(&rows, file_rows, check_file);
	rows_add(&rows, "a file that everyone can read", check_mode, NULL);
	rows_add(&rows, "a new key", check_new_key, NULL);
	rows_add(&rows, "a value is encrypted", check_value, NULL);
	rows_add(&rows, "a value in another place", check_places, NULL);
	rows_add(&rows, "a value with a wrong bit", check_damage, NULL);
	rows_add(&rows, "a value under another key", check_keys, NULL);
	rows_add(&rows, "a value that is not encrypted", check_plain, NULL);
	rows_add(&rows, "texts", check_texts, NULL);
	rows_add(&rows, "a text that has another owner", check_owner, NULL);
	rows_add(&rows, "hashes of endpoints", check_hashes, NULL);
	rows_add(&rows, "a text of an earlier release", check_old_text, NULL);
	return rows_run("encryption", &rows);
}
