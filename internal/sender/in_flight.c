/*
 * A service has a place in used while requests to it are under way, so there
 * are at most as many places as requests.  The store is asked for at most what
 * in_flight_limit() says, and answers before it is asked again.
 */
#include "sender/in_flight.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)IN_FLIGHT_ALL_PUSH_MAX <= (int)STORE_SERVICES_MAX,
               "each service has a place");
_Static_assert((int)IN_FLIGHT_MAX <= (int)STORE_NOTIFICATIONS_MAX,
               "a statement takes what there is room for");

static struct store_used *find(struct in_flight *in_flight,
                               store_service service)
{
	for (size_t i = 0; i < in_flight->used_count; i++) {
		if (in_flight->used[i].service == service)
			return &in_flight->used[i];
	}
	return NULL;
}

void in_flight_enter_webhook(struct in_flight *in_flight)
{
	assert(in_flight->webhook_count < IN_FLIGHT_WEBHOOK_MAX);
	in_flight->webhook_count++;
}

void in_flight_enter_push(struct in_flight *in_flight, store_service service)
{
	struct store_used *used = find(in_flight, service);

	assert(in_flight->push_count < IN_FLIGHT_ALL_PUSH_MAX);
	in_flight->push_count++;
	if (!used) {
		used = &in_flight->used[in_flight->used_count++];
		*used = (struct store_used){ .service = service };
	}
	used->count++;
}

void in_flight_leave_webhook(struct in_flight *in_flight)
{
	assert(in_flight->webhook_count > 0);
	in_flight->webhook_count--;
}

void in_flight_leave_push(struct in_flight *in_flight, store_service service)
{
	struct store_used *used = find(in_flight, service);

	assert(used && used->count > 0 && in_flight->push_count > 0);
	in_flight->push_count--;
	if (--used->count == 0)
		*used = in_flight->used[--in_flight->used_count];
}

void in_flight_limit(const struct in_flight *in_flight,
                     struct store_taking *taking)
{
	taking->push_limit = IN_FLIGHT_ALL_PUSH_MAX - in_flight->push_count;
	taking->webhook_limit =
		IN_FLIGHT_WEBHOOK_MAX - in_flight->webhook_count;
	taking->room = IN_FLIGHT_PUSH_MAX;
	taking->used_count = in_flight->used_count;
	memcpy(taking->used, in_flight->used,
	       in_flight->used_count * sizeof(*in_flight->used));
}
