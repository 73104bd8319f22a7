/*
 * The Gang's lists of GET /v1/rules/...: modes, cards and rankings.
 */
#include "games/gang/gang_handler.h"
#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/specialist.h"
#include "poker/hand.h"
#include "service/reference.h"

enum err gang_encode_modes(struct call *call)
{
	size_t count;
	const struct mode *modes = gang_mode_list(&count);
	struct json_out out;

	reference_begin(call, "modes", &out);
	for (size_t i = 0; i < count; i++) {
		const struct mode *mode = &modes[i];

		json_object(&out);
		reference_print(call, "mode", mode->code, &out);
		json_key_int(&out, "vaults", mode->vaults_needed);
		json_key_int(&out, "alarms", mode->alarms_limit);
		json_key_int(&out, "challenges",
		             gang_mode_challenges_max(mode));
		json_key_int(&out, "specialists",
		             gang_mode_specialists_max(mode));
		json_object_end(&out);
	}
	return reference_end(call, &out);
}

enum err gang_encode_challenges(struct call *call)
{
	struct json_out out;

	reference_begin(call, "challenges", &out);
	for (unsigned number = 1; number <= CHALLENGE_MAX; number++) {
		json_object(&out);
		json_key_int(&out, "number", number);
		reference_print(call, "challenge",
		                gang_challenge_get(number)->code, &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}

/* The members that a proposal to use the card has. */
static void print_asked(const struct specialist *specialist,
                        struct json_out *out)
{
	json_key_array(out, "asks");
	if (!specialist->is_automatic)
		json_string(out, "seat");
	if (specialist->asks_target)
		json_string(out, "target_seat");
	if (specialist->asks_value)
		json_string(out, "value");
	json_array_end(out);
}

enum err gang_encode_specialists(struct call *call)
{
	struct json_out out;

	reference_begin(call, "specialists", &out);
	for (unsigned number = 1; number <= SPECIALIST_MAX; number++) {
		const struct specialist *specialist =
			gang_specialist_get(number);

		json_object(&out);
		json_key_int(&out, "number", number);
		reference_print(call, "specialist", specialist->code, &out);
		json_key_string(&out, "use",
		                specialist->is_automatic ? "automatic"
		                                         : "once");
		print_asked(specialist, &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}

enum err gang_encode_rankings(struct call *call)
{
	struct json_out out;

	reference_begin(call, "rankings", &out);
	for (unsigned i = 0; i < RANKING_COUNT; i++) {
		json_object(&out);
		reference_print(call, "ranking", ranking_code((enum ranking)i),
		                &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}
