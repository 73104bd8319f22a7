/*
 * test_push.c - what gangd-push sends, where, and when: rows are in push.def,
 * and the examples of RFC 8291 and of Standard Webhooks stand here.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include <sodium.h>

#include "push/endpoint.h"
#include "push/message.h"
#include "push/p256.h"
#include "games/gang/gang_game.h"
#include "push/push_code.h"
#include "base/network.h"
#include "push/reachable.h"
#include "push/schedule.h"
#include "push/vapid.h"
#include "push/web_push.h"
#include "push/webhook.h"
#include "rows.h"
#include "sender/daily.h"
#include "sender/in_flight.h"

/* --- hosts, addresses, pauses --------------------------------------------- */

static void hosts_are_judged(void **state)
{
	static const struct {
		const char *url;
		const char *hosts;
		const char *code;
	} rows[] = {
#define URL(url, hosts, code) { url, hosts, code },
#include "push.def"
	};
	struct endpoint endpoint;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct endpoint_fault fault =
			endpoint_read_url(rows[i].url, rows[i].hosts,
		                          &endpoint);

		if (strcmp(fault.code ? fault.code : "", rows[i].code) != 0)
			fail_msg("%s with %s: %s", rows[i].url, rows[i].hosts,
			         fault.code);
		assert_int_equal(endpoint_is_allowed(rows[i].url,
		                                     rows[i].hosts),
		                 !rows[i].code[0]);
		if (!fault.code)
			assert_string_equal(endpoint.url, rows[i].url);
	}
}

static void a_service_has_all_names_of_its_entry(void **state)
{
	char service[ENDPOINT_HOST_SIZE] = "";

	(void)state;
	assert_true(
		endpoint_service("https://a.push.apple.com/x", "", service));
	assert_string_equal(service, "*.push.apple.com");
	assert_true(endpoint_service("https://b.push.example/x",
	                             "a.example, *.Push.example", service));
	assert_string_equal(service, "*.Push.example");
	assert_false(endpoint_service("https://push.example/x",
	                              "*.push.example", service));
}

static void addresses_are_judged(void **state)
{
	static const struct {
		const char *address;
		const char *list;
		bool allowed;
	} rows[] = {
#define ADDRESS(address, list, allowed) { address, list, allowed },
#include "push.def"
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sockaddr_in four = { .sin_family = AF_INET };
		struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
		const struct sockaddr *address = (const struct sockaddr *)&four;

		if (inet_pton(AF_INET, rows[i].address, &four.sin_addr) != 1) {
			assert_int_equal(inet_pton(AF_INET6, rows[i].address,
			                           &six.sin6_addr),
			                 1);
			address = (const struct sockaddr *)&six;
		}
		assert_true(network_list_is_valid(rows[i].list));
		if (reachable_is_allowed(address, rows[i].list) !=
		    rows[i].allowed)
			fail_msg("%s with %s", rows[i].address, rows[i].list);
		assert_int_equal(reachable_is_allowed_text(rows[i].address,
		                                           rows[i].list),
		                 rows[i].allowed);
	}
	assert_false(reachable_is_allowed_text("", "0.0.0.0/0"));
	assert_false(reachable_is_allowed_text("localhost", "::/0"));
	assert_false(reachable_is_allowed_text("8.8.0.0/16", ""));
}

static void pauses_grow(void **state)
{
	static const struct {
		unsigned failed;
		uint32_t retry_after_s;
		uint32_t least_ms;
		uint32_t most_ms;
	} rows[] = {
#define PAUSE(failed, asked, least, most) { failed, asked, least, most },
#include "push.def"
	};
	static const uint32_t draws[] = { 0, 1, 999, 123456789, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (size_t j = 0; j < ARRAY_LEN(draws); j++) {
			uint32_t pause_ms =
				schedule_next_ms(rows[i].failed,
			                         rows[i].retry_after_s,
			                         draws[j]);

			assert_in_range(pause_ms, rows[i].least_ms,
			                rows[i].most_ms);
		}
	}
	assert_int_not_equal(schedule_next_ms(3, 0, 1),
	                     schedule_next_ms(3, 0, 2));
}

