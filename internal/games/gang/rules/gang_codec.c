/*
 * The state of a game as bytes:
 *
 *   mode, shuffled, confirmed, players, the two stacks; and once started
 *   vaults, alarms, the heist, the closed deals by seat, the number of ended
 *   heists, and those
 *
 * Each code_...() writes or reads one part; table/snapshot.h adds the format
 * and a checksum.  Cards are numbers as in card.h, chips are holders by stars.
 * An abandoned heist has only its setup.
 *
 * Every format stays readable.  Format 1 had no stacks, specialists, questions
 * and vacant seats.  Up to format 2 a stack had only the cards of its mode, and
 * a heist was dealt once.  Up to format 3 there was no checksum.  Up to format
 * 4 there were no confirmations of a round's end, and up to format 5 a zero
 * followed the format.
 *
 * A game keeps the cards that there were when it was created, and so do its
 * rematches.  So programs of the release before a new card go on reading it,
 * and nobody has to choose a place for the card in a stack whose order is
 * known.  The number of cards in a stack and in play says which ones they are:
 * the lowest ones.
 */
#include <assert.h>

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/rules/specialist.h"
#include "table/snapshot.h"

enum {
	FORMAT_FIRST = 1,
	FORMAT_SECOND = 2,
	FORMAT_UNCONFIRMED = 4,
	/* Challenges, and specialists, of the first release. */
	CARDS_FIRST = 10,
};

static const struct snapshot_formats formats = {
	.newest = 6,
	.checked = 4,
	.unpadded = 6,
};

/*
 * The longest state in the lobby, which the log of a rematch has to hold: what
 * code_gang() writes of one, with all the cards that stacks have room for.
 */
enum {
	STACK_BYTES = 2 + 1 + 1 + STACK_MAX,
	LOBBY_BYTES_MAX = SNAPSHOT_FRAME + 4 + 2 * STACK_BYTES,
};
_Static_assert((int)LOBBY_BYTES_MAX <= (int)REMATCH_STATE_MAX,
               "a rematch fits");

static void code_pockets(struct snapshot *snapshot, struct pocket *pockets,
                         unsigned players)
{
	for (unsigned i = 0; i < players; i++)
		snapshot_list(snapshot, &pockets[i].count, pockets[i].cards,
		              POCKET_MAX);
}

static void code_stack(struct snapshot *snapshot, struct stack *stack)
{
	snapshot_u16(snapshot, &stack->seen);
	snapshot_bool(snapshot, &stack->is_shuffled);
	snapshot_list(snapshot, &stack->count, stack->cards, STACK_MAX);
}

/* Unknown cards break the reader and are left out. */
static void code_cards(struct snapshot *snapshot, uint16_t *challenges,
                       uint16_t *permanent, uint8_t *specialist)
{
	snapshot_u16(snapshot, challenges);
	if (!challenges_exist(*challenges)) {
		get_fail(&snapshot->in);
		*challenges = 0;
	}
	if (snapshot->format == FORMAT_FIRST)
		return;
	snapshot_u16(snapshot, permanent);
	snapshot_count(snapshot, specialist, SPECIALIST_MAX);
}

static void code_ability(struct snapshot *snapshot, struct ability *ability,
                         unsigned players)
{
	struct proposal *proposal = &ability->proposal;

	snapshot_u8(snapshot, &ability->state);
	snapshot_u8(snapshot, &proposal->by);
	snapshot_u8(snapshot, &proposal->seat);
	snapshot_u8(snapshot, &proposal->target);
	snapshot_u8(snapshot, &proposal->value);
	snapshot_u8(snapshot, &proposal->agreed);
	snapshot_u8(snapshot, &ability->choosing);
	snapshot_u8(snapshot, &ability->drawn);
	snapshot_u8(snapshot, &ability->shown);
	snapshot_bytes(snapshot, ability->laid_out, players);
	code_pockets(snapshot, ability->former, players);
	snapshot_count(snapshot, &ability->announcements_count,
	               HEIST_PLAYERS_MAX);
	for (unsigned i = 0; i < ability->announcements_count; i++) {
		struct announcement *of = &ability->announcements[i];

		snapshot_u8(snapshot, &of->seat);
		snapshot_u8(snapshot, &of->target);
		snapshot_u8(snapshot, &of->value);
		snapshot_u8(snapshot, &of->count);
	}
}

static void code_questions(struct snapshot *snapshot,
                           struct question *questions, uint16_t challenges,
                           unsigned players)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (!challenges_asking(challenges, i))
			continue;
		snapshot_u8(snapshot, &questions[i].agreed);
		snapshot_bytes(snapshot, questions[i].answers, players);
	}
}

/* The cards and chips, on the table and in the hands. */
static void code_table(struct snapshot *snapshot, struct heist *heist)
{
	const struct heist_setup *setup = &heist->setup;

	code_pockets(snapshot, heist->pockets, setup->players);
	snapshot_list(snapshot, &heist->community_count, heist->community,
	              COMMUNITY_MAX);
	snapshot_list(snapshot, &heist->deck_count, heist->deck,
	              CARD_DECK_COUNT);
	snapshot_list(snapshot, &heist->discards_count, heist->discards,
	              HEIST_DISCARDS_MAX);
	for (unsigned color = 0; color < COLOR_COUNT; color++)
		snapshot_list(snapshot, &heist->chips[color].count,
		              heist->chips[color].holder, CHIPS_MAX);
	if (setup->specialist)
		code_ability(snapshot, &heist->ability, setup->players);
	if (setup->confirms)
		snapshot_u8(snapshot, &heist->confirmed);
	code_questions(snapshot, heist->questions, setup->challenges,
	               setup->players);
}

