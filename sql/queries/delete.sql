-- Delete a game: the time, or NULL on a conflict.
SELECT gangd.delete_game(the_game => $1, loaded_version => $2)
