-- The rows of idempotency keys and of notifications refer to their game no more.  Each
-- is written by a commit, which holds the lock of the game's row: the foreign keys
-- looked the game up and locked it once more for each row, as those of events did
-- (0014).  delete_game deletes the rows of the game.
--
-- The tables are locked in the order in which commits lock them.
--
-- compatible-from: 0012
LOCK TABLE gangd.game, gangd.idempotency_key, gangd.notification
	IN ACCESS EXCLUSIVE MODE;
ALTER TABLE gangd.idempotency_key
	DROP CONSTRAINT IF EXISTS idempotency_key_game_id_fkey;
ALTER TABLE gangd.notification
	DROP CONSTRAINT IF EXISTS notification_game_id_fkey;
