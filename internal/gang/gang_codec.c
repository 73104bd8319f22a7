/*
 * The state of a game as bytes:
 *
 *   format, key 0, mode, shuffled, players, the two stacks; and once started
 *   vaults, alarms, the heist, the closed deals by seat, the number of ended
 *   heists, and those; and at the end a checksum of all before it.
 *
 * Cards are numbers as in card.h, chips are holders by stars.  Of an abandoned
 * heist there is only its plan.  Every format is read for ever: format 1 knew
 * neither stacks nor specialists nor questions, and no vacant seats; up to
 * format 2 a stack lacked the cards that its mode plays without, and every
 * heist was dealt once; up to format 3 there was no checksum.
 */
#include "base/bytes.h"
#include "gang/challenge.h"
#include "gang/gang.h"
#include "gang/specialist.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT_SECOND = 2,
	FORMAT_THIRD = 3,
	FORMAT = 4,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

static void put_pocket(struct bytes_out *out, const struct pocket *pocket)
{
	put_list(out, pocket->cards, pocket->count);
}

static void get_pocket(struct bytes_in *in, struct pocket *pocket)
{
	pocket->count = get_list(in, pocket->cards, POCKET_MAX);
}

/* --- stacks --------------------------------------------------------------- */

static void put_stack(struct bytes_out *out, const struct stack *stack)
{
	put_u16be(out, stack->seen);
	put_u8(out, stack->is_shuffled);
	put_list(out, stack->cards, stack->count);
}

static void get_stack(struct bytes_in *in, struct stack *stack)
{
	stack->seen = get_u16be(in);
	stack->is_shuffled = get_bool(in);
	stack->count = get_list(in, stack->cards, STACK_MAX);
}

/* --- specialists ---------------------------------------------------------- */

static void put_ability(struct bytes_out *out, const struct ability *ability,
                        unsigned players)
{
	const struct proposal *proposal = &ability->proposal;

	put_u8(out, ability->state);
	put_u8(out, proposal->by);
	put_u8(out, proposal->seat);
	put_u8(out, proposal->target);
	put_u8(out, proposal->value);
	put_u8(out, proposal->agreed);
	put_u8(out, ability->choosing);
	put_u8(out, ability->drawn);
	put_u8(out, ability->shown);
	put_bytes(out, ability->laid_out, players);
	for (unsigned i = 0; i < players; i++)
		put_pocket(out, &ability->former[i]);
	put_u8(out, ability->announcements_count);
	for (unsigned i = 0; i < ability->announcements_count; i++) {
		const struct announcement *of = &ability->announcements[i];

		put_u8(out, of->seat);
		put_u8(out, of->target);
		put_u8(out, of->value);
		put_u8(out, of->count);
	}
}

static void get_announcements(struct bytes_in *in, struct ability *ability)
{
	ability->announcements_count = get_u8(in);
	if (ability->announcements_count > HEIST_PLAYERS_MAX) {
		get_fail(in);
		return;
	}
	for (unsigned i = 0; i < ability->announcements_count; i++) {
		struct announcement *of = &ability->announcements[i];

		of->seat = get_u8(in);
		of->target = get_u8(in);
		of->value = get_u8(in);
		of->count = get_u8(in);
	}
}

static void get_ability(struct bytes_in *in, struct ability *ability,
                        unsigned players)
{
	struct proposal *proposal = &ability->proposal;

	ability->state = get_u8(in);
	proposal->by = get_u8(in);
	proposal->seat = get_u8(in);
	proposal->target = get_u8(in);
	proposal->value = get_u8(in);
	proposal->agreed = get_u8(in);
	ability->choosing = get_u8(in);
	ability->drawn = get_u8(in);
	ability->shown = get_u8(in);
	get_bytes(in, ability->laid_out, players);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &ability->former[i]);
	get_announcements(in, ability);
}

/* --- heists --------------------------------------------------------------- */

