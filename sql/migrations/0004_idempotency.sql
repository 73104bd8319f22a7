-- What was done under an Idempotency-Key, so that a retry does it no second
-- time.  The answer itself is not kept: it is made anew of the game, and what
-- cannot be (a token) lies sealed under the key, which nobody here knows.
CREATE TABLE gangd.idempotency_key (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
	request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
	location uuid,
	sealed bytea,
	at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (game_id, key_hash)
);
COMMENT ON COLUMN gangd.idempotency_key.key_hash IS
	'Of the key with the token of who asked, or the route if there is none.';
COMMENT ON COLUMN gangd.idempotency_key.request_hash IS
	'Of the method, the path and the body, with the key: another request is '
	'refused.';
COMMENT ON COLUMN gangd.idempotency_key.location IS
	'The other game that the request created, for a rematch.';

-- Those of keyed creations, which have no game yet to be looked for in.
CREATE TABLE gangd.creation_key (
	key_hash bytea PRIMARY KEY CHECK (octet_length(key_hash) = 32),
	request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
	game_id uuid NOT NULL,
	sealed bytea NOT NULL,
	at timestamptz NOT NULL DEFAULT now()
);

-- A code that invites no more still leads to its game, since who joined by it
-- may ask again.  With the game all of its codes go.
CREATE INDEX invitation_game ON gangd.invitation (game_id);

DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT SELECT, INSERT, DELETE ON gangd.idempotency_key,
			gangd.creation_key TO gangd_app;
	END IF;
END
$$;
