/*
 * stored_game.c - decodes the snapshot of a game.  Two places know which seats
 * are taken, the rows of seats and the state: they have to agree, or else the
 * game is damaged and nobody gets a view of it.
 */
#include "service/stored_game.h"

#include "auth/recent_keys.h"
#include "base/log.h"
#include "service/rulesets.h"

static bool seats_agree(const struct table *table,
                        const struct store_game *game)
{
	for (unsigned seat = 1; seat <= table->seats; seat++) {
		bool is_taken = game->seats[seat - 1].name != NULL;

		if (is_taken != table_is_taken(table, seat))
			return false;
	}
	return true;
}

uint8_t stored_game_bots(const struct store_game *game)
{
	unsigned bots = 0;

	for (unsigned i = 0; i < game->seats_count && i < STORE_SEATS_MAX;
	     i++) {
		if (game->seats[i].bot_level > 0)
			bots |= 2U << i;
	}
	return (uint8_t)bots;
}

static enum err refuse(const struct call *call, const char *event)
{
	LOG(LOG_ERROR, event, LOG_TEXT("id", call->req->id),
	    LOG_TEXT("game", call->game.text),
	    LOG_INT("ruleset", call->game.loaded->ruleset));
	return ERR_INTERNAL;
}

enum err stored_game_decode(struct call *call, const struct store_game *game)
{
	struct table *table = &call->game.table;
	const struct ruleset *rules = rulesets_find(game->ruleset);

	call->game.loaded = game;
	call->game.id = game->id;
	uuid_print(game->id, call->game.text);
	if (!rules || game->rules_version < rules->rules_version_min ||
	    game->rules_version > rules->rules_version)
		return refuse(call, "rules_unknown");
	*table = (struct table){
		.rules = rules,
		.state = arena_alloc(&call->req->arena, rules->state_size),
		.version = game->version,
		.is_public = game->is_public,
		.spectators = game->spectators,
		.absence_s = game->absence_s,
		.seats_max = game->seats_max,
		.seats = game->seats_count,
		.host = game->host,
		.bots = stored_game_bots(game),
		.has_rematch = !uuid_is_none(game->rematch),
	};
	if (!rules->decode(table->state, game->state, game->state_len) ||
	    !table_open(table) || !seats_agree(table, game) ||
	    !recent_keys_valid((struct recent_keys){ game->recent_keys,
	                                             game->recent_keys_len }))
		return refuse(call, "state_damaged");
	call->game.updated_us = game->updated_us;
	return ERR_OK;
}

const void *stored_game_view(struct call *call)
{
	const struct ruleset *rules = call->game.table.rules;
	void *view = arena_alloc(&call->req->arena, rules->view_size);

	rules->view(call->game.table.state, call->caller.seat, view);
	return view;
}
