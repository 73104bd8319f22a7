/*
 * json_read.h - reading the JSON that the service prints, by json-c.
 */
#pragma once

/* Two of json-c's types are named like functions of base/json_out.h. */
#define json_object json_c_object
#define json_bool   json_c_bool
#include <json-c/json.h>
#undef json_object
#undef json_bool

/* The member of an object; fails the test if it has no member of that name. */
struct json_c_object *json_member(struct json_c_object *json, const char *name);

/* A member of "choose", which must have this form. */
struct json_c_object *json_form(struct json_c_object *json, const char *form);

/*
 * The "command" of an element of legal_actions must have its action, the
 * members of its body and, for a chip, that chip's colour and stars, and no
 * others.
 */
void json_expect_command(struct json_c_object *element);
