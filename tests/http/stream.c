/*
 * stream.c - streams of events, read block by block.
 *
 * A stream keeps what it has received, and how far it was read.  An event that
 * a story hears must follow the one before it by one version, and a view must
 * follow the last event that it counts.  Events are checked as a page of events
 * that has them, and a view as the answer to GET, by the same expectations.
 */
#include "stream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "expect.h"
#include "text.h"
#include "watch.h"

static const char retry_block[] = "retry: 2000";

struct stream {
	struct exchange *exchange;
	size_t at;  /* what was read of its answer */
	long heard; /* the version of the last event; 0: none yet */
};

/* --- blocks of lines ------------------------------------------------------ */

/* The next one if it is all there, and goes on being the next. */
static const char *peek(struct story *story, const struct stream *stream)
{
	const char *answer = stream->exchange->answer;
	const char *end;

	if (!answer)
		return NULL;
	answer += stream->at;
	end = strstr(answer, "\n\n");
	return end ? arena_strndup(&story->arena, answer,
	                           (size_t)(end - answer))
	           : NULL;
}

/* Wait for the next event; NULL at the end, or if none comes. */
static const char *await(struct story *story, struct stream *stream, long ms)
{
	struct exchange *exchange = stream->exchange;
	const char *block;

	while (!(block = peek(story, stream)) && !exchange->done) {
		if (!client_hear(story, exchange, ms))
			return NULL;
	}
	return block;
}

static void expect_block(struct story *story, struct stream *stream,
                         const char *expected, long ms)
{
	const char *block = await(story, stream, ms);

	if (!block || strcmp(block, expected) != 0)
		story_fail(story, stream->exchange, "expected \"%s\", not %s",
		           expected, block ? block : "nothing");
	stream->at += strlen(block) + strlen("\n\n");
}

/* --- opening, closing ----------------------------------------------------- */

void stream_open(struct story *story, struct exchange *exchange)
{
	struct actor *actor = exchange->actor;
	struct stream *stream = arena_zalloc(&story->arena, sizeof(*stream));

	if (!actor)
		story_fail(story, NULL, "only actors have streams");
	if (!field_find(exchange->sent, "accept"))
		story_field(story, exchange, "accept", "text/event-stream");
	*stream = (struct stream){ .exchange = exchange };
	story_send(story, exchange);
	exchange->before.found = false;
	while (!exchange->done && !peek(story, stream)) {
		if (!client_hear(story, exchange, STORY_WAIT_MS))
			story_fail(story, exchange, "no stream begins");
	}
	if (!peek(story, stream))
		story_fail(story, exchange, "it is no stream");
	exchange->status = client_status(exchange);
	expect_all(story, exchange,
	           "200 header content-type == \"text/event-stream\""
	           " header cache-control == \"no-store\""
	           " header vary has \"Accept\""
	           " header vary has \"Authorization\""
	           " header x-request-id exists header etag absent");
	expect_block(story, stream, retry_block, STORY_WAIT_MS);
	if (actor->stream)
		stream_close(story, actor);
	actor->stream = stream;
}

void stream_close(struct story *story, struct actor *actor)
{
	client_forget(story, actor->stream->exchange);
	actor->stream = NULL;
}

/* --- events --------------------------------------------------------------- */

/* "id: 7", and "data: " with the event of that version, which is the next. */
static const char *event_of(struct story *story, struct stream *stream,
                            const char *block)
{
	static const char data[] = "\ndata: ";
	struct json_object *json;
	char *end;

	if (strncmp(block, "id: ", 4) != 0 || !isdigit((unsigned char)block[4]))
		story_fail(story, stream->exchange, "no event: %s", block);
	long id = strtol(block + 4, &end, 10);
	if (strncmp(end, data, sizeof(data) - 1) != 0 || strchr(end + 1, '\n'))
		story_fail(story, stream->exchange, "no event: %s", block);
	json = json_tokener_parse(end + sizeof(data) - 1);
	bool is_its_own = expect_int(story, json, ".version") == id;
	json_object_put(json);
	if (!is_its_own)
		story_fail(story, stream->exchange,
		           "the id is not the version: %s", block);
	if (stream->heard && id != stream->heard + 1)
		story_fail(story, stream->exchange,
		           "after version %ld comes %ld", stream->heard, id);
	stream->heard = id;
	return end + sizeof(data) - 1;
}

/* An answer made of what the stream had, to be checked like any other. */
static struct exchange *answer_of(struct story *story,
                                  const struct stream *stream,
                                  const char *target, const char *text)
{
	const struct exchange *exchange = stream->exchange;
	struct exchange *page =
		story_request(story, exchange->actor, "GET", target);

	page->status = exchange->status;
	page->fields = exchange->fields;
	page->answer = strdup(text);
	page->answer_len = strlen(page->answer);
	page->json = json_tokener_parse(page->answer);
	page->done = true;
	return page;
}

