/*
 * The map is asked for every minute, and a second after a question in vain.  It
 * may be out of date for so long after shards were moved: then the server that
 * is asked passes statements on, as the coordinator would.
 *
 * A server that leaves the map keeps its store until the end, without work.
 */
#include "store/placement.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "postgres/connection_string.h"
#include "store/queries.h"

enum { SERVERS_MAX = 32, RANGES_MAX = 1024 };

static const uint64_t round_ns = 60 * CLOCK_NS_PER_S;
static const uint64_t again_ns = CLOCK_NS_PER_S;

struct server {
	char *url;
	char *host;
	uint32_t port;
	struct store *store;
};

struct range {
	uint32_t first;
	uint32_t last;
	const struct server *server;
};

struct placement {
	struct store_config
		config; /* of the servers' stores, but for the URL */
	int epoll_fd;
	uint32_t number;
	struct server servers[SERVERS_MAX];
	unsigned servers_count;
	struct range ranges[RANGES_MAX]; /* in order, without overlaps */
	unsigned ranges_count;
	uint64_t due_ns; /* of the next question */
	bool is_asking;
	struct arena arena; /* of the answer */
};

/* --- the hash ------------------------------------------------------------- */

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

static uint32_t word_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
	       (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * Bob Jenkins's lookup3 of the 16 bytes, as PostgreSQL's uuid_hash() computes
 * it on a little-endian machine.  Citus orders hashes as signed numbers; the
 * ranges begin at 0.
 */
uint32_t placement_hash(struct uuid id)
{
	const uint32_t start = 0x9e3779b9 + sizeof(id.bytes) + 3923095;
	uint32_t a = start + word_at(id.bytes);
	uint32_t b = start + word_at(id.bytes + 4);
	uint32_t c = start + word_at(id.bytes + 8);

	a = (a - c) ^ rotate(c, 4);
	c += b;
	b = (b - a) ^ rotate(a, 6);
	a += c;
	c = (c - b) ^ rotate(b, 8);
	b += a;
	a = (a - c) ^ rotate(c, 16);
	c += b;
	b = (b - a) ^ rotate(a, 19);
	a += c;
	c = (c - b) ^ rotate(b, 4);
	b += a;

	a += word_at(id.bytes + 12);
	c = (c ^ b) - rotate(b, 14);
	a = (a ^ c) - rotate(c, 11);
	b = (b ^ a) - rotate(a, 25);
	c = (c ^ b) - rotate(b, 16);
	a = (a ^ c) - rotate(c, 4);
	b = (b ^ a) - rotate(a, 14);
	c = (c ^ b) - rotate(b, 24);
	return c ^ 0x80000000;
}

/* --- the map -------------------------------------------------------------- */

static struct server *find_server(struct placement *placement, const char *host,
                                  uint32_t port)
{
	for (unsigned i = 0; i < placement->servers_count; i++) {
		struct server *server = &placement->servers[i];

		if (server->port == port && strcmp(server->host, host) == 0)
			return server;
	}
	return NULL;
}

/* NULL: there are too many. */
static struct server *add_server(struct placement *placement, const char *host,
                                 uint32_t port)
{
	struct epoll_event event = { .events = EPOLLIN,
		                     .data.u32 = placement->number };
	struct store_config config = placement->config;
	struct server *server = &placement->servers[placement->servers_count];

	if (placement->servers_count == SERVERS_MAX)
		return NULL;
	placement->servers_count++;
	server->url = connection_string_for(config.url, host, port);
	server->host = strdup(host);
	memory_expect(server->host);
	server->port = port;
	config.url = server->url;
	server->store = store_open(&config);
	int failed = epoll_ctl(placement->epoll_fd, EPOLL_CTL_ADD,
	                       store_fd(server->store), &event);
	assert(!failed);
	(void)failed;
	LOG(LOG_INFO, "server_found", LOG_TEXT("host", host),
	    LOG_INT("port", port));
	return server;
}

/* Ranges beyond the room for them, or for servers, are the coordinator's. */
static void take_ranges(struct placement *placement,
                        const struct store_answer *answer)
{
	placement->ranges_count = 0;
	for (size_t i = 0; i < answer->count && i < RANGES_MAX; i++) {
		const struct store_placement *place = &answer->placements[i];
		struct server *server =
			find_server(placement, place->host, place->port);

		if (!server)
			server =
				add_server(placement, place->host, place->port);
		if (server)
			placement->ranges[placement->ranges_count++] =
				(struct range){ place->first, place->last,
				                server };
	}
}

static void on_found(void *arg, const struct store_answer *answer)
{
	struct placement *placement = arg;

	placement->is_asking = false;
	bool is_known = answer->result == STORE_OK;
	placement->due_ns =
		clock_monotonic_ns() + (is_known ? round_ns : again_ns);
	if (is_known)
		take_ranges(placement, answer);
	arena_reset(&placement->arena);
}

struct statement *placement_ask(struct placement *placement)
{
	if (clock_monotonic_ns() < placement_due_ns(placement))
		return NULL;
	placement->is_asking = true;
	return statement_make(&query_find_placements, &placement->arena,
	                      on_found, placement);
}

uint64_t placement_due_ns(const struct placement *placement)
{
	return placement->is_asking ? UINT64_MAX : placement->due_ns;
}

/* NULL: it is not known. */
static const struct server *find_home(const struct placement *placement,
                                      struct uuid id)
{
	uint32_t hash = placement_hash(id);
	unsigned low = 0;
	unsigned high = placement->ranges_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;
		const struct range *range = &placement->ranges[middle];

		if (hash < range->first)
			high = middle;
		else if (hash > range->last)
			low = middle + 1;
		else
			return range->server;
	}
	return NULL;
}

