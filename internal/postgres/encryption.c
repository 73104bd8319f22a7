/*
 * A value is encrypted by XChaCha20-Poly1305.  Its bytes are
 *
 *   255, the key's number, 24 bytes nonce, the ciphertext, 16 bytes tag
 *
 * No value that is not encrypted begins so: the format of a state or of
 * replay_data is a small number, and private_data is shorter than the rest.
 *
 * The additional data are the game, the version and the column, so that a value
 * that somebody has moved to another row is damaged.  The nonce is a keyed hash
 * of these and of the value (a synthetic nonce): it takes no random bytes, and
 * a version that is decided twice, of which at most one is stored, has two
 * nonces unless both values are the same.  The length of a value stays visible.
 *
 * A text (a client reference, a subscription) moves with its player to another
 * seat and to the rematch, so neither is part of its place.  A subscription
 * ends with its player's token: half of the token's hash replaces the game.
 * The nonce of a text has 16 random bytes in it: without them equal texts would
 * look equal in all games, and somebody who reads the database could find one
 * by sending guesses.  Zero bytes at its end hide its length, up to a step.
 *
 * For the same reason the hash of an endpoint is stored as a keyed hash of it
 * and of the player's token hash: nobody can test a guess, or see that two
 * players have one device.
 *
 * Three keys are derived from each key of the file: for the cipher, for the
 * nonce, and for hashes.
 */
#include "postgres/encryption.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/random.h"

enum {
	MARK = 255,
	KEY_SIZE = crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
	NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	TAG_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
	PLACE_SIZE = 16 + 8 + 1,
	FOR_CIPHER = 1,
	FOR_NONCE = 2,
	FOR_HASH = 3,
	SALT_SIZE = 16,
};

_Static_assert(ENCRYPTION_MARK_SIZE + NONCE_SIZE + TAG_SIZE == ENCRYPTION_EXTRA,
               "what an encrypted value has more");
_Static_assert(KEY_SIZE == crypto_kdf_KEYBYTES, "a key of the file");

struct key {
	unsigned id;
	uint8_t cipher[KEY_SIZE];
	uint8_t nonce[KEY_SIZE];
	uint8_t hash[KEY_SIZE];
};

/* In the order of the file.  Only encryption_try_keys() writes them. */
static struct key keys[ENCRYPTION_KEYS_MAX];
static unsigned keys_count;
static bool accepts_plain;

static const struct key *find_key(unsigned id)
{
	for (unsigned i = 0; i < keys_count; i++) {
		if (keys[i].id == id)
			return &keys[i];
	}
	return NULL;
}

/* --- the key file --------------------------------------------------------- */

static bool derive(struct key *key, const uint8_t *master)
{
	static const char context[crypto_kdf_CONTEXTBYTES] = { 'g', 'a', 'n',
		                                               'g', 'd', '-',
		                                               'd', 'b' };

	return crypto_kdf_derive_from_key(key->cipher, KEY_SIZE, FOR_CIPHER,
	                                  context, master) == 0 &&
	       crypto_kdf_derive_from_key(key->nonce, KEY_SIZE, FOR_NONCE,
	                                  context, master) == 0 &&
	       crypto_kdf_derive_from_key(key->hash, KEY_SIZE, FOR_HASH,
	                                  context, master) == 0;
}

/* A secret_line_fn. */
static const char *add_key(void *arg, char *line)
{
	uint8_t master[KEY_SIZE];
	size_t len = 0;
	const char *end = NULL;
	char *digits_end;
	unsigned long id = strtoul(line, &digits_end, 10);

	(void)arg;
	if (line[0] < '0' || line[0] > '9' || id == 0 ||
	    id > ENCRYPTION_ID_MAX || *digits_end != ' ')
		return "begins with a number, 1 to 255, and a blank";
	const char *hex = digits_end + strspn(digits_end, " ");
	if (sodium_hex2bin(master, sizeof(master), hex, strlen(hex), NULL, &len,
	                   &end) != 0 ||
	    len != sizeof(master) || *end)
		return "has a key of 64 hexadecimal digits";
	if (find_key((unsigned)id))
		return "has a number that no other line has";
	if (keys_count == ENCRYPTION_KEYS_MAX)
		return "is one of 16 at most";
	keys[keys_count].id = (unsigned)id;
	bool is_derived = derive(&keys[keys_count], master);
	sodium_memzero(master, sizeof(master));
	if (!is_derived)
		return "has a key that libsodium takes";
	keys_count++;
	return NULL;
}

bool encryption_try_keys(const char *path, char reason[ENCRYPTION_REASON_SIZE])
{
	sodium_memzero(keys, sizeof(keys));
	keys_count = 0;
	if (!path[0])
		return true;
	bool is_good = secret_file_read(path, add_key, NULL, reason);
	if (is_good && keys_count == 0) {
		(void)snprintf(reason, ENCRYPTION_REASON_SIZE,
		               "%s has no key; gangctl new-key prints a line "
		               "for it",
		               path);
		is_good = false;
	}
	if (!is_good)
		keys_count = 0;
	return is_good;
}

