/*
 * text.h - the words of a story's line.
 *
 * A cursor moves along a line.  Taken words live as long as the story.
 */
#pragma once

#include "story.h"

/* Skip blanks; true at the end of the line. */
bool text_end(const char **at);

/* Take a word if it stands here, and the blanks behind it. */
bool text_take(const char **at, const char *word);

/* The next word, up to a blank; "" at the end. */
const char *text_word(struct story *story, const char **at);

/*
 * A string in double quotes, with \r \n \t \" \\ and \xNN, so that bytes
 * which are no text can be written; len may be NULL.
 */
const char *text_string(struct story *story, const char **at, size_t *len);

/* A piece of JSON: to the end of its brackets or quotes, or of its word. */
const char *text_json(struct story *story, const char **at);

/* Up to one of the two words, or to the end; blanks at both ends go. */
const char *text_until(struct story *story, const char **at, const char *stop,
                       const char *or_stop);

/*
 * The line with its variables put in: $name; $A.token $A.seat $A.game of an
 * actor; $(text*count) repeats.  Between double quotes what is put in is
 * escaped as JSON wants it.
 */
const char *text_fill(struct story *story, const char *line);
