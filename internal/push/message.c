/*
 * An id is game, version and seat, and for Web Push the beginning of the hash
 * of the endpoint: the key of the notification's row, so that it needs no
 * memory.
 */
#include "push/message.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "base/json_out.h"

enum { TARGET_LEN = 16 };

/* A game's id without hyphens, which has 32 characters. */
static void print_plain(struct uuid id, char text[MESSAGE_TOPIC_SIZE])
{
	(void)sodium_bin2hex(text, MESSAGE_TOPIC_SIZE, id.bytes,
	                     sizeof(id.bytes));
}

void message_id(const struct message *message, char id[MESSAGE_ID_SIZE])
{
	char game[MESSAGE_TOPIC_SIZE];

	print_plain(message->game, game);
	(void)snprintf(id, MESSAGE_ID_SIZE, "msg_%s_%u_%u%s%.*s", game,
	               (unsigned)message->version, message->seat,
	               message->target[0] ? "_" : "", TARGET_LEN,
	               message->target);
}

void message_topic(const struct message *message,
                   char topic[MESSAGE_TOPIC_SIZE])
{
	print_plain(message->game, topic);
}

static void print_ids(const struct message *message, struct json_out *out)
{
	char text[UUID_TEXT_LEN + 1];

	uuid_print(message->game, text);
	json_key_string(out, "game", text);
	json_key_int(out, "version", message->version);
	json_key_int(out, "seat", message->seat);
	if (!uuid_is_none(message->rematch))
		uuid_print(message->rematch, text);
	json_key_string_or_null(out, "rematch",
	                        uuid_is_none(message->rematch) ? NULL : text);
	json_key_string_or_null(out, "ruleset", message->ruleset);
	json_key_string_or_null(out, "mode", message->mode);
	json_key_string_or_null(out, "name", message->name);
	json_key_string_or_null(out, "host", message->host);
}

static const char *code_of(const struct message *message)
{
	return message->code_text ? message->code_text : "changed";
}

size_t message_print_push(const struct message *message,
                          char text[MESSAGE_SIZE])
{
	char id[MESSAGE_ID_SIZE];
	struct json_out out;

	message_id(message, id);
	json_out_init(&out, text, MESSAGE_SIZE);
	json_object(&out);
	json_key_string(&out, "id", id);
	json_key_string(&out, "code", code_of(message));
	print_ids(message, &out);
	json_object_end(&out);
	assert(json_out_fits(&out));
	return json_out_len(&out);
}

size_t message_print_webhook(const struct message *message,
                             char text[MESSAGE_SIZE])
{
	char time[CLOCK_TEXT_LEN + 1];
	struct json_out out;

	clock_print(message->created_us, time);
	json_out_init(&out, text, MESSAGE_SIZE);
	json_object(&out);
	json_key_string(&out, "type", code_of(message));
	json_key_string(&out, "timestamp", time);
	json_key_object(&out, "data");
	print_ids(message, &out);
	json_key_string_or_null(&out, "client_reference", message->reference);
	json_object_end(&out);
	json_object_end(&out);
	assert(json_out_fits(&out));
	return json_out_len(&out);
}
