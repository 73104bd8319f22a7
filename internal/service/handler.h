/*
 * handler.h - the decoders and encoders of the routes, and what they share.
 */
#ifndef SERVICE_HANDLER_H
#define SERVICE_HANDLER_H

#include "base/json_out.h"
#include "http/body.h"
#include "service/call.h"

#define MEDIA_JSON "application/json"
#define MEDIA_YAML "application/yaml"
#define MEDIA_HTML "text/html; charset=utf-8"

/* Every function that routes.def names. */
#define ROUTE(method, path, body, queries, media, guard, shape, rules, dec, \
              enc)                                                          \
	decode_fn dec;                                                      \
	encode_fn enc;
#include "service/routes.def"

/* How a ruleset reads its part of what a game is created with. */
typedef void options_fn(struct body *body, struct options *options);
#define RULESET(rules, decode) options_fn decode;
#include "service/rulesets.def"

/* The ruleset with this number in the database, or NULL. */
const struct ruleset *ruleset_find(unsigned number);

/* The codes of all of them, and one by its place in that list. */
const char *const *ruleset_codes(size_t *count);
const struct ruleset *ruleset_at(size_t index, options_fn **decode);

/* The codes of the modes that any ruleset has. */
const char *const *ruleset_modes(size_t *count);

/* A number of the query; otherwise when it is absent or a fault. */
uint32_t query_number(struct call *call, const char *name, uint32_t least,
                      uint32_t most, uint32_t otherwise);

/* The place of one of these codes; count if it is absent or a fault. */
size_t query_choice(struct call *call, const char *name,
                    const char *const *codes, size_t count);

/* The view of the caller's seat, in the arena. */
const void *call_view(struct call *call);

/*
 * Begin a reply in JSON, with room for max bytes; then end it, with 200 or
 * another status.
 */
void reply_begin(struct call *call, struct json_out *out, size_t max);
enum err reply_end(struct call *call, struct json_out *out, unsigned status);

/* The longest is a view of Famiglia, in which all can be done: some 18 KiB. */
enum { REPLY_VIEW_MAX = 24 * 1024 };

/* A whole reply that needs no writing. */
void reply_text(struct call *call, const char *media, const char *text,
                size_t len);

/* What the view and the list of players both say of a seat. */
void print_player(const struct call *call, unsigned seat, struct json_out *out);

/* Print the view of the game as one value. */
void print_game(struct call *call, struct json_out *out);

/* The path of the game: /v1/games/<id>. */
const char *game_path(struct call *call);

#endif
