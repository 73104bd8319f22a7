-- One word for one thing, from the route to the column.  Columns get other
-- names, and functions are replaced by those of new names in functions/.  No
-- row changes.  Programs of earlier releases use the old names, so none of them
-- goes on beside this migration.
ALTER TABLE gangd.event RENAME COLUMN open TO public_data;
ALTER TABLE gangd.event RENAME COLUMN secret TO private_data;
ALTER TABLE gangd.event RENAME COLUMN sealed TO replay_data;
COMMENT ON TABLE gangd.event IS
	'The event log: append-only.  Replayed from the start, it gives the state.';
COMMENT ON COLUMN gangd.event.seat IS
	'The seat that caused the event; 0 for none.';
COMMENT ON COLUMN gangd.event.heist IS 'The number of the heist; 0 for none.';
COMMENT ON COLUMN gangd.event.color IS
	'The color of the round: 0 for none, else 1 + the number of the color.';
COMMENT ON COLUMN gangd.event.public_data IS 'What every viewer may see.';
COMMENT ON COLUMN gangd.event.private_data IS
	'Bytes of which each seat may see its own share.';
COMMENT ON COLUMN gangd.event.replay_data IS
	'The action and the seed of its random numbers, in the first event of the '
	'action.  Used by the replay only, never shown to a player.';

ALTER TABLE gangd.seat RENAME COLUMN seen_at TO last_seen;
COMMENT ON COLUMN gangd.seat.last_seen IS
	'When a request with the seat''s token was last received, rounded down to '
	'ten seconds.';

ALTER TABLE gangd.game RENAME COLUMN made_from TO creator_address_hash;
ALTER TABLE gangd.game RENAME COLUMN made_from_site TO creator_site_hash;
ALTER INDEX gangd.game_made_from RENAME TO game_creator_address;
ALTER INDEX gangd.game_made_from_site RENAME TO game_creator_site;
COMMENT ON COLUMN gangd.game.creator_address_hash IS
	'Keyed hash of the address that created the game, while the game is public '
	'and waits for players: it bounds the games of one address in the lobby.';
COMMENT ON COLUMN gangd.game.creator_site_hash IS
	'The same of the first 48 bits of an IPv6 address.';
COMMENT ON COLUMN gangd.game.absence_seconds IS
	'A player whom the others wait for may be removed by any of them when the '
	'last request is that old; NULL: by the host only.';

-- Comments for columns that had none, or had one in other words.
COMMENT ON TABLE gangd.game IS 'A game: its present state.';
COMMENT ON COLUMN gangd.game.is_public IS 'The lobby lists it.';
COMMENT ON COLUMN gangd.game.spectators IS
	'Whoever knows the game''s id may watch it.';
COMMENT ON COLUMN gangd.game.seats_max IS 'How many players it is for.';
COMMENT ON COLUMN gangd.game.seats_count IS
	'How many seats there are, the vacant ones among them.';
COMMENT ON COLUMN gangd.game.invite_code IS
	'The code that admits players now; see invitation.';
COMMENT ON COLUMN gangd.game.created_at IS 'When the first event was written.';
COMMENT ON COLUMN gangd.game.updated_at IS 'When the last event was written.';
COMMENT ON COLUMN gangd.game.host_last_seen IS
	'last_seen of the host, rounded down to five minutes, while the game is '
	'public and waits for players; it means nothing for other games.';

COMMENT ON COLUMN gangd.seat.game_id IS 'The game.';
COMMENT ON COLUMN gangd.seat.seat IS
	'The number of the seat, from 1; vacant seats have no row.';
COMMENT ON COLUMN gangd.seat.name IS 'The name that the player gave.';
COMMENT ON COLUMN gangd.seat.token_hash IS
	'SHA-256 of the seat''s token, which is itself not stored.';

COMMENT ON COLUMN gangd.event.game_id IS 'The game.';
COMMENT ON COLUMN gangd.event.version IS
	'The version of the game after the event: 1, 2, 3 and so on.';
COMMENT ON COLUMN gangd.event.at IS 'When it was written.';
COMMENT ON COLUMN gangd.event.type IS
	'The kind of event: a number of the game''s rules, never used again.';

COMMENT ON COLUMN gangd.invitation.code IS
	'An invitation code of the game, the present one or one that was replaced.';
COMMENT ON COLUMN gangd.invitation.game_id IS 'The game.';

COMMENT ON TABLE gangd.idempotency_key IS
	'The changes of games that were requested under an idempotency key, so '
	'that a repeated request is answered and not carried out.';
COMMENT ON COLUMN gangd.idempotency_key.game_id IS 'The game.';
COMMENT ON COLUMN gangd.idempotency_key.key_hash IS
	'Hash of the key and the caller''s token, or the route without a token.';
COMMENT ON COLUMN gangd.idempotency_key.request_hash IS
	'Hash of the key, method, path and body: another request under the key '
	'is refused.';
COMMENT ON COLUMN gangd.idempotency_key.sealed IS
	'The part of the answer that cannot be made again, encrypted under the '
	'client''s key; NULL: there is none.';
COMMENT ON COLUMN gangd.idempotency_key.at IS 'When the change was committed.';

COMMENT ON TABLE gangd.creation_key IS
	'The same for requests that created a game: these are found by the key.';
COMMENT ON COLUMN gangd.creation_key.key_hash IS
	'As in idempotency_key.';
COMMENT ON COLUMN gangd.creation_key.request_hash IS
	'As in idempotency_key.';
COMMENT ON COLUMN gangd.creation_key.game_id IS 'The game that was created.';
COMMENT ON COLUMN gangd.creation_key.sealed IS 'As in idempotency_key.';
COMMENT ON COLUMN gangd.creation_key.at IS 'When the game was created.';

COMMENT ON TABLE gangd.stream_ticket IS
	'Tickets, each of which opens one stream of a game''s events.';
COMMENT ON COLUMN gangd.stream_ticket.game_id IS 'The game.';
COMMENT ON COLUMN gangd.stream_ticket.ticket_hash IS
	'SHA-256 of the ticket, which is itself not stored.';
COMMENT ON COLUMN gangd.stream_ticket.token_hash IS
	'The token hash of the seat that asked for it; the seat may have moved.';
COMMENT ON COLUMN gangd.stream_ticket.at IS 'When it was given.';

COMMENT ON COLUMN gangd.address_secret.inner_pad IS
	'The secret with the inner pad of HMAC.';
COMMENT ON COLUMN gangd.address_secret.outer_pad IS
	'The secret with the outer pad of HMAC.';
COMMENT ON COLUMN gangd.address_secret.only_row IS
	'True, and the primary key: there is one row.';
COMMENT ON COLUMN gangd.schema_migration.applied_at IS 'When it was applied.';

DROP FUNCTION IF EXISTS gangd.act, gangd.claim, gangd.settle_claim,
	gangd.remember, gangd.go_on, gangd.is_at, gangd.is_last_seen_at,
	gangd.create_game;
