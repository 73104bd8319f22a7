/*
 * text.h - appends formatted text to a buffer that the caller owns.
 *
 * A piece that does not fit is dropped whole and sets full, so len never
 * exceeds the buffer (a sum of snprintf() results could).  The caller checks
 * text_fits() once, at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *start; /* borrowed */
	size_t size; /* of the buffer */
	size_t len;  /* of the text, without its zero byte; below size */
	bool full;   /* a piece was dropped */
};

/* Begin with an empty text in a buffer of size bytes, at least one. */
void text_init(struct text *text, char *buffer, size_t size);

/* Append bytes, or formatted text as printf does, and a zero byte. */
void text_put(struct text *text, const char *bytes, size_t len);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True if no piece was dropped. */
bool text_fits(const struct text *text);
