/*
 * conditions.c - the only place that compares ETags.  An ETag names a view
 * (response.c), or the text of a list.
 */
#include "service/conditions.h"

#include "http/problem.h"

void conditions_read(struct call *call)
{
	const char *list = call->req->if_match;

	if (!list || call->route->guard <= GUARD_ANYONE)
		return;
	enum http_etags tags = http_etags_read(list);
	if (tags == HTTP_ETAGS_WEAK)
		problem_header_fault(
			call->req, "If-Match", "weak",
			"If-Match compares strongly, so a weak tag (W/) never "
			"matches; send the ETag of a view as it was answered.");
	if (tags == HTTP_ETAGS_MALFORMED)
		problem_header_fault(
			call->req, "If-Match", "malformed",
			"If-Match is * or entity-tags in double quotes; send "
			"the ETag of a view as it was answered, with its "
			"quotes.");
}

/* A claim changes nothing of the game, and has used its code when it is loaded.
 */
enum err conditions_check(struct call *call)
{
	struct http_request *req = call->req;

	if (call->route->shape == SHAPE_CLAIM)
		return ERR_OK;
	if (req->if_match &&
	    !http_etag_listed(req->if_match, call->game.etag, false))
		return ERR_VERSION_MISMATCH;
	if (req->route->method != HTTP_GET &&
	    http_etag_listed(req->if_none_match, call->game.etag, true)) {
		req->detail = "The game still has the ETag in "
			      "\"If-None-Match\".";
		return ERR_VERSION_MISMATCH;
	}
	return ERR_OK;
}

bool conditions_are_unchanged(const struct call *call)
{
	/* last_seen changes without a version, so that no ETag names it. */
	return call->req->route->method == HTTP_GET && call->game.etag[0] &&
	       call->req->if_none_match &&
	       call->route->guard != GUARD_INVITED &&
	       call->route->shape != SHAPE_LAST_SEEN &&
	       http_etag_listed(call->req->if_none_match, call->game.etag,
	                        true);
}
