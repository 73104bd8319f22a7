/*
 * The words become a struct plan_of_games; the seed of each game follows from
 * that of the plan.  The levels move on by a seat from game to game, so that no
 * level owns a seat.
 */
#include "operator/operator_bots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "operator/bot_table.h"
#include "operator/operator_words.h"
#include "service/game.h"
#include "service/rulesets.h"

enum { GAMES_MAX = 1000000, GAMES = 100, OPTION_WORDS_MAX = 8 };

struct plan_of_games {
	const struct ruleset *rules;
	struct options options;
	unsigned seats;
	unsigned levels_count;
	enum bot_level levels[TABLE_SEATS_MAX];
	unsigned games;
	unsigned seed;
};

/* --- words ---------------------------------------------------------------- */

static bool refuse(const char *name, const char *word, const char *expected)
{
	(void)fprintf(stderr, "%s is \"%s\"; expected: %s\n", name, word,
	              expected);
	return false;
}

/* The words with commas between, in a static buffer. */
static const char *list_of(const char *const *words, size_t count)
{
	static char text[256];

	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(text);

		(void)snprintf(text + len, sizeof(text) - len, "%s%s",
		               i ? ", " : "", words[i]);
	}
	return text;
}

static size_t count_of(const char *const *words)
{
	size_t count = 0;

	while (words && words[count])
		count++;
	return count;
}

static bool read_ruleset(const char *word, const struct ruleset **rules)
{
	size_t count;
	const char *const *codes = rulesets_codes(&count);

	for (size_t i = 0; i < count; i++) {
		*rules = rulesets_at(i)->rules;
		if (strcmp(codes[i], word) == 0 && bot_plays(*rules))
			return true;
	}
	return refuse("--ruleset", word, list_of(codes, count));
}

static bool read_mode(const char *word, struct plan_of_games *plan)
{
	const char *const *modes = plan->rules->modes;

	for (unsigned i = 0; modes[i]; i++) {
		if (strcmp(modes[i], word) == 0) {
			plan->options.bytes[0] = (uint8_t)(i + 1);
			return true;
		}
	}
	return refuse("--mode", word,
	              modes[0] ? list_of(modes, count_of(modes))
	                       : "nothing: this ruleset has no modes");
}

/* An option that a word without a value turns on, such as --shuffled. */
static bool read_flag(const char *word, struct plan_of_games *plan)
{
	const char *const *flags = plan->rules->bot->flags;
	size_t count = count_of(flags);
	size_t i = 0;

	while (i < count && strcmp(flags[i], word + strlen("--")) != 0)
		i++;
	if (i < count) {
		plan->options.bytes[1 + i] = 1;
		return true;
	}
	(void)fprintf(stderr,
	              "unexpected argument \"%s\" with %s; expected without a "
	              "value: %s\n",
	              word, plan->rules->code,
	              count ? list_of(flags, count) : "nothing");
	return false;
}

static bool read_levels(const char *word, struct plan_of_games *plan)
{
	const char *at = word;

	plan->levels_count = 0;
	for (;;) {
		size_t len = strcspn(at, ",");

		if (plan->levels_count == TABLE_SEATS_MAX ||
		    !bot_level_parse(at, len,
		                     &plan->levels[plan->levels_count]))
			return refuse("--level", word,
			              "novice, steady or sharp, or one for "
			              "each seat with commas between");
		plan->levels_count++;
		if (!at[len])
			return true;
		at += len + 1;
	}
}

/* The words as they were given; NULL: not given. */
struct words {
	const char *ruleset;
	const char *mode;
	const char *seats;
	const char *level;
	const char *games;
	const char *seed;
	const char *flags[OPTION_WORDS_MAX]; /* with "--" */
	size_t flags_count;
};

static bool sort_words(int count, char **words, struct words *found)
{
	const struct {
		const char *name;
		const char **value;
	} rows[] = {
		{ "--ruleset", &found->ruleset }, { "--mode", &found->mode },
		{ "--seats", &found->seats },     { "--level", &found->level },
		{ "--games", &found->games },     { "--seed", &found->seed },
	};

	for (int i = 0; i < count; i++) {
		size_t row = 0;

		while (row < ARRAY_LEN(rows) &&
		       strcmp(rows[row].name, words[i]) != 0)
			row++;
		if (row < ARRAY_LEN(rows) && i + 1 < count) {
			*rows[row].value = words[++i];
		} else if (row == ARRAY_LEN(rows) &&
		           strncmp(words[i], "--", 2) == 0 &&
		           found->flags_count < OPTION_WORDS_MAX) {
			found->flags[found->flags_count++] = words[i];
		} else {
			(void)fprintf(stderr,
			              "unexpected argument \"%s\", or one "
			              "without its value; expected: "
			              "--ruleset, --mode, --seats, --level, "
			              "--games or --seed with a value, and "
			              "options of the ruleset\n",
			              words[i]);
			return false;
		}
	}
	return true;
}

/* Check what only fits together. */
static bool check_plan(const struct plan_of_games *plan)
{
	const struct ruleset *rules = plan->rules;
	char seats[16];
	char expected[64];

	(void)snprintf(seats, sizeof(seats), "%u", plan->seats);
	if (plan->seats < rules->seats_min || plan->seats > rules->seats_max) {
		(void)snprintf(expected, sizeof(expected), "%u to %u in %s",
		               (unsigned)rules->seats_min,
		               (unsigned)rules->seats_max, rules->code);
		return refuse("--seats", seats, expected);
	}
	if (plan->levels_count != 1 && plan->levels_count != plan->seats)
		return refuse("--seats", seats,
		              "the number of levels in --level");
	return true;
}

