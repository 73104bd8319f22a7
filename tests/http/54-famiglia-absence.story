# In Famiglia the other player waits only for the player to move.

story "an absent player whose turn it is can be removed, and forfeits"
table A B with {"ruleset":"famiglia","absence_seconds":120}
operator away $game 1,2 131
B DELETE /players/1 -> 204
B GET "" -> 200 .status == "over" .players[*].vacant == [true,false] .players[*].host == [false,true]
	.table.seat_to_move == null
	.table.result == {"reason":"forfeited","winner":2,"decided_by":null,"scores":[]}
B GET /players/1/hand -> 403 not_your_hand

story "the host can remove a player no sooner than the other"
table A B with {"ruleset":"famiglia","absence_seconds":120}
A POST /turn/pass
A DELETE /players/2 -> 409 not_allowed_now
operator away $game 2 131
A DELETE /players/2 -> 204
A GET "" -> 200 .table.result.winner == 1

story "absence_seconds is ten minutes by default"
table A B with {"ruleset":"famiglia"}
operator away $game 1 605
B DELETE /players/1 -> 409 not_allowed_now .detail matches "not been heard of for 600 seconds"
operator away $game 1 611
B DELETE /players/1 -> 204

story "nobody is removed as absent when the game is over"
table A B with {"ruleset":"famiglia","absence_seconds":120}
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
operator away $game 1 3600
B DELETE /players/1 -> 403 not_host
