-- Give a seat a ticket for a stream: the time, or NULL when the game is gone.
SELECT gangd.give_ticket(
	the_game => $1, new_ticket_hash => $2, the_token_hash => $3)
