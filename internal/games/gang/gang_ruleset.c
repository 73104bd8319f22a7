/*
 * The rules of The Gang as a struct ruleset; its functions are those of gang.h,
 * gang_view.h, gang_now.h and gang_print.h.
 */
#include "games/gang/gang_ruleset.h"

#include "games/gang/bot/bot_gang.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/gang_now.h"
#include "games/gang/rules/gang_print.h"
#include "games/gang/rules/gang_view.h"

static const char *const modes[] = {
#define MODE(name, number, code, ...) code,
#include "games/gang/rules/mode.def"
	NULL,
};
_Static_assert(ARRAY_LEN(modes) <= RULESET_MODES_MAX + 1, "they fit");

const struct ruleset gang_ruleset = {
	.code = "the_gang",
	.number = GANG_RULESET_NUMBER,
	.rules_version = 2,
	.rules_version_min = 1,
	.modes = modes,
	.seats_min = GANG_PLAYERS_MIN,
	.seats_max = GANG_PLAYERS_MAX,
	.host_may_remove = true,
	.state_size = sizeof(struct gang),
	.view_size = sizeof(struct gang_view),
	.init = gang_init,
	.start = gang_start,
	.apply = gang_apply,
	.fault = gang_fault,
	.start_rematch = gang_start_rematch,
	.vacate = gang_vacate,
	.occupy = gang_occupy,
	.standing = gang_standing,
	.view = gang_view,
	.now = gang_now,
	.print_legal = gang_print_legal,
	.print_view = gang_print_view,
	.print_you = gang_print_you,
	.print_hand = gang_print_hand,
	.events = gang_print_events,
	.encode = gang_encode,
	.decode = gang_decode,
	.bot = &bot_gang,
};
