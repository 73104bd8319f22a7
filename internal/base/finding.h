/*
 * finding.h - the three values of an answer.
 *
 * A question that failed has no answer: that is neither "absent" nor "fine".
 * UNKNOWN is 0, so that what nobody has asked yet is unknown.
 */
#pragma once

enum finding { FINDING_UNKNOWN, FINDING_ABSENT, FINDING_FOUND };
