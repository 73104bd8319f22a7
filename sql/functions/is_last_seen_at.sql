-- Was the seat's player last heard of when the removal was decided against?  If
-- so, nothing the player asks is answered before this transaction ends: it keeps
-- the row that record_last_seen needs.  The game's row is locked first, as
-- free_seat does, so that two removals do not wait for each other in a circle.
CREATE OR REPLACE FUNCTION gangd.is_last_seen_at(
	the_game uuid,
	loaded_version integer,
	the_seat smallint,
	loaded_last_seen timestamptz -- NULL: whenever it was
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = gangd, pg_temp
AS $$
BEGIN
	IF loaded_last_seen IS NULL THEN
		RETURN true;
	END IF;
	IF NOT gangd.is_at(the_game, loaded_version) THEN
		RETURN false;
	END IF;
	PERFORM FROM gangd.seat
	WHERE game_id = the_game AND seat = the_seat
		AND seen_at = loaded_last_seen
	FOR UPDATE;
	RETURN FOUND;
END
$$;
