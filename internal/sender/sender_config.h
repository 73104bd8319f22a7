/*
 * sender_config.h - what a sender is given.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "push/vapid.h"
#include "push/webhook.h"

struct store;

/* All is borrowed. */
struct sender_config {
	struct store *store;
	bool takes_singly; /* no statement may lock rows of several games */
	uint32_t delay_ms;
	const char *hosts;         /* allowed like the known ones */
	const char *private_list;  /* private addresses that are allowed */
	const char *ca_file;       /* "": those of the system */
	const struct vapid *vapid; /* NULL: no Web Push is sent */
	const char *contact;       /* for push services */
	const char *webhook_url;   /* "": no webhook */
	const struct webhook_secrets *secrets;
};
