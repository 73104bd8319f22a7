/*
 * client.h - requests go out and answers come in, several at once if need be.
 *
 * Each exchange that ends is written as one line of JSON to a file, for the
 * test that holds answers against the OpenAPI document.
 */
#pragma once

#include "story.h"

struct client;

/*
 * base is "http://127.0.0.1:8080", elsewhere another daemon or NULL; log may be
 * NULL.  All are borrowed.
 */
struct client *client_open(const char *base, const char *elsewhere, FILE *log);
void client_close(struct client *client);

/* Begin to send. */
void client_send(struct story *story, struct exchange *exchange);

/* True when the answer is there; false when it is not so within ms. */
bool client_wait(struct story *story, struct exchange *exchange, long ms);

/* True when there is more of the answer, or all of it. */
bool client_hear(struct story *story, struct exchange *exchange, long ms);

/* The status of an answer that has begun. */
unsigned client_status(const struct exchange *exchange);

/* Write an exchange to the file, with these bytes as its answer. */
void client_log(const struct story *story, const struct exchange *exchange,
                const char *bytes, size_t len);

/*
 * Send bytes as they are over a connection of their own and read one answer.
 * Status 0 if the connection was closed without one.
 */
void client_raw(struct story *story, struct exchange *exchange,
                const char *bytes, size_t len);

/* Give up what is under way, and free what the exchange holds. */
void client_forget(struct story *story, struct exchange *exchange);
