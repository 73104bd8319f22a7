-- A game's row has the last idempotency keys of each seat, which its moves record without
-- a row of their own; and counts the changes that have no version.
--
-- Programs of before do not look for keys there, so no older program accepts this.
ALTER TABLE gangd.game
	ADD COLUMN revision integer NOT NULL DEFAULT 1,
	ADD COLUMN recent_keys bytea;
-- With keys a row is half as long again; a page has room for the new rows of its games.
ALTER TABLE gangd.game SET (fillfactor = 50);
COMMENT ON COLUMN gangd.game.revision IS
	'Counts the changes of seats and push_seats, which may have no version; from 1.';
COMMENT ON COLUMN gangd.game.recent_keys IS
	'The idempotency keys of the last moves of each seat, hashed; NULL: none.';

-- It has other parameters now.
DROP FUNCTION IF EXISTS gangd.commit_and_record(uuid, integer, text, smallint, smallint,
	smallint, bytea, smallint[], smallint[], smallint[], smallint[], bytea[], bytea[],
	bytea[], smallint[], smallint[], smallint[], boolean, bytea, bytea, uuid, bytea);

-- Only programs of before call it.
DROP FUNCTION IF EXISTS gangd.commit_move(uuid, integer, text, smallint, smallint,
	smallint, bytea, smallint[], smallint[], smallint[], smallint[], bytea[], bytea[],
	bytea[], smallint, text, text, bytea);
