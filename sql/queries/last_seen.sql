-- When a request of each player of a game was last received, and the present time.
SELECT seat, last_seen, now() FROM gangd.seat WHERE game_id = $1
