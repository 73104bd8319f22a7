/*
 * query_string.h - the query of a request target, with the names that a route
 * allows.
 */
#pragma once

#include "http/http.h"

/*
 * Read "a=1&b=2" into req->queries; a route with "*" takes what it knows. Fails
 * with ERR_MALFORMED (req->detail says why) or with ERR_INVALID (a fault for
 * each unknown or repeated name).
 */
MUST_CHECK enum err query_string_read(struct http_request *req,
                                      const char *query);
