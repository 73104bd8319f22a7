-- The seat of a code that was not used and has not expired: the hash of its token, and
-- the sealed token.
SELECT token_hash, sealed
FROM gangd.transfer
WHERE game_id = $1 AND code_hash = $2 AND claimed_by IS NULL
  AND at >= now() - interval '10 minutes'
