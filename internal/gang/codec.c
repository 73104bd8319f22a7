/*
 * The state of a game as bytes:
 *
 *   format 1, key 0, mode, shuffled, players; and once started gold, red,
 *   the heist, the number of ended heists, and those.
 *
 * Cards are numbers as in card.h, chips are holders by stars.
 */
#include <string.h>

#include "gang/gang.h"

enum {
	FORMAT = 1,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

static void put_pocket(struct bytes_out *out, const struct pocket *pocket)
{
	bytes_put(out, pocket->count);
	bytes_put_run(out, pocket->cards, pocket->count);
}

static void get_pocket(struct bytes_in *in, struct pocket *pocket)
{
	pocket->count = bytes_get(in);
	if (pocket->count > HEIST_POCKET_MAX)
		in->short_of = true;
	else
		bytes_get_run(in, pocket->cards, pocket->count);
}

static void put_cards(struct bytes_out *out, const uint8_t *cards,
                      unsigned count)
{
	bytes_put(out, count);
	bytes_put_run(out, cards, count);
}

static uint8_t get_cards(struct bytes_in *in, uint8_t *cards, unsigned max)
{
	unsigned count = bytes_get(in);

	if (count > max)
		in->short_of = true;
	else
		bytes_get_run(in, cards, count);
	return (uint8_t)count;
}

static void put_heist(struct bytes_out *out, const struct heist *heist)
{
	bytes_put(out, heist->number);
	bytes_put(out, heist->round);
	bytes_put(out, heist->outcome);
	bytes_put(out, heist->challenges >> 8);
	bytes_put(out, heist->challenges & 0xff);
	for (unsigned i = 0; i < heist->players; i++)
		put_pocket(out, &heist->pockets[i]);
	put_cards(out, heist->community, heist->community_count);
	put_cards(out, heist->deck, heist->deck_count);
	put_cards(out, heist->discards, heist->discards_count);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		put_cards(out, heist->chips[color].holder,
		          heist->chips[color].count);
}

static void get_heist(struct bytes_in *in, struct heist *heist,
                      unsigned players)
{
	heist->players = (uint8_t)players;
	heist->number = bytes_get(in);
	heist->round = bytes_get(in);
	heist->outcome = bytes_get(in);
	heist->challenges = (uint16_t)(bytes_get(in) << 8);
	heist->challenges |= bytes_get(in);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &heist->pockets[i]);
	heist->community_count =
		get_cards(in, heist->community, HEIST_COMMUNITY_MAX);
	heist->deck_count = get_cards(in, heist->deck, CARD_COUNT);
	heist->discards_count =
		get_cards(in, heist->discards, HEIST_DISCARDS_MAX);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		heist->chips[color].count =
			get_cards(in, heist->chips[color].holder, CHIPS_MAX);
}

static void put_record(struct bytes_out *out, const struct record *record)
{
	bytes_put(out, record->outcome);
	bytes_put(out, record->challenges >> 8);
	bytes_put(out, record->challenges & 0xff);
	bytes_put_run(out, record->community, HEIST_COMMUNITY_MAX);
	for (unsigned i = 0; i < record->players; i++)
		put_pocket(out, &record->pockets[i]);
	bytes_put_run(out, record->red.holder, record->players);
}

static void get_record(struct bytes_in *in, struct record *record,
                       unsigned number, unsigned players)
{
	record->number = (uint8_t)number;
	record->players = (uint8_t)players;
	record->outcome = bytes_get(in);
	record->challenges = (uint16_t)(bytes_get(in) << 8);
	record->challenges |= bytes_get(in);
	bytes_get_run(in, record->community, HEIST_COMMUNITY_MAX);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &record->pockets[i]);
	record->red.count = (uint8_t)players;
	bytes_get_run(in, record->red.holder, players);
}

size_t gang_encode(const struct gang *gang, uint8_t *bytes)
{
	struct bytes_out out = { .start = bytes, .size = RULESET_STATE_MAX };

	bytes_put(&out, FORMAT);
	bytes_put(&out, KEY_NONE);
	bytes_put(&out, gang->mode);
	bytes_put(&out, gang->shuffled_stacks);
	bytes_put(&out, gang->players);
	if (gang->players) {
		bytes_put(&out, gang->gold);
		bytes_put(&out, gang->red);
		put_heist(&out, &gang->heist);
		bytes_put(&out, gang->ended_count);
		for (unsigned i = 0; i < gang->ended_count; i++)
			put_record(&out, &gang->ended[i]);
	}
	/* The longest state is some 500 bytes: see the codec's test. */
	return out.full ? 0 : out.len;
}

static void get_started(struct bytes_in *in, struct gang *gang)
{
	gang->gold = bytes_get(in);
	gang->red = bytes_get(in);
	get_heist(in, &gang->heist, gang->players);
	gang->ended_count = bytes_get(in);
	if (gang->ended_count >= GANG_HEISTS_MAX) {
		in->short_of = true;
		return;
	}
	for (unsigned i = 0; i < gang->ended_count; i++)
		get_record(in, &gang->ended[i], i + 1, gang->players);
}

bool gang_decode(struct gang *gang, const uint8_t *bytes, size_t len)
{
	struct bytes_in in = { .at = bytes, .left = len };
	struct gang read = { 0 };

	bytes_expect(&in, FORMAT);
	bytes_expect(&in, KEY_NONE);
	read.mode = bytes_get(&in);
	unsigned shuffled = bytes_get(&in);
	read.shuffled_stacks = shuffled == 1;
	read.players = bytes_get(&in);
	if (shuffled > 1 || read.players > GANG_PLAYERS_MAX)
		return false;
	if (read.players)
		get_started(&in, &read);
	if (!bytes_all_read(&in) || !gang_valid(&read))
		return false;
	*gang = read;
	return true;
}
