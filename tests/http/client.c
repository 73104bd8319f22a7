/*
 * client.c - sends requests by libcurl, or byte by byte, and collects answers.
 *
 * All requests of a story share one multi handle, so several can be under way.
 * An exchange is done once its answer is whole, or can no longer come (status
 * 0); then it is written to the file of exchanges.  Fields that libcurl would
 * add by itself are removed, unless the story set them.
 */
#include "client.h"

#include <assert.h>
#include <ctype.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

struct client {
	const char *base;
	const char *elsewhere;
	FILE *log;
	CURLM *multi;
};

struct client *client_open(const char *base, const char *elsewhere, FILE *log)
{
	struct client *client = calloc(1, sizeof(*client));

	assert(client);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	client->base = base;
	client->elsewhere = elsewhere;
	client->log = log;
	client->multi = curl_multi_init();
	assert(client->multi);
	return client;
}

void client_close(struct client *client)
{
	curl_multi_cleanup(client->multi);
	curl_global_cleanup();
	free(client);
}

/* The address of the daemon that the story asks now. */
static const char *base_of(const struct story *story)
{
	if (!story->elsewhere)
		return story->client->base;
	assert(story->client->elsewhere);
	return story->client->elsewhere;
}

/* --- the file of exchanges ------------------------------------------------ */

static struct json_object *fields_json(const struct field *fields)
{
	struct json_object *json = json_object_new_object();

	for (; fields; fields = fields->next)
		json_object_object_add(json, fields->name,
		                       json_object_new_string(fields->value));
	return json;
}

/* The file is UTF-8, and what a story sends need not be. */
static struct json_object *body_json(const char *body, size_t len)
{
	char *copy;
	struct json_object *json;

	if (!body)
		return NULL;
	copy = malloc(len + 1);
	assert(copy);
	for (size_t i = 0; i < len; i++)
		copy[i] = (unsigned char)body[i] < 0x80 ? body[i] : '?';
	json = json_object_new_string_len(copy, (int)len);
	free(copy);
	return json;
}

