# Famiglia has this in common with every game: leaving, rematches, the log; and
# legal_actions is complete.

story "two players play whole games by legal_actions"
for $time in 1 2 3 4
	table A B with {"ruleset":"famiglia"}
	follow
	A GET "" -> 200 .status == "over" .table.result exists
end

story "games can be played by legal_actions until the cards run out"
table A B with {"ruleset":"famiglia"}
deal A=f1a,b1a,b3a,m2a,a1a,a3a A.display=m1a,f0c,b0c B=f1b,b2a,a2a,m3a,m1b B.display=b0d,a1b street=f2a,m2b,b2b,f3a,a2b pile=b1b,b2c,a1c,m0c,f4a discards=a2c,m2c,b4a,m4a rest=2.display
follow
table A B with {"ruleset":"famiglia"}
deal A=f1a,b1a,b3a,m2a,a1a,a3a A.display=m1a,f0c,b0c B=f1b,b2a,a2a,m3a,m1b B.display=b0d,a1b street=f2a,m2b,b2b,f3a,a2b pile=b1b,b2c,a1c,f4a,m3b pass=2 rest=2.display
follow

story "of two moves at once one succeeds"
table A B with {"ruleset":"famiglia"}
deal A=f1a,b1a street=f0c,f0d,m1a
together
	A POST /turn/take {"card":"f0c"}
	A POST /turn/take {"card":"f0d"}
end -> 200, 409 not_your_turn
A GET "" -> 200 .version == 4 .table.street count 2
deal A=f1a,b1a street=f0c,f0d,m1a
together
	A POST /turn/brute {"card":"b1a","target":"m1a","by":1}
	A POST /turn/brute {"card":"b1a","target":"m1a","by":1}
end -> 200, 409 already_used
together
	A POST /turn/pass
	B POST /turn/pass
	A DELETE ""
end
nobody GET /v1/games/$game -> 401 unauthenticated

# --- leaving ---

story "a lobby that its only player leaves is gone"
lobby A with {"ruleset":"famiglia"}
A DELETE /players/1 -> 204
A GET "" -> 401 invalid_token
nobody GET /v1/invitations/$code -> 404 no_such_invitation

story "a player who leaves a game in play forfeits it, and the hands stay hidden"
table A B with {"ruleset":"famiglia","spectators":true}
deal A=f1a B=m2a,b1a street=f0c,m1a
A GET "" -> 200 keep version = .version
B DELETE /players/2 -> 204
B GET "" -> 401 invalid_token
B GET /hand -> 401 invalid_token
A GET "" -> 200 .status == "over" .players[1].vacant == true .table.sides[1].hand == 6 body lacks "\"m2a\""
	.table.result == {"reason":"forfeited","winner":1,"decided_by":null,"scores":[]}
	.table.seat_to_move == null
	.table.played == {"refills":0,"accountant":null,"brute":null}
	.you.hand == ["f0a","f1a","m0a","b0a","a0a"]
	.you.legal_actions[*].action == ["rematch"]
A GET /players/2/hand -> 403 not_your_hand
nobody GET /v1/games/$game/players/1/hand -> 403 not_your_hand
nobody GET /v1/games/$game -> 200 body lacks "\"m2a\"" body lacks "\"f1a\"" .table.result.winner == 1
A GET /events?after=$version -> 200 .events[*].type == ["player_left","forfeited"] .events[*].seat == [2,2]
	.events[1].data == {"result":{"reason":"forfeited","winner":1,"decided_by":null,"scores":[]}}
A POST /turn/pass -> 409 game_over
A GET /invitation -> 200 .free_seats == 0 .invite_code == null
C POST /v1/invitations/$code/players {"name":"C"} -> 409 game_over
# the remaining player may start a rematch, which waits for another
A POST /rematch -> 201 .status == "lobby" .players[*].name == ["A"]

story "the host may leave too, and forfeits"
table A B with {"ruleset":"famiglia"}
A DELETE /players/1 -> 204
B GET "" -> 200 .players[*].host == [false,true] .table.result.winner == 2 .table.result.reason == "forfeited"
B DELETE /players/2 -> 204

story "the host cannot remove a present player in play"
table A B with {"ruleset":"famiglia","absence_seconds":null}
B DELETE /players/1 -> 409 not_allowed_now .detail matches "nobody can be removed"
A DELETE /players/2 -> 409 not_allowed_now
A POST /turn/pass -> 200 .table.seat_to_move == 2
table C D with {"ruleset":"famiglia","absence_seconds":120}
C DELETE /players/2 -> 409 not_allowed_now .detail matches "not been heard of for 120 seconds"
C POST /turn/pass
D POST /turn/pass -> 200 .status == "over"
C DELETE /players/2 -> 204
D GET "" -> 401 invalid_token

