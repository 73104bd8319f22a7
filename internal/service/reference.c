/*
 * The common part of the lists of GET /v1/rules/...: names and texts in the
 * reader's language, which is ?lang=, else the best match of Accept-Language.
 * An answer stays the same until the service is replaced, so its entity-tag is
 * a hash of it.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "http/accept.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/handler.h"
#include "service/query_param.h"
#include "service/reference.h"
#include "service/texts.h"

enum { REFERENCE_JSON_MAX = ANSWER_VIEW_MAX, KEY_SIZE = 64 };

/* --- the language -------------------------------------------------------- */

/* Browsers name a language with its region: "de-AT". */
static size_t find_language(const char *tag, const char *const *languages,
                            size_t count)
{
	size_t len = strspn(tag, "abcdefghijklmnopqrstuvwxyz"
	                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
	size_t i = 0;

	if (tag[len])
		return count;
	while (i < count && !accept_is_language((struct http_slice){ tag, len },
	                                        languages[i]))
		i++;
	return i;
}

/* A page ignores a query that it does not understand. */
enum err decode_page_language(struct call *call)
{
	const char *wanted = http_query(call->req, "lang");
	size_t count;
	const char *const *tags = texts_languages(&count);
	size_t found = wanted ? find_language(wanted, tags, count) : count;

	call->wanted.language =
		found < count ? found
			      : accept_language(call->req->accept_language,
	                                        tags, count);
	return ERR_OK;
}

enum err decode_language(struct call *call)
{
	const char *wanted = http_query(call->req, "lang");
	size_t count;
	const char *const *tags = texts_languages(&count);

	if (wanted && find_language(wanted, tags, count) == count)
		problem_query_fault(call->req, "lang", "not_one_of",
		                    problem_one_of(&call->req->arena, tags,
		                                   count));
	return decode_page_language(call);
}

const char *reference_find(const struct call *call, const char *kind,
                           const char *code, const char *part)
{
	char key[KEY_SIZE];

	(void)snprintf(key, sizeof(key), "%s.%s.%s", kind, code, part);
	return texts_find(key, call->wanted.language);
}

const char *reference_text(const struct call *call, const char *kind,
                           const char *code, const char *part)
{
	const char *text = reference_find(call, kind, code, part);

	assert(text);
	return text;
}

/* --- what the lists share ------------------------------------------------ */

void reference_print(const struct call *call, const char *kind,
                     const char *code, struct json_out *out)
{
	json_key_string(out, "code", code);
	json_key_string(out, "name", reference_text(call, kind, code, "name"));
	json_key_string(out, "text", reference_text(call, kind, code, "text"));
}

void reference_begin(struct call *call, const char *name, struct json_out *out)
{
	answer_begin(call, out, REFERENCE_JSON_MAX);
	json_object(out);
	json_key_array(out, name);
}

enum err reference_end(struct call *call, struct json_out *out)
{
	size_t count;
	const char *const *tags = texts_languages(&count);

	_Static_assert((int)HTTP_ETAG_SIZE <= (int)CALL_ETAG_SIZE, "it fits");
	json_array_end(out);
	json_object_end(out);
	enum err err = answer_end(call, out, 200);
	if (err)
		return err;
	http_etag_print(out->start, json_out_len(out), call->game.etag);
	http_header(call->req, "Content-Language", tags[call->wanted.language]);
	return ERR_OK;
}