static void put_questions(struct bytes_out *out,
                          const struct question *questions, uint16_t challenges,
                          unsigned players)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!challenges_asking(challenges, i))
			continue;
		put_u8(out, questions[i].agreed);
		put_bytes(out, questions[i].answers, players);
	}
}

static void get_questions(struct bytes_in *in, struct question *questions,
                          uint16_t challenges, unsigned players)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!challenges_asking(challenges, i))
			continue;
		questions[i].agreed = get_u8(in);
		get_bytes(in, questions[i].answers, players);
	}
}

/* The cards and chips, on the table and in the hands. */
static void put_table(struct bytes_out *out, const struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	for (unsigned i = 0; i < plan->players; i++)
		put_pocket(out, &heist->pockets[i]);
	put_list(out, heist->community, heist->community_count);
	put_list(out, heist->deck, heist->deck_count);
	put_list(out, heist->discards, heist->discards_count);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		put_list(out, heist->chips[color].holder,
		         heist->chips[color].count);
	if (plan->specialist)
		put_ability(out, &heist->ability, plan->players);
	put_questions(out, heist->questions, plan->challenges, plan->players);
}

static void put_heist(struct bytes_out *out, const struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	put_u8(out, plan->number);
	put_u8(out, plan->deal);
	put_u8(out, heist->round);
	put_u8(out, heist->outcome);
	put_u16be(out, plan->challenges);
	put_u16be(out, plan->permanent);
	put_u8(out, plan->specialist);
	if (heist->outcome != OUTCOME_ABANDONED)
		put_table(out, heist);
	put_u8(out, plan->vacant);
}

static void get_plan(struct bytes_in *in, struct plan *plan, unsigned format)
{
	plan->challenges = get_u16be(in);
	if (format == FORMAT_FIRST)
		return;
	plan->permanent = get_u16be(in);
	plan->specialist = get_u8(in);
}

static void get_table(struct bytes_in *in, struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	for (unsigned i = 0; i < plan->players; i++)
		get_pocket(in, &heist->pockets[i]);
	heist->community_count = get_list(in, heist->community, COMMUNITY_MAX);
	heist->deck_count = get_list(in, heist->deck, CARD_DECK_COUNT);
	heist->discards_count =
		get_list(in, heist->discards, HEIST_DISCARDS_MAX);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		heist->chips[color].count =
			get_list(in, heist->chips[color].holder, CHIPS_MAX);
	if (plan->specialist)
		get_ability(in, &heist->ability, plan->players);
	get_questions(in, heist->questions, plan->challenges, plan->players);
}

static void get_heist(struct bytes_in *in, struct heist *heist,
                      unsigned players, unsigned format)
{
	struct plan *plan = &heist->plan;

	plan->players = (uint8_t)players;
	plan->number = get_u8(in);
	plan->deal = format > FORMAT_SECOND ? get_u8(in) : plan->number;
	heist->round = get_u8(in);
	heist->outcome = get_u8(in);
	get_plan(in, plan, format);
	if (!challenges_exist(plan->challenges) ||
	    (plan->specialist && !specialist_exists(plan->specialist))) {
		get_fail(in);
		return;
	}
	heist_reset_ability(heist);
	if (heist->outcome != OUTCOME_ABANDONED)
		get_table(in, heist);
	if (format != FORMAT_FIRST)
		plan->vacant = get_u8(in);
}

static void put_summary(struct bytes_out *out, const struct summary *summary)
{
	put_u8(out, summary->outcome);
	put_u16be(out, summary->challenges);
	put_u16be(out, summary->permanent);
	put_u8(out, summary->specialist);
	put_u8(out, summary->used_by);
	put_bytes(out, summary->community, COMMUNITY_MAX);
	for (unsigned i = 0; i < summary->players; i++)
		put_pocket(out, &summary->pockets[i]);
	put_bytes(out, summary->red.holder, summary->players);
	put_questions(out, summary->questions, summary->challenges,
	              summary->players);
}

