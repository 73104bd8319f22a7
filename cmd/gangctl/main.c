/*
 * gangctl - the operator's commands: one word and its arguments, run over one
 * connection to the database.  "check" and "top" make their own connections,
 * since they also report on servers that refuse one; "new-key", "vapid" and
 * "bots" need none.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "command.h"
#include "store/admin.h"
#include "store/encryption.h"

static bool run_connected(const struct command *command,
                          struct command_call *call)
{
	const char *url;

	if (!encryption_read_keys(call->settings->key_file))
		return false;
	url = command_url(call->settings, command->needs);
	call->admin = url ? admin_open(url) : NULL;
	if (!call->admin)
		return false;
	bool done = command->run(call);
	admin_close(call->admin);
	return done;
}

int main(int argc, char **argv)
{
	struct settings settings;
	int rest;

	switch (command_read_settings(&settings, argc, argv, &rest)) {
	case SETTING_STOP_WELL:
		return EXIT_SUCCESS;
	case SETTING_STOP_BADLY:
		return EXIT_FAILURE;
	case SETTING_RUN:
		break;
	}
	const struct command *command = command_find(argc - rest, argv + rest);
	if (!command)
		return EXIT_FAILURE;
	if (sodium_init() < 0) {
		(void)fprintf(stderr, "cannot start: libsodium failed\n");
		return EXIT_FAILURE;
	}
	struct command_call call = { .settings = &settings,
		                     .count = argc - rest - 1,
		                     .words = argv + rest + 1,
		                     .argc = argc,
		                     .argv = argv };
	bool done = command->needs == COMMAND_NEEDS_NOTHING
	                    ? command->run(&call)
	                    : run_connected(command, &call);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
