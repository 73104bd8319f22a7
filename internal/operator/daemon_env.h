/*
 * daemon_env.h - makes the environment of this process that of a daemon, which
 * its environment file gives.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/macros.h"
#include "operator/check.h"

/*
 * Take all GANGD_ and PG variables out of the environment, except
 * GANGD_MIGRATE_URL and GANGD_KEY_FILE, which are the operator's; then set
 * those of the file, as systemd reads them.  The facts about the file are set;
 * their texts are in the arena.  False, with the reason on stderr: the file
 * cannot be read, or systemd does not answer.
 */
MUST_CHECK bool daemon_env_take(const char *path, struct arena *arena,
                                struct check_facts *facts);

/*
 * Read the environment file of gangd-push alone, which it reads after the
 * daemon's.  The facts about the file are set.  *url is the connection string
 * of the daemon; it becomes that of the file, in the arena, if the file has
 * one.  False, with the reason on stderr: the file cannot be read.
 */
MUST_CHECK bool daemon_env_read_push(const char *path, struct arena *arena,
                                     struct check_facts *facts,
                                     const char **url);