static void a_service_has_so_much_room(void **state)
{
	static struct in_flight in_flight;
	struct store_taking taking;

	(void)state;
	in_flight_limit(&in_flight, &taking);
	assert_int_equal(taking.push_limit, IN_FLIGHT_ALL_PUSH_MAX);
	assert_int_equal(taking.webhook_limit, IN_FLIGHT_WEBHOOK_MAX);
	assert_int_equal(taking.used_count, 0);
	for (unsigned i = 0; i < 9; i++)
		in_flight_enter_push(&in_flight, 7);
	in_flight_enter_push(&in_flight, 0);
	in_flight_enter_push(&in_flight, 8);
	in_flight_enter_webhook(&in_flight);
	in_flight_leave_push(&in_flight, 7);
	in_flight_leave_push(&in_flight, 0);
	in_flight_limit(&in_flight, &taking);
	assert_int_equal(taking.push_limit, IN_FLIGHT_ALL_PUSH_MAX - 9);
	assert_int_equal(taking.webhook_limit, IN_FLIGHT_WEBHOOK_MAX - 1);
	assert_int_equal(taking.room, IN_FLIGHT_PUSH_MAX);
	assert_int_equal(taking.used_count, 2);
	for (size_t i = 0; i < taking.used_count; i++)
		assert_int_equal(taking.used[i].count,
		                 taking.used[i].service == 7 ? 8 : 1);
	in_flight_leave_webhook(&in_flight);
	in_flight_limit(&in_flight, &taking);
	assert_int_equal(taking.webhook_limit, IN_FLIGHT_WEBHOOK_MAX);
}

/* --- the quota of a day --------------------------------------------------- */

/* How many requests are let through to a player of game 1 .. at this URL. */
static unsigned take_all(struct limiter *limiter, uint8_t game, uint8_t seat,
                         const char *url)
{
	const struct store_notification_key key = { .game.bytes = { game },
		                                    .seat = seat };
	unsigned count = 0;

	while (count <= DAILY_MAX && daily_take(limiter, &key, url))
		count++;
	return count;
}

static void a_day_has_so_many_requests(void **state)
{
	struct limiter *limiter = limiter_open();

	(void)state;
	assert_non_null(limiter);
	assert_int_equal(take_all(limiter, 1, 1, "https://a.example/x?1"),
	                 DAILY_MAX);
	/* The player at another endpoint; the endpoint of another player. */
	assert_int_equal(take_all(limiter, 1, 1, "https://b.example/y"), 0);
	assert_int_equal(take_all(limiter, 1, 2, "https://a.example/x?2"), 0);
	assert_int_equal(take_all(limiter, 2, 1, "https://A.example:443/%78"),
	                 0);
	/* Others. */
	assert_int_equal(take_all(limiter, 2, 2, "https://a.example/y"),
	                 DAILY_MAX);
	assert_int_equal(take_all(limiter, 3, 3, "https://b.example/y"),
	                 DAILY_MAX);
	limiter_close(limiter);
}

static void places_of_endpoints_ignore_how_they_are_written(void **state)
{
	static const struct {
		const char *url;
		const char *place;
	} each[] = {
		{ "https://push.example/a/b?c=/d", "push.example/a/b" },
		{ "https://PUSH.example:443/%61%2Fb", "push.example/a/b" },
		{ "https://push.example:8443/", "push.example:8443/" },
		{ "https://push.example/100%", "push.example/100%" },
		{ "https://push.example/%zz?%20", "push.example/%zz" },
	};
	char place[DAILY_PLACE_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(each); i++) {
		size_t len = daily_place(each[i].url, place);

		assert_int_equal(len, strlen(each[i].place));
		assert_memory_equal(place, each[i].place, len);
	}
}

