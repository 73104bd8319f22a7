/*
 * Hash tables of atomic numbers.  full_ns[] has, for a pair of quota and
 * caller, the time at which the quota is full again; the level of the token
 * bucket follows from it.  counts[] has the number of things of a caller, in a
 * table for each kind.
 *
 * Colliding pairs share a number.  Collisions are rare in tables of this size,
 * and the hash has a random key, so clients cannot provoke them.  Thus the
 * tables need no keys, no growth and no lock.
 *
 * Quotas with different windows have tables of their own.  In one table a few
 * requests against the quota of a day, which are refilled in minutes, would use
 * up the quota of a minute of each caller who collides with them.  Two callers
 * of one table only share what they may use.
 */
#include "quota/limiter.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

enum { BUCKETS = 1 << 18, COUNTERS = 1 << 16 };
enum { MINUTES, DAYS, WINDOW_COUNT };

struct limiter {
	uint8_t key[crypto_shorthash_KEYBYTES];
	_Atomic uint64_t full_ns[WINDOW_COUNT][BUCKETS];
	_Atomic uint32_t counts[LIMITER_KIND_COUNT][COUNTERS];
};

struct limiter *limiter_open(void)
{
	struct limiter *limiter = xcalloc(1, sizeof(*limiter));

	if (random_bytes(limiter->key, sizeof(limiter->key)))
		return limiter;
	free(limiter);
	return NULL;
}

void limiter_close(struct limiter *limiter)
{
	free(limiter);
}

static uint64_t hash_of(const struct limiter *limiter, const uint8_t *bytes,
                        size_t len)
{
	uint64_t hash;

	_Static_assert(sizeof(hash) == crypto_shorthash_BYTES, "all of it");
	(void)crypto_shorthash((uint8_t *)&hash, bytes, len, limiter->key);
	return hash;
}

static uint64_t hash_pair(const struct limiter *limiter, const char *name,
                          const uint8_t *caller, size_t caller_len)
{
	return hash_of(limiter, caller, caller_len) +
	       hash_of(limiter, (const uint8_t *)name, strlen(name));
}

/* --- quotas --------------------------------------------------------------- */

static _Atomic uint64_t *bucket_of(struct limiter *limiter,
                                   const struct quota *quota,
                                   const uint8_t *caller, size_t caller_len)
{
	unsigned window = quota->window_s == QUOTA_DAY_S ? DAYS : MINUTES;
	uint64_t hash = hash_pair(limiter, quota->name, caller, caller_len);

	assert(quota->requests > 0);
	return &limiter->full_ns[window][hash % BUCKETS];
}

static uint64_t window_ns(const struct quota *quota)
{
	return quota->window_s * CLOCK_NS_PER_S;
}

/* The time in which one request is refilled. */
static uint64_t each_ns(const struct quota *quota)
{
	return window_ns(quota) / quota->requests;
}

static unsigned seconds(uint64_t ns)
{
	return (unsigned)((ns + CLOCK_NS_PER_S - 1) / CLOCK_NS_PER_S);
}

/* The rest of a bucket that is full again after missing_ns. */
static struct quota_left left_of(const struct quota *quota, uint64_t missing_ns)
{
	uint64_t all_ns = window_ns(quota);
	uint64_t left_ns = missing_ns < all_ns ? all_ns - missing_ns : 0;

	return (struct quota_left){
		.requests = (unsigned)(left_ns / each_ns(quota)),
		.full_s = seconds(missing_ns),
	};
}

bool limiter_take(struct limiter *limiter, const struct quota *quota,
                  const uint8_t *caller, size_t caller_len, uint64_t now_ns,
                  struct quota_left *left)
{
	_Atomic uint64_t *bucket =
		bucket_of(limiter, quota, caller, caller_len);
	uint64_t full_ns = *bucket;
	uint64_t missing_ns;

	do {
		uint64_t before_ns = full_ns > now_ns ? full_ns - now_ns : 0;

		missing_ns = before_ns + each_ns(quota);
		if (missing_ns > window_ns(quota)) {
			*left = (struct quota_left){
				.full_s = seconds(before_ns),
				.next_s =
					seconds(missing_ns - window_ns(quota)),
			};
			return false;
		}
	} while (!atomic_compare_exchange_weak(bucket, &full_ns,
	                                       now_ns + missing_ns));
	*left = left_of(quota, missing_ns);
	return true;
}

struct quota_left limiter_charge(struct limiter *limiter,
                                 const struct quota *quota,
                                 const uint8_t *caller, size_t caller_len,
                                 uint64_t now_ns, unsigned requests)
{
	_Atomic uint64_t *bucket =
		bucket_of(limiter, quota, caller, caller_len);
	uint64_t full_ns = *bucket;
	uint64_t missing_ns;

	do {
		missing_ns = (full_ns > now_ns ? full_ns - now_ns : 0) +
		             requests * each_ns(quota);
	} while (!atomic_compare_exchange_weak(bucket, &full_ns,
	                                       now_ns + missing_ns));
	return left_of(quota, missing_ns);
}

/* --- caps ----------------------------------------------------------------- */

static _Atomic uint32_t *counter_of(struct limiter *limiter,
                                    enum limiter_kind kind,
                                    const uint8_t *caller, size_t caller_len)
{
	return &limiter->counts[kind][hash_of(limiter, caller, caller_len) %
	                              COUNTERS];
}

unsigned limiter_enter(struct limiter *limiter, enum limiter_kind kind,
                       unsigned cap, const uint8_t *caller, size_t caller_len)
{
	_Atomic uint32_t *count = counter_of(limiter, kind, caller, caller_len);
	uint32_t before = atomic_fetch_add(count, 1);

	if (before < cap || cap == 0)
		return before + 1;
	atomic_fetch_sub(count, 1);
	return 0;
}

void limiter_leave(struct limiter *limiter, enum limiter_kind kind,
                   const uint8_t *caller, size_t caller_len)
{
	uint32_t before =
		atomic_fetch_sub(counter_of(limiter, kind, caller, caller_len),
	                         1);

	assert(before > 0);
	(void)before;
}
