# How the cards of the pile run out, how a game of Famiglia ends, and who wins.

# --- the first pile ---

story "drawing the first pile's last card turns the discards over at once"
table A B with {"ruleset":"famiglia"}
deal street=f2a,m1a pile=b1b,b2b discards=m2a rest=2.display
A GET "" -> 200 .table.draw_pile == 2 .table.discard_pile == 1 .table.second_pass == false
A POST /turn/refill {"card":"f2a"} -> 200
	.table.street[*].card == ["m1a","b1b","b2b"]
	.table.draw_pile == 2 .table.discard_pile == 0 .table.second_pass == true
	.table.last_turn == null
	.table.played.refills == 1
	.table.open_steps == ["refill","accountant","brute","take"]
A GET /events?after=3 -> 200 .events[0].data == {"card":"f2a","under_pile":false,"revealed":["b1b","b2b"],"pile_turned":true,"last_turn":null}
# one refill more is allowed
A POST /turn/refill {"card":"m1a"} -> 200
	.table.draw_pile == 2 .table.played.refills == 2
	.table.open_steps == ["accountant","brute","take"]
A GET /events?after=4 -> 200 .events[0].data.under_pile == true .events[0].data.pile_turned == false .events[0].data.revealed count 1
A POST /turn/refill {"card":"b1b"} -> 409 refill_used

story "missing cards come from the discards, the one just put there among them"
table A B with {"ruleset":"famiglia"}
deal street=f4a,m1a pile=b1b discards=m2a,m3a,a1a rest=2.display
A POST /turn/refill {"card":"f4a"} -> 200
	.table.street count 5
	.table.street[1].card == "b1b"
	.table.draw_pile == 1 .table.discard_pile == 0 .table.second_pass == true
A GET /events?after=3 -> 200 .events[0].data.pile_turned == true .events[0].data.revealed count 4

story "a zero among the new cards ends the refilling"
table A B with {"ruleset":"famiglia"}
deal street=f2a,m1a pile=b1b,f0c discards=m2a rest=2.display
A POST /turn/refill {"card":"f2a"} -> 200 .table.second_pass == true
	.table.open_steps == ["accountant","brute","take"]
A POST /turn/refill {"card":"m1a"} -> 409 zero_in_street

story "the discards are turned over while an empty street is filled"
table A B with {"ruleset":"famiglia"}
deal street=f0c pile=m0c,m1a,b1a,a1a discards=f1a,f2a,f3a rest=2.display
A POST /turn/take {"card":"f0c"} -> 200
	.table.street count 6 .table.draw_pile == 1 .table.second_pass == true .table.last_turn == null
A GET /events?after=3 -> 200 .events[0].data.pile_turned == true .events[0].data.revealed count 6 .events[0].data.last_turn == null

story "a first pile without discards is the only one"
table A B with {"ruleset":"famiglia"}
deal street=f0c pile=m0c,m1a,b1a rest=2.display
A GET "" -> 200 keep turn = .table.turn
A POST /turn/take {"card":"f0c"} -> 200
	.table.street count 3 .table.draw_pile == 0 .table.second_pass == false
	.table.last_turn != null
	.table.seat_to_move == 2
A GET /events?after=3 -> 200 .events[0].data.pile_turned == false
B POST /turn/pass -> 200 .status == "over" .table.result.reason == "last_round" .table.second_pass == false

# --- the second pile ---

story "in the second pass a card goes beneath the pile, and may come straight back"
table A B with {"ruleset":"famiglia"}
deal street=m2b,m1a pile=f1a pass=2 rest=2.display
A POST /turn/refill {"card":"m2b"} -> 200
	.table.street[*].card == ["m1a","f1a","m2b"]
	.table.draw_pile == 0 .table.discard_pile == 0
	.table.open_steps == ["accountant","brute","take"]
A GET /events?after=3 -> 200 .events[0].data.under_pile == true .events[0].data.revealed == ["f1a","m2b"]

