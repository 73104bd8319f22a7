/*
 * A URL is taken apart by hand, and only one of a narrow form is accepted:
 * "https://", a host in lower or upper case, perhaps a port, and a path of
 * printable ASCII without "#", "@" before the path or "\".  So no other reader
 * of URLs, such as libcurl, can find another host in it.
 *
 * The stored form is the URL, the key and the secret, with blanks between.
 */
#include "push/endpoint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

static const char scheme[] = "https://";

/* The push services of the browsers, and of the public UnifiedPush servers. */
static const char known[] = "fcm.googleapis.com,"
			    "*.push.services.mozilla.com,"
			    "*.notify.windows.com,"
			    "*.push.apple.com,"
			    "ntfy.sh";

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

_Static_assert(ENDPOINT_STORED_SIZE > ENDPOINT_URL_MAX + 88 + 24 + 2,
               "the stored form fits");

static const struct endpoint_fault none = { NULL, NULL };

/* --- URLs ----------------------------------------------------------------- */

/* A name or address, and perhaps a colon and a port. */
static bool is_authority(const char *text, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789.-";
	size_t name = strspn(text, allowed);

	if (len == 0 || len >= ENDPOINT_HOST_SIZE || name == 0 ||
	    text[0] == '.')
		return false;
	if (name == len)
		return true;
	return text[name] == ':' && len - name > 1 && len - name <= 6 &&
	       strspn(text + name + 1, "0123456789") == len - name - 1;
}

/* The host and port of a URL of the accepted form; else NULL. */
static const char *find_authority(const char *url, size_t *len)
{
	const char *start = url + strlen(scheme);

	if (strncmp(url, scheme, strlen(scheme)) != 0)
		return NULL;
	*len = strcspn(start, "/");
	if (start[*len] != '/' || !is_authority(start, *len))
		return NULL;
	for (const char *at = start + *len; *at; at++) {
		if (*at <= ' ' || *at > '~' || strchr("#\\\"<>^`{|}", *at))
			return NULL;
	}
	return start;
}

void endpoint_host(const char *url, char host[ENDPOINT_HOST_SIZE])
{
	static const char usual[] = ":443";
	size_t len = 0;
	const char *start = find_authority(url, &len);
	size_t extra = strlen(usual);

	host[0] = '\0';
	if (!start)
		return;
	if (len > extra && strncmp(start + len - extra, usual, extra) == 0)
		len -= extra;
	memcpy(host, start, len);
	host[len] = '\0';
}

/* An entry of a list; "*." matches one label or more. */
static bool matches(const char *entry, size_t len, const char *host)
{
	size_t host_len = strlen(host);

	if (len > 1 && entry[0] == '*' && entry[1] == '.') {
		entry++;
		len--;
		if (host_len <= len)
			return false;
		host += host_len - len;
		host_len = len;
	}
	return len > 0 && len == host_len && strncasecmp(entry, host, len) == 0;
}

/* The entry of a list that has the host; else NULL. */
static const char *find_entry(const char *list, const char *host, size_t *len)
{
	while (*list) {
		list += strspn(list, ", ");
		*len = strcspn(list, ", ");
		if (matches(list, *len, host))
			return list;
		list += *len;
	}
	return NULL;
}

bool endpoint_service(const char *url, const char *hosts,
                      char service[ENDPOINT_HOST_SIZE])
{
	char host[ENDPOINT_HOST_SIZE];
	size_t len = 0;

	endpoint_host(url, host);
	if (!host[0])
		return false;
	const char *entry = find_entry(known, host, &len);
	if (!entry)
		entry = find_entry(hosts, host, &len);
	if (!entry)
		return false;
	(void)snprintf(service, ENDPOINT_HOST_SIZE, "%.*s", (int)len, entry);
	return true;
}

bool endpoint_is_allowed(const char *url, const char *hosts)
{
	char service[ENDPOINT_HOST_SIZE];

	return endpoint_service(url, hosts, service);
}

struct endpoint_fault endpoint_read_url(const char *url, const char *hosts,
                                        struct endpoint *endpoint)
{
	size_t len = strlen(url);
	size_t host_len;

