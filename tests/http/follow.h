/*
 * follow.h - everybody does whatever legal_actions offers, at random, until
 * the game is over; and whatever it does not offer is refused.
 */
#pragma once

#include "story.h"

void follow_legal(struct story *story, const char *arguments);