static struct exchange *hear_events(struct story *story, struct stream *stream,
                                    unsigned long count)
{
	size_t from = stream->at;
	const char *events = "";

	for (unsigned long i = 0; i < count; i++) {
		const char *block = await(story, stream, STORY_WAIT_MS);
		if (!block)
			story_fail(story, stream->exchange,
			           "%lu of %lu events were heard", i, count);
		events = arena_printf(&story->arena, "%s%s%s", events,
		                      i ? "," : "",
		                      event_of(story, stream, block));
		stream->at += strlen(block) + strlen("\n\n");
	}
	struct exchange *page = answer_of(
		story, stream, stream->exchange->target,
		arena_printf(&story->arena, "{\"events\":[%s]}", events));
	client_log(story, page, stream->exchange->answer + from,
	           stream->at - from);
	watch_after(story, page);
	return page;
}

struct exchange *stream_see(struct story *story, struct actor *actor,
                            const char *line)
{
	static const char head[] = "event: view\nid: ";
	static const char data[] = "\ndata: ";
	struct stream *stream = actor->stream;

	if (!stream)
		story_fail(story, NULL, "%s has no stream", actor->name);
	const char *target = stream->exchange->target;
	const char *block = await(story, stream, STORY_WAIT_MS);
	if (!block || strncmp(block, head, sizeof(head) - 1) != 0)
		story_fail(story, stream->exchange, "expected a view, not %s",
		           block ? block : "nothing");
	char *end;
	long id = strtol(block + sizeof(head) - 1, &end, 10);
	if (strncmp(end, data, sizeof(data) - 1) != 0 || strchr(end + 1, '\n'))
		story_fail(story, stream->exchange, "no view: %s", block);
	struct exchange *view = answer_of(
		story, stream,
		arena_strndup(&story->arena, target,
	                      (size_t)(strstr(target, "/events") - target)),
		end + sizeof(data) - 1);
	if (expect_int(story, view->json, ".version") != id)
		story_fail(story, stream->exchange,
		           "the id is not the version: %s", block);
	if (stream->heard && id != stream->heard)
		story_fail(story, stream->exchange,
		           "after version %ld comes the view of %ld",
		           stream->heard, id);
	stream->heard = id;
	client_log(story, stream->exchange,
	           stream->exchange->answer + stream->at, strlen(block) + 2);
	stream->at += strlen(block) + strlen("\n\n");
	watch_after(story, view);
	expect_all(story, view, line);
	return view;
}

static void hear_nothing(struct story *story, struct stream *stream)
{
	const char *block = await(story, stream, STORY_PARKED_MS);

	if (block || stream->exchange->done)
		story_fail(story, stream->exchange, "expected nothing, not %s",
		           block ? block : "the end");
}

/* All that was sent has been heard, and the answer is whole. */
static void hear_end(struct story *story, struct stream *stream)
{
	struct exchange *exchange = stream->exchange;

	if (!client_wait(story, exchange, STORY_WAIT_MS))
		story_fail(story, exchange, "it does not end");
	if (exchange->status != 200 || exchange->answer_len != stream->at)
		story_fail(story, exchange, "expected the end, not %s",
		           exchange->answer + stream->at);
}

/* The event that announces the end, with this reason; "": without one. */
static const char *closed_block(struct story *story, const char *reason)
{
	return *reason ? arena_printf(&story->arena,
	                              "event: closed\ndata: "
	                              "{\"reason\":\"%s\"}",
	                              text_word(story, &reason))
	               : "event: closed\ndata: {\"reason\":null}";
}

struct exchange *stream_hear(struct story *story, struct actor *actor,
                             const char *line)
{
	struct stream *stream = actor->stream;
	unsigned long count = 1;

	if (!stream)
		story_fail(story, NULL, "%s has no stream", actor->name);
	if (text_take(&line, "nothing")) {
		hear_nothing(story, stream);
		return NULL;
	}
	if (text_take(&line, "the end")) {
		hear_end(story, stream);
		return NULL;
	}
	if (text_take(&line, "closed")) {
		expect_block(story, stream, closed_block(story, line),
		             STORY_WAIT_MS);
		hear_end(story, stream);
		return NULL;
	}
	if (isdigit((unsigned char)*line))
		count = strtoul(text_word(story, &line), NULL, 10);
	struct exchange *page = hear_events(story, stream, count);
	if (*line == '{')
		expect_all(story, page,
		           arena_printf(&story->arena, ".events has %s",
		                        text_json(story, &line)));
	expect_all(story, page, line);
	return page;
}
