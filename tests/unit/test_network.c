/*
 * test_network.c - addresses of IP, and which lists of addresses and networks
 * contain one.  Rows are in network.def.
 */
#include "base/network.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "rows.h"

struct list_row {
	const char *name;
	const char *list;
	const char *address; /* NULL: it is no list */
	bool is_listed;
};

#define LISTED(name, list, address)   { name, list, address, true },
#define UNLISTED(name, list, address) { name, list, address, false },
#define NO_LIST(name, list)           { name, list, NULL, false },
static struct list_row list_rows[] = {
#include "network.def"
};

static void check_list(void **state)
{
	const struct list_row *row = *state;
	struct network_list *list = network_list_open(row->list);
	uint8_t address[NETWORK_ADDRESS_SIZE];

	assert_int_equal(list != NULL, row->address != NULL);
	assert_int_equal(network_list_is_valid(row->list),
	                 row->address != NULL);
	if (row->address) {
		assert_true(network_address_parse(
			row->address, strlen(row->address), address));
		assert_int_equal(network_list_has(list, address),
		                 row->is_listed);
	}
	network_list_close(list);
}

/* All addresses of another family count as one. */
static void check_family(void **state)
{
	struct sockaddr_un from = { .sun_family = AF_UNIX, .sun_path = "x" };
	static const uint8_t zeros[NETWORK_ADDRESS_SIZE];
	uint8_t address[NETWORK_ADDRESS_SIZE];

	(void)state;
	network_address_of((struct sockaddr *)&from, address);
	assert_memory_equal(address, zeros, sizeof(zeros));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, list_rows, check_list);
	rows_add(&rows, "an address of another family is zeros", check_family,
	         NULL);
	return rows_run("network", &rows);
}