/* --- endpoints ------------------------------------------------------------ */

static const char browser_key[] =
	"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8"
	"pZGH6SRpkNtoIAiw4";
static const char browser_auth[] = "BTBZMqHH6r4Tts7J_aSIgg";

static void read_browser(struct endpoint *endpoint)
{
	assert_null(
		endpoint_read_url("https://ntfy.sh/up?a", "", endpoint).code);
	assert_null(endpoint_read_key(browser_key, endpoint).code);
	assert_null(endpoint_read_auth(browser_auth, endpoint).code);
}

static void an_endpoint_is_stored_and_read(void **state)
{
	static const char *const damaged[] = {
		"",
		"https://ntfy.sh/up",
		"https://ntfy.sh/up a",
		"https://ntfy.sh/up a b",
		"https://ntfy.sh/up  ",
	};
	struct endpoint endpoint = { .url = "" };
	struct endpoint again = { .url = "" };
	uint8_t hash[ENDPOINT_HASH_SIZE];
	uint8_t read[ENDPOINT_HASH_SIZE] = { 0 };
	char text[ENDPOINT_STORED_SIZE];
	char id[ENDPOINT_ID_SIZE];

	(void)state;
	read_browser(&endpoint);
	endpoint_print(&endpoint, text);
	assert_true(endpoint_parse(text, &again));
	assert_memory_equal(&endpoint, &again, sizeof(again));
	for (size_t i = 0; i < ARRAY_LEN(damaged); i++)
		assert_false(endpoint_parse(damaged[i], &again));
	endpoint_hash(endpoint.url, hash);
	endpoint_id(hash, id);
	assert_true(endpoint_parse_id(id, read));
	assert_memory_equal(read, hash, sizeof(hash));
	id[42] = '\0';
	assert_false(endpoint_parse_id(id, read));
}

static void keys_are_judged(void **state)
{
	struct endpoint endpoint = { .url = "" };
	char key[sizeof(browser_key)];

	(void)state;
	read_browser(&endpoint);
	assert_true(p256_is_point(endpoint.key));
	endpoint.key[64] ^= 1;
	assert_false(p256_is_point(endpoint.key));
	/* The forms of infinity and of compressed points are shorter. */
	for (endpoint.key[0] = 0; endpoint.key[0] < 4; endpoint.key[0]++)
		assert_false(p256_is_point(endpoint.key));
	memset(endpoint.key + 1, 0xff, sizeof(endpoint.key) - 1);
	assert_false(p256_is_point(endpoint.key));
	memcpy(key, browser_key, sizeof(key));
	key[0] = 'C';
	assert_string_equal(endpoint_read_key(key, &endpoint).code,
	                    "not_allowed");
	assert_string_equal(endpoint_read_key("BCVx", &endpoint).code,
	                    "not_allowed");
	assert_string_equal(endpoint_read_auth("BTBZ", &endpoint).code,
	                    "not_allowed");
	assert_string_equal(endpoint_read_auth("", &endpoint).code,
	                    "not_allowed");
	assert_null(
		endpoint_read_auth("BTBZMqHH6r4Tts7J_aSIgg==", &endpoint).code);
}

/* --- encryption and signatures -------------------------------------------- */

static void decode(const char *text, uint8_t *bytes, size_t size)
{
	size_t len = 0;

	assert_int_equal(
		sodium_base642bin(bytes, size, text, strlen(text), NULL, &len,
	                          NULL,
	                          sodium_base64_VARIANT_URLSAFE_NO_PADDING),
		0);
	assert_int_equal(len, size);
}

