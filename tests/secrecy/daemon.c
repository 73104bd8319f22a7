/*
 * daemon.c - one daemon with one loop, one connection, one request at a time.
 *
 * Answers and log lines are compared byte by byte between two games, so all
 * that may differ for another reason is masked in its place: times,
 * durations and dates.  Nothing else is touched.
 */
#include "daemon.h"

#include <ctype.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <cmocka.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

/* --- masks ---------------------------------------------------------------- */

void mask_digits(char *text, const char *key, const char *end)
{
	while ((text = strstr(text, key)) != NULL) {
		text += strlen(key);
		for (; *text && !strchr(end, *text); text++) {
			if (isdigit((unsigned char)*text))
				*text = '#';
		}
	}
}

void mask_number(char *text, const char *key)
{
	while ((text = strstr(text, key)) != NULL) {
		text += strlen(key);
		size_t len = strspn(text, "0123456789");
		*text = '#';
		memmove(text + 1, text + len, strlen(text + len) + 1);
	}
}

void mask_date(char *text)
{
	static const char key[] = "\r\nDate: ";
	char *date = strstr(text, key);

	assert_non_null(date);
	date += strlen(key);
	memset(date, '#', strcspn(date, "\r"));
}

void mask_etag(char *text)
{
	static const char key[] = "\r\nETag: \"";
	char *at = strstr(text, key);

	/* The game, the version and the seat are before it. */
	at = at ? at + strlen(key) : NULL;
	for (int dots = 0; at && dots < 3; dots++) {
		at = strpbrk(at, ".\r");
		at = at && *at == '.' ? at + 1 : NULL;
	}
	if (at)
		memset(at, '#', strspn(at, "0123456789abcdef"));
}

/* --- the log -------------------------------------------------------------- */

/* Wait for more of it. */
static void daemon_read_log(struct daemon *daemon)
{
	struct pollfd fd = { .fd = daemon->log_fd, .events = POLLIN };
	size_t room = sizeof(daemon->log) - 1 - daemon->log_len;

	if (poll(&fd, 1, DAEMON_PATIENCE_MS) != 1)
		fail_msg("the daemon does not write its log");
	ssize_t got = read(daemon->log_fd, daemon->log + daemon->log_len, room);
	if (got <= 0)
		fail_msg("the daemon has ended: %s", daemon->log);
	daemon->log_len += (size_t)got;
	daemon->log[daemon->log_len] = '\0';
}

/* Take a line out of what was read; false if there is no whole one. */
static bool daemon_next_line(struct daemon *daemon, char *line, size_t size)
{
	char *end = strchr(daemon->log, '\n');

	if (!end)
		return false;
	size_t len = (size_t)(end + 1 - daemon->log);
	assert_true(len < size);
	memcpy(line, daemon->log, len);
	line[len] = '\0';
	daemon->log_len -= len;
	memmove(daemon->log, end + 1, daemon->log_len + 1);
	return true;
}

void daemon_take_log(struct daemon *daemon, unsigned requests, char *text,
                     size_t size)
{
	size_t len = 0;

	while (requests > 0) {
		if (!daemon_next_line(daemon, text + len, size - len)) {
			daemon_read_log(daemon);
			continue;
		}
		if (!strstr(text + len, "\"level\":\"info\""))
			fail_msg("the daemon complains: %s", text + len);
		if (!strstr(text + len, "\"event\":\"request\""))
			continue;
		len += strlen(text + len);
		requests--;
	}
	text[len] = '\0';
	mask_digits(text, "\"at\":\"", "\"");
	mask_number(text, "\"duration_us\":");
}

/* --- the process ---------------------------------------------------------- */

/* build/tests/secrecy/test_X belongs to build/bin. */
static void daemon_find_folder(struct daemon *daemon)
{
	char *end;
	ssize_t len = readlink("/proc/self/exe", daemon->folder,
	                       sizeof(daemon->folder) - 1);

	assert_in_range(len, 1, sizeof(daemon->folder) - 2);
	daemon->folder[len] = '\0';
	for (int i = 0; i < 3; i++) {
		end = strrchr(daemon->folder, '/');
		assert_non_null(end);
		*end = '\0';
	}
}

static void daemon_program(const struct daemon *daemon, const char *name,
                           char path[600])
{
	(void)snprintf(path, 600, "%s/bin/%s", daemon->folder, name);
}

bool daemon_gangctl(const struct daemon *daemon, const char *word,
                    const char *id)
{
	char path[600];
	int status;

	daemon_program(daemon, "gangctl", path);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)!freopen("/dev/null", "w", stdout);
		execl(path, path, word, id, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int daemon_connect(const struct daemon *daemon)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)daemon->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct timeval patience = { .tv_sec = DAEMON_PATIENCE_MS / 1000 };
	int on = 1;

	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(fd >= 0);
	assert_int_equal(
		connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return fd;
}

