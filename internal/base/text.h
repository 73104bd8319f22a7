/*
 * text.h - appends formatted text to a buffer that the caller owns.
 *
 * snprintf() returns the length that the text would have had; added to an
 * offset that may point behind the buffer.  These functions keep the length
 * within the buffer: a piece that does not fit is dropped whole and sets full.
 * Ask text_fits() once, at the end.
 */
#pragma once

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

/* True if nothing was dropped. */
bool text_fits(const struct text *text);
