# The ten specialists, by their numbers.  "next" and "deal" bring the cards
# into play that a story needs; with these hands the first heist is lost.

story "a specialist follows a failure, for one heist"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
B POST /heists                          -> 201
	.alarms == {"red":1,"limit":3}
	.heist.challenges == []
	.heist.specialist == {"number":1,"code":"informant","state":"available","proposal":null}
	.heist.announcements == []
	.stacks == {"challenges":{"unseen":10},"specialists":{"unseen":9}}
B GET /events                           -> 200
	.events[-3].data == {"number":2,"challenges":[],"specialist":{"number":1,"code":"informant"}}
heist right
# the specialist need not be used
A GET /heists/2                         -> 200 .specialist == {"number":1,"code":"informant"}
A POST /heists                          -> 201 .heist.specialist == null .heist.challenges[0].code == "quick_access"

# --- a use is proposed, and happens when all the others have agreed

story "a proposal is carried out when all agree"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist getaway_driver
A POST /heists                          -> 201
	.you.legal_actions[action=propose] == {"action":"propose","method":"POST","href":"/v1/games/$game/specialist/proposals","body":{},"command":{"action":"propose"},"choose":{"seat":{"form":"one_of","options":[1,2,3]}}}
A POST /specialist/votes {"agree":true} -> 409 no_proposal
A POST /choices {"looked":true}         -> 409 no_choice_due
B POST /specialist/proposals {"seat":1} -> 200
	.heist.specialist.state == "proposed"
	.heist.specialist.proposal == {"by":2,"seat":1,"target_seat":null,"value":null,"agreed":[2]}
	.heist.announcements == []
	.you.legal_actions[*].action lacks "propose"
	.you.legal_actions[action=vote].choose == {"agree":{"form":"one_of","options":[false]}}
C POST /specialist/proposals {"seat":3} -> 409 proposal_open
B POST /specialist/votes {"agree":true} -> 409 not_allowed_now
A GET ""                                -> 200
	.you.legal_actions[action=vote] == {"action":"vote","method":"POST","href":"/v1/games/$game/specialist/votes","body":{},"command":{"action":"vote"},"choose":{"agree":{"form":"one_of","options":[true,false]}}}
A POST /specialist/votes {"agree":true} -> 200 .heist.specialist.proposal.agreed == [1,2]
A POST /specialist/votes {"agree":true} -> 409 not_allowed_now
C POST /specialist/votes {"agree":true} -> 200
	.heist.specialist == {"number":2,"code":"getaway_driver","state":"used","proposal":null}
	.heist.announcements count 1
A POST /specialist/votes {"agree":true} -> 409 no_proposal
A POST /specialist/proposals {"seat":1} -> 409 already_used
A GET /events                           -> 200
	.events[-4].type == "specialist_proposed"
	.events[-4].seat == 2
	.events[-4].data == {"code":"getaway_driver","seat":1,"target_seat":null,"value":null}
	.events[-3].type == "specialist_agreed"
	.events[-3].seat == 1
	.events[-2].seat == 3
	.events[-1].type == "specialist_used"

story "any player's refusal withdraws a proposal; then another can be made"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist muscle
A POST /heists                          -> 201
for $who $seat
	| A | 1
	| B | 2
	| C | 3
	A POST /specialist/proposals {"seat":2} -> 200
	$who POST /specialist/votes {"agree":false} -> 200
		.heist.specialist == {"number":10,"code":"muscle","state":"available","proposal":null}
	A GET /events                   -> 200
		.events[-1].type == "specialist_withdrawn"
		.events[-1].seat == $seat
		.events[-1].data == {"code":"muscle","seat":2,"target_seat":null,"value":null}
end

story "the showdown withdraws an open proposal"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist muscle
A POST /heists                          -> 201
A POST /specialist/proposals {"seat":2} -> 200
B POST /specialist/votes {"agree":true} -> 200
# due votes do not delay the round
for $color in white yellow orange red
	round $color A1 B2 C3
end
A GET ""                                -> 200 .heist.phase == "over" .heist.specialist.state == "available"
A GET /events                           -> 200 .events[type=specialist_withdrawn].seat == null
A POST /specialist/proposals {"seat":2} -> 409 heist_over
A POST /specialist/votes {"agree":true} -> 409 heist_over
A POST /choices {"card":"Ah"}           -> 409 heist_over

