# POST /v1/games

story "the player who creates a game is the host, at seat 1"
A POST /v1/games {"name":"Ada"}         -> 201
	.seat == 1
	.token matches "^gang_[0-9A-Za-z]{49}$"
	.invite_code matches "^[0-9A-HJKMNP-TV-Z]{8}$"
	header location == "/v1/games/$A.game"
	header cache-control == "no-store"
	header etag exists
	.game.players == [{"seat":1,"name":"Ada","avatar":null,"host":true,"vacant":false,"bot":null}]
	.game.you.seat == 1
	.game.you.pocket_cards == []
	.game.you.ranking == null
	.game.you.legal_actions[*].action == ["seat_bot"]
	.game.heist == null

story "only the name is required, the rest has defaults"
A POST /v1/games {"name":"Ada"}         -> 201
	.game.ruleset == "the_gang"
	.game.mode == "basic"
	.game.seats == 6
	.game.visibility == "private"
	.game.spectators == false
	.game.status == "lobby"
	.game.version == 1
	.game.vaults == {"gold":0,"needed":3}
	.game.alarms == {"red":0,"limit":3}
	.game.rematch == null
	.game.rematch_of == null

story "a game has the options that its creator chose"
A POST /v1/games {"name":"Ada","ruleset":"the_gang","mode":"basic","seats":3,"stacks":"shuffled","visibility":"public","spectators":true} -> 201
	.game.seats == 3
	.game.visibility == "public"
	.game.spectators == true

story "ids are UUIDs of version 7, and times are UTC"
A POST /v1/games {"name":"Ada"}         -> 201
	.game.id matches "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
	.game.created_at matches "^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?Z$"
	.game.updated_at matches "Z$"

story "the answer's view is the one that GET gives"
A POST /v1/games {"name":"Ada"}         -> 201 keep created = .game keep etag = header etag
A GET ""                                -> 200 . == $created header etag == "$etag"

story "a refusal lists all faults of the body"
nobody POST /v1/games {"seats":2,"mode":"hard","color":"red"} -> 422 invalid
	.errors count 4
	.errors[*].pointer has "/name"
	.errors[*].pointer has "/seats"
	.errors[*].pointer has "/mode"
	.errors[*].pointer has "/color"

story "each member is checked"
for $body $pointer $code
	| {}                                          | /name       | required
	| {"name":null}                               | /name       | wrong_type
	| {"name":7}                                  | /name       | wrong_type
	| {"name":["A"]}                              | /name       | wrong_type
	| {"name":"A","seats":"4"}                    | /seats      | wrong_type
	| {"name":"A","seats":4.5}                    | /seats      | wrong_type
	| {"name":"A","seats":true}                   | /seats      | wrong_type
	| {"name":"A","seats":null}                   | /seats      | wrong_type
	| {"name":"A","seats":2}                      | /seats      | out_of_range
	| {"name":"A","seats":7}                      | /seats      | out_of_range
	| {"name":"A","seats":-3}                     | /seats      | out_of_range
	| {"name":"A","seats":99999999999999999999}   | /seats      | out_of_range
	| {"name":"A","ruleset":"poker"}              | /ruleset    | not_one_of
	| {"name":"A","ruleset":1}                    | /ruleset    | wrong_type
	| {"name":"A","mode":"BASIC"}                 | /mode       | not_one_of
	| {"name":"A","stacks":""}                    | /stacks     | not_one_of
	| {"name":"A","round_end":"Confirmed"}        | /round_end  | not_one_of
	| {"name":"A","round_end":true}               | /round_end  | wrong_type
	| {"name":"A","round_end":null}               | /round_end  | wrong_type
	| {"name":"A","visibility":"secret"}          | /visibility | not_one_of
	| {"name":"A","spectators":"yes"}             | /spectators | wrong_type
	| {"name":"A","spectators":0}                 | /spectators | wrong_type
	| {"name":"A","Name":"B"}                     | /Name       | unknown
	| {"name":"A","a/b~c":1}                      | /a~1b~0c    | unknown
	nobody POST /v1/games $body     -> 422 invalid .errors count 1
		.errors[0].pointer == "$pointer"
		.errors[0].code == "$code"
		.errors[0].detail exists
end

story "a body that is not an object is refused"
for $body in [] [{"name":"A"}]
	nobody POST /v1/games $body     -> 422 invalid .errors[0].pointer == ""
end
nobody POST /v1/games body "\"A\""      -> 422 invalid .errors[0].pointer == ""
nobody POST /v1/games body "null"       -> 422 invalid .errors[0].pointer == ""
nobody POST /v1/games body "17"         -> 422 invalid .errors[0].pointer == ""
nobody POST /v1/games                   -> 422 invalid .errors[0].pointer == "/name"
