/*
 * connection_string.h - looks into the connection strings of the settings.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

/* True if libpq can read the connection string; an empty string is invalid. */
MUST_CHECK bool connection_string_is_valid(const char *url);

/* True if there is a password in it, of the role or of a key file. */
MUST_CHECK bool connection_string_has_password(const char *url);
