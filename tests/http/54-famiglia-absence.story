# In Famiglia the others wait for who is to move, and for nobody else.

story "only who is to move is removed for being away"
table A B with {"ruleset":"famiglia","absence_seconds":120}
operator away $game 1 131
B DELETE /players/1 -> 204
B GET "" -> 200 .players[*].vacant == [true,false] .players[*].host == [false,true] .table.seat_to_move == 1
B GET /invitation -> 200 keep code = .invite_code
C POST /v1/invitations/$code/players {"name":"C"} -> 201 .seat == 1
operator away $game 2 3600
C DELETE /players/2 -> 403 not_host
C POST /turn/pass
operator away $game 2 131
C DELETE /players/2 -> 204
C GET "" -> 200 .table.seat_to_move == 2 .players[1].vacant == true

story "nor is anybody when the game is over"
table A B with {"ruleset":"famiglia","absence_seconds":120}
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
operator away $game 1 3600
B DELETE /players/1 -> 403 not_host
