/*
 * The state of a game as bytes:
 *
 *   format, key 0, mode, shuffled, players, the two stacks; and once started
 *   vaults, alarms, the heist, the closed deals by seat, the number of ended
 *   heists, and those.
 *
 * Cards are numbers as in card.h, chips are holders by stars.  Of an abandoned
 * heist there is only its plan.  Every format is read for ever: format 1 knew
 * neither stacks nor specialists nor questions, and no vacant seats; up to
 * format 2 a stack lacked the cards that its mode plays without, and every
 * heist was dealt once.
 */
#include "base/bytes.h"
#include "gang/challenge.h"
#include "gang/gang.h"
#include "gang/specialist.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT_SECOND = 2,
	FORMAT = 3,
	KEY_NONE = 0, /* the bytes are not encrypted */
};

static void put_set(struct bytes_out *out, unsigned set)
{
	bytes_put(out, set >> 8);
	bytes_put(out, set & 0xff);
}

static uint16_t get_set(struct bytes_in *in)
{
	unsigned high = bytes_get(in);

	return (uint16_t)(high << 8 | bytes_get(in));
}

static void put_pocket(struct bytes_out *out, const struct pocket *pocket)
{
	bytes_put_list(out, pocket->cards, pocket->count);
}

static void get_pocket(struct bytes_in *in, struct pocket *pocket)
{
	pocket->count = bytes_get_list(in, pocket->cards, POCKET_MAX);
}

/* --- stacks --------------------------------------------------------------- */

static void put_stack(struct bytes_out *out, const struct stack *stack)
{
	put_set(out, stack->seen);
	bytes_put(out, stack->is_shuffled);
	bytes_put_list(out, stack->cards, stack->count);
}

static void get_stack(struct bytes_in *in, struct stack *stack)
{
	stack->seen = get_set(in);
	stack->is_shuffled = bytes_get_bool(in);
	stack->count = bytes_get_list(in, stack->cards, STACK_MAX);
}

/* --- specialists ---------------------------------------------------------- */

static void put_use(struct bytes_out *out, const struct use *use,
                    unsigned players)
{
	const struct proposal *proposal = &use->proposal;

	bytes_put(out, use->state);
	bytes_put(out, proposal->by);
	bytes_put(out, proposal->seat);
	bytes_put(out, proposal->target);
	bytes_put(out, proposal->value);
	bytes_put(out, proposal->agreed);
	bytes_put(out, use->choosing);
	bytes_put(out, use->drawn);
	bytes_put(out, use->shown);
	bytes_put_run(out, use->laid_out, players);
	for (unsigned i = 0; i < players; i++)
		put_pocket(out, &use->former[i]);
	bytes_put(out, use->announcements_count);
	for (unsigned i = 0; i < use->announcements_count; i++) {
		const struct announcement *of = &use->announcements[i];

		bytes_put(out, of->seat);
		bytes_put(out, of->target);
		bytes_put(out, of->value);
		bytes_put(out, of->count);
	}
}

static void get_announcements(struct bytes_in *in, struct use *use)
{
	use->announcements_count = bytes_get(in);
	if (use->announcements_count > HEIST_PLAYERS_MAX) {
		bytes_fail(in);
		return;
	}
	for (unsigned i = 0; i < use->announcements_count; i++) {
		struct announcement *of = &use->announcements[i];

		of->seat = bytes_get(in);
		of->target = bytes_get(in);
		of->value = bytes_get(in);
		of->count = bytes_get(in);
	}
}

static void get_use(struct bytes_in *in, struct use *use, unsigned players)
{
	struct proposal *proposal = &use->proposal;

	use->state = bytes_get(in);
	proposal->by = bytes_get(in);
	proposal->seat = bytes_get(in);
	proposal->target = bytes_get(in);
	proposal->value = bytes_get(in);
	proposal->agreed = bytes_get(in);
	use->choosing = bytes_get(in);
	use->drawn = bytes_get(in);
	use->shown = bytes_get(in);
	bytes_get_run(in, use->laid_out, players);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &use->former[i]);
	get_announcements(in, use);
}

/* --- heists --------------------------------------------------------------- */

