#include "gang/view.h"

#include <assert.h>
#include <string.h>

static void see_chips(const struct heist *heist, struct gang_view *view)
{
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		const struct chips *chips = &heist->chips[color];
		for (unsigned stars = 1; stars <= chips->count; stars++)
			view->chips[view->chips_count++] = (struct chip_view){
				.color = (uint8_t)color,
				.stars = (uint8_t)stars,
				.seat = (uint8_t)chips_holder(chips, stars),
				.locked = heist_chip_is_locked(
					heist, (enum color)color, stars),
			};
	}
}

static void see_heist(const struct heist *heist, struct gang_view *view)
{
	view->number = heist->number;
	view->phase = heist->outcome == OUTCOME_OPEN ? PHASE_CHIPS : PHASE_OVER;
	view->round = heist->round;
	view->challenges = heist->challenges;
	view->community_count = heist->community_count;
	memcpy(view->community, heist->community, heist->community_count);
	see_chips(heist, view);
	view->waiting_for = (uint8_t)heist_waiting_for(heist);
	if (view->seat) {
		view->pocket = heist->pockets[view->seat - 1];
		view->hand = heist_hand(heist->community,
		                        heist->community_count, &view->pocket);
	}
}

static void see_records(const struct gang *gang, struct gang_view *view)
{
	view->records_count = gang->ended_count;
	memcpy(view->records, gang->ended, sizeof(gang->ended));
	if (gang->heist.outcome != OUTCOME_OPEN)
		heist_record(&gang->heist,
		             &view->records[view->records_count++]);
}

static void add_if_legal(const struct gang *gang, struct gang_view *view,
                         struct action action)
{
	assert(view->legal_count < LEGAL_MAX);
	if (gang_check(gang, &action) == ERR_OK)
		view->legal[view->legal_count++] = action;
}

static void see_legal(const struct gang *gang, struct gang_view *view)
{
	struct action take = { .verb = VERB_TAKE, .seat = view->seat };
	struct action put_back = { .verb = VERB_RETURN, .seat = view->seat };
	struct action next = { .verb = VERB_NEXT_HEIST, .seat = view->seat };

	/* Only the chips of the present round can move. */
	put_back.args[ARG_COLOR] = (uint8_t)(view->round - 1);
	take.args[ARG_COLOR] = (uint8_t)(view->round - 1);
	take.args[ARG_FROM] = CHIP_FROM_ANYWHERE;
	for (unsigned stars = 1; stars <= gang->players; stars++) {
		take.args[ARG_STARS] = (uint8_t)stars;
		add_if_legal(gang, view, take);
		put_back.args[ARG_STARS] = (uint8_t)stars;
		add_if_legal(gang, view, put_back);
	}
	add_if_legal(gang, view, next);
}

void gang_view(const struct gang *gang, unsigned seat, struct gang_view *view)
{
	assert(gang->players == 0 || seat <= gang->players);

	*view = (struct gang_view){
		.seat = (uint8_t)seat,
		.mode = gang->mode,
		.players = gang->players,
	};
	if (gang->players == 0)
		return;
	view->gold = gang->gold;
	view->red = gang->red;
	see_heist(&gang->heist, view);
	see_records(gang, view);
	if (seat)
		see_legal(gang, view);
}

const struct record *gang_view_last_record(const struct gang_view *view)
{
	return view->records_count ? &view->records[view->records_count - 1]
	                           : NULL;
}

const struct record *gang_view_record(const struct gang_view *view,
                                      unsigned number)
{
	return number >= 1 && number <= view->records_count
	               ? &view->records[number - 1]
	               : NULL;
}

const struct pocket *gang_view_pocket(const struct gang_view *view,
                                      unsigned seat)
{
	assert(seat >= 1);

	if (seat == view->seat)
		return &view->pocket;
	assert(seat <= view->players || view->phase != PHASE_OVER);
	if (view->phase == PHASE_OVER)
		return &gang_view_last_record(view)->pockets[seat - 1];
	return NULL;
}
