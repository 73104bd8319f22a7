/*
 * A whole game: the present heist, the summaries of those before it, and the
 * two stacks.  An action is checked completely before it changes anything, so a
 * refused action leaves no trace.  The challenges and the specialist of a heist
 * are drawn when it is set up and go under their stacks when the next one is
 * set up: every card is either in its stack or in the setup.  Vaults and alarms
 * count the outcomes of all heists.
 */
#include "games/gang/rules/gang.h"

#include <assert.h>

bool gang_init(void *state, const struct options *options)
{
	struct gang *gang = state;

	if (!gang_mode_find(options->bytes[GANG_OPTION_MODE]))
		return false;
	*gang = (struct gang){
		.mode = options->bytes[GANG_OPTION_MODE],
		.shuffled_stacks = options->bytes[GANG_OPTION_SHUFFLED],
		.confirms_rounds = options->bytes[GANG_OPTION_CONFIRMS],
	};
	stack_init(&gang->challenges, ALL_CHALLENGES);
	stack_init(&gang->specialists, ALL_SPECIALISTS);
	return true;
}

bool gang_start_rematch(void *state, const void *before, const char *mode)
{
	struct gang *gang = state;
	const struct gang *ended = before;
	const struct heist_setup *last = &ended->heist.setup;
	const struct mode *next = mode ? gang_mode_find_by_code(mode)
	                               : gang_mode_get(ended->mode);

	if (!next)
		return false;
	*gang = (struct gang){
		.mode = next->number,
		.shuffled_stacks = ended->shuffled_stacks,
		.confirms_rounds = ended->confirms_rounds,
		.challenges = ended->challenges,
		.specialists = ended->specialists,
	};
	stack_put_under(&gang->challenges, last->challenges);
	stack_put_under(&gang->specialists, heist_setup_specialists(last));
	return true;
}

enum status gang_status(const struct gang *gang)
{
	const struct mode *mode = gang_mode_get(gang->mode);

	if (gang->players == 0)
		return STATUS_LOBBY;
	if (gang->vaults == mode->vaults_needed)
		return STATUS_WON;
	if (gang->alarms == mode->alarms_limit)
		return STATUS_LOST;
	return STATUS_PLAYING;
}

struct standing gang_standing(const void *state)
{
	const struct gang *gang = state;

	return (struct standing){
		.status = gang_status(gang),
		.players = gang->players,
		.vacant = gang->heist.setup.vacant,
		.waiting_for = (uint8_t)rounds_waiting_for(&gang->heist),
		.mode = gang_mode_get(gang->mode)->code,
		.round_end = gang->confirms_rounds ? "confirmed" : "at_once",
	};
}

/* --- setups --------------------------------------------------------------- */

/* Shuffle the stacks that never were, if the options ask for it. */
static void shuffle_stacks(struct gang *gang, struct rng *rng)
{
	if (!gang->shuffled_stacks)
		return;
	if (!gang->challenges.is_shuffled)
		stack_shuffle(&gang->challenges, rng);
	if (!gang->specialists.is_shuffled)
		stack_shuffle(&gang->specialists, rng);
}

static void set_up_first(struct gang *gang, struct heist_setup *setup,
                         struct rng *rng)
{
	const struct mode *mode = gang_mode_get(gang->mode);

	shuffle_stacks(gang, rng);
	for (unsigned i = 0; i < mode->first_count; i++)
		setup->challenges |=
			(uint16_t)(1U << stack_draw_any(&gang->challenges,
		                                        mode->challenges, rng));
	if (mode->first_stay)
		setup->permanent = setup->challenges;
}

/*
 * Exchange the cards of the last heist's setup.  The new ones are drawn before
 * the old ones go under their stacks.
 */
static void set_up_next(struct gang *gang, struct heist_setup *setup,
                        struct rng *rng)
{
	const struct mode *mode = gang_mode_get(gang->mode);
	enum next_card next = gang->heist.outcome == OUTCOME_SUCCEEDED
	                              ? mode->after_success
	                              : mode->after_failure;
	uint16_t leaving = setup->challenges & ~setup->permanent;
	uint16_t drawn = 0;
	unsigned specialist = 0;

