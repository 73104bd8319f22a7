# POST /v1/games/{game_id}/turn/...: the four steps of a turn, in their order.
# Seat 1 begins; "deal" makes it the turn of seat 1, the earliest in which both
# players can own so many cards.

# --- taking and passing ---

story "a zero is free"
table A B with {"ruleset":"famiglia"}
deal street=f0c,m1a,b0c
A POST /turn/take {"card":"f0c"} -> 200
	.version == 4
	.you.hand == ["f0a","f0c","m0a","b0a","a0a"]
	.you.points == 2
	.you.legal_actions == []
	.table.turn == 2 .table.round == 1 .table.seat_to_move == 2
	.table.street[*].card == ["m1a","b0c"]
	.table.previous_turn_passed == false
	.table.open_steps == ["accountant","brute","take"]
B GET "" -> 200 .table.sides[0] == {"seat":1,"hand":5,"display":[],"display_points":0}
	.you.legal_actions[*].action == ["take","pass"]
	.you.legal_actions[0] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"b0c"},"command":{"action":"take","card":"b0c"},"choose":null}
A GET /events?after=3 -> 200 .events count 1
	.events[0].version == 4 .events[0].type == "card_taken" .events[0].seat == 1
	.events[0].data == {"card":"f0c","effective_rank":0,"pay":null,"keep":null,"exhausted":null,"revealed":[],"pile_turned":false,"last_turn":null,"result":null}

story "a rank costs two of the rank below, of which one is exhausted"
table A B with {"ruleset":"famiglia"}
deal A=f1a,f1b,f1c street=f2a,f2b,m0c
A POST /turn/take {"card":"f2b","pay":["f1c","f1a"],"keep":"f1a"} -> 200
	.you.hand == ["f0a","f1a","f1b","f2b","m0a","b0a","a0a"]
	.table.sides[0] == {"seat":1,"hand":7,"display":["f1c"],"display_points":3}
	.you.points == 16
	.table.street[*].card == ["f2a","m0c"]
	.table.turn == 8 .table.round == 4
A GET /events?after=3 -> 200 .events[0].data == {"card":"f2b","effective_rank":2,"pay":["f1c","f1a"],"keep":"f1a","exhausted":"f1c","revealed":[],"pile_turned":false,"last_turn":null,"result":null}
B POST /turn/pass
A POST /turn/take {"card":"f2a","pay":["f1a","f1b"],"keep":"f1b"} -> 200 .table.sides[0].display == ["f1a","f1c"]

