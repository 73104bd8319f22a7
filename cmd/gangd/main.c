/*
 * gangd - reads its settings, opens the event loops, and serves until a signal.
 *
 * Only the main thread takes SIGTERM and SIGINT, by sigwait(); the loops run
 * without signal handlers.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "base/log.h"
#include "base/setting.h"
#include "loop/loop.h"
#include "postgres/connection_string.h"
#include "postgres/encryption.h"
#include "push/web_push.h"
#include "store/store.h"

static const char usage[] = "gangd [--flag=value ...]\n"
			    "\n"
			    "Serves games of The Gang and Famiglia over HTTP. "
			    "On SIGTERM or SIGINT\n"
			    "it answers the requests under way and ends. Run "
			    "gangctl migrate first:\n"
			    "it creates the schema.\n";

/*
 * Block the signals before the first thread: all threads inherit the mask.
 * Without SIGPIPE a client that goes away does not end the process.
 */
static void block_signals(sigset_t *stop)
{
	(void)sigemptyset(stop);
	(void)sigaddset(stop, SIGTERM);
	(void)sigaddset(stop, SIGINT);
	(void)pthread_sigmask(SIG_BLOCK, stop, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

static bool settings_fit(const struct settings *settings, int rest, int argc,
                         char **argv)
{
	if (rest < argc) {
		(void)fprintf(stderr, "gangd: unexpected argument \"%s\"\n",
		              argv[rest]);
		return false;
	}
	return connection_string_check_flag(settings, "GANGD_DATABASE_URL",
	                                    settings->database_url) &&
	       connection_string_check("GANGD_DATABASE_URL",
	                               settings->database_url);
}

/*
 * Reject an invalid key at startup.  This also makes OpenSSL read its own
 * settings now, so that no request is delayed by that, or fails.
 */
static bool push_key_fits(const struct settings *settings)
{
	const char *key = settings->vapid_public_key;
	struct endpoint endpoint;

	if (!key[0] || !web_push_read_key(key, &endpoint).code)
		return true;
	setting_refuse("GANGD_VAPID_PUBLIC_KEY", key);
	return false;
}

int main(int argc, char **argv)
{
	struct settings settings;
	enum log_level level;
	sigset_t stop;
	int rest;
	int signal_number;

	switch (settings_read(&settings, usage, NULL, argc, argv, &rest)) {
	case SETTING_STOP_WELL:
		return EXIT_SUCCESS;
	case SETTING_STOP_BADLY:
		return EXIT_FAILURE;
	case SETTING_RUN:
		break;
	}
	if (!settings_fit(&settings, rest, argc, argv) ||
	    !log_level_find(settings.log_level, &level))
		return EXIT_FAILURE;
	if (sodium_init() < 0) {
		(void)fprintf(stderr, "cannot start: libsodium failed\n");
		return EXIT_FAILURE;
	}
	if (!push_key_fits(&settings) ||
	    !encryption_read_keys(settings.key_file))
		return EXIT_FAILURE;
	encryption_accept_plain(settings.accept_plain);
	log_set_level(level);
	/* Its role could change the schema if the daemon were compromised. */
	if (settings.migrate_url[0])
		LOG(LOG_WARNING, "migrate_url_given",
		    LOG_TEXT("advice", "give GANGD_MIGRATE_URL to gangctl "
		                       "alone, not to the daemon"));

	block_signals(&stop);
	struct loops *loops = loops_open(&settings);
	if (!loops)
		return EXIT_FAILURE;
	(void)sigwait(&stop, &signal_number);
	LOG(LOG_INFO, "stopping", LOG_INT("signal", signal_number));
	/* Ctrl-C needs no drain: no balancer watches a daemon in a shell. */
	loops_drain(loops, signal_number == SIGINT ? 0 : settings.drain_ms);
	loops_close(loops);
	LOG(LOG_INFO, "stopped", LOG_INT("signal", signal_number));
	return EXIT_SUCCESS;
}