	if (next == NEXT_FOR_LOWEST)
		leaving &= (uint16_t)-leaving;
	/* Play never uses all of them at a time, but a state may. */
	if ((next == NEXT_CHALLENGE || next == NEXT_FOR_LOWEST) &&
	    mode->challenges & gang->challenges.all & ~setup->challenges)
		drawn = (uint16_t)(1U << stack_draw(&gang->challenges,
		                                    mode->challenges, rng));
	if (next == NEXT_SPECIALIST)
		specialist =
			stack_draw(&gang->specialists, mode->specialists, rng);
	stack_put_under(&gang->challenges, leaving);
	stack_put_under(&gang->specialists, heist_setup_specialists(setup));
	setup->challenges = (setup->challenges & ~leaving) | drawn;
	setup->specialist = (uint8_t)specialist;
}

void gang_start(void *state, unsigned players, struct rng *rng,
                struct events *events)
{
	struct gang *gang = state;
	struct heist_setup setup = {
		.number = 1,
		.deal = 1,
		.players = (uint8_t)players,
		.confirms = gang->confirms_rounds,
	};

	assert(gang->players == 0);
	assert(players >= GANG_PLAYERS_MIN && players <= GANG_PLAYERS_MAX);

	gang->players = (uint8_t)players;
	set_up_first(gang, &setup, rng);
	rounds_start(&gang->heist, &setup, rng, events);
}

/* An abandoned heist leaves no summary and is dealt again as it was set up. */
static void next_heist(struct gang *gang, struct rng *rng,
                       struct events *events)
{
	struct heist_setup setup = gang->heist.setup;

	if (setup.deal < UINT8_MAX)
		setup.deal++;
	if (gang->heist.outcome != OUTCOME_ABANDONED) {
		assert(gang->ended_count < ARRAY_LEN(gang->ended));
		summary_of_heist(&gang->heist,
		                 &gang->ended[gang->ended_count++]);
		setup.number++;
		set_up_next(gang, &setup, rng);
	}
	rounds_start(&gang->heist, &setup, rng, events);
}

/* --- actions -------------------------------------------------------------- */

static struct chip_move chip_move_of(const struct action *action)
{
	return (struct chip_move){
		.seat = action->seat,
		.color = action->args[ARG_COLOR],
		.stars = action->args[ARG_STARS],
		.from = action->args[ARG_FROM],
	};
}

static struct proposal proposal_of(const struct action *action)
{
	return (struct proposal){
		.by = action->seat,
		.seat = action->args[ARG_SEAT],
		.target = action->args[ARG_TARGET],
		.value = action->args[ARG_VALUE],
	};
}

static struct answer answer_of(const struct action *action)
{
	return (struct answer){
		.seat = action->seat,
		.challenge = action->args[ARG_QUESTION],
		.value = action->args[ARG_ANSWER],
	};
}

enum err gang_check(const struct gang *gang, const struct action *action)
{
	const struct heist *heist = &gang->heist;

	/* An action may come from a log that somebody damaged. */
	if (action->seat < 1 || action->seat > gang->players ||
	    heist->setup.vacant >> action->seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (gang_status(gang) != STATUS_PLAYING)
		return ERR_GAME_OVER;

	switch ((enum gang_verb)action->verb) {
	case VERB_TAKE:
		return rounds_check_take(heist, chip_move_of(action));
	case VERB_RETURN:
		return rounds_check_return(heist, chip_move_of(action));
	case VERB_NEXT_HEIST:
		if (heist->outcome == OUTCOME_OPEN)
			return ERR_SHOWDOWN_NOT_REACHED;
		return ERR_OK;
	case VERB_PROPOSE:
		return ability_check_propose(heist, proposal_of(action));
	case VERB_VOTE:
		return ability_check_vote(heist, action->seat,
		                          action->args[ARG_AGREES]);
	case VERB_CHOOSE:
		return choice_check(heist, action->seat,
		                    action->args[ARG_CARD]);
	case VERB_ANSWER:
		return showdown_check_answer(heist, answer_of(action));
	case VERB_CONFIRM_ROUND:
		return rounds_check_confirm(heist, action->seat);
	}
	return ERR_NOT_ALLOWED_NOW;
}

struct fault gang_fault(const void *state, const struct action *action)
{
	const struct gang *gang = state;

	if (action->verb == VERB_PROPOSE)
		return ability_fault_of_propose(&gang->heist,
		                                proposal_of(action));
	assert(action->verb == VERB_CHOOSE);
	return choice_fault(&gang->heist, action->args[ARG_CARD]);
}

/* Carry out an action that was checked. */
static void carry_out(struct gang *gang, const struct action *action,
                      struct rng *rng, struct events *events)
{
	struct heist *heist = &gang->heist;

