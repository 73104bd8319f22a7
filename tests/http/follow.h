/*
 * follow.h - all actors do what legal_actions offers, at random, until the game
 * is over; and every other action must be refused.
 */
#pragma once

#include "story.h"

void follow_legal(struct story *story, const char *arguments);
