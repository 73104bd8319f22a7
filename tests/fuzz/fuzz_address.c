/*
 * fuzz_address.c - the trusted proxies, and the addresses that they name.
 *
 * The first line is the address that a connection comes from, the second the
 * list of proxies, the rest an X-Forwarded-For.  All are read a second time,
 * from the left, bit by bit.
 */
#include "fuzz.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/network.h"
#include "http/address.h"

enum { BITS = 128, MEMBERS_MAX = 512 };

static const char blanks[] = " \t,";
static const uint8_t v4_prefix[12] = { [10] = 0xff, [11] = 0xff };

struct address {
	uint8_t bytes[HTTP_ADDRESS_SIZE];
};

struct member {
	struct address address;
	unsigned bits;
};

struct members {
	size_t count;
	struct member list[MEMBERS_MAX];
};

static bool is_v4(const struct address *address)
{
	return memcmp(address->bytes, v4_prefix, sizeof(v4_prefix)) == 0;
}

static bool is_same(const struct address *a, const struct address *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static bool read_address(const char *text, struct address *address)
{
	char mapped[sizeof("::ffff:") + INET_ADDRSTRLEN];
	struct in_addr v4;

	if (inet_pton(AF_INET, text, &v4) != 1)
		return inet_pton(AF_INET6, text, address->bytes) == 1;
	(void)snprintf(mapped, sizeof(mapped), "::ffff:%s", text);
	assert(inet_pton(AF_INET6, mapped, address->bytes) == 1);
	return true;
}

/* --- a list --------------------------------------------------------------- */

static bool read_member(char *text, struct member *member)
{
	char *slash = strchr(text, '/');
	bool has_colon =
		slash && strchr(text, ':') && strchr(text, ':') < slash;
	size_t digits = slash ? strspn(slash + 1, "0123456789") : 0;

	if (slash)
		*slash = '\0';
	if (!read_address(text, &member->address))
		return false;
	member->bits = BITS;
	if (!slash)
		return true;
	if (digits == 0 || digits > 3 || slash[1 + digits] ||
	    (slash[1] == '0' && digits > 1))
		return false;
	member->bits = (unsigned)strtoul(slash + 1, NULL, 10);
	if (!has_colon)
		member->bits += 96;
	return member->bits <= BITS &&
	       (member->bits >= 96 || !is_v4(&member->address));
}

static bool read_members(char *text, struct members *members)
{
	members->count = 0;
	for (char *word = strtok(text, blanks); word;
	     word = strtok(NULL, blanks)) {
		assert(members->count < MEMBERS_MAX);
		if (!read_member(word, &members->list[members->count++]))
			return false;
	}
	return true;
}

static bool has(const struct members *members, const struct address *address)
{
	for (size_t i = 0; i < members->count; i++) {
		const struct member *member = &members->list[i];
		unsigned bit = 0;

		while (bit < member->bits && !((member->address.bytes[bit / 8] ^
		                                address->bytes[bit / 8]) &
		                               0x80 >> bit % 8))
			bit++;
		if (bit == member->bits)
			return true;
	}
	return false;
}

/* --- a field -------------------------------------------------------------- */

static bool read_forwarded(char *word, struct address *address)
{
	char *colon = strchr(word, ':');
	char *end;

	if (word[0] == '[') {
		end = strchr(word, ']');
		if (!end || (end[1] && end[1] != ':'))
			return false;
		*end = '\0';
		return read_address(word + 1, address);
	}
	if (colon && colon == strrchr(word, ':'))
		*colon = '\0';
	return read_address(word, address);
}

static void follow(const struct members *members, char *field,
                   struct address *address)
{
	char *words[MEMBERS_MAX];
	size_t count = 0;

	for (char *word = strtok(field, blanks); word;
	     word = strtok(NULL, blanks)) {
		assert(count < MEMBERS_MAX);
		words[count++] = word;
	}
	while (count > 0 && has(members, address)) {
		struct address next;

		if (!read_forwarded(words[--count], &next))
			return;
		*address = next;
	}
}

/* --- both ----------------------------------------------------------------- */

/* Addresses that a client puts before those of the proxies change nothing. */
static void check_made_up(const struct network_list *list, const char *field,
                          const struct address *from,
                          const struct address *found)
{
	static const char made_up[] = "203.0.113.77, ::1,";
	size_t size = sizeof(made_up) + strlen(field);
	char *longer = malloc(size);
	struct address address = *from;

	assert(longer);
	(void)snprintf(longer, size, "%s%s", made_up, field);
	address_follow(list, longer, address.bytes);
	assert(is_same(&address, found));
	free(longer);
}

static void check_count(const struct address *address)
{
	struct address once = *address;
	struct address twice;

	address_count_as(once.bytes);
	twice = once;
	address_count_as(twice.bytes);
	assert(is_same(&once, &twice));
	assert(is_same(&once, address) == is_v4(address) ||
	       memcmp(address->bytes + 8, (uint8_t[8]){ 0 }, 8) == 0);
	assert(memcmp(once.bytes, address->bytes, 8) == 0);
}

static void check(const char *trusted, const char *field, struct address from)
{
	static struct members members;
	struct network_list *list = network_list_open(trusted);
	char *copy = strdup(trusted);
	char *copy_of_field = strdup(field);
	struct address found = from;
	struct address should = from;

	assert(copy && copy_of_field);
	assert(read_members(copy, &members) == (list != NULL));
	if (list) {
		assert(network_list_has(list, from.bytes) ==
		       has(&members, &from));
		address_follow(list, field, found.bytes);
		follow(&members, copy_of_field, &should);
		assert(is_same(&found, &should));
		check_count(&found);
		if (!has(&members, &found))
			check_made_up(list, field, &from, &found);
	}
	network_list_close(list);
	free(copy);
	free(copy_of_field);
}

/* The text up to the end of its line; *rest is what follows. */
static char *take_line(char **rest)
{
	char *line = *rest;
	size_t len = strcspn(line, "\n");

	*rest = line + len + (line[len] == '\n');
	line[len] = '\0';
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char *rest = text;
	struct address from;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	char *connection = take_line(&rest);
	char *trusted = take_line(&rest);
	if (read_address(connection, &from))
		check(trusted, rest, from);
	free(text);
	return 0;
}
