/*
 * Lookups in a ruleset's table of events and in status.def, and the members
 * that all legal actions begin with.  A type that a ruleset does not have is a
 * row without a code in its table.
 */
#include "table/ruleset.h"

#include <assert.h>
#include <string.h>

const char *status_code(enum status status)
{
	static const char *const codes[] = {
#define STATUS(name, code) [STATUS_##name] = (code),
#include "table/status.def"
	};

	assert((size_t)status < ARRAY_LEN(codes));
	return codes[status];
}

bool status_is_over(enum status status)
{
	return status != STATUS_LOBBY && status != STATUS_PLAYING;
}

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