void daemon_start(struct daemon *daemon)
{
	static const char key[] = "\"address\":\"127.0.0.1:";
	char path[600];
	char line[4096];
	char *address = NULL;
	int ends[2];

	daemon_find_folder(daemon);
	daemon_program(daemon, "gangd", path);
	assert_int_equal(pipe(ends), 0);
	daemon->pid = fork();
	assert_true(daemon->pid >= 0);
	if (daemon->pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		/*
		 * A line for each request, also those that are refused; and
		 * time enough for the database on a busy machine.
		 */
		execl(path, path, "--listen=127.0.0.1:0", "--loops=1",
		      "--log-level=debug", "--database-timeout-ms=10000",
		      (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	daemon->log_fd = ends[0];
	while (!address) {
		if (daemon_next_line(daemon, line, sizeof(line)))
			address = strstr(line, key);
		else
			daemon_read_log(daemon);
	}
	daemon->port = (unsigned)strtoul(address + strlen(key), NULL, 10);
	daemon->fd = daemon_connect(daemon);
}

void daemon_stop(struct daemon *daemon)
{
	int status;

	close(daemon->fd);
	assert_int_equal(kill(daemon->pid, SIGTERM), 0);
	assert_int_equal(waitpid(daemon->pid, &status, 0), daemon->pid);
	close(daemon->log_fd);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* --- exchanges ------------------------------------------------------------ */

/* The whole length of a partly read answer; 0 if not yet known. */
static size_t daemon_answer_len(const char *answer, bool bodiless)
{
	static const char key[] = "\r\nContent-Length: ";
	const char *end = strstr(answer, "\r\n\r\n");
	const char *length = strstr(answer, key);

	if (!end)
		return 0;
	size_t len = (size_t)(end + 4 - answer);
	if (bodiless || !length || length > end)
		return len;
	return len + strtoul(length + strlen(key), NULL, 10);
}

void daemon_ask(struct daemon *daemon, const char *request, char *answer)
{
	bool bodiless = strncmp(request, "HEAD ", 5) == 0;
	size_t size = strlen(request);
	size_t have = 0;
	size_t len = 0;

	if (send(daemon->fd, request, size, MSG_NOSIGNAL) != (ssize_t)size)
		fail_msg("the daemon does not take: %s", request);
	while (len == 0 || have < len) {
		assert_true(have < DAEMON_ANSWER_MAX - 1);
		ssize_t got = recv(daemon->fd, answer + have,
		                   DAEMON_ANSWER_MAX - 1 - have, 0);
		if (got <= 0)
			fail_msg("the daemon does not answer: %s", request);
		have += (size_t)got;
		answer[have] = '\0';
		len = daemon_answer_len(answer, bodiless);
	}
	assert_int_equal(have, len);
	assert_int_equal(strlen(answer), len);
	mask_date(answer);
	mask_digits(answer, "\"updated_at\":\"", "\"");
	mask_digits(answer, "\"last_seen_at\":\"", "\"");
	mask_digits(answer, "\"at\":\"", "\"");
}

unsigned daemon_status(const char *answer)
{
	return (unsigned)strtoul(answer + strlen("HTTP/1.1 "), NULL, 10);
}

/* --- streams -------------------------------------------------------------- */

void daemon_open_stream(const struct daemon *daemon, const char *request,
                        struct daemon_stream *stream)
{
	size_t size = strlen(request);

	stream->fd = daemon_connect(daemon);
	stream->heard = 0;
	stream->at = 0;
	stream->len = 0;
	stream->text[0] = '\0';
	if (send(stream->fd, request, size, MSG_NOSIGNAL) != (ssize_t)size)
		fail_msg("the daemon does not take: %s", request);
}

/* The end of a stream's text, as much as cmocka prints. */
static const char *daemon_stream_end(const struct daemon_stream *stream)
{
	enum { SHOWN = 600 };

	return stream->text + (stream->len > SHOWN ? stream->len - SHOWN : 0);
}

/* Read more of it; false at its end. */
static bool daemon_read_stream(struct daemon_stream *stream)
{
	size_t room = DAEMON_STREAM_MAX - 1 - stream->len;

	assert_true(room > 0);
	ssize_t got = recv(stream->fd, stream->text + stream->len, room, 0);
	if (got < 0)
		fail_msg("the stream does not go on after: %s",
		         daemon_stream_end(stream));
	stream->len += (size_t)got;
	stream->text[stream->len] = '\0';
	return got > 0;
}

void daemon_hear(struct daemon_stream *stream, unsigned version)
{
	char id[32];

	(void)snprintf(id, sizeof(id), "\nid: %u\n", version);
	while (stream->heard < version) {
		const char *event = strstr(stream->text + stream->at, id);
		const char *end = event ? strstr(event + 1, "\n\n") : NULL;

		if (end) {
			stream->heard = version;
			stream->at = (size_t)(end - stream->text);
			return;
		}
		if (!daemon_read_stream(stream))
			break;
	}
	if (stream->heard < version)
		fail_msg("no%sin the stream that ends with: %s", id,
		         daemon_stream_end(stream));
}

void daemon_end_stream(struct daemon_stream *stream)
{
	assert_int_equal(shutdown(stream->fd, SHUT_WR), 0);
	while (daemon_read_stream(stream))
		;
	close(stream->fd);
	mask_date(stream->text);
	mask_digits(stream->text, "\"at\":\"", "\"");
}

void daemon_await_ready(struct daemon *daemon)
{
	static const char ready[] =
		"GET /readyz HTTP/1.1\r\nHost: gangd\r\n\r\n";
	static char answer[DAEMON_ANSWER_MAX];
	static char line[4096];
	struct timespec pause = { .tv_nsec = 20000000 };

	for (unsigned i = 0; i < DAEMON_PATIENCE_MS / 20; i++) {
		daemon_ask(daemon, ready, answer);
		daemon_take_log(daemon, 1, line, sizeof(line));
		if (daemon_status(answer) == 200)
			return;
		nanosleep(&pause, NULL);
	}
	fail_msg("the daemon does not get ready");
}
