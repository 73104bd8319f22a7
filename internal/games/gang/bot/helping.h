/*
 * helping.h - what a bot does when it is asked: private choices, and answers to
 * questions.
 */
#pragma once

#include "games/gang/bot/belief.h"

/* The private choice that the seat owes, or VERB_NONE. */
struct bot_choice helping_choose(const struct bot_input *input,
                                 struct bot_gang_work *work);

/*
 * An answer to an open question.  Bots answer alike; a person's answer, or that
 * of most others, is taken over.
 */
struct bot_choice helping_answer(const struct bot_input *input,
                                 struct bot_gang_work *work);
