-- The game that an invitation code leads to.
SELECT game_id FROM gangd.invitation WHERE code = $1
