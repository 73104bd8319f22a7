/*
 * test_creators.c - which address created a public game, and how many of its
 * games wait for players.
 */
#include "group.h"

static struct store_waiting waiting_of(const uint8_t *address)
{
	struct reply answer = { .count = 0 };

	store_count_waiting(store, address, on_answer, &answer);
	await(store, &answer, 1);
	assert_int_equal(answer.result, STORE_OK);
	return answer.waiting;
}

static uint32_t count_waiting(const uint8_t *address)
{
	return waiting_of(address).of_address;
}

static const uint8_t here[STORE_ADDRESS_SIZE] = {
	[10] = 255, 255, 10, 0, 0, 1
};
static const uint8_t there[STORE_ADDRESS_SIZE] = { [15] = 1 };

static void create_from(struct draft *draft, const uint8_t *address,
                        bool is_public)
{
	draft_new(draft);
	draft->game.is_public = is_public;
	draft->game.creator_address = address;
	assert_int_equal(create(store, &draft->move).result, STORE_OK);
	draft_next(draft, 1);
}

static const char *creator_address(struct uuid id)
{
	return sql(owner,
	           "SELECT coalesce(encode(creator_address_hash, 'hex'), "
	           "'forgotten') "
	           "FROM gangd.game WHERE game_id = '%s'",
	           id_text(id));
}

static void games_of_an_address_count_while_in_the_lobby(void **state)
{
	struct draft draft;

	(void)state;
	delete_all_games();
	assert_int_equal(count_waiting(here), 0);
	create_from(&draft, here, true);
	create_from(&draft, there, true);
	create_from(&draft, here, false);
	create_from(&draft, NULL, true);
	assert_int_equal(count_waiting(here), 1);
	create_from(&draft, here, true);
	assert_int_equal(count_waiting(here), 2);
	assert_int_equal(count_waiting(there), 1);

	/* A player joins, and the game waits on; then it begins. */
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 2);
	draft_next(&draft, 1);
	draft.game.status = "playing";
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 1);
	assert_string_equal(creator_address(draft.game.id), "forgotten");
	/* It never counts again. */
	draft_next(&draft, 1);
	draft.game.status = "lobby";
	assert_int_equal(commit_move(store, &draft.move).result, STORE_OK);
	assert_int_equal(count_waiting(here), 1);
}

static void a_deleted_game_is_not_in_the_lobby(void **state)
{
	struct reply deleted = { .count = 0 };
	struct draft draft;

	(void)state;
	delete_all_games();
	create_from(&draft, here, true);
	store_delete(store, draft.game.id, draft.game.version - 1, on_answer,
	             &deleted);
	await(store, &deleted, 1);
	assert_int_equal(count_waiting(here), 0);
}

static void an_address_is_stored_as_a_hash(void **state)
{
	char kept[TEXT_MAX];
	struct draft draft;

	(void)state;
	create_from(&draft, here, true);
	(void)snprintf(kept, sizeof(kept), "%s",
	               creator_address(draft.game.id));
	assert_int_equal(strlen(kept), 2 * STORE_HASH_SIZE);
	assert_null(strstr(kept, "0a000001"));
	draft_new(&draft);
	draft.game.creator_address = here;
	draft.game.status = "playing";
	assert_int_equal(create(store, &draft.move).result, STORE_OK);
	assert_string_equal(creator_address(draft.game.id), "forgotten");
}

/* The key, whose owner combined it with the pads of HMAC. */
static void read_secret(uint8_t key[crypto_auth_hmacsha256_KEYBYTES])
{
	char hex[TEXT_MAX];
	size_t len;

	(void)snprintf(hex, sizeof(hex), "%s",
	               sql(owner, "SELECT encode(substr(inner_pad, 1, 32), "
	                          "'hex') FROM gangd.address_secret"));
	assert_int_equal(sodium_hex2bin(key, crypto_auth_hmacsha256_KEYBYTES,
	                                hex, strlen(hex), NULL, &len, NULL),
	                 0);
	assert_int_equal(len, crypto_auth_hmacsha256_KEYBYTES);
	for (size_t i = 0; i < len; i++)
		key[i] ^= 0x36;
}

/* Without a secret all IPv4 addresses could be hashed and compared. */
static void the_hash_of_an_address_is_keyed(void **state)
{
	uint8_t key[crypto_auth_hmacsha256_KEYBYTES];
	uint8_t mac[crypto_auth_hmacsha256_BYTES];
	char hex[2 * sizeof(mac) + 1];
	struct draft draft;
	PGconn *app = sql_open(app_url());

	(void)state;
	create_from(&draft, here, true);
	read_secret(key);
	assert_false(sodium_is_zero(key, sizeof(key)));
	crypto_auth_hmacsha256(mac, here, STORE_ADDRESS_SIZE, key);
	(void)sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	assert_string_equal(creator_address(draft.game.id), hex);
	crypto_hash_sha256(mac, here, STORE_ADDRESS_SIZE);
	(void)sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	assert_string_not_equal(creator_address(draft.game.id), hex);

	assert_string_equal(sql(app, "SELECT 1 FROM gangd.address_secret"),
	                    "42501");
	assert_string_equal(sql(app, "UPDATE gangd.address_secret "
	                             "SET inner_pad = outer_pad"),
	                    "42501");
	assert_string_equal(sql(app, "SELECT octet_length("
	                             "gangd.hash_address('x'))"),
	                    "32");
	PQfinish(app);
}

/* A holder of 48 bits of IPv6 has 65,536 networks, each with its own address.
 */
static void games_of_a_site_are_counted_together(void **state)
{
	static const uint8_t homes[][STORE_ADDRESS_SIZE] = {
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 7, 0, 1 },
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 7, 0, 2 },
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 8, 0, 1 },
	};
	struct draft drafts[ARRAY_LEN(homes)];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(homes); i++)
		create_from(&drafts[i], homes[i], true);
	assert_int_equal(waiting_of(homes[0]).of_address, 1);
	assert_int_equal(waiting_of(homes[0]).of_site, 2);
	assert_int_equal(waiting_of(homes[2]).of_site, 1);
	drafts[1].game.status = "playing";
	assert_int_equal(commit_move(store, &drafts[1].move).result, STORE_OK);
	assert_int_equal(waiting_of(homes[0]).of_site, 1);
	/* IPv4 addresses do not share a site. */
	struct draft other;
	create_from(&other, here, true);
	assert_int_equal(waiting_of(here).of_site, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_STORE(games_of_an_address_count_while_in_the_lobby),
		ON_A_STORE(a_deleted_game_is_not_in_the_lobby),
		ON_A_STORE(an_address_is_stored_as_a_hash),
		ON_A_STORE(the_hash_of_an_address_is_keyed),
		ON_A_STORE(games_of_a_site_are_counted_together),
	};

	return cmocka_run_group_tests_name("creators", tests, open_all,
	                                   close_all);
}
