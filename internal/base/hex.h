/*
 * hex.h - hexadecimal digits.
 */
#pragma once

/* The value of a digit of either case, 0 to 15; -1 for another character. */
int hex_value(char c);
