/*
 * gangctl - the operator's commands: one word and its arguments, run over one
 * connection to the database.  "check" and "top" make their own connections,
 * since they also report on servers that refuse connections; "new-key", "vapid"
 * and "bots" need none.
 */
#include <stdio.h>

#include <sodium.h>

#include "admin/admin.h"
#include "command.h"
#include "postgres/encryption.h"

static enum verdict run_connected(const struct command *command,
                                  struct command_call *call)
{
	const char *url;

	if (!encryption_read_keys(call->settings->key_file))
		return VERDICT_BAD;
	encryption_accept_plain(call->settings->accept_plain);
	url = command_url(call->settings, command->needs);
	if (!url)
		return VERDICT_BAD;
	call->admin = admin_open(url);
	if (!call->admin)
		return VERDICT_UNKNOWN;
	enum verdict verdict = command->run(call);
	admin_close(call->admin);
	return verdict;
}

int main(int argc, char **argv)
{
	struct settings settings;
	int rest;

	switch (command_read_settings(&settings, argc, argv, &rest)) {
	case SETTING_STOP_WELL:
		return VERDICT_DONE;
	case SETTING_STOP_BADLY:
		return VERDICT_BAD;
	case SETTING_RUN:
		break;
	}
	const struct command *command = command_find(argc - rest, argv + rest);
	if (!command)
		return VERDICT_BAD;
	if (sodium_init() < 0) {
		(void)fprintf(stderr, "cannot start: libsodium failed\n");
		return VERDICT_UNKNOWN;
	}
	struct command_call call = { .settings = &settings,
		                     .count = argc - rest - 1,
		                     .words = argv + rest + 1,
		                     .argc = argc,
		                     .argv = argv };
	enum verdict verdict = command->needs == COMMAND_NEEDS_NOTHING
	                               ? command->run(&call)
	                               : run_connected(command, &call);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fprintf(stderr, "the result cannot be written to "
		                      "standard output\n");
		verdict = verdict_worse(verdict, VERDICT_UNKNOWN);
	}
	return (int)verdict;
}
