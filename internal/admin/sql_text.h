/*
 * sql_text.h - SQL text, taken apart into commands.
 *
 * A server whose tables are spread over others refuses several commands in one
 * query.
 */
#pragma once

#include <stddef.h>

/*
 * The length of the command that the text begins with, with the blanks and
 * comments before it and the semicolon after it; 0 if nothing but blanks and
 * comments is left.
 */
size_t sql_text_command(const char *text);
