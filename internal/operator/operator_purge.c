/*
 * One run of the purge, and its metrics as Prometheus reads them: the numbers
 * of this run, since nothing lives from one run to the next.
 */
#include "operator/operator_purge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "admin/purge.h"
#include "base/clock.h"
#include "operator/operator_words.h"

enum { PATH_SIZE = 4096 };

struct purge_words {
	bool dry_run;
	const char *metrics; /* a path; NULL: none */
	const char *days;    /* NULL: as the settings say */
};

static bool read_words(int count, char **words, struct purge_words *purge)
{
	const struct flag flags[] = {
		{ "dry-run", &purge->dry_run, NULL },
		{ "metrics", NULL, &purge->metrics },
	};
	struct operator_words rest = { count, words };

	*purge = (struct purge_words){ .dry_run = false };
	if (!operator_words_flags(&rest, flags, ARRAY_LEN(flags), 1,
	                          "DAYS, --dry-run, --metrics FILE"))
		return false;
	if (rest.count > 0)
		purge->days = rest.words[0];
	if (purge->dry_run && purge->metrics) {
		(void)fprintf(stderr, "--dry-run deletes nothing, and has no "
		                      "metrics; leave out one of the two\n");
		return false;
	}
	return true;
}

/* DAYS sets two of the ages. */
static bool read_ages(const char *days, struct purge_ages *ages)
{
	if (!days)
		return true;
	if (!operator_words_number("DAYS", days, PURGE_DAYS_MAX,
	                           &ages->finished_days))
		return false;
	ages->abandoned_days = ages->finished_days;
	return true;
}

static bool print_metrics(FILE *file, const struct purge_counts *counts)
{
	return fprintf(file,
	               "# TYPE gangd_purge_timestamp_seconds gauge\n"
	               "gangd_purge_timestamp_seconds %" PRId64 "\n"
	               "# TYPE gangd_purge_rows gauge\n"
	               "gangd_purge_rows{kind=\"game\"} %" PRIu64 "\n"
	               "gangd_purge_rows{kind=\"idempotency_key\"} %" PRIu64
	               "\n"
	               "gangd_purge_rows{kind=\"creation_key\"} %" PRIu64 "\n"
	               "gangd_purge_rows{kind=\"stream_ticket\"} %" PRIu64 "\n"
	               "gangd_purge_rows{kind=\"transfer\"} %" PRIu64 "\n"
	               "gangd_purge_rows{kind=\"notification\"} %" PRIu64 "\n",
	               clock_wall_us() / 1000000, counts->games, counts->keys,
	               counts->creation_keys, counts->tickets,
	               counts->transfers, counts->notifications) > 0;
}

static bool write_metrics(const char *path, const struct purge_counts *counts)
{
	char part[PATH_SIZE];
	FILE *file = NULL;

	(void)snprintf(part, sizeof(part), "%s.new", path);
	if (strlen(path) + sizeof(".new") <= sizeof(part))
		file = fopen(part, "w");
	bool good = file && print_metrics(file, counts);
	if (file && fclose(file) != 0)
		good = false;
	if (good && rename(part, path) == 0)
		return true;
	(void)fprintf(stderr,
	              "the metrics are not written: \"%s\" has to be a file in "
	              "a folder that this user may write\n",
	              path);
	return false;
}

/* Say how much a run that was not finished has done. */
static void report_part(const struct purge_counts *counts, bool dry_run)
{
	if (dry_run) {
		(void)fprintf(stderr, "the games are not counted; run the "
		                      "command again\n");
		return;
	}
	(void)printf("%" PRIu64 " games deleted so far\n", counts->games);
	if (counts->open)
		(void)fprintf(stderr,
		              "%" PRIu64 " more games may or may not have been "
		              "deleted\n",
		              counts->open);
	(void)fprintf(stderr, "the purge is not finished; run the command "
	                      "again, which goes on\n");
}

enum verdict operator_purge(struct admin *admin,
                            const struct settings *settings, int count,
                            char **words)
{
	struct purge_ages ages = {
		.lobby_days = settings->keep_lobby_days,
		.finished_days = settings->keep_finished_days,
		.abandoned_days = settings->keep_abandoned_days,
		.notification_days = settings->keep_notifications_days,
	};
	struct purge_counts counts;
	struct purge_words purge;

	if (!read_words(count, words, &purge) || !read_ages(purge.days, &ages))
		return VERDICT_BAD;
	enum verdict verdict = purge_run(admin, &ages, purge.dry_run, &counts);
	if (verdict != VERDICT_DONE) {
		report_part(&counts, purge.dry_run);
		return verdict;
	}
	(void)printf("%" PRIu64 " games %s\n", counts.games,
	             purge.dry_run ? "would be deleted" : "deleted");
	return !purge.metrics || !counts.is_alone ||
	                       write_metrics(purge.metrics, &counts)
	               ? VERDICT_DONE
	               : VERDICT_BAD;
}
