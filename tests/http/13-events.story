# GET /v1/games/{game_id}/events: what happened, as this reader may see it.

story "the log of a lobby shows who joined"
A POST /v1/games {"name":"Ada"}         -> 201
A GET /events                           -> 200
	.events count 1
	.events[0].version == 1
	.events[0].type == "player_joined"
	.events[0].seat == 1
	.events[0].data == {"name":"Ada","avatar":null,"bot":null}
	.events[0].at matches "^20.*Z$"

story "the log shows the start and the first chips"
table A B C
A POST /chips/white/2/take              -> 200
B POST /chips/white/2/take              -> 200
B POST /chips/white/2/return            -> 200
A GET /events                           -> 200
	.events[*].type == ["player_joined","player_joined","player_joined","game_started","heist_started","cards_dealt","round_started","chip_taken","chip_taken","chip_returned"]
	.events[*].version == [1,2,3,4,5,6,7,8,9,10]
	.events[3].data == {"players":3}
	.events[4].data == {"number":1,"challenges":[],"specialist":null}
	.events[6].data == {"round":1,"color":"white","community_cards":[]}
	.events[7].seat == 1
	.events[7].data == {"color":"white","stars":2,"from":"center"}
	.events[8].seat == 2
	.events[8].data == {"color":"white","stars":2,"from":1}
	.events[9].data == {"color":"white","stars":2}

story "each reader's log has the cards dealt to that reader only"
table A B C
A GET ""                                -> 200 keep cards = .you.pocket_cards
A GET /events                           -> 200 .events[type=cards_dealt].data == {"count":2,"pocket_cards":$cards}
B GET /events                           -> 200 .events[type=cards_dealt].data.pocket_cards != $cards

story "the log shows a whole heist"
table A B C
heist right
A GET ""                                -> 200 keep reveals = .heist.showdown.reveals[*].pocket_cards keep version = .version
A GET /events                           -> 200 .events[-1].version == $version
	.events[-1].type == "heist_ended"
	.events[-1].data == {"outcome":"succeeded","vaults":1,"alarms":0}
	.events[-4].type == "hand_revealed"
	.events[-2].data.stars == 3
	.events[-2].data.in_order == true
	.events[-2].data.best_five count 5
	.events[type=round_ended].data == {"round":1}
B GET /events?after=0                   -> 200 .events[-1].version == $version

story "the log is read page by page"
table A B C
A GET /events?limit=3                   -> 200 .events[*].version == [1,2,3]
	header link == "</v1/games/$game/events?after=3&limit=3>; rel=\"next\""
A GET /events?after=3&limit=3           -> 200 .events[*].version == [4,5,6]
A GET /events?after=5&limit=500         -> 200 .events[*].version == [6,7] header link absent
A GET /events?after=7                   -> 200 .events == []
A GET /events?after=100000              -> 200 .events == []

story "an invalid number in the query is refused with its range"
table A B C
for $query $code
	| after=abc    | wrong_type
	| after=       | wrong_type
	| after=1.5    | wrong_type
	| after=-x     | wrong_type
	| after=-1     | out_of_range
	| after=99999999999999999999 | out_of_range
	| limit=0      | out_of_range
	A GET /events?$query            -> 422 invalid .errors[*].code == ["$code"] .errors[0].detail has "a whole number from"
end
A GET /events?page=2                    -> 422 invalid .errors[0].detail has "after lastEventId limit ticket"
A GET /hand?page=2                      -> 422 invalid .errors[0].detail has "no query parameters"

story "a wrong query of the log is refused"
table A B C
for $query $parameter
	| after=-1               | after
	| after=                 | after
	| after=x                | after
	| after=1.5              | after
	| after=99999999999999999999 | after
	| limit=0                | limit
	| limit=501              | limit
	| limit=%31%30x          | limit
	| before=1               | before
	| After=1                | After
	A GET /events?$query            -> 422 invalid .errors count 1 .errors[0].parameter == "$parameter"
end
A GET /events?after=1&after=2           -> 422 invalid
A GET /events?after=x&limit=x&y=z       -> 422 invalid .errors count 3
A GET /events?%61fter=6                 -> 200 .events count 1
A GET /events?after=%ff                 -> 400 malformed
A GET /events?after=%zz                 -> 400 malformed
