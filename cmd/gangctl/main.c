/*
 * gangctl - the operator's commands: one word and its arguments, run over one
 * connection to the database.  Only "check" makes connections of its own, since
 * it judges them too.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/setting.h"
#include "base/uuid.h"
#include "loop/capacity.h"
#include "operator/check.h"
#include "operator/daemon_env.h"
#include "operator/operator.h"
#include "operator/operator_bots.h"
#include "operator/operator_top.h"
#include "store/admin.h"
#include "store/connection_string.h"
#include "store/encryption.h"
#include "store/rekey.h"

static const char usage[] =
	"gangctl [--flag=value ...] COMMAND\n"
	"\n"
	"  migrate              create the schema, or bring it up to date\n"
	"  show GAME [SEAT]     a game as JSON, as a spectator or a seat sees "
	"it\n"
	"  replay GAME...       decide their moves again, compare with what "
	"is\n"
	"                       stored\n"
	"  purge [DAYS]         delete games that have reached the ages of "
	"the\n"
	"                       settings GANGD_KEEP_* (DAYS replaces those of\n"
	"                       games that were started), idempotency keys\n"
	"                       older than a day, and expired stream tickets\n"
	"  purge [DAYS] --dry-run\n"
	"                       count those games and delete nothing\n"
	"  new-key NUMBER       print a line with a new key for "
	"GANGD_KEY_FILE\n"
	"  erase --token [FILE] give the player of a seat a neutral name, and "
	"remove\n"
	"                       the player's names and avatars everywhere. The "
	"token\n"
	"                       is the first line of FILE, or of standard "
	"input\n"
	"  rekey                encrypt all that is stored under the file's "
	"first\n"
	"                       key\n"
	"  check                are settings, server, roles, schema, TLS, "
	"clock "
	"and\n"
	"                       disk as a daemon needs them? Prints a line "
	"for\n"
	"                       each check: ok, warn or fail, and how to mend "
	"it.\n"
	"                       The exit status is 1 if one fails\n"
	"  check --json         the same as one JSON object\n"
	"  check --env-file FILE\n"
	"                       check a daemon's environment file, read as "
	"systemd\n"
	"                       does, in place of this environment\n"
	"  check --daemons N    there are N daemons with these settings; "
	"default: 1\n"
	"  top                  show what the service does, each second until "
	"q:\n"
	"                       games, moves, waiters, slowest routes, "
	"database\n"
	"    --once             one sample, for scripts; the exit status is 1 "
	"if a\n"
	"                       daemon or the database does not answer\n"
	"    --daemons ADDRESS[,ADDRESS...]\n"
	"                       where the daemons serve metrics; default:\n"
	"                       GANGD_METRICS_LISTEN\n"
	"  bots                 play games of bots alone, without a database, "
	"and\n"
	"                       print how well and how fast they played\n"
	"    --ruleset CODE     the_gang (default) or famiglia\n"
	"    --mode CODE        of The Gang; default: basic\n"
	"    --seats N          default: 4, or 2 in famiglia\n"
	"    --level LEVEL[,LEVEL...]\n"
	"                       novice, steady or sharp (default), of all "
	"seats "
	"or\n"
	"                       one for each; they move on by a seat each "
	"game\n"
	"    --games N          default: 100\n"
	"    --seed N           of the first game; default: 1\n"
	"    --confirmed        rounds end when all have confirmed\n"
	"    --shuffled         the stacks of cards begin shuffled\n";

/* The settings that gangctl has. */
static const char *const used[] = {
	"GANGD_DATABASE_URL",        "GANGD_MIGRATE_URL",
	"GANGD_KEEP_LOBBY_DAYS",     "GANGD_KEEP_FINISHED_DAYS",
	"GANGD_KEEP_ABANDONED_DAYS", "GANGD_KEY_FILE",
	"GANGD_METRICS_LISTEN",      NULL
};

/* The ages that the settings say; main() reads them before a command runs. */
static struct admin_ages ages;

/* Read an argument, a whole number from min to max. */
static bool read_number(const char *name, const char *word, unsigned min,
                        unsigned max, unsigned *number)
{
	char *end;
	unsigned long read = strtoul(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end || read < min ||
	    read > max) {
		(void)fprintf(stderr,
		              "%s is \"%s\"; expected: a whole number from "
		              "%u to %u\n",
		              name, word, min, max);
		return false;
	}
	*number = (unsigned)read;
	return true;
}

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

static bool migrate(struct admin *admin, int count, char **words)
{
	(void)count;
	(void)words;
	return admin_migrate(admin);
}

