# The ten challenges, by their numbers.  "next" and "deal" bring the cards
# into play that a story needs.

story "a challenge follows a success, for one heist"
table A B C with {"mode":"advanced"}
A GET ""                                -> 200 .mode == "advanced" .heist.challenges == []
	.stacks == {"challenges":{"unseen":10},"specialists":{"unseen":10}}
heist right
B POST /heists                          -> 201
	.heist.challenges == [{"number":1,"code":"quick_access","permanent":false}]
	.heist.specialist == null
	.stacks == {"challenges":{"unseen":9},"specialists":{"unseen":10}}
C GET /events                           -> 200
	.events[-3].type == "heist_started"
	.events[-3].data == {"number":2,"challenges":[{"number":1,"code":"quick_access","permanent":false}],"specialist":null}
heist right
A GET /heists/1                         -> 200 .challenges == []
A GET /heists/2                         -> 200 .challenges == [{"number":1,"code":"quick_access","permanent":false}]
A POST /heists                          -> 201
	.heist.challenges == [{"number":2,"code":"noise_sensors","permanent":false}]
	.stacks == {"challenges":{"unseen":8},"specialists":{"unseen":10}}

# --- 1

story "Quick Access: no white chips, the flop is there at once"
table A B C with {"mode":"advanced"}
heist right
next challenge quick_access
A POST /heists                          -> 201
	.heist.round == 2
	.heist.color == "yellow"
	.heist.community_cards count 3
	.heist.chips[*].color == ["yellow","yellow","yellow"]
	.you.pocket_cards count 2
	.you.legal_actions count 3
	keep flop = .heist.community_cards
A GET /events                           -> 200
	.events[-1].type == "round_started"
	.events[-1].data == {"round":2,"color":"yellow","community_cards":$flop}
A POST /chips/white/1/take              -> 409 round_over
A POST /chips/white/1/return            -> 409 round_over
A POST /chips/orange/1/take             -> 409 not_allowed_now
round yellow A1 B2 C3
A GET ""                                -> 200 .heist.round == 3 .heist.community_cards count 4
heist right
A GET ""                                -> 200 .vaults.gold == 2

# --- 2

story "Noise Sensors: a taken 1-star chip stays for the round"
table A B C with {"mode":"advanced"}
heist right
next challenge noise_sensors
A POST /heists                          -> 201
for $color in white yellow orange
	A GET ""                        -> 200
		.heist.chips[color=$color,stars=1] == {"color":"$color","stars":1,"seat":null,"locked":false,"dark":true}
		.heist.chips[color=$color,stars=2].dark == false
	A POST /chips/$color/1/take     -> 200
		.heist.chips[color=$color,stars=1] == {"color":"$color","stars":1,"seat":1,"locked":true,"dark":true}
		.you.legal_actions == []
	B POST /chips/$color/1/take     -> 409 chip_locked
	B POST /chips/$color/1/take {"from":1} -> 409 chip_locked
	B POST /chips/$color/1/take {"from":"center"} -> 409 chip_moved
	A POST /chips/$color/1/take     -> 409 chip_already_held
	A POST /chips/$color/1/return   -> 409 chip_locked
	A POST /chips/$color/2/take     -> 409 chip_locked
	# the others are as always
	B POST /chips/$color/2/take     -> 200 .heist.chips[color=$color,stars=2].locked == false
	C POST /chips/$color/2/take     -> 200
	B POST /chips/$color/3/take     -> 200
end
A POST /chips/red/1/take                -> 200 .heist.chips[color=red,stars=1].locked == false
B POST /chips/red/1/take                -> 200
A POST /chips/red/3/take                -> 200
A POST /chips/red/3/return              -> 200

story "Noise Sensors: nobody has to take it from the centre"
table A B C with {"mode":"advanced"}
heist right
next challenge noise_sensors
A POST /heists                          -> 201 .heist.chips[stars=1].locked == false
A POST /chips/white/2/take              -> 200
A POST /chips/white/1/take              -> 200 .heist.chips[*].seat == [1,null,null]

# --- 3

story "Motion Detector: with a face card in the flop, the lowest white chip draws anew"
table A B C with {"mode":"advanced","spectators":true}
heist right
next challenge motion_detector
A POST /heists                          -> 201 keep before = .version
deal A=2c7d B=3h3s C=9d9c board=JhTs4cAhAdKs5d
round white B2 C3 A1
A GET ""                                -> 200
	.heist.community_cards == ["Jh","Ts","4c"]
	.you.pocket_cards == ["Ah","Ad"]
	.you.former_pocket_cards == []