story "a mercenary replaces one of the two, of any family, and is kept or exhausted"
table A B with {"ruleset":"famiglia"}
deal A=m2a,m3a,f1a,b0c street=f2a,b1a,m1a,m3b,a0c
A GET "" -> 200
	.you.legal_actions[0] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"f2a","keep":"f1a"},"command":{"action":"take","card":"f2a","keep":"f1a"},"choose":{"pay":{"form":"one_of","options":[["f1a","m2a"],["f1a","m3a"]]}}}
	.you.legal_actions[1] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"f2a","keep":"m2a"},"command":{"action":"take","card":"f2a","keep":"m2a"},"choose":{"pay":{"form":"one_of","options":[["m2a","f1a"]]}}}
	.you.legal_actions[2] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"f2a","keep":"m3a"},"command":{"action":"take","card":"f2a","keep":"m3a"},"choose":{"pay":{"form":"one_of","options":[["m3a","f1a"]]}}}
	.you.legal_actions[3] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"b1a","keep":"m2a"},"command":{"action":"take","card":"b1a","keep":"m2a"},"choose":{"pay":{"form":"one_of","options":[["m2a","b0a"],["m2a","b0c"]]}}}
	.you.legal_actions[4] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"b1a","keep":"m3a"},"command":{"action":"take","card":"b1a","keep":"m3a"},"choose":{"pay":{"form":"one_of","options":[["m3a","b0a"],["m3a","b0c"]]}}}
	.you.legal_actions[5] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"b1a","keep":"b0a"},"command":{"action":"take","card":"b1a","keep":"b0a"},"choose":{"pay":{"form":"one_of","options":[["b0a","m2a"],["b0a","m3a"],["b0a","b0c"]]}}}
	.you.legal_actions[6] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"b1a","keep":"b0c"},"command":{"action":"take","card":"b1a","keep":"b0c"},"choose":{"pay":{"form":"one_of","options":[["b0c","m2a"],["b0c","m3a"],["b0c","b0a"]]}}}
	.you.legal_actions[7] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"m1a","keep":"m0a"},"command":{"action":"take","card":"m1a","keep":"m0a"},"choose":{"pay":{"form":"one_of","options":[["m0a","m2a"],["m0a","m3a"]]}}}
	.you.legal_actions[8] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"m1a","keep":"m2a"},"command":{"action":"take","card":"m1a","keep":"m2a"},"choose":{"pay":{"form":"one_of","options":[["m2a","m0a"]]}}}
	.you.legal_actions[9] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"m1a","keep":"m3a"},"command":{"action":"take","card":"m1a","keep":"m3a"},"choose":{"pay":{"form":"one_of","options":[["m3a","m0a"]]}}}
	.you.legal_actions[10] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"m3b","keep":"m2a"},"command":{"action":"take","card":"m3b","keep":"m2a"},"choose":{"pay":{"form":"one_of","options":[["m2a","m3a"]]}}}
	.you.legal_actions[11] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"m3b","keep":"m3a"},"command":{"action":"take","card":"m3b","keep":"m3a"},"choose":{"pay":{"form":"one_of","options":[["m3a","m2a"]]}}}
	.you.legal_actions[12].body == {"card":"a0c"}
	.you.legal_actions[13] == {"action":"pass","method":"POST","href":"/v1/games/$game/turn/pass","body":{},"command":{"action":"pass"},"choose":null}
	.you.legal_actions count 14
A POST /turn/take {"card":"m3b","pay":["m3a","m2a"],"keep":"m3a"} -> 200 .table.sides[0].display == ["m2a"]
B POST /turn/pass
A POST /turn/take {"card":"f2a","pay":["m3a","f1a"],"keep":"f1a"} -> 200 .table.sides[0].display == ["m2a","m3a"]
B POST /turn/pass
A POST /turn/take {"card":"b1a","pay":["b0a","m3b"],"keep":"m3b"} -> 200 .table.sides[0].display == ["m2a","m3a","b0a"]
A GET /events?after=3 -> 200 .events[type=card_taken].data.keep == "m3a"

story "a player who takes nothing passes, with a body or without"
table A B with {"ruleset":"famiglia"}
A POST /turn/pass -> 200 .table.previous_turn_passed == true .table.turn == 2
deal street=m0c,m0d
A POST /turn/pass {} -> 200
B POST /turn/take {"card":"m0c"} -> 200 .table.previous_turn_passed == false
A GET /events?after=4 -> 200 .events[0].type == "passed" .events[0].seat == 1
	.events[0].data == {"revealed":[],"pile_turned":false,"last_turn":null,"result":null}

story "a turn that leaves the street empty ends with six new cards"
table A B with {"ruleset":"famiglia"}
deal street=f0c pile=b2a,b2b,m3a,a1a,f4a,f0d
A POST /turn/take {"card":"f0c"} -> 200
	.table.street[*].card == ["b2a","b2b","m3a","a1a","f4a","f0d"]
	.table.draw_pile == 45
A GET /events?after=3 -> 200 .events[0].data.revealed == ["b2a","b2b","m3a","a1a","f4a","f0d"]

# --- a brute ---

story "a brute lowers a rank for this turn"
table A B with {"ruleset":"famiglia"}
deal A=b3a,f1a,f1b street=f4a,f0c,m1a
A GET "" -> 200 .you.legal_actions[0] == {"action":"brute","method":"POST","href":"/v1/games/$game/turn/brute","body":{"card":"b3a"},"command":{"action":"brute","card":"b3a"},"choose":{"target":{"form":"one_of","options":["m1a"]},"by":{"form":"range","least":1,"most":1}}}
	.you.legal_actions[1] == {"action":"brute","method":"POST","href":"/v1/games/$game/turn/brute","body":{"card":"b3a"},"command":{"action":"brute","card":"b3a"},"choose":{"target":{"form":"one_of","options":["f4a"]},"by":{"form":"range","least":1,"most":3}}}
	.table.open_steps == ["accountant","brute","take"]
