/*
 * plan.c - the order of each shape of request, from top to bottom.
 *
 * A step begins with its file's name: load.c reads, finds the caller and
 * authorizes; commit.c decides and writes; waiting.c lets requests wait.
 * step.h says how steps follow each other.  SHAPE_ANSWER has no plan: it needs
 * no database (driver.c).
 */
#include "loop/plan.h"

#include "loop/commit.h"
#include "loop/load.h"
#include "loop/waiting.h"

/* Load the game; record the caller as seen; then refuse, or go on. */
#define LOAD &load_game, &load_caller, &load_permission

const struct plans plan_table = {
	/* clang-format off */
	.of_shape[SHAPE_PING] = { {
		&load_readiness,
		&step_reply } },
	.of_shape[SHAPE_LOBBY] = { {
		&load_lobby,
		&step_reply } },
	.of_shape[SHAPE_CREATE] = { {
		&load_creation, /* under the request's idempotency key */
		&load_lobby_count,
		&commit_decide_creation,
		&commit_charge,
		&commit_creation,
		&step_reply } },
	.of_shape[SHAPE_READ] = { {
		LOAD,
		&step_reply } },
	.of_shape[SHAPE_WAIT] = { {
		&waiting_join,
		LOAD,
		&waiting_for_change,
		&step_reply } },
	.of_shape[SHAPE_EVENTS] = { {
		&waiting_use_ticket,
		&waiting_join,
		LOAD,
		&load_events,
		&waiting_in_stream,
		&step_reply } },
	.of_shape[SHAPE_LAST_SEEN] = { {
		LOAD,
		&load_last_seen,
		&step_reply } },
	.of_shape[SHAPE_TICKET] = { {
		LOAD,
		&commit_charge,
		&commit_ticket,
		&step_reply } },
	.of_shape[SHAPE_TRANSFER] = { {
		LOAD,
		&commit_charge,
		&commit_transfer,
		&step_reply } },
	.of_shape[SHAPE_CLAIM] = { {
		&load_offered, /* without the client's confirmation */
		&load_claimed, /* with it */
		LOAD,
		&step_reply } },
	.of_shape[SHAPE_PUSH] = { {
		LOAD,
		&commit_charge,
		&commit_subscription,
		&step_reply } },
	.of_shape[SHAPE_MOVE] = { {
		LOAD,
		&commit_decide,
		&commit_charge,
		&commit_move,
		&step_reply } },
	.of_shape[SHAPE_REMATCH] = { {
		LOAD,
		&commit_decide_rematch,
		&commit_charge,
		&commit_rematch,
		&step_reply } },
	.of_shape[SHAPE_LEAVE] = { {
		LOAD,
		&load_absence,
		&commit_last_leaving, /* the last player's game is deleted */
		&commit_decide,
		&commit_charge,
		&commit_move,
		&step_reply } },
	.of_shape[SHAPE_DELETE] = { {
		LOAD,
		&commit_deletion,
		&step_reply } },

	/* Then the plan of the route's shape. */
	.invitation = { {
		&load_invitation } },
	.replay = { {
		LOAD,
		&step_reply } },
	.closing = { {
		&waiting_find_reason } },
	/* clang-format on */
};
