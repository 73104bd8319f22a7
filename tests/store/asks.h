/*
 * asks.h - reads back what a store has of a game, and compares it.
 */
#pragma once

#include "group.h"

void assert_same_game(const struct store_game *is,
                      const struct store_game *should);

/* A part of an event's data; of no length it is NULL. */
void assert_same_part(const uint8_t *is, size_t is_len, const uint8_t *should,
                      size_t should_len);

/* The version and replay_data are not compared. */
void assert_same_event(const struct store_event *is,
                       const struct store_event *should);

/* Each makes one request and waits for its reply. */
struct reply find_invitation(const char *code);
struct reply read_events(struct uuid id, uint32_t after, uint32_t up_to,
                         unsigned limit);
struct reply delete_game(struct uuid id, uint32_t version);
