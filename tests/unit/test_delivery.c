/*
 * test_delivery.c - a delivery that is used again keeps nothing of its last
 * use.
 *
 * Nothing is sent here: tests/push has the requests themselves.
 */
#include <string.h>
#include <strings.h>

#include <sodium.h>

#include "rows.h"
#include "sender/delivery.h"

/* The browser of RFC 8291's example. */
static const char subscription[] =
	"https://push.example/secret "
	"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8"
	"pZGH6SRpkNtoIAiw4 BTBZMqHH6r4Tts7J_aSIgg";

static struct webhook_secrets secrets;
static struct sender_config config = {
	.hosts = "push.example",
	.private_list = "",
	.ca_file = "",
	.contact = "mailto:operator@gang.example",
	.webhook_url = "http://127.0.0.1/hook",
	.secrets = &secrets,
};

static struct store_notification to_browser(void)
{
	return (struct store_notification){
		.key = { .version = 7, .seat = 1, .target = { 1 } },
		.code = 1,
		.service = 9,
		.left_s = 60,
		.subscription = subscription,
	};
}

static struct store_notification to_webhook(void)
{
	return (struct store_notification){
		.key = { .version = 8, .seat = 2 },
		.code = 1,
		.left_s = 60,
		.client_reference = "account 7",
	};
}

/* The field of a request with this name, or NULL.  Each field occurs once. */
static const char *find_field(const struct delivery *delivery, const char *name)
{
	const char *found = NULL;

	for (const struct curl_slist *at = delivery->fields; at;
	     at = at->next) {
		if (strncasecmp(at->data, name, strlen(name)) != 0 ||
		    at->data[strlen(name)] != ':')
			continue;
		assert_null(found);
		found = at->data;
	}
	return found;
}

static void begin(struct delivery *delivery, struct store_notification taken)
{
	assert_true(delivery_aim(delivery, &taken));
	assert_true(delivery_begin(delivery, &taken));
	assert_true(delivery->is_busy);
}

static void assert_webhook(const struct delivery *delivery)
{
	assert_non_null(find_field(delivery, "webhook-signature"));
	assert_string_equal(find_field(delivery, "Content-Type"),
	                    "Content-Type: application/json");
	assert_null(find_field(delivery, "Authorization"));
	assert_null(find_field(delivery, "Content-Encoding"));
	assert_null(find_field(delivery, "Topic"));
	assert_string_equal(delivery->endpoint.url, "");
	assert_string_equal(delivery->host, "");
	assert_int_equal(delivery->service, 0);
	assert_int_equal(delivery->status, 0);
	assert_int_equal(delivery->read, 0);
	assert_int_equal(delivery->head_read, 0);
	for (size_t i = 0; i < sizeof(delivery->body); i++)
		assert_int_equal(delivery->body[i], 0);
}

/* Also if libcurl did not take the request, and it had no end. */
static void a_webhook_has_nothing_of_web_push(void **state)
{
	struct delivery delivery;
	uint32_t retry_after_s;

	(void)state;
	assert_true(delivery_open(&delivery, &config));
	for (unsigned ended = 0; ended < 2; ended++) {
		begin(&delivery, to_browser());
		assert_non_null(find_field(&delivery, "Authorization"));
		assert_string_equal(delivery.endpoint.url,
		                    "https://push.example/secret");
		delivery.status = 410;
		delivery.read = delivery.head_read = 99;
		if (ended)
			assert_int_equal(delivery_end(&delivery,
			                              &retry_after_s),
			                 DELIVERY_GONE);
		assert_int_equal(delivery.is_busy, !ended);
		begin(&delivery, to_webhook());
		assert_webhook(&delivery);
	}
	delivery_close(&delivery);
}

static void web_push_has_nothing_of_a_webhook(void **state)
{
	struct delivery delivery;
	uint32_t retry_after_s;

	(void)state;
	assert_true(delivery_open(&delivery, &config));
	begin(&delivery, to_webhook());
	delivery.status = 204;
	assert_int_equal(delivery_end(&delivery, &retry_after_s),
	                 DELIVERY_DONE);
	begin(&delivery, to_browser());
	assert_null(find_field(&delivery, "webhook-signature"));
	assert_null(find_field(&delivery, "webhook-id"));
	assert_null(strstr(delivery.text, "account 7"));
	/* No answer yet: that would be a failure. */
	assert_int_equal(delivery_end(&delivery, &retry_after_s),
	                 DELIVERY_FAILED);
	assert_int_equal(retry_after_s, 0);
	delivery_close(&delivery);
}

static void a_use_that_fails_leaves_nothing(void **state)
{
	struct store_notification bad = to_browser();
	struct delivery delivery;

	(void)state;
	assert_true(delivery_open(&delivery, &config));
	bad.subscription = "https://push.example/secret x y";
	assert_false(delivery_aim(&delivery, &bad));
	begin(&delivery, to_webhook());
	assert_webhook(&delivery);
	delivery_close(&delivery);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_webhook_has_nothing_of_web_push),
		cmocka_unit_test(web_push_has_nothing_of_a_webhook),
		cmocka_unit_test(a_use_that_fails_leaves_nothing),
	};
	char private_key[VAPID_PRIVATE_SIZE];
	char public_key[VAPID_PUBLIC_SIZE];
	struct vapid *vapid = NULL;

	if (sodium_init() >= 0 && vapid_draw(private_key, public_key))
		vapid = vapid_open(private_key);
	if (!vapid ||
	    !webhook_add_secret(&secrets, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
		return 1;
	config.vapid = vapid;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	vapid_close(vapid);
	return failed;
}
