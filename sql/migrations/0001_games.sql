-- Games, their seats and what happened in them.
--
-- Every key begins with game_id, and foreign keys stay within one game, so
-- that the same tables can be spread over several servers by game_id.  The
-- table of invitations is keyed by its code and belongs to no game's family.

-- The roles, where whoever migrates may make them; otherwise everything
-- belongs to whoever migrates.
DO $$
DECLARE
	role text;
	may_create boolean;
BEGIN
	SELECT rolsuper OR rolcreaterole INTO may_create
	FROM pg_roles WHERE rolname = current_user;
	FOREACH role IN ARRAY ARRAY['gangd_owner', 'gangd_app'] LOOP
		CONTINUE WHEN NOT may_create
			OR EXISTS (SELECT FROM pg_roles WHERE rolname = role);
		BEGIN
			EXECUTE format('CREATE ROLE %I NOLOGIN', role);
			IF role = 'gangd_owner' THEN
				GRANT gangd_owner TO CURRENT_USER;
			END IF;
		EXCEPTION WHEN duplicate_object OR unique_violation THEN
			-- Another database of this server was migrated just now.
			NULL;
		END;
	END LOOP;

	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_owner'
	           AND pg_has_role(oid, 'MEMBER')) THEN
		CREATE SCHEMA gangd AUTHORIZATION gangd_owner;
		PERFORM set_config('role', 'gangd_owner', true);
	ELSE
		CREATE SCHEMA gangd;
	END IF;
END
$$;

CREATE TABLE gangd.schema_migration (
	name text PRIMARY KEY,
	digest bytea NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE gangd.schema_migration IS
	'What gangctl migrate has applied; the daemon serves only what it knows.';
COMMENT ON COLUMN gangd.schema_migration.name IS
	'File name of the migration; "functions" for all of sql/functions.';
COMMENT ON COLUMN gangd.schema_migration.digest IS
	'SHA-256 of the file, or of the names and contents of all functions.';

CREATE TABLE gangd.game (
	game_id uuid PRIMARY KEY,
	created_at timestamptz NOT NULL DEFAULT now(),
	updated_at timestamptz NOT NULL DEFAULT now(),
	version integer NOT NULL CHECK (version > 0),
	ruleset smallint NOT NULL,
	rules_version smallint NOT NULL,
	seats_max smallint NOT NULL CHECK (seats_max BETWEEN 1 AND 6),
	seats_count smallint NOT NULL CHECK (seats_count BETWEEN 0 AND seats_max),
	host smallint NOT NULL,
	is_public boolean NOT NULL,
	spectators boolean NOT NULL,
	mode text,
	status text NOT NULL,
	invite_code text NOT NULL,
	state bytea NOT NULL CHECK (octet_length(state) <= 2048)
) WITH (fillfactor = 60);
ALTER TABLE gangd.game ALTER COLUMN state SET STORAGE PLAIN;
COMMENT ON COLUMN gangd.game.game_id IS 'UUIDv7, drawn by the service.';
COMMENT ON COLUMN gangd.game.version IS
	'The number of the game''s events; the last one has this version.';
COMMENT ON COLUMN gangd.game.ruleset IS
	'Which game it is: a number of the service''s, never used again.';
COMMENT ON COLUMN gangd.game.rules_version IS
	'The version of those rules the game is played under from start to end.';
COMMENT ON COLUMN gangd.game.host IS 'The seat of the host.';
COMMENT ON COLUMN gangd.game.mode IS
	'For the lobby; the rules have their own copy in state.';
COMMENT ON COLUMN gangd.game.status IS
	'lobby, playing, won or lost, for the lobby; the rules have their own.';
COMMENT ON COLUMN gangd.game.state IS
	'The snapshot: a format byte, a key id, then bytes only the rules read. '
	'It holds cards nobody may see.  Never compressed or moved out of line.';

-- Moves change none of these columns, so that they stay heap-only updates.
CREATE INDEX game_lobby ON gangd.game (created_at, game_id)
	WHERE is_public AND status = 'lobby';

CREATE TABLE gangd.seat (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	seat smallint NOT NULL CHECK (seat BETWEEN 1 AND 6),
	name text NOT NULL CHECK (strpos(name, E'\n') = 0),
	name_key text NOT NULL,
	token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
	PRIMARY KEY (game_id, seat),
	UNIQUE (game_id, name_key)
);
COMMENT ON TABLE gangd.seat IS
	'The only place where names stand, so that a person can be erased.';
COMMENT ON COLUMN gangd.seat.name_key IS
	'The name folded as Unicode says, so that no two in a game look alike.';
COMMENT ON COLUMN gangd.seat.token_hash IS
	'SHA-256 of the seat''s token; the token itself is kept nowhere.';

CREATE TABLE gangd.event (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	version integer NOT NULL CHECK (version > 0),
	at timestamptz NOT NULL DEFAULT now(),
	type smallint NOT NULL,
	seat smallint NOT NULL,
	heist smallint NOT NULL,
	color smallint NOT NULL,
	open bytea,
	secret bytea,
	sealed bytea,
	PRIMARY KEY (game_id, version)
);
COMMENT ON TABLE gangd.event IS
	'What happened, never changed: played from the start it gives the state.';
COMMENT ON COLUMN gangd.event.seat IS 'Whose doing; 0 for nobody''s.';
COMMENT ON COLUMN gangd.event.heist IS 'In which heist; 0 for none.';
COMMENT ON COLUMN gangd.event.color IS
	'Of the round it belongs to: 0 for none, else 1 + the colour''s number.';
COMMENT ON COLUMN gangd.event.open IS 'What everybody may see.';
COMMENT ON COLUMN gangd.event.secret IS
	'Of which each seat may see its own share.';
COMMENT ON COLUMN gangd.event.sealed IS
	'The action and the seed of its chance, with its first event; '
	'for replay only, never shown.';

CREATE TABLE gangd.invitation (
	code text PRIMARY KEY,
	game_id uuid NOT NULL
);
COMMENT ON TABLE gangd.invitation IS
	'Which game a code invites to.  No foreign key: it lies elsewhere when '
	'the games are spread over several servers.';

-- What the daemon needs and no more; the log can only grow.
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		GRANT USAGE ON SCHEMA gangd TO gangd_app;
		GRANT SELECT ON gangd.schema_migration TO gangd_app;
		GRANT SELECT, INSERT, UPDATE, DELETE
			ON gangd.game, gangd.seat, gangd.invitation TO gangd_app;
		GRANT SELECT, INSERT ON gangd.event TO gangd_app;
	END IF;
END
$$;
