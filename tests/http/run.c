/*
 * run.c - runs stories against a daemon and says how they went.
 *
 *   run [--log FILE] [--arranged FILE] [--planted] [--seed N] STORY...
 *
 * GANGD_URL names the daemon, GANGD_ELSEWHERE_URL another one with other
 * settings, GANGD_MIGRATE_URL (or GANGD_DATABASE_URL) their database.  --log
 * keeps every exchange as a line of JSON, --arranged the ids of the games whose
 * cards a story arranged.  With --planted every story holds a fault on purpose,
 * and passes if it fails at the line marked "# fails: WHY", and for that
 * reason.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "client.h"
#include "script.h"
#include "story.h"
#include "watch.h"

enum {
	SHOWN_BYTES = 3000,
	TRIES_MAX = 5,
};

static const char planted_mark[] = "# fails: ";

struct run {
	struct client *client;
	struct watch *watch;
	FILE *arranged;
	bool planted;
	char why[512]; /* the last failure's message */
	unsigned passed;
	unsigned failed;
};

/* --- failing -------------------------------------------------------------- */

static void print_fields(const struct field *fields, char mark)
{
	for (; fields; fields = fields->next)
		printf("  %c %s: %s\n", mark, fields->name, fields->value);
}

static void print_exchange(const struct exchange *exchange)
{
	printf("  > %s %s\n", exchange->method, exchange->target);
	print_fields(exchange->sent, '>');
	if (exchange->body)
		printf("  > %.*s\n", SHOWN_BYTES, exchange->body);
	printf("  < %u\n", exchange->status);
	print_fields(exchange->fields, '<');
	if (exchange->answer)
		printf("  < %.*s\n", SHOWN_BYTES, exchange->answer);
}

void story_fail(struct story *story, const struct exchange *exchange,
                const char *format, ...)
{
	char *why = story->run->why;
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(story->run->why), format, args);
	va_end(args);
	if (!story->run->planted) {
		printf("FAILED %s\n  %s:%d: %s\n  %s\n", story->name,
		       story->file, story->line, story->text, why);
		if (exchange)
			print_exchange(exchange);
	}
	longjmp(story->ended, STORY_FAILED);
}

void story_try_again(struct story *story, const char *why)
{
	if (story->tries_left == 0)
		story_fail(story, NULL, "%s, %d times", why, TRIES_MAX);
	longjmp(story->ended, STORY_AGAIN);
}

/* --- running -------------------------------------------------------------- */

static void end_story(struct story *story)
{
	for (struct exchange *e = story->exchanges; e; e = e->next)
		client_forget(story, e);
	arena_fini(&story->arena);
}

/* True if a line says that it fails, and for this reason. */
static bool is_planted(const char *line, const char *why)
{
	const char *mark = strstr(line, planted_mark);

	return mark && strstr(why, mark + strlen(planted_mark));
}

static enum story_end run_story(struct story *story,
                                const struct script *script, size_t from,
                                size_t end)
{
	switch (setjmp(story->ended)) {
	case 0:
		script_run(story, script, from, end);
		return STORY_COMPLETE;
	case STORY_AGAIN:
		return STORY_AGAIN;
	default:
		return STORY_FAILED;
	}
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void begin_story(struct story *story, struct run *run, const char *file,
                        unsigned tries_left)
{
	*story = (struct story){
		.run = run,
		.client = run->client,
		.watch = run->watch,
		.arranged = run->arranged,
		.file = file,
		.name = file,
		.text = "",
		.tries_left = tries_left,
	};
	arena_init(&story->arena);
}

static void try_story(struct run *run, const char *file,
                      const struct script *script, size_t from)
{
	size_t end = script_story(script, from + 1);
	struct story story;
	long begin = now_ms();
	enum story_end how;
	bool ok;

	begin_story(&story, run, file, TRIES_MAX - 1);
	while ((how = run_story(&story, script, from, end)) == STORY_AGAIN) {
		unsigned tries_left = story.tries_left - 1;

		watch_reset(run->watch);
		end_story(&story);
		begin_story(&story, run, file, tries_left);
	}
	ok = how == STORY_COMPLETE;
	if (run->planted) {
		ok = !ok && is_planted(script->lines[story.line - 1], run->why);
		if (!ok)
			printf("FAILED %s\n  %s:%d is not the fault: %s\n",
			       story.name, file, story.line, run->why);
	}
	if (ok)
		printf("ok     %s (%ld ms)\n", story.name, now_ms() - begin);
	run->passed += ok;
	run->failed += !ok;
	watch_reset(run->watch);
	end_story(&story);
}

static void run_file(struct run *run, const char *file)
{
	struct script script;

	if (!script_read(&script, file)) {
		run->failed++;
		return;
	}
	for (size_t at = script_story(&script, 0); at < script.count;
	     at = script_story(&script, at + 1))
		try_story(run, file, &script, at);
	script_free(&script);
}

/* --- from the outside ----------------------------------------------------- */

static const char *setting(const char *name, const char *or_name)
{
	const char *value = getenv(name);

	if (!value && or_name)
		value = getenv(or_name);
	if (!value) {
		fprintf(stderr, "run: %s is not set\n", name);
		exit(2);
	}
	return value;
}

static FILE *open_log(const char *name)
{
	FILE *log = fopen(name, "w");

	if (!log) {
		perror(name);
		exit(2);
	}
	return log;
}

int main(int argc, char **argv)
{
	struct run run = { .planted = false };
	unsigned seed = (unsigned)time(NULL);
	FILE *log = NULL;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--planted") == 0)
			run.planted = true;
		else if (strcmp(argv[i], "--log") == 0 && i + 1 < argc)
			log = open_log(argv[++i]);
		else if (strcmp(argv[i], "--arranged") == 0 && i + 1 < argc)
			run.arranged = open_log(argv[++i]);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			seed = (unsigned)strtoul(argv[++i], NULL, 10);
	}
	srand(seed);
	setvbuf(stdout, NULL, _IOLBF, 0);
	run.client = client_open(setting("GANGD_URL", NULL),
	                         getenv("GANGD_ELSEWHERE_URL"), log);
	run.watch =
		watch_open(setting("GANGD_MIGRATE_URL", "GANGD_DATABASE_URL"));
	if (!run.watch)
		return 2;
	for (; i < argc; i++)
		run_file(&run, argv[i]);
	if (run.failed)
		printf("seed %u\n", seed);
	printf("%u passed, %u failed\n", run.passed, run.failed);
	watch_close(run.watch);
	client_close(run.client);
	if (log)
		fclose(log);
	if (run.arranged)
		fclose(run.arranged);
	return run.failed > 0;
}