A POST /turn/brute {"card":"b3a","target":"f4a","by":2} -> 200
	.version == 4
	.table.seat_to_move == 1
	.table.street[0] == {"card":"f4a","rank":4,"effective_rank":2}
	.table.played == {"refills":0,"accountant":null,"brute":{"card":"b3a","target":"f4a","by":2}}
	.table.open_steps == ["take"]
	.table.sides[0].display == ["b3a"]
	.you.hand == ["f0a","f1a","f1b","m0a","b0a","a0a"]
	.you.legal_actions[*].action == ["take","take","take","pass"]
	.you.legal_actions[0].body == {"card":"f4a","keep":"f1a"} .you.legal_actions[0].choose == {"pay":{"form":"one_of","options":[["f1a","f1b"]]}}
B GET "" -> 200 .table.street[0].effective_rank == 2 .table.played.brute.by == 2 .you.legal_actions == []
A POST /turn/take {"card":"f4a","pay":["f1a","f1b"],"keep":"f1a"} -> 200 .you.points == 28
A GET /events?after=3 -> 200 .events[*].type == ["brute_played","card_taken"]
	.events[0].data == {"card":"b3a","target":"f4a","by":2,"effective_rank":2}
	.events[1].data.effective_rank == 2

story "a card lowered to zero is free, and regains its rank after the turn"
table A B with {"ruleset":"famiglia"}
deal A=b2a,f0c street=f2a,f1a
A POST /turn/brute {"card":"b2a","target":"f2a","by":2} -> 200 .table.street[0].effective_rank == 0
	.you.legal_actions[0] == {"action":"take","method":"POST","href":"/v1/games/$game/turn/take","body":{"card":"f2a"},"command":{"action":"take","card":"f2a"},"choose":null}
A POST /turn/take {"card":"f1a","pay":["f0a","f0c"],"keep":"f0a"} -> 200
	.table.street == [{"card":"f2a","rank":2,"effective_rank":2}]
	.table.played == {"refills":0,"accountant":null,"brute":null}
	.table.open_steps == ["refill","accountant","brute","take"]

# --- an accountant ---

story "an accountant swaps up to its rank"
table A B with {"ruleset":"famiglia"}
deal A=a2a,b3a,f1a A.display=m1a,m3a,f0c street=f0d,f2a
A GET "" -> 200 .you.legal_actions[0] == {"action":"accountant","method":"POST","href":"/v1/games/$game/turn/accountant","body":{"card":"a2a"},"command":{"action":"accountant","card":"a2a"},"choose":{"give":{"form":"some_of","least":1,"most":1,"distinct":true,"options":["f0a","f1a","m0a","b0a","b3a","a0a"]},"take":{"form":"some_of","least":1,"most":1,"distinct":true,"options":["f0c","m1a","m3a"]}}}
	.you.legal_actions[1] == {"action":"accountant","method":"POST","href":"/v1/games/$game/turn/accountant","body":{"card":"a2a"},"command":{"action":"accountant","card":"a2a"},"choose":{"give":{"form":"some_of","least":2,"most":2,"distinct":true,"options":["f0a","f1a","m0a","b0a","b3a","a0a"]},"take":{"form":"some_of","least":2,"most":2,"distinct":true,"options":["f0c","m1a","m3a"]}}}
A POST /turn/accountant {"card":"a2a","give":["a0a","m0a"],"take":["m3a","f0c"]} -> 200
	.version == 4
	.table.played.accountant == {"card":"a2a","give":["a0a","m0a"],"take":["m3a","f0c"]}
	.table.open_steps == ["brute","take"]
	.table.sides[0] == {"seat":1,"hand":6,"display":["m0a","m1a","a0a","a2a"],"display_points":4}
	.you.hand == ["f0a","f0c","f1a","m3a","b0a","b3a"]
	.you.points == 21
A GET /events?after=3 -> 200 .events[0].type == "accountant_played" .events[0].seat == 1
	.events[0].data == {"card":"a2a","give":["a0a","m0a"],"take":["m3a","f0c"]}
