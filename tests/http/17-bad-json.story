# Bodies that are no strict JSON (RFC 8259, UTF-8, no name twice) are 400.

story "JSON that lax parsers accept is refused"
for $body
	| {
	| }
	| {"name":"A"
	| {"name":"A"}}
	| {"name":"A"} x
	| {"name":"A"}{"name":"B"}
	| {"name":"A",}
	| {,"name":"A"}
	| {"name" "A"}
	| {"name":}
	| {name:"A"}
	| {'name':'A'}
	| {"name":"A","seats":04}
	| {"name":"A","seats":+4}
	| {"name":"A","seats":4.}
	| {"name":"A","seats":.4}
	| {"name":"A","seats":0x4}
	| {"name":"A","seats":4e}
	| {"name":"A","seats":--4}
	| {"name":"A","seats":NaN}
	| {"name":"A","seats":Infinity}
	| {"name":"A","seats":-Infinity}
	| {"name":"A","spectators":True}
	| {"name":"A","spectators":TRUE}
	| {"name":"A","spectators":tru}
	| {"name":"A","spectators":nul}
	| {"name":"A","name":"B"}
	| {"name":"A","n\u0061me":"B"}
	| /* c */ {"name":"A"}
	| {"name":"A"} // c
	| {"name":"\ud800"}
	| {"name":"\udc00\ud800"}
	| {"name":"\ud800\u0041"}
	| {"name":"\u12"}
	| {"name":"\q"}
	| {"name":"\'"}
	| {"name":"A
	| {"name":"a\u0000b"}
	| undefined
	| A
	| [
	| []]
	nobody POST /v1/games body "$body" -> 400 malformed .detail exists
end

story "bytes that are not UTF-8 are refused"
for $bytes
	| "\xff"
	| "\xc3"
	| "\xc0\x80"
	| "\xed\xa0\x80"
	| "\xf5\x80\x80\x80"
	| "\x01"
	| "\x0a"
	| "\x7f\x1f"
	nobody POST /v1/games body "{\"name\":\"A$bytes\"}" -> 400 malformed
end
nobody POST /v1/games body "{\"name\":\"A\x00\"}" -> 400 malformed
nobody POST /v1/games body "{\"name\":\"A\"}\x00" -> 400 malformed
nobody POST /v1/games body "\x00"        -> 400 malformed
nobody POST /v1/games body "\xef\xbb\xbf{\"name\":\"A\"}" -> 400 malformed
nobody POST /v1/games body "{\x00\"\x00n\x00" -> 400 malformed
nobody POST /v1/games body " "           -> 400 malformed

story "deeply nested JSON is refused"
nobody POST /v1/games body "$([*1000)"   -> 400 malformed
nobody POST /v1/games body "{\"name\":$([*40)$(]*40)}" -> 400 malformed
nobody POST /v1/games body "$({\"a\":*300)1$(}*300)" -> 400 malformed

story "a refusal lists the first of many faults, and their number"
nobody POST /v1/games {"name":"A","a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1} -> 422 invalid .errors count 16 .detail lacks "first"
nobody POST /v1/games {"name":"A","a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1} -> 422 invalid .errors count 16 .detail has "first 16 faults of 17"

story "a fault of an unknown member lists the known ones"
nobody POST /v1/games {"name":"A","colour":1} -> 422 invalid .errors[0].code == "unknown"
	.errors[0].detail == "There is no such member here; there may be: name, avatar, client_reference, ruleset, mode, stacks, round_end, seats, visibility, spectators, absence_seconds, bots, start, bot_level."
nobody POST /v1/games {"name":"A","ruleset":"famiglia","mode":"basic"} -> 422 invalid
	.errors[0].detail == "There is no such member here; there may be: name, avatar, client_reference, ruleset, seats, visibility, spectators, absence_seconds, bots, start, bot_level."
table A B C
A POST /chips/white/1/return {"from":1} -> 422 invalid .errors[0].detail has "an empty object"

story "all strict JSON is accepted"
nobody POST /v1/games body "\x20\x0a\x0d\x09{ \"name\" : \"\\u0041\\uD83D\\uDE00\\/\" , \"seats\":4e0 }\x20" -> 201 .game.seats == 4
nobody POST /v1/games body "\x20\x0a\x0d\x09{ \"name\" : \"\\u0041\\uD83D\\uDE00\\/\" }\x20" -> 201 .game.players[0].name == "A😀/"

story "every route that takes a body is as strict"
table A B C
for $path in /players /start /chips/white/1/take /chips/white/1/return /heists
	A POST $path body "{"            -> 400 malformed
	A POST $path body "{\"a\":1,\"a\":1}" -> 400 malformed
	A POST $path body "{\"a\":\"\xff\"}" -> 400 malformed
	A POST $path []                  -> 422 invalid
end
A DELETE "" body "{"                     -> 400 malformed
A DELETE "" {"really":true}              -> 422 invalid .errors[0].pointer == "/really"
nobody POST /v1/invitations/$code/players body "{" -> 400 malformed
nobody POST /v1/rules/evaluations body "{\"hands\":[[\"Ah\",]]}" -> 400 malformed
