/*
 * Reads stored games back; nothing is kept but what the arena of the test has.
 */
#include "asks.h"

void assert_same_game(const struct store_game *is,
                      const struct store_game *should)
{
	assert_memory_equal(&is->id, &should->id, sizeof(is->id));
	assert_int_equal(is->version, should->version);
	assert_int_equal(is->ruleset, should->ruleset);
	assert_int_equal(is->rules_version, should->rules_version);
	assert_int_equal(is->mode != NULL, should->mode != NULL);
	if (should->mode)
		assert_string_equal(is->mode, should->mode);
	assert_string_equal(is->status, should->status);
	assert_int_equal(is->is_public, should->is_public);
	assert_int_equal(is->spectators, should->spectators);
	assert_int_equal(is->seats_max, should->seats_max);
	assert_int_equal(is->seats_count, should->seats_count);
	assert_int_equal(is->host, should->host);
	assert_string_equal(is->invite_code, should->invite_code);
	assert_int_equal(is->state_len, should->state_len);
	assert_memory_equal(is->state, should->state, is->state_len);
}

void assert_same_part(const uint8_t *is, size_t is_len, const uint8_t *should,
                      size_t should_len)
{
	assert_int_equal(is != NULL, should_len > 0);
	assert_int_equal(is_len, should_len);
	if (is)
		assert_memory_equal(is, should, is_len);
}

void assert_same_event(const struct store_event *is,
                       const struct store_event *should)
{
	assert_int_equal(is->type, should->type);
	assert_int_equal(is->seat, should->seat);
	assert_int_equal(is->part, should->part);
	assert_int_equal(is->subpart, should->subpart);
	assert_same_part(is->public_data, is->public_len, should->public_data,
	                 should->public_len);
	assert_same_part(is->private_data, is->private_len,
	                 should->private_data, should->private_len);
}

struct reply find_invitation(const char *code)
{
	struct reply answer = { .count = 0 };

	store_find_invitation(store, code, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

struct reply read_events(struct uuid id, uint32_t after, uint32_t up_to,
                         unsigned limit)
{
	struct reply answer = { .count = 0 };
	struct store_page page = { .after = after,
		                   .up_to = up_to,
		                   .limit = limit };

	store_events(store, id, page, &arena, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}

struct reply delete_game(struct uuid id, uint32_t version)
{
	struct reply answer = { .count = 0 };

	store_delete(store, id, version, on_answer, &answer);
	await(store, &answer, 1);
	return answer;
}