story "without a specialist every proposal is refused"
table A B C with {"mode":"advanced"}
A POST /specialist/proposals {"seat":1} -> 409 not_allowed_now
A POST /specialist/votes {"agree":true} -> 409 no_proposal
A POST /choices {"looked":true}         -> 409 no_choice_due
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 showdown_not_reached
lobby D E F with {"mode":"advanced"}
D POST /specialist/proposals {"seat":1} -> 409 game_not_started
D POST /specialist/votes {"agree":true} -> 409 game_not_started
D POST /choices {"looked":true}         -> 409 game_not_started
D POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 game_not_started

story "a proposal has just the members that its specialist asks for"
table A B C with {"mode":"advanced"}
for $card $body $pointer $fault
	| muscle     | {}                                       | /seat        | required
	| muscle     | {"seat":0}                               | /seat        | out_of_range
	| muscle     | {"seat":4}                               | /seat        | out_of_range
	| muscle     | {"seat":"A"}                             | /seat        | wrong_type
	| muscle     | {"seat":1,"target_seat":2}               | /target_seat | not_allowed
	| muscle     | {"seat":1,"value":"K"}                   | /value       | not_allowed
	| muscle     | {"seat":1,"card":"Kh"}                   | /card        | unknown
	| informant  | {"seat":1}                               | /target_seat | required
	| informant  | {"seat":1,"target_seat":1}               | /target_seat | not_allowed
	| informant  | {"seat":1,"target_seat":5}               | /target_seat | out_of_range
	| informant  | {"seat":1,"target_seat":2,"value":"K"}   | /value       | not_allowed
	| mastermind | {"seat":1}                               | /value       | required
	| mastermind | {"seat":1,"value":"10"}                  | /value       | not_one_of
	| mastermind | {"seat":1,"value":"pair"}                | /value       | not_one_of
	| mastermind | {"seat":1,"value":"K","target_seat":2}   | /target_seat | not_allowed
	table A B C with {"mode":"advanced"}
	deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
	heist wrong
	next specialist $card
	A POST /heists                  -> 201
	A POST /specialist/proposals $body -> 422 invalid .errors has {"pointer":"$pointer","code":"$fault"}
end
A POST /specialist/votes {}             -> 422 invalid .errors[0].pointer == "/agree" .errors[0].code == "required"
A POST /specialist/votes {"agree":"yes"} -> 422 invalid .errors[0].pointer == "/agree" .errors[0].code == "wrong_type"
A POST /choices {}                      -> 422 invalid .errors[0].pointer == "/card" .errors[0].code == "required"
A POST /choices {"card":"10h"}          -> 422 invalid .errors[0].pointer == "/card" .errors[0].code == "not_one_of"
A POST /choices {"looked":false}        -> 422 invalid .errors[0].pointer == "/looked" .errors[0].code == "not_allowed"
A POST /choices {"card":"Ah","looked":true} -> 422 invalid .errors[0].pointer == "/looked" .errors[0].code == "not_allowed"

# --- 1

story "Informant: one shows one card to one other, and only those two see it"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist informant
A POST /heists                          -> 201
	.you.legal_actions[action=propose].body == {"seat":1}
	.you.legal_actions[action=propose].choose == {"target_seat":{"form":"one_of","options":[2,3]}}
deal A=Qd5h B=3c3s C=Tc9s
C POST /specialist/proposals {"seat":1,"target_seat":2} -> 200
A POST /specialist/votes {"agree":true} -> 200
B POST /specialist/votes {"agree":true} -> 200
	.heist.phase == "choosing"
	.heist.specialist.state == "choosing"
	.heist.announcements == [{"code":"informant","seat":1,"target_seat":2,"value":null,"count":null}]
	.you.choice_due == null
A GET ""                                -> 200
	.you.choice_due == {"code":"informant","options":["Qd","5h"]}
	.you.legal_actions[action=choose] == {"action":"choose","method":"POST","href":"/v1/games/$game/choices","body":{},"command":{"action":"choose"},"choose":{"card":{"form":"one_of","options":["Qd","5h"]}}}
B POST /choices {"card":"3c"}           -> 409 not_your_choice
C POST /specialist/proposals {"seat":1,"target_seat":2} -> 409 choice_due
A POST /choices {"card":"3c"}           -> 422 invalid .errors == [{"pointer":"/card","code":"not_one_of","detail":"Choose one of the \"options\" of your \"choice_due\"."}]
A POST /choices {"looked":true}         -> 422 invalid .errors[0].pointer == "/looked"
# no chip moves meanwhile
for $who in A B C
	$who POST /chips/white/1/take   -> 409 choice_due
	$who GET ""                     -> 200 .heist.waiting_for == [1] .you.legal_actions lacks {"action":"take_chip"}
