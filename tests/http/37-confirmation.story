# "round_end": "confirmed": a round ends when all players have confirmed it.

story "rounds end at once unless the game was created otherwise"
nobody POST /v1/games {"name":"Ada"}    -> 201 .game.round_end == "at_once"
nobody POST /v1/games {"name":"Ada","round_end":"at_once"} -> 201 .game.round_end == "at_once"
nobody POST /v1/games {"name":"Ada","ruleset":"the_gang","round_end":"confirmed"} -> 201
	.game.round_end == "confirmed" .game.heist == null
nobody POST /v1/games {"name":"Ada","ruleset":"famiglia"} -> 201 .game.round_end == null
nobody POST /v1/games {"name":"Ada","ruleset":"famiglia","round_end":"confirmed"} -> 422 invalid
	.errors[0].pointer == "/round_end" .errors[0].code == "unknown" .errors[0].detail has "absence_seconds"

story "the invitation and the lobby say how rounds end"
lobby A with {"visibility":"public","round_end":"confirmed","mode":"advanced"}
nobody GET /v1/invitations/$code        -> 200 .mode == "advanced" .round_end == "confirmed"
nobody GET /v1/games?limit=1            -> 200 .games[0].id == "$game" .games[0].round_end == "confirmed"
B POST /v1/games {"name":"B","visibility":"public","ruleset":"famiglia"} -> 201
nobody GET /v1/invitations/$code        -> 200 .round_end == null
nobody GET /v1/games?limit=1            -> 200 .games[0].id == "$game" .games[0].round_end == null
B DELETE /players/1                     -> 204

story "a round ends when all hold a chip and all have confirmed"
table A B C with {"round_end":"confirmed"}
A POST /chips/white/1/take              -> 200 .heist.confirmed == [] .heist.waiting_for == [2,3]
B POST /chips/white/2/take              -> 200 .heist.waiting_for == [3]
	.you.legal_actions[*].action == ["take_chip","return_chip","take_chip"]
C POST /chips/white/3/take              -> 200
	.heist.round == 1 .heist.phase == "chips" .heist.confirmed == [] .heist.waiting_for == [1,2,3]
	.you.legal_actions[*].action == ["take_chip","take_chip","return_chip","confirm_round"]
	.you.legal_actions[-1] == {"action":"confirm_round","method":"POST","href":"/v1/games/$game/round/confirmations","body":{},"command":{"action":"confirm_round"},"choose":null}
	keep version = .version
C POST /round/confirmations             -> 200 .heist.confirmed == [3] .heist.waiting_for == [1,2]
	header content-location == "/v1/games/$game" header etag exists
	.you.legal_actions[*].action == ["take_chip","take_chip","return_chip"]
A POST /actions {"action":"confirm_round"} -> 200 .heist.confirmed == [1,3] .heist.waiting_for == [2]
B POST /actions {"action":"confirm_round"} -> 200
	.heist.round == 2 .heist.community_cards count 3 .heist.confirmed == [] .heist.waiting_for == [1,2,3]
	.heist.chips[color=white,stars=1].locked == true
A GET /events?after=$version            -> 200
	.events[*].type == ["round_confirmed","round_confirmed","round_confirmed","round_ended","round_started"]
	.events[*].seat == [3,1,2,null,null]
	.events[0].data == {"round":1}

story "a moved chip withdraws all confirmations"
table A B C with {"round_end":"confirmed"}
for $who $stars
	| A | 1
	| B | 2
	| C | 3
	$who POST /chips/white/$stars/take -> 200
end
A POST /round/confirmations             -> 200
B POST /round/confirmations             -> 200 .heist.confirmed == [1,2]
C POST /chips/white/1/take              -> 200 .heist.confirmed == [] .heist.waiting_for == [1]
A POST /chips/white/3/take              -> 200 .heist.confirmed == [] .heist.waiting_for == [1,2,3]
C POST /round/confirmations             -> 200 .heist.confirmed == [3] .heist.round == 1
B POST /chips/white/2/return            -> 200 .heist.confirmed == [] .heist.waiting_for == [2]
B POST /actions {"action":"take_chip","color":"white","stars":2} -> 200 .heist.confirmed == []
for $who in A B
	$who POST /round/confirmations  -> 200 .heist.round == 1
end
C POST /round/confirmations             -> 200 .heist.round == 2

story "what cannot be confirmed"
table A B C
A POST /round/confirmations             -> 409 round_ends_at_once .now.phase == "chips" .instance == "/v1/games/$game/round/confirmations"
A POST /actions {"action":"confirm_round"} -> 409 round_ends_at_once .detail has "round_end"
lobby A B C with {"round_end":"confirmed"}
A POST /round/confirmations             -> 409 game_not_started
A POST /start                           -> 200
A POST /round/confirmations             -> 409 chips_not_held
	.detail == "Not every player holds a white chip; the end of round 1 is confirmed when all do."
	.now == {"status":"playing","heist":1,"round":1,"color":"white","phase":"chips"}
A POST /chips/white/1/take              -> 200
A POST /round/confirmations             -> 409 chips_not_held
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
A POST /round/confirmations             -> 200
A POST /round/confirmations             -> 409 already_confirmed
	.detail == "You have confirmed the end of round 1 (white) already; \"waiting_for\" says who has not."
for $body $pointer $code
	| {"round":1}            | /round | unknown
	| []                     | ""     | wrong_type
	B POST /round/confirmations $body -> 422 invalid .errors[0].pointer == "$pointer" .errors[0].code == "$code"
