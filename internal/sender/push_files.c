/*
 * A file has one key or secret in each line; "#" begins a comment.
 */
#include "sender/push_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <sodium.h>

#include "base/network.h"

enum { LINE_SIZE = 256 };

/* Takes a line of a file; the form that it should have and has not, or NULL. */
typedef const char *line_fn(struct push_files *files, const char *line);

static const char *add_key(struct push_files *files, const char *line)
{
	if (!files->vapid)
		files->vapid = vapid_open(line);
	else
		return "is the only one";
	return files->vapid ? NULL : "has 32 bytes in base64url";
}

static const char *add_secret(struct push_files *files, const char *line)
{
	return webhook_add_secret(&files->secrets, line)
	               ? NULL
	               : "is one of four at most, with whsec_ and base64 of 24 "
	                 "to 64 bytes";
}

static bool read_lines(FILE *file, const char *path, line_fn *add,
                       struct push_files *files)
{
	char line[LINE_SIZE];
	unsigned number = 0;

	while (fgets(line, sizeof(line), file)) {
		char *text = line + strspn(line, " \t");
		const char *expected = NULL;

		number++;
		text[strcspn(text, " \t\r\n")] = '\0';
		if (text[0] && text[0] != '#')
			expected = add(files, text);
		sodium_memzero(line, sizeof(line));
		if (!expected)
			continue;
		(void)fprintf(stderr,
		              "%s: line %u is wrong; expected: a line that "
		              "%s\n",
		              path, number, expected);
		return false;
	}
	return true;
}

static bool read_file(const char *path, line_fn *add, struct push_files *files)
{
	struct stat status;
	FILE *file = fopen(path, "re");
	bool good = false;

	if (!file || fstat(fileno(file), &status) != 0)
		(void)fprintf(stderr, "cannot read the file \"%s\": %s\n", path,
		              strerror(errno));
	else if (status.st_mode & S_IRWXO)
		(void)fprintf(
			stderr,
			"every user can read the file \"%s\"; chmod 0600 it\n",
			path);
	else
		good = read_lines(file, path, add, files);
	if (file)
		(void)fclose(file);
	return good;
}

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool read_vapid(const struct settings *settings,
                       struct push_files *files)
{
	const char *contact = settings->push_contact;

	if (!read_file(settings->vapid_file, add_key, files))
		return false;
	if (!files->vapid) {
		(void)fprintf(stderr,
		              "%s has no key; gangctl vapid prints one\n",
		              settings->vapid_file);
		return false;
	}
	if (strlen(contact) > VAPID_CONTACT_MAX ||
	    !(has_prefix(contact, "mailto:") ||
	      has_prefix(contact, "https://"))) {
		setting_refuse("GANGD_PUSH_CONTACT", contact);
		return false;
	}
	if (settings->vapid_public_key[0] &&
	    strcmp(settings->vapid_public_key,
	           vapid_public_key(files->vapid)) != 0) {
		(void)fprintf(stderr,
		              "GANGD_VAPID_PUBLIC_KEY does not belong to the "
		              "key in %s; expected: %s\n",
		              settings->vapid_file,
		              vapid_public_key(files->vapid));
		return false;
	}
	return true;
}

static bool read_webhook(const struct settings *settings,
                         struct push_files *files)
{
	if (!has_prefix(settings->webhook_url, "https://") &&
	    !has_prefix(settings->webhook_url, "http://")) {
		setting_refuse("GANGD_WEBHOOK_URL", NULL);
		return false;
	}
	if (!settings->webhook_secrets[0]) {
		setting_refuse("GANGD_WEBHOOK_SECRETS_FILE", "");
		return false;
	}
	if (!read_file(settings->webhook_secrets, add_secret, files))
		return false;
	if (files->secrets.count == 0)
		(void)fprintf(stderr,
		              "%s has no secret; expected: a line with whsec_ "
		              "and base64, as of: openssl rand -base64 32\n",
		              settings->webhook_secrets);
	return files->secrets.count > 0;
}

bool push_files_read(const struct settings *settings, struct push_files *files)
{
	*files = (struct push_files){ .vapid = NULL };
	if (!settings->vapid_file[0] && !settings->webhook_url[0]) {
		(void)fprintf(stderr,
		              "gangd-push has nobody to tell; expected: "
		              "GANGD_VAPID_FILE, GANGD_WEBHOOK_URL, or both\n");
		return false;
	}
	if (!network_list_is_valid(settings->push_private)) {
		setting_refuse("GANGD_PUSH_PRIVATE", settings->push_private);
		return false;
	}
	if ((!settings->vapid_file[0] || read_vapid(settings, files)) &&
	    (!settings->webhook_url[0] || read_webhook(settings, files)))
		return true;
	push_files_close(files);
	return false;
}

void push_files_close(struct push_files *files)
{
	vapid_close(files->vapid);
	sodium_memzero(files, sizeof(*files));
}
