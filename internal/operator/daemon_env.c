/*
 * daemon_env.c - takes over the environment file of a daemon.
 *
 * A variable of the operator's shell would hide that the daemon lacks it, so
 * those that the daemon or libpq read go first.
 *
 * systemd reads the file, as it does for the daemon: systemd-run has it start
 * env(1), which prints its environment.  systemd gets the path of our open
 * descriptor in /proc, since it would expand patterns in the file's own path
 * and refuse bytes that are not UTF-8.
 */
#include "operator/daemon_env.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/setting.h"

extern char **environ;

/* These are the operator's: the daemon must not have the first one, and systemd
 * hands it the file of the second one by another path. */
static const char migrate_url[] = "GANGD_MIGRATE_URL";
static const char key_file[] = "GANGD_KEY_FILE";

enum { OUTPUT_MAX = 131072, STATUS_NOT_FOUND = 127 };

typedef void variable_fn(void *arg, const char *name, const char *value);

struct reader {
	struct arena *arena;
	struct check_facts *facts;
};

struct push_reader {
	struct arena *arena;
	const char *url;
};

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_variable(const char *text, size_t len, const char *name)
{
	return len == strlen(name) && begins_with(text, name);
}

/* systemd gives every process other variables, too. */
static bool is_read(const char *text)
{
	return begins_with(text, "GANGD_") || begins_with(text, "PG");
}

/* The name of the first variable that has to go; NULL: none is left. */
static char *find_variable(struct arena *arena)
{
	for (char **at = environ; at && *at; at++) {
		size_t len = strcspn(*at, "=");

		if (is_read(*at) && !is_variable(*at, len, migrate_url) &&
		    !is_variable(*at, len, key_file))
			return arena_strndup(arena, *at, len);
	}
	return NULL;
}

static void run_systemd(int file, const int ends[2])
{
	char property[64];

	(void)snprintf(property, sizeof(property),
	               "--property=EnvironmentFile=/proc/%ld/fd/%d",
	               (long)getppid(), file);
	if (dup2(ends[1], STDOUT_FILENO) >= 0)
		(void)execlp("systemd-run", "systemd-run", "--quiet", "--pipe",
		             "--wait", "--collect", property, "/usr/bin/env",
		             "-0", (char *)NULL);
	_exit(STATUS_NOT_FOUND);
}

/*
 * Read what systemd makes of an open file: variables, a zero byte after each,
 * into OUTPUT_MAX + 1 bytes.  Returns the reason if that fails, else NULL.
 */
static const char *ask_systemd(int file, char *output, size_t *len)
{
	int ends[2];
	int status = 0;

	memory_expect_descriptor(pipe(ends));
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	pid_t child = fork();
	if (child == 0)
		run_systemd(file, ends);
	(void)close(ends[1]);
	FILE *from = fdopen(ends[0], "r");
	memory_expect(from);
	*len = fread(output, 1, OUTPUT_MAX + 1, from);
	(void)fclose(from);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return "systemd-run cannot be started";
	if (*len > OUTPUT_MAX)
		return "its variables are longer than 128 KiB";
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NOT_FOUND)
		return "systemd-run is not installed";
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return "systemd-run has failed, and the journal may say why";
	if (*len == 0 || output[*len - 1] != '\0')
		return "the answer of systemd-run is not complete";
	return NULL;
}

/* Call each() for the variables of a file.  False, with the reason on stderr:
 * it cannot be read. */
static bool read_file(const char *path, unsigned *mode, struct arena *arena,
                      variable_fn *each, void *arg)
{
	const char *refusal = "it is not a file that this user may read";
	char *output = arena_zalloc(arena, OUTPUT_MAX + 1);
	/* A pipe would keep us waiting, and systemd. */
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat facts;
	size_t len = 0;

	if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
		*mode = facts.st_mode & 07777;
		refusal = ask_systemd(file, output, &len);
	}
	if (file >= 0)
		(void)close(file);
	if (refusal) {
		(void)fprintf(
			stderr,
			"cannot read the environment file %s: %s; "
			"expected: a file that systemd reads for root, on "
			"a machine that systemd has booted; elsewhere run "
			"\"gangctl check\" without the file, in the "
			"daemon's environment\n",
			path, refusal);
		return false;
	}
	for (char *at = output; at < output + len; at += strlen(at) + 1) {
		char *value = strchr(at, '=');

		if (!value || !is_read(at))
			continue;
		*value++ = '\0';
		each(arg, at, value);
		at = value;
	}
	return true;
}

static const char *append(struct arena *arena, const char *list,
                          const char *name)
{
	return arena_printf(arena, "%s%s%s", list, list[0] ? ", " : "", name);
}

static void take_variable(void *arg, const char *name, const char *value)
{
	struct reader *reader = arg;
	struct check_facts *facts = reader->facts;

	if (strcmp(name, migrate_url) == 0) {
		facts->has_migrate_url = value[0] != '\0';
		return;
	}
	if (setting_present_name(name))
		facts->old_names =
			append(reader->arena, facts->old_names, name);
	else if (begins_with(name, "GANGD_") && !setting_is_variable(name))
		facts->unknown_variables =
			append(reader->arena, facts->unknown_variables, name);
	(void)setenv(name, value, 1);
}

bool daemon_env_take(const char *path, struct arena *arena,
                     struct check_facts *facts)
{
	struct reader reader = { .arena = arena, .facts = facts };
	char *name;

	while ((name = find_variable(arena)))
		(void)unsetenv(name);
	facts->env_file = path;
	return read_file(path, &facts->env_file_mode, arena, take_variable,
	                 &reader);
}

static void take_url(void *arg, const char *name, const char *value)
{
	struct push_reader *reader = arg;

	if (strcmp(name, "GANGD_DATABASE_URL") == 0)
		reader->url =
			arena_strndup(reader->arena, value, strlen(value));
}

bool daemon_env_read_push(const char *path, struct arena *arena,
                          struct check_facts *facts, const char **url)
{
	struct push_reader reader = { .arena = arena, .url = *url };

	facts->push_env_file = path;
	if (!read_file(path, &facts->push_env_file_mode, arena, take_url,
	               &reader))
		return false;
	*url = reader.url;
	return true;
}
