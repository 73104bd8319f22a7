/*
 * delivery.c - the request of one notification.
 *
 * An endpoint comes from a player, so its request goes by https to an allowed
 * host, to no private address, through no proxy, and follows no redirect.  The
 * operator has chosen the URL of the webhook, so any address will do there.
 *
 * libcurl keeps connections, and an endpoint may name the webhook's host.  So
 * the address is checked twice: before a socket connects, and before a request
 * is sent on a connection, which may be a kept one.
 *
 * The status counts once the header is complete.  A bounded part of the body is
 * read, at most until the deadline; it does not change the outcome.
 */
#include "sender/delivery.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "push/push_code.h"
#include "push/reachable.h"
#include "service/rulesets.h"

enum {
	FIELD_MAX = 1200,
	TOKEN_S = 12 * 60 * 60, /* how long a VAPID token is valid */
};

/* --- libcurl's callbacks -------------------------------------------------- */

/* Less than was given ends the request. */
static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
	struct delivery *delivery = arg;

	(void)bytes;
	delivery->read += size * count;
	return delivery->read <= DELIVERY_READ_MAX ? size * count : 0;
}

static size_t on_head(char *bytes, size_t size, size_t count, void *arg)
{
	struct delivery *delivery = arg;
	size_t len = size * count;
	long status = 0;

	delivery->head_read += len;
	/* An empty line ends a header; another header follows one of 1xx. */
	if ((bytes[0] == '\r' || bytes[0] == '\n') &&
	    curl_easy_getinfo(delivery->curl, CURLINFO_RESPONSE_CODE,
	                      &status) == CURLE_OK &&
	    status >= 200)
		delivery->status = status;
	return delivery->head_read <= DELIVERY_HEAD_MAX ? len : 0;
}

/* A new connection, to an address to which the host's name was resolved. */
static curl_socket_t on_open(void *arg, curlsocktype purpose,
                             struct curl_sockaddr *address)
{
	const struct delivery *delivery = arg;

	if (purpose != CURLSOCKTYPE_IPCXN ||
	    (delivery->target == DELIVERY_PUSH &&
	     !reachable_is_allowed(&address->addr,
	                           delivery->config->private_list)))
		return CURL_SOCKET_BAD;
	return socket(address->family, address->socktype | SOCK_CLOEXEC,
	              address->protocol);
}

/* A connection, new or kept, before a request goes out by it. */
static int on_connected(void *arg, char *address, char *own_address, int port,
                        int own_port)
{
	const struct delivery *delivery = arg;

	(void)own_address;
	(void)port;
	(void)own_port;
	return delivery->target == DELIVERY_WEBHOOK ||
	                       reachable_is_allowed_text(
				       address, delivery->config->private_list)
	               ? CURL_PREREQFUNC_OK
	               : CURL_PREREQFUNC_ABORT;
}

/* --- opening -------------------------------------------------------------- */

static bool set_options(struct delivery *delivery)
{
	CURL *curl = delivery->curl;
	const char *ca_file = delivery->config->ca_file;
	bool good =
		curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)DELIVERY_MS) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
	                         (long)DELIVERY_CONNECT_MS) == CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_open) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, delivery) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, on_connected) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_PREREQDATA, delivery) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_WRITEDATA, delivery) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_head) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_HEADERDATA, delivery) ==
			CURLE_OK &&
		curl_easy_setopt(curl, CURLOPT_PRIVATE, delivery) == CURLE_OK;

	return good && (!ca_file[0] || curl_easy_setopt(curl, CURLOPT_CAINFO,
	                                                ca_file) == CURLE_OK);
}

bool delivery_open(struct delivery *delivery,
                   const struct sender_config *config)
{
	*delivery = (struct delivery){ .config = config };
	delivery->curl = curl_easy_init();
	return delivery->curl != NULL;
}

void delivery_close(struct delivery *delivery)
{
	curl_slist_free_all(delivery->fields);
	curl_easy_cleanup(delivery->curl);
}

/* --- requests ------------------------------------------------------------- */

static void add_field(struct delivery *delivery, const char *name,
                      const char *value)
{
	char field[FIELD_MAX];

	(void)snprintf(field, sizeof(field), "%s: %s", name, value);
	struct curl_slist *fields = curl_slist_append(delivery->fields, field);
	memory_expect(fields);
	delivery->fields = fields;
}

static bool post(struct delivery *delivery, const char *url,
                 const char *protocols, const void *body, size_t len)
{
	CURL *curl = delivery->curl;

	add_field(delivery, "Expect", "");
	add_field(delivery, "User-Agent", "gangd-push");
	return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols) ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_URL, url) == CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_HTTPHEADER, delivery->fields) ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)len) ==
	               CURLE_OK &&
	       curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body) == CURLE_OK;
}

static bool begin_webhook(struct delivery *delivery,
                          const struct message *message)
{
	const struct sender_config *config = delivery->config;
	char signature[WEBHOOK_SIGNATURE_SIZE];
	char id[MESSAGE_ID_SIZE];
	char time[24];
	int64_t now_s = clock_wall_us() / CLOCK_US_PER_S;
	size_t len = message_print_webhook(message, delivery->text);

	message_id(message, id);
	webhook_sign(config->secrets, id, now_s, delivery->text, len,
	             signature);
	(void)snprintf(time, sizeof(time), "%" PRId64, now_s);
	add_field(delivery, "Content-Type", "application/json");
	add_field(delivery, "webhook-id", id);
	add_field(delivery, "webhook-timestamp", time);
	add_field(delivery, "webhook-signature", signature);
	return post(delivery, config->webhook_url, "http,https", delivery->text,
	            len);
}

