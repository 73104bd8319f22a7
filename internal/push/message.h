/*
 * message.h - the contents of a notification: its id, and the JSON for a
 * service worker or a webhook.  It has the game, the code, the version and the
 * seat, and names the player and the table's host; it has no card and no token.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

enum {
	MESSAGE_ID_SIZE = 80,
	MESSAGE_TOPIC_SIZE = 33,
	MESSAGE_SIZE = 3072,
};

struct message {
	struct uuid game;
	uint32_t version;
	unsigned seat;
	unsigned code;         /* of push_code.def, or of the game */
	const char *code_text; /* the code itself, or NULL */
	const char *ruleset;   /* its name, or NULL */
	const char *mode;      /* of the game, or NULL */
	const char *name;      /* of the seat, or NULL */
	const char *host;      /* the name of the table's host, or NULL */
	const char *target;    /* distinguishes deliveries; "" of a webhook */
	int64_t created_us;    /* when the commit was made */
	struct uuid rematch;   /* or zeros */
	const char *reference; /* the client_reference, or NULL */
};

/*
 * Print the id: the same for each try, different for each delivery of each
 * notification.
 */
void message_id(const struct message *message, char id[MESSAGE_ID_SIZE]);

/*
 * Print the topic of Web Push: a message replaces an undelivered one of the
 * same topic.  So each game has one topic.
 */
void message_topic(const struct message *message,
                   char topic[MESSAGE_TOPIC_SIZE]);

/* Print the JSON for a service worker, or for a webhook; the length. */
size_t message_print_push(const struct message *message,
                          char text[MESSAGE_SIZE]);
size_t message_print_webhook(const struct message *message,
                             char text[MESSAGE_SIZE]);
