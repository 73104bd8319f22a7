/*
 * A fault in a query parameter does not end the decoding: it is added to the
 * request's list of faults, the function returns its default, and the caller of
 * the decoder refuses the request with all faults at once.
 */
#include "service/query_param.h"

#include <stdlib.h>
#include <string.h>

#include "http/problem.h"

uint32_t query_param_number(struct call *call, const char *name, uint32_t least,
                            uint32_t most, uint32_t fallback)
{
	const char *text = http_query(call->req, name);

	if (!text)
		return fallback;
	const char *digits = text + (text[0] == '-');
	bool is_number = *digits && !digits[strspn(digits, "0123456789")];
	unsigned long number = strtoul(digits, NULL, 10);
	if (!is_number || digits != text || number < least || number > most) {
		problem_query_fault(
			call->req, name,
			is_number ? "out_of_range" : "wrong_type",
			arena_printf(&call->req->arena,
		                     "This must be a whole number from %lu to "
		                     "%lu.",
		                     (unsigned long)least,
		                     (unsigned long)most));
		return fallback;
	}
	return (uint32_t)number;
}

size_t query_param_choice(struct call *call, const char *name,
                          const char *const *codes, size_t count)
{
	const char *text = http_query(call->req, name);

	if (!text)
		return count;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(text, codes[i]) == 0)
			return i;
	}
	problem_query_fault(call->req, name, "not_one_of",
	                    problem_one_of(&call->req->arena, codes, count));
	return count;
}
