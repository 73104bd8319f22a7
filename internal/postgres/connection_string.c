/*
 * Connection strings are read by libpq alone, which also knows URIs.
 */
#include "postgres/connection_string.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/macros.h"
#include "base/memory.h"

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

static void add(FILE *text, const char *name, const char *value)
{
	(void)fprintf(text, "%s='", name);
	for (; *value; value++) {
		if (*value == '\'' || *value == '\\')
			(void)fputc('\\', text);
		(void)fputc(*value, text);
	}
	(void)fputs("' ", text);
}

char *connection_string_for(const char *url, const char *host, unsigned port)
{
	static const char *const replaced[] = { "host", "hostaddr", "port",
		                                "target_session_attrs" };
	PQconninfoOption *options = PQconninfoParse(url, NULL);
	char *text = NULL;
	char number[16];
	size_t len;

	memory_expect(options);
	FILE *out = open_memstream(&text, &len);
	memory_expect(out);
	for (const PQconninfoOption *option = options; option->keyword;
	     option++) {
		bool is_replaced = false;

		for (size_t i = 0; i < ARRAY_LEN(replaced); i++)
			is_replaced = is_replaced ||
			              strcmp(option->keyword, replaced[i]) == 0;
		if (option->val && !is_replaced)
			add(out, option->keyword, option->val);
	}
	(void)snprintf(number, sizeof(number), "%u", port);
	add(out, "host", host);
	add(out, "port", number);
	if (fclose(out) != 0)
		memory_fail();
	PQconninfoFree(options);
	return text;
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