/* RFC 8291, section 5. */
static void web_push_is_as_the_rfc_has_it(void **state)
{
	static const char text[] = "When I grow up, I want to be a watermelon";
	static const char expected[] =
		"DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27"
		"mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6"
		"cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
		"y4a-fN";
	struct endpoint endpoint = { .url = "" };
	struct web_push_draw draw;
	uint8_t body[sizeof(text) - 1 + WEB_PUSH_EXTRA];
	char printed[sizeof(expected)];

	(void)state;
	read_browser(&endpoint);
	decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", draw.scalar,
	       sizeof(draw.scalar));
	decode("DGv6ra1nlYgDCS1FRnbzlw", draw.salt, sizeof(draw.salt));
	assert_true(web_push_encrypt(&endpoint, &draw, text, sizeof(text) - 1,
	                             body));
	(void)sodium_bin2base64(printed, sizeof(printed), body, sizeof(body),
	                        sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	assert_string_equal(printed, expected);

	memset(draw.scalar, 0, sizeof(draw.scalar));
	assert_false(web_push_encrypt(&endpoint, &draw, text, 4, body));
	memset(draw.scalar, 0xff, sizeof(draw.scalar));
	assert_false(web_push_encrypt(&endpoint, &draw, text, 4, body));
	memset(draw.scalar, 1, sizeof(draw.scalar));
	endpoint.key[1] ^= 1;
	assert_false(web_push_encrypt(&endpoint, &draw, text, 4, body));
}

/* The curve's order is no scalar; the one before it mirrors the generator. */
static void scalars_are_judged(void **state)
{
	static const uint8_t generator[] = "\x04"
					   "\x6b\x17\xd1\xf2\xe1\x2c\x42\x47"
					   "\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2"
					   "\x77\x03\x7d\x81\x2d\xeb\x33\xa0"
					   "\xf4\xa1\x39\x45\xd8\x98\xc2\x96"
					   "\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b"
					   "\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16"
					   "\x2b\xce\x33\x57\x6b\x31\x5e\xce"
					   "\xcb\xb6\x40\x68\x37\xbf\x51\xf5";
	uint8_t scalar[] = "\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff"
			   "\xff\xff\xff\xff"
			   "\xbc\xe6\xfa\xad\xa7\x17\x9e\x84\xf3\xb9\xca\xc2"
			   "\xfc\x63\x25\x51";
	uint8_t point[ENDPOINT_KEY_SIZE];
	uint8_t secret[P256_SCALAR_SIZE];

	(void)state;
	assert_false(p256_share(scalar, generator, point, secret));
	scalar[P256_SCALAR_SIZE - 1]--;
	assert_true(p256_share(scalar, generator, point, secret));
	assert_memory_equal(secret, generator + 1, sizeof(secret));
	assert_memory_equal(point, generator, 1 + sizeof(secret));
	assert_memory_not_equal(point, generator, sizeof(point));
}

