/*
 * push_files.h - the keys and secrets of gangd-push, from the files that its
 * settings name.
 */
#pragma once

#include "base/macros.h"
#include "base/setting.h"
#include "push/vapid.h"
#include "push/webhook.h"

struct push_files {
	struct vapid *vapid; /* owned; NULL: no Web Push is sent */
	struct webhook_secrets secrets;
};

/*
 * Read them, and check the settings that belong to them.  False, with the
 * reason on stderr, if a file cannot be read, if users other than its owner and
 * group may read it, if its content or a setting is wrong, or if there is
 * nowhere to send.
 */
MUST_CHECK bool push_files_read(const struct settings *settings,
                                struct push_files *files);

void push_files_close(struct push_files *files);
