/*
 * GET /v1/rules/guide, actions, announcements and problems: how a game is
 * played, and a sentence for each action, event and refusal, in the reader's
 * language.
 *
 * The tables (guide.def, word.def, action.def, sentence.def) hold the codes in
 * the order of the answer.  The build fails (texts.py) unless each code has its
 * texts in every language.
 */
#include <string.h>

#include "base/err.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/gang_ruleset.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/handler.h"
#include "service/reference.h"

/* A row of the first three tables. */
struct term {
	const char *code;
	const char *kind;              /* of a word; NULL: not a word */
	const struct ruleset *ruleset; /* NULL: all of them */
};

static const struct term sections[] = {
#define SECTION(code, ruleset) { code, NULL, ruleset },
#include "service/guide.def"
};

static const struct term words[] = {
#define WORD(code, kind, ruleset) { code, kind, ruleset },
#include "service/word.def"
};

static const struct term actions[] = {
#define ACTION(code, ruleset, path) { code, NULL, ruleset },
#include "service/action.def"
};

struct sentence {
	const char *kind;
	const char *code;
	const char *part;
	const char *member; /* NULL: it holds always */
	const char *value;  /* of the member, as JSON */
	const struct ruleset *ruleset;
};

static const struct sentence sentences[] = {
#define SENTENCE(kind, code, part, member, value, ruleset) \
	{ kind, code, part, member, value, ruleset },
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

/* Print words or actions; texts is the kind of their texts. */
static void print_terms(const struct call *call, const char *texts,
                        const struct term *terms, size_t count,
                        struct json_out *out)
{
	for (size_t i = 0; i < count; i++) {
		json_object(out);
		if (terms[i].kind)
			json_key_string(out, "kind", terms[i].kind);
		print_code(terms[i].code, terms[i].ruleset, out);
		print_part(call, texts, terms[i].code, "name", out);
		print_part(call, texts, terms[i].code, "text", out);
		json_object_end(out);
	}
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

static void print_sections(const struct call *call, struct json_out *out)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		const struct term *section = &sections[i];

		json_object(out);
		print_code(section->code, section->ruleset, out);
		print_part(call, "guide", section->code, "title", out);
		print_paragraphs(call, section->code, out);
		json_object_end(out);
	}
}

enum err encode_guide(struct call *call)
{
	struct json_out out;

	reference_begin(call, "sections", &out);
	print_sections(call, &out);
	json_array_end(&out);
	json_key_array(&out, "words");
	print_terms(call, "word", words, ARRAY_LEN(words), &out);
	return reference_end(call, &out);
}

/* --- actions -------------------------------------------------------------- */

enum err encode_actions(struct call *call)
{
	struct json_out out;

	reference_begin(call, "actions", &out);
	print_terms(call, "action", actions, ARRAY_LEN(actions), &out);
	return reference_end(call, &out);
}

/* --- announcements -------------------------------------------------------- */

static void print_condition(const struct sentence *sentence,
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

enum err encode_announcements(struct call *call)
{
	struct json_out out;

	reference_begin(call, "announcements", &out);
	for (size_t i = 0; i < ARRAY_LEN(sentences); i++) {
		const struct sentence *sentence = &sentences[i];
		const char *text =
			reference_text(call, sentence->kind, sentence->code,
		                       sentence->part);

		json_object(&out);
		json_key_string(&out, "kind", sentence->kind);
		print_code(sentence->code, sentence->ruleset, &out);
		print_condition(sentence, &out);
		json_key_string(&out, "text", text);
		print_places(text, &out);
		json_object_end(&out);
	}
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
