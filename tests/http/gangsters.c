/*
 * gangsters.c - checks that a view of Famiglia names no hidden card.
 *
 * The body is searched as text for names of cards.  Each must be in the street,
 * a display, the viewer's hand or this turn's plays, and the counted cards with
 * the named ones must be sixty.
 */
#include "gangsters.h"

#include <string.h>

#include "expect.h"

enum { CARDS = 60, CARD_LEN = 5 }; /* "\"f0a\"" */

/* The next card in a text of JSON; NULL if there is none. */
static const char *next_card(const char *at)
{
	for (; (at = strchr(at, '"')); at++) {
		if (at[1] && strchr("fmba", at[1]) && at[2] >= '0' &&
		    at[2] <= '4' && at[3] >= 'a' && at[3] <= 'e' &&
		    at[4] == '"')
			return at;
	}
	return NULL;
}

/* Any card of a text that another one names, or does not: a strange one. */
static const char *find_card(struct story *story, const char *in,
                             const char *among, bool strange)
{
	for (const char *at = next_card(in); at; at = next_card(at + 1)) {
		const char *card = arena_strndup(&story->arena, at, CARD_LEN);

		if (strange == !strstr(among, card))
			return card;
	}
	return NULL;
}

/* Some of a view's parts, as text. */
static const char *part(struct story *story, struct json_object *view,
                        const char *path)
{
	struct json_object *found = NULL;

	if (!expect_find(story, view, path, &found) || !found)
		return "";
	const char *text = json_object_to_json_string(found);
	return arena_strndup(&story->arena, text, strlen(text));
}

static int count_cards(const char *text)
{
	int count = 0;

	while ((text = next_card(text))) {
		count++;
		text++;
	}
	return count;
}

/* Street, displays and the own hand; what is somewhere else is counted. */
static const char *check_places(struct story *story,
                                const struct exchange *exchange,
                                struct json_object *view)
{
	const char *open =
		arena_printf(&story->arena, "%s%s%s",
	                     part(story, view, ".table.street"),
	                     part(story, view, ".table.sides[0].display"),
	                     part(story, view, ".table.sides[1].display"));
	const char *hand = part(story, view, ".you.hand");
	int all = count_cards(open) +
	          expect_int(story, view, ".table.sides[0].hand") +
	          expect_int(story, view, ".table.sides[1].hand") +
	          expect_int(story, view, ".table.draw_pile") +
	          expect_int(story, view, ".table.discard_pile");
	const char *twice = find_card(story, hand, open, false);

	for (const char *at = next_card(open); at && !twice;
	     at = next_card(at + 1)) {
		if (next_card(at + 1))
			twice = find_card(story,
			                  arena_strndup(&story->arena, at,
			                                CARD_LEN),
			                  at + 1, false);
	}
	if (twice)
		story_fail(story, exchange, "%s lies in two places", twice);
	if (all != CARDS)
		story_fail(story, exchange, "there are %d cards", all);
	return arena_printf(&story->arena, "%s%s", open, hand);
}

void gangsters_check(struct story *story, const struct exchange *exchange)
{
	struct json_object *view = exchange->json;
	struct json_object *table = NULL;

	if (!expect_find(story, view, ".table", &table) &&
	    expect_find(story, view, ".game", &view))
		(void)expect_find(story, view, ".table", &table);
	if (!json_object_is_type(table, json_type_object))
		return;
	const char *seen = arena_printf(&story->arena, "%s%s%s",
	                                check_places(story, exchange, view),
	                                part(story, view, ".table.played"),
	                                part(story, view, ".table.result"));
	const char *strange = find_card(story, exchange->answer, seen, true);
	if (strange)
		story_fail(story, exchange, "%s is no card of this view",
		           strange);
}
