/*
 * Both files are read line by line, by base/secret_file.h.
 */
#include "sender/push_files.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/network.h"
#include "base/secret_file.h"

/* A secret_line_fn. */
static const char *add_key(void *arg, char *line)
{
	struct push_files *files = arg;

	if (files->vapid)
		return "is the only one";
	line[strcspn(line, " \t")] = '\0';
	files->vapid = vapid_open(line);
	return files->vapid ? NULL : "has 32 bytes in base64url";
}

/* A secret_line_fn. */
static const char *add_secret(void *arg, char *line)
{
	struct push_files *files = arg;

	line[strcspn(line, " \t")] = '\0';
	return webhook_add_secret(&files->secrets, line)
	               ? NULL
	               : "is one of four at most, with whsec_ and base64 of 24 "
	                 "to 64 bytes";
}

static bool read_file(const char *path, secret_line_fn *add,
                      struct push_files *files)
{
	char reason[SECRET_FILE_REASON_SIZE];
	bool good = secret_file_read(path, add, files, reason);

	if (!good)
		(void)fprintf(stderr, "%s\n", reason);
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
		              "gangd-push has nowhere to send; expected: "
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
