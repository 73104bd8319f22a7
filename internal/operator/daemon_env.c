/*
 * daemon_env.c - takes over the environment file of a daemon.
 *
 * A variable of the operator's shell would hide that the daemon lacks it, so
 * those that the daemon or libpq read go first.
 */
#include "operator/daemon_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/env_file.h"
#include "base/setting.h"

extern char **environ;

/* These are the operator's: the daemon must not have the first one, and systemd
 * hands it the file of the second one by another path. */
static const char migrate_url[] = "GANGD_MIGRATE_URL";
static const char key_file[] = "GANGD_KEY_FILE";

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

/* The name of the first variable that has to go; NULL: none is left. */
static char *find_variable(struct arena *arena)
{
	for (char **at = environ; at && *at; at++) {
		size_t len = strcspn(*at, "=");

		if ((begins_with(*at, "GANGD_") || begins_with(*at, "PG")) &&
		    !is_variable(*at, len, migrate_url) &&
		    !is_variable(*at, len, key_file))
			return arena_strndup(arena, *at, len);
	}
	return NULL;
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
	struct stat file;
	char *name;

	while ((name = find_variable(arena)))
		(void)unsetenv(name);
	if (!env_file_read(path, take_variable, &reader))
		return false;
	facts->env_file = path;
	if (stat(path, &file) == 0)
		facts->env_file_mode = file.st_mode & 07777;
	return true;
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
	struct stat file;

	if (!env_file_read(path, take_url, &reader))
		return false;
	facts->push_env_file = path;
	if (stat(path, &file) == 0)
		facts->push_env_file_mode = file.st_mode & 07777;
	*url = reader.url;
	return true;
}