static bool show(struct admin *admin, int count, char **words)
{
	struct uuid id;
	unsigned seat = 0;

	if (!read_game(words[0], &id) ||
	    (count > 1 && !read_number("SEAT", words[1], 1, 6, &seat)))
		return false;
	return operator_show(admin, id, seat);
}

/* A game that differs does not keep the others from being replayed. */
static bool replay(struct admin *admin, int count, char **words)
{
	struct uuid id;
	bool same = true;

	for (int i = 0; i < count; i++) {
		if (read_game(words[i], &id) && operator_replay(admin, id))
			continue;
		(void)fprintf(stderr, "%s: not replayed to its stored state\n",
		              words[i]);
		same = false;
	}
	return same;
}

static bool erase(struct admin *admin, int count, char **words)
{
	if (strcmp(words[0], "--token") != 0) {
		(void)fprintf(stderr,
		              "unexpected argument; expected: --token, and the "
		              "token in a file or on standard input\n");
		return false;
	}
	return operator_erase(admin, count > 1 ? words[1] : NULL);
}

static bool rekey(struct admin *admin, int count, char **words)
{
	struct rekey_counts counts;

	(void)count;
	(void)words;
	if (!rekey_run(admin, &counts))
		return false;
	(void)printf("%llu games and %llu events encrypted under key %u\n",
	             (unsigned long long)counts.games,
	             (unsigned long long)counts.events, encryption_newest());
	if (counts.unreadable)
		(void)fprintf(stderr,
		              "%llu rows could not be read, and are left; the "
		              "lines above name them\n",
		              (unsigned long long)counts.unreadable);
	return counts.unreadable == 0;
}

static bool new_key(const char *word)
{
	char line[ENCRYPTION_LINE_SIZE];
	unsigned id;

	if (!read_number("NUMBER", word, 1, ENCRYPTION_ID_MAX, &id))
		return false;
	encryption_make_key(id, line);
	(void)printf("%s\n", line);
	return true;
}

/* DAYS stands for two of the ages. */
static bool purge(struct admin *admin, int count, char **words)
{
	bool dry_run = count > 0 && strcmp(words[count - 1], "--dry-run") == 0;
	struct admin_ages wanted = ages;
	uint64_t games;

	if (count - dry_run > 1) {
		(void)fprintf(stderr,
		              "unexpected argument \"%s\"; expected: --dry-run "
		              "or nothing\n",
		              words[1]);
		return false;
	}
	if (count - dry_run == 1) {
		if (!read_number("DAYS", words[0], 1, ADMIN_DAYS_MAX,
		                 &wanted.finished_days))
			return false;
		wanted.abandoned_days = wanted.finished_days;
	}
	if (!admin_purge(admin, &wanted, dry_run, &games))
		return false;
	(void)printf("%llu games %s\n", (unsigned long long)games,
	             dry_run ? "would be deleted" : "deleted");
	return true;
}

static const struct command {
	const char *name;
	int least; /* words that follow */
	int most;
	bool as_owner; /* of the schema */
	/* NULL: the command connects by itself, or not at all. */
	bool (*run)(struct admin *admin, int count, char **words);
} commands[] = {
	{ "migrate", 0, 0, true, migrate },     { "show", 1, 2, false, show },
	{ "replay", 1, INT_MAX, true, replay }, { "purge", 0, 2, false, purge },
	{ "new-key", 1, 1, false, NULL },       { "rekey", 0, 0, true, rekey },
	{ "erase", 1, 2, true, erase },         { "check", 0, 5, false, NULL },
	{ "bots", 0, 14, false, NULL },         { "top", 0, 3, false, NULL },
};

/* A password in a flag can be read by all users of the machine. */
static bool flags_are_safe(const struct settings *settings)
{
	const char *const urls[] = { settings->database_url,
		                     settings->migrate_url };

	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		if (setting_is_from_flag(settings, used[i]) &&
		    connection_string_has_password(urls[i])) {
			setting_refuse_password(used[i]);
			return false;
		}
	}
	return true;
}

static const struct command *find(int count, char **words)
{
	for (size_t i = 0; count > 0 && i < ARRAY_LEN(commands); i++) {
		if (strcmp(commands[i].name, words[0]) == 0 &&
		    count - 1 >= commands[i].least &&
		    count - 1 <= commands[i].most)
			return &commands[i];
	}
	(void)fprintf(stderr,
	              "\"%s\" is no command, or has too few or too many "
	              "arguments; expected:\n\n%s",
	              count > 0 ? words[0] : "", usage);
	return NULL;
}

/* The words behind "check". */
struct check_words {
	bool as_json;
	unsigned daemons;
	const char *env_file; /* NULL: none */
};

