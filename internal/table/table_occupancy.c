/*
 * The seats of a table: taken or vacant, by a person or a bot.  Nothing is kept
 * here.
 */
#include "table/table.h"

unsigned table_players(const struct table *table)
{
	return table->seats - (unsigned)__builtin_popcount(table->vacant);
}

bool table_is_bot(const struct table *table, unsigned seat)
{
	return seat <= TABLE_SEATS_MAX && table->bots >> seat & 1;
}

bool table_is_taken(const struct table *table, unsigned seat)
{
	return seat >= 1 && seat <= table->seats &&
	       !(table->vacant >> seat & 1);
}

bool table_is_last(const struct table *table, unsigned seat)
{
	return table->status == STATUS_LOBBY && table_persons(table) == 1 &&
	       table_is_taken(table, seat) && !table_is_bot(table, seat);
}

unsigned table_free_seats(const struct table *table)
{
	if (status_is_over(table->status))
		return 0;
	if (table->status == STATUS_LOBBY)
		return table->seats_max - table_persons(table);
	return table->seats_max - table_players(table);
}

unsigned table_closed_up(const struct table *table, unsigned seat)
{
	unsigned below = table->vacant & ((1U << seat) - 1);

	return seat - (unsigned)__builtin_popcount(below);
}
