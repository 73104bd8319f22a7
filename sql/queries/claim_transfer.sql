-- Use a code that has not expired, if nobody else has used it: the hash of its seat's
-- token, and the sealed token.  $3 says who uses it, who may do so again.
UPDATE gangd.transfer
SET claimed_by = $3
WHERE game_id = $1 AND code_hash = $2
  AND (claimed_by IS NULL OR claimed_by = $3)
  AND at >= now() - interval '10 minutes'
RETURNING token_hash, sealed
