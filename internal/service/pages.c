/*
 * What the service says of itself: is it there, its contract, its pages.
 */
#include <string.h>

#include "base/embed.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/handler.h"

/* api/openapi.yaml, the same as JSON, and the files of the docs page. */
extern const struct embedded embed_api[];

#define CONTENT_POLICY                                              \
	"default-src 'none'; script-src 'self'; "                   \
	"style-src 'self' 'unsafe-inline'; img-src 'self' data:; "  \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; " \
	"frame-ancestors 'none'"

enum err encode_alive(struct call *call)
{
	static const char alive[] = "{\"status\":\"ok\"}";

	answer_text(call, MEDIA_JSON, alive, sizeof(alive) - 1);
	return ERR_OK;
}

static const struct embedded *find_file(const char *name)
{
	for (const struct embedded *file = embed_api; file->name; file++) {
		if (strcmp(file->name, name) == 0)
			return file;
	}
	return NULL;
}

static enum err answer_file(struct call *call, const char *name,
                            const char *media)
{
	const struct embedded *file = find_file(name);

	if (!file)
		return ERR_NO_SUCH_ROUTE;
	answer_text(call, media, file->bytes,
	            (size_t)(file->end - file->bytes));
	http_header(call->req, "Cache-Control", "no-cache");
	return ERR_OK;
}

enum err encode_openapi_json(struct call *call)
{
	return answer_file(call, "openapi.json", MEDIA_JSON);
}

enum err encode_openapi_yaml(struct call *call)
{
	return answer_file(call, "openapi.yaml", MEDIA_YAML);
}

enum err encode_docs(struct call *call)
{
	http_header(call->req, "Content-Security-Policy", CONTENT_POLICY);
	return answer_file(call, "index.html", MEDIA_HTML);
}

enum err encode_docs_asset(struct call *call)
{
	const char *dot = strrchr(call->word, '.');

	if (dot && strcmp(dot, ".js") == 0)
		return answer_file(call, call->word,
		                   "text/javascript; charset=utf-8");
	if (dot && strcmp(dot, ".css") == 0)
		return answer_file(call, call->word, "text/css; charset=utf-8");
	return ERR_NO_SUCH_ROUTE;
}

enum err encode_problem_page(struct call *call)
{
	const char *page = problem_page(&call->req->arena, call->word);

	if (!page)
		return ERR_NO_SUCH_ROUTE;
	answer_text(call, MEDIA_HTML, page, strlen(page));
	http_header(call->req, "Content-Security-Policy", CONTENT_POLICY);
	http_header(call->req, "Cache-Control", "no-cache");
	return ERR_OK;
}
