/*
 * answer.h - builds the replies of the encoders.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

#define MEDIA_JSON "application/json"
#define MEDIA_YAML "application/yaml"
#define MEDIA_HTML "text/html; charset=utf-8"

/* Twice the longest view: one of Famiglia whose hand can pay in many ways. */
enum { ANSWER_VIEW_MAX = 128 * 1024 };

/*
 * Begin a reply in JSON, with room for max bytes; then end it with a status.
 * ERR_INTERNAL if it needed more.
 */
void answer_begin(struct call *call, struct json_out *out, size_t max);
MUST_CHECK enum err answer_end(struct call *call, struct json_out *out,
                               unsigned status);

/* Begin a reply that offers a seat: its object, and which game it is. */
void answer_begin_offer(struct call *call, struct json_out *out);

/* A reply whose text is ready: it is borrowed until the request ends. */
void answer_text(struct call *call, const char *media, const char *text,
                 size_t len);

/* Write a member that is a time, in microseconds since 1970. */
void answer_time(struct json_out *out, const char *name, int64_t at_us);
