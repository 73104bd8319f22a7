/*
 * gather.c - several statements of one kind as one.
 *
 * The parameters of the members are there already, in PostgreSQL's format; the
 * gathered statement has arrays of them, as gather.def says.  Its rows begin
 * with the place of the member, from 1, in the order of the members, which is
 * that of their games.
 */
#include "store/gather.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "base/macros.h"
#include "metric/metric.h"
#include "store/handle.h"

/* The parameters of one member, from 0. */
enum {
#define LOAD(param, name) LOAD_##param,
#include "store/gather.def"
};
enum {
#define MOVE(param, name) MOVE_##param,
#include "store/gather.def"
};

/*
 * How a parameter of the gathered statement is made of one of its members'.  It
 * is NULL if no member has that one.
 */
enum form {
	EACH,     /* an array with the value of each member */
	ALL,      /* an array of all elements of the members' arrays */
	COUNTS,   /* how many elements each member's array has */
	PLACES,   /* of all elements, the place of its member */
	VERSIONS, /* of all elements, the version of its event */
	FIRST,    /* the value of the first member that has one */
};
struct column {
	enum form form;
	enum params_type type;
	unsigned param;
};

static const struct column load_columns[] = {
#define LOADS(form, type, param, name) { form, PARAMS_OF_##type, LOAD_##param },
#include "store/gather.def"
};
static const struct column move_columns[] = {
#define MOVES(form, type, param, name) { form, PARAMS_OF_##type, MOVE_##param },
#include "store/gather.def"
};

/* --- parameters ----------------------------------------------------------- */

static bool is_null(const struct statement *member, unsigned param)
{
	return params_is_null(&member->params, param);
}

/* The first member that has the parameter, or NULL. */
static const struct statement *find_first(const struct statement_queue *members,
                                          unsigned param)
{
	const struct statement *member = members->head;

	while (member && is_null(member, param))
		member = member->next;
	return member;
}

/* The number of elements of the member's array, which may be NULL. */
static uint32_t count_elements(const struct statement *member, unsigned param)
{
	return is_null(member, param)
	               ? 0
	               : params_get_count(&member->params, param);
}

/* Append the elements that one member has in a column, but for FIRST. */
static void add_elements(struct params *params, const struct column *column,
                         const struct statement *member, uint32_t place)
{
	unsigned param = column->param;
	uint32_t count =
		column->form == EACH ? 1 : count_elements(member, param);
	uint32_t version =
		column->form == VERSIONS
			? params_get_int4(&member->params, MOVE_VERSION)
			: 0;

	switch (column->form) {
	case EACH:
		params_elements_add(params, &member->params, param);
		break;
	case ALL:
		if (count > 0)
			params_elements_add_all(params, &member->params, param);
		break;
	case COUNTS:
		params_elements_add_int4(params, count);
		break;
	case PLACES:
		while (count-- > 0)
			params_elements_add_int4(params, place);
		break;
	case VERSIONS:
		while (count-- > 0)
			params_elements_add_int4(params, ++version);
		break;
	case FIRST:
		break;
	}
}

static void add_array(struct params *params, const struct column *column,
                      const struct statement_queue *members)
{
	bool is_one_each = column->form == EACH || column->form == COUNTS;
	const struct statement *member;
	size_t count = 0;
	uint32_t place = 0;

	for (member = members->head; member; member = member->next)
		count +=
			is_one_each ? 1 : count_elements(member, column->param);
	params_elements_begin(params, column->type, count);
	for (member = members->head; member; member = member->next)
		add_elements(params, column, member, ++place);
	params_value_end(params);
}

static void add_column(struct params *params, const struct column *column,
                       const struct statement_queue *members)
{
	const struct statement *first = find_first(members, column->param);

	if (!first)
		params_null(params);
	else if (column->form == FIRST)
		params_bool(params,
		            params_get_bool(&first->params, column->param));
	else
		add_array(params, column, members);
}

/* --- those that are gathered -----------------------------------------------
 */

static const struct query load_many = { .name = "load_many",
	                                .kind = STATEMENT_READ };
const struct gathering gather_loads = { .query = &load_many,
	                                .columns = load_columns,
	                                .count = ARRAY_LEN(load_columns),
	                                .lane = GATHER_LOADS };

static const struct query commit_moves = { .name = "commit_moves",
	                                   .kind = STATEMENT_COMMIT };
const struct gathering gather_moves = { .query = &commit_moves,
	                                .columns = move_columns,
	                                .count = ARRAY_LEN(move_columns),
	                                .lane = GATHER_MOVES,
	                                .one_each_game = true };

/* --- members -------------------------------------------------------------- */

bool gather_takes(const struct statement *statement)
{
	return statement->query->gathering &&
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
		member = member->next;
	return member;
}

/* The load of the game whose answer others may get, too. */
static struct statement *find_sharing(const struct statement_queue *members,
                                      struct uuid id)
{
	struct statement *member = members->head;

	while (member && (!member->may_share ||
	                  memcmp(&member->id, &id, sizeof(id)) != 0))
		member = member->next;
	return member;
}

bool gather_may_add(const struct statement_queue *members,
                    const struct statement *statement)
{
	return gather_takes(statement) &&
	       (!statement->query->gathering->one_each_game ||
	        !find_member(members, statement->id));
}

void gather_add(struct statement_queue *members, struct statement *statement)
{
	struct statement *member = NULL;

	if (statement->may_share)
		member = find_sharing(members, statement->id);
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
	for (size_t i = 0; i < gathering->count; i++)
		add_column(&gathered->params, &gathering->columns[i], members);
	gathered->members = *members;
	*members = (struct statement_queue){ .head = NULL };
	for (struct statement *member = gathered->members.head; member;
	     member = member->next)
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
	     member = member->next) {
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
	       member->query->gathering->one_each_game;
}
