-- Give a seat a ticket: the time, or NULL when the game is gone.
SELECT gangd.give_ticket($1, $2, $3)
