-- The game that a code invites to.
SELECT game_id FROM gangd.invitation WHERE code = $1