/* Answers of the "elsewhere" daemon are not all in the document: skip them. */
void client_log(const struct story *story, const struct exchange *exchange,
                const char *bytes, size_t len)
{
	FILE *log = story->client->log;
	struct json_object *json;

	if (!log || !exchange->status || exchange->by_library ||
	    story->elsewhere)
		return;
	json = json_object_new_object();
	json_object_object_add(json, "story",
	                       json_object_new_string(story->name));
	json_object_object_add(json, "line", json_object_new_int(story->line));
	json_object_object_add(json, "method",
	                       json_object_new_string(exchange->method));
	json_object_object_add(json, "target",
	                       json_object_new_string(exchange->target));
	json_object_object_add(json, "request_headers",
	                       fields_json(exchange->sent));
	json_object_object_add(json, "request_body",
	                       body_json(exchange->body, exchange->body_len));
	json_object_object_add(json, "status",
	                       json_object_new_int((int)exchange->status));
	json_object_object_add(json, "headers", fields_json(exchange->fields));
	json_object_object_add(json, "body",
	                       json_object_new_string_len(bytes, (int)len));
	fprintf(log, "%s\n",
	        json_object_to_json_string_ext(
			json, JSON_C_TO_STRING_PLAIN |
				      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(json);
}

/* --- answers -------------------------------------------------------------- */

static void keep_bytes(struct exchange *exchange, const char *bytes, size_t len)
{
	char *more = realloc(exchange->answer, exchange->answer_len + len + 1);

	assert(more);
	memcpy(more + exchange->answer_len, bytes, len);
	exchange->answer = more;
	exchange->answer_len += len;
	more[exchange->answer_len] = '\0';
}

/* "Name: value", without its line end. */
static void keep_field(struct story *story, struct exchange *exchange,
                       const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	struct field *field;
	char *name;

	if (!colon)
		return;
	name = arena_strndup(&story->arena, line, (size_t)(colon - line));
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	const char *end = line + len;
	for (colon++; colon < end && *colon == ' '; colon++)
		;
	const char *value =
		arena_strndup(&story->arena, colon, (size_t)(end - colon));

	for (field = exchange->fields; field; field = field->next) {
		if (strcmp(field->name, name) != 0)
			continue;
		field->value = arena_printf(&story->arena, "%s, %s",
		                            field->value, value);
		return;
	}
	field = arena_zalloc(&story->arena, sizeof(*field));
	*field = (struct field){ name, value, exchange->fields };
	exchange->fields = field;
}

static void end_exchange(struct story *story, struct exchange *exchange)
{
	const char *type = field_find(exchange->fields, "content-type");

	exchange->done = true;
	if (!exchange->answer)
		keep_bytes(exchange, "", 0);
	if (type && strstr(type, "json") && exchange->answer_len)
		exchange->json = json_tokener_parse(exchange->answer);
	client_log(story, exchange, exchange->answer, exchange->answer_len);
}

/* --- by libcurl ----------------------------------------------------------- */

/* The argument of the callbacks. */
struct receiver {
	struct story *story;
	struct exchange *exchange;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
	struct receiver *receiver = arg;

	keep_bytes(receiver->exchange, bytes, size * count);
	return size * count;
}

static size_t on_field(char *line, size_t size, size_t count, void *arg)
{
	struct receiver *receiver = arg;
	size_t len = size * count;

	while (len && (line[len - 1] == '\r' || line[len - 1] == '\n'))
		len--;
	if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
		receiver->exchange->fields = NULL;
	else
		keep_field(receiver->story, receiver->exchange, line, len);
	return size * count;
}

static void add_curl_field(struct exchange *exchange, const char *line)
{
	struct curl_slist *list =
		curl_slist_append(exchange->curl_fields, line);

	assert(list);
	exchange->curl_fields = list;
}

/* Send the story's fields, and remove those that libcurl adds by itself. */
static void set_fields(struct story *story, struct exchange *exchange)
{
	static const char *const unwanted[] = { "content-type", "accept",
		                                "expect" };

	for (const struct field *f = exchange->sent; f; f = f->next)
		add_curl_field(exchange,
		               arena_printf(&story->arena,
		                            *f->value ? "%s: %s" : "%s;%s",
		                            f->name, f->value));
	for (size_t i = 0; i < ARRAY_LEN(unwanted); i++) {
		if (!field_find(exchange->sent, unwanted[i]))
			add_curl_field(exchange,
			               arena_printf(&story->arena,
			                            "%s:", unwanted[i]));
	}
	curl_easy_setopt(exchange->curl, CURLOPT_HTTPHEADER,
	                 exchange->curl_fields);
}

void client_send(struct story *story, struct exchange *exchange)
{
	struct receiver *receiver =
		arena_zalloc(&story->arena, sizeof(*receiver));
	CURL *curl = curl_easy_init();

	assert(curl);
	*receiver = (struct receiver){ story, exchange };
	exchange->curl = curl;
	curl_easy_setopt(curl, CURLOPT_URL, base_of(story));
	curl_easy_setopt(curl, CURLOPT_REQUEST_TARGET, exchange->target);
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
	curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, receiver);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_field);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, receiver);
	if (exchange->body || strcmp(exchange->method, "POST") == 0) {
		curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE,
		                 (long)exchange->body_len);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS,
		                 exchange->body ? exchange->body : "");
	}
	if (strcmp(exchange->method, "HEAD") == 0)
		curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, exchange->method);
	set_fields(story, exchange);
	curl_multi_add_handle(story->client->multi, curl);
}

static void drop_curl(struct story *story, struct exchange *exchange)
{
	if (!exchange->curl)
		return;
	curl_multi_remove_handle(story->client->multi, exchange->curl);
	curl_easy_cleanup(exchange->curl);
	curl_slist_free_all(exchange->curl_fields);
	exchange->curl = NULL;
	exchange->curl_fields = NULL;
}

