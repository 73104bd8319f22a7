-- compatible-from: NEWEST
--
-- A later release might change the schema like this.  test_upgrade.py uses it;
-- the build writes the number of the last migration above.
ALTER TABLE gangd.game
	ADD COLUMN next_note text NOT NULL DEFAULT 'none',
	ADD COLUMN next_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE gangd.seat ADD COLUMN next_rank integer;
ALTER TABLE gangd.event ADD COLUMN next_part bytea;
CREATE INDEX game_next ON gangd.game (next_note) WHERE next_note <> 'none';
CREATE TABLE gangd.next_thing (
	game_id uuid NOT NULL REFERENCES gangd.game ON DELETE CASCADE,
	place integer NOT NULL,
	PRIMARY KEY (game_id, place)
);

-- A function gets a parameter more.  The one without it stays for a release,
-- since programs of the last one go on calling it.
CREATE FUNCTION gangd.lock_game(the_game uuid, loaded_version integer, note text)
RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	UPDATE gangd.game SET next_note = note WHERE game_id = the_game;
	RETURN gangd.lock_game(the_game, loaded_version);
END
$$;
