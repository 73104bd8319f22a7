-- Delete a game: the time, or NULL when it has moved on or is gone.
SELECT gangd.delete_game($1, $2)
