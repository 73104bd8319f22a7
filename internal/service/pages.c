/*
 * Health checks, the API document, the table at / and the pages of /docs and
 * /problems.
 *
 * The files are compiled in by deploy/build/assets.py, in one array for the
 * table and one for all others, each file twice: as it is, and after that
 * compressed.  Its name holds a hash of its content (page.HASH.css); it is
 * served under the plain one (page.css).  A page has its style sheets and its
 * script in it: during an upgrade the next request may reach another release.
 * Its policy, a file that is not served, names the hashes of these parts.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "http/accept.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/handler.h"
#include "service/reference.h"
#include "service/texts.h"

extern const struct embedded embed_api[];
extern const struct embedded embed_table[];

enum err encode_alive(struct call *call)
{
	static const char alive[] = "{\"status\":\"ok\"}";

	answer_text(call, MEDIA_JSON, alive, sizeof(alive) - 1);
	return ERR_OK;
}

/* Characters of the hash in a file's name, as in deploy/build/assets.py. */
enum { HASH_LEN = 20 };

static const char revalidated[] = "no-cache";
static const char for_a_day[] = "public, max-age=86400";

static const struct embedded *find_file(const struct embedded *files,
                                        const char *name)
{
	for (const struct embedded *file = files; file->name; file += 2) {
		size_t stem = strcspn(file->name, ".") + 1;
		const char *extension = file->name + stem + HASH_LEN + 1;

		if (strncmp(file->name, name, stem) == 0 &&
		    strcmp(extension, name + stem) == 0)
			return file;
	}
	return NULL;
}

/* The compressed form has a tag of its own (RFC 9110, section 8.8.3). */
static enum err answer_file(struct call *call, const struct embedded *files,
                            const char *name, const char *media,
                            const char *cache)
{
	bool is_packed = accept_gzip(call->req->accept_encoding);
	const struct embedded *file = find_file(files, name);

	if (!file)
		return ERR_NO_SUCH_ROUTE;
	(void)snprintf(call->game.etag, sizeof(call->game.etag), "\"%.*s%s\"",
	               HASH_LEN, file->name + strcspn(file->name, ".") + 1,
	               is_packed ? "-gzip" : "");
	call->reply.cache = cache;
	call->reply.vary = "Accept-Encoding";
	if (is_packed) {
		file++;
		http_header(call->req, "Content-Encoding", "gzip");
	}
	answer_text(call, media, file->bytes,
	            (size_t)(file->end - file->bytes));
	return ERR_OK;
}

/* A page under its policy, which ends with a zero byte (base/embed.h).  It is
 * revalidated each time: an update may change it, a setting may turn it off.
 */
static enum err answer_page(struct call *call, const struct embedded *files,
                            const char *page, const char *policy)
{
	const struct embedded *file = find_file(files, policy);

	assert(file); /* deploy/build/assets.py makes one for each page */
	http_header(call->req, "Content-Security-Policy", file->bytes);
	return answer_file(call, files, page, MEDIA_HTML, revalidated);
}

/* The path is the file's name. */
enum err encode_openapi(struct call *call)
{
	const struct http_route *route = call->req->route;

	return answer_file(call, embed_api, route->path + 1, route->produces,
	                   for_a_day);
}

/* A file by the name in the path. */
static enum err answer_asset(struct call *call, const struct embedded *files)
{
	static const struct {
		const char *extension;
		const char *media;
	} kinds[] = {
		{ ".js", "text/javascript; charset=utf-8" },
		{ ".css", "text/css; charset=utf-8" },
		{ ".svg", "image/svg+xml" },
		{ ".webmanifest", "application/manifest+json" },
	};
	const char *dot = strrchr(call->path.word, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(kinds); i++) {
		if (strcmp(dot, kinds[i].extension) == 0)
			return answer_file(call, files, call->path.word,
			                   kinds[i].media, for_a_day);
	}
	return ERR_NO_SUCH_ROUTE;
}

/* --- the table at / ------------------------------------------------------- */

enum err encode_root(struct call *call)
{
	if (call->config->has_table)
		return answer_page(call, embed_table, "table.html",
		                   "table.policy");
	if (!call->config->has_docs)
		return ERR_NO_SUCH_ROUTE;
	call->req->reply.status = 303;
	http_header(call->req, "Location", http_path(call->req, "/docs"));
	http_header(call->req, "Cache-Control", revalidated);
	return ERR_OK;
}

/* The page lies above the folder of its files, and so does the worker's scope.
 */
enum err encode_table_asset(struct call *call)
{
	if (!call->config->has_table)
		return ERR_NO_SUCH_ROUTE;
	if (strcmp(call->path.word, "worker.js") == 0)
		http_header(call->req, "Service-Worker-Allowed", "../");
	return answer_asset(call, embed_table);
}

/* --- the page at /docs ---------------------------------------------------- */

enum err encode_docs(struct call *call)
{
	return call->config->has_docs
	               ? answer_page(call, embed_api, "index.html",
	                             "index.policy")
	               : ERR_NO_SUCH_ROUTE;
}

enum err encode_docs_asset(struct call *call)
{
	return call->config->has_docs ? answer_asset(call, embed_api)
	                              : ERR_NO_SUCH_ROUTE;
}

enum err encode_problem_page(struct call *call)
{
	const char *code = call->path.word;
	size_t count;
	struct problem_words words = {
		.language = texts_languages(&count)[call->wanted.language],
		.title = reference_find(call, "problem", code, "title"),
		.text = reference_find(call, "problem", code, "text"),
	};
	const char *page =
		problem_page(&call->req->arena, code, &words,
	                     http_path(call->req, call->config->has_docs
	                                                  ? "/docs"
	                                                  : "/openapi.json"));

	if (!page)
		return ERR_NO_SUCH_ROUTE;
	answer_text(call, MEDIA_HTML, page, strlen(page));
	http_header(call->req, "Content-Security-Policy",
	            "default-src 'none'; base-uri 'none'; form-action 'none'; "
	            "frame-ancestors 'none'");
	http_header(call->req, "Cache-Control", revalidated);
	http_header(call->req, "Content-Language", words.language);
	http_header(call->req, "Vary", "Accept-Language");
	return ERR_OK;
}
