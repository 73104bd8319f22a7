/*
 * Each ruleset has a table of its events by type, in
 * which types that it does not know have no code.
 */
#include "table/ruleset.h"

const struct event_row *ruleset_event(const struct ruleset *rules,
                                      unsigned type)
{
	return type < EVENT_TYPES_MAX && rules->events[type].code
	               ? &rules->events[type]
	               : NULL;
}

void ruleset_print_event(const struct ruleset *rules, const struct event *event,
                         unsigned seat, struct json_out *out)
{
	const struct event_row *row = ruleset_event(rules, event->type);
	struct event_reader from = {
		.event = event,
		.seat = seat,
		.public_data = { .at = event->public_data,
		                 .left = event->public_len },
		.private_data = { .at = event->private_data,
		                  .left = event->private_len },
	};

	if (row)
		row->print(&from, out);
}