A POST /turn/brute {"card":"b3a","target":"f2a","by":1} -> 200 .table.played.accountant.card == "a2a"
A POST /turn/take {"card":"f2a","pay":["f0a","f0c"],"keep":"f0c"} -> 200 .table.seat_to_move == 2

story "an accountant with nothing to swap is not offered"
table A B with {"ruleset":"famiglia"}
deal A=a4a,a1a,b1a street=f0c,m0c
A GET "" -> 200 .you.legal_actions[*].action == ["take","take","pass"]
	.table.open_steps == ["accountant","brute","take"]
deal A=a4a,a1a,b1a A.display=b0c street=f0c,m0c
A GET "" -> 200 .you.legal_actions[*].action == ["accountant","accountant","take","take","pass"]
	.you.legal_actions[0].choose.give.most == 1 .you.legal_actions[0].choose.take.most == 1
	.you.legal_actions[1].choose.give.most == 1 .you.legal_actions[1].choose.take.most == 1

# --- refilling ---

story "a street without a zero can be refilled until one comes"
table A B with {"ruleset":"famiglia"}
deal street=f3a,m1a,b2a pile=b1a,a1a,a2a,f1a,f0c,f2a
A GET "" -> 200 .table.open_steps == ["refill","accountant","brute","take"]
	.you.legal_actions[0] == {"action":"refill","method":"POST","href":"/v1/games/$game/turn/refill","body":{"card":"f3a"},"command":{"action":"refill","card":"f3a"},"choose":null}
	.you.legal_actions[*].action == ["refill","refill","refill","pass"]
B GET "" -> 200 .table.open_steps == ["refill","accountant","brute","take"] .you.legal_actions == []
A POST /turn/refill {"card":"f3a"} -> 200
	.version == 4 .table.seat_to_move == 1 .table.turn == 1
	.table.street[*].card == ["m1a","b2a","b1a","a1a","a2a"]
	.table.discard_pile == 1 .table.draw_pile == 46
	.table.played.refills == 1
	.table.open_steps == ["refill","accountant","brute","take"]
A POST /turn/refill {"card":"m1a"} -> 200 .table.street[-1].card == "f1a" .table.played.refills == 2
A POST /turn/refill {"card":"f1a"} -> 200 .table.street[-1].card == "f0c"
	.table.open_steps == ["accountant","brute","take"]
	.table.second_pass == false
A GET /events?after=3 -> 200 .events count 3 .events[*].type == ["refilled","refilled","refilled"]
	.events[0].data == {"card":"f3a","under_pile":false,"revealed":["b1a","a1a","a2a"],"pile_turned":false,"last_turn":null}

# --- refusals, each before those that stand below it ---

story "no step is allowed before the game has begun"
lobby A with {"ruleset":"famiglia","spectators":true}
for $step $body
	| refill     | {"card":"f1a"}
	| accountant | {"card":"a1a","give":["f0a"],"take":["f0b"]}
	| brute      | {"card":"b1a","target":"f1a","by":1}
	| take       | {"card":"f0c"}
	| pass       | {}
	A POST /turn/$step $body -> 409 game_not_started
	nobody POST /v1/games/$game/turn/$step $body -> 401 unauthenticated
	stranger POST /v1/games/$game/turn/$step $body -> 401 invalid_token
end
B POST /v1/invitations/$code/players {"name":"B"} -> 201
deal street=f0c,f1a
for $step $body
	| refill     | {"card":"f4a"}
	| accountant | {"card":"a4a","give":["f0a"],"take":["f0c"]}
	| brute      | {"card":"b4a","target":"f4a","by":4}
	| take       | {"card":"f4a"}
	| pass       | {}
	B POST /turn/$step $body -> 409 not_your_turn
end
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
for $step $body
	| refill     | {"card":"f4a"}
	| accountant | {"card":"a4a","give":["f0a"],"take":["f0c"]}
	| brute      | {"card":"b4a","target":"f4a","by":4}
	| take       | {"card":"f4a"}
	| pass       | {}
	A POST /turn/$step $body -> 409 game_over
	B POST /turn/$step $body -> 409 game_over
