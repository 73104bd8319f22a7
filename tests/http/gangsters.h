/*
 * gangsters.h - what holds for every view of Famiglia: the sixty cards lie in
 * one place each, and none is named but what its reader may see.
 */
#pragma once

#include "story.h"

void gangsters_check(struct story *story, const struct exchange *exchange);
