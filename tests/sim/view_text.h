/*
 * view_text.h - a view as text, for the simulation and for fuzzing.
 */
#ifndef TESTS_SIM_VIEW_TEXT_H
#define TESTS_SIM_VIEW_TEXT_H

#include "base/json_out.h"
#include "gang/gang_ruleset.h"
#include "gang/gang_view.h"

/* Whose legal actions it prints. */
#define VIEW_TEXT_PATH "/v1/games/x"

/*
 * All that a view is printed to, as the service does, without what belongs to
 * the table.  Its length; 0 if there was no room for it.
 */
static inline size_t view_text(const struct gang_view *view, char *text,
                               size_t size)
{
	struct json_out out;

	json_out_init(&out, text, size);
	json_object(&out);
	gang_ruleset.print_view(view, &out);
	if (view->seat) {
		json_key(&out, "you");
		json_object(&out);
		gang_ruleset.print_you(view, &out);
		json_key(&out, "legal_actions");
		json_array(&out);
		gang_ruleset.print_legal(view, VIEW_TEXT_PATH, &out);
		json_array_end(&out);
		json_object_end(&out);
	}
	json_object_end(&out);
	return json_out_fits(&out) ? json_out_len(&out) : 0;
}

#endif