end
B POST /actions {"action":"confirm_round","round":1} -> 422 invalid .errors[0].pointer == "/round"
nobody POST /v1/games/$game/round/confirmations -> 401 unauthenticated
stranger POST /v1/games/$game/round/confirmations -> 401 invalid_token
nobody GET /v1/games/$game/round/confirmations -> 405 method_not_allowed
table D E with {"ruleset":"famiglia"}
D POST /round/confirmations             -> 404 no_such_route .detail has "other rules"
D POST /actions {"action":"confirm_round"} -> 404 no_such_route

story "a confirmation is for the chips that its player has seen"
table A B C with {"round_end":"confirmed"}
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200 keep etag = header etag
A POST /chips/white/3/take              -> 200
C POST /chips/white/1/take              -> 200 .heist.waiting_for == [1,2,3]
C POST /round/confirmations with If-Match: $etag -> 412 version_mismatch
C GET ""                                -> 200 .heist.confirmed == [] keep etag = header etag
C POST /round/confirmations with If-Match: $etag -> 200 .heist.confirmed == [3]

story "a repeated confirmation is carried out once"
table A B C with {"round_end":"confirmed"}
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
A POST /round/confirmations with Idempotency-Key: confirmed-once-0123456789 -> 200 keep version = .version
A POST /round/confirmations with Idempotency-Key: confirmed-once-0123456789 -> 200 .version == $version .heist.confirmed == [1]
B POST /round/confirmations             -> 200
C POST /round/confirmations             -> 200 .heist.round == 2
A POST /round/confirmations with Idempotency-Key: confirmed-once-0123456789 -> 200 .heist.round == 2

story "everybody sees who has confirmed, and is told"
table A B C with {"round_end":"confirmed","spectators":true}
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200 keep version = .version
nobody GET /v1/games/$game              -> 200 .you == null .round_end == "confirmed" .heist.waiting_for == [1,2,3]
A streams /events?after=$version        -> 200
B POST /round/confirmations             -> 200
A hears .events[0].type == "round_confirmed" .events[0].seat == 2 .events[0].data.round == 1
nobody GET /v1/games/$game              -> 200 .heist.confirmed == [2] .heist.waiting_for == [1,3]
A hangs up

story "nobody waits for the confirmation of a player who has left"
table A B C with {"round_end":"confirmed"}
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
B POST /round/confirmations             -> 200
C POST /round/confirmations             -> 200 .heist.waiting_for == [1] keep version = .version
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .heist.round == 2 .heist.confirmed == []
B GET /events?after=$version            -> 200
	.events[*].type == ["player_left","host_changed","round_ended","round_started"]

story "a player who takes a seat over confirms anew"
table A B C with {"round_end":"confirmed"}
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
C POST /round/confirmations             -> 200 .heist.confirmed == [3]
C DELETE /players/3                     -> 204
A GET ""                                -> 200 .heist.confirmed == [] .heist.waiting_for == [1,2]
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .game.heist.waiting_for == [1,2,3]
A POST /round/confirmations             -> 200
B POST /round/confirmations             -> 200 .heist.round == 1
D POST /round/confirmations             -> 200 .heist.round == 2

story "a specialist who is used withdraws all confirmations"
table A B C with {"mode":"advanced","round_end":"confirmed"}
heist wrong
next specialist hacker
A POST /heists                          -> 201
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200
A POST /round/confirmations             -> 200
B POST /round/confirmations             -> 200
A POST /specialist/proposals {"seat":2} -> 200 .heist.confirmed == [1,2] .heist.waiting_for == [2,3]
B POST /specialist/votes {"agree":true} -> 200 .heist.confirmed == [1,2]
C POST /specialist/votes {"agree":true} -> 200 .heist.phase == "choosing" .heist.confirmed == [] .heist.waiting_for == [2]
C POST /round/confirmations             -> 409 choice_due
B GET ""                                -> 200 keep card = .you.choice_due.options[0]
B POST /choices {"card":"$card"}        -> 200 .heist.phase == "chips" .heist.round == 1 .heist.waiting_for == [1,2,3]
for $who in A B C
	$who POST /round/confirmations  -> 200
end
A GET ""                                -> 200 .heist.round == 2

story "a whole game, and a rematch that is confirmed too"
table A B C with {"mode":"advanced","round_end":"confirmed"}
heist right
A GET ""                                -> 200 .heist.phase == "over" .heist.confirmed == [] .heist.outcome == "succeeded"
A POST /round/confirmations             -> 409 heist_over
heist right
heist right
A POST /round/confirmations             -> 409 game_over
B POST /rematch {"mode":"basic"}        -> 201 .round_end == "confirmed" .mode == "basic"
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
C POST /chips/white/3/take              -> 200 .heist.round == 1 .heist.waiting_for == [1,2,3]

story "the showdown that waits for answers is not confirmed"
table A B C with {"mode":"advanced","round_end":"confirmed"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
for $color in white yellow orange red
	A POST /chips/$color/1/take     -> 200
	B POST /chips/$color/2/take     -> 200
	C POST /chips/$color/3/take     -> 200 .heist.phase == "chips" .heist.showdown == null
	for $who in A B C
		$who POST /round/confirmations -> 200
	end
end
A GET ""                                -> 200 .heist.phase == "answering" .heist.confirmed == [] .heist.waiting_for == [1,2]
A POST /round/confirmations             -> 409 round_over .detail has "nothing to confirm"
B DELETE /players/2                     -> 204
B POST /v1/invitations/$code/players {"name":"D"} -> 201 .game.heist.phase == "answering" .game.heist.waiting_for == [1,2]

story "players who know only legal_actions play a game of confirmed rounds"
table A B C with {"mode":"professional","round_end":"confirmed"}
follow
