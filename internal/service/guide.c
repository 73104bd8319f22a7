/*
 * GET /v1/rules/guide, actions, announcements and problems: how a game is
 * played, and a sentence for each action, event and refusal, in the reader's
 * language.
 *
 * The tables of the games hold the codes in the order of the answer, games in
 * the order of rulesets.def.  The build fails (texts.py) unless each code has
 * its texts in every language.
 */
#include <string.h>

#include "base/err.h"
#include "http/problem.h"
#include "service/actions.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/reference.h"
#include "service/rulesets.h"

static const struct game_sentence common[] = {
#define SENTENCE(...) { __VA_ARGS__ },
#include "service/sentence.def"
};

static void print_code(const char *code, const struct ruleset *ruleset,
                       struct json_out *out)
{
	json_key_string(out, "code", code);
	json_key_string_or_null(out, "ruleset", ruleset ? ruleset->code : NULL);
}

static void print_part(const struct call *call, const char *kind,
                       const char *code, const char *part, struct json_out *out)
{
	json_key_string(out, part, reference_text(call, kind, code, part));
}

/* Print the members of a word or an action; kind is that of its texts. */
static void print_term(const struct call *call, const char *kind,
                       const char *code, const struct ruleset *rules,
                       struct json_out *out)
{
	print_code(code, rules, out);
	print_part(call, kind, code, "name", out);
	print_part(call, kind, code, "text", out);
}

/* --- the guide ------------------------------------------------------------ */

/* All paragraphs: text_1, text_2 and so on. */
static void print_paragraphs(const struct call *call, const char *code,
                             struct json_out *out)
{
	char part[] = "text_1";
	const char *text;

	json_key_array(out, "text");
	while ((text = reference_find(call, "guide", code, part))) {
		json_string(out, text);
		part[sizeof(part) - 2]++;
	}
	json_array_end(out);
}

static void print_sections(const struct call *call, const struct game *game,
                           struct json_out *out)
{
	for (size_t i = 0; i < game->sections_count; i++) {
		const char *code = game->sections[i].code;

		json_object(out);
		print_code(code, game->rules, out);
		print_part(call, "guide", code, "title", out);
		print_paragraphs(call, code, out);
		json_object_end(out);
	}
}

static void print_words(const struct call *call, const struct game *game,
                        struct json_out *out)
{
	for (size_t i = 0; i < game->words_count; i++) {
		json_object(out);
		json_key_string(out, "kind", game->words[i].kind);
		print_term(call, "word", game->words[i].code, game->rules, out);
		json_object_end(out);
	}
}

enum err encode_guide(struct call *call)
{
	struct json_out out;

	reference_begin(call, "sections", &out);
	for (size_t i = 0; i < rulesets_count(); i++)
		print_sections(call, rulesets_at(i), &out);
	json_array_end(&out);
	json_key_array(&out, "words");
	for (size_t i = 0; i < rulesets_count(); i++)
		print_words(call, rulesets_at(i), &out);
	return reference_end(call, &out);
}

/* --- actions -------------------------------------------------------------- */

enum err encode_actions(struct call *call)
{
	size_t count;
	const struct actions_row *rows = actions_list(&count);
	struct json_out out;

	reference_begin(call, "actions", &out);
	for (size_t i = 0; i < count; i++) {
		json_object(&out);
		print_term(call, "action", rows[i].code, rows[i].rules, &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}

/* --- announcements -------------------------------------------------------- */

static void print_condition(const struct game_sentence *sentence,
                            struct json_out *out)
{
	json_key(out, "when");
	if (!sentence->member) {
		json_null(out);
		return;
	}
	json_object(out);
	json_key(out, sentence->member);
	json_literal(out, sentence->value);
	json_object_end(out);
}

/* The placeholders of a text; texts.py ensures that each occurs once. */
static void print_places(const char *text, struct json_out *out)
{
	json_key_array(out, "places");
	while ((text = strchr(text, '{'))) {
		size_t len = strcspn(++text, "}");

		json_string_len(out, text, len);
		text += len;
	}
	json_array_end(out);
}

static void print_sentence(const struct call *call,
                           const struct game_sentence *sentence,
                           const struct ruleset *rules, struct json_out *out)
{
	const char *text = reference_text(call, sentence->kind, sentence->code,
	                                  sentence->part);

	json_object(out);
	json_key_string(out, "kind", sentence->kind);
	print_code(sentence->code, rules, out);
	print_condition(sentence, out);
	json_key_string(out, "text", text);
	print_places(text, out);
	json_object_end(out);
}

/* The sentences of a game, and how many of them are printed. */
struct row_of_sentences {
	const struct game_sentence *rows;
	size_t count;
	const struct ruleset *rules; /* NULL: every one */
	size_t printed;
};

/* The kind of the next sentence; "" after the last one. */
static const char *next_kind(const struct row_of_sentences *from)
{
	return from->printed < from->count ? from->rows[from->printed].kind
	                                   : "";
}

static void print_next(const struct call *call, struct row_of_sentences *from,
                       struct json_out *out)
{
	print_sentence(call, &from->rows[from->printed++], from->rules, out);
}

static bool is_of_games_only(const char *kind)
{
	size_t i = 0;

	while (i < ARRAY_LEN(common) && strcmp(common[i].kind, kind) != 0)
		i++;
	return kind[0] && i == ARRAY_LEN(common);
}

/*
 * Sentences of a kind stand together.  A kind that only games have comes before
 * the one that follows it in the table of its game.
 */
static void print_sentences(struct call *call, struct json_out *out)
{
	size_t count = 1 + rulesets_count();
	struct row_of_sentences *of =
		arena_alloc(&call->req->arena, count * sizeof(*of));

	of[0] = (struct row_of_sentences){ common, ARRAY_LEN(common), NULL, 0 };
	for (size_t i = 1; i < count; i++) {
		const struct game *game = rulesets_at(i - 1);

		of[i] = (struct row_of_sentences){ game->sentences,
			                           game->sentences_count,
			                           game->rules, 0 };
	}
	for (;;) {
		const char *kind = next_kind(&of[0]);

		for (size_t i = 1; i < count; i++) {
			while (is_of_games_only(next_kind(&of[i])))
				print_next(call, &of[i], out);
		}
		if (!kind[0])
			return;
		for (size_t i = 0; i < count; i++) {
			while (strcmp(next_kind(&of[i]), kind) == 0)
				print_next(call, &of[i], out);
		}
	}
}

enum err encode_announcements(struct call *call)
{
	struct json_out out;

	reference_begin(call, "announcements", &out);
	print_sentences(call, &out);
	return reference_end(call, &out);
}

/* --- problems ------------------------------------------------------------- */

enum err encode_problems(struct call *call)
{
	struct json_out out;

	reference_begin(call, "problems", &out);
	for (unsigned i = ERR_OK + 1; i < ERR_COUNT; i++) {
		const char *code = err_code((enum err)i);

		json_object(&out);
		json_key_string(&out, "code", code);
		json_key_int(&out, "status", problem_status((enum err)i));
		print_part(call, "problem", code, "title", &out);
		print_part(call, "problem", code, "text", &out);
		json_object_end(&out);
	}
	return reference_end(call, &out);
}