end
A POST /choices {"card":"Qd"}           -> 200
	.heist.specialist.state == "used"
	.heist.round == 1
	.heist.waiting_for == [1,2,3]
	.you.choice_due == null
	.you.shown_cards == []
	.you.pocket_cards == ["Qd","5h"]
B GET ""                                -> 200 .you.shown_cards == [{"seat":1,"card":"Qd"}]
C GET ""                                -> 200 .you.shown_cards == [] body lacks "\"Qd\""
nobody GET /v1/games/$game              -> 200 body lacks "\"Qd\""
for $who in A B
	$who GET /events                -> 200 .events[type=choice_made].data == {"code":"informant","card":"Qd"}
end
C GET /events                           -> 200 .events[type=choice_made].seat == 1 .events[type=choice_made].data == {"code":"informant"}
nobody GET /v1/games/$game/events       -> 200 .events[type=choice_made].data == {"code":"informant"}
B GET /players/1/hand                   -> 403 not_your_hand
A POST /choices {"card":"5h"}           -> 409 no_choice_due
A POST /specialist/proposals {"seat":1,"target_seat":2} -> 409 already_used

# --- 2

story "Getaway Driver: the ranking of a hand is announced, of the cards in sight"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist getaway_driver
A POST /heists                          -> 201
deal A=QdQh board=QsTc4d
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
	.heist.announcements == [{"code":"getaway_driver","seat":1,"target_seat":null,"value":"pair","count":null}]
	body lacks "\"Qd\""
C GET /events                           -> 200
	.events[-1].type == "specialist_used"
	.events[-1].seat == 1
	.events[-1].data == {"code":"getaway_driver","seat":1,"target_seat":null,"value":"pair","count":null}
# the announcement stays as it was
round white A1 B2 C3
A GET ""                                -> 200 .you.ranking == "three_of_a_kind" .heist.announcements[0].value == "pair"

story "Getaway Driver: it can be used at any time before the showdown"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist getaway_driver
A POST /heists                          -> 201
deal A=QdQh board=QsTc4d4h2s
for $color in white yellow orange
	round $color A1 B2 C3
end
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200 .heist.announcements[0].value == "full_house"

# --- 3

story "Investor: everybody's number of face cards is announced at once"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist investor
A POST /heists                          -> 201 .heist.announcements count 3
deal A=JhQd B=Kc2c C=AhTs
A GET ""                                -> 200
	.heist.specialist == {"number":3,"code":"investor","state":"used","proposal":null}
	.heist.announcements == [{"code":"investor","seat":1,"target_seat":null,"value":null,"count":2},{"code":"investor","seat":2,"target_seat":null,"value":null,"count":1},{"code":"investor","seat":3,"target_seat":null,"value":null,"count":0}]
	keep told = .heist.announcements
nobody GET /v1/games/$game              -> 200 .heist.announcements == $told
A GET /events                           -> 200
	.events[-2].type == "specialist_used"
	.events[-2].seat == null
	.events[-2].data == {"code":"investor","seat":3,"target_seat":null,"value":null,"count":0}
A POST /specialist/proposals {"seat":1} -> 409 not_allowed_now
A POST /specialist/votes {"agree":true} -> 409 no_proposal

# --- 4

story "Mastermind: how many of a player's cards have a value is announced"
for $value $count
	| K | 2
	| 9 | 0
	table A B C with {"mode":"advanced"}
	deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
	heist wrong
	next specialist mastermind
	A POST /heists                  -> 201
		.you.legal_actions[action=propose].choose == {"seat":{"form":"one_of","options":[1,2,3]},"value":{"form":"one_of","options":["2","3","4","5","6","7","8","9","T","J","Q","K","A"]}}
	deal B=KdKh
	A POST /specialist/proposals {"seat":2,"value":"$value"} -> 200
		.heist.specialist.proposal.value == "$value"
	B POST /specialist/votes {"agree":true} -> 200
	C POST /specialist/votes {"agree":true} -> 200
		.heist.announcements == [{"code":"mastermind","seat":2,"target_seat":null,"value":"$value","count":$count}]
end

# --- 5

story "Hacker: one draws the top card and then discards one"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist hacker
A POST /heists                          -> 201
deal A=5c6d B=3h3s C=4h4c board=AdTsJc9d
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
	.heist.announcements == [{"code":"hacker","seat":1,"target_seat":null,"value":null,"count":null}]
	.heist.phase == "choosing"