	if (len > ENDPOINT_URL_MAX)
		return (struct endpoint_fault){
			"too_long", "An endpoint has at most 1024 characters."
		};
	if (!find_authority(url, &host_len))
		return (struct endpoint_fault){
			"not_allowed",
			"This must be an https URL of printable ASCII, with a "
			"path, and without user, password or fragment."
		};
	if (!endpoint_is_allowed(url, hosts))
		return (struct endpoint_fault){
			"not_allowed",
			"This service does not send to that host. It sends to "
			"the push services of the browsers, and to the hosts "
			"that its operator has added."
		};
	memcpy(endpoint->url, url, len + 1);
	return none;
}

/* --- keys ----------------------------------------------------------------- */

static bool decode(const char *text, uint8_t *bytes, size_t size)
{
	size_t padded = strlen(text);
	size_t len = 0;

	while (padded > 0 && text[padded - 1] == '=')
		padded--;
	return sodium_base642bin(bytes, size, text, padded, NULL, &len, NULL,
	                         VARIANT) == 0 &&
	       len == size;
}

struct endpoint_fault endpoint_read_key(const char *text,
                                        struct endpoint *endpoint)
{
	uint8_t key[ENDPOINT_KEY_SIZE];

	if (!decode(text, key, sizeof(key)) || key[0] != 4)
		return (struct endpoint_fault){
			"not_allowed", "This must be an uncompressed point of "
				       "P-256, 65 bytes in base64url."
		};
	memcpy(endpoint->key, key, sizeof(key));
	return none;
}

struct endpoint_fault endpoint_read_auth(const char *text,
                                         struct endpoint *endpoint)
{
	uint8_t auth[ENDPOINT_AUTH_SIZE];

	if (!decode(text, auth, sizeof(auth)))
		return (struct endpoint_fault){
			"not_allowed", "This must be 16 bytes in base64url."
		};
	memcpy(endpoint->auth, auth, sizeof(auth));
	return none;
}

/* --- as hash and as text -------------------------------------------------- */

void endpoint_hash(const char *url, uint8_t hash[ENDPOINT_HASH_SIZE])
{
	(void)crypto_hash_sha256(hash, (const uint8_t *)url, strlen(url));
}

void endpoint_hash_stored(const char *text, uint8_t hash[ENDPOINT_HASH_SIZE])
{
	(void)crypto_hash_sha256(hash, (const uint8_t *)text,
	                         strcspn(text, " "));
}

void endpoint_id(const uint8_t hash[ENDPOINT_HASH_SIZE],
                 char id[ENDPOINT_ID_SIZE])
{
	(void)sodium_bin2base64(id, ENDPOINT_ID_SIZE, hash, ENDPOINT_HASH_SIZE,
	                        VARIANT);
}

bool endpoint_parse_id(const char *id, uint8_t hash[ENDPOINT_HASH_SIZE])
{
	uint8_t bytes[ENDPOINT_HASH_SIZE];

	if (strlen(id) != ENDPOINT_ID_SIZE - 1 ||
	    !decode(id, bytes, sizeof(bytes)))
		return false;
	memcpy(hash, bytes, sizeof(bytes));
	return true;
}

void endpoint_print(const struct endpoint *endpoint,
                    char text[ENDPOINT_STORED_SIZE])
{
	char key[96];
	char auth[32];

	(void)sodium_bin2base64(key, sizeof(key), endpoint->key,
	                        sizeof(endpoint->key), VARIANT);
	(void)sodium_bin2base64(auth, sizeof(auth), endpoint->auth,
	                        sizeof(endpoint->auth), VARIANT);
	(void)snprintf(text, ENDPOINT_STORED_SIZE, "%s %s %s", endpoint->url,
	               key, auth);
}

bool endpoint_parse(const char *text, struct endpoint *endpoint)
{
	struct endpoint read = { .url = "" };
	char copy[ENDPOINT_STORED_SIZE];
	size_t len = strlen(text);

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, text, len + 1);
	char *key = strchr(copy, ' ');
	char *auth = key ? strchr(key + 1, ' ') : NULL;
	if (!auth || key - copy > ENDPOINT_URL_MAX)
		return false;
	*key++ = '\0';
	*auth++ = '\0';
	memcpy(read.url, copy, strlen(copy) + 1);
	if (endpoint_read_key(key, &read).code ||
	    endpoint_read_auth(auth, &read).code)
		return false;
	*endpoint = read;
	return true;
}
