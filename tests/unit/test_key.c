/*
 * test_key.c - idempotency keys: which texts are keys, what a request is known
 * by, and what only its key opens.  Rows are in key.def.
 */
#include "auth/key.h"

#include <string.h>

#include "rows.h"

struct read_row {
	const char *name;
	const char *text;
	enum key_fault fault;
};

static struct read_row read_rows[] = {
#define READ(name, text, fault) { name, text, KEY_##fault },
#include "key.def"
};

static const char some[] = "abcdefghijklmnopqrstuv";
static const uint8_t scope[] = { 1, 2, 3 };
static const uint8_t plain[] = "what must not be lost";

enum { SEALED_SIZE = sizeof(plain) + KEY_SEALED_EXTRA };

static struct key key_of(const char *text, const uint8_t *of, size_t of_len)
{
	struct key key;

	assert_int_equal(key_read(text, of, of_len, &key), KEY_OK);
	return key;
}

static bool same(const struct key *a, const struct key *b)
{
	return memcmp(a->hash, b->hash, sizeof(a->hash)) == 0 ||
	       memcmp(a->secret, b->secret, sizeof(a->secret)) == 0;
}

static void check_read(void **state)
{
	const struct read_row *row = *state;
	struct key before;
	struct key key;

	memset(&key, 7, sizeof(key));
	before = key;
	assert_int_equal(key_read(row->text, scope, sizeof(scope), &key),
	                 row->fault);
	if (row->fault)
		assert_memory_equal(&key, &before, sizeof(key));
	else
		assert_false(same(&key, &before));
}

static void check_longest(void **state)
{
	char text[KEY_LEN_MAX + 2];
	struct key key;

	(void)state;
	memset(text, 'x', sizeof(text));
	text[KEY_LEN_MAX + 1] = '\0';
	assert_int_equal(key_read(text, scope, sizeof(scope), &key),
	                 KEY_TOO_LONG);
	text[KEY_LEN_MAX] = '\0';
	assert_int_equal(key_read(text, scope, sizeof(scope), &key), KEY_OK);
}

/* The hash and the secret of a key differ from those of any other key. */
static void check_made(void **state)
{
	static const uint8_t other[] = { 1, 2, 4 };
	struct key key = key_of(some, scope, sizeof(scope));
	struct key again = key_of(some, scope, sizeof(scope));
	struct key keys[] = {
		key_of("abcdefghijklmnopqrstuw", scope, sizeof(scope)),
		key_of("abcdefghijklmnopqrstuV", scope, sizeof(scope)),
		key_of(some, other, sizeof(other)),
		key_of(some, scope, sizeof(scope) - 1),
		key_of(some, scope, 0),
	};

	(void)state;
	assert_memory_equal(&key, &again, sizeof(key));
	assert_memory_not_equal(key.hash, key.secret, sizeof(key.hash));
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		assert_false(same(&key, &keys[i]));
}

/* A key and a scope that run together to the same text are not the same. */
static void check_seam(void **state)
{
	struct key one =
		key_of("abcdefghijklmnopqrstuvw", (const uint8_t *)"x", 1);
	struct key two =
		key_of("abcdefghijklmnopqrstuv", (const uint8_t *)"wx", 2);

	(void)state;
	assert_false(same(&one, &two));
}

static void check_request(void **state)
{
	static const struct {
		const char *method;
		const char *path;
		const char *body;
	} others[] = {
		{ "PUT", "/a", "{}" },   { "POST", "/b", "{}" },
		{ "POST", "/a", "{ }" }, { "POST", "/a", "" },
		{ "POST", "/a{}", "" },  { "POST/a", "", "{}" },
	};
	struct key key = key_of(some, scope, sizeof(scope));
	struct key another = key_of(some, scope, 0);
	uint8_t hash[KEY_HASH_SIZE];
	uint8_t other[KEY_HASH_SIZE];

	(void)state;
	key_hash_request(&key, "POST", "/a", "{}", 2, hash);
	key_hash_request(&key, "POST", "/a", "{}!", 2, other);
	assert_memory_equal(hash, other, sizeof(hash));
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		key_hash_request(&key, others[i].method, others[i].path,
		                 others[i].body, strlen(others[i].body), other);
		assert_memory_not_equal(hash, other, sizeof(hash));
	}
	key_hash_request(&another, "POST", "/a", "{}", 2, other);
	assert_memory_not_equal(hash, other, sizeof(hash));
	/* No body at all is an empty one. */
	key_hash_request(&key, "POST", "/a", NULL, 0, hash);
	key_hash_request(&key, "POST", "/a", "", 0, other);
	assert_memory_equal(hash, other, sizeof(hash));
}