story "the rulebook's example: the last three are laid, and the round is finished"
# B has taken 44 cards, so it is turn 89
table A B with {"ruleset":"famiglia","spectators":true}
deal A=a1b street=b3a,a2a,m3b,m2a,f3b pile=f2c,m2c pass=2 rest=2.display
A GET "" -> 200 .table.draw_pile == 2 .table.last_turn == null .table.turn == 89
A POST /turn/refill {"card":"b3a"} -> 200
	.table.street[*].card == ["a2a","m3b","m2a","f3b","f2c","m2c","b3a"]
	.table.draw_pile == 0
	.table.last_turn == 90
	.table.turn == 89 .status == "playing"
A GET /events?after=3 -> 200 .events[0].data == {"card":"b3a","under_pile":true,"revealed":["f2c","m2c","b3a"],"pile_turned":false,"last_turn":90}
A POST /turn/pass -> 200 .status == "playing" .table.turn == 90 .table.last_turn == 90
B POST /turn/pass -> 200 .status == "over"
	.table.turn == 90 .table.round == 45 .table.seat_to_move == null
	.table.result.reason == "last_round"
	.table.result.winner == 2
	.table.result.decided_by == "points"
	.you.legal_actions[*].action == ["rematch"]
nobody GET /v1/games/$game -> 200 .table.result.scores[0] == {"seat":1,"points":2,"hand":["f0a","m0a","b0a","a0a","a1b"]}

story "if the second player lays the last cards, the game ends with this turn"
table A B with {"ruleset":"famiglia"}
deal street=b3a,a2a pile=f2c,m2c pass=2 rest=1.display
A GET "" -> 200 .table.turn == 97
A POST /turn/pass
B POST /turn/refill {"card":"b3a"} -> 200 .table.last_turn == 98 .table.turn == 98 .status == "playing"
B POST /turn/brute {"card":"b4a","target":"f2c","by":1} -> 409 not_in_hand
B POST /turn/pass -> 200 .status == "over" .table.result.reason == "last_round" .table.result.winner == 1

story "last cards that fill an empty street end the game with the next turn's round"
table A B with {"ruleset":"famiglia"}
deal street=f0c pile=m1a,b1a pass=2 rest=2.display
A GET "" -> 200 .table.turn == 99
A POST /turn/take {"card":"f0c"} -> 200 .table.street[*].card == ["m1a","b1a"] .table.last_turn == 100 .table.turn == 100
A GET /events?after=3 -> 200 .events[0].data.last_turn == 100 .events[0].data.revealed == ["m1a","b1a"] .events[0].data.result == null
B POST /turn/pass -> 200 .status == "over"
table A B with {"ruleset":"famiglia"}
deal street=f0c pile=m1a,b1a pass=2 rest=2.display
A POST /turn/pass
B POST /turn/take {"card":"f0c"} -> 200 .table.turn == 101 .table.last_turn == 102 .status == "playing"
A POST /turn/pass -> 200 .status == "playing" .table.turn == 102
B POST /turn/pass -> 200 .status == "over" .table.result.reason == "last_round" .table.turn == 102

story "a street may stay empty in the last round"
table A B with {"ruleset":"famiglia"}
deal street=f0c rest=2.display pass=2
A POST /turn/take {"card":"f0c"} -> 200 .table.street == [] .table.draw_pile == 0 .status == "playing"
B GET "" -> 200 .you.legal_actions[*].action == ["pass"] .table.open_steps == ["accountant","brute","take"]
B POST /turn/refill {"card":"f0c"} -> 409 pile_empty
B POST /turn/take {"card":"f0c"} -> 409 not_in_street
B POST /turn/pass -> 200 .status == "over" .table.street == [] .table.result.reason == "last_round"

# --- passing ---

