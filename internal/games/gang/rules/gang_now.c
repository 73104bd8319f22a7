/*
 * Explains a refusal by the first row of gang_now.def that fits its error, verb
 * and phase.  Only a view is read, so nothing hidden can leave.
 */
#include "games/gang/rules/gang_now.h"

#include "games/gang/rules/color.h"

enum { VERB_ANY = UINT8_MAX, PHASE_ANY = UINT8_MAX };

static const struct {
	enum err err;
	uint8_t verb;
	uint8_t phase;
	const char *detail;
} rows[] = {
#define NOW(err, verb, phase, detail) \
	{ ERR_##err, VERB_##verb, PHASE_##phase, detail },
#include "games/gang/rules/gang_now.def"
};

const char *gang_phase_code(unsigned phase)
{
	static const char *const codes[] = { "chips", "choosing", "answering",
		                             "over" };

	return codes[phase];
}

static const char *find_detail(const struct gang_view *view, unsigned verb,
                               enum err err)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].err == err &&
		    (rows[i].verb == VERB_ANY || rows[i].verb == verb) &&
		    (rows[i].phase == PHASE_ANY ||
		     rows[i].phase == view->phase))
			return rows[i].detail;
	}
	return NULL;
}

void gang_now(const void *from, const struct action *action, enum err err,
              struct now *now)
{
	const struct gang_view *view = from;
	bool has_heist = view->players > 0;
	bool is_of_chip =
		action->verb == VERB_TAKE || action->verb == VERB_RETURN;

	*now = (struct now){
		.members = {
			{ "heist", NULL, view->setup.number },
			{ "round", NULL, view->round },
			{ "color",
			  has_heist ? color_code((enum color)(view->round - 1))
			            : NULL, 0 },
			{ "phase",
			  has_heist ? gang_phase_code(view->phase) : NULL, 0 },
		},
		.count = 4,
	};
	if (has_heist)
		now->detail = find_detail(view, action->verb, err);
	if (is_of_chip && action->args[ARG_COLOR] < COLOR_COUNT)
		now->about = color_code((enum color)action->args[ARG_COLOR]);
}
