/*
 * test_famiglia.c - the rules of Famiglia.  Each step does what the rulebook
 * says and refuses everything else, in the promised order.  Rows are scripts
 * in famiglia.def.
 */
#include <stdio.h>
#include <string.h>

#include "games/famiglia/rules/famiglia_view.h"
#include "famiglia_play.h"

struct fam_row {
	const char *name;
	const char *setup;
	const char *script;
	enum err last;
	const char *facts;
};

static struct fam_row fam_rows[] = {
#define FAM(name, setup, script, last, facts) \
	{ name, setup, script, ERR_##last, facts },
#include "famiglia.def"
};

/* --- facts ---------------------------------------------------------------- */

static void check_number(const char *text, unsigned number)
{
	char expected[16];

	(void)snprintf(expected, sizeof(expected), "%u", number);
	assert_string_equal(expected, text);
}

static void check_set(const char *text, uint64_t set)
{
	assert_int_equal(fam_play_set(text), set);
}

static void check_side(const struct fam_play *play, const char *word)
{
	const struct side *side = &play->game.sides[fam_play_seat(*word) - 1];

	if (word[1] == '_')
		check_set(word + 3, side->display);
	else
		check_set(word + 2, side->hand);
}

static void check_street(const struct fam_play *play, const char *text)
{
	uint8_t gangsters[STREET_MAX];
	unsigned count = fam_play_cards(&text, gangsters);

	assert_int_equal(count, play->game.street.count);
	assert_memory_equal(gangsters, play->game.street.gangsters, count);
}

static void check_steps(const struct fam_play *play, const char *text)
{
	const struct famiglia *game = &play->game;
	char steps[5] = "";
	char *at = steps;

	if (famiglia_mover(game)) {
		if (!turn_check_refill_step(game))
			*at++ = 'r';
		if (!turn_check_swap_step(&game->turn))
			*at++ = 'a';
		if (!turn_check_threat_step(&game->turn))
			*at++ = 'b';
		*at = 't';
	}
	assert_string_equal(steps, text);
}

/* "last_round,A,points" */
static void check_ending(const struct fam_play *play, const char *text)
{
	static const char *const endings[] = { "", "last_round", "both_passed",
		                               "forfeited" };
	static const char *const decided[] = { "-", "points", "single_card" };
	struct famiglia_view view;
	char expected[64];

	famiglia_view(&play->game, 0, &view);
	struct result result = view.result;

	(void)snprintf(expected, sizeof(expected), "%s,%c,%s",
	               endings[result.ending], "-AB"[result.winner],
	               decided[result.decided]);
	assert_string_equal(expected, text);
}

static void check_rank(const struct fam_play *play, const char *text)
{
	unsigned gangster = fam_play_card(&text);

	assert_int_equal(*text, '=');
	check_number(text + 1, turn_rank(&play->game.turn, gangster));
}

static void check_mover(const struct famiglia *game, char letter)
{
	unsigned seat = famiglia_mover(game);

	assert_int_equal("-AB"[seat], letter);
	assert_int_equal(famiglia_ruleset.standing(game).waiting_for,
	                 seat ? 1U << seat : 0);
}

static void check_whole(const struct fam_play *play, const char *word)
{
	const struct famiglia *game = &play->game;

	if (strncmp(word, "end:", 4) == 0)
		check_ending(play, word + 4);
	else if (strncmp(word, "is:", 3) == 0)
		assert_string_equal(status_code(play->table.status), word + 3);
	else if (*word == '>')
		check_mover(game, word[1]);
	else if (strchr(word, '~'))
		assert_int_equal(game->has_passed, *word == '~');
	else
		assert_int_equal(game->pile.second_pass, *word == '2');
}

static void check_fact(void *arg, const char *word)
{
	const struct fam_play *play = arg;
	const struct famiglia *game = &play->game;

	if (word[0] == 'l' && word[1] == '+')
		check_number(word + 2,
		             (unsigned)(game->last_turn - game->turn.number));
	else if (word[0] == 'A' || word[0] == 'B')
		check_side(play, word);
	else if (word[0] == 'k')
		check_rank(play, word + 2);
	else if (word[1] != '=')
		check_whole(play, word);
	else if (word[0] == 's')
		check_street(play, word + 2);
	else if (word[0] == 'o')
		check_steps(play, word + 2);
	else if (word[0] == 'p')
		check_number(word + 2, game->pile.count);
	else if (word[0] == 'd')
		check_number(word + 2, gangsters_count(game->pile.discards));
	else if (word[0] == 'r')
		check_number(word + 2, game->turn.refills);
	else if (word[0] == 't')
		check_number(word + 2, game->turn.number);
	else
		check_number(word + 2, game->last_turn);
}

/* --- rows ----------------------------------------------------------------- */

static void check_row(void **state)
{
	const struct fam_row *row = *state;
	struct fam_play play;

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_string_equal(err_code(play.last), err_code(row->last));
	fam_play_each(&play, row->facts, check_fact);
	assert_true(famiglia_valid(&play.game));
	if (row->last)
		assert_int_equal(play.events.count, 0);
}

/* The players begin alternately, game after game. */
static void check_again(void **state)
{
	static const uint8_t starters[] = { 1, 2, 1, 2 };
	struct fam_play play;

	(void)state;
	fam_play_open(&play);
	fam_play_on(&play, "n j");
	for (size_t i = 0; i < ARRAY_LEN(starters); i++) {
		assert_int_equal(play.table.status, STATUS_PLAYING);
		assert_int_equal(play.game.starter, starters[i]);
		assert_int_equal(famiglia_mover(&play.game), starters[i]);
		fam_play_on(&play, starters[i] == 1 ? "A/ B/" : "B/ A/");
		assert_int_equal(play.table.status, STATUS_OVER);
		fam_play_on(&play, "B# r");
	}
}

/* A lone player waits, and the next player begins if it is their turn. */
static void check_alone_again(void **state)
{
	struct fam_play play;

	(void)state;
	fam_play_open(&play);
	fam_play_on(&play, "n j A/ B/ B# A! r");
	assert_int_equal(play.table.status, STATUS_LOBBY);
	assert_int_equal(play.table.seats, 1);
	assert_int_equal(play.game.starter, 2);
	fam_play_on(&play, "As");
	assert_int_equal(play.last, ERR_NOT_ALLOWED_NOW);
	fam_play_join(&play);
	assert_int_equal(play.table.status, STATUS_PLAYING);
	assert_int_equal(famiglia_mover(&play.game), 2);
}

/* A rematch is for a game that is over. */
static void check_rematch(void **state)
{
	static const struct {
		const char *script;
		enum err last;
	} rows[] = {
		{ "n A#", ERR_GAME_NOT_STARTED },
		{ "n A/", ERR_GAME_NOT_STARTED },
		{ "n j A#", ERR_NOT_ALLOWED_NOW },
		{ "n j A/ B/ A# B#", ERR_ALREADY_USED },
		{ "n j A/ B/ j", ERR_GAME_OVER },
		{ "n j j", ERR_GAME_FULL },
		{ "n As", ERR_NOT_ALLOWED_NOW },
		{ "n j As", ERR_ALREADY_STARTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct fam_play play;

		fam_play_open(&play);
		fam_play_on(&play, rows[i].script);
		assert_string_equal(err_code(play.last),
		                    err_code(rows[i].last));
	}
}

/* There are no modes, and nothing else to choose. */
static void check_options(void **state)
{
	static const struct {
		uint8_t args[3];
		enum err err;
	} rows[] = {
		{ { 2, 0, 0 }, ERR_OK },      { { 1, 0, 0 }, ERR_INVALID },
		{ { 3, 0, 0 }, ERR_INVALID }, { { 2, 1, 0 }, ERR_INVALID },
		{ { 2, 0, 1 }, ERR_INVALID },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct action action = { .verb = VERB_CREATE };
		struct fam_play play;

		memcpy(action.args, rows[i].args, sizeof(rows[i].args));
		fam_play_open(&play);
		fam_play_act(&play, action);
		assert_int_equal(play.last, rows[i].err);
	}
}

/* The faults of an action whatever the game's state. */
static void check_faults(void **state)
{
	static const struct {
		const char *word;
		const char *member; /* NULL: nothing is */
		const char *code;
	} rows[] = {
		{ "A-x", "card", "not_one_of" },
		{ "A-f4a", NULL, NULL },
		{ "A$x:f0a<f1a", "card", "not_one_of" },
		{ "A$a1a:<f1a", "give", "not_allowed" },
		{ "A$a1a:x<f1a", "give", "not_allowed" },
		{ "A$a1a:f0a,f0a<f1a,f1b", "give", "not_allowed" },
		{ "A$a1a:f0a<", "take", "not_allowed" },
		{ "A$a1a:f0a<x", "take", "not_allowed" },
		{ "A$a1a:f0a,m0a<f1a,f1a", "take", "not_allowed" },
		{ "A$a1a:f0a<f1a,f1b", "take", "not_allowed" },
		{ "A$a1a:f0a,m0a<f1a", "take", "not_allowed" },
		{ "A$a1a:f0a,m0a,b0a,a0a<f1a,f1b,f1c,f1d", NULL, NULL },
		{ "A*x:f1a-1", "card", "not_one_of" },
		{ "A*b1a:x-1", "target", "not_one_of" },
		{ "A*b1a:f1a-0", "by", "out_of_range" },
		{ "A*b1a:f1a-5", "by", "out_of_range" },
		{ "A*b1a:f1a-4", NULL, NULL },
		{ "A+x", "card", "not_one_of" },
		{ "A+f0c", NULL, NULL },
		{ "A+f1a:f0a,x^f0a", "pay", "not_allowed" },
		{ "A+f1a:x,f0a^f0a", "pay", "not_allowed" },
		{ "A+f1a:f0a^f0a", "pay", "not_allowed" },
		{ "A+f1a^f0a", "pay", "not_allowed" },
		{ "A+f1a:f0a,f0a^f0a", "pay", "not_allowed" },
		{ "A+f1a:f0a,f0c", "keep", "not_one_of" },
		{ "A+f1a:f0a,f0c^f0d", "keep", "not_one_of" },
		{ "A+f1a:f0a,f0c^f0c", NULL, NULL },
		{ "A/", NULL, NULL },
		{ "A?", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct action action = fam_play_action(rows[i].word);
		struct famiglia game = { .starter = 1 };
		struct fault fault = famiglia_ruleset.fault(&game, &action);

		if (!rows[i].member) {
			assert_null(fault.member);
			continue;
		}
		assert_non_null(fault.member);
		assert_string_equal(fault.member, rows[i].member);
		assert_string_equal(fault.code, rows[i].code);
		assert_int_equal(fault.detail[strlen(fault.detail) - 1], '.');
	}
}

/* A list has its gangsters first, and nothing after them. */
static void check_lists(void **state)
{
	static const struct {
		uint8_t list[SWAP_MAX];
		bool good;
	} rows[] = {
		{ { 0, 0, 0, 0 }, true },    { { 1, 0, 0, 0 }, true },
		{ { 1, 2, 3, 60 }, true },   { { 0, 1, 0, 0 }, false },
		{ { 1, 0, 2, 0 }, false },   { { 61, 0, 0, 0 }, false },
		{ { 1, 255, 0, 0 }, false }, { { 1, 2, 1, 0 }, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(swap_is_list(rows[i].list), rows[i].good);
}

/* An action may come from a damaged log, with an invalid seat. */
static void check_seats(void **state)
{
	static const uint8_t seats[] = { 0, 3, 255 };
	struct fam_play play;

	(void)state;
	fam_play_begin(&play, "");
	for (size_t i = 0; i < ARRAY_LEN(seats); i++) {
		fam_play_act(&play, (struct action){ .verb = VERB_PASS,
		                                     .seat = seats[i] });
		assert_int_equal(play.last, ERR_NO_SUCH_SEAT);
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, fam_rows, check_row);
	rows_add(&rows, "the players begin by turns", check_again, NULL);
	rows_add(&rows, "a lone player's rematch waits for another",
	         check_alone_again, NULL);
	rows_add(&rows, "a rematch needs an ended game", check_rematch, NULL);
	rows_add(&rows, "invalid options of a game are refused", check_options,
	         NULL);
	rows_add(&rows, "faults of an action in any state", check_faults, NULL);
	rows_add(&rows, "a list of cards has no gap and no card twice",
	         check_lists, NULL);
	rows_add(&rows, "an action of an invalid seat is refused", check_seats,
	         NULL);
	return rows_run("famiglia", &rows);
}