# --- rematches ---

story "a rematch keeps the seats, and the other player begins"
table A B with {"ruleset":"famiglia","spectators":true,"visibility":"public"}
A POST /rematch -> 409 not_allowed_now
deal A=f1a street=f0c,m1a
A POST /turn/pass
B POST /turn/pass -> 200 .you.legal_actions == [{"action":"rematch","method":"POST","href":"/v1/games/$game/rematch","body":{},"command":{"action":"rematch"},"choose":null}] keep old = .id
B POST /rematch -> 201
	.ruleset == "famiglia" .mode == null .status == "playing" .visibility == "public" .spectators == true
	.rematch_of == {"id":"$old","href":"/v1/games/$old"}
	.players[*].name == ["A","B"] .players[*].host == [true,false]
	.you.seat == 2 .you.hand == ["f0b","m0b","b0b","a0b"]
	.table.starting_seat == 2 .table.seat_to_move == 2 .table.turn == 1
	.table.sides[*].display == [[],[]]
A GET /v1/games/$old -> 200 .rematch.id == "$game" .rematch_of == null .you.legal_actions == []
A POST /v1/games/$old/rematch -> 409 already_used .rematch.id == "$game"
A GET /events -> 200 .events[*].type == ["player_joined","player_joined","game_started"] .events[2].seat == null
	.events[2].data.starting_seat == 2 .events[2].data.street count 6
A POST /turn/pass -> 409 not_your_turn
B POST /turn/pass -> 200 .table.seat_to_move == 1 .table.turn == 2 .table.round == 1
A POST /turn/pass -> 200 .status == "over"
A POST /rematch -> 201 .table.starting_seat == 1 .table.seat_to_move == 1

story "the last round ends with the second player"
table A B with {"ruleset":"famiglia"}
A POST /turn/pass
B POST /turn/pass
A POST /rematch -> 201 .table.starting_seat == 2
deal street=f0c,b3a pile=m1a pass=2 rest=2.display
B POST /turn/take {"card":"f0c"} -> 200 keep turn = .table.turn
A POST /turn/refill {"card":"b3a"} -> 200 .table.last_turn == $turn .table.draw_pile == 0
A POST /turn/pass -> 200 .status == "over" .table.result.reason == "last_round" .table.result.winner == 2

story "a rematch by a lone player waits for another"
table A B with {"ruleset":"famiglia","visibility":"public"}
A POST /turn/pass
B POST /turn/pass
A DELETE /players/1 -> 204
B POST /rematch -> 201 .status == "lobby" .you.seat == 1 .table == null .players[*].name == ["B"]
nobody GET /v1/games?ruleset=famiglia -> 200 .games has {"id":"$game","free_seats":1,"seats":2}
C POST /v1/games/$game/players {"name":"C"} -> 201 .game.status == "playing" .game.table.starting_seat == 2
B POST /turn/pass -> 409 not_your_turn

# --- the log ---

story "all readers see the same events, since cards are played openly"
table A B with {"ruleset":"famiglia","spectators":true}
deal A=b1a,a1a A.display=f0c street=f1a,m1a,b2a
A POST /turn/refill {"card":"m1a"}
A POST /turn/accountant {"card":"a1a","give":["a0a"],"take":["f0c"]}
A POST /turn/brute {"card":"b1a","target":"f1a","by":1}
A POST /turn/take {"card":"f1a"}
B POST /turn/pass
A GET /events -> 200 .events[*].version == [1,2,3,4,5,6,7,8]
	.events[*].type == ["player_joined","player_joined","game_started","refilled","accountant_played","brute_played","card_taken","passed"]
	.events[*].seat == [1,2,null,1,1,1,1,2]
	.events[0].data == {"name":"A","avatar":null,"bot":null} .events[1].data == {"name":"B","avatar":null,"bot":null}
	.events[2].data.starting_seat == 1 .events[2].data.street count 6
	keep events = .events
B GET /events -> 200 .events == $events
nobody GET /v1/games/$game/events -> 200 .events == $events
B GET /events?after=5&limit=2 -> 200 .events[*].version == [6,7] header link has "after=7"
nobody GET /v1/games/$game/players -> 200 .players[*].seat == [1,2]

story "the first event shows the street of the start"
table A B with {"ruleset":"famiglia"}
A GET "" -> 200 keep street = .table.street[*].card
A GET /events -> 200 .events[type=game_started].data == {"starting_seat":1,"street":$street}

story "the host deletes the game"
table A B with {"ruleset":"famiglia"}
B DELETE "" -> 403 not_host
A DELETE "" -> 204
B GET "" -> 401 invalid_token
