# POST /v1/games/{game_id}/actions: every move by one URL.

story "a chip is taken and returned as by its own routes"
table A B C
A GET ""                                -> 200 keep version = .version
A POST /actions {"action":"take_chip","color":"white","stars":2,"from":"center"} -> 200
	header content-location == "/v1/games/$game"
	header etag exists
	.heist.chips[stars=2].seat == 1
	.you.seat == 1
B POST /actions {"action":"take_chip","color":"white","stars":2,"from":"center"} -> 409 chip_moved
	.instance == "/v1/games/$game/actions"
	.now.color == "white"
B POST /actions {"action":"take_chip","color":"white","stars":2} -> 200 .heist.chips[stars=2].seat == 2
B POST /actions {"action":"take_chip","color":"white","stars":2} -> 409 chip_already_held
A POST /actions {"action":"return_chip","color":"white","stars":2} -> 409 chip_not_held
B POST /actions {"action":"return_chip","color":"white","stars":2} -> 200 .heist.chips[*].seat == [null,null,null]
A GET /events?after=$version                   -> 200
	.events[*].type == ["chip_taken","chip_taken","chip_returned"]

story "a game from its start to the rematch"
lobby A B C
B POST /actions {"action":"take_chip","color":"white","stars":1} -> 409 game_not_started
B POST /actions {"action":"start"}      -> 403 not_host
B POST /actions {"action":"rematch"}    -> 409 game_not_started
A POST /actions {"action":"start"}      -> 200 .status == "playing"
A POST /actions {"action":"next_heist"} -> 409 showdown_not_reached
heist right
C POST /actions {"action":"next_heist"} -> 201
	header location exists
	.heist.number == 2
heist right
heist right
A POST /actions {"action":"take_chip","color":"white","stars":1} -> 409 game_over
A POST /actions {"action":"rematch","mode":"advanced"} -> 201
	header location exists
	.mode == "advanced"
	.status == "playing"

story "a specialist is proposed and agreed to, and a card chosen"
table A B C with {"mode":"advanced"}
heist wrong
next specialist informant
A POST /actions {"action":"next_heist"} -> 201 .location absent
A GET ""                                -> 200 keep cards = .you.pocket_cards keep card = .you.pocket_cards[0]
A POST /actions {"action":"choose","looked":true} -> 409 no_choice_due
C POST /actions {"action":"propose","seat":1,"target_seat":2} -> 200
	.heist.specialist.proposal.agreed == [3]
for $who in A B
	$who POST /actions {"action":"vote","agree":true} -> 200
end
A POST /actions {"action":"choose","card":"$card"} -> 200 .heist.specialist.state == "used"
B GET ""                                -> 200 .you.shown_cards[0].card == "$card"

story "a question is answered"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /actions {"action":"next_heist"} -> 201
round white A1 B2 C3
round yellow A1 B2 C3
round orange A1 B2 C3
round red A1 B2 C3
C POST /actions {"action":"answer","question":"retina_scan","value":"A"} -> 403 not_yours_to_answer
A POST /actions {"action":"answer","question":"retina_scan","value":"K"} -> 200
	.heist.showdown.questions[0].answers == [{"seat":1,"value":"K"}]

story "Famiglia, with its own actions"
table A B with {"ruleset":"famiglia"}
A GET ""                                -> 200 .table.seat_to_move == 1
A POST /actions {"action":"pass"}       -> 200 .table.seat_to_move == 2
A POST /actions {"action":"pass"}       -> 409 not_your_turn
for $name in refill accountant brute take
	B POST /actions {"action":"$name"} -> 422 .errors[*].pointer has "/card"
end
B POST /actions {"action":"take_chip","color":"white","stars":1} -> 404 no_such_route .detail has "other rules"

story "an action of Famiglia in a game of The Gang"
table A B C
A POST /actions {"action":"pass"}       -> 404 no_such_route .detail has "other rules"

story "bodies that are no action"
table A B C
A GET ""                                -> 200 keep version = .version
for $body $pointer $code
	| {}                                                          | /action | required
	| {"action":null}                                             | /action | wrong_type
	| {"action":1}                                                | /action | wrong_type
	| {"action":"steal","color":"white","stars":2}                | /action | not_one_of
	| {"action":"take_chip","stars":2}                            | /color  | required
	| {"action":"take_chip","color":"white"}                      | /stars  | required
	| {"action":"take_chip","color":"blue","stars":2}             | /color  | not_one_of
	| {"action":"take_chip","color":"white","stars":0}            | /stars  | out_of_range
	| {"action":"take_chip","color":"white","stars":7}            | /stars  | out_of_range
	| {"action":"take_chip","color":"white","stars":"2"}          | /stars  | wrong_type
	| {"action":"take_chip","color":"white","stars":2,"from":"B"} | /from   | not_one_of
	| {"action":"return_chip","color":"white","stars":2,"from":1} | /from   | unknown
	| {"action":"start","seats":3}                                | /seats  | unknown
	| {"action":"vote"}                                           | /agree  | required
	| {"action":"propose"}                                        | /seat   | required
	| {"action":"choose"}                                         | /card   | required
	| {"action":"answer","question":"which","value":"A"}            | /question | not_one_of
	A POST /actions $body           -> 422 invalid
		.errors count 1
		.errors[0].pointer == "$pointer"
		.errors[0].code == "$code"
end
A POST /actions                         -> 422 .errors[*].pointer == ["/action"]
A POST /actions body "{"                -> 400 malformed
A POST /actions []                      -> 422 .errors[0].pointer == ""
A POST /actions {"action":"take_chip","color":"white","stars":4} -> 404 no_such_chip
A GET ""                                -> 200 .version == $version

story "conditions and keys hold as for other moves"
table A B C
A GET ""                                -> 200 keep etag = header etag
A POST /actions {"action":"take_chip","color":"white","stars":1} with Idempotency-Key: one-key-of-twenty-letters -> 200
	keep version = .version
A POST /actions {"action":"take_chip","color":"white","stars":1} with Idempotency-Key: one-key-of-twenty-letters -> 200
	.version == $version
A POST /actions {"action":"take_chip","color":"white","stars":3} with Idempotency-Key: one-key-of-twenty-letters -> 422 idempotency_key_reused
A POST /chips/white/1/take with Idempotency-Key: one-key-of-twenty-letters -> 422 idempotency_key_reused
B POST /actions {"action":"take_chip","color":"white","stars":2} with If-Match: $etag -> 412 version_mismatch
nobody POST /v1/games/$game/actions {"action":"start"} -> 401 unauthenticated
stranger POST /v1/games/$game/actions {"action":"start"} -> 401 invalid_token