B GET ""                                -> 200 .you.pocket_cards == ["3h","3s"]
C GET ""                                -> 200 .you.pocket_cards == ["9d","9c"]
A GET /events                           -> 200
	.events[-2].type == "round_started"
	.events[-1].type == "cards_redrawn"
	.events[-1].seat == 1
	.events[-1].data == {"challenge":"motion_detector","count":2,"pocket_cards":["Ah","Ad"]}
# others see that cards were redrawn, but neither the old nor the new ones
for $path in "" /events?after=$before
	B GET "$path"                   -> 200 body lacks "\"2c\"" body lacks "\"Ah\""
	nobody GET /v1/games/$game$path -> 200 body lacks "\"2c\"" body lacks "\"Ah\""
end
B GET /events                           -> 200 .events[-1].data == {"challenge":"motion_detector","count":2}
round yellow A1 B2 C3
A GET ""                                -> 200 .heist.community_cards[3] == "Ks"

story "Motion Detector: nothing happens without J, Q or K in the flop"
table A B C with {"mode":"advanced"}
heist right
next challenge motion_detector
A POST /heists                          -> 201
# an ace is no face card, and the turn is too late
deal A=2c7d board=AhTs4cKdQd
round white A1 B2 C3
round yellow A1 B2 C3
A GET ""                                -> 200 .you.pocket_cards == ["2c","7d"] .heist.community_cards == ["Ah","Ts","4c","Kd"]
A GET /events                           -> 200 .events[*].type lacks "cards_redrawn"

# --- 4

story "Retina Scan: the others agree on a value among the last hand's pocket cards"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
deal A=2c7d B=KhKd C=AcAs board=3h5h9sTdQc
for $color in white yellow orange
	round $color A1 B2 C3
end
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 showdown_not_reached
round red A1 B2 C3
A GET ""                                -> 200
	.heist.phase == "answering"
	.heist.waiting_for == [1,2]
	.heist.showdown.reveals[*].seat == [1,2]
	.heist.showdown.questions == [{"code":"retina_scan","about_seat":3,"answers":[],"agreed":null,"right":null}]
	.heist.showdown.outcome == null
	.you.legal_actions == [{"action":"answer","method":"POST","href":"/v1/games/$game/showdown/answers","body":{"question":"retina_scan"},"command":{"action":"answer","question":"retina_scan"},"choose":{"value":{"form":"one_of","options":["2","3","4","5","6","7","8","9","T","J","Q","K","A"]}}}]
A GET /players/2/hand                   -> 200 .pocket_cards == ["Kh","Kd"]
A GET /players/3/hand                   -> 403 not_your_hand
A GET /showdown                         -> 200 .heist == 2 .outcome == null .reveals count 2
# the holder takes no part
C GET ""                                -> 200 .you.legal_actions == []
C POST /showdown/answers {"question":"retina_scan","value":"A"} -> 403 not_yours_to_answer
# every other move is refused
A POST /chips/red/3/take                -> 409 round_over
A POST /heists                          -> 409 showdown_not_reached
A POST /showdown/answers {"question":"fingerprint_scan","value":"pair"} -> 409 not_allowed_now
# an answer may be changed, and all see it
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 200
	.heist.showdown.questions[0].answers == [{"seat":1,"value":"K"}]
	.heist.waiting_for == [2]
	.you.legal_actions[0].choose.value.options lacks "K"
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 not_allowed_now
B POST /showdown/answers {"question":"retina_scan","value":"A"} -> 200
	.heist.showdown.questions[0].answers == [{"seat":1,"value":"K"},{"seat":2,"value":"A"}]
	.heist.showdown.questions[0].agreed == null
	.heist.waiting_for == [1,2]
A POST /showdown/answers {"question":"retina_scan","value":"A"} -> 200
	.heist.phase == "over"
	.heist.showdown.reveals[*].seat == [1,2,3]
	.heist.showdown.questions == [{"code":"retina_scan","about_seat":3,"answers":[{"seat":1,"value":"A"},{"seat":2,"value":"A"}],"agreed":"A","right":true}]
	.heist.showdown.outcome == "succeeded"
	.vaults.gold == 2
	keep showdown = .heist.showdown
A POST /showdown/answers {"question":"retina_scan","value":"A"} -> 409 heist_over
A GET /heists/2                         -> 200 .showdown == $showdown
C GET /events                           -> 200
	.events[-1].type == "heist_ended"
	.events[-2].data == {"question":"retina_scan","right":true}
	.events[-2].type == "question_judged"
	.events[-3].type == "hand_revealed"
	.events[-4].type == "question_settled"
	.events[-4].data == {"question":"retina_scan","value":"A"}
	.events[-5].type == "answer_given"
	.events[-5].seat == 1
	.events[-5].data == {"question":"retina_scan","value":"A"}

