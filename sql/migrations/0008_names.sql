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

DROP FUNCTION IF EXISTS gangd.act, gangd.claim, gangd.settle_claim,
	gangd.remember, gangd.go_on, gangd.is_at, gangd.is_last_seen_at,
	gangd.create_game;
