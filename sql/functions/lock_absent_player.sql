-- Lock the seat of a player who is about to be removed as absent, if last_seen is
-- still the one that the removal was decided against.  False when it is not, or
-- when the game has another version.
--
-- While the seat is locked, no request of the player is answered: each has to
-- record last_seen in that row first (record_last_seen.sql).  The game's row is
-- locked before the seat's, as free_seat does, so that two removals do not wait
-- for each other in a circle.
CREATE OR REPLACE FUNCTION gangd.lock_absent_player(
	the_game uuid,
	loaded_version integer,
	the_seat smallint,
	loaded_last_seen timestamptz -- NULL: not removed as absent; always true
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF loaded_last_seen IS NULL THEN
		RETURN true;
	END IF;
	IF NOT gangd.lock_game(the_game => the_game,
	                       loaded_version => loaded_version) THEN
		RETURN false;
	END IF;
	PERFORM FROM gangd.seat
	WHERE game_id = the_game AND seat = the_seat
		AND last_seen = loaded_last_seen
	FOR UPDATE;
	RETURN FOUND;
END
$$;
