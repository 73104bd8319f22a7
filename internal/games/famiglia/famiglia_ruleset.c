/*
 * The rules of Famiglia as a struct ruleset; its functions are those of
 * famiglia.h, famiglia_view.h and famiglia_print.h.
 */
#include "games/famiglia/famiglia_ruleset.h"

#include "games/famiglia/bot/bot_famiglia.h"
#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/rules/famiglia_print.h"
#include "games/famiglia/rules/famiglia_view.h"

const struct ruleset famiglia_ruleset = {
	.code = "famiglia",
	.number = FAMIGLIA_RULESET_NUMBER,
	.rules_version = 2,
	.rules_version_min = 1,
	.modes = (const char *const[]){ NULL },
	.seats_min = FAMIGLIA_SEATS,
	.seats_max = FAMIGLIA_SEATS,
	.state_size = sizeof(struct famiglia),
	.view_size = sizeof(struct famiglia_view),
	.init = famiglia_init,
	.start = famiglia_start,
	.apply = famiglia_apply,
	.fault = famiglia_fault,
	.start_rematch = famiglia_start_rematch,
	.vacate = famiglia_vacate,
	.occupy = famiglia_occupy,
	.standing = famiglia_standing,
	.view = famiglia_view,
	.now = famiglia_now,
	.print_legal = famiglia_print_legal,
	.print_view = famiglia_print_view,
	.print_you = famiglia_print_you,
	.print_hand = famiglia_print_hand,
	.events = famiglia_print_events,
	.encode = famiglia_encode,
	.decode = famiglia_decode,
	.bot = &bot_famiglia,
};
