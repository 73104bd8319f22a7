-- How many public games that were made from an address wait for players.
SELECT count(*)::integer FROM gangd.game
WHERE is_public AND status = 'lobby' AND made_from = sha256($1)