static void get_summary(struct bytes_in *in, struct summary *summary,
                        unsigned number, unsigned players, unsigned format)
{
	summary->number = (uint8_t)number;
	summary->players = (uint8_t)players;
	summary->outcome = get_u8(in);
	summary->challenges = get_u16be(in);
	if (format != FORMAT_FIRST) {
		summary->permanent = get_u16be(in);
		summary->specialist = get_u8(in);
		summary->used_by = get_u8(in);
	}
	get_bytes(in, summary->community, COMMUNITY_MAX);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &summary->pockets[i]);
	summary->red.count = (uint8_t)players;
	get_bytes(in, summary->red.holder, players);
	if (!challenges_exist(summary->challenges))
		get_fail(in);
	else
		get_questions(in, summary->questions, summary->challenges,
		              players);
}

/* --- the game ------------------------------------------------------------- */

size_t gang_encode(const void *state, uint8_t *bytes)
{
	const struct gang *gang = state;
	struct bytes_out out = { .start = bytes, .size = RULESET_STATE_MAX };

	put_u8(&out, FORMAT);
	put_u8(&out, KEY_NONE);
	put_u8(&out, gang->mode);
	put_u8(&out, gang->shuffled_stacks);
	put_u8(&out, gang->players);
	put_stack(&out, &gang->challenges);
	put_stack(&out, &gang->specialists);
	if (gang->players) {
		put_u8(&out, gang->vaults);
		put_u8(&out, gang->alarms);
		put_heist(&out, &gang->heist);
		put_bytes(&out, gang->closed_deals, gang->players);
		put_u8(&out, gang->ended_count);
		for (unsigned i = 0; i < gang->ended_count; i++)
			put_summary(&out, &gang->ended[i]);
	}
	put_checksum(&out);
	/* The longest state is some 600 bytes: see the codec's test. */
	return out.full ? 0 : out.len;
}

static void get_started(struct bytes_in *in, struct gang *gang, unsigned format)
{
	gang->vaults = get_u8(in);
	gang->alarms = get_u8(in);
	get_heist(in, &gang->heist, gang->players, format);
	if (format > FORMAT_SECOND)
		get_bytes(in, gang->closed_deals, gang->players);
	gang->ended_count = get_u8(in);
	if (gang->ended_count >= GANG_HEISTS_MAX) {
		get_fail(in);
		return;
	}
	for (unsigned i = 0; i < gang->ended_count; i++)
		get_summary(in, &gang->ended[i], i + 1, gang->players, format);
}

/* The options give each stack its cards; the bytes give their order. */
static bool get_lobby(struct bytes_in *in, struct gang *gang, unsigned format)
{
	struct options options = { .mode = get_u8(in) };

	options.shuffled_stacks = get_bool(in);
	if (!gang_init(gang, &options))
		return false;
	gang->players = get_u8(in);
	if (gang->players > GANG_PLAYERS_MAX)
		return false;
	if (format == FORMAT_FIRST)
		return true;
	get_stack(in, &gang->challenges);
	get_stack(in, &gang->specialists);
	return true;
}

bool gang_decode(void *state, const uint8_t *bytes, size_t len)
{
	struct gang *gang = state;
	struct bytes_in in = { .at = bytes, .left = len };
	unsigned format = len ? bytes[0] : 0;
	struct gang read;

	if (format < FORMAT_FIRST || format > FORMAT)
		return false;
	if (format > FORMAT_THIRD)
		get_checksum(&in);
	if (in.broken)
		return false;
	get_expected(&in, format);
	get_expected(&in, KEY_NONE);
	if (!get_lobby(&in, &read, format))
		return false;
	if (read.players)
		get_started(&in, &read, format);
	if (!get_all_read(&in))
		return false;
	if (format <= FORMAT_SECOND) {
		stack_complete(&read.challenges, read.heist.plan.challenges);
		stack_complete(&read.specialists,
		               plan_specialists(&read.heist.plan));
	}
	if (!gang_valid(&read))
		return false;
	*gang = read;
	return true;
}
