/*
 * connection_string.h - looks into the connection strings of the settings.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/setting.h"

/* True if libpq can read the connection string; an empty string is invalid. */
MUST_CHECK bool connection_string_is_valid(const char *url);

/* True if there is a password in it, of the role or of a key file. */
MUST_CHECK bool connection_string_has_password(const char *url);

/*
 * The connection string, which is valid, with another host and port; the caller
 * frees it.
 */
char *connection_string_for(const char *url, const char *host, unsigned port);

/*
 * The same two checks of a setting, by the name of its variable.  False, with a
 * message on stderr: the connection string is not valid; or a flag has set it
 * and it has a password, which all users of the machine could read.
 */
MUST_CHECK bool connection_string_check(const char *variable, const char *url);
MUST_CHECK bool connection_string_check_flag(const struct settings *settings,
                                             const char *variable,
                                             const char *url);
