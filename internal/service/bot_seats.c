/*
 * A bot has a seat's row like a person, with a level.  Instead of a token's
 * hash the row has random bytes.  So no request can come from a bot, and its
 * seeds are made from these bytes, which are secret.
 */
#include "service/bot_seats.h"

#include <string.h>

#include "bot/bot.h"
#include "http/problem.h"
#include "table/legal.h"

_Static_assert((int)STORE_BOT_LEVELS == (int)BOT_LEVEL_COUNT,
               "sql has the same levels");

/* More than a table has seats; tree names: neutral as to gender and country. */
static const char *const names[] = {
	"Alder", "Ash",   "Aspen",  "Birch", "Cedar",  "Elm",   "Fir",
	"Hazel", "Holly", "Linden", "Maple", "Poplar", "Rowan", "Willow",
};
_Static_assert(ARRAY_LEN(names) >= TABLE_SEATS_MAX, "one is free");

const char *bot_seats_level(unsigned level)
{
	return bot_level_get((enum bot_level)(level - 1))->code;
}

bool bot_seats_parse_level(const char *code, unsigned *level)
{
	enum bot_level known;

	*level = 0;
	if (!code)
		return true;
	if (!bot_level_parse(code, strlen(code), &known))
		return false;
	*level = 1 + (unsigned)known;
	return true;
}

void bot_seats_print(unsigned level, struct json_out *out)
{
	if (!level) {
		json_key_null(out, "bot");
		return;
	}
	json_key_object(out, "bot");
	json_key_string(out, "level", bot_seats_level(level));
	json_object_end(out);
}

static bool is_taken(const struct store_game *game, const struct name *name,
                     struct arena *arena)
{
	for (unsigned i = 0; i < game->seats_count; i++) {
		const char *other = game->seats[i].name;

		if (other && name_is_like(name, other, arena))
			return true;
	}
	return false;
}

struct name bot_seats_name(const struct store_game *game, struct arena *arena,
                           unsigned number)
{
	struct name name = { .text = NULL };

	do {
		const char *text = names[number++ % ARRAY_LEN(names)];

		if (name_parse(text, arena, &name))
			break; /* never: names[] are valid */
	} while (is_taken(game, &name, arena));
	return name;
}

void bot_seats_print_legal(const char *game_path, struct json_out *out)
{
	struct legal legal = legal_begin(out, "seat_bot", game_path, "/bots");

	legal_one_of(&legal, "level");
	json_key_array(out, "options");
	for (unsigned i = 0; i < BOT_LEVEL_COUNT; i++)
		json_string(out, bot_seats_level(i + 1));
	json_array_end(out);
	json_object_end(out);
	legal_end(&legal);
}

/* --- decoding ------------------------------------------------------------- */

void bot_seats_decode_level(struct call *call, const char *member)
{
	const char *codes[BOT_LEVEL_COUNT];

	for (unsigned i = 0; i < BOT_LEVEL_COUNT; i++)
		codes[i] = bot_seats_level(i + 1);
	call->wanted.bot_level =
		(uint8_t)(1 + body_choice(call->body, member, codes,
	                                  ARRAY_LEN(codes), BOT_SHARP));
}

void bot_seats_decode(struct call *call, unsigned seats)
{
	const struct ruleset *rules = call->game.table.rules;
	struct arena *arena = &call->req->arena;
	unsigned bots = (unsigned)body_int(call->body, "bots", 0,
	                                   TABLE_SEATS_MAX - 1, 0);
	bool starts = body_bool(call->body, "start", false);

	bot_seats_decode_level(call, "bot_level");
	if (bots > 0 && !bot_plays(rules))
		problem_fault(call->req, "/bots", "not_allowed",
		              "Bots do not play this game.");
	if (bots >= seats)
		problem_fault(call->req, "/bots", "out_of_range",
		              arena_printf(arena,
		                           "The game has %u seats, and one of "
		                           "them is yours.",
		                           seats));
	if (starts && bots + 1 < rules->seats_min)
		problem_fault(call->req, "/start", "not_allowed",
		              arena_printf(arena,
		                           "The game starts with %u players at "
		                           "least: ask for more bots.",
		                           rules->seats_min));
	call->wanted.action.args[CREATE_BOTS] = (uint8_t)bots;
	call->wanted.action.args[CREATE_STARTS] = starts;
}