end

story "each refusal of a refill has its reason"
table A B with {"ruleset":"famiglia"}
deal A=b1a,a1a A.display=b0c street=f0c,f1a
A POST /turn/refill {"card":"f4a"} -> 409 zero_in_street
A POST /turn/accountant {"card":"a1a","give":["f0a"],"take":["b0c"]}
A POST /turn/refill {"card":"f4a"} -> 409 step_over
deal A=b1a street=f0c,f1a
A POST /turn/brute {"card":"b1a","target":"f1a","by":1}
A POST /turn/refill {"card":"f4a"} -> 409 step_over
deal street=m1a,f1a
A POST /turn/refill {"card":"f4a"} -> 409 not_in_street
deal street=m1a,f1a pass=2 pile=m3a,m2a rest=2.display
A POST /turn/refill {"card":"m1a"} -> 200 .table.draw_pile == 2 .table.open_steps == ["accountant","brute","take"]
A POST /turn/refill {"card":"m1a"} -> 409 refill_used
deal street=m1a,f1a pass=2 pile=m3a rest=2.display
A POST /turn/refill {"card":"f1a"} -> 200 .table.draw_pile == 1
A POST /turn/refill {"card":"f4a"} -> 409 refill_used
deal street=m1a,f1a pass=2 rest=2.display
A GET "" -> 200 .table.draw_pile == 0 .table.open_steps == ["accountant","brute","take"]
A POST /turn/refill {"card":"f4a"} -> 409 pile_empty

story "each refusal of an accountant has its reason"
table A B with {"ruleset":"famiglia"}
deal A=a1a,a2a,b1a,m4a,m1a A.display=f0c,f0d,f0e street=b0c,f1a
for $card $give $take $code
	| a4a | "f0b","f0a" | "a4a","f4a" | not_in_hand
	| m0b | "f0b","f0a" | "m0b","f4a" | not_in_hand
	| m4a | "m4a","f0b" | "m4a","f4a" | wrong_family
	| b1a | "f0b","f0a" | "f4a","b1a" | wrong_family
	| b0a | "f0b","f0a" | "f4a","b1a" | wrong_family
	| a0a | "a0a","f0b" | "f4a","a0a" | no_ability
	| a1a | "f0b","a1a" | "f4a","f0c" | played_card
	| a1a | "f0b","f0a" | "a1a","f0c" | played_card
	| a1a | "f0a","f0b" | "f4a","f0c" | not_in_hand
	| a1a | "f0a","f0c" | "f0c","f0d" | not_in_hand
	| a1a | "f0a","m0a" | "f0c","f4a" | not_in_display
	| a1a | "f0a","m0a" | "b1a","f0c" | not_in_display
	| a1a | "f0a","m0a" | "f0c","f0d" | swap_too_large
	A POST /turn/accountant {"card":"$card","give":[$give],"take":[$take]} -> 409 $code
end
A POST /turn/accountant {"card":"a2a","give":["f0a","m0a","b0a"],"take":["f0c","f0d","f0e"]} -> 409 swap_too_large
A POST /turn/accountant {"card":"a1a","give":["m0a"],"take":["f0c"]} -> 200
A POST /turn/accountant {"card":"a4a","give":["f4a"],"take":["f0b"]} -> 409 already_used
A POST /turn/brute {"card":"b1a","target":"f1a","by":1} -> 200
A POST /turn/accountant {"card":"a4a","give":["f4a"],"take":["f0b"]} -> 409 already_used
deal A=a1a,b1a A.display=f0c street=b0c,f1a
A POST /turn/brute {"card":"b1a","target":"f1a","by":1} -> 200
	.you.legal_actions[*].action == ["take","take","pass"]
A POST /turn/accountant {"card":"a4a","give":["f4a"],"take":["f0b"]} -> 409 step_over

