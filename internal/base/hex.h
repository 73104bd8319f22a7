/*
 * hex.h - hexadecimal digits.
 */
#ifndef BASE_HEX_H
#define BASE_HEX_H

/* The value of a digit of either case, 0 to 15; -1 for another character. */
int hex_value(char c);

#endif