bool encryption_read_keys(const char *path)
{
	char reason[ENCRYPTION_REASON_SIZE];
	bool is_good = encryption_try_keys(path, reason);

	if (!is_good)
		(void)fprintf(stderr, "%s\n", reason);
	return is_good;
}

void encryption_list_keys(char list[ENCRYPTION_LIST_SIZE])
{
	size_t len = 0;

	list[0] = '\0';
	for (unsigned i = 0; i < keys_count; i++) {
		(void)snprintf(list + len, ENCRYPTION_LIST_SIZE - len, "%s%u",
		               i > 0 ? " " : "", keys[i].id);
		len = strlen(list);
	}
}

void encryption_accept_plain(bool accepts)
{
	accepts_plain = accepts;
}

unsigned encryption_first(void)
{
	return keys_count > 0 ? keys[0].id : 0;
}

void encryption_make_key(unsigned id, char line[ENCRYPTION_LINE_SIZE])
{
	uint8_t master[KEY_SIZE];
	char hex[KEY_SIZE * 2 + 1];

	crypto_kdf_keygen(master);
	(void)sodium_bin2hex(hex, sizeof(hex), master, sizeof(master));
	(void)snprintf(line, ENCRYPTION_LINE_SIZE, "%u %s", id, hex);
	sodium_memzero(master, sizeof(master));
	sodium_memzero(hex, sizeof(hex));
}

void encryption_mark(uint8_t mark[ENCRYPTION_MARK_SIZE])
{
	mark[0] = MARK;
	mark[1] = (uint8_t)encryption_first();
}

/* --- values --------------------------------------------------------------- */

static void print_place(const struct encryption_place *place,
                        uint8_t bytes[PLACE_SIZE])
{
	struct bytes_out out = { .start = bytes, .size = PLACE_SIZE };

	put_bytes(&out, place->game.bytes, sizeof(place->game.bytes));
	put_u64le(&out, place->version);
	put_u8(&out, place->column);
}

/* salt: NULL, or SALT_SIZE bytes. */
static void make_nonce(const struct key *key, const uint8_t place[PLACE_SIZE],
                       const uint8_t *bytes, size_t len, const uint8_t *salt,
                       uint8_t nonce[NONCE_SIZE])
{
	crypto_generichash_state state;

	(void)crypto_generichash_init(&state, key->nonce, KEY_SIZE, NONCE_SIZE);
	(void)crypto_generichash_update(&state, place, PLACE_SIZE);
	(void)crypto_generichash_update(&state, bytes, len);
	if (salt)
		(void)crypto_generichash_update(&state, salt, SALT_SIZE);
	(void)crypto_generichash_final(&state, nonce, NONCE_SIZE);
}

static size_t encrypt(struct encryption_place place, const uint8_t *bytes,
                      size_t len, const uint8_t *salt, uint8_t *written)
{
	uint8_t where[PLACE_SIZE];
	uint8_t *nonce = written + ENCRYPTION_MARK_SIZE;

	encryption_mark(written);
	print_place(&place, where);
	make_nonce(&keys[0], where, bytes, len, salt, nonce);
	(void)crypto_aead_xchacha20poly1305_ietf_encrypt(
		nonce + NONCE_SIZE, NULL, bytes, len, where, PLACE_SIZE, NULL,
		nonce, keys[0].cipher);
	return len + ENCRYPTION_EXTRA;
}

size_t encryption_write(struct encryption_place place, const uint8_t *bytes,
                        size_t len, uint8_t *written)
{
	if (len == 0)
		return 0;
	if (keys_count > 0)
		return encrypt(place, bytes, len, NULL, written);
	memcpy(written, bytes, len);
	return len;
}

static struct encryption_place place_of(struct encryption_text_place text)
{
	struct encryption_place place = { .column = text.column };

	if (text.token_hash)
		memcpy(place.game.bytes, text.token_hash,
		       sizeof(place.game.bytes));
	return place;
}

/* Without random bytes the nonce is safe all the same; equal texts show. */
size_t encryption_write_text(struct encryption_text_place place,
                             const char *text, size_t len, uint8_t *written)
{
	uint8_t padded[ENCRYPTION_TEXT_MAX + ENCRYPTION_TEXT_STEP] = { 0 };
	uint8_t salt[SALT_SIZE] = { 0 };
	size_t steps = len / ENCRYPTION_TEXT_STEP + 1;

	assert(len <= ENCRYPTION_TEXT_MAX);
	if (keys_count == 0) {
		memcpy(written, text, len);
		return len;
	}
	memcpy(padded, text, len);
	if (!random_bytes(salt, sizeof(salt)))
		memset(salt, 0, sizeof(salt));
	return encrypt(place_of(place), padded, steps * ENCRYPTION_TEXT_STEP,
	               salt, written);
}

/* Why a value cannot be read: an event of the log. */
struct fault {
	const char *event;
	unsigned key; /* 0: it is not encrypted, so its bytes may show a card */
};

