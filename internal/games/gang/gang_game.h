/*
 * gang_game.h - the numbers that the tables of The Gang give to its handlers.
 */
#pragma once

/* Places in call->path.of_game. */
enum gang_param {
#define PARAM(name, text, read, fallback) PARAM_##name,
#include "games/gang/params.def"
	GANG_PARAM_COUNT
};

enum gang_push_code {
#define PUSH_CODE(name, number, code) PUSH_CODE_##name = (number),
#include "games/gang/push_code.def"
};