A GET ""                                -> 200
	.you.pocket_cards == ["5c","6d"]
	.you.choice_due == {"code":"hacker","options":["5c","6d","Ad"]}
	.heist.waiting_for has 1
B GET ""                                -> 200 .you.choice_due == null body lacks "\"Ad\""
B POST /choices {"card":"3h"}           -> 409 not_your_choice
A POST /choices {"card":"3h"}           -> 422 invalid .errors[0].pointer == "/card"
A POST /choices {"card":"5c"}           -> 200
	.you.pocket_cards == ["Ad","6d"]
	.you.former_pocket_cards == []
	.heist.specialist.state == "used"
A GET /events                           -> 200 .events[-1].data == {"code":"hacker","card":"5c"}
for $path in "" /events
	B GET "$path"                   -> 200 body lacks "\"5c\"" body lacks "\"Ad\""
	nobody GET /v1/games/$game$path -> 200 body lacks "\"5c\"" body lacks "\"Ad\""
end
round white A1 B2 C3
A GET ""                                -> 200 .heist.community_cards == ["Ts","Jc","9d"]

story "Hacker: the drawn card may be discarded, and the round waits for it"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist hacker
A POST /heists                          -> 201
deal A=2c7d board=AhTsJc9d
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /specialist/votes {"agree":true} -> 200 .heist.waiting_for == [1]
# the last chip waits, and so do those that are held
C POST /chips/white/3/take              -> 409 choice_due
C POST /chips/white/2/take              -> 409 choice_due
B POST /chips/white/2/return            -> 409 choice_due
B POST /chips/white/2/take              -> 409 choice_due
# a chip of another round is refused for its round
C POST /chips/yellow/3/take             -> 409 not_allowed_now
A POST /choices {"card":"Ah"}           -> 200
	.you.pocket_cards == ["2c","7d"]
	.heist.round == 1
	.heist.waiting_for == [3]
C POST /chips/white/3/take              -> 200
	.heist.round == 2
	.heist.community_cards == ["Ts","Jc","9d"]

# --- 6

story "Coordinator: all pass one card to the left, at the same time"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist coordinator
A POST /heists                          -> 201 .heist.phase == "choosing"
deal A=2c3c B=4d5d C=6h7h
A GET ""                                -> 200
	.heist.specialist.state == "choosing"
	.heist.announcements == [{"code":"coordinator","seat":null,"target_seat":null,"value":null,"count":null}]
	.heist.waiting_for == [1,2,3]
	.you.choice_due == {"code":"coordinator","options":["2c","3c"]}
A POST /specialist/proposals {"seat":1} -> 409 not_allowed_now
A POST /choices {"card":"2c"}           -> 200 .you.choice_due == null .you.pocket_cards == ["2c","3c"]
A POST /choices {"card":"3c"}           -> 409 not_your_choice
B POST /choices {"card":"2c"}           -> 422 invalid .errors[0].pointer == "/card"
B POST /choices {"looked":true}         -> 422 invalid .errors[0].pointer == "/looked"
B POST /choices {"card":"4d"}           -> 200
# no chip is taken before all have chosen
A POST /chips/white/1/take              -> 409 choice_due
A GET ""                                -> 200 .heist.waiting_for == [3] .you.legal_actions == []
C POST /choices {"card":"6h"}           -> 200
	.heist.waiting_for == [1,2,3]
	.heist.specialist.state == "used"
	.you.pocket_cards == ["4d","7h"]
A GET ""                                -> 200 .you.pocket_cards == ["6h","3c"]
B GET ""                                -> 200 .you.pocket_cards == ["2c","5d"]
A GET /events                           -> 200
	.events[type=choice_made].data == {"code":"coordinator","card":"2c"}
	.events[type=cards_passed].seat == null
	.events[type=cards_passed].data == {"pocket_cards":["6h","3c"]}
B GET /events                           -> 200 .events[type=choice_made].data == {"code":"coordinator"}
nobody GET /v1/games/$game/events       -> 200 .events[type=cards_passed].data == {}

# --- 7

story "Jack: a jack of no suit replaces a pocket card"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist jack
A POST /heists                          -> 201
deal A=Jh3h B=3s9s C=4h4s board=JcJdJs9h2h
B POST /specialist/proposals {"seat":1} -> 200
A POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
	.heist.announcements == [{"code":"jack","seat":1,"target_seat":null,"value":null,"count":null}]
