/*
 * story.h - what the parts of the story runner share.
 *
 * A story is a list of lines: requests of actors, and what is expected of
 * the answers.  It ends at its first failure: story_fail() does not return.
 * All that a story allocates is freed at its end, however it ends.
 */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	STORY_ACTORS_MAX = 26,
	STORY_CARDS_MAX = 3,
	STORY_KNOWN_MAX = 32,
	STORY_COLUMNS_MAX = 6,
	STORY_WAIT_MS = 10000, /* for an answer */
	STORY_PARKED_MS = 150, /* an answer later than this is "parked" */
};

/* A header field; names are in lower case. */
struct field {
	const char *name;
	const char *value;
	struct field *next;
};

/* A game, and what the runner itself knows of it. */
struct game {
	const char *id;
	const char *code; /* to join by */
	bool started;     /* who leaves does so from a seat that stays */
	int heist;        /* the one whose cards the actors hold */
	int moved;        /* how often cards were dealt, or moved after it */
	struct game *next;
};

struct actor {
	const char *name;
	const char *token; /* NULL: none was given yet */
	int seat;
	bool is_gone;      /* has left the game, or was removed */
	struct game *game; /* NULL: sits nowhere */
	const char *cards[STORY_CARDS_MAX];
	size_t cards_count;
	const char *known[STORY_KNOWN_MAX]; /* seen in this heist */
	size_t known_count;
	bool revealed;           /* the cards lie on the table */
	struct exchange *parked; /* sent, and not answered yet */
	struct stream *stream;   /* open; stream.c's own */
};

/* A row of the table of games, as far as a refusal must not change it. */
struct row {
	bool found;
	char text[96]; /* xmin, ctid, version */
	long version;
	long events;
	bool started;
	int heists;        /* that were dealt */
	int moved;         /* events by which pocket cards came or went */
	char revealed[16]; /* seats whose hands lie open, a digit each */
};

/* One request and its answer. */
struct exchange {
	struct actor *actor;   /* NULL: somebody without a seat */
	struct actor *leaving; /* who sits at the seat that it is to free */
	const char *method;
	const char *target;
	struct field *sent; /* header fields */
	const char *body;   /* NULL: none */
	size_t body_len;

	bool by_library; /* libmicrohttpd answers it without asking us */
	bool done;
	unsigned status; /* 0: no answer came */
	struct field *fields;
	char *answer; /* ended by a zero byte; freed with the story */
	size_t answer_len;
	struct json_object *json; /* of the answer; NULL if it has none */
	double seconds;           /* how long it took */
	struct row before;        /* the game, before it was sent */

	void *curl;
	struct curl_slist *curl_fields;
	struct exchange *next;
};

struct variable {
	const char *name;
	const char *text;
	struct variable *next;
};

struct run; /* run.c */

struct story {
	struct run *run;
	struct client *client;
	struct watch *watch;
	FILE *arranged; /* takes the ids of games that were; or NULL */

	struct arena arena;
	const char *file;
	const char *name;
	const char *text; /* of the line, as it is carried out */
	int line;
	bool elsewhere; /* it asks the other daemon */
	struct actor actors[STORY_ACTORS_MAX];
	size_t actors_count;
	struct game *games; /* newest first */
	struct variable *variables;
	struct exchange *exchanges; /* newest first */
	unsigned tries_left;
	jmp_buf ended; /* early: with an enum story_end */
};

enum story_end { STORY_COMPLETE, STORY_FAILED, STORY_AGAIN };

/* Print where and why, with the exchange if there is one; end the story. */
_Noreturn void story_fail(struct story *story, const struct exchange *exchange,
                          const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Begin the story again, since the cards that it was dealt cannot show what it
 * shows; or fail, if that has happened too often.
 */
_Noreturn void story_try_again(struct story *story, const char *why);

/* The actor of that name, made when it is new. */
struct actor *story_actor(struct story *story, const char *name);

/* What $NAME stands for from now on; text is borrowed for the story. */
void story_set(struct story *story, const char *name, const char *text);

/* A request that is not sent yet. */
struct exchange *story_request(struct story *story, struct actor *actor,
                               const char *method, const char *target);

/* Give it a body, and the header fields of one. */
void story_body(struct story *story, struct exchange *exchange,
                const char *body, size_t len);

/* Add a header field, or with value NULL take it away. */
void story_field(struct story *story, struct exchange *exchange,
                 const char *name, const char *value);

/* Send it, wait for the answer, and check what holds for every answer. */
void story_do(struct story *story, struct exchange *exchange);

/* The two halves of that. */
void story_send(struct story *story, struct exchange *exchange);
void story_receive(struct story *story, struct exchange *exchange);

/* The target of a path below the actor's game. */
const char *story_below(struct story *story, const struct actor *actor,
                        const char *path);

/* The value of a field, or NULL. */
const char *field_find(const struct field *fields, const char *name);
