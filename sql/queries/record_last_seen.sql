-- Record that a request with token $2 in game $1 was received now, and answered
-- with version $3 (0: does not count): the time, or no
-- row when nobody sits there with that token any more.  Unlike update_last_seen, it
-- waits for a transaction that is changing the seat: the request is answered only
-- when the seat is known to be still the player's.
WITH seen AS (
	UPDATE gangd.seat
	SET last_seen = date_bin('10 seconds', now(), 'epoch'),
	    seen_version = greatest(seen_version, $3)
	WHERE game_id = $1 AND token_hash = $2
	RETURNING 1
)
SELECT now() FROM seen
