/*
 * endpoint.h - a browser's push subscription: the URL of a push service, and
 * the keys that encrypt messages for the browser.
 *
 * A URL comes from a client, so the service connects to hosts of a list only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum {
	ENDPOINT_URL_MAX = 1024,     /* bytes */
	ENDPOINT_KEY_SIZE = 65,      /* a point of P-256, uncompressed */
	ENDPOINT_AUTH_SIZE = 16,     /* bytes of the shared secret */
	ENDPOINT_HASH_SIZE = 32,     /* SHA-256 */
	ENDPOINT_ID_SIZE = 44,       /* of a hash as text, with its zero byte */
	ENDPOINT_STORED_SIZE = 1400, /* of the stored form, likewise */
	ENDPOINT_HOST_SIZE = 254 + 6, /* host:port, likewise */
};

struct endpoint {
	char url[ENDPOINT_URL_MAX + 1];
	uint8_t key[ENDPOINT_KEY_SIZE];
	uint8_t auth[ENDPOINT_AUTH_SIZE];
};

/* Why a part of a subscription is refused; NULLs if it is accepted. */
struct endpoint_fault {
	const char *code;   /* of http/body.h; static */
	const char *detail; /* a sentence; static */
};

/*
 * Read the three texts of a PushSubscription; only a URL of an allowed host is
 * read (endpoint_is_allowed).  A key is in base64url, padded or not.
 */
struct endpoint_fault endpoint_read_url(const char *url, const char *hosts,
                                        struct endpoint *endpoint);
struct endpoint_fault endpoint_read_key(const char *text,
                                        struct endpoint *endpoint);
struct endpoint_fault endpoint_read_auth(const char *text,
                                         struct endpoint *endpoint);

/*
 * True if the known push services or the list have the host of the URL, which
 * is https.  The list is hosts such as push.example, push.example:8443 or
 * *.push.example (any name that ends so), separated by commas.  Without a port
 * it is 443.
 */
bool endpoint_is_allowed(const char *url, const char *hosts);

/*
 * The same, and write the entry that has the host.  All hosts of an entry are
 * one push service: players choose among the names of *.push.example.
 */
bool endpoint_service(const char *url, const char *hosts,
                      char service[ENDPOINT_HOST_SIZE]);

/* Write the host of a URL, with its port if that is not 443; or "". */
void endpoint_host(const char *url, char host[ENDPOINT_HOST_SIZE]);

/*
 * The hash that identifies a subscription, also of the stored form, and its
 * text for clients.
 */
void endpoint_hash(const char *url, uint8_t hash[ENDPOINT_HASH_SIZE]);
void endpoint_hash_stored(const char *text, uint8_t hash[ENDPOINT_HASH_SIZE]);
void endpoint_id(const uint8_t hash[ENDPOINT_HASH_SIZE],
                 char id[ENDPOINT_ID_SIZE]);
MUST_CHECK bool endpoint_parse_id(const char *id,
                                  uint8_t hash[ENDPOINT_HASH_SIZE]);

/* Print and read the stored form, one line; false if it is damaged. */
void endpoint_print(const struct endpoint *endpoint,
                    char text[ENDPOINT_STORED_SIZE]);
MUST_CHECK bool endpoint_parse(const char *text, struct endpoint *endpoint);
