# In Famiglia the others wait for who is to move, and for nobody else.

story "a player who is to move and absent is removed, and forfeits"
table A B with {"ruleset":"famiglia","absence_seconds":120}
operator away $game 1,2 131
B DELETE /players/1 -> 204
B GET "" -> 200 .status == "over" .players[*].vacant == [true,false] .players[*].host == [false,true]
	.table.seat_to_move == null
	.table.result == {"reason":"forfeited","winner":2,"decided_by":null,"scores":[]}
B GET /players/1/hand -> 403 not_your_hand

story "by the host no sooner than by the other"
table A B with {"ruleset":"famiglia","absence_seconds":120}
A POST /turn/pass
A DELETE /players/2 -> 409 not_allowed_now
operator away $game 2 131
A DELETE /players/2 -> 204
A GET "" -> 200 .table.result.winner == 1

story "after ten minutes unless the game was created with something else"
table A B with {"ruleset":"famiglia"}
operator away $game 1 605
B DELETE /players/1 -> 409 not_allowed_now .detail matches "not been heard of for 600 seconds"
operator away $game 1 611
B DELETE /players/1 -> 204

story "nor is anybody when the game is over"
table A B with {"ruleset":"famiglia","absence_seconds":120}
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
operator away $game 1 3600
B DELETE /players/1 -> 403 not_host