struct store *placement_find(const struct placement *placement, struct uuid id)
{
	const struct server *server = find_home(placement, id);

	return server && store_is_ready(server->store) ? server->store : NULL;
}

bool placement_can_have(const struct placement *placement, struct uuid id)
{
	const struct server *server = find_home(placement, id);

	if (!server || store_answers(server->store))
		return true;
	for (unsigned i = 0; i < placement->servers_count; i++) {
		if (store_answers(placement->servers[i].store))
			return false;
	}
	return true;
}

/* --- the servers' stores -------------------------------------------------- */

struct placement *placement_open(const struct store_config *config,
                                 int epoll_fd, uint32_t number)
{
	struct placement *placement = xcalloc(1, sizeof(*placement));

	placement->config = *config;
	placement->config.is_server = true;
	placement->config.pool = NULL;
	placement->epoll_fd = epoll_fd;
	placement->number = number;
	arena_init(&placement->arena);
	return placement;
}

void placement_end(struct placement *placement)
{
	if (!placement)
		return;
	placement->ranges_count = 0;
	for (unsigned i = 0; i < placement->servers_count; i++) {
		struct server *server = &placement->servers[i];

		store_close(server->store);
		free(server->host);
		free(server->url);
	}
	placement->servers_count = 0;
}

void placement_close(struct placement *placement)
{
	if (!placement)
		return;
	assert(placement->servers_count == 0);
	arena_fini(&placement->arena);
	free(placement);
}

struct store *placement_find_any(const struct placement *placement)
{
	for (unsigned i = 0; i < placement->servers_count; i++) {
		if (store_is_ready(placement->servers[i].store))
			return placement->servers[i].store;
	}
	return NULL;
}

void placement_run(struct placement *placement)
{
	for (unsigned i = 0; i < placement->servers_count; i++)
		store_run(placement->servers[i].store);
}

void placement_flush(struct placement *placement)
{
	for (unsigned i = 0; i < placement->servers_count; i++)
		store_flush(placement->servers[i].store);
}

uint64_t placement_timeout_ns(const struct placement *placement)
{
	uint64_t first_ns = UINT64_MAX;

	for (unsigned i = 0; i < placement->servers_count; i++) {
		uint64_t its_ns = store_timeout_ns(placement->servers[i].store);

		first_ns = its_ns < first_ns ? its_ns : first_ns;
	}
	return first_ns;
}
