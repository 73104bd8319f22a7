/*
 * The text is the first len bytes of the buffer, and a zero byte follows it, so
 * len < size always holds.
 */
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_init(struct text *text, char *buffer, size_t size)
{
	assert(size > 0);
	*text = (struct text){ .start = buffer, .size = size };
	buffer[0] = '\0';
}

void text_put(struct text *text, const char *bytes, size_t len)
{
	if (len >= text->size - text->len) {
		text->full = true;
		return;
	}
	memcpy(text->start + text->len, bytes, len);
	text->len += len;
	text->start[text->len] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
	char *end = text->start + text->len;
	size_t left = text->size - text->len;
	va_list args;

	va_start(args, format);
	int len = vsnprintf(end, left, format, args);
	va_end(args);
	assert(len >= 0);
	if ((size_t)len < left) {
		text->len += (size_t)len;
		return;
	}
	*end = '\0';
	text->full = true;
}

bool text_fits(const struct text *text)
{
	return !text->full;
}