story "Retina Scan: a value that is not there fails, even in the right order"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
deal A=2c7d B=KhKd C=AcQs board=3h5h9sTdAh
for $color in white yellow orange red
	round $color A1 B2 C3
end
# a T lies on the board, but is not in C's pocket
A POST /showdown/answers {"question":"retina_scan","value":"T"} -> 200
B POST /showdown/answers {"question":"retina_scan","value":"T"} -> 200
	.heist.showdown.reveals[*].in_order == [true,true,true]
	.heist.showdown.questions[0].right == false
	.heist.showdown.outcome == "failed"
	.alarms.red == 1

story "Retina Scan: it is asked even if the order is wrong already"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
deal A=2c7d B=KhKd C=AcAs board=3h5h9sTdQc
for $color in white yellow orange red
	round $color A2 B1 C3
end
A POST /showdown/answers {"question":"retina_scan","value":"A"} -> 200
B POST /showdown/answers {"question":"retina_scan","value":"A"} -> 200
	.heist.showdown.reveals[*].in_order == [true,false,true]
	.heist.showdown.questions[0].right == true
	.heist.showdown.outcome == "failed"

story "an invalid answer is refused"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
for $color in white yellow orange red
	round $color A1 B2 C3
end
for $body $pointer $fault
	| {}                                                 | /question | required
	| {"question":"retina_scan"}                         | /value    | required
	| {"question":"retina_scan","value":"10"}            | /value    | not_one_of
	| {"question":"retina_scan","value":"pair"}          | /value    | not_one_of
	| {"question":"retina_scan","value":10}              | /value    | wrong_type
	| {"question":"blackout","value":"K"}                | /question | not_one_of
	| {"question":"retina_scan","value":"K","seat":1}    | /seat     | unknown
	A POST /showdown/answers $body  -> 422 invalid .errors has {"pointer":"$pointer","code":"$fault"}
end

# --- 5

story "Hasty Getaway: no orange chips, the last two cards come together"
table A B C with {"mode":"advanced"}
heist right
next challenge hasty_getaway
A POST /heists                          -> 201
round white A1 B2 C3
A POST /chips/orange/1/take             -> 409 round_over
round yellow A1 B2 C3
A GET ""                                -> 200
	.heist.round == 4
	.heist.color == "red"
	.heist.community_cards count 5
	.heist.chips[*].color == ["white","white","white","yellow","yellow","yellow","red","red","red"]
A GET /events                           -> 200
	.events[-1].type == "round_started"
	.events[-1].data.round == 4
	.events[-1].data.community_cards count 2
A POST /chips/orange/1/take             -> 409 round_over
heist right
A GET ""                                -> 200 .vaults.gold == 2

# --- 6

story "Ventilation Shaft: a taken chip with the most stars stays for the round"
table A B C D with {"mode":"advanced"}
heist right
next challenge ventilation_shaft
A POST /heists                          -> 201
for $color in white yellow orange
	A POST /chips/$color/4/take     -> 200 .heist.chips[color=$color,stars=4].locked == true
	B POST /chips/$color/4/take     -> 409 chip_locked
	A POST /chips/$color/4/return   -> 409 chip_locked
	A POST /chips/$color/1/take     -> 409 chip_locked
	B POST /chips/$color/3/take     -> 200 .heist.chips[color=$color,stars=3].locked == false
	C POST /chips/$color/3/take     -> 200
	B POST /chips/$color/1/take     -> 200
	D POST /chips/$color/1/take     -> 200
	B POST /chips/$color/2/take     -> 200
end
A POST /chips/red/4/take                -> 200
B POST /chips/red/4/take                -> 200

# --- 7

story "Laser Tripwires: without a face card in the flop, the highest white chip draws anew"
table A B C with {"mode":"advanced"}
heist right
next challenge laser_tripwires
A POST /heists                          -> 201
deal A=2c7d B=3h3s C=9d9c board=AhTs4cKdKhQs5d
round white A1 B2 C3
C GET ""                                -> 200
	.heist.community_cards == ["Ah","Ts","4c"]
	.you.pocket_cards == ["Kd","Kh"]
A GET ""                                -> 200 .you.pocket_cards == ["2c","7d"]
A GET /events                           -> 200
	.events[-1].type == "cards_redrawn"
	.events[-1].seat == 3
	.events[-1].data == {"challenge":"laser_tripwires","count":2}

