/*
 * hex.h - hexadecimal digits.
 */
#pragma once

/* Write the two digits of a byte, in lower case, without a NUL. */
void hex_put(char text[2], unsigned byte);

/* The value of a digit, of either case: 0..15; -1 for other characters. */
int hex_value(char c);