/* The example of the specification's own libraries, and a second secret. */
static void webhooks_are_signed(void **state)
{
	static const char body[] = "{\"test\": 2432232314}";
	static const char *const wrong[] = {
		"whsec_",
		"whsec_short",
		"",
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZI!",
	};
	struct webhook_secrets secrets = { .count = 0 };
	char signature[WEBHOOK_SIGNATURE_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_false(webhook_add_secret(&secrets, wrong[i]));
	assert_true(webhook_add_secret(
		&secrets, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
	webhook_sign(&secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body,
	             sizeof(body) - 1, signature);
	assert_string_equal(signature,
	                    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
	for (unsigned i = 1; i < WEBHOOK_SECRETS_MAX; i++)
		assert_true(webhook_add_secret(
			&secrets, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
	assert_false(webhook_add_secret(&secrets,
	                                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
	webhook_sign(&secrets, "a", 1, body, 1, signature);
	assert_int_equal(strlen(signature), 4 * 47 + 3);
}

static void a_drawn_key_signs(void **state)
{
	char private_key[VAPID_PRIVATE_SIZE];
	char public_key[VAPID_PUBLIC_SIZE];
	char header[VAPID_HEADER_SIZE];

	(void)state;
	assert_true(vapid_draw(private_key, public_key));
	assert_true(vapid_is_public_key(public_key));
	struct vapid *vapid = vapid_open(private_key);
	assert_non_null(vapid);
	assert_string_equal(vapid_public_key(vapid), public_key);
	assert_true(vapid_authorize(vapid, "push.example", "mailto:a@b", 1,
	                            header));
	assert_non_null(strstr(header, public_key));
	vapid_close(vapid);
	assert_null(vapid_open(""));
	assert_null(vapid_open("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"));
	public_key[87 - 1] ^= 1;
	assert_false(vapid_is_public_key(private_key));
}

/* --- messages ------------------------------------------------------------- */

static void messages_say_no_more(void **state)
{
	struct message message = {
		.game = { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		            16 } },
		.version = 12,
		.seat = 3,
		.code = PUSH_CODE_YOUR_TURN,
		.code_text = push_code_text(PUSH_CODE_YOUR_TURN),
		.ruleset = "the_gang",
		.mode = "basic",
		.name = "\"Bo",
		.target = "",
		.created_us = 1000000,
		.reference = "\"7\"",
	};
	char text[MESSAGE_SIZE];
	char topic[MESSAGE_TOPIC_SIZE];

	(void)state;
	text[message_print_push(&message, text)] = '\0';
	assert_string_equal(
		text, "{\"id\":\"msg_0102030405060708090a0b0c0d0e0f10_12_3\","
		      "\"code\":\"your_turn\","
		      "\"game\":\"01020304-0506-0708-090a-0b0c0d0e0f10\","
		      "\"version\":12,\"seat\":3,\"rematch\":null,"
		      "\"ruleset\":\"the_gang\",\"mode\":\"basic\","
		      "\"name\":\"\\\"Bo\",\"host\":null}");
	message.rematch = message.game;
	message.code = PUSH_CODE_REMATCH;
	message.code_text = push_code_text(message.code);
	text[message_print_webhook(&message, text)] = '\0';
	assert_string_equal(
		text,
		"{\"type\":\"rematch\","
		"\"timestamp\":\"1970-01-01T00:00:01.000000Z\","
		"\"data\":{\"game\":\"01020304-0506-0708-090a-0b0c0d0e0f10\","
		"\"version\":12,\"seat\":3,"
		"\"rematch\":\"01020304-0506-0708-090a-0b0c0d0e0f10\","
		"\"ruleset\":\"the_gang\",\"mode\":\"basic\","
		"\"name\":\"\\\"Bo\",\"host\":null,"
		"\"client_reference\":\"\\\"7\\\"\"}}");
	message_topic(&message, topic);
	assert_string_equal(topic, "0102030405060708090a0b0c0d0e0f10");
	assert_null(push_code_text(0));
	assert_true(push_code_waits(PUSH_CODE_HEIST_STARTED));
	assert_false(push_code_waits(PUSH_CODE_HEIST_SUCCEEDED));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_judged),
		cmocka_unit_test(a_service_has_all_names_of_its_entry),
		cmocka_unit_test(addresses_are_judged),
		cmocka_unit_test(pauses_grow),
		cmocka_unit_test(a_service_has_so_much_room),
		cmocka_unit_test(a_day_has_so_many_requests),
		cmocka_unit_test(
			places_of_endpoints_ignore_how_they_are_written),
		cmocka_unit_test(an_endpoint_is_stored_and_read),
		cmocka_unit_test(keys_are_judged),
		cmocka_unit_test(web_push_is_as_the_rfc_has_it),
		cmocka_unit_test(scalars_are_judged),
		cmocka_unit_test(webhooks_are_signed),
		cmocka_unit_test(a_drawn_key_signs),
		cmocka_unit_test(messages_say_no_more),
	};

	return cmocka_run_group_tests_name("push", tests, NULL, NULL);
}
