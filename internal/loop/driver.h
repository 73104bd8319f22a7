/*
 * driver.h - from an HTTP request to the plan that answers it.
 *
 * These are the callbacks of struct http_config; arg is the loop's struct
 * context.
 */
#pragma once

#include "http/http.h"

/* The request is complete: begin its plan. */
void driver_on_request(struct http_request *req, void *arg);

/* The request is refused as HTTP: count it against its address. */
MUST_CHECK enum err driver_on_refused(struct http_request *req, void *arg);

/* The request's connection is above the cap of its address: refuse it. */
MUST_CHECK enum err driver_on_beyond(struct http_request *req, void *arg);

/* The client of a request that waits has closed the connection. */
void driver_on_gone(struct http_request *req, void *arg);

bool driver_on_connect(const uint8_t *address, void *arg);
void driver_on_disconnect(const uint8_t *address, void *arg);
