/*
 * The members that more than one of the printers prints.
 */
#include "games/famiglia/rules/famiglia_print_part.h"

#include <assert.h>

static void print_text(unsigned gangster, struct json_out *out)
{
	json_string_len(out, gangster_text(gangster), GANGSTER_TEXT_LEN);
}

void famiglia_print_gangster(const char *name, unsigned gangster,
                             struct json_out *out)
{
	json_key(out, name);
	if (gangster)
		print_text(gangster, out);
	else
		json_null(out);
}

void famiglia_print_gangsters(const char *name, const uint8_t *gangsters,
                              unsigned count, struct json_out *out)
{
	json_key_array(out, name);
	for (unsigned i = 0; i < count; i++)
		print_text(gangsters[i], out);
	json_array_end(out);
}

void famiglia_print_gangster_set(const char *name, uint64_t set,
                                 struct json_out *out)
{
	unsigned gangster = GANGSTER_NONE;

	json_key_array(out, name);
	while ((gangster = gangsters_next(set, gangster)))
		print_text(gangster, out);
	json_array_end(out);
}

static void print_scores(const struct result *result, struct json_out *out)
{
	json_key_array(out, "scores");
	for (unsigned i = 0; i < FAMIGLIA_SEATS && result_opens_hands(result);
	     i++) {
		json_object(out);
		json_key_int(out, "seat", i + 1);
		json_key_int(out, "points", result->points[i]);
		famiglia_print_gangster_set("hand", result->hands[i], out);
		json_object_end(out);
	}
	json_array_end(out);
}

void famiglia_print_result(const struct result *result, struct json_out *out)
{
	static const char *const endings[] = { NULL, "last_round",
		                               "both_passed", "forfeited" };
	static const char *const decided[] = { NULL, "points", "single_card" };

	assert(result->ending < ARRAY_LEN(endings));
	assert(result->decided < ARRAY_LEN(decided));
	json_key(out, "result");
	if (!result->ending) {
		json_null(out);
		return;
	}
	json_object(out);
	json_key_string(out, "reason", endings[result->ending]);
	json_key_int_or_null(out, "winner", result->winner);
	json_key_string_or_null(out, "decided_by", decided[result->decided]);
	print_scores(result, out);
	json_object_end(out);
}