static bool read_words(int count, char **words, struct plan_of_games *plan)
{
	struct words found = { .ruleset = rulesets_at(0)->rules->code,
		               .level = "sharp" };

	if (!sort_words(count, words, &found) ||
	    !read_ruleset(found.ruleset, &plan->rules))
		return false;
	for (size_t i = 0; i < found.flags_count; i++) {
		if (!read_flag(found.flags[i], plan))
			return false;
	}
	if (!found.mode)
		found.mode = plan->rules->modes[0];
	plan->seats = plan->rules->seats_max < 4 ? plan->rules->seats_max : 4;
	return (!found.mode || read_mode(found.mode, plan)) &&
	       read_levels(found.level, plan) &&
	       (!found.seats || operator_words_number("--seats", found.seats,
	                                              99, &plan->seats)) &&
	       (!found.games ||
	        operator_words_number("--games", found.games, GAMES_MAX,
	                              &plan->games)) &&
	       (!found.seed ||
	        operator_words_number("--seed", found.seed, UINT32_MAX,
	                              &plan->seed)) &&
	       check_plan(plan);
}

/* --- games ---------------------------------------------------------------- */

/* The seat that has won alone; 0: nobody has, or all together. */
static unsigned winner_of(const struct bot_table *table)
{
	const struct ruleset *rules = table->table.rules;

	if (!rules->bot->winner)
		return 0;
	rules->view(table->state, 0, table->view);
	return rules->bot->winner(table->view);
}

/* Count the games that each level of the plan has won alone. */
static void play_all(const struct plan_of_games *plan, struct bot_table *table,
                     uint64_t won[TABLE_SEATS_MAX])
{
	for (unsigned game = 0; game < plan->games; game++) {
		unsigned number = plan->seed + game;
		uint8_t seed[RNG_SEED_SIZE] = { (uint8_t)number,
			                        (uint8_t)(number >> 8),
			                        (uint8_t)(number >> 16),
			                        (uint8_t)(number >> 24) };

		for (unsigned seat = 0; seat < plan->seats; seat++)
			table->levels[seat] = plan->levels[(seat + game) %
			                                   plan->levels_count];
		if (!bot_table_start(table, plan->seats, &plan->options, seed))
			continue;
		bot_table_play(table);
		unsigned winner = winner_of(table);
		if (winner)
			won[(winner - 1 + game) % plan->levels_count]++;
	}
}

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : 0;
}

static void print_times(const char *name, const struct bot_times *times)
{
	(void)printf("%-28s p50 %u us, p99 %u us, of %" PRIu64 "\n", name,
	             bot_times_percentile(times, 50),
	             bot_times_percentile(times, 99), times->count);
}

static void print_parts(const struct bot_rules *bot,
                        const struct bot_tally *tally)
{
	char name[32];

	(void)printf("%-28s %" PRIu64 "\n", bot->parts, tally->parts);
	(void)snprintf(name, sizeof(name), "%s won", bot->parts);
	(void)printf("%-28s %.1f %%\n", name,
	             100 * share(tally->parts_won, tally->parts));
	(void)snprintf(name, sizeof(name), "moves %s", bot->part_name);
	(void)printf("%-28s %.1f\n", name, share(tally->moves, tally->parts));
	if (bot->extra)
		(void)printf("%-28s %.1f\n", bot->extra,
		             share(tally->extra, tally->parts));
}

static void print_tally(const struct plan_of_games *plan,
                        const struct bot_tally *tally,
                        const uint64_t won[TABLE_SEATS_MAX])
{
	const struct bot_rules *bot = plan->rules->bot;

	(void)printf("%-28s %" PRIu64 "\n", "games", tally->games);
	if (!bot->winner)
		(void)printf("%-28s %.1f %%\n", "games won",
		             100 * share(tally->won, tally->games));
	if (bot->parts)
		print_parts(bot, tally);
	else
		(void)printf("%-28s %.1f\n", "moves a game",
		             share(tally->moves, tally->games));
	for (unsigned i = 0; bot->winner && i < plan->levels_count; i++)
		(void)printf("%-28s %.1f %%\n",
		             bot_level_get(plan->levels[i])->code,
		             100 * share(won[i], tally->games));
	(void)printf("%-28s %" PRIu64 "\n", "games that did not end",
	             tally->stalled);
	print_times("decisions in a round", &tally->in_round);
	print_times("decisions on new cards", &tally->opening);
}

bool operator_bots(int count, char **words)
{
	struct plan_of_games plan = { .games = GAMES, .seed = 1 };
	uint64_t won[TABLE_SEATS_MAX] = { 0 };

	if (!read_words(count, words, &plan))
		return false;
	struct bot_tally *tally = xcalloc(1, sizeof(*tally));
	struct bot_table *table = bot_table_open(plan.rules, tally);
	play_all(&plan, table, won);
	print_tally(&plan, tally, won);
	bool good = !tally->stalled && !tally->refused;
	bot_table_close(table);
	free(tally);
	return good;
}
