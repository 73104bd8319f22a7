# POST /v1/games/{game_id}/start

story "the host starts, with three players or more"
lobby A B C
A GET ""                                -> 200
	.you.legal_actions[*].action == ["start","seat_bot"]
	.you.legal_actions[0] == {"action":"start","method":"POST","href":"/v1/games/$game/start","body":{},"command":{"action":"start"},"choose":null}
A POST /start                           -> 200
	.status == "playing"
	.seats == 3
	.version == 7           # 3 joined, game, heist, cards, round
	.heist.number == 1
	header etag exists

story "a start needs no body and no Content-Type"
lobby A B C
A POST /start {}                        -> 200
lobby D E F
D POST /start body "" with Content-Type: -> 200

story "two players cannot start"
lobby A B
A GET ""                                -> 200 .you.legal_actions[*].action == ["seat_bot"]
A POST /start                           -> 409 not_allowed_now

story "only the host may start"
lobby A B C
B GET ""                                -> 200 .you.legal_actions == []
B POST /start                           -> 403 not_host
C POST /start                           -> 403 not_host

story "a game starts once"
table A B C
A POST /start                           -> 409 already_started
B POST /start                           -> 403 not_host

story "a start takes no members in its body"
lobby A B C
A POST /start {"now":true}              -> 422 invalid .errors[0].pointer == "/now"

story "a game in the lobby refuses every move"
lobby A B C
for $path in /chips/white/1/take /chips/white/1/return /chips/red/3/take /chips/red/6/take /heists
	A POST $path                    -> 409 game_not_started
end
A POST /chips/white/1/take with If-Match: "x" -> 412 version_mismatch
A POST /chips/blue/1/take               -> 404 no_such_chip
A GET /hand                             -> 200 . == {"seat":1,"pocket_cards":[],"ranking":null,"best_five":[]}
A GET /players/1/hand                   -> 200 .pocket_cards == []
A GET /players/2/hand                   -> 403 not_your_hand
A GET /showdown                         -> 409 game_not_started
A GET /heists                           -> 200 .heists == []
