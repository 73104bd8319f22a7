/*
 * famiglia_json.h - the JSON of Famiglia's views and legal actions, as a client
 * reads it.
 */
#pragma once

#include "famiglia_reference_model.h"
#include "json_read.h"

#define FAM_JSON_PATH "/v1/games/x"

enum { ENTRIES_MAX = 128 };

/* An element of legal_actions. */
struct entry {
	unsigned verb;
	unsigned card;  /* 0: its body has no members */
	unsigned count; /* of cards to swap */
	uint64_t give;
	uint64_t take;
	uint64_t targets;
	unsigned by_max;
	unsigned keep;   /* 0: the card is free */
	uint64_t others; /* each may be shown with the kept one */
};

struct entries {
	unsigned seat;
	size_t count;
	struct entry list[ENTRIES_MAX];
};

/* --- reading -------------------------------------------------------------- */

unsigned json_number(struct json_c_object *json);

/* No two allow the same action. */
void entries_read(struct entries *entries, struct json_c_object *json);

/* --- what they allow ------------------------------------------------------ */

bool cards_have(uint64_t set, unsigned card);

bool entries_allow(const struct entries *entries, const struct action *action);

/* --- the view ------------------------------------------------------------- */

void fam_json_expect_cards(struct json_c_object *json,
                           const struct fam_model *model, unsigned place);

void fam_json_expect_table(struct json_c_object *json,
                           const struct fam_model *model);
