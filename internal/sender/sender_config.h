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
	const char *hosts;         /* allowed beside the known ones */
	const char *private_list;  /* addresses that are allowed all the same */
	const char *ca_file;       /* "": those of the system */
	const struct vapid *vapid; /* NULL: no Web Push is sent */
	const char *contact;       /* for push services */
	const char *webhook_url;   /* "": there is no webhook */
	const struct webhook_secrets *secrets;
};
