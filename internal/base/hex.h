/*
 * hex.h - hexadecimal digits.
 */
#pragma once

/* The value of a digit, of either case: 0..15; -1 for other characters. */
int hex_value(char c);
