/*
 * The Gang's own routes, and what a game of it is created with.
 */
#include "base/json_out.h"
#include "gang/gang.h"
#include "gang/print.h"
#include "gang/view.h"
#include "service/handler.h"

enum { MODES_MAX = 8 };

void decode_gang_options(struct body *body, struct options *options)
{
	static const char *const stacks[] = { "numbered", "shuffled" };
	const char *codes[MODES_MAX];
	size_t count;
	const struct mode *modes = mode_list(&count);

	for (size_t i = 0; i < count && i < ARRAY_LEN(codes); i++)
		codes[i] = modes[i].code;
	size_t mode = body_choice(body, "mode", codes, count, 0);
	options->mode = modes[mode].number;
	options->shuffled_stacks =
		body_choice(body, "stacks", stacks, ARRAY_LEN(stacks), 0) == 1;
}

/* --- moves --------------------------------------------------------------- */

static void set_chip(struct call *call, enum gang_verb verb)
{
	call->action.verb = (uint8_t)verb;
	call->action.args[ARG_COLOR] = (uint8_t)call->color;
	call->action.args[ARG_STARS] = (uint8_t)call->stars;
	call->action.args[ARG_FROM] = CHIP_FROM_ANYWHERE;
}

enum err decode_take(struct call *call)
{
	struct body body;

	set_chip(call, VERB_TAKE);
	body_open(&body, call->req);
	call->action.args[ARG_FROM] =
		(uint8_t)body_word_or_int(&body, "from", "center", 1,
	                                  GANG_PLAYERS_MAX, CHIP_FROM_ANYWHERE);
	return body_close(&body);
}

enum err decode_return(struct call *call)
{
	set_chip(call, VERB_RETURN);
	return decode_empty(call);
}

enum err decode_next_heist(struct call *call)
{
	call->action.verb = VERB_NEXT_HEIST;
	return decode_empty(call);
}

/* A heist was dealt: created, and to be seen in the view. */
enum err encode_dealt(struct call *call)
{
	enum err err = encode_view(call);

	call->req->reply.status = 201;
	http_header(call->req, "Location", game_path(call));
	return err;
}

/* --- what is over -------------------------------------------------------- */

enum err encode_heists(struct call *call)
{
	const struct gang_view *view = call_view(call);
	struct json_out out;

	reply_begin(call, &out, REPLY_VIEW_MAX);
	json_object(&out);
	json_key(&out, "heists");
	json_array(&out);
	for (unsigned i = 0; i < view->records_count; i++)
		gang_print_record(&view->records[i], &out);
	json_array_end(&out);
	json_object_end(&out);
	return reply_end(call, &out, 200);
}

enum err encode_heist(struct call *call)
{
	const struct gang_view *view = call_view(call);
	const struct record *record = gang_view_record(view, call->number);
	struct json_out out;

	if (!record)
		return ERR_NO_SUCH_HEIST;
	reply_begin(call, &out, REPLY_VIEW_MAX);
	gang_print_record(record, &out);
	return reply_end(call, &out, 200);
}

enum err encode_showdown(struct call *call)
{
	const struct gang_view *view = call_view(call);
	const struct record *record = gang_view_last_record(view);
	struct json_out out;

	if (call->table.status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (!record)
		return ERR_SHOWDOWN_NOT_REACHED;
	reply_begin(call, &out, REPLY_VIEW_MAX);
	json_object(&out);
	json_key_int(&out, "heist", record->number);
	gang_print_showdown(record, &out);
	json_object_end(&out);
	return reply_end(call, &out, 200);
}
