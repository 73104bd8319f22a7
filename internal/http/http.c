/*
 * The functions of http.h that need the request alone: they read its query and
 * add to its reply.
 */
#include "http/http.h"

#include <assert.h>
#include <string.h>

const char *http_method_name(enum http_method method)
{
	static const char *const names[HTTP_METHOD_COUNT] = {
		[HTTP_GET] = "GET",       [HTTP_POST] = "POST",
		[HTTP_PUT] = "PUT",       [HTTP_PATCH] = "PATCH",
		[HTTP_DELETE] = "DELETE",
	};

	return names[method];
}

const char *http_query(const struct http_request *req, const char *name)
{
	for (size_t i = 0; i < req->queries_count; i++) {
		if (strcmp(req->queries[i].name, name) == 0)
			return req->queries[i].value;
	}
	return NULL;
}

const char *http_path(struct http_request *req, const char *path)
{
	if (!req->prefix || !req->prefix[0])
		return path;
	return arena_printf(&req->arena, "%s%s", req->prefix, path);
}

void http_header(struct http_request *req, const char *name, const char *value)
{
	struct http_reply *reply = &req->reply;

	assert(reply->headers_count < HTTP_HEADERS_MAX);
	reply->headers[reply->headers_count++] =
		(struct http_header){ name, value };
}