static void seal(const struct key *key, uint8_t *sealed)
{
	assert_true(key_seal(key, plain, sizeof(plain), sealed));
}

static void check_seal(void **state)
{
	struct key key = key_of(some, scope, sizeof(scope));
	uint8_t sealed[SEALED_SIZE];
	uint8_t again[SEALED_SIZE];
	uint8_t opened[sizeof(plain)];

	(void)state;
	seal(&key, sealed);
	seal(&key, again);
	assert_memory_not_equal(sealed, again, sizeof(sealed));
	assert_true(key_open(&key, sealed, sizeof(sealed), opened));
	assert_memory_equal(opened, plain, sizeof(plain));
}

static void check_nothing_sealed(void **state)
{
	struct key key = key_of(some, scope, sizeof(scope));
	uint8_t sealed[KEY_SEALED_EXTRA];
	uint8_t nothing = 7;

	(void)state;
	assert_true(key_seal(&key, &nothing, 0, sealed));
	assert_true(key_open(&key, sealed, sizeof(sealed), &nothing));
	assert_int_equal(nothing, 7);
}

static void check_another_key(void **state)
{
	struct key key = key_of(some, scope, sizeof(scope));
	struct key other = key_of(some, scope, sizeof(scope) - 1);
	uint8_t sealed[SEALED_SIZE];
	uint8_t opened[sizeof(plain)];

	(void)state;
	seal(&key, sealed);
	assert_false(key_open(&other, sealed, sizeof(sealed), opened));
	/* The hash, which finds an answer, does not open it. */
	other = key;
	memcpy(other.secret, key.hash, sizeof(other.secret));
	assert_false(key_open(&other, sealed, sizeof(sealed), opened));
}

static void check_every_damage(void **state)
{
	struct key key = key_of(some, scope, sizeof(scope));
	uint8_t sealed[SEALED_SIZE];
	uint8_t opened[sizeof(plain)];

	(void)state;
	seal(&key, sealed);
	for (size_t bit = 0; bit < sizeof(sealed) * 8; bit++) {
		sealed[bit / 8] ^= (uint8_t)(1U << bit % 8);
		assert_false(key_open(&key, sealed, sizeof(sealed), opened));
		sealed[bit / 8] ^= (uint8_t)(1U << bit % 8);
	}
	assert_true(key_open(&key, sealed, sizeof(sealed), opened));
}

static void check_every_length(void **state)
{
	struct key key = key_of(some, scope, sizeof(scope));
	uint8_t sealed[SEALED_SIZE];
	uint8_t opened[sizeof(plain)];

	(void)state;
	seal(&key, sealed);
	for (size_t len = 0; len < sizeof(sealed); len++)
		assert_false(key_open(&key, sealed, len, opened));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, read_rows, check_read);
	rows_add(&rows, "the longest key is read, a longer one is refused",
	         check_longest, NULL);
	rows_add(&rows, "the hashes and secrets of keys differ", check_made,
	         NULL);
	rows_add(&rows, "key and scope do not run together", check_seam, NULL);
	rows_add(&rows, "the hash of a request covers all its parts",
	         check_request, NULL);
	rows_add(&rows, "a sealed text is opened again", check_seal, NULL);
	rows_add(&rows, "an empty text can be sealed", check_nothing_sealed,
	         NULL);
	rows_add(&rows, "another key does not open it", check_another_key,
	         NULL);
	rows_add(&rows, "any damaged bit is found", check_every_damage, NULL);
	rows_add(&rows, "any other length is refused", check_every_length,
	         NULL);
	return rows_run("key", &rows);
}
