/*
 * test_address.c - which address a request comes from.  Proxies may name a
 * client in a header; only those in the trusted list are believed.  Rows are
 * in address.def.
 */
#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/network.h"
#include "rows.h"

/* The address as a socket gives it. */
static void read_address(const char *text, uint8_t into[HTTP_ADDRESS_SIZE])
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} from = { .any.sa_family = AF_INET6 };

	if (strchr(text, ':')) {
		assert_int_equal(inet_pton(AF_INET6, text, &from.v6.sin6_addr),
		                 1);
	} else {
		from.any.sa_family = AF_INET;
		assert_int_equal(inet_pton(AF_INET, text, &from.v4.sin_addr),
		                 1);
	}
	network_address_of(&from.any, into);
}

static void assert_address(const uint8_t is[HTTP_ADDRESS_SIZE],
                           const char *should)
{
	uint8_t bytes[HTTP_ADDRESS_SIZE];
	char text[INET6_ADDRSTRLEN];

	read_address(should, bytes);
	if (memcmp(is, bytes, sizeof(bytes)) == 0)
		return;
	(void)inet_ntop(AF_INET6, is, text, sizeof(text));
	fail_msg("it is %s, not %s", text, should);
}

/* --- proxies -------------------------------------------------------------- */

struct follows_row {
	const char *name;
	const char *trusted;
	const char *connection;
	const char *forwarded;
	const char *who;
};

#define FOLLOWS(...) { __VA_ARGS__ },
#define COUNTS(...)
static struct follows_row follows_rows[] = {
#include "address.def"
};

static void check_follows(void **state)
{
	const struct follows_row *row = *state;
	struct network_list *trusted = network_list_open(row->trusted);
	uint8_t address[HTTP_ADDRESS_SIZE];

	assert_non_null(trusted);
	read_address(row->connection, address);
	address_follow(trusted, row->forwarded, address);
	network_list_close(trusted);
	assert_address(address, row->who);
}

/* --- counting ------------------------------------------------------------- */

struct hand_counts_row {
	const char *name;
	const char *address;
	const char *as;
};

#define FOLLOWS(...)
#define COUNTS(...) { __VA_ARGS__ },
static struct hand_counts_row counts_rows[] = {
#include "address.def"
};

static void check_counts(void **state)
{
	const struct hand_counts_row *row = *state;
	uint8_t address[HTTP_ADDRESS_SIZE];

	read_address(row->address, address);
	address_count_as(address);
	assert_address(address, row->as);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, follows_rows, check_follows);
	ROWS_ADD(&rows, counts_rows, check_counts);
	return rows_run("address", &rows);
}