story "each refusal of a brute has its reason"
table A B with {"ruleset":"famiglia"}
deal A=b1a,b2a,b3a,m4a street=f0c,f1a,f2a
for $card $target $by $code
	| b4a | f4a | 4 | not_in_hand
	| b0b | f4a | 4 | not_in_hand
	| m4a | f4a | 4 | wrong_family
	| a0a | f4a | 4 | wrong_family
	| b0a | f4a | 4 | no_ability
	| b1a | f4a | 4 | not_in_street
	| b1a | b2a | 2 | not_in_street
	| b1a | f1a | 2 | brute_too_weak
	| b3a | f2a | 4 | brute_too_weak
	| b2a | f1a | 2 | below_zero
	| b1a | f0c | 1 | below_zero
	A POST /turn/brute {"card":"$card","target":"$target","by":$by} -> 409 $code
end
A POST /turn/brute {"card":"b3a","target":"f2a","by":1} -> 200
A POST /turn/brute {"card":"b4a","target":"f4a","by":4} -> 409 already_used

story "each refusal to take a card has its reason"
table A B with {"ruleset":"famiglia"}
deal A=f1a,f1b,m1a,m2a,m3a,b1a,b2a street=f0c,f2a,m2b,b2b,b3a
for $card $pay $keep $code
	| f4a | "f1a","m0b" | f1a | not_in_street
	| f0c | "f1a","m0b" | f1a | payment_not_needed
	| f2a | "f1a","f1c" | f1a | not_in_hand
	| f2a | "m0b","b2a" | b2a | not_in_hand
	| f2a | "f1a","f0a" | f1a | wrong_pair
	| f2a | "b1a","f1a" | f1a | wrong_pair
	| f2a | "m1a","b1a" | m1a | wrong_pair
	| f2a | "f0a","m0a" | f0a | wrong_pair
	| f2a | "f1a","m1a" | f1a | stand_in_too_low
	| f2a | "m0a","f1a" | f1a | stand_in_too_low
	| f2a | "m1a","m2a" | m2a | stand_in_too_low
	| f2a | "m2a","m3a" | m2a | two_stand_ins
	| m2b | "m2a","m3a" | m2a | two_stand_ins
	| b3a | "b2a","m2a" | b2a | stand_in_too_low
	A POST /turn/take {"card":"$card","pay":[$pay],"keep":"$keep"} -> 409 $code
end
for $card in f2a m2b b2b
	A POST /turn/take {"card":"$card"} -> 409 payment_needed
end
A POST /turn/take {"card":"f4a"} -> 409 not_in_street
A POST /turn/brute {"card":"b2a","target":"f2a","by":2} -> 200
A POST /turn/take {"card":"f2a","pay":["f1a","f1b"],"keep":"f1a"} -> 409 payment_not_needed
A POST /turn/take {"card":"f2a"} -> 200

story "each refusal has a page that explains it"
for $code in not_your_turn step_over zero_in_street refill_used pile_empty not_in_street not_in_hand wrong_family no_ability played_card not_in_display swap_too_large brute_too_weak below_zero payment_not_needed payment_needed wrong_pair stand_in_too_low two_stand_ins
	nobody GET /problems/$code -> 200 header content-type has "text/html" body has "$code"
end

# --- what is wrong in any game ---

