/*
 * Each loop has a listening socket of its own on the same port (SO_REUSEPORT),
 * and the kernel spreads the connections over them.  Sharing would let another
 * program of the same user take a part of them, too; so the first socket first
 * tries to bind the port alone.  Connections inherit the options set here.
 */
#include "http/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <asm/socket.h> /* SO_REUSEPORT, which POSIX does not know */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/setting.h"

enum { NAME_SIZE = 256, PORT_SIZE = 6, PORT_MAX = 65535 };

/* Split "host:port" or "[host]:port"; false if the text is malformed. */
static bool parse(const char *address, char host[NAME_SIZE],
                  char port[PORT_SIZE])
{
	const char *colon = strrchr(address, ':');

	if (!colon)
		return false;
	const char *from = address;
	size_t len = (size_t)(colon - address);
	if (*from == '[') {
		if (len < 3 || colon[-1] != ']')
			return false;
		from++;
		len -= 2;
	} else if (memchr(from, ':', len)) {
		return false;
	}
	size_t digits = strspn(colon + 1, "0123456789");
	if (len == 0 || len >= NAME_SIZE || digits == 0 ||
	    digits >= PORT_SIZE || colon[1 + digits] ||
	    strtoul(colon + 1, NULL, 10) > PORT_MAX)
		return false;
	memcpy(host, from, len);
	host[len] = '\0';
	memcpy(port, colon + 1, digits + 1);
	return true;
}

static int close_failed(int fd)
{
	int saved = errno;

	(void)close(fd);
	errno = saved;
	return -1;
}

static int bind_one(const struct addrinfo *where, bool shared)
{
	int on = 1;
	int fd = socket(where->ai_family,
	                where->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
	                where->ai_protocol);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    (shared &&
	     setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on))) ||
	    bind(fd, where->ai_addr, where->ai_addrlen))
		return close_failed(fd);
	return fd;
}

/* A shared port cannot be bound by a socket that does not share it. */
static bool is_taken(const struct addrinfo *where)
{
	int fd = bind_one(where, false);

	if (fd < 0)
		return true;
	(void)close(fd);
	return false;
}

/*
 * The kernel would buffer megabytes of answers for a client that reads nothing,
 * and copying them for many such clients at once takes a second.
 */
static const int unread_max = 128 * 1024;

/*
 * While bytes wait to be sent, the kernel would keep the connection of a client
 * that vanished for a quarter of an hour.  A player with a stream counts as
 * present, so that is too long.
 */
static const unsigned unheard_max_ms = 30000;

static int listen_one(const struct addrinfo *where, bool exclusive)
{
	if (exclusive && is_taken(where))
		return -1;
	int fd = bind_one(where, true);
	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &unread_max,
	               sizeof(unread_max)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unheard_max_ms,
	               sizeof(unheard_max_ms)) ||
	    listen(fd, SOMAXCONN))
		return close_failed(fd);
	return fd;
}

int http_listen(const char *address, bool exclusive)
{
	struct addrinfo hints = {
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	char host[NAME_SIZE];
	char port[PORT_SIZE];
	int fd = -1;

	errno = EINVAL;
	if (!parse(address, host, port))
		return -1;
	if (getaddrinfo(host, port, &hints, &found)) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
		fd = listen_one(at, exclusive && strcmp(port, "0") != 0);
	int saved = errno;
	freeaddrinfo(found);
	errno = saved;
	return fd;
}

int http_listen_for(const char *variable, const char *address)
{
	int fd = http_listen(address, true);

	if (fd < 0 && errno == EINVAL)
		setting_refuse(variable, address);
	else if (fd < 0)
		(void)fprintf(stderr, "cannot listen on \"%s\": %s\n", address,
		              strerror(errno));
	return fd;
}

const char *http_listen_name(int fd, struct arena *arena)
{
	struct sockaddr_storage bound;
	socklen_t len = sizeof(bound);
	char host[NAME_SIZE];
	char port[PORT_SIZE];

	if (getsockname(fd, (struct sockaddr *)&bound, &len) ||
	    getnameinfo((struct sockaddr *)&bound, len, host, sizeof(host),
	                port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return "?";
	return arena_printf(arena, strchr(host, ':') ? "[%s]:%s" : "%s:%s",
	                    host, port);
}
