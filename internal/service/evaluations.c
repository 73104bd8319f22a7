/*
 * POST /v1/rules/evaluations: the ranking of hands, and their order.  Equal
 * hands share a place and the next value gets the next place, as in a showdown.
 */
#include <string.h>

#include "http/body.h"
#include "poker/card.h"
#include "poker/hand.h"
#include "service/answer.h"
#include "service/handler.h"

enum { HANDS_MAX = 100, CARDS_MIN = 5, RESULT_JSON_MAX = 128 };

struct dealt {
	uint8_t cards[HAND_CARDS_MAX];
	uint8_t count;
	struct hand hand;
};

struct evaluation {
	size_t count;
	struct dealt hands[HANDS_MAX];
};

static const char *read_card(void *arg, size_t outer, size_t inner,
                             const char *text)
{
	struct dealt *dealt = (struct dealt *)arg + outer;
	uint8_t card;

	if (!card_parse(text, strlen(text), &card))
		return "A card is a rank of 23456789TJQKA and a suit of cdhs, "
		       "or Jx.";
	for (size_t i = 0; i < dealt->count; i++) {
		if (dealt->cards[i] == card)
			return "A hand has each card at most once.";
	}
	dealt->cards[inner] = card;
	dealt->count = (uint8_t)(inner + 1);
	return NULL;
}

/* Collect the different values, weakest first; returns their number. */
static size_t sort_values(const struct dealt *dealt, size_t count,
                          uint32_t values[HANDS_MAX])
{
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t value = dealt[i].hand.value;
		size_t at = 0;
		while (at < known && values[at] < value)
			at++;
		if (at < known && values[at] == value)
			continue;
		memmove(values + at + 1, values + at,
		        (known - at) * sizeof(*values));
		values[at] = value;
		known++;
	}
	return known;
}

static unsigned place_of(uint32_t value, const uint32_t *values, size_t count)
{
	size_t at = 0;

	while (at < count && values[at] != value)
		at++;
	return (unsigned)at + 1;
}

static void print_result(const struct dealt *dealt, unsigned place,
                         struct json_out *out)
{
	const struct hand *hand = &dealt->hand;

	json_object(out);
	json_key_string(out, "ranking",
	                ranking_code((enum ranking)hand->ranking));
	json_key_array(out, "best_five");
	for (unsigned i = 0; i < hand->best_count; i++)
		json_string(out, card_text(hand->best[i]));
	json_array_end(out);
	json_key_int(out, "place", place);
	json_object_end(out);
}

enum err decode_evaluations(struct call *call)
{
	struct body_bounds bounds = { 1, HANDS_MAX, CARDS_MIN, HAND_CARDS_MAX };
	struct evaluation *evaluation =
		arena_zalloc(&call->req->arena, sizeof(*evaluation));

	call->wanted.decoded = evaluation;
	evaluation->count = body_string_table(call->body, "hands", bounds,
	                                      read_card, evaluation->hands);
	return ERR_OK;
}

enum err encode_evaluations(struct call *call)
{
	struct evaluation *evaluation = call->wanted.decoded;
	struct dealt *dealt = evaluation->hands;
	uint32_t values[HANDS_MAX];
	struct json_out out;

	for (size_t i = 0; i < evaluation->count; i++)
		dealt[i].hand = hand_of(dealt[i].cards, dealt[i].count);
	size_t known = sort_values(dealt, evaluation->count, values);
	answer_begin(call, &out, (evaluation->count + 1) * RESULT_JSON_MAX);
	json_object(&out);
	json_key_array(&out, "results");
	for (size_t i = 0; i < evaluation->count; i++)
		print_result(&dealt[i],
		             place_of(dealt[i].hand.value, values, known),
		             &out);
	json_array_end(&out);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}
