/*
 * finding.h - the three values of an answer.
 *
 * A failed query has no answer: that is neither "absent" nor "fine".  UNKNOWN
 * is 0, so a zeroed value is unknown.
 */
#pragma once

enum finding { FINDING_UNKNOWN, FINDING_ABSENT, FINDING_FOUND };