static bool read_check_words(int count, char **words, struct check_words *check)
{
	*check = (struct check_words){ .daemons = 1 };
	for (int i = 0; i < count; i++) {
		bool has_value = i + 1 < count;

		if (strcmp(words[i], "--json") == 0) {
			check->as_json = true;
		} else if (strcmp(words[i], "--env-file") == 0 && has_value) {
			check->env_file = words[++i];
		} else if (strcmp(words[i], "--daemons") == 0 && has_value) {
			if (!read_number("--daemons", words[++i], 1, 1000,
			                 &check->daemons))
				return false;
		} else {
			(void)fprintf(stderr,
			              "unexpected argument \"%s\", or one "
			              "without its value; expected: --json, "
			              "--env-file FILE, --daemons N\n",
			              words[i]);
			return false;
		}
	}
	return true;
}

static bool urls_are_valid(const struct settings *settings)
{
	if (!connection_string_is_valid(settings->database_url)) {
		setting_refuse(used[0], settings->database_url[0] ? NULL : "");
		return false;
	}
	if (settings->migrate_url[0] &&
	    !connection_string_is_valid(settings->migrate_url)) {
		setting_refuse(used[1], NULL);
		return false;
	}
	return true;
}

/* Read the settings again: the daemon's file has changed the environment. */
static bool read_settings_again(struct settings *settings, int argc,
                                char **argv)
{
	int rest;

	return settings_read(settings, usage, used, argc, argv, &rest) ==
	               SETTING_RUN &&
	       flags_are_safe(settings);
}

static bool check(struct settings *settings, int argc, char **argv, int rest)
{
	struct check_facts facts = { .unknown_variables = "", .old_names = "" };
	struct check_words words;
	struct arena arena;

	if (!read_check_words(argc - rest - 1, argv + rest + 1, &words))
		return false;
	arena_init(&arena);
	bool good = !words.env_file ||
	            (daemon_env_take(words.env_file, &arena, &facts) &&
	             read_settings_again(settings, argc, argv));
	if (good && urls_are_valid(settings)) {
		unsigned loops = capacity_loops(settings);

		facts.has_password =
			connection_string_has_password(settings->database_url);
		facts.has_quotas = settings->quotas;
		facts.daemons = words.daemons;
		facts.connections = settings->database_connections > loops
		                            ? settings->database_connections
		                            : loops;
		if (settings->bots)
			facts.connections += settings->bot_connections;
		good = check_run(&facts, settings->database_url,
		                 settings->migrate_url, words.as_json);
	} else {
		good = false;
	}
	arena_fini(&arena);
	return good;
}

int main(int argc, char **argv)
{
	struct settings settings;
	int rest;

	switch (settings_read(&settings, usage, used, argc, argv, &rest)) {
	case SETTING_STOP_WELL:
		return EXIT_SUCCESS;
	case SETTING_STOP_BADLY:
		return EXIT_FAILURE;
	case SETTING_RUN:
		break;
	}
	const struct command *command = find(argc - rest, argv + rest);
	if (!command || !flags_are_safe(&settings))
		return EXIT_FAILURE;
	if (sodium_init() < 0) {
		(void)fprintf(stderr, "cannot start: libsodium failed\n");
		return EXIT_FAILURE;
	}
	if (strcmp(argv[rest], "new-key") == 0)
		return new_key(argv[rest + 1]) ? EXIT_SUCCESS : EXIT_FAILURE;
	if (strcmp(argv[rest], "bots") == 0)
		return operator_bots(argc - rest - 1, argv + rest + 1)
		               ? EXIT_SUCCESS
		               : EXIT_FAILURE;
	if (strcmp(argv[rest], "top") == 0)
		return urls_are_valid(&settings) &&
		                       operator_top(argc - rest - 1,
		                                    argv + rest + 1,
		                                    settings.metrics_listen,
		                                    settings.database_url)
		               ? EXIT_SUCCESS
		               : EXIT_FAILURE;
	if (!command->run)
		return check(&settings, argc, argv, rest) ? EXIT_SUCCESS
		                                          : EXIT_FAILURE;

	if (!encryption_read_keys(settings.key_file))
		return EXIT_FAILURE;
	bool as_owner = command->as_owner && settings.migrate_url[0];
	const char *url =
		as_owner ? settings.migrate_url : settings.database_url;
	if (!connection_string_is_valid(url)) {
		setting_refuse(used[as_owner], url[0] ? NULL : "");
		return EXIT_FAILURE;
	}
	ages = (struct admin_ages){
		.lobby_days = settings.keep_lobby_days,
		.finished_days = settings.keep_finished_days,
		.abandoned_days = settings.keep_abandoned_days,
	};
	struct admin *admin = admin_open(url);
	if (!admin)
		return EXIT_FAILURE;
	bool done = command->run(admin, argc - rest - 1, argv + rest + 1);
	admin_close(admin);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
