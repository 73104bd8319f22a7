/*
 * request.c - decoding, in the order in which a request may be refused: first
 * the path, then the token, and only then the header fields, the query and the
 * body, whose faults are gathered and answered together.
 */
#include "service/request.h"

#include <string.h>
#include <strings.h>

#include "http/problem.h"
#include "service/conditions.h"
#include "service/idempotency.h"
#include "service/params.h"

void request_open(struct call *call, struct http_request *req)
{
	call->req = req;
	call->route = req->route->user;
	params_read(call);
}

enum err request_read_token(struct call *call)
{
	static const char scheme[] = "Bearer ";
	const char *header = call->req->authorization;
	enum guard guard = call->route->guard;

	if (guard <= GUARD_ANYONE || guard == GUARD_INVITED)
		return ERR_OK;
	if (!header)
		return guard == GUARD_VIEWER ? ERR_OK : ERR_UNAUTHENTICATED;
	if (strncasecmp(header, scheme, sizeof(scheme) - 1) != 0)
		return ERR_UNAUTHENTICATED;
	header += sizeof(scheme) - 1;
	header += strspn(header, " ");
	if (!token_parse(header, strlen(header), call->caller.token_hash))
		return ERR_INVALID_TOKEN;
	call->caller.has_token = true;
	return ERR_OK;
}

enum err request_decode(struct call *call)
{
	struct body body;
	enum err body_err = ERR_OK;

	idempotency_read(call);
	conditions_read(call);
	if (call->req->route->body_max) {
		body_open(&body, call->req);
		call->body = &body;
	}
	call->wanted.action.verb = call->route->verb;
	enum err err = call->route->decode(call);
	if (call->body)
		body_err = body_close(call->body);
	call->body = NULL;
	if (body_err)
		return body_err;
	return !err && call->req->faults_count ? ERR_INVALID : err;
}