static void note_fault(const struct fault *fault, struct uuid game,
                       uint32_t version)
{
	char text[UUID_TEXT_LEN + 1];

	uuid_print(game, text);
	LOG(LOG_ERROR, fault->event, LOG_TEXT("game", text),
	    LOG_INT("version", version), LOG_INT("key", fault->key));
}

/* False if the value is damaged or in the wrong place. */
static bool decrypt(const struct key *key, const struct encryption_place *place,
                    const uint8_t *bytes, size_t len, uint8_t *plain)
{
	uint8_t where[PLACE_SIZE];
	const uint8_t *nonce = bytes + ENCRYPTION_MARK_SIZE;
	const uint8_t *ciphertext = nonce + NONCE_SIZE;

	print_place(place, where);
	return crypto_aead_xchacha20poly1305_ietf_decrypt(
		       plain, NULL, NULL, ciphertext,
		       len - (size_t)(ciphertext - bytes), where, PLACE_SIZE,
		       nonce, key->cipher) == 0;
}

/*
 * Read a value of this place, or of the other one if there is one.  NULL, with
 * the fault: it cannot be read.
 */
static const uint8_t *read_at(const struct encryption_place *place,
                              const struct encryption_place *other,
                              const uint8_t *bytes, size_t *len,
                              struct arena *arena, struct fault *fault)
{
	*fault = (struct fault){ "value_plain", 0 };
	if (*len < ENCRYPTION_EXTRA || bytes[0] != MARK)
		return keys_count == 0 || accepts_plain ? bytes : NULL;
	*fault = (struct fault){ "key_unknown", bytes[1] };
	const struct key *key = find_key(bytes[1]);
	if (!key)
		return NULL;
	uint8_t *plain = arena_alloc(arena, *len - ENCRYPTION_EXTRA + 1);
	if (!decrypt(key, place, bytes, *len, plain) &&
	    !(other && decrypt(key, other, bytes, *len, plain))) {
		fault->event = "value_damaged";
		return NULL;
	}
	*len -= ENCRYPTION_EXTRA;
	return plain;
}

const uint8_t *encryption_read(struct encryption_place place,
                               const uint8_t *bytes, size_t *len,
                               struct arena *arena)
{
	struct encryption_place before = { place.game, place.version - 1,
		                           place.column, false };
	struct fault fault;

	if (!bytes || *len == 0)
		return bytes;
	const uint8_t *plain = read_at(&place, place.or_before ? &before : NULL,
	                               bytes, len, arena, &fault);
	if (!plain)
		note_fault(&fault, place.game, place.version);
	return plain;
}

const char *encryption_read_text(struct encryption_text_place place,
                                 const uint8_t *bytes, size_t len,
                                 struct arena *arena)
{
	struct encryption_place here = place_of(place);
	struct encryption_place anywhere = { .column = place.column };
	struct fault fault;

	if (!bytes || len == 0)
		return NULL;
	const uint8_t *plain =
		read_at(&here, &anywhere, bytes, &len, arena, &fault);
	if (!plain) {
		note_fault(&fault, place.game, 0);
		return NULL;
	}
	return arena_strndup(arena, (const char *)plain,
	                     strnlen((const char *)plain, len));
}

bool encryption_is_current_text(struct encryption_text_place place,
                                const uint8_t *bytes, size_t len,
                                struct arena *arena)
{
	const struct encryption_place here = place_of(place);
	const struct key *key = &keys[0];
	uint8_t where[PLACE_SIZE];
	uint8_t nonce[NONCE_SIZE];

	if (keys_count == 0 || len < ENCRYPTION_EXTRA || bytes[0] != MARK ||
	    bytes[1] != key->id)
		return false;
	uint8_t *plain = arena_alloc(arena, len);
	if (!decrypt(key, &here, bytes, len, plain))
		return false;
	print_place(&here, where);
	make_nonce(key, where, plain, len - ENCRYPTION_EXTRA, NULL, nonce);
	return memcmp(nonce, bytes + ENCRYPTION_MARK_SIZE, NONCE_SIZE) != 0;
}

/* --- hashes --------------------------------------------------------------- */

unsigned encryption_hash_all(
	const uint8_t *token_hash, const uint8_t *endpoint_hash,
	struct encryption_hash stored[ENCRYPTION_HASHES_MAX])
{
	for (unsigned i = 0; i < keys_count; i++) {
		crypto_generichash_state state;

		(void)crypto_generichash_init(&state, keys[i].hash, KEY_SIZE,
		                              ENCRYPTION_HASH_SIZE);
		(void)crypto_generichash_update(&state, token_hash,
		                                ENCRYPTION_HASH_SIZE);
		(void)crypto_generichash_update(&state, endpoint_hash,
		                                ENCRYPTION_HASH_SIZE);
		(void)crypto_generichash_final(&state, stored[i].bytes,
		                               ENCRYPTION_HASH_SIZE);
	}
	memcpy(stored[keys_count].bytes, endpoint_hash, ENCRYPTION_HASH_SIZE);
	return keys_count + 1;
}