story "a wrong body is refused in any state, with all its faults"
lobby A with {"ruleset":"famiglia"}
for $step $body $pointers $codes
	| refill | {} | ["/card"] | ["required"]
	| refill | {"card":7} | ["/card"] | ["wrong_type"]
	| refill | {"card":null} | ["/card"] | ["wrong_type"]
	| refill | {"card":"f5a"} | ["/card"] | ["not_one_of"]
	| refill | {"card":"f4b"} | ["/card"] | ["not_one_of"]
	| refill | {"card":"x0a"} | ["/card"] | ["not_one_of"]
	| refill | {"card":"F0A"} | ["/card"] | ["not_one_of"]
	| refill | {"card":""} | ["/card"] | ["not_one_of"]
	| refill | {"card":"f0a "} | ["/card"] | ["not_one_of"]
	| refill | {"card":"f0a","by":1} | ["/by"] | ["unknown"]
	| refill | {"card":"f9","by":1,"give":[]} | ["/card","/by","/give"] | ["not_one_of","unknown","unknown"]
	| accountant | {} | ["/card","/give","/take"] | ["required","required","required"]
	| accountant | {"card":"a1a","give":"f0a","take":{}} | ["/give","/take"] | ["wrong_type","wrong_type"]
	| accountant | {"card":"a1a","give":[],"take":[]} | ["/give","/take"] | ["too_short","too_short"]
	| accountant | {"card":"a1a","give":["f0a","f0b","f0c","f0d","f0e"],"take":["f1a"]} | ["/give"] | ["too_long"]
	| accountant | {"card":"a1a","give":["f0a",1],"take":[null]} | ["/give/1","/take/0"] | ["wrong_type","wrong_type"]
	| accountant | {"card":"a1a","give":["f0a","f0f"],"take":["m1a","m1e"]} | ["/give/1","/take/1"] | ["not_one_of","not_one_of"]
	| accountant | {"card":"a1a","give":["f0a","f0a"],"take":["m0a","m0a"]} | ["/give/1","/take/1"] | ["not_allowed","not_allowed"]
	| accountant | {"card":"a1a","give":["f0a","f0b"],"take":["m0a"]} | ["/take"] | ["not_allowed"]
	| accountant | {"card":"a1","give":["f0a","f0a"],"take":["m0a"],"keep":"f0a"} | ["/card","/give/1","/take","/keep"] | ["not_one_of","not_allowed","not_allowed","unknown"]
	| brute | {} | ["/card","/target","/by"] | ["required","required","required"]
	| brute | {"card":"b1a","target":"f1a","by":0} | ["/by"] | ["out_of_range"]
	| brute | {"card":"b1a","target":"f1a","by":5} | ["/by"] | ["out_of_range"]
	| brute | {"card":"b1a","target":"f1a","by":"1"} | ["/by"] | ["wrong_type"]
	| brute | {"card":"b1a","target":"f1a","by":1.5} | ["/by"] | ["wrong_type"]
	| brute | {"card":["b1a"],"target":"f1","by":-1,"pay":1} | ["/card","/target","/by","/pay"] | ["wrong_type","not_one_of","out_of_range","unknown"]
	| take | {} | ["/card"] | ["required"]
	| take | {"card":"f1a","pay":["f0a","f0b"]} | ["/keep"] | ["required"]
	| take | {"card":"f1a","keep":"f0a"} | ["/pay"] | ["required"]
	| take | {"card":"f1a","pay":["f0a"],"keep":"f0a"} | ["/pay"] | ["too_short"]
	| take | {"card":"f1a","pay":["f0a","f0b","f0c"],"keep":"f0a"} | ["/pay"] | ["too_long"]
	| take | {"card":"f1a","pay":["f0a","f0a"],"keep":"f0a"} | ["/pay/1"] | ["not_allowed"]
	| take | {"card":"f1a","pay":["f0a","f0b"],"keep":"f0c"} | ["/keep"] | ["not_one_of"]
	| take | {"card":"f1a","pay":["f0a","f0z"],"keep":"f0z"} | ["/pay/1","/keep"] | ["not_one_of","not_one_of"]
	| take | {"card":"f1a","pay":null,"keep":null} | ["/pay","/keep"] | ["wrong_type","wrong_type"]
	| take | {"card":"?","pay":["f0a","f0b"],"keep":"f0c","target":"f1a"} | ["/card","/keep","/target"] | ["not_one_of","not_one_of","unknown"]
	| pass | {"card":"f0a"} | ["/card"] | ["unknown"]
	| pass | [] | [""] | ["wrong_type"]
	A POST /turn/$step $body -> 422 invalid
		.errors[*].pointer == $pointers .errors[*].code == $codes
end
B POST /v1/invitations/$code/players {"name":"B"} -> 201
A POST /turn/take {"card":"f1a","pay":["f0a","f0b"]} -> 422 invalid
B POST /turn/take {"card":"f1a","pay":["f0a","f0b"]} -> 422 invalid
A POST /turn/take body "{\"card\":\"f1a\"" -> 400 malformed
A POST /turn/take body "card=f1a" with Content-Type: application/x-www-form-urlencoded -> 415 unsupported_media_type
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
A POST /turn/brute {"card":"b1a","target":"f1a","by":0} -> 422 invalid
