/*
 * push_code.h - the reasons for a notification; notifications store numbers.
 */
#pragma once

#include <stdbool.h>

enum push_code {
#define PUSH_CODE(name, number, code) PUSH_CODE_##name = (number),
#include "push/push_code.def"
};

/*
 * The code of a number, such as "your_turn"; static.  NULL if it is unknown
 * here; then a game may have it.
 */
const char *push_code_text(unsigned number);

/* True if it says that the table waits for the seat. */
bool push_code_waits(unsigned number);
