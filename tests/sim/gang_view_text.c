/*
 * gang_view_text.c - prints a view with the ruleset's own printers, in the
 * order in which the service calls them.
 */
#include "gang_view_text.h"

size_t view_text(const struct gang_view *view, char *text, size_t size)
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
