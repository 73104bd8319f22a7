/*
 * encryption.h - encryption at rest of states, private_data and replay_data
 * (which hold cards), of client references and of push subscriptions: only a
 * holder of the key file can read them.
 *
 * The keys belong to the process.  They are read once, before any thread
 * starts; without a key file everything is written and read as it is.  Values
 * that were written under another key of the file are read, too; those that
 * were written without encryption only while encryption_accept_plain() says so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/macros.h"
#include "base/secret_file.h"
#include "base/uuid.h"

enum {
	ENCRYPTION_KEYS_MAX = 16,
	ENCRYPTION_ID_MAX = 255,
	ENCRYPTION_MARK_SIZE = 2,  /* of an encrypted value: a mark, the key */
	ENCRYPTION_EXTRA = 42,     /* bytes that an encrypted value has more */
	ENCRYPTION_LINE_SIZE = 70, /* of a key file, with its zero byte */
	ENCRYPTION_LIST_SIZE = 65, /* of the numbers of all keys, likewise */
	ENCRYPTION_REASON_SIZE = SECRET_FILE_REASON_SIZE,
	ENCRYPTION_TEXT_MAX = 2048, /* bytes */
	ENCRYPTION_TEXT_STEP = 128, /* to a multiple of which they are padded */
	ENCRYPTION_TEXT_ROOM =
		ENCRYPTION_TEXT_MAX + ENCRYPTION_TEXT_STEP + ENCRYPTION_EXTRA,
	ENCRYPTION_HASH_SIZE = 32,
	ENCRYPTION_HASHES_MAX = ENCRYPTION_KEYS_MAX + 1,
};

/* Where a value is stored.  It can be decrypted nowhere else. */
enum encryption_column {
	ENCRYPTION_STATE = 1,
	ENCRYPTION_PRIVATE = 2,
	ENCRYPTION_REPLAY = 3,
	ENCRYPTION_REFERENCE = 4, /* of a seat */
	ENCRYPTION_SUBSCRIPTION = 5,
};
struct encryption_place {
	struct uuid game;
	uint32_t version;
	enum encryption_column column;

	/*
	 * A value that was written at the version before is read, too: an ended
	 * game keeps its state when its rematch begins.
	 */
	bool or_before;
};

/*
 * Read a key file; the path "" means no keys.  A line is a number, 1 to 255, a
 * blank, and a key of 64 hexadecimal digits; "#" begins a comment.  The first
 * key encrypts.  False, with the reason on stderr, and no keys: the file cannot
 * be read, others than its owner and group may read it, or a line is wrong.
 */
MUST_CHECK bool encryption_read_keys(const char *path);

/* The same, with the reason as a text; it is set only when false is returned.
 */
MUST_CHECK bool encryption_try_keys(const char *path,
                                    char reason[ENCRYPTION_REASON_SIZE]);

/*
 * Whether a value that is not encrypted is read although there are keys.
 * Otherwise, as in the beginning, it is refused, so that nobody who can write
 * to the database can put a value of their own there.  Set before any thread
 * starts.
 */
void encryption_accept_plain(bool accepts);

/* The numbers of the keys that were read, in their order, with blanks. */
void encryption_list_keys(char list[ENCRYPTION_LIST_SIZE]);

/* The number of the first key, which encrypts; 0: there is none. */
unsigned encryption_first(void);

/* Print a line for a key file, with this number and a new key. */
void encryption_make_key(unsigned id, char line[ENCRYPTION_LINE_SIZE]);

/* The first bytes of each value that the first key has encrypted. */
void encryption_mark(uint8_t mark[ENCRYPTION_MARK_SIZE]);

/*
 * Encrypt a value into len + ENCRYPTION_EXTRA bytes, or copy it when there is
 * no key; the number of bytes written.  An empty value stays empty.
 */
size_t encryption_write(struct encryption_place place, const uint8_t *bytes,
                        size_t len, uint8_t *written);

/*
 * Decrypt a value that was read, into the arena, and set *len; a value that is
 * not encrypted is returned itself.  NULL, and no bytes, stay so.  NULL, with a
 * line in the log, which has no byte of the value: the key is unknown
 * (key_unknown), the value is damaged or in the wrong place (value_damaged), or
 * it is not encrypted although there are keys (value_plain).
 */
const uint8_t *encryption_read(struct encryption_place place,
                               const uint8_t *bytes, size_t *len,
                               struct arena *arena);

/*
 * Where a text is stored: in the column of references or subscriptions, and
 * whose it is, by the hash of the player's token.  NULL: it may move to another
 * row, as a reference does, which stays when the token is renewed.
 */
struct encryption_text_place {
	enum encryption_column column;
	const uint8_t *token_hash;
	struct uuid game; /* for the log alone */
};

/*
 * Encrypt a text, which is not empty and has no zero byte, with a random nonce
 * and padded, into ENCRYPTION_TEXT_ROOM bytes; and read it.  Texts of earlier
 * releases, without random nonce, padding and owner, are read too.  A text is
 * current if it is of this form, encrypted under the first key.
 */
size_t encryption_write_text(struct encryption_text_place place,
                             const char *text, size_t len, uint8_t *written);
const char *encryption_read_text(struct encryption_text_place place,
                                 const uint8_t *bytes, size_t len,
                                 struct arena *arena);
bool encryption_is_current_text(struct encryption_text_place place,
                                const uint8_t *bytes, size_t len,
                                struct arena *arena);

struct encryption_hash {
	uint8_t bytes[ENCRYPTION_HASH_SIZE];
};

/*
 * How the hash of a player's endpoint may be stored: the first is how it is
 * written; the others are those under the other keys, and the hash itself,
 * which a daemon without keys has written.  Their number.
 */
unsigned encryption_hash_all(
	const uint8_t *token_hash, const uint8_t *endpoint_hash,
	struct encryption_hash stored[ENCRYPTION_HASHES_MAX]);