A GET ""                                -> 200
	.you.pocket_cards == ["Jh","3h"]
	.you.choice_due == {"code":"jack","options":["Jh","3h"]}
# it stays for this heist
A POST /choices {"card":"Jx"}           -> 422 invalid .errors[0].pointer == "/card"
A POST /choices {"card":"3h"}           -> 200 .you.pocket_cards == ["Jh","Jx"] .you.ranking == "pair"
round white A1 B2 C3
# four jacks, and the fifth beside them
A GET ""                                -> 200 .you.ranking == "four_of_a_kind"
	.you.best_five == ["Jc","Jd","Jh","Js","Jx"]
heist right
A GET ""                                -> 200 .heist.showdown.reveals[seat=1].pocket_cards == ["Jh","Jx"]
	.heist.showdown.reveals[seat=1].ranking == "four_of_a_kind"
A POST /heists                          -> 201

story "Jack: it makes straights, and never a flush"
for $pocket $board $ranking
	| 9c2d | 7h8hThKs2s | straight
	| Ah2d | KhQhTh3s4c | straight
	| 9h2d | 7h8hTh3s4c | straight
	| Ah2d | 5h8hTh3s4c | high_card
	table A B C with {"mode":"advanced"}
	deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
	heist wrong
	next specialist jack
	A POST /heists                  -> 201
	deal A=$pocket board=$board
	A POST /specialist/proposals {"seat":1} -> 200
	B POST /specialist/votes {"agree":true} -> 200
	C POST /specialist/votes {"agree":true} -> 200
	A POST /choices {"card":"2d"}   -> 200
	for $color in white yellow orange
		round $color A1 B2 C3
	end
	A GET /hand                     -> 200 .pocket_cards[1] == "Jx" .ranking == "$ranking"
end

# --- 8

story "Math Whiz: everybody's sum of pocket cards is announced at once"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist math_whiz
A POST /heists                          -> 201
deal A=AhAd B=JcTd C=2c9d
A GET ""                                -> 200
	.heist.announcements[*].seat == [1,2,3]
	.heist.announcements[*].count == [22,20,11]
	.heist.announcements[0] == {"code":"math_whiz","seat":1,"target_seat":null,"value":null,"count":22}
A POST /specialist/proposals {"seat":1} -> 409 not_allowed_now

# --- 9

story "Con Artist: when all have looked, all pocket cards are shuffled and dealt anew"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist con_artist
A POST /heists                          -> 201 .heist.phase == "choosing"
	.heist.announcements == [{"code":"con_artist","seat":null,"target_seat":null,"value":null,"count":null}]
	.heist.waiting_for == [1,2,3]
	.you.choice_due == {"code":"con_artist","options":[]}
	.you.legal_actions[action=choose] == {"action":"choose","method":"POST","href":"/v1/games/$game/choices","body":{"looked":true},"command":{"action":"choose","looked":true},"choose":null}
deal A=2c3c B=4d5d C=6h7h board=AhAdAcKsKd
A POST /choices {"card":"2c"}           -> 422 invalid .errors[0].pointer == "/card" .errors[0].code == "not_allowed"
A POST /choices {"looked":true}         -> 200 .you.choice_due == null .you.pocket_cards == ["2c","3c"] .you.former_pocket_cards == []
A POST /choices {"looked":true}         -> 409 not_your_choice
A POST /chips/white/1/take              -> 409 choice_due
A GET ""                                -> 200 .heist.waiting_for == [2,3]
B POST /choices {"looked":true}         -> 200
C POST /choices {"looked":true}         -> 200 .heist.waiting_for == [1,2,3]
	.you.former_pocket_cards == ["6h","7h"]
round white A1 B2 C3
# only pocket cards are shuffled: the deck does not change
A GET ""                                -> 200 .heist.community_cards == ["Ah","Ad","Ac"]
A GET ""                                -> 200 .you.former_pocket_cards == ["2c","3c"] keep cards = .you.pocket_cards
B GET ""                                -> 200 .you.former_pocket_cards == ["4d","5d"]
A GET /events                           -> 200 .events[type=cards_redealt].data == {"pocket_cards":$cards}
nobody GET /v1/games/$game/events       -> 200 .events[type=cards_redealt].data == {}
A POST /choices {"looked":true}         -> 409 no_choice_due
heist right
# the log still has the cards that were dealt first
A GET /showdown                         -> 200
	body has "\"2c\"" body has "\"3c\"" body has "\"4d\"" body has "\"5d\"" body has "\"6h\"" body has "\"7h\""
A POST /heists                          -> 201 .you.former_pocket_cards == []

