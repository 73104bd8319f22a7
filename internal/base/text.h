/*
 * text.h - appends formatted text to a buffer that the caller owns.
 *
 * snprintf() returns the length that the text would have had, which
 * may be more than the buffer holds; added to an offset it points behind the
 * buffer.  These functions keep the length within the buffer instead: what
 * does not fit is dropped whole, and the text is marked as full.  Ask
 * text_fits() once, at the end.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *start; /* borrowed */
	size_t size; /* of the buffer */
	size_t len;  /* written so far, without a zero byte; below size */
	bool full;   /* something was dropped */
};

/* Begin with an empty text in buffer, which has size bytes, at least one. */
void text_init(struct text *text, char *buffer, size_t size);

/* Append bytes, or what printf would print.  A zero byte stands behind. */
void text_put(struct text *text, const char *bytes, size_t len);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True when all that was appended is there. */
bool text_fits(const struct text *text);

#endif
