/*
 * game_copy.c - a copy is one piece of memory: the row, and after it the bytes
 * that its pointers lead to.
 */
#include "loop/game_copy.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

size_t game_copy_size(const struct store_game *game)
{
	size_t size = sizeof(*game) + text_size(game->mode) +
	              text_size(game->status) + text_size(game->invite_code) +
	              game->state_len + game->recent_keys_len;

	for (unsigned i = 0; i < STORE_SEATS_MAX; i++)
		size += text_size(game->seats[i].name) +
		        text_size(game->seats[i].avatar);
	return size;
}

/* Copy bytes to *at, and move it past them; NULL for NULL. */
static const void *copy(uint8_t **at, const void *bytes, size_t len)
{
	uint8_t *copied = *at;

	if (!bytes)
		return NULL;
	memcpy(copied, bytes, len);
	*at += len;
	return copied;
}

static const char *copy_text(uint8_t **at, const char *text)
{
	return copy(at, text, text_size(text));
}

struct store_game *game_copy(const struct store_game *game, void *memory)
{
	struct store_game *row = memory;
	uint8_t *at = (uint8_t *)memory + sizeof(*row);

	*row = *game;
	row->mode = copy_text(&at, game->mode);
	row->status = copy_text(&at, game->status);
	row->invite_code = copy_text(&at, game->invite_code);
	row->state = copy(&at, game->state, game->state_len);
	row->recent_keys = copy(&at, game->recent_keys, game->recent_keys_len);
	row->creator_address = NULL;
	row->key = (struct store_key){ .hash = NULL };
	for (unsigned i = 0; i < STORE_SEATS_MAX; i++) {
		struct store_seat *seat = &row->seats[i];

		seat->name = copy_text(&at, game->seats[i].name);
		seat->avatar = copy_text(&at, game->seats[i].avatar);
		seat->is_stale = false;
	}
	assert(at == (uint8_t *)memory + game_copy_size(game));
	return row;
}

struct store_game *game_copy_to(struct arena *arena,
                                const struct store_game *game)
{
	return game_copy(game, arena_alloc(arena, game_copy_size(game)));
}
