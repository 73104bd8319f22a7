/*
 * language.h - the languages that somebody reads, as Accept-Language has them
 * (RFC 9110, section 12.5.4).
 */
#ifndef HTTP_LANGUAGE_H
#define HTTP_LANGUAGE_H

#include <stddef.h>

enum { LANGUAGES_MAX = 16 };

/*
 * Which of count languages, "de" and so on in lower case, a field asks for
 * most; by its place among them.
 *
 * A range that is longer than a language finds it ("de-CH" finds "de", which
 * is the lookup of RFC 4647).  Of those with the same quality the first in
 * the field is taken.  "*" stands for all languages that the field does not
 * name, and comes after those that it does.  A quality of 0 takes exactly
 * that language out.
 *
 * The first language is for everybody else: without a field, with one that is
 * malformed, or one that names none of the languages.
 */
size_t language_choose(const char *field, const char *const *languages,
                       size_t count);

#endif