static void code_heist(struct snapshot *snapshot, struct heist *heist,
                       uint8_t players)
{
	struct heist_setup *setup = &heist->setup;

	setup->players = players;
	snapshot_u8(snapshot, &setup->number);
	if (snapshot->format > FORMAT_SECOND)
		snapshot_u8(snapshot, &setup->deal);
	else
		setup->deal = setup->number;
	snapshot_u8(snapshot, &heist->round);
	snapshot_u8(snapshot, &heist->outcome);
	code_cards(snapshot, &setup->challenges, &setup->permanent,
	           &setup->specialist);
	if (snapshot->reads)
		heist_reset_ability(heist);
	if (heist->outcome != OUTCOME_ABANDONED)
		code_table(snapshot, heist);
	if (snapshot->format > FORMAT_FIRST)
		snapshot_u8(snapshot, &setup->vacant);
}

static void code_summary(struct snapshot *snapshot, struct summary *summary,
                         uint8_t number, uint8_t players)
{
	summary->number = number;
	summary->players = players;
	summary->red.count = players;
	snapshot_u8(snapshot, &summary->outcome);
	code_cards(snapshot, &summary->challenges, &summary->permanent,
	           &summary->specialist);
	if (snapshot->format > FORMAT_FIRST)
		snapshot_u8(snapshot, &summary->used_by);
	snapshot_bytes(snapshot, summary->community, COMMUNITY_MAX);
	code_pockets(snapshot, summary->pockets, players);
	snapshot_bytes(snapshot, summary->red.holder, players);
	code_questions(snapshot, summary->questions, summary->challenges,
	               players);
}

static void code_gang(struct snapshot *snapshot, struct gang *gang)
{
	snapshot_u8(snapshot, &gang->mode);
	snapshot_bool(snapshot, &gang->shuffled_stacks);
	if (snapshot->format > FORMAT_UNCONFIRMED)
		snapshot_bool(snapshot, &gang->confirms_rounds);
	snapshot_count(snapshot, &gang->players, GANG_PLAYERS_MAX);
	if (snapshot->format > FORMAT_FIRST) {
		code_stack(snapshot, &gang->challenges);
		code_stack(snapshot, &gang->specialists);
	}
	if (!gang->players)
		return;
	snapshot_u8(snapshot, &gang->vaults);
	snapshot_u8(snapshot, &gang->alarms);
	gang->heist.setup.confirms = gang->confirms_rounds;
	code_heist(snapshot, &gang->heist, gang->players);
	if (snapshot->format > FORMAT_SECOND)
		snapshot_bytes(snapshot, gang->closed_deals, gang->players);
	snapshot_count(snapshot, &gang->ended_count, GANG_HEISTS_MAX - 1);
	for (uint8_t i = 0; i < gang->ended_count; i++)
		code_summary(snapshot, &gang->ended[i], i + 1, gang->players);
}

size_t gang_encode(const void *state, uint8_t *bytes)
{
	const struct gang *gang = state;
	struct gang copy = *gang;
	struct snapshot snapshot;

	snapshot_write(&snapshot, bytes, &formats);
	code_gang(&snapshot, &copy);
	/* The longest state is some 600 bytes: see the codec's test. */
	size_t len = snapshot_written(&snapshot);
	assert(gang->players || len <= LOBBY_BYTES_MAX);
	return len;
}

/* A set of the cards 1..count. */
static uint16_t lowest(unsigned count)
{
	return (uint16_t)((2U << count) - 2);
}

/*
 * The game has as many of the lowest cards as are in the stack and in play, but
 * no fewer than there ever were, and no more than there are now: stack_valid()
 * refuses a stack that lacks one of them.
 */
static void know_cards(struct stack *stack, uint16_t in_play, unsigned max)
{
	unsigned count = stack->count + (unsigned)__builtin_popcount(in_play);

	if (count < CARDS_FIRST)
		count = CARDS_FIRST;
	stack->all = lowest(count < max ? count : max);
}

bool gang_decode(void *state, const uint8_t *bytes, size_t len)
{
	struct gang *gang = state;
	struct gang read = { .players = 0 };
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, bytes, len, &formats))
		return false;
	stack_init(&read.challenges, lowest(CARDS_FIRST));
	stack_init(&read.specialists, lowest(CARDS_FIRST));
	code_gang(&snapshot, &read);
	if (!get_all_read(&snapshot.in))
		return false;
	if (snapshot.format <= FORMAT_SECOND) {
		stack_complete(&read.challenges, read.heist.setup.challenges);
		stack_complete(&read.specialists,
		               heist_setup_specialists(&read.heist.setup));
	} else {
		know_cards(&read.challenges, read.heist.setup.challenges,
		           CHALLENGE_MAX);
		know_cards(&read.specialists,
		           heist_setup_specialists(&read.heist.setup),
		           SPECIALIST_MAX);
	}
	if (!gang_valid(&read))
		return false;
	*gang = read;
	return true;
}
