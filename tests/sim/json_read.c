/*
 * json_read.c - a member that the contract promises must be there: its absence
 * fails the simulation, so no caller has to ask.
 */
#include "json_read.h"

#include "base/macros.h"
#include "sim.h"

struct json_c_object *json_member(struct json_c_object *json, const char *name)
{
	struct json_c_object *found = NULL;

	CHECK(json_object_object_get_ex(json, name, &found));
	return found;
}

struct json_c_object *json_form(struct json_c_object *json, const char *form)
{
	CHECK(strcmp(json_object_get_string(json_member(json, "form")), form) ==
	      0);
	return json;
}

void json_expect_command(struct json_c_object *element)
{
	static const char *const of_chip[] = { "color", "stars" };
	struct json_c_object *command = json_member(element, "command");
	struct json_c_object *body = json_member(element, "body");
	struct json_c_object *chip;
	int count = 1;

	CHECK(json_object_equal(json_member(command, "action"),
	                        json_member(element, "action")));
	struct json_object_iterator at = json_object_iter_begin(body);
	struct json_object_iterator end = json_object_iter_end(body);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);

		CHECK(json_object_equal(json_member(command, name),
		                        json_object_iter_peek_value(&at)));
		count++;
	}
	if (json_object_object_get_ex(element, "chip", &chip)) {
		for (size_t i = 0; i < ARRAY_LEN(of_chip); i++)
			CHECK(json_object_equal(json_member(command,
			                                    of_chip[i]),
			                        json_member(chip, of_chip[i])));
		count += 2;
	}
	CHECK(json_object_object_length(command) == count);
}
