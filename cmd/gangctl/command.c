/*
 * The table of the commands, which command.def lists, and a function for each
 * that reads its words.  The work is done by internal/operator and
 * internal/admin.
 */
#include "command.h"

#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "admin/admin.h"
#include "admin/rekey.h"
#include "base/capacity.h"
#include "base/uuid.h"
#include "operator/check.h"
#include "operator/daemon_env.h"
#include "operator/operator.h"
#include "operator/operator_bots.h"
#include "operator/operator_purge.h"
#include "operator/operator_top.h"
#include "operator/operator_words.h"
#include "postgres/connection_string.h"
#include "postgres/encryption.h"
#include "push/endpoint.h"
#include "push/vapid.h"

static const char usage[] =
	"gangctl [--flag=value ...] COMMAND\n"
	"\n"
#define COMMAND(name, run, least, most, needs, help) help
#include "command.def"
#undef COMMAND
	"\n"
	"  exit status: 0       done, and nothing bad was found\n"
	"               1       refused, or something bad was found\n"
	"               2       unknown, or not finished: the database\n"
	"                       did not answer, or refused; run it again\n";

/* The settings that gangctl has. */
static const char *const used[] = { "GANGD_DATABASE_URL",
	                            "GANGD_MIGRATE_URL",
	                            "GANGD_KEEP_LOBBY_DAYS",
	                            "GANGD_KEEP_FINISHED_DAYS",
	                            "GANGD_KEEP_ABANDONED_DAYS",
	                            "GANGD_KEY_FILE",
	                            "GANGD_ACCEPT_PLAIN",
	                            "GANGD_METRICS_LISTEN",
	                            "GANGD_KEEP_NOTIFICATIONS_DAYS",
	                            NULL };

/* --- settings ------------------------------------------------------------- */

static bool flags_are_safe(const struct settings *settings)
{
	return connection_string_check_flag(settings, "GANGD_DATABASE_URL",
	                                    settings->database_url) &&
	       connection_string_check_flag(settings, "GANGD_MIGRATE_URL",
	                                    settings->migrate_url);
}

enum setting_next command_read_settings(struct settings *settings, int argc,
                                        char **argv, int *rest)
{
	enum setting_next next =
		settings_read(settings, usage, used, argc, argv, rest);

	return next == SETTING_RUN && !flags_are_safe(settings)
	               ? SETTING_STOP_BADLY
	               : next;
}

const char *command_url(const struct settings *settings,
                        enum command_needs needs)
{
	bool as_owner =
		needs == COMMAND_NEEDS_OWNER && settings->migrate_url[0];
	const char *url =
		as_owner ? settings->migrate_url : settings->database_url;

	return connection_string_check(as_owner ? "GANGD_MIGRATE_URL"
	                                        : "GANGD_DATABASE_URL",
	                               url)
	               ? url
	               : NULL;
}

/* An empty GANGD_MIGRATE_URL means GANGD_DATABASE_URL. */
static bool urls_are_valid(const struct settings *settings)
{
	return connection_string_check("GANGD_DATABASE_URL",
	                               settings->database_url) &&
	       (!settings->migrate_url[0] ||
	        connection_string_check("GANGD_MIGRATE_URL",
	                                settings->migrate_url));
}

/* --- commands on games ---------------------------------------------------- */

static bool read_game(const char *word, struct uuid *id)
{
	if (uuid_parse(word, strlen(word), id))
		return true;
	(void)fprintf(stderr,
	              "GAME is \"%s\"; expected: the id of a game, as in the "
	              "path /v1/games/{game_id}\n",
	              word);
	return false;
}

static enum verdict migrate(const struct command_call *call)
{
	return admin_migrate(call->admin);
}

static enum verdict show(const struct command_call *call)
{
	struct uuid id;
	unsigned seat = 0;

	if (!read_game(call->words[0], &id) ||
	    (call->count > 1 &&
	     !operator_words_number("SEAT", call->words[1], 6, &seat)))
		return VERDICT_BAD;
	return operator_show(call->admin, id, seat);
}

/* All games are replayed, even after one that differs. */
static enum verdict replay(const struct command_call *call)
{
	enum verdict verdict = VERDICT_DONE;
	struct uuid id;

