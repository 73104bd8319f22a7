/*
 * closing.c - why a stream ends.  call->stream has the caller's seat as the
 * stream showed it last.  Nobody but that player reads the reason: a spectator
 * has no seat, and learns only that the game was deleted.
 *
 * The log that the service may read names the player who left, but not the one
 * who removed them.  The invitation code does: each removal of a person renews
 * it, and nothing else does.  If several players left since the last note, it
 * may be another one's removal, and the reason stays unknown.
 */
#include "service/closing.h"

#include <stdio.h>
#include <string.h>

#include "table/event.h"

void closing_note(struct call *call)
{
	const struct store_game *game = call->game.loaded;

	call->stream.seat = call->caller.seat;
	call->stream.version = call->game.table.version;
	call->stream.is_lobby = call->game.table.status == STATUS_LOBBY;
	(void)snprintf(call->stream.code, sizeof(call->stream.code), "%s",
	               game->invite_code);
}

bool closing_page(const struct call *call, struct store_page *page)
{
	const struct store_game *game = call->game.loaded;

	if (!game || !call->stream.seat ||
	    game->version <= call->stream.version ||
	    game->version - call->stream.version > STORE_PAGE_MAX)
		return false;
	*page = (struct store_page){ .after = call->stream.version,
		                     .up_to = game->version,
		                     .limit = STORE_PAGE_MAX };
	return true;
}

static enum closing reason_of_leaving(const struct call *call,
                                      unsigned leavings)
{
	if (strcmp(call->game.loaded->invite_code, call->stream.code) == 0)
		return CLOSING_LEFT;
	return leavings == 1 ? CLOSING_REMOVED : CLOSING_UNKNOWN;
}

void closing_find(struct call *call, const struct store_event *events,
                  size_t count)
{
	bool is_lobby = call->stream.is_lobby;
	unsigned seat = call->stream.seat;
	bool has_left = false;
	unsigned leavings = 0;

	for (size_t i = 0; i < count; i++) {
		const struct store_event *event = &events[i];

		if (event->type == EVENT_GAME_STARTED)
			is_lobby = false;
		if (event->type == EVENT_TOKEN_RENEWED && event->seat == seat &&
		    !has_left) {
			call->stream.closing = CLOSING_RENEWED;
			return;
		}
		if (event->type != EVENT_PLAYER_LEFT)
			continue;
		leavings++;
		has_left = has_left || event->seat == seat;
		/* In a lobby the seats after a free one close up. */
		if (is_lobby && event->seat < seat)
			seat--;
	}
	if (has_left)
		call->stream.closing = reason_of_leaving(call, leavings);
}

const char *closing_event(struct call *call, enum closing reason)
{
	static const char *const words[] = {
#define CLOSING(name, word) [CLOSING_##name] = word,
#include "service/closing.def"
	};

	if (reason == CLOSING_UNKNOWN)
		return "event: closed\ndata: {\"reason\":null}\n\n";
	return arena_printf(&call->req->arena,
	                    "event: closed\ndata: {\"reason\":\"%s\"}\n\n",
	                    words[reason]);
}
