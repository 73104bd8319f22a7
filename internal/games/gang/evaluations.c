/*
 * POST /v1/rules/evaluations: the ranking of hands, and their order.  Equal
 * hands share a place and the next value gets the next place, as in a showdown.
 */
#include <stdlib.h>
#include <string.h>

#include "games/gang/gang_handler.h"
#include "http/body.h"
#include "poker/card.h"
#include "poker/hand.h"

enum { HANDS_MAX = 100, CARDS_MIN = 5, RESULT_JSON_MAX = 128 };

struct dealt {
	uint8_t cards[HAND_CARDS_MAX];
	uint8_t count;
	struct hand hand;
	unsigned place;
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

static int compare_values(const void *left, const void *right)
{
	uint32_t a = (*(struct dealt *const *)left)->hand.value;
	uint32_t b = (*(struct dealt *const *)right)->hand.value;

	return a < b ? -1 : a > b;
}

/* Rank the hands; the weakest value has place 1. */
static void set_places(struct evaluation *evaluation)
{
	struct dealt *sorted[HANDS_MAX] = { NULL };
	unsigned place = 0;

	for (size_t i = 0; i < evaluation->count; i++) {
		sorted[i] = &evaluation->hands[i];
		sorted[i]->hand = hand_of(sorted[i]->cards, sorted[i]->count);
	}
	qsort(sorted, evaluation->count, sizeof(struct dealt *),
	      compare_values);
	for (size_t i = 0; i < evaluation->count; i++) {
		if (i == 0 || compare_values(&sorted[i - 1], &sorted[i]) < 0)
			place++;
		sorted[i]->place = place;
	}
}

static void print_result(const struct dealt *dealt, struct json_out *out)
{
	const struct hand *hand = &dealt->hand;

	json_object(out);
	json_key_string(out, "ranking",
	                ranking_code((enum ranking)hand->ranking));
	json_key_array(out, "best_five");
	for (unsigned i = 0; i < hand->best_count; i++)
		json_string(out, card_text(hand->best[i]));
	json_array_end(out);
	json_key_int(out, "place", dealt->place);
	json_object_end(out);
}

enum err gang_decode_evaluations(struct call *call)
{
	struct body_bounds bounds = { 1, HANDS_MAX, CARDS_MIN, HAND_CARDS_MAX };
	struct evaluation *evaluation =
		arena_zalloc(&call->req->arena, sizeof(*evaluation));

	call->wanted.decoded = evaluation;
	evaluation->count = body_string_table(call->body, "hands", bounds,
	                                      read_card, evaluation->hands);
	return ERR_OK;
}

enum err gang_encode_evaluations(struct call *call)
{
	struct evaluation *evaluation = call->wanted.decoded;
	struct json_out out;

	set_places(evaluation);
	answer_begin(call, &out, (evaluation->count + 1) * RESULT_JSON_MAX);
	json_object(&out);
	json_key_array(&out, "results");
	for (size_t i = 0; i < evaluation->count; i++)
		print_result(&evaluation->hands[i], &out);
	json_array_end(&out);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}
