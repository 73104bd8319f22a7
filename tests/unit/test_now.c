/*
 * test_now.c - the present state of a game in the answer to an action that does
 * not fit.  Rows are in now.def.
 */
#include <stdio.h>
#include <string.h>

#include "games/famiglia/famiglia_ruleset.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "games/famiglia/rules/famiglia_view.h"
#undef VERB_TAKE
#include "games/gang/rules/color.h"
#include "games/gang/rules/gang.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/gang_view.h"

#include "rows.h"

enum { TEXT_MAX = 512 };

struct now_row {
	const char *name;
	enum err err;
	struct gang_view gang;
	struct famiglia_view famiglia;
	struct action action;
	const struct ruleset *rules;
	const char *members;
	const char *detail;
};

static struct now_row now_rows[] = {
#define GANG(error, verb_, color_, heist, round_, phase_, list, text) \
	{ .name = #error " " #verb_ " " #phase_,                      \
	  .err = ERR_##error,                                         \
	  .gang = { .players = (heist) ? 3 : 0,                       \
		    .setup.number = heist,                            \
		    .round = round_,                                  \
		    .phase = PHASE_##phase_ },                        \
	  .action = { .verb = VERB_##verb_,                           \
		      .args = { [ARG_COLOR] = COLOR_##color_ } },     \
	  .rules = &gang_ruleset,                                     \
	  .members = list,                                            \
	  .detail = text },
#define FAMIGLIA(error, turn_, seat_, list, text)               \
	{ .name = "Famiglia: " #error,                          \
	  .err = ERR_##error,                                   \
	  .famiglia = { .turn.number = turn_, .mover = seat_ }, \
	  .rules = &famiglia_ruleset,                           \
	  .members = list,                                      \
	  .detail = text },
#include "now.def"
};

static size_t print_member(const struct now_member *member, char *text,
                           size_t size)
{
	if (member->word)
		return (size_t)snprintf(text, size, "%s", member->word);
	return member->number
	               ? (size_t)snprintf(text, size, "%u", member->number)
	               : (size_t)snprintf(text, size, "null");
}

static void print_members(const struct now *now, char text[TEXT_MAX])
{
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < now->count; i++) {
		len += (size_t)snprintf(text + len, TEXT_MAX - len,
		                        "%s%s=", i ? " " : "",
		                        now->members[i].name);
		len += print_member(&now->members[i], text + len,
		                    TEXT_MAX - len);
	}
}

/* Print the sentence as the service does; an unknown name fails. */
static size_t print_value(const struct now *now, const char *name, size_t len,
                          char *text, size_t size)
{
	for (unsigned i = 0; i < now->count; i++) {
		const struct now_member *member = &now->members[i];

		if (strlen(member->name) == len &&
		    memcmp(member->name, name, len) == 0)
			return print_member(member, text, size);
	}
	assert_int_equal(len, strlen("about"));
	assert_memory_equal(name, "about", len);
	return (size_t)snprintf(text, size, "%s",
	                        now->about ? now->about : "these");
}

static void print_detail(const struct now *now, char text[TEXT_MAX])
{
	const char *at = now->detail ? now->detail : "";
	size_t len = 0;

	while (*at) {
		size_t name = strcspn(at + 1, "}");

		if (*at != '{') {
			text[len++] = *at++;
			continue;
		}
		len += print_value(now, at + 1, name, text + len,
		                   TEXT_MAX - len);
		at += name + 2;
	}
	text[len] = '\0';
}

static void check_now(void **state)
{
	const struct now_row *row = *state;
	const void *view = row->rules == &gang_ruleset
	                           ? (const void *)&row->gang
	                           : (const void *)&row->famiglia;
	char text[TEXT_MAX];
	struct now now;

	row->rules->now(view, &row->action, row->err, &now);
	print_members(&now, text);
	assert_string_equal(text, row->members);
	print_detail(&now, text);
	assert_string_equal(text, row->detail);
}

/* In every state, and for every action, each name in braces has a value. */
static void check_names(void **state)
{
	struct gang_view view = { .players = 3, .setup.number = 1, .round = 1 };
	struct action action = { .verb = VERB_NONE };
	char text[TEXT_MAX];
	struct now now;

	(void)state;
	for (unsigned err = 1; err < ERR_COUNT; err++) {
		for (unsigned i = 0; i < 4U * UINT8_MAX; i++) {
			view.phase = (uint8_t)(i % 4);
			action.verb = (uint8_t)(i / 4);
			gang_ruleset.now(&view, &action, (enum err)err, &now);
			print_detail(&now, text);
			assert_null(strpbrk(text, "{}"));
		}
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, now_rows, check_now);
	rows_add(&rows, "each name in a sentence stands for something",
	         check_names, NULL);
	return rows_run("now", &rows);
}
