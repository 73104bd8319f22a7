/*
 * Connection strings are read by libpq alone, which also knows URIs.
 */
#include "postgres/connection_string.h"

#include <stddef.h>
#include <string.h>

#include <libpq-fe.h>

bool connection_string_is_valid(const char *url)
{
	PQconninfoOption *options = url[0] ? PQconninfoParse(url, NULL) : NULL;

	PQconninfoFree(options);
	return options != NULL;
}

bool connection_string_has_password(const char *url)
{
	PQconninfoOption *options = url[0] ? PQconninfoParse(url, NULL) : NULL;
	bool has = false;

	for (const PQconninfoOption *option = options;
	     option && option->keyword; option++) {
		bool is_secret = strcmp(option->keyword, "password") == 0 ||
		                 strcmp(option->keyword, "sslpassword") == 0;

		has = has || (is_secret && option->val && option->val[0]);
	}
	PQconninfoFree(options);
	return has;
}

bool connection_string_check(const char *variable, const char *url)
{
	if (connection_string_is_valid(url))
		return true;
	setting_refuse(variable, url[0] ? NULL : "");
	return false;
}

bool connection_string_check_flag(const struct settings *settings,
                                  const char *variable, const char *url)
{
	if (!setting_is_from_flag(settings, variable) ||
	    !connection_string_has_password(url))
		return true;
	setting_refuse_password(variable);
	return false;
}
