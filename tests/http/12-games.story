# From heist to heist, until three vaults are open or three alarms ring.

story "any player deals the next heist after a showdown"
table A B C
A POST /heists                          -> 409 showdown_not_reached
heist right
C GET ""                                -> 200 keep cards = .you.pocket_cards
	.you.legal_actions == [{"action":"next_heist","method":"POST","href":"/v1/games/$game/heists","body":{},"command":{"action":"next_heist"},"choose":null}]
C POST /heists                          -> 201
	header location == "/v1/games/$game"
	header content-location == "/v1/games/$game"
	.heist.number == 2
	.heist.round == 1
	.heist.community_cards == []
	.heist.chips count 3
	.heist.showdown == null
	.heist.waiting_for == [1,2,3]
A POST /heists                          -> 409 showdown_not_reached
A POST /heists {"x":1}                  -> 422 invalid

story "three vaults win"
table A B C
heist right
heist right
A GET ""                                -> 200 .vaults == {"gold":2,"needed":3} .status == "playing"
heist right
A GET ""                                -> 200 .status == "won"
	.vaults == {"gold":3,"needed":3}
	.alarms == {"red":0,"limit":3}
	.you.legal_actions[*].action == ["rematch"]
	.heist.phase == "over"
A GET /events                           -> 200 .events[-1].type == "game_ended" .events[-1].data == {"status":"won"}

story "three alarms lose"
table A B C
until A .status != "playing"
	heist wrong
end
A GET ""                                -> 200 keep status = .status
A GET /events                           -> 200 .events[-1].type == "game_ended" .events[-1].data == {"status":"$status"}

story "an ended game refuses every move"
table A B C
heist right
heist right
heist right
for $path in /heists /chips/white/1/take /chips/red/1/take /chips/red/1/return /chips/red/4/take
	A POST $path                    -> 409 game_over
end
A POST /start                           -> 409 already_started
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 409 game_over
nobody GET /v1/invitations/$code        -> 409 game_over
A POST /chips/white/9/take              -> 404 no_such_chip

story "an ended game can still be read"
table A B C
heist right
heist right
heist right
for $path in "" /hand /players/1/hand /players/3/hand /events /heists /heists/3 /showdown /invitation
	A GET "$path"                   -> 200
	A HEAD "$path"                  -> 200 body == ""
end

story "six players play to the end"
table A B C D E F
until A .status != "playing"
	heist right
end
F GET ""                                -> 200 .status == "won"