# --- 10

story "Muscle: this hand beats every other of its ranking, and no better one"
# a pair of twos with Muscle stands above eights, and below three sevens
for $seat $first $second $result
	| 1 | B | A | succeeded
	| 1 | A | B | failed
	| 2 | A | B | succeeded
	| 3 | A | B | succeeded
	| 3 | B | A | failed
	table A B C with {"mode":"advanced"}
	deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
	heist wrong
	next specialist muscle
	A POST /heists                  -> 201
	deal A=2c2d B=8c8d C=7c7d board=7h9sJdKc4s
	A POST /specialist/proposals {"seat":$seat} -> 200
	B POST /specialist/votes {"agree":true} -> 200
	C POST /specialist/votes {"agree":true} -> 200
		.heist.announcements == [{"code":"muscle","seat":$seat,"target_seat":null,"value":null,"count":null}]
		.heist.phase == "chips"
	for $color in white yellow orange
		round $color A1 B2 C3
	end
	$first POST /chips/red/1/take   -> 200
	$second POST /chips/red/2/take  -> 200
	C POST /chips/red/3/take        -> 200
		.heist.showdown.reveals[*].ranking == ["pair","pair","three_of_a_kind"]
		.heist.showdown.outcome == "$result"
end

# --- beside a challenge, as professionals have them

story "Hacker: a choice that is due holds up the showdown, too"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist hacker
A POST /heists                          -> 201
for $color in white yellow orange
	round $color A1 B2 C3
end
A POST /chips/red/1/take                -> 200
B POST /chips/red/2/take                -> 200
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200 .heist.phase == "choosing" .heist.waiting_for == [1]
C POST /chips/red/3/take                -> 409 choice_due
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 showdown_not_reached
B POST /chips/red/2/return              -> 409 choice_due
A GET ""                                -> 200 keep card = .you.choice_due.options[2]
A POST /choices {"card":"$card"}        -> 200 .heist.phase == "chips" .heist.waiting_for == [3]
C POST /chips/red/3/take                -> 200 .heist.phase == "over" .heist.outcome exists

story "Jack: discarded for a challenge, it leaves the heist"
table A B C with {"mode":"professional"}
active motion_detector
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist jack
A POST /heists                          -> 201
deal A=2d3d B=5s5c C=6s6c board=QhTs4cAhAd
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
A POST /choices {"card":"2d"}           -> 200 .you.pocket_cards == ["Jx","3d"]
round white A1 B2 C3
A GET ""                                -> 200 .you.pocket_cards == ["Ah","Ad"] .heist.community_cards == ["Qh","Ts","4c"]
heist right
A GET /showdown                         -> 200 body lacks "\"Jx\""

story "Jack: it is a jack for a Retina Scan"
table A B C with {"mode":"professional"}
active retina_scan
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist jack
A POST /heists                          -> 201
deal A=2d3d B=5s5c C=8s9c board=JcJhTs4c2h
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
A POST /choices {"card":"2d"}           -> 200
for $color in white yellow orange red
	round $color C1 B2 A3
end
B POST /showdown/answers {"question":"retina_scan","value":"J"} -> 200
C POST /showdown/answers {"question":"retina_scan","value":"J"} -> 200
	.heist.showdown.questions[0].right == true
	.heist.showdown.outcome == "succeeded"

story "with Security Cameras there are three cards to choose from"
for $specialist $options
	| hacker      | 4
	| coordinator | 3
	table A B C with {"mode":"professional"}
	active security_cameras
	deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
	heist wrong
	next specialist $specialist
	A POST /heists                  -> 201
	until A .heist.specialist.state == "choosing"
		A POST /specialist/proposals {"seat":1} -> 200
		B POST /specialist/votes {"agree":true} -> 200
		C POST /specialist/votes {"agree":true} -> 200
	end
	A GET ""                        -> 200 .you.choice_due.options count $options
	heist right
	A GET ""                        -> 200 .vaults.gold == 1
		.heist.showdown.reveals[0].pocket_cards count 3
end

story "Blackout does not hide announcements of specialists"
table A B C with {"mode":"professional"}
active blackout
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist muscle
A POST /heists                          -> 201 keep before = .version
A POST /chips/white/1/take              -> 200
A POST /specialist/proposals {"seat":1} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
C GET /events?after=$before             -> 200
	.events[*].type == ["hidden","specialist_proposed","specialist_agreed","specialist_agreed","specialist_used","hidden","hidden","round_ended","round_started"]