static void put_questions(struct bytes_out *out,
                          const struct question *questions, uint16_t challenges,
                          unsigned players)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!showdown_asking(challenges, i))
			continue;
		bytes_put(out, questions[i].agreed);
		bytes_put_run(out, questions[i].answers, players);
	}
}

static void get_questions(struct bytes_in *in, struct question *questions,
                          uint16_t challenges, unsigned players)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!showdown_asking(challenges, i))
			continue;
		questions[i].agreed = bytes_get(in);
		bytes_get_run(in, questions[i].answers, players);
	}
}

/* What lies on the table, and in the hands. */
static void put_table(struct bytes_out *out, const struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	for (unsigned i = 0; i < plan->players; i++)
		put_pocket(out, &heist->pockets[i]);
	bytes_put_list(out, heist->community, heist->community_count);
	bytes_put_list(out, heist->deck, heist->deck_count);
	bytes_put_list(out, heist->discards, heist->discards_count);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		bytes_put_list(out, heist->chips[color].holder,
		               heist->chips[color].count);
	if (plan->specialist)
		put_use(out, &heist->use, plan->players);
	put_questions(out, heist->questions, plan->challenges, plan->players);
}

static void put_heist(struct bytes_out *out, const struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	bytes_put(out, plan->number);
	bytes_put(out, plan->deal);
	bytes_put(out, heist->round);
	bytes_put(out, heist->outcome);
	put_set(out, plan->challenges);
	put_set(out, plan->permanent);
	bytes_put(out, plan->specialist);
	if (heist->outcome != OUTCOME_ABANDONED)
		put_table(out, heist);
	bytes_put(out, plan->vacant);
}

static void get_plan(struct bytes_in *in, struct plan *plan, unsigned format)
{
	plan->challenges = get_set(in);
	if (format == FORMAT_FIRST)
		return;
	plan->permanent = get_set(in);
	plan->specialist = bytes_get(in);
}

static void get_table(struct bytes_in *in, struct heist *heist)
{
	const struct plan *plan = &heist->plan;

	for (unsigned i = 0; i < plan->players; i++)
		get_pocket(in, &heist->pockets[i]);
	heist->community_count =
		bytes_get_list(in, heist->community, COMMUNITY_MAX);
	heist->deck_count = bytes_get_list(in, heist->deck, CARD_DECK_COUNT);
	heist->discards_count =
		bytes_get_list(in, heist->discards, HEIST_DISCARDS_MAX);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		heist->chips[color].count =
			bytes_get_list(in, heist->chips[color].holder,
		                       CHIPS_MAX);
	if (plan->specialist)
		get_use(in, &heist->use, plan->players);
	get_questions(in, heist->questions, plan->challenges, plan->players);
}

static void get_heist(struct bytes_in *in, struct heist *heist,
                      unsigned players, unsigned format)
{
	struct plan *plan = &heist->plan;

	plan->players = (uint8_t)players;
	plan->number = bytes_get(in);
	plan->deal = format > FORMAT_SECOND ? bytes_get(in) : plan->number;
	heist->round = bytes_get(in);
	heist->outcome = bytes_get(in);
	get_plan(in, plan, format);
	if (!challenges_exist(plan->challenges) ||
	    (plan->specialist && !specialist_exists(plan->specialist))) {
		bytes_fail(in);
		return;
	}
	use_init(&heist->use, plan->specialist);
	if (heist->outcome != OUTCOME_ABANDONED)
		get_table(in, heist);
	if (format != FORMAT_FIRST)
		plan->vacant = bytes_get(in);
}

static void put_record(struct bytes_out *out, const struct record *record)
{
	bytes_put(out, record->outcome);
	put_set(out, record->challenges);
	put_set(out, record->permanent);
	bytes_put(out, record->specialist);
	bytes_put(out, record->used_by);
	bytes_put_run(out, record->community, COMMUNITY_MAX);
	for (unsigned i = 0; i < record->players; i++)
		put_pocket(out, &record->pockets[i]);
	bytes_put_run(out, record->red.holder, record->players);
	put_questions(out, record->questions, record->challenges,
	              record->players);
}

