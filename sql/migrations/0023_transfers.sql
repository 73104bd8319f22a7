-- A player takes the seat to another device by a code that is used once.
--
-- Daemons of before give no codes, and leave the table alone.
-- compatible-from: 0012
CREATE TABLE gangd.transfer (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
	code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
	sealed bytea NOT NULL,
	claimed_by bytea CHECK (octet_length(claimed_by) = 32),
	at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (game_id, token_hash)
);
COMMENT ON TABLE gangd.transfer IS
	'Codes by which another device gets the token of a seat, one for each seat.';
COMMENT ON COLUMN gangd.transfer.game_id IS 'The game.';
COMMENT ON COLUMN gangd.transfer.token_hash IS
	'The token hash of the seat, which may move up in the lobby.';
COMMENT ON COLUMN gangd.transfer.code_hash IS
	'A hash of the code, which is itself not stored.';
COMMENT ON COLUMN gangd.transfer.sealed IS
	'The token, sealed under a secret that only the code gives.';
COMMENT ON COLUMN gangd.transfer.claimed_by IS
	'The hash of the idempotency key under which the code was used, or random '
	'bytes; NULL: it was not used yet.';
COMMENT ON COLUMN gangd.transfer.at IS 'When the code was given.';

DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON gangd.transfer
			TO gangd_app;
	END IF;
END
$$;