	for (int i = 0; i < call->count; i++)
		verdict =
			verdict_worse(verdict,
		                      read_game(call->words[i], &id)
		                              ? operator_replay(call->admin, id)
		                              : VERDICT_BAD);
	return verdict;
}

static enum verdict erase(const struct command_call *call)
{
	if (strcmp(call->words[0], "--token") != 0) {
		(void)fprintf(stderr,
		              "unexpected argument; expected: --token, and the "
		              "token in a file or on standard input\n");
		return VERDICT_BAD;
	}
	return operator_erase(call->admin,
	                      call->count > 1 ? call->words[1] : NULL);
}

static enum verdict rekey(const struct command_call *call)
{
	struct rekey_counts counts;
	enum verdict verdict =
		rekey_run(call->admin, endpoint_hash_stored, &counts);

	if (encryption_first() == 0)
		return verdict;
	(void)printf("%llu games, %llu events and %llu texts encrypted under "
	             "key %u%s\n",
	             (unsigned long long)counts.games,
	             (unsigned long long)counts.events,
	             (unsigned long long)counts.texts, encryption_first(),
	             verdict == VERDICT_UNKNOWN ? " so far" : "");
	if (counts.unreadable)
		(void)fprintf(stderr,
		              "%llu rows could not be read, and are unchanged; "
		              "the lines above name them\n",
		              (unsigned long long)counts.unreadable);
	if (counts.open)
		(void)fprintf(stderr,
		              "%llu more rows may or may not have been "
		              "encrypted\n",
		              (unsigned long long)counts.open);
	if (verdict == VERDICT_UNKNOWN)
		(void)fprintf(stderr, "not all rows are encrypted; run the "
		                      "command again to go on\n");
	return verdict;
}

static enum verdict new_key(const struct command_call *call)
{
	char line[ENCRYPTION_LINE_SIZE];
	unsigned id;

	if (!operator_words_number("NUMBER", call->words[0], ENCRYPTION_ID_MAX,
	                           &id))
		return VERDICT_BAD;
	encryption_make_key(id, line);
	(void)printf("%s\n", line);
	return VERDICT_DONE;
}

static enum verdict vapid(const struct command_call *call)
{
	char private_key[VAPID_PRIVATE_SIZE];
	char public_key[VAPID_PUBLIC_SIZE];

	(void)call;
	if (!vapid_draw(private_key, public_key)) {
		(void)fprintf(stderr, "the system gave no random bytes; try "
		                      "again\n");
		return VERDICT_UNKNOWN;
	}
	(void)printf("# The environment of gangd and of gangd-push:\n"
	             "GANGD_VAPID_PUBLIC_KEY=%s\n"
	             "# The file that GANGD_VAPID_FILE of gangd-push names:\n"
	             "%s\n",
	             public_key, private_key);
	return VERDICT_DONE;
}

static enum verdict webhooks(const struct command_call *call)
{
	uint64_t count;

	if (strcmp(call->words[0], "replay") != 0 ||
	    strcmp(call->words[1], "--since") != 0) {
		(void)fprintf(stderr, "unexpected argument; expected: webhooks "
		                      "replay --since TIME\n");
		return VERDICT_BAD;
	}
	enum verdict verdict =
		admin_replay_webhooks(call->admin, call->words[2], &count);
	if (verdict == VERDICT_DONE)
		(void)printf("%" PRIu64 " notifications are sent again\n",
		             count);
	return verdict;
}

static enum verdict purge(const struct command_call *call)
{
	return operator_purge(call->admin, call->settings, call->count,
	                      call->words);
}

static enum verdict bots(const struct command_call *call)
{
	return operator_bots(call->count, call->words) ? VERDICT_DONE
	                                               : VERDICT_BAD;
}

static enum verdict top(const struct command_call *call)
{
	if (!urls_are_valid(call->settings))
		return VERDICT_BAD;
	return operator_top(call->count, call->words,
	                    call->settings->metrics_listen,
	                    call->settings->database_url);
}

/* --- check ---------------------------------------------------------------- */

/* The arguments of "check". */
struct check_words {
	bool as_json;
	unsigned daemons;
	const char *env_file;      /* or NULL */
	const char *push_env_file; /* or NULL */
};

