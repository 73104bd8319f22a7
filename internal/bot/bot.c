/*
 * The common part of the bots of all rulesets: the level, the input, the random
 * numbers, and the time that a decision seems to take, which grows with the
 * hesitation that the ruleset's function returns.
 */
#include "bot/bot.h"

#include <assert.h>
#include <string.h>

enum { JITTER_PERCENT = 10, HESITATION_MAX = 1000 };

bool bot_plays(const struct ruleset *rules)
{
	return rules->bot != NULL;
}

size_t bot_work_size(const struct ruleset *rules)
{
	return rules->bot ? rules->bot->work_size : 0;
}

void bot_work_init(const struct ruleset *rules, void *work)
{
	if (rules->bot && rules->bot->work_init)
		rules->bot->work_init(work);
}

bool bot_see(const struct ruleset *rules, const void *view,
             const struct event *event, struct event *seen)
{
	const struct event_row *type = ruleset_event(rules, event->type);
	enum sight sight = SIGHT_SEAT;
	unsigned part = 0;

	if (rules->bot && rules->bot->part)
		part = rules->bot->part(view);
	if (!rules->bot || !type || event_has_names(event->type) ||
	    (part && event->part != part))
		return false;
	if (type->sight)
		sight = type->sight(view, event);
	if (sight == SIGHT_NONE)
		return false;
	*seen = (struct event){
		.type = event->type,
		.seat = event->seat,
		.part = event->part,
		.subpart = event->subpart,
		.public_len = event->public_len,
	};
	memcpy(seen->public_data, event->public_data,
	       sizeof(seen->public_data));
	if (sight == SIGHT_SEAT && rules->bot->share)
		rules->bot->share(view, event, seen);
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
                void *work, struct bot_decision *decision)
{
	struct bot_choice choice = { 0 };
	struct rng rng;

	assert(input->events_count <= BOT_EVENTS_MAX);
	rng_init(&rng, input->seed);
	if (rules->bot)
		choice = rules->bot->choose(input, &rng, work);
	*decision = (struct bot_decision){
		.action = choice.action,
		.think_ms = think_ms(bot_level_get(input->level),
		                     choice.hesitation, &rng),
	};
}
