/*
 * The rulesets that bots can play, a row each.  The level, the input and the
 * random numbers are the same for all of them; so is the time that a decision
 * seems to take, which grows with the hesitation that the row's function tells.
 */
#include "bot/bot.h"

#include <assert.h>
#include <string.h>

#include "bot/bot_famiglia.h"
#include "bot/bot_gang.h"

enum { JITTER_PERCENT = 10, HESITATION_MAX = 1000 };

static const struct row {
	const char *ruleset; /* its code */
	unsigned (*heist)(const void *view);
	/* Copy the private data that the view's seat sees. */
	void (*share)(const void *view, const struct event *event,
	              struct event *seen);
	struct bot_choice (*choose)(const struct bot_input *input,
	                            struct rng *rng, struct bot_work *work);
} rows[] = {
	{ "the_gang", bot_gang_heist, bot_gang_share, bot_gang_choose },
	{ "famiglia", NULL, NULL, bot_famiglia_choose },
};

static const struct row *find(const struct ruleset *rules)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].ruleset, rules->code) == 0)
			return &rows[i];
	}
	return NULL;
}

void bot_work_init(struct bot_work *work)
{
	strength_init(&work->strength);
}

bool bot_plays(const struct ruleset *rules)
{
	return find(rules) != NULL;
}

unsigned bot_heist(const struct ruleset *rules, const void *view)
{
	const struct row *row = find(rules);

	return row && row->heist ? row->heist(view) : 0;
}

bool bot_see(const struct ruleset *rules, const void *view,
             const struct event *event, struct event *seen)
{
	const struct row *row = find(rules);
	const struct event_row *type = ruleset_event(rules, event->type);
	unsigned heist = bot_heist(rules, view);
	enum sight sight = SIGHT_SEAT;

	if (!row || !type || event_has_names(event->type) ||
	    (heist && event->heist != heist))
		return false;
	if (type->sight)
		sight = type->sight(view, event);
	if (sight == SIGHT_NONE)
		return false;
	*seen = (struct event){
		.type = event->type,
		.seat = event->seat,
		.heist = event->heist,
		.color = event->color,
		.public_len = event->public_len,
	};
	memcpy(seen->public_data, event->public_data,
	       sizeof(seen->public_data));
	if (sight == SIGHT_SEAT && row->share)
		row->share(view, event, seen);
	return true;
}

/* Hesitation is a share of the level's range, in thousandths. */
static uint32_t think_ms(const struct bot_level_row *level, unsigned hesitation,
                         struct rng *rng)
{
	unsigned range = (unsigned)level->think_max_ms - level->think_min_ms;
	unsigned jitter = rng_below(rng, 101) * JITTER_PERCENT / 100;

	assert(hesitation <= HESITATION_MAX);
	return level->think_min_ms +
	       range *
	               (hesitation * (100 - JITTER_PERCENT) / 100 +
	                jitter * HESITATION_MAX / 100) /
	               HESITATION_MAX;
}

void bot_decide(const struct ruleset *rules, const struct bot_input *input,
                struct bot_work *work, struct bot_decision *decision)
{
	const struct row *row = find(rules);
	struct bot_choice choice = { 0 };
	struct rng rng;

	assert(input->events_count <= BOT_EVENTS_MAX);
	rng_init(&rng, input->seed);
	if (row)
		choice = row->choose(input, &rng, work);
	*decision = (struct bot_decision){
		.action = choice.action,
		.think_ms = think_ms(bot_level_get(input->level),
		                     choice.hesitation, &rng),
	};
}
