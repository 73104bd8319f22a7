/*
 * problem.h - every refusal becomes a problem document (RFC 9457) here.
 *
 * Handlers return an enum err, and may say more before: a detail that fits
 * this case better than the one of err.def, and the faults of a body or a
 * query.  Never what depends on hidden cards.
 */
#ifndef HTTP_PROBLEM_H
#define HTTP_PROBLEM_H

#include "http/http.h"

/* The status of a refusal: 409 for a conflict. */
unsigned problem_status(enum err err);

/*
 * Make the reply a problem: type, title, status, detail, instance, code, and
 * errors when there are faults.  Adds the header fields that go with the
 * status (WWW-Authenticate, Retry-After, Cache-Control).  Headers that were
 * added to the reply before are dropped, but Allow and Connection.
 */
void problem_reply(struct http_request *req, enum err err);

/*
 * Note a fault in a member of the body (a JSON pointer) or in a query
 * parameter; strings are borrowed for the request's life.  Of
 * those past HTTP_FAULTS_MAX only the number is told.
 */
void problem_fault(struct http_request *req, const char *pointer,
                   const char *code, const char *detail);
void problem_query_fault(struct http_request *req, const char *parameter,
                         const char *code, const char *detail);

/* The detail of a word that is none of these. */
const char *problem_one_of(struct arena *arena, const char *const *words,
                           size_t count);

/* The same of a header field. */
void problem_header_fault(struct http_request *req, const char *header,
                          const char *code, const char *detail);

/* Name a resource in the problem: "name": {"id": ..., "href": ...}. */
void problem_link(struct http_request *req, const char *name, const char *id,
                  const char *href);

/*
 * Say in the problem where the game stands: "now": {...}.  The members are
 * borrowed for the request's life.
 */
void problem_now(struct http_request *req, const struct http_member *members,
                 size_t count);

/*
 * The page at /problems/<code>, as HTML into the arena, with a link to where
 * the contract is; NULL if unknown.
 */
const char *problem_page(struct arena *arena, const char *code,
                         const char *contract);

#endif
