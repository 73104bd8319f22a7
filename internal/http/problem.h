/*
 * problem.h - every refusal becomes a problem document (RFC 9457) here.
 *
 * A handler returns an enum err.  It may first set req->detail, which replaces
 * the one of err.def, and note faults of the body, the query or a header field.
 * Nothing of that may depend on hidden cards.
 */
#pragma once

#include "http/http.h"

/* The status of a refusal: 409 for a conflict. */
unsigned problem_status(enum err err);

/*
 * Make the reply a problem document, with the header fields that go with its
 * status (WWW-Authenticate, Retry-After, Cache-Control).  It drops the header
 * fields that were added before, except Allow and Connection.
 */
void problem_reply(struct http_request *req, enum err err);

/*
 * Note a fault in a member of the body (a JSON pointer), in a query parameter,
 * or in a header field; strings are borrowed for the request's life.  Faults
 * past HTTP_FAULTS_MAX are only counted.
 */
void problem_fault(struct http_request *req, const char *pointer,
                   const char *code, const char *detail);
void problem_query_fault(struct http_request *req, const char *parameter,
                         const char *code, const char *detail);

void problem_header_fault(struct http_request *req, const char *header,
                          const char *code, const char *detail);

/* The detail of a fault: a word that must be one of these. */
const char *problem_one_of(struct arena *arena, const char *const *words,
                           size_t count);

/* Name a resource in the problem: "name": {"id": ..., "href": ...}. */
void problem_link(struct http_request *req, const char *name, const char *id,
                  const char *href);

/*
 * Add the present state of the game to the problem: "now": {...}.  The members
 * are borrowed for the request's life.
 */
void problem_now(struct http_request *req, const struct http_member *members,
                 size_t count);

/* Forget the detail, faults, link and state that were noted. */
void problem_forget(struct http_request *req);

/* A problem for people, in a language given by its tag. */
struct problem_words {
	const char *language;
	const char *title;
	const char *text;
};

/*
 * The page at /problems/<code>, as HTML into the arena, with a link to where
 * the contract is; NULL if the code is unknown, and then words may be empty.
 */
const char *problem_page(struct arena *arena, const char *code,
                         const struct problem_words *words,
                         const char *contract);