static bool begin_push(struct delivery *delivery, const struct message *message)
{
	const struct endpoint *endpoint = &delivery->endpoint;
	const struct sender_config *config = delivery->config;
	struct web_push_draw draw;
	char authorization[VAPID_HEADER_SIZE];
	char topic[MESSAGE_TOPIC_SIZE];
	char ttl[16];
	int64_t now_s = clock_wall_us() / CLOCK_US_PER_S;
	size_t len = message_print_push(message, delivery->text);

	if (!random_bytes(&draw, sizeof(draw)) ||
	    !web_push_encrypt(endpoint, &draw, delivery->text, len,
	                      delivery->body) ||
	    !vapid_authorize(config->vapid, delivery->host, config->contact,
	                     now_s + TOKEN_S, authorization))
		return false;
	message_topic(message, topic);
	(void)snprintf(ttl, sizeof(ttl), "%u", (unsigned)delivery->left_s);
	add_field(delivery, "Content-Type", "application/octet-stream");
	add_field(delivery, "Content-Encoding", "aes128gcm");
	add_field(delivery, "TTL", ttl);
	add_field(delivery, "Urgency",
	          push_code_waits(message->code) ? "high" : "normal");
	add_field(delivery, "Topic", topic);
	add_field(delivery, "Authorization", authorization);
	return post(delivery, endpoint->url, "https", delivery->body,
	            len + WEB_PUSH_EXTRA);
}

/* Leave what was opened, so that nothing of one use gets into the next. */
static void forget(struct delivery *delivery)
{
	curl_easy_reset(delivery->curl);
	curl_slist_free_all(delivery->fields);
	*delivery = (struct delivery){ .config = delivery->config,
		                       .curl = delivery->curl };
}

enum delivery_target delivery_target_of(const struct store_notification *taken)
{
	static const uint8_t webhook[STORE_HASH_SIZE];

	return memcmp(taken->key.target, webhook, sizeof(webhook)) == 0
	               ? DELIVERY_WEBHOOK
	               : DELIVERY_PUSH;
}

bool delivery_aim(struct delivery *delivery,
                  const struct store_notification *taken)
{
	forget(delivery);
	delivery->target = delivery_target_of(taken);
	delivery->service = taken->service;
	if (delivery->target == DELIVERY_WEBHOOK)
		return true;
	if (!endpoint_parse(taken->subscription, &delivery->endpoint))
		return false;
	endpoint_host(delivery->endpoint.url, delivery->host);
	return endpoint_is_allowed(delivery->endpoint.url,
	                           delivery->config->hosts);
}

bool delivery_begin(struct delivery *delivery,
                    const struct store_notification *taken)
{
	const struct ruleset *rules = rulesets_find(taken->ruleset);
	char target[ENDPOINT_ID_SIZE] = "";
	struct message message = {
		.game = taken->key.game,
		.version = taken->key.version,
		.seat = taken->key.seat,
		.code = taken->code,
		.code_text = rulesets_push_code(taken->code),
		.ruleset = rules ? rules->code : NULL,
		.mode = taken->mode,
		.name = taken->name,
		.host = taken->host,
		.target = target,
		.created_us = taken->created_us,
		.reference = taken->client_reference,
	};

	if (taken->code == PUSH_CODE_REMATCH)
		message.rematch = taken->rematch;
	delivery->key = taken->key;
	delivery->attempts = taken->attempts;
	delivery->left_s = taken->left_s;
	delivery->created_us = taken->created_us;
	if (delivery->target == DELIVERY_PUSH)
		endpoint_id(taken->key.target, target);
	delivery->is_busy = set_options(delivery) &&
	                    (delivery->target == DELIVERY_PUSH
	                             ? begin_push(delivery, &message)
	                             : begin_webhook(delivery, &message));
	return delivery->is_busy;
}

/* --- answers -------------------------------------------------------------- */

static enum delivery_end judge_push(long status)
{
	if (status == 404 || status == 410)
		return DELIVERY_GONE;
	return status == 400 || status == 413 ? DELIVERY_REFUSED
	                                      : DELIVERY_FAILED;
}

enum delivery_end delivery_end(struct delivery *delivery,
                               uint32_t *retry_after_s)
{
	curl_off_t asked_s = 0;
	long status = delivery->status;

	*retry_after_s = 0;
	delivery->is_busy = false;
	if (status >= 200 && status <= 299)
		return DELIVERY_DONE;
	if (status &&
	    curl_easy_getinfo(delivery->curl, CURLINFO_RETRY_AFTER, &asked_s) ==
	            CURLE_OK &&
	    asked_s > 0)
		*retry_after_s =
			asked_s < INT32_MAX ? (uint32_t)asked_s : INT32_MAX;
	return delivery->target == DELIVERY_PUSH ? judge_push(status)
	                                         : DELIVERY_FAILED;
}
