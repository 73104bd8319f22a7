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
#include "base/macros.h"
#include "metric/metric.h"
#include "store/handle.h"
#include "store/queries.h"

/* The places of the parameters in load_idempotent.sql and commit_move.sql, from
 * 0; load.sql has the first two. */
enum {
	LOAD_GAME,
	LOAD_FINDS_STALE,
	LOAD_KEY,
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
	MOVE_EVENT_PARTS,
	MOVE_EVENT_SUBPARTS,
	MOVE_EVENT_PUBLIC_DATA,
	MOVE_EVENT_PRIVATE_DATA,
	MOVE_EVENT_REPLAY_DATA,
};

/* Behind the place at which a statement has its key, or what it tells. */
enum { KEY_HASH, KEY_REQUEST, KEY_LOCATION, KEY_SEALED };
enum { TOLD_SEATS, TOLD_CODES, TOLD_DONE, TOLD_WEBHOOK };

/* A part of the parameters that not all moves have. */
enum part { PART_KEY, PART_TOLD, PARTS };

/* Where the statements of moves have these parts, from 0; 0: nowhere. */
static const struct {
	const struct query *query;
	unsigned begins[PARTS];
} layouts[] = {
	{ &query_commit_move_idempotent, { [PART_KEY] = 14 } },
	{ &query_commit_notified, { [PART_TOLD] = 26 } },
	{ &query_commit_notified_idempotent,
	  { [PART_KEY] = 30, [PART_TOLD] = 26 } },
};

static unsigned find_part(const struct statement *member, enum part part)
{
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
		if (layouts[i].query == member->query)
			return layouts[i].begins[part];
	}
	return 0;
}

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

static void add_keyed_loads(struct params *params,
                            const struct statement_queue *members)
{
	add_loads(params, members);
	add_each(params, PARAMS_OF_BYTEA, members, LOAD_KEY);
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
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_PARTS);
	add_all(params, PARAMS_OF_INT2, members, MOVE_EVENT_SUBPARTS);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_PUBLIC_DATA);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_PRIVATE_DATA);
	add_all(params, PARAMS_OF_BYTEA, members, MOVE_EVENT_REPLAY_DATA);
}

/* A column of the keys: NULL for a move without one. */
static void add_keys(struct params *params, enum params_type type,
                     const struct statement_queue *members, unsigned column)
{
	params_elements_begin(params, type, members->count);
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		unsigned begin = find_part(member, PART_KEY);

		if (begin)
			params_elements_add(params, &member->params,
			                    begin + column);
		else
			params_elements_add_null(params);
	}
	params_value_end(params);
}

static uint32_t told_count(const struct statement *member, unsigned column)
{
	unsigned begin = find_part(member, PART_TOLD);

	return begin ? params_get_count(&member->params, begin + column) : 0;
}

static size_t all_told_count(const struct statement_queue *members,
                             unsigned column)
{
	size_t count = 0;

	for (const struct statement *member = members->head; member;
	     member = member->behind)
		count += told_count(member, column);
	return count;
}

/* Of each seat in a column, the place of its move. */
static void add_told_places(struct params *params,
                            const struct statement_queue *members,
                            unsigned column)
{
	uint32_t place = 0;

	params_elements_begin(params, PARAMS_OF_INT4,
	                      all_told_count(members, column));
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		place++;
		for (uint32_t i = told_count(member, column); i > 0; i--)
			params_elements_add_int4(params, place);
	}
	params_value_end(params);
}

static void add_told(struct params *params,
                     const struct statement_queue *members, unsigned column)
{
	params_elements_begin(params, PARAMS_OF_INT2,
	                      all_told_count(members, column));
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		if (told_count(member, column))
			params_elements_add_all(params, &member->params,
			                        find_part(member, PART_TOLD) +
			                                column);
	}
	params_value_end(params);
}

/* The same for all statements of a store. */
static bool are_for_webhook(const struct statement_queue *members)
{
	for (const struct statement *member = members->head; member;
	     member = member->behind) {
		unsigned begin = find_part(member, PART_TOLD);

		if (begin &&
		    params_get_bool(&member->params, begin + TOLD_WEBHOOK))
			return true;
	}
	return false;
}

static void add_full_moves(struct params *params,
                           const struct statement_queue *members)
{
	add_moves(params, members);
	add_keys(params, PARAMS_OF_BYTEA, members, KEY_HASH);
	add_keys(params, PARAMS_OF_BYTEA, members, KEY_REQUEST);
	add_keys(params, PARAMS_OF_UUID, members, KEY_LOCATION);
	add_keys(params, PARAMS_OF_BYTEA, members, KEY_SEALED);
	add_told_places(params, members, TOLD_SEATS);
	add_told(params, members, TOLD_SEATS);
	add_told(params, members, TOLD_CODES);
	add_told_places(params, members, TOLD_DONE);
	add_told(params, members, TOLD_DONE);
	params_bool(params, are_for_webhook(members));
}

/* --- those that are gathered -----------------------------------------------
 */

static const struct query load_many = { .name = "load_many",
	                                .kind = STATEMENT_READ };
const struct gathering gather_loads = { .query = &load_many,
	                                .add_params = add_loads,
	                                .same_game = GATHER_SHARES };

static const struct query load_many_idempotent = {
	.name = "load_many_idempotent", .kind = STATEMENT_READ
};
const struct gathering gather_keyed_loads = { .query = &load_many_idempotent,
	                                      .add_params = add_keyed_loads,
	                                      .same_game = GATHER_ADDS };

static const struct query commit_moves = { .name = "commit_moves",
	                                   .kind = STATEMENT_COMMIT };
const struct gathering gather_moves = { .query = &commit_moves,
	                                .add_params = add_moves,
	                                .same_game = GATHER_WAITS,
	                                .asks_absent_alone = true };

static const struct query commit_moves_full = { .name = "commit_moves_full",
	                                        .kind = STATEMENT_COMMIT };
const struct gathering gather_full_moves = { .query = &commit_moves_full,
	                                     .add_params = add_full_moves,
	                                     .same_game = GATHER_WAITS,
	                                     .asks_absent_alone = true };

/* --- members -------------------------------------------------------------- */

bool gather_takes(const struct statement *statement)
{
	return statement->may_gather &&
	       statement->kind == statement->query->kind;
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
	       (statement->query->gathering->same_game != GATHER_WAITS ||
	        !find_member(members, statement->id));
}

void gather_add(struct statement_queue *members, struct statement *statement)
{
	struct statement *member = NULL;

	if (statement->query->gathering->same_game == GATHER_SHARES)
		member = find_member(members, statement->id);
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