static void get_record(struct bytes_in *in, struct record *record,
                       unsigned number, unsigned players, unsigned format)
{
	record->number = (uint8_t)number;
	record->players = (uint8_t)players;
	record->outcome = bytes_get(in);
	record->challenges = get_set(in);
	if (format != FORMAT_FIRST) {
		record->permanent = get_set(in);
		record->specialist = bytes_get(in);
		record->used_by = bytes_get(in);
	}
	bytes_get_run(in, record->community, COMMUNITY_MAX);
	for (unsigned i = 0; i < players; i++)
		get_pocket(in, &record->pockets[i]);
	record->red.count = (uint8_t)players;
	bytes_get_run(in, record->red.holder, players);
	if (!challenges_exist(record->challenges))
		bytes_fail(in);
	else
		get_questions(in, record->questions, record->challenges,
		              players);
}

/* --- the game ------------------------------------------------------------- */

size_t gang_encode(const struct gang *gang, uint8_t *bytes)
{
	struct bytes_out out = { .start = bytes, .size = RULESET_STATE_MAX };

	bytes_put(&out, FORMAT);
	bytes_put(&out, KEY_NONE);
	bytes_put(&out, gang->mode);
	bytes_put(&out, gang->shuffled_stacks);
	bytes_put(&out, gang->players);
	put_stack(&out, &gang->challenges);
	put_stack(&out, &gang->specialists);
	if (gang->players) {
		bytes_put(&out, gang->vaults);
		bytes_put(&out, gang->alarms);
		put_heist(&out, &gang->heist);
		bytes_put_run(&out, gang->closed_deals, gang->players);
		bytes_put(&out, gang->ended_count);
		for (unsigned i = 0; i < gang->ended_count; i++)
			put_record(&out, &gang->ended[i]);
	}
	/* The longest state is some 600 bytes: see the codec's test. */
	return out.full ? 0 : out.len;
}

static void get_started(struct bytes_in *in, struct gang *gang, unsigned format)
{
	gang->vaults = bytes_get(in);
	gang->alarms = bytes_get(in);
	get_heist(in, &gang->heist, gang->players, format);
	if (format > FORMAT_SECOND)
		bytes_get_run(in, gang->closed_deals, gang->players);
	gang->ended_count = bytes_get(in);
	if (gang->ended_count >= GANG_HEISTS_MAX) {
		bytes_fail(in);
		return;
	}
	for (unsigned i = 0; i < gang->ended_count; i++)
		get_record(in, &gang->ended[i], i + 1, gang->players, format);
}

/* The options make the stacks what they are; the bytes, how they lie. */
static bool get_lobby(struct bytes_in *in, struct gang *gang, unsigned format)
{
	struct options options = { .mode = bytes_get(in) };

	options.shuffled_stacks = bytes_get_bool(in);
	if (!gang_init(gang, &options))
		return false;
	gang->players = bytes_get(in);
	if (gang->players > GANG_PLAYERS_MAX)
		return false;
	if (format == FORMAT_FIRST)
		return true;
	get_stack(in, &gang->challenges);
	get_stack(in, &gang->specialists);
	return true;
}

static void complete_stacks(struct gang *gang)
{
	const struct plan *plan = &gang->heist.plan;
	uint16_t specialist = 0;

	if (plan->specialist > STACK_MAX)
		return; /* which gang_valid() refuses */
	if (plan->specialist)
		specialist = (uint16_t)(1U << plan->specialist);
	stack_complete(&gang->challenges, plan->challenges);
	stack_complete(&gang->specialists, specialist);
}

bool gang_decode(struct gang *gang, const uint8_t *bytes, size_t len)
{
	struct bytes_in in = { .at = bytes, .left = len };
	unsigned format = bytes_get(&in);
	struct gang read;

	if (format < FORMAT_FIRST || format > FORMAT)
		return false;
	bytes_expect(&in, KEY_NONE);
	if (!get_lobby(&in, &read, format))
		return false;
	if (read.players)
		get_started(&in, &read, format);
	if (format <= FORMAT_SECOND)
		complete_stacks(&read);
	if (!bytes_all_read(&in) || !gang_valid(&read))
		return false;
	*gang = read;
	return true;
}