	switch ((enum gang_verb)action->verb) {
	case VERB_TAKE:
		rounds_take(heist, chip_move_of(action), events);
		return;
	case VERB_RETURN:
		rounds_return(heist, chip_move_of(action), events);
		return;
	case VERB_NEXT_HEIST:
		next_heist(gang, rng, events);
		return;
	case VERB_PROPOSE:
		ability_propose(heist, proposal_of(action), events);
		return;
	case VERB_VOTE:
		ability_vote(heist, action->seat, action->args[ARG_AGREES],
		             events);
		return;
	case VERB_CHOOSE:
		rounds_choose(heist, action->seat, action->args[ARG_CARD], rng,
		              events);
		return;
	case VERB_ANSWER:
		showdown_answer(heist, answer_of(action), events);
		return;
	case VERB_CONFIRM_ROUND:
		rounds_confirm(heist, action->seat, events);
		return;
	}
}

/* An abandoned heist counts neither as a vault nor as an alarm. */
static void settle_heist(struct gang *gang, struct events *events)
{
	const struct heist *heist = &gang->heist;

	if (heist->outcome == OUTCOME_OPEN)
		return;
	if (heist->outcome == OUTCOME_SUCCEEDED)
		gang->vaults++;
	else if (heist->outcome == OUTCOME_FAILED)
		gang->alarms++;

	struct event *event = heist_emit(heist, EVENT_HEIST_ENDED, 0, events);
	event_put_public(event, heist->outcome);
	event_put_public(event, gang->vaults);
	event_put_public(event, gang->alarms);
	if (gang_status(gang) == STATUS_PLAYING)
		return;
	event = events_add(events, EVENT_GAME_ENDED, 0);
	event_put_public(event, gang_status(gang));
}

void gang_vacate(void *state, unsigned seat, bool is_removed,
                 struct events *events)
{
	struct gang *gang = state;
	bool was_open = gang->heist.outcome == OUTCOME_OPEN;

	if (is_removed)
		gang->closed_deals[seat - 1] = gang->heist.setup.deal;
	if (is_removed && was_open)
		heist_abandon(&gang->heist, seat);
	else
		rounds_vacate(&gang->heist, seat, events);
	if (was_open)
		settle_heist(gang, events);
	assert(gang_valid(gang));
}

void gang_occupy(void *state, unsigned seat)
{
	struct gang *gang = state;

	heist_occupy(&gang->heist, seat);
	assert(gang_valid(gang));
}

enum err gang_apply(void *state, const struct action *action, struct rng *rng,
                    struct events *events)
{
	struct gang *gang = state;
	enum err err = gang_check(gang, action);
	if (err)
		return err;

	assert(gang_valid(gang));
	carry_out(gang, action, rng, events);
	settle_heist(gang, events);
	assert(gang_valid(gang));
	return ERR_OK;
}

/* --- invariants ----------------------------------------------------------- */

/*
 * Every heist that is over opened a vault or set off an alarm, and those before
 * the present one did not end the game.  So no game outlasts its summaries.
 */
static bool score_valid(const struct gang *gang)
{
	const struct mode *mode = gang_mode_get(gang->mode);
	unsigned outcome = gang->heist.outcome;
	unsigned won = gang->vaults - (unsigned)(outcome == OUTCOME_SUCCEEDED);
	unsigned failed = gang->alarms - (unsigned)(outcome == OUTCOME_FAILED);

	return won < mode->vaults_needed && failed < mode->alarms_limit &&
	       won + failed == gang->ended_count;
}

/* Each card is in its stack or in the setup; the setup has cards of the mode.
 */
static bool stacks_valid(const struct gang *gang)
{
	const struct mode *mode = gang_mode_get(gang->mode);
	const struct heist_setup *setup = &gang->heist.setup;

	return !(setup->challenges & ~mode->challenges) &&
	       !(heist_setup_specialists(setup) & ~mode->specialists) &&
	       stack_valid(&gang->challenges, setup->challenges) &&
	       stack_valid(&gang->specialists, heist_setup_specialists(setup));
}

bool gang_valid(const struct gang *gang)
{
	if (!gang_mode_find(gang->mode) || !stacks_valid(gang))
		return false;
	if (gang->players == 0)
		return true;
	if (gang->players < GANG_PLAYERS_MIN ||
	    gang->players > GANG_PLAYERS_MAX ||
	    gang->heist.setup.players != gang->players ||
	    gang->heist.setup.confirms != gang->confirms_rounds ||
	    gang->ended_count >= GANG_HEISTS_MAX || !score_valid(gang) ||
	    !rounds_valid(&gang->heist))
		return false;
	for (unsigned i = 0; i < gang->ended_count; i++) {
		if (!summary_valid(&gang->ended[i]))
			return false;
	}
	return true;
}
