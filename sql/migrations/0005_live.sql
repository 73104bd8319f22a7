-- Functions that take other parameters from now on, or are composed of smaller
-- ones by the statements that call them.
DROP FUNCTION IF EXISTS gangd.create_game, gangd.create_keyed, gangd.leave,
	gangd.rematch, gangd.remember;

-- When each player was heard of.  Here and not in a table of its own, so that
-- it comes, moves up and goes with the seat.  Nothing is indexed by it, and it
-- is written every ten seconds at the most.
ALTER TABLE gangd.seat
	ADD COLUMN seen_at timestamptz NOT NULL
	DEFAULT date_bin('10 seconds', now(), 'epoch');
ALTER TABLE gangd.seat SET (fillfactor = 70);
COMMENT ON COLUMN gangd.seat.seen_at IS
	'When somebody with the token was heard of, in steps of ten seconds.';

ALTER TABLE gangd.game
	ADD COLUMN absence_seconds integer CHECK (absence_seconds > 0),
	ADD COLUMN made_from bytea CHECK (octet_length(made_from) = 32);
COMMENT ON COLUMN gangd.game.absence_seconds IS
	'After how long a player whom the others wait for may be removed by any '
	'of them; NULL: by the host only.';
COMMENT ON COLUMN gangd.game.made_from IS
	'Hash of the address that created it, while a public game waits for '
	'players; so that nobody fills the lobby.';

CREATE INDEX game_made_from ON gangd.game (made_from)
	WHERE is_public AND status = 'lobby';

-- What a browser opens a stream with, once.
CREATE TABLE gangd.stream_ticket (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	ticket_hash bytea NOT NULL CHECK (octet_length(ticket_hash) = 32),
	token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
	at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (game_id, ticket_hash)
);
COMMENT ON COLUMN gangd.stream_ticket.token_hash IS
	'Of the seat that asked for it, wherever that one sits by now.';

DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT SELECT, INSERT, DELETE ON gangd.stream_ticket TO gangd_app;
	END IF;
END
$$;
