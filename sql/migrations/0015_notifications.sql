-- Players who are not looking are told by Web Push or by the operator's webhook.
-- A commit that concerns a seat that wants to be told writes a row into
-- gangd.notification; gangd-push takes it from there.  Which seats want it stands in
-- the game's row, so that a load brings it, and a move of a game in which no seat
-- does asks and writes nothing more.
--
-- Daemons of before play on, and tell nobody; they seat players by take_seats, which
-- stays in a database that has it.
-- compatible-from: 0012
ALTER TABLE gangd.game
	ADD COLUMN IF NOT EXISTS push_seats smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN gangd.game.push_seats IS
	'The seats that want to be told: bit n for seat n, which has a subscription or '
	'a client_reference.  copy_seats() and mark_push_seats() renew it.';
ALTER TABLE gangd.seat
	ADD COLUMN IF NOT EXISTS client_reference bytea;
COMMENT ON COLUMN gangd.seat.client_reference IS
	'A text of the client''s by which the operator''s webhook knows the player, '
	'encrypted as the states are.  NULL: none.';

CREATE TABLE gangd.push_subscription (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
	endpoint_hash bytea NOT NULL CHECK (octet_length(endpoint_hash) = 32),
	sealed bytea NOT NULL,
	created_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (game_id, token_hash, endpoint_hash)
);
COMMENT ON TABLE gangd.push_subscription IS
	'Where the player of a seat wants to be told: an endpoint of Web Push.';
COMMENT ON COLUMN gangd.push_subscription.game_id IS 'The game.';
COMMENT ON COLUMN gangd.push_subscription.token_hash IS
	'The token hash of the seat, which may move up in the lobby.';
COMMENT ON COLUMN gangd.push_subscription.endpoint_hash IS
	'SHA-256 of the endpoint, by which it is replaced and removed.';
COMMENT ON COLUMN gangd.push_subscription.sealed IS
	'The endpoint and the keys of its browser, encrypted as the states are.';
COMMENT ON COLUMN gangd.push_subscription.created_at IS 'When it was made.';

CREATE TABLE gangd.notification (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	version integer NOT NULL CHECK (version > 0),
	seat smallint NOT NULL CHECK (seat BETWEEN 1 AND 6),
	target bytea NOT NULL CHECK (octet_length(target) = 32),
	code smallint NOT NULL,
	created_at timestamptz NOT NULL DEFAULT now(),
	due_at timestamptz DEFAULT now(),
	expires_at timestamptz NOT NULL DEFAULT now() + interval '1 day',
	attempts smallint NOT NULL DEFAULT 0,
	is_replay boolean NOT NULL DEFAULT false,
	PRIMARY KEY (game_id, version, seat, target)
);
COMMENT ON TABLE gangd.notification IS
	'The outbox of gangd-push: what a seat is to be told, once for each target.';
COMMENT ON COLUMN gangd.notification.game_id IS 'The game.';
COMMENT ON COLUMN gangd.notification.version IS
	'The version of the game that the commit made.';
COMMENT ON COLUMN gangd.notification.seat IS 'The seat that is told.';
COMMENT ON COLUMN gangd.notification.target IS
	'The endpoint_hash of a subscription; 32 zero bytes: the operator''s webhook.';
COMMENT ON COLUMN gangd.notification.code IS
	'A number of the service''s, never used again (push/push_code.def).';
COMMENT ON COLUMN gangd.notification.created_at IS 'When the commit was made.';
COMMENT ON COLUMN gangd.notification.due_at IS
	'When gangd-push may take it next; a taken one is leased by that.  NULL: it is '
	'settled, and stays for gangctl webhooks replay.';
COMMENT ON COLUMN gangd.notification.expires_at IS 'When no more tries are made.';
COMMENT ON COLUMN gangd.notification.attempts IS 'The tries that have failed.';
COMMENT ON COLUMN gangd.notification.is_replay IS
	'It was asked for once more, and is sent although it is out of date.';
CREATE INDEX notification_due
	ON gangd.notification (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notification_created ON gangd.notification (created_at);

DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON gangd.push_subscription,
			gangd.notification TO gangd_app;
	END IF;
END
$$;
