-- Delete a game: the time, or NULL when there is none.
SELECT gangd.delete_game($1)