story "Laser Tripwires: nothing happens with J, Q or K in the flop"
table A B C with {"mode":"advanced"}
heist right
next challenge laser_tripwires
A POST /heists                          -> 201
deal C=9d9c board=AhTsJc
round white A1 B2 C3
C GET ""                                -> 200 .you.pocket_cards == ["9d","9c"]
C GET /events                           -> 200 .events[*].type lacks "cards_redrawn"

# --- 8

story "Blackout: the chips of a round are gone when the next one begins"
table A B C with {"mode":"advanced","spectators":true}
heist right
next challenge blackout
A POST /heists                          -> 201 keep before = .version
A POST /chips/white/3/take              -> 200
A POST /chips/white/3/return            -> 200
round white A1 B2 C3
A GET ""                                -> 200 .heist.chips[*].color == ["yellow","yellow","yellow"]
	.heist.round == 2
nobody GET /v1/games/$game              -> 200 .heist.chips[*].color == ["yellow","yellow","yellow"]
# the log hides everything but the version
for $who in A B
	$who GET /events?after=$before  -> 200
		.events[*].type == ["hidden","hidden","hidden","hidden","hidden","round_ended","round_started"]
		.events[*].seat == [null,null,null,null,null,null,null]
		.events[0].at == null
		.events[0].data == {}
		keep log = .events
end
nobody GET /v1/games/$game/events?after=$before -> 200 .events == $log
# the chips of the present round can be seen
A POST /chips/yellow/1/take             -> 200 .heist.chips[*].seat == [1,null,null]
A GET /events                           -> 200 .events[-1].type == "chip_taken" .events[-1].data.color == "yellow"
round yellow A2 B3 C1
A GET ""                                -> 200 .heist.chips[*].color == ["orange","orange","orange"]
round orange A1 B2 C3
heist right
# the log shows all of it when the heist is over
A GET ""                                -> 200 .heist.chips[*].color == ["red","red","red"]
A GET /events?after=$before             -> 200
	.events[*].type lacks "hidden"
	.events[0].type == "chip_taken"
	.events[0].seat == 1
	.events[0].data == {"color":"white","stars":3,"from":"center"}
A POST /heists                          -> 201
A GET /events?after=$before             -> 200 .events[*].type lacks "hidden"

# --- 9

story "Fingerprint Scan: the others agree on the ranking of the last hand"
table A B C with {"mode":"advanced"}
heist right
next challenge fingerprint_scan
A POST /heists                          -> 201
deal A=2c7d B=KhKd C=AhQh board=JhTh3c4s9d
for $color in white yellow orange
	round $color A1 B2 C3
end
round red A1 B2 C3
A GET ""                                -> 200
	.heist.phase == "answering"
	.heist.showdown.questions == [{"code":"fingerprint_scan","about_seat":3,"answers":[],"agreed":null,"right":null}]
	.you.legal_actions[0].body == {"question":"fingerprint_scan"}
	.you.legal_actions[0].choose == {"value":{"form":"one_of","options":["high_card","pair","two_pair","three_of_a_kind","straight","flush","full_house","four_of_a_kind","straight_flush","royal_flush"]}}
A POST /showdown/answers {"question":"fingerprint_scan","value":"A"} -> 422 invalid .errors[0].pointer == "/value"
A POST /showdown/answers {"question":"fingerprint_scan","value":"high_card"} -> 200
B POST /showdown/answers {"question":"fingerprint_scan","value":"high_card"} -> 200
	.heist.showdown.questions[0].right == true
	# a pair stands before it
	.heist.showdown.reveals[*].in_order == [true,true,false]
	.heist.showdown.outcome == "failed"

story "Fingerprint Scan: a royal flush is no straight flush"
for $value $right $result
	| royal_flush    | true  | succeeded
	| straight_flush | false | failed
	table A B C with {"mode":"advanced"}
	heist right
	next challenge fingerprint_scan
	A POST /heists                  -> 201
	deal A=2c7d B=KhKd C=AsQs board=KsJsTs3c4d
	for $color in white yellow orange red
		round $color A1 B2 C3
	end
	for $who in A B
		$who POST /showdown/answers {"question":"fingerprint_scan","value":"$value"} -> 200
	end
	A GET ""                        -> 200
		.heist.showdown.reveals[2].ranking == "royal_flush"
		.heist.showdown.questions[0].right == $right
		.heist.showdown.outcome == "$result"
end

# --- 10

