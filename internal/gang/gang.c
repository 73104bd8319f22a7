#include "gang/gang.h"

#include <assert.h>

#include "gang/challenge.h"

static const struct mode modes[] = {
#define MODE(name, ...) { __VA_ARGS__ },
#include "gang/mode.def"
};

const struct mode *mode_list(size_t *count)
{
	*count = ARRAY_LEN(modes);
	return modes;
}

static const struct mode *mode_find(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		if (modes[i].number == number)
			return &modes[i];
	}
	return NULL;
}

const struct mode *mode_get(unsigned number)
{
	const struct mode *mode = mode_find(number);

	assert(mode);
	return mode;
}

bool gang_init(struct gang *gang, const struct options *options)
{
	if (!mode_find(options->mode))
		return false;
	*gang = (struct gang){
		.mode = options->mode,
		.shuffled_stacks = options->shuffled_stacks,
	};
	return true;
}

enum status gang_status(const struct gang *gang)
{
	const struct mode *mode = mode_get(gang->mode);

	if (gang->players == 0)
		return STATUS_LOBBY;
	if (gang->gold == mode->vaults_needed)
		return STATUS_WON;
	if (gang->red == mode->alarms_limit)
		return STATUS_LOST;
	return STATUS_PLAYING;
}

void gang_start(struct gang *gang, unsigned players, struct chance *chance,
                struct events *events)
{
	assert(gang->players == 0);
	assert(players >= GANG_PLAYERS_MIN && players <= GANG_PLAYERS_MAX);

	gang->players = (uint8_t)players;
	heist_start(&gang->heist, 1, players, 0, chance, events);
}

/* --- actions ------------------------------------------------------------- */

static struct chip_move chip_move_of(const struct action *action)
{
	return (struct chip_move){
		.seat = action->seat,
		.color = action->args[ARG_COLOR],
		.stars = action->args[ARG_STARS],
		.from = action->args[ARG_FROM],
	};
}

enum err gang_check(const struct gang *gang, const struct action *action)
{
	if (gang_status(gang) != STATUS_PLAYING)
		return ERR_GAME_OVER;

	switch (action->verb) {
	case VERB_TAKE:
		return heist_check_take(&gang->heist, chip_move_of(action));
	case VERB_RETURN:
		return heist_check_return(&gang->heist, chip_move_of(action));
	case VERB_NEXT_HEIST:
		if (gang->heist.outcome == OUTCOME_OPEN)
			return ERR_SHOWDOWN_NOT_REACHED;
		return ERR_OK;
	}
	return ERR_NOT_ALLOWED_NOW;
}

/* Turn over a vault or an alarm, and end the game with the last one. */
static void settle_heist(struct gang *gang, struct events *events)
{
	const struct heist *heist = &gang->heist;

	if (heist->outcome == OUTCOME_OPEN)
		return;
	if (heist->outcome == OUTCOME_SUCCEEDED)
		gang->gold++;
	else
		gang->red++;

	struct event *event = events_add(events, EVENT_HEIST_ENDED, 0);
	event->heist = heist->number;
	event_open(event, heist->outcome);
	event_open(event, gang->gold);
	event_open(event, gang->red);
	if (gang_status(gang) == STATUS_PLAYING)
		return;
	event = events_add(events, EVENT_GAME_ENDED, 0);
	event_open(event, gang_status(gang));
}

static void next_heist(struct gang *gang, struct chance *chance,
                       struct events *events)
{
	assert(gang->ended_count < ARRAY_LEN(gang->ended));

	heist_record(&gang->heist, &gang->ended[gang->ended_count++]);
	heist_start(&gang->heist, gang->heist.number + 1U, gang->players, 0,
	            chance, events);
}

enum err gang_act(struct gang *gang, const struct action *action,
                  struct chance *chance, struct events *events)
{
	enum err err = gang_check(gang, action);
	if (err)
		return err;
	assert(gang_valid(gang));

	if (action->verb == VERB_NEXT_HEIST) {
		next_heist(gang, chance, events);
	} else {
		struct chip_move move = chip_move_of(action);
		err = action->verb == VERB_TAKE
		              ? heist_take(&gang->heist, move, events)
		              : heist_return(&gang->heist, move, events);
		assert(!err);
		settle_heist(gang, events);
	}
	assert(gang_valid(gang));
	return ERR_OK;
}

/* --- what must always hold ----------------------------------------------- */

static bool score_valid(const struct gang *gang)
{
	const struct mode *mode = mode_get(gang->mode);
	unsigned won = 0;
	unsigned failed = 0;

	for (unsigned i = 0; i < gang->ended_count; i++) {
		if (gang->ended[i].number != i + 1 ||
		    gang->ended[i].players != gang->players ||
		    !record_valid(&gang->ended[i]))
			return false;
		if (gang->ended[i].outcome == OUTCOME_SUCCEEDED)
			won++;
		else
			failed++;
	}
	/* The game had not ended before the present heist. */
	if (won >= mode->vaults_needed || failed >= mode->alarms_limit)
		return false;
	won += gang->heist.outcome == OUTCOME_SUCCEEDED;
	failed += gang->heist.outcome == OUTCOME_FAILED;
	return gang->gold == won && gang->red == failed;
}

bool gang_valid(const struct gang *gang)
{
	if (!mode_find(gang->mode))
		return false;
	if (gang->players == 0)
		return gang->gold == 0 && gang->red == 0 &&
		       gang->heist.number == 0 && gang->ended_count == 0;
	return gang->players >= GANG_PLAYERS_MIN &&
	       gang->players <= GANG_PLAYERS_MAX &&
	       gang->heist.players == gang->players &&
	       gang->ended_count < GANG_HEISTS_MAX &&
	       gang->heist.number == gang->ended_count + 1 &&
	       heist_valid(&gang->heist) && score_valid(gang);
}
