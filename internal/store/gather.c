/*
 * gather.c - several statements of one kind as one.
 *
 * The parameters of the members are there already, in PostgreSQL's format; the
 * gathered statement has an array of each of them.  Its rows begin with the
 * place of the member, from 1, in the order of the members, which is that of
 * their games.
 */
#include "store/gather.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "metric/metric.h"
#include "store/handle.h"

/* The places of the parameters in load.sql and commit_move.sql, from 0. */
enum {
	LOAD_GAME,
	LOAD_FINDS_STALE,
};
enum {
	MOVE_GAME,
	MOVE_VERSION,
	MOVE_STATUS,
	MOVE_SEATS_MAX,
	MOVE_SEATS_COUNT,
	MOVE_HOST,
	MOVE_STATE,
	MOVE_EVENT_TYPES,
	MOVE_EVENT_SEATS,
	MOVE_EVENT_HEISTS,
	MOVE_EVENT_COLORS,
	MOVE_EVENT_PUBLIC_DATA,
	MOVE_EVENT_PRIVATE_DATA,
	MOVE_EVENT_REPLAY_DATA,
};

/* --- parameters ----------------------------------------------------------- */

/* An array of one parameter of each member. */
static void add_each(struct params *params, enum params_type type,
                     const struct statement_queue *members, unsigned index)
{
	params_elements_begin(params, type, members->count);
	for (const struct statement *member = members->head; member;
	     member = member->behind)
		params_elements_add(params, &member->params, index);
	params_value_end(params);
}

static void add_loads(struct params *params,
                      const struct statement_queue *members)
{
	add_each(params, PARAMS_OF_UUID, members, LOAD_GAME);
	add_each(params, PARAMS_OF_BOOL, members, LOAD_FINDS_STALE);
}

static uint32_t events_count(const struct statement *member)
{
	return params_get_count(&member->params, MOVE_EVENT_TYPES);
}

/* One array of all elements of an array of each member. */
static void add_all(struct params *params, enum params_type type,
                    const struct statement_queue *members, unsigned index)
{
	size_t count = 0;

	for (const struct statement *member = members->head; member;
	     member = member->behind)
		count += params_get_count(&member->params, index);
	params_elements_begin(params, type, count);
	for (const struct statement *member = members->head; member;
	     member = member->behind)
		params_elements_add_all(params, &member->params, index);
	params_value_end(params);
}

static size_t all_events_count(const struct statement_queue *members)
{
	size_t count = 0;

	for (const struct statement *member = members->head; member;
	     member = member->behind)
		count += events_count(member);
	return count;
}

/* Of each event, the place of its move, and then its version. */
static void add_places(struct params *params,
                       const struct statement_queue *members)
{
	uint32_t place = 0;

	params_elements_begin(params, PARAMS_OF_INT4,
	                      all_events_count(members));
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		place++;
		for (uint32_t i = events_count(member); i > 0; i--)
			params_elements_add_int4(params, place);
	}
	params_value_end(params);
}

static void add_versions(struct params *params,
                         const struct statement_queue *members)
{
	params_elements_begin(params, PARAMS_OF_INT4,
	                      all_events_count(members));
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		uint32_t version =
			params_get_int4(&member->params, MOVE_VERSION);

		for (uint32_t i = events_count(member); i > 0; i--)
			params_elements_add_int4(params, ++version);
	}
	params_value_end(params);
}

static void add_counts(struct params *params,
                       const struct statement_queue *members)
{
	params_elements_begin(params, PARAMS_OF_INT4, members->count);
	for (const struct statement *member = members->head; member;
	     member = member->behind)
		params_elements_add_int4(params, events_count(member));
	params_value_end(params);
}