/* Note which requests have been answered, or never will be. */
static void reap(struct story *story)
{
	CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(story->client->multi, &left))) {
		struct exchange *exchange = story->exchanges;
		long status = 0;

		if (msg->msg != CURLMSG_DONE)
			continue;
		while (exchange && exchange->curl != msg->easy_handle)
			exchange = exchange->next;
		assert(exchange);
		if (msg->data.result == CURLE_OK)
			curl_easy_getinfo(exchange->curl,
			                  CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(exchange->curl, CURLINFO_TOTAL_TIME,
		                  &exchange->seconds);
		exchange->status = (unsigned)status;
		drop_curl(story, exchange);
		end_exchange(story, exchange);
	}
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until it is done, or longer than that. */
static bool wait_longer(struct story *story, struct exchange *exchange,
                        size_t len, long ms)
{
	long end = now_ms() + ms;
	int running;

	for (;;) {
		curl_multi_perform(story->client->multi, &running);
		reap(story);
		long left = end - now_ms();
		bool there = exchange->done || exchange->answer_len > len;
		if (there || left <= 0)
			return there;
		curl_multi_poll(story->client->multi, NULL, 0, (int)left, NULL);
	}
}

bool client_wait(struct story *story, struct exchange *exchange, long ms)
{
	return wait_longer(story, exchange, SIZE_MAX, ms);
}

bool client_hear(struct story *story, struct exchange *exchange, long ms)
{
	return wait_longer(story, exchange, exchange->answer_len, ms);
}

unsigned client_status(const struct exchange *exchange)
{
	long status = exchange->status;

	if (exchange->curl)
		curl_easy_getinfo(exchange->curl, CURLINFO_RESPONSE_CODE,
		                  &status);
	return (unsigned)status;
}

void client_forget(struct story *story, struct exchange *exchange)
{
	drop_curl(story, exchange);
	json_object_put(exchange->json);
	free(exchange->answer);
	exchange->json = NULL;
	exchange->answer = NULL;
}

/* --- byte by byte --------------------------------------------------------- */

static int connect_to(const char *base)
{
	const char *host = strstr(base, "//") + 2;
	const char *colon = strrchr(host, ':');
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%.*s", (int)(colon - host), host);
	if (getaddrinfo(name, colon + 1, &hints, &found))
		return -1;
	fd = socket(found->ai_family, SOCK_STREAM, 0);
	if (connect(fd, found->ai_addr, found->ai_addrlen)) {
		close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}

/* The whole length of the answer by its head; 0 while that is incomplete. */
static size_t answer_size(const char *answer)
{
	const char *head_end = strstr(answer, "\r\n\r\n");
	size_t size;

	if (!head_end)
		return 0;
	size = (size_t)(head_end - answer) + 4;
	for (const char *line = answer; line < head_end; line++) {
		if (strncasecmp(line, "\ncontent-length:", 16) == 0)
			size += strtoul(line + 16, NULL, 10);
	}
	return size;
}

/* Only the first answer counts, should there be another behind it. */
static void split_answer(struct story *story, struct exchange *exchange,
                         size_t size)
{
	char *whole = exchange->answer;
	char *head_end = strstr(whole, "\r\n\r\n");

	exchange->answer = NULL;
	size_t len = size && size < exchange->answer_len ? size
	                                                 : exchange->answer_len;
	exchange->answer_len = 0;
	if (!head_end) {
		free(whole);
		return;
	}
	exchange->status = (unsigned)strtoul(whole + 9, NULL, 10);
	for (char *line = strstr(whole, "\r\n") + 2; line < head_end + 2;) {
		char *end = strstr(line, "\r\n");
		keep_field(story, exchange, line, (size_t)(end - line));
		line = end + 2;
	}
	keep_bytes(exchange, head_end + 4,
	           len - (size_t)(head_end + 4 - whole));
	free(whole);
}

void client_raw(struct story *story, struct exchange *exchange,
                const char *bytes, size_t len)
{
	int fd = connect_to(base_of(story));
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char piece[4096];
	size_t size = 0;

	if (fd < 0)
		story_fail(story, NULL, "cannot connect");
	keep_bytes(exchange, "", 0);
	/* A server may answer a request that it does not read to its end. */
	while (len) {
		ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
		if (sent <= 0)
			break;
		bytes += sent;
		len -= (size_t)sent;
	}
	while (!size || exchange->answer_len < size) {
		if (poll(&wait, 1, STORY_WAIT_MS) <= 0)
			break;
		ssize_t got = recv(fd, piece, sizeof(piece), 0);
		if (got <= 0)
			break;
		keep_bytes(exchange, piece, (size_t)got);
		size = answer_size(exchange->answer);
	}
	close(fd);
	split_answer(story, exchange, size);
	end_exchange(story, exchange);
}
