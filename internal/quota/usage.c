#include "quota/usage.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

enum { BUCKETS = 1 << 18, COUNTERS = 1 << 16 };

struct usage {
	uint8_t key[crypto_shorthash_KEYBYTES];
	_Atomic uint64_t full_ns[BUCKETS]; /* when each is full again */
	_Atomic uint32_t counts[COUNTERS];
};

struct usage *usage_open(void)
{
	struct usage *limits = xcalloc(1, sizeof(*limits));

	if (random_bytes(limits->key, sizeof(limits->key)))
		return limits;
	free(limits);
	return NULL;
}

void usage_close(struct usage *limits)
{
	free(limits);
}

static uint64_t hash_of(const struct usage *limits, const uint8_t *who,
                        size_t who_len)
{
	uint64_t hash;

	_Static_assert(sizeof(hash) == crypto_shorthash_BYTES, "all of it");
	(void)crypto_shorthash((uint8_t *)&hash, who, who_len, limits->key);
	return hash;
}

static unsigned seconds(uint64_t ns)
{
	return (unsigned)((ns + CLOCK_NS_PER_S - 1) / CLOCK_NS_PER_S);
}

/* Of what, and whose: the name goes in by way of a hash of its own. */
static uint64_t hash_both(const struct usage *limits, const char *name,
                          const uint8_t *who, size_t who_len)
{
	return hash_of(limits, who, who_len) +
	       hash_of(limits, (const uint8_t *)name, strlen(name));
}

unsigned quota_window_s(const struct quota *policy)
{
	return policy->window_s ? policy->window_s : LIMIT_WINDOW_S;
}

bool usage_take(struct usage *limits, const struct quota *policy,
                const uint8_t *who, size_t who_len, uint64_t now_ns,
                struct quota_left *left)
{
	const uint64_t window_ns = quota_window_s(policy) * CLOCK_NS_PER_S;
	uint64_t hash = hash_both(limits, policy->name, who, who_len);
	_Atomic uint64_t *bucket = &limits->full_ns[hash % BUCKETS];
	uint64_t full_ns = *bucket;
	uint64_t each_ns;
	uint64_t next_ns;

	assert(policy->quota > 0);
	each_ns = window_ns / policy->quota;
	do {
		uint64_t from_ns = full_ns > now_ns ? full_ns : now_ns;

		next_ns = from_ns + each_ns;
		if (next_ns - now_ns > window_ns) {
			*left = (struct quota_left){
				.full_s = seconds(from_ns - now_ns),
				.next_s = seconds(next_ns - now_ns - window_ns),
			};
			return false;
		}
	} while (!atomic_compare_exchange_weak(bucket, &full_ns, next_ns));
	*left = (struct quota_left){
		.requests =
			(unsigned)((window_ns - (next_ns - now_ns)) / each_ns),
		.full_s = seconds(next_ns - now_ns),
	};
	return true;
}

struct quota_left usage_charge(struct usage *limits, const struct quota *policy,
                               const uint8_t *who, size_t who_len,
                               uint64_t now_ns, unsigned count)
{
	const uint64_t window_ns = LIMIT_WINDOW_S * CLOCK_NS_PER_S;
	uint64_t hash = hash_both(limits, policy->name, who, who_len);
	_Atomic uint64_t *bucket = &limits->full_ns[hash % BUCKETS];
	uint64_t full_ns = *bucket;
	uint64_t each_ns = window_ns / policy->quota;
	uint64_t next_ns;
	uint64_t used_ns;

	do {
		uint64_t from_ns = full_ns > now_ns ? full_ns : now_ns;

		next_ns = from_ns + count * each_ns;
	} while (!atomic_compare_exchange_weak(bucket, &full_ns, next_ns));
	used_ns = next_ns - now_ns;
	return (struct quota_left){
		.requests =
			used_ns < window_ns
				? (unsigned)((window_ns - used_ns) / each_ns)
				: 0,
		.full_s = seconds(used_ns),
	};
}

static _Atomic uint32_t *counter(struct usage *limits, const char *kind,
                                 const uint8_t *who, size_t who_len)
{
	return &limits->counts[hash_both(limits, kind, who, who_len) %
	                       COUNTERS];
}

unsigned usage_enter(struct usage *limits, const char *kind, unsigned most,
                     const uint8_t *who, size_t who_len)
{
	_Atomic uint32_t *count = counter(limits, kind, who, who_len);
	uint32_t before = atomic_fetch_add(count, 1);

	if (before < most || most == 0)
		return before + 1;
	atomic_fetch_sub(count, 1);
	return 0;
}

void usage_leave(struct usage *limits, const char *kind, const uint8_t *who,
                 size_t who_len)
{
	uint32_t before =
		atomic_fetch_sub(counter(limits, kind, who, who_len), 1);

	assert(before > 0);
	(void)before;
}