static void add_moves(struct params *params,
                      const struct statement_queue *members)
{
	add_each(params, PARAMS_OF_UUID, members, MOVE_GAME);
	add_each(params, PARAMS_OF_INT4, members, MOVE_VERSION);
	add_each(params, PARAMS_OF_TEXT, members, MOVE_STATUS);
	add_each(params, PARAMS_OF_INT2, members, MOVE_SEATS_MAX);
	add_each(params, PARAMS_OF_INT2, members, MOVE_SEATS_COUNT);
	add_each(params, PARAMS_OF_INT2, members, MOVE_HOST);
	add_each(params, PARAMS_OF_BYTEA, members, MOVE_STATE);
	add_counts(params, members);
	add_places(params, members);
	add_versions(params, members);
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_TYPES);
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_SEATS);
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_HEISTS);
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_COLORS);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_PUBLIC_DATA);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_PRIVATE_DATA);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_REPLAY_DATA);
}

/* --- the two that are gathered -------------------------------------------- */

static const struct query load_many = { .name = "load_many",
	                                .kind = STATEMENT_READ };
const struct gathering gather_loads = { .query = &load_many,
	                                .add_params = add_loads,
	                                .may_share = true };

static const struct query commit_moves = { .name = "commit_moves",
	                                   .kind = STATEMENT_COMMIT };
const struct gathering gather_moves = { .query = &commit_moves,
	                                .add_params = add_moves,
	                                .asks_absent_alone = true };

/* --- members -------------------------------------------------------------- */

bool gather_takes(const struct statement *statement)
{
	return statement->may_gather && statement->kind != STATEMENT_ALONE;
}

/*
 * Two loads of one game get one answer: that of the one that looks for stale
 * seats, if one does.
 */
static void share(struct statement *member, struct statement *statement)
{
	const struct params *params = &statement->params;

	if (params_get_bool(params, LOAD_FINDS_STALE) &&
	    !params_get_bool(&member->params, LOAD_FINDS_STALE)) {
		struct params other = member->params;

		member->params = statement->params;
		statement->params = other;
	}
	statement_share(member, statement);
}

static struct statement *find_member(const struct statement_queue *members,
                                     struct uuid id)
{
	struct statement *member = members->head;

	while (member && memcmp(&member->id, &id, sizeof(id)) != 0)
		member = member->behind;
	return member;
}

bool gather_may_add(const struct statement_queue *members,
                    const struct statement *statement)
{
	return gather_takes(statement) &&
	       (statement->query->gathering->may_share ||
	        !find_member(members, statement->id));
}

void gather_add(struct statement_queue *members, struct statement *statement)
{
	struct statement *member = find_member(members, statement->id);

	if (member)
		share(member, statement);
	else
		statement_insert_by_game(members, statement);
}

struct statement *gather_make(struct statement_queue *members)
{
	const struct gathering *gathering = members->head->query->gathering;
	struct statement *gathered =
		statement_make(gathering->query, NULL, NULL, NULL);

	assert(members->count > 1 && members->count <= STORE_BATCH_MAX);
	metric_observe_size(METRIC_GATHERED_SIZE, members->count);
	gathering->add_params(&gathered->params, members);
	gathered->members = *members;
	*members = (struct statement_queue){ .head = NULL };
	for (struct statement *member = gathered->members.head; member;
	     member = member->behind)
		member->was_sent = true;
	return gathered;
}

/* --- their rows ----------------------------------------------------------- */

bool gather_find_rows(struct statement *gathered)
{
	struct statement *members[STORE_BATCH_MAX];
	struct row row;
	unsigned count = 0;

	for (struct statement *member = gathered->members.head; member;
	     member = member->behind) {
		member->row = STATEMENT_NO_ROW;
		members[count++] = member;
	}
	for (int i = 0; i < PQntuples(gathered->res); i++) {
		row_init(&row, gathered->res, i);
		uint32_t place = row_int4(&row);
		if (place < 1 || place > count ||
		    members[place - 1]->row != STATEMENT_NO_ROW) {
			LOG(LOG_ERROR, "row_damaged",
			    LOG_TEXT("statement", gathered->query->name));
			return false;
		}
		members[place - 1]->row = i;
	}
	return true;
}

bool gather_is_unsettled(const struct statement *member)
{
	return member->row == STATEMENT_NO_ROW &&
	       member->query->gathering->asks_absent_alone;
}
