# A stream of Famiglia has the same events for both players and a spectator.

story "each reader of a stream hears each step at once"
table A B with {"ruleset":"famiglia","spectators":true}
deal A=b1a,a1a A.display=f0c street=f1a,m1a,b2a pile=m2a
A streams /events?after=3
B streams /events?after=3
S streams /v1/games/$game/events?after=3
A POST /turn/refill {"card":"m1a"}
A POST /turn/accountant {"card":"a1a","give":["a0a"],"take":["f0c"]}
A POST /turn/brute {"card":"b1a","target":"f1a","by":1}
A POST /turn/take {"card":"f1a"}
B POST /turn/pass
for $who in A B S
	$who hears 5 .events[*].type == ["refilled","accountant_played","brute_played","card_taken","passed"]
		.events[*].seat == [1,1,1,1,2]
		.events[0].data.revealed == ["m2a"]
		.events[2].data == {"card":"b1a","target":"f1a","by":1,"effective_rank":0}
		.events[3].data.effective_rank == 0
	$who hears nothing
end
A POST /turn/pass -> 200 .status == "over" keep result = .table.result
for $who in A B S
	$who hears {"version":9,"type":"passed","seat":1}
		.events[-1].data.result == $result
end

story "a stream of the old game hears of the rematch"
table A B with {"ruleset":"famiglia"}
A POST /turn/pass
B POST /turn/pass -> 200 keep old = .id
B streams /v1/games/$old/events?after=5
A POST /rematch -> 201
B hears {"version":6,"type":"rematch_created","seat":1}

story "each viewer's stream has that viewer's view after each step"
table A B with {"ruleset":"famiglia","spectators":true}
nobody GET /v1/games/$game              -> 200 keep view = body
S streams /v1/games/$game/events?views=true
S sees body == "$view" .you == null
B GET ""                                -> 200 keep view = body
B streams /events?views=true
B sees body == "$view"
A POST /actions {"action":"pass"}       -> 200
B hears {"type":"passed","seat":1}
B GET ""                                -> 200 keep view = body
B sees body == "$view" .table.seat_to_move == 2
B hears nothing
nobody GET /v1/games/$game              -> 200 keep view = body
S hears {"type":"passed"}
S sees body == "$view"