static bool read_check_words(int count, char **words, struct check_words *check)
{
	const char *daemons = NULL;
	const struct flag flags[] = {
		{ "json", &check->as_json, NULL },
		{ "env-file", NULL, &check->env_file },
		{ "push-env-file", NULL, &check->push_env_file },
		{ "daemons", NULL, &daemons },
	};
	struct operator_words rest = { count, words };

	*check = (struct check_words){ .daemons = 1 };
	return operator_words_flags(&rest, flags, ARRAY_LEN(flags), 0,
	                            "--json, --env-file FILE, --push-env-file "
	                            "FILE, --daemons N") &&
	       (!daemons || operator_words_number("--daemons", daemons, 1000,
	                                          &check->daemons));
}

/* daemon_env_take() has changed the environment. */
static bool read_settings_again(const struct command_call *call)
{
	int rest;

	return command_read_settings(call->settings, call->argc, call->argv,
	                             &rest) == SETTING_RUN;
}

static void note_settings(const struct settings *settings,
                          struct check_facts *facts)
{
	unsigned loops = capacity_loops(settings);

	facts->has_password =
		connection_string_has_password(settings->database_url);
	facts->has_quotas = settings->quotas;
	facts->gathers = settings->batch > 0;
	facts->connections = settings->database_connections > loops
	                             ? settings->database_connections
	                             : loops;
	if (settings->bots)
		facts->connections += settings->bot_connections;
}

/* Read the files that are named, and then the settings. */
static bool read_files(const struct command_call *call,
                       const struct check_words *words, struct arena *arena,
                       struct check_facts *facts, struct survey_urls *urls)
{
	const struct settings *settings = call->settings;

	if (words->env_file &&
	    (!daemon_env_take(words->env_file, arena, facts) ||
	     !read_settings_again(call)))
		return false;
	if (!urls_are_valid(settings))
		return false;
	urls->app = settings->database_url;
	if (settings->migrate_url[0])
		urls->owner = settings->migrate_url;
	if (!words->push_env_file)
		return true;
	urls->push = urls->app;
	if (!daemon_env_read_push(words->push_env_file, arena, facts,
	                          &urls->push) ||
	    !connection_string_check("GANGD_DATABASE_URL", urls->push))
		return false;
	facts->push_has_password = connection_string_has_password(urls->push);
	return true;
}

/* Unreadable keys are a finding; the check continues. */
static void read_keys(const struct settings *settings, struct arena *arena,
                      struct check_facts *facts)
{
	char *reason = arena_zalloc(arena, ENCRYPTION_REASON_SIZE);
	char *list = arena_zalloc(arena, ENCRYPTION_LIST_SIZE);

	facts->key_file = settings->key_file;
	facts->accepts_plain = settings->accept_plain;
	if (!encryption_try_keys(settings->key_file, reason))
		facts->keys_refusal = reason;
	encryption_list_keys(list);
	facts->keys = list;
}

static enum verdict check(const struct command_call *call)
{
	struct check_facts facts = { .unknown_variables = "", .old_names = "" };
	struct survey_urls urls = { NULL };
	struct check_words words;
	struct arena arena;

	enum verdict verdict = VERDICT_BAD;

	if (!read_check_words(call->count, call->words, &words))
		return VERDICT_BAD;
	arena_init(&arena);
	if (read_files(call, &words, &arena, &facts, &urls)) {
		facts.daemons = words.daemons;
		note_settings(call->settings, &facts);
		read_keys(call->settings, &arena, &facts);
		verdict = check_run(&facts, &urls, words.as_json);
	}
	arena_fini(&arena);
	return verdict;
}

/* --- the table ------------------------------------------------------------ */

static const struct command commands[] = {
#define COMMAND(name, run, least, most, needs, help) \
	{ name, run, least, most, COMMAND_NEEDS_##needs },
#include "command.def"
#undef COMMAND
};

const struct command *command_find(int count, char **words)
{
	for (size_t i = 0; count > 0 && i < ARRAY_LEN(commands); i++) {
		if (strcmp(commands[i].name, words[0]) == 0 &&
		    count - 1 >= commands[i].least &&
		    count - 1 <= commands[i].most)
			return &commands[i];
	}
	(void)fprintf(stderr,
	              "\"%s\" is not a command, or has too few or too many "
	              "arguments; expected:\n\n%s",
	              count > 0 ? words[0] : "", usage);
	return NULL;
}
