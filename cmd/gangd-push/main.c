/*
 * gangd-push - reads its settings, and delivers notifications until a signal.
 *
 * The signals are blocked and read from a file descriptor, so that the sender
 * waits for them and for its sockets in one place.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <sodium.h>

#include "base/log.h"
#include "base/setting.h"
#include "postgres/connection_string.h"
#include "postgres/encryption.h"
#include "sender/push_files.h"
#include "sender/push_metrics.h"
#include "sender/sender.h"
#include "store/store.h"

static const char usage[] =
	"gangd-push [--flag=value ...]\n"
	"\n"
	"Sends notifications to players who are not looking, by Web Push, and "
	"to the\n"
	"operator's webhook. Several may run. Without GANGD_VAPID_FILE "
	"and\n"
	"GANGD_WEBHOOK_URL it has nothing to do, and ends.\n";

static const char *const used[] = { "GANGD_DATABASE_URL",
	                            "GANGD_DATABASE_TIMEOUT_MS",
	                            "GANGD_BATCH",
	                            "GANGD_KEY_FILE",
	                            "GANGD_ACCEPT_PLAIN",
	                            "GANGD_VAPID_PUBLIC_KEY",
	                            "GANGD_VAPID_FILE",
	                            "GANGD_PUSH_CONTACT",
	                            "GANGD_PUSH_HOSTS",
	                            "GANGD_PUSH_PRIVATE",
	                            "GANGD_PUSH_CA_FILE",
	                            "GANGD_PUSH_DELAY_MS",
	                            "GANGD_WEBHOOK_URL",
	                            "GANGD_WEBHOOK_SECRETS_FILE",
	                            "GANGD_LOG_LEVEL",
	                            "GANGD_PUSH_METRICS_LISTEN",
	                            NULL };

enum { CONNECTIONS = 2 };

static bool settings_fit(const struct settings *settings, int rest, int argc,
                         char **argv)
{
	if (rest < argc) {
		(void)fprintf(stderr,
		              "gangd-push: unexpected argument \"%s\"\n",
		              argv[rest]);
		return false;
	}
	return connection_string_check_flag(settings, "GANGD_DATABASE_URL",
	                                    settings->database_url) &&
	       connection_string_check("GANGD_DATABASE_URL",
	                               settings->database_url);
}

static int open_signals(void)
{
	sigset_t stop;

	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTERM);
	(void)sigaddset(&stop, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &stop, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &stop, SFD_CLOEXEC);
}

static int serve(const struct settings *settings,
                 const struct push_files *files)
{
	struct store_config database = {
		.url = settings->database_url,
		.connections = CONNECTIONS,
		.deadline_ms = settings->database_timeout_ms,
		.batch_max = settings->batch,
	};
	struct sender_config config = {
		.takes_singly = settings->batch == 0,
		.delay_ms = settings->push_delay_ms,
		.hosts = settings->push_hosts,
		.private_list = settings->push_private,
		.ca_file = settings->push_ca_file,
		.vapid = files->vapid,
		.contact = settings->push_contact,
		.webhook_url = settings->webhook_url,
		.secrets = &files->secrets,
	};
	int stop_fd = open_signals();
	struct scrape *metrics = NULL;

	if (stop_fd < 0 ||
	    !push_metrics_open(settings->push_metrics_listen, &metrics))
		return EXIT_FAILURE;
	config.store = store_open(&database);
	struct sender *sender = sender_open(&config);
	if (!sender) {
		(void)fprintf(
			stderr,
			"cannot start: libcurl or the system's random numbers"
			" failed\n");
		return EXIT_FAILURE;
	}
	LOG(LOG_INFO, "push_started", LOG_INT("web_push", files->vapid != NULL),
	    LOG_INT("webhook", settings->webhook_url[0] != '\0'));
	sender_run(sender, stop_fd);
	/* The store first: it ends its statements, and so notifies the sender.
	 */
	store_close(config.store);
	sender_close(sender);
	push_metrics_close(metrics);
	LOG(LOG_INFO, "stopped", LOG_INT("status", 0));
	log_flush();
	(void)close(stop_fd);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct settings settings;
	struct push_files files;
	enum log_level level;
	int rest;

	switch (settings_read(&settings, usage, used, argc, argv, &rest)) {
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
	if (!encryption_read_keys(settings.key_file) ||
	    !push_files_read(&settings, &files))
		return EXIT_FAILURE;
	encryption_accept_plain(settings.accept_plain);
	log_set_level(level);
	int status = serve(&settings, &files);
	push_files_close(&files);
	return status;
}
