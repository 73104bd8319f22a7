/*
 * Only one line of a file is in memory at a time.
 */
#include "base/secret_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sodium.h>

enum { LINE_SIZE = 256 };

static const char blanks[] = " \t\r\n";

/* The line without the blanks around it. */
static char *trim(char *line)
{
	size_t len = strlen(line);

	while (len > 0 && strchr(blanks, line[len - 1]))
		line[--len] = '\0';
	return line + strspn(line, blanks);
}

static bool read_lines(FILE *file, const char *path, secret_line_fn *take,
                       void *arg, char *reason)
{
	char line[LINE_SIZE];
	unsigned number = 0;

	while (fgets(line, sizeof(line), file)) {
		char *text = trim(line);
		const char *expected = NULL;

		number++;
		if (text[0] && text[0] != '#')
			expected = take(arg, text);
		sodium_memzero(line, sizeof(line));
		if (!expected)
			continue;
		(void)snprintf(reason, SECRET_FILE_REASON_SIZE,
		               "%s: line %u is wrong; expected: a line that %s",
		               path, number, expected);
		return false;
	}
	if (!ferror(file))
		return true;
	(void)snprintf(reason, SECRET_FILE_REASON_SIZE,
	               "cannot read the file \"%s\"", path);
	return false;
}

bool secret_file_read(const char *path, secret_line_fn *take, void *arg,
                      char reason[SECRET_FILE_REASON_SIZE])
{
	struct stat status;
	FILE *file = fopen(path, "re");
	bool good = false;

	if (!file || fstat(fileno(file), &status) != 0)
		(void)snprintf(reason, SECRET_FILE_REASON_SIZE,
		               "cannot read the file \"%s\": %s", path,
		               strerror(errno));
	else if (status.st_mode & S_IRWXO)
		(void)snprintf(reason, SECRET_FILE_REASON_SIZE,
		               "every user can read the file \"%s\"; chmod "
		               "0600 it",
		               path);
	else
		good = read_lines(file, path, take, arg, reason);
	if (file)
		(void)fclose(file);
	return good;
}
