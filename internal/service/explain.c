/*
 * explain.c - adds to a 409 the present state: members that are printed as
 * "now", and a detail, which is the first row that fits, of the ruleset's table
 * or else of explain.def.  In a detail a value replaces {name}.  All values
 * come from the caller's view or from what every player knows of the table, so
 * that a refusal reveals no secret.
 */
#include "service/explain.h"

#include <string.h>

#include "http/problem.h"
#include "service/stored_game.h"
#include "table/now.h"

enum { VERB_ANY = UINT8_MAX, VALUES_MAX = NOW_MEMBERS_MAX + 6 };

static const struct {
	enum err err;
	uint8_t verb;
	const char *detail;
} rows[] = {
#define EXPLAIN(err, verb, detail) { ERR_##err, VERB_##verb, detail },
#include "service/explain.def"
};

static const char *find_detail(enum err err, unsigned verb)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].err == err &&
		    (rows[i].verb == VERB_ANY || rows[i].verb == verb))
			return rows[i].detail;
	}
	return NULL;
}

struct values {
	struct http_member list[VALUES_MAX];
	size_t count;
};

static void add(struct values *values, const char *name, const char *word,
                unsigned number)
{
	values->list[values->count++] =
		(struct http_member){ name, word, number };
}

/* The value of {name}; the name itself if there is no such value. */
static const char *find_value(struct arena *arena, const struct values *values,
                              const char *name, size_t len)
{
	for (size_t i = 0; i < values->count; i++) {
		const struct http_member *value = &values->list[i];

		if (strlen(value->name) != len ||
		    memcmp(value->name, name, len) != 0)
			continue;
		return value->word ? value->word
		                   : arena_printf(arena, "%u", value->number);
	}
	return arena_strndup(arena, name, len);
}

/* A sentence begins with a capital. */
static const char *capitalised(struct arena *arena, const char *text)
{
	char *copy = arena_strndup(arena, text, strlen(text));

	if (copy[0] >= 'a' && copy[0] <= 'z')
		copy[0] = (char)(copy[0] - 'a' + 'A');
	return copy;
}

static const char *fill(struct arena *arena, const struct values *values,
                        const char *detail)
{
	const char *text = "";

	while (*detail) {
		size_t plain = strcspn(detail, "{");
		const char *name = detail + plain;
		size_t len = *name ? strcspn(++name, "}") : 0;

		text = arena_printf(arena, "%s%.*s%s", text, (int)plain, detail,
		                    len ? find_value(arena, values, name, len)
		                        : "");
		detail = len ? name + len + 1 : name;
	}
	return capitalised(arena, text);
}

static void add_now(struct call *call, enum err err, struct values *values,
                    struct now *now)
{
	call->game.table.rules->now(stored_game_view(call),
	                            &call->wanted.action, err, now);
	for (unsigned i = 0; i < now->count; i++)
		add(values, now->members[i].name, now->members[i].word,
		    now->members[i].number);
}

void explain_conflict(struct call *call, enum err err)
{
	const struct table *table = &call->game.table;
	struct http_request *req = call->req;
	struct now now = { .count = 0 };
	struct values *values;

	if (err_kind(err) != ERR_KIND_CONFLICT || !call->game.loaded ||
	    !table->state)
		return;
	values = arena_zalloc(&req->arena, sizeof(*values));
	values->count = 0;
	add(values, "status", status_code(table->status), 0);
	if (call->route->guard != GUARD_INVITED)
		add_now(call, err, values, &now);
	problem_now(req, values->list, values->count);

	add(values, "about", now.about ? now.about : "these", 0);
	add(values, "players", NULL, table->seats);
	add(values, "seats", NULL, table->seats_max);
	add(values, "needed", NULL, table->rules->seats_min);
	add(values, "host", NULL, table->host);
	const char *detail =
		now.detail ? now.detail
			   : find_detail(err, call->wanted.action.verb);
	if (detail && !req->detail)
		req->detail = fill(&req->arena, values, detail);
}
