-- compatible-from: 0006
--
-- What the lobby is filtered by is indexed, and only games whose host was heard
-- of lately are looked at.  When that was stands in seat.seen_at; here it is
-- rounded down to five minutes, and noted for public games that wait only, so
-- that an index on it costs little.  Moves change none of these columns.
ALTER TABLE gangd.game
	ADD COLUMN host_last_seen timestamptz NOT NULL
		DEFAULT date_bin('5 minutes', now(), 'epoch'),
	ADD COLUMN made_from_site bytea,
	ADD CONSTRAINT game_made_from_site_check
		CHECK (octet_length(made_from_site) = 32) NOT VALID;
COMMENT ON COLUMN gangd.game.host_last_seen IS
	'When the host of a public game that waits for players was heard of, '
	'rounded down to five minutes; it means nothing for other games.';

DROP INDEX gangd.game_lobby;
CREATE INDEX game_lobby ON gangd.game (host_last_seen, game_id)
	WHERE is_public AND status = 'lobby';
CREATE INDEX game_lobby_ruleset ON gangd.game (ruleset, host_last_seen, game_id)
	WHERE is_public AND status = 'lobby';
CREATE INDEX game_lobby_mode ON gangd.game (mode, host_last_seen, game_id)
	WHERE is_public AND status = 'lobby';

-- There are few enough addresses of IPv4 to try them all, so a bare hash of one
-- tells it to anybody who has the rows.  From now on the hash is keyed
-- (HMAC-SHA256, RFC 2104) by a secret that only the owner of the schema reads;
-- the hashes that are there go.
CREATE TABLE gangd.address_secret (
	only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
	inner_pad bytea NOT NULL CHECK (octet_length(inner_pad) = 64),
	outer_pad bytea NOT NULL CHECK (octet_length(outer_pad) = 64)
);
COMMENT ON TABLE gangd.address_secret IS
	'The key of gangd.hash_address(), already combined with the two pads of '
	'HMAC.  Read by that function alone; the daemon''s role may not.';

INSERT INTO gangd.address_secret (inner_pad, outer_pad)
SELECT string_agg(set_byte('\x00', 0, byte # 54), '' ORDER BY place),
       string_agg(set_byte('\x00', 0, byte # 92), '' ORDER BY place)
FROM (
	-- 366 random bits, as 32 bytes, and zeros up to a block of SHA-256.
	SELECT sha256(uuid_send(gen_random_uuid()) ||
	              uuid_send(gen_random_uuid()) ||
	              uuid_send(gen_random_uuid())) ||
	       decode(repeat('00', 32), 'hex') AS key
) AS drawn
CROSS JOIN LATERAL (
	SELECT place, get_byte(key, place) AS byte
	FROM generate_series(0, 63) AS place
) AS bytes;

UPDATE gangd.game SET made_from = NULL WHERE made_from IS NOT NULL;
COMMENT ON COLUMN gangd.game.made_from IS
	'Keyed hash of the address that created it, while a public game waits for '
	'players; so that nobody fills the lobby.';
COMMENT ON COLUMN gangd.game.made_from_site IS
	'Likewise of the first 48 bits of an IPv6 address.';
CREATE INDEX game_made_from_site ON gangd.game (made_from_site)
	WHERE is_public AND status = 'lobby';