story "Security Cameras: three pocket cards, and the best five of eight"
table A B C with {"mode":"advanced"}
heist right
next challenge security_cameras
A POST /heists                          -> 201 .you.pocket_cards count 3 .you.best_five count 3
deal A=AhAdAs B=7d8d9d C=2c3c8h board=Ac6hTdKsJc
A GET /events                           -> 200 .events[type=cards_dealt].data.count == 2
	.events[-2].type == "cards_dealt"
	.events[-2].data == {"count":3,"pocket_cards":["Ah","Ad","As"]}
for $color in white yellow orange
	round $color A3 B2 C1
end
A GET /hand                             -> 200 .ranking == "four_of_a_kind" .best_five count 5
B GET /hand                             -> 200 .ranking == "straight" .best_five == ["Jc","Td","9d","8d","7d"]
round red A3 B2 C1
A GET ""                                -> 200 .heist.showdown.outcome == "succeeded"
	.heist.showdown.reveals[0].pocket_cards count 3

# --- several at once, as professionals and master thieves have them

story "both scans: both are asked at once, and both must be right"
for $value $ranking $result
	| A | pair      | succeeded
	| K | pair      | failed
	| A | high_card | failed
	table A B C with {"mode":"professional"}
	active retina_scan
	heist right
	next challenge fingerprint_scan
	A POST /heists                  -> 201
		.heist.challenges == [{"number":4,"code":"retina_scan","permanent":true},{"number":9,"code":"fingerprint_scan","permanent":false}]
	deal A=2c7d B=KhKd C=AcAs board=3h5h9sTdQc
	for $color in white yellow orange red
		round $color A1 B2 C3
	end
	B GET ""                        -> 200 .heist.phase == "answering"
		.heist.showdown.questions[*].code == ["retina_scan","fingerprint_scan"]
		.you.legal_actions[*].body.question == ["retina_scan","fingerprint_scan"]
	A POST /showdown/answers {"question":"fingerprint_scan","value":"$ranking"} -> 200
		.heist.waiting_for == [1,2]
	B POST /showdown/answers {"question":"fingerprint_scan","value":"$ranking"} -> 200
		.heist.phase == "answering"
		.heist.showdown.questions[1].agreed == "$ranking"
		.heist.showdown.questions[1].right == null
		.you.legal_actions[*].body.question == ["retina_scan"]
	A POST /showdown/answers {"question":"fingerprint_scan","value":"flush"} -> 409 not_allowed_now
	A POST /showdown/answers {"question":"retina_scan","value":"$value"} -> 200
	B POST /showdown/answers {"question":"retina_scan","value":"$value"} -> 200
		.heist.showdown.outcome == "$result"
end

story "Noise Sensors and Ventilation Shaft: only the chips between move"
table A B C with {"mode":"master_thief"}
active noise_sensors ventilation_shaft
A GET ""                                -> 200
	.heist.challenges == [{"number":2,"code":"noise_sensors","permanent":false},{"number":6,"code":"ventilation_shaft","permanent":false}]
A POST /chips/white/1/take              -> 200
B POST /chips/white/3/take              -> 200 .you.legal_actions == []
B POST /chips/white/1/take              -> 409 chip_locked
A POST /chips/white/3/take              -> 409 chip_locked
C POST /chips/white/2/take              -> 200 .heist.round == 2

story "Motion Detector and Laser Tripwires look at the white chips before a Blackout"
for $challenge $flop $seat
	| motion_detector | JhTs4c | 1
	| laser_tripwires | 9hTs4c | 3
	table A B C with {"mode":"master_thief"}
	active $challenge blackout
	deal A=2c7d B=3h3s C=9d9c board=$flop
	round white A1 B2 C3
	B GET ""                        -> 200 .heist.chips[*].color lacks "white"
	B GET /events                   -> 200
		.events[-1].type == "cards_redrawn"
		.events[-1].seat == $seat
end

story "with Security Cameras all three pocket cards are drawn anew"
table A B C with {"mode":"master_thief"}
active motion_detector security_cameras
deal A=2c7d8h board=JhTs4cAhAdKs
round white A1 B2 C3
A GET ""                                -> 200 .you.pocket_cards == ["Ah","Ad","Ks"]
B GET /events                           -> 200 .events[-1].data == {"challenge":"motion_detector","count":3}

story "Hasty Getaway and Blackout: only the present round's chips are there"
table A B C with {"mode":"master_thief"}
active hasty_getaway blackout
round white A1 B2 C3
round yellow A1 B2 C3
A GET ""                                -> 200 .heist.chips[*].color == ["red","red","red"]
