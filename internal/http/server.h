/*
 * server.h - the server, as the files see it that it is made of.
 *
 * Private to this folder.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "http/exchange.h"
#include "http/peer.h"
#include "http/request_log.h"

struct MHD_Daemon;
struct address_list;

struct http_server {
	struct MHD_Daemon *daemon;
	struct router *router;
	struct http_config config;
	struct address_list *proxies;
	struct peers peers;
	unsigned cap_slot;
	struct exchange *pool;
	size_t pool_count;
	size_t under_way; /* exchanges that are not in the pool */
	int fd;
	int gone_fd; /* an epoll set: clients that are watched */
	bool draining;
	bool has_warned; /* of a proxy that is not trusted */
	bool is_closing; /* connections that are open end with it */
	struct request_log log;
	/*
	 * libmicrohttpd may want to run again and again for a connection that
	 * it can do nothing for.
	 */
	bool alive; /* it has called us since it was run */
	unsigned vain_runs;
	/*
	 * With all its connections taken it does not watch the listening
	 * socket, and begins again only in the second run after one is free.
	 * They are more than the cap allows: some wait to be closed.
	 */
	unsigned connected;
	unsigned connected_most;
	bool full;
	bool resumed; /* libmicrohttpd does not say so by its timeout */
};

/* Have libmicrohttpd go on with a request, if it waits. */
void server_resume(struct exchange *exchange);

#endif
