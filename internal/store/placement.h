/*
 * placement.h - the servers over which the tables are spread, each with a store
 * of its own.
 *
 * The store that has a placement is that of the coordinator.  Statements of one
 * game go to the server that has the game, which carries them out by itself;
 * the coordinator would pass them on, at several times the cost.  While the
 * server of a game is not known, or has no connection, the coordinator is
 * asked.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#include "base/uuid.h"
#include "store/handle.h"

struct placement;
struct statement;

/* Where the id of a game lies among the ranges of store_placement. */
uint32_t placement_hash(struct uuid id);

/*
 * Begin without a server.  The servers' connection strings are that of the
 * coordinator's config with another host and port.  Their descriptors are added
 * to epoll_fd with this number.
 */
struct placement *placement_open(const struct store_config *config,
                                 int epoll_fd, uint32_t number);

/*
 * Two steps to the end: close the servers' stores, whose callers may ask the
 * coordinator again; and, when the coordinator has answered all, free the rest.
 * NULL is fine.
 */
void placement_end(struct placement *placement);
void placement_close(struct placement *placement);

/* The store of the server that has the game; NULL: ask the coordinator. */
struct store *placement_find(const struct placement *placement, struct uuid id);

/* False if the game's server does not answer, and another one does. */
bool placement_can_have(const struct placement *placement, struct uuid id);

/*
 * The question where the games lie, if it is due: the caller queues it at the
 * coordinator.  NULL: not yet.
 */
struct statement *placement_ask(struct placement *placement);
uint64_t placement_due_ns(const struct placement *placement);

/* The store of a server that can be asked; NULL: there is none. */
struct store *placement_find_any(const struct placement *placement);

/* Like those of a store, for all servers. */
void placement_run(struct placement *placement);
void placement_flush(struct placement *placement);
uint64_t placement_timeout_ns(const struct placement *placement);
