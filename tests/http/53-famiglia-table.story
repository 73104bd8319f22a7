# What Famiglia has in common with every game: leaving, rematches, the log; and
# that legal_actions is all there is.

story "who knows no rule plays a whole game by legal_actions, again and again"
for $time in 1 2 3 4
	table A B with {"ruleset":"famiglia"}
	follow
	A GET "" -> 200 .status == "over" .table.result exists
end

story "so it is when the cards run out"
table A B with {"ruleset":"famiglia"}
deal A=f1a,b1a,b3a,m2a,a1a,a3a A.display=m1a,f0c,b0c B=f1b,b2a,a2a,m3a,m1b B.display=b0d,a1b street=f2a,m2b,b2b,f3a,a2b pile=b1b,b2c,a1c,m0c,f4a discards=a2c,m2c,b4a,m4a rest=2.display
follow
table A B with {"ruleset":"famiglia"}
deal A=f1a,b1a,b3a,m2a,a1a,a3a A.display=m1a,f0c,b0c B=f1b,b2a,a2a,m3a,m1b B.display=b0d,a1b street=f2a,m2b,b2b,f3a,a2b pile=b1b,b2c,a1c,f4a,m3b pass=2 rest=2.display
follow

story "of two moves at once one is made, and the other comes too late"
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

story "a vacant seat's turn waits, and who takes it over sees its hand, and nobody else"
table A B with {"ruleset":"famiglia","spectators":true}
deal A=f1a B=m2a,b1a street=f0c,m1a
B DELETE /players/2 -> 204
B GET "" -> 401 invalid_token
B GET /hand -> 401 invalid_token
A GET "" -> 200 .players[1].vacant == true .table.sides[1].hand == 6 body lacks "m2a"
	.you.legal_actions[-1].action == "pass"
A GET /players/2/hand -> 403 not_your_hand
# who is there goes on, and then waits
A POST /turn/take {"card":"f0c"} -> 200 .table.seat_to_move == 2 .you.legal_actions == []
A POST /turn/pass -> 409 not_your_turn
nobody GET /v1/games/$game -> 200 .table.seat_to_move == 2 body lacks "m2a"
A GET /invitation -> 200 .free_seats == 1 keep code = .invite_code
C POST /v1/invitations/$code/players {"name":"Cy"} -> 201 .seat == 2 .game.status == "playing"
	.game.you.hand == ["f0b","m0b","m2a","b0b","b1a","a0b"]
	.game.you.legal_actions[*].action == ["refill","brute","take","pass"]
A GET "" -> 200 .players[1] == {"seat":2,"name":"Cy","host":false,"vacant":false} body lacks "m2a"
B GET /hand -> 401 invalid_token
C POST /turn/brute {"card":"b1a","target":"m1a","by":1} -> 200
# in the middle of a turn too
C DELETE /players/2 -> 204
A GET "" -> 200 .table.seat_to_move == 2 .table.played.brute.card == "b1a"
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .game.table.open_steps == ["take"]
D POST /turn/take {"card":"m1a"} -> 200 .you.hand == ["f0b","m0b","m1a","m2a","b0b","a0b"]
D GET /events -> 200 .events[*].type == ["player_joined","player_joined","game_started","player_left","card_taken","player_joined","brute_played","player_left","player_joined","card_taken"]

story "both have gone, and both seats are taken over"
table A B with {"ruleset":"famiglia"}
A DELETE /players/1 -> 204
B GET "" -> 200 .players[*].host == [false,true] .table.seat_to_move == 1
B DELETE /players/2 -> 204
C POST /v1/invitations/$code/players {"name":"C"} -> 201 .seat == 1 .game.players[0].host == true
	.game.you.hand == ["f0a","m0a","b0a","a0a"] .game.you.legal_actions[-1].action == "pass"
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .seat == 2
C POST /turn/pass
D POST /turn/pass -> 200 .status == "over"

story "the host removes the other player, who does not come back by the same code"
table A B with {"ruleset":"famiglia"}
B DELETE /players/1 -> 403 not_host
A DELETE /players/2 -> 204
B POST /v1/invitations/$code/players {"name":"B"} -> 404 no_such_invitation
A POST /turn/pass -> 200 .table.seat_to_move == 2
A GET /invitation -> 200 .invite_code != "$code"

# --- rematches ---

story "in a rematch both sit where they sat, and the other one begins"
table A B with {"ruleset":"famiglia","spectators":true,"visibility":"public"}
A POST /rematch -> 409 not_allowed_now
deal A=f1a street=f0c,m1a
A POST /turn/pass
B POST /turn/pass -> 200 .you.legal_actions == [{"action":"rematch","method":"POST","href":"/v1/games/$game/rematch","body":null,"choose":null}] keep old = .id
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

story "the last round ends with whoever did not begin"
table A B with {"ruleset":"famiglia"}
A POST /turn/pass
B POST /turn/pass
A POST /rematch -> 201 .table.starting_seat == 2
deal street=f0c,b3a pile=m1a pass=2 rest=2.display
B POST /turn/take {"card":"f0c"} -> 200 keep turn = .table.turn
A POST /turn/refill {"card":"b3a"} -> 200 .table.last_turn == $turn .table.draw_pile == 0
A POST /turn/pass -> 200 .status == "over" .table.result.reason == "last_round" .table.result.winner == 2

story "a rematch of one waits for another"
table A B with {"ruleset":"famiglia","visibility":"public"}
A POST /turn/pass
B POST /turn/pass
A DELETE /players/1 -> 204
B POST /rematch -> 201 .status == "lobby" .you.seat == 1 .table == null .players[*].name == ["B"]
nobody GET /v1/games?ruleset=famiglia -> 200 .games has {"id":"$game","free_seats":1,"seats":2}
C POST /v1/games/$game/players {"name":"C"} -> 201 .game.status == "playing" .game.table.starting_seat == 2
B POST /turn/pass -> 409 not_your_turn

# --- the log ---

story "all see the same of what happens, since every card is played openly"
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
	.events[0].data == {} .events[1].data == {}
	.events[2].data.starting_seat == 1 .events[2].data.street count 6
	keep events = .events
B GET /events -> 200 .events == $events
nobody GET /v1/games/$game/events -> 200 .events == $events
B GET /events?after=5&limit=2 -> 200 .events[*].version == [6,7] header link has "after=7"
nobody GET /v1/games/$game/players -> 200 .players[*].seat == [1,2]

story "what is told of the beginning is what lay there"
table A B with {"ruleset":"famiglia"}
A GET "" -> 200 keep street = .table.street[*].card
A GET /events -> 200 .events[type=game_started].data == {"starting_seat":1,"street":$street}

story "the host deletes the game"
table A B with {"ruleset":"famiglia"}
B DELETE "" -> 403 not_host
A DELETE "" -> 204
B GET "" -> 401 invalid_token
