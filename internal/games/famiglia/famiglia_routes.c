/*
 * Famiglia's own routes, and its list of families.  A decoder checks only what
 * holds in every state of a game; the rules check the rest when the move is
 * decided.
 */
#include <string.h>

#include "games/famiglia/famiglia_handler.h"
#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/rules/famiglia_print.h"
#include "http/problem.h"
#include "service/reference.h"

/* --- moves --------------------------------------------------------------- */

static uint8_t read_gangster(struct call *call, const char *pointer,
                             const char *text)
{
	uint8_t gangster = GANGSTER_NONE;

	if (text && !famiglia_gangster_parse(text, strlen(text), &gangster))
		problem_fault(call->req, pointer, "not_one_of",
		              famiglia_no_card);
	return gangster;
}

static uint8_t decode_gangster(struct call *call, const char *name, bool needed)
{
	return read_gangster(call, arena_printf(&call->req->arena, "/%s", name),
	                     body_string(call->body, name, needed));
}

/* Read different cards; returns how many, or 0 if it is not a list. */
static size_t decode_gangsters(struct call *call, const char *name, size_t min,
                               size_t max, uint8_t *gangsters)
{
	struct arena *arena = &call->req->arena;
	const char *texts[SWAP_MAX];
	size_t count = body_strings(call->body, name, min, max, texts);

	for (size_t i = 0; i < count; i++) {
		const char *pointer = arena_printf(arena, "/%s/%zu", name, i);
		uint8_t gangster = read_gangster(call, pointer, texts[i]);

		if (gangster && memchr(gangsters, gangster, i))
			problem_fault(call->req, pointer, "not_allowed",
			              "This card is there already.");
		gangsters[i] = gangster;
	}
	return count;
}

/* Read the member that all moves but passing have; returns the arguments. */
static uint8_t *decode_card(struct call *call)
{
	uint8_t *args = call->wanted.action.args;

	args[ARG_PLAYED] = decode_gangster(call, "card", true);
	return args;
}

enum err famiglia_decode_refill(struct call *call)
{
	(void)decode_card(call);
	return ERR_OK;
}

enum err famiglia_decode_accountant(struct call *call)
{
	uint8_t *args = decode_card(call);

	body_need(call->body, "give", "Say which cards you give.");
	body_need(call->body, "take", "Say which cards you take back.");
	size_t given =
		decode_gangsters(call, "give", 1, SWAP_MAX, args + ARG_GIVE);
	size_t taken =
		decode_gangsters(call, "take", 1, SWAP_MAX, args + ARG_TAKEN);
	if (given && taken && given != taken)
		problem_fault(call->req, "/take", "not_allowed",
		              famiglia_other_count);
	return ERR_OK;
}

enum err famiglia_decode_brute(struct call *call)
{
	uint8_t *args = decode_card(call);

	args[ARG_THREATENED] = decode_gangster(call, "target", true);
	body_need(call->body, "by", "Say by how much its rank is lowered.");
	args[ARG_BY] =
		(uint8_t)body_int(call->body, "by", 1, GANGSTER_RANK_MAX, 1);
	return ERR_OK;
}

enum err famiglia_decode_take(struct call *call)
{
	uint8_t *args = decode_card(call);

	if (body_has(call->body, "keep"))
		body_need(call->body, "pay", "Say which cards you show.");
	if (body_has(call->body, "pay"))
		body_need(call->body, "keep", "Say which of the two you keep.");
	size_t shown = decode_gangsters(call, "pay", RECRUIT_PAY, RECRUIT_PAY,
	                                args + ARG_PAY);
	uint8_t keep = decode_gangster(call, "keep", false);
	if (shown && keep && keep != args[ARG_PAY] && keep != args[ARG_PAY + 1])
		problem_fault(call->req, "/keep", "not_one_of",
		              famiglia_not_shown);
	args[ARG_KEEP] = keep;
	return ERR_OK;
}

/* --- reference data ------------------------------------------------------ */

enum err famiglia_encode_families(struct call *call)
{
	struct json_out out;

	reference_begin(call, "families", &out);
	for (unsigned i = 0; i < FAMILY_COUNT; i++) {
		const char *code = famiglia_family_code((enum family)i);
		const char *text = reference_text(call, "family", code, "text");

		json_object(&out);
		json_key_string(&out, "name",
		                reference_text(call, "family", code, "name"));
		json_key_string(&out, "text", text);
		/* Its older name, which clients read. */
		json_key_string(&out, "ability", text);
		famiglia_print_family((enum family)i, &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}