story "two passes in a row end the game"
table A B with {"ruleset":"famiglia"}
deal street=f0c,f0d,m1a
A POST /turn/pass -> 200 .table.previous_turn_passed == true
B POST /turn/take {"card":"f0c"} -> 200 .table.previous_turn_passed == false
A POST /turn/take {"card":"f0d"}
B POST /turn/pass -> 200 .status == "playing"
A POST /turn/pass -> 200 .status == "over" .version == 8
	.table.turn == 5 .table.round == 3 .table.seat_to_move == null
	.table.open_steps == []
	.table.result == {"reason":"both_passed","winner":null,"decided_by":null,"scores":[{"seat":1,"points":2,"hand":["f0a","f0d","m0a","b0a","a0a"]},{"seat":2,"points":2,"hand":["f0b","f0c","m0b","b0b","a0b"]}]}
	keep result = .table.result
A GET /events?after=3 -> 200 .events[*].type == ["passed","card_taken","card_taken","passed","passed"]
	.events[-1].seat == 1 .events[-1].data == {"revealed":[],"pile_turned":false,"last_turn":null,"result":$result}
	.events[-2].data.result == null

story "a player who used abilities and took no card has passed"
table A B with {"ruleset":"famiglia"}
deal A=b1a,a1a A.display=f0c B=f0d,f0e,b3a street=f1a,m1a
A POST /turn/refill {"card":"m1a"}
A POST /turn/accountant {"card":"a1a","give":["a0a"],"take":["f0c"]}
A POST /turn/brute {"card":"b1a","target":"f1a","by":1} -> 200 .table.played.refills == 1 .table.street[0].effective_rank == 0
A POST /turn/pass -> 200 .table.street[0].effective_rank == 1
B POST /turn/brute {"card":"b3a","target":"f1a","by":1}
B POST /turn/pass -> 200 .status == "over"
	.table.result.reason == "both_passed"
	.table.street[0] == {"card":"f1a","rank":1,"effective_rank":1}
	.table.played == {"refills":0,"accountant":null,"brute":null}
	.table.sides[1].display == ["b3a"]

# --- points ---

story "the player with more points wins, of hand and display"
for $a $b $winner $scores
	| f2a     | m2a,m2b     | 1    | [7,7]
	| f1a,f2a | m4a         | 2    | [10,11]
	| f4a     | f3a,m3a     | 2    | [16,17]
	| f1a     | m2a         | null | [4,4]
	| m2a     | f1a,m0c     | null | [4,4]
	| f0c     | m1a         | null | [2,2]
	| m4a     | f3a         | null | [11,11]
	| f2a     | f1a,f1b     | 1    | [7,7]
	| f1a,f1b | f2a         | 2    | [7,7]
	| m4a,m1a | f3a,f0c     | null | [12,12]
	| b2a,b2b | m3a         | 2    | [7,7]
	| f4a     | m4a,m2a,b1a,a1a | 1 | [16,16]
	table A B with {"ruleset":"famiglia"}
	deal A.display=$a B=$b street=f3b,a3a
	A POST /turn/pass
	B POST /turn/pass -> 200 .status == "over"
		.table.result.winner == $winner
		.table.result.scores[*].points == $scores
	A GET "" -> 200 .table.sides[0].hand == 4 .table.result.scores[0].hand == ["f0a","m0a","b0a","a0a"]
end

story "the result says what decided the game"
table A B with {"ruleset":"famiglia"}
deal A=f2a B=f1a,f1b street=m1a
A POST /turn/pass
B POST /turn/pass -> 200 .table.result.decided_by == "single_card"
table A B with {"ruleset":"famiglia"}
deal A=f1a street=m1a
A POST /turn/pass
B POST /turn/pass -> 200 .table.result.decided_by == "points" .table.result.winner == 1
table A B with {"ruleset":"famiglia"}
A POST /turn/pass
B POST /turn/pass -> 200 .table.result.decided_by == null .table.result.winner == null
