# Methods, media types and sizes, as HTTP says.

story "a method that the path lacks is refused with the allowed ones"
table A B C
for $method $path
	| DELETE | /livez
	| POST   | /readyz
	| PUT    | /v1/games
	| PATCH  | /v1/games/$game
	| PATCH  | /v1/games/$game/players
	| POST   | /v1/games/$game
	| GET    | /v1/games/$game/start
	| GET    | /v1/games/$game/chips/white/1/take
	| DELETE | /v1/games/$game/hand
	| PUT    | /v1/rules/evaluations
	| TRACE  | /livez
	| HEAD   | /v1/rules/evaluations
	nobody $method $path            -> 405 header allow has "OPTIONS"
end
nobody GET /v1/rules/evaluations        -> 405 method_not_allowed header allow has "POST"
	.detail == "This path does not know GET; it knows POST, OPTIONS."
nobody PUT /v1/games/$game              -> 405 method_not_allowed header allow has "GET" header allow has "DELETE" header allow has "HEAD"

story "a path with an impossible name is refused before the method"
lobby A
for $method in PUT OPTIONS POST HEAD
	nobody $method /v1/games/xyz    -> 404
end
nobody GET /v1/games/$game/chips/blue/1/take -> 404 no_such_chip
nobody PUT /v1/invitations/UUUUUUUU     -> 404 no_such_invitation

story "an unknown method is refused on every path"
for $method in BREW get CONNECTED PROPFIND X
	nobody $method /livez           -> 501 not_implemented
	nobody $method /nowhere         -> 501 not_implemented
end

story "every path answers OPTIONS"
lobby A
for $path in /livez /v1/games /v1/games/$game /v1/games/$game/hand /v1/games/$game/heists /v1/games/$game/chips/white/1/take /v1/invitations/$code
	nobody OPTIONS $path            -> 204 body == "" header allow has "OPTIONS"
end
nobody OPTIONS /nowhere                 -> 404 no_such_route
nobody OPTIONS *                        -> 204 header allow has "GET"

story "an unacceptable media type is refused"
table A B C
heist right
for $accept $status
	| image/png                                   | 406
	| text/html                                   | 406
	| application/xml, text/*                     | 406
	| application/json;q=0                        | 406
	| */*;q=0                                     | 406
	| application/json                            | 200
	| application/*                               | 200
	| */*                                         | 200
	| text/html, */*;q=0.1                        | 200
	| APPLICATION/JSON                            | 200
	| application/problem+json                    | 200
	| application/json; q=0.001                   | 200
	nobody GET /livez with Accept: $accept -> $status
	A GET "" with Accept: $accept   -> $status
end
for $method $path
	| GET    | /livez
	| GET    | /readyz
	| GET    | /openapi.json
	| GET    | /openapi.yaml
	| GET    | /docs
	| GET    | /problems/invalid
	| POST   | /v1/rules/evaluations
	| POST   | /v1/games
	| GET    | /v1/games/$game
	| GET    | /v1/games/$game/invitation
	| POST   | /v1/games/$game/players
	| GET    | /v1/invitations/$code
	| POST   | /v1/invitations/$code/players
	| POST   | /v1/games/$game/start
	| GET    | /v1/games/$game/hand
	| GET    | /v1/games/$game/players/1/hand
	| GET    | /v1/games/$game/events
	| POST   | /v1/games/$game/chips/white/1/take
	| POST   | /v1/games/$game/chips/white/1/return
	| POST   | /v1/games/$game/heists
	| GET    | /v1/games/$game/heists
	| GET    | /v1/games/$game/heists/1
	| GET    | /v1/games/$game/showdown
	nobody $method $path with Accept: image/png -> 406 not_acceptable
end
nobody GET /docs with Accept: text/html -> 200
nobody GET /openapi.yaml with Accept: application/yaml -> 200

story "a body of another type than JSON is refused"
table A B C
for $type in text/plain application/x-www-form-urlencoded application/jsonp application/xml multipart/form-data json
	nobody POST /v1/games {"name":"A"} with Content-Type: $type -> 415 unsupported_media_type
		header accept == "application/json" .detail has "--json"
	A POST /chips/white/1/take {} with Content-Type: $type -> 415 unsupported_media_type
end
nobody POST /v1/games {"name":"A"} with Content-Type: -> 415 unsupported_media_type
nobody POST /v1/games {"name":"A"} with Content-Type: application/json; charset=utf-8 -> 201
nobody POST /v1/games {"name":"A"} with Content-Type: Application/JSON -> 201

story "a compressed body is refused"
for $coding in gzip deflate br zstd x-gzip identity,gzip GZIP
	nobody POST /v1/games {"name":"A"} with Content-Encoding: $coding -> 415 unsupported_media_type
		header accept-encoding == "identity" header accept == "application/json" .detail has "Content-Encoding"
end
nobody POST /v1/games body "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" with Content-Encoding: gzip with Content-Type: application/json -> 415 unsupported_media_type
	header accept-encoding == "identity"
nobody POST /v1/games {"name":"A"} with Content-Encoding: identity -> 201
nobody POST /v1/games {"name":"A"} with Content-Encoding: IDENTITY, identity -> 201
nobody GET /v1/rules/modes with Content-Encoding: gzip -> 200

story "a whole number may be written like a float"
for $seats in 4.0 4e0 40e-1 0.4E+1 4.000000000000000000000
	nobody POST /v1/games body "{\"name\":\"A\",\"seats\":$seats}" -> 201 .game.seats == 4
end
for $seats $code
	| 4.5                      | wrong_type
	| 4.00000000000000000001   | wrong_type
	| 4e-400                   | wrong_type
	| 4e400                    | out_of_range
	| -0.0                     | out_of_range
	| 9007199254740993.0       | out_of_range
	nobody POST /v1/games body "{\"name\":\"A\",\"seats\":$seats}" -> 422 invalid .errors[0].pointer == "/seats" .errors[0].code == "$code"
end
table A B C
A POST /actions body "{\"action\":\"take_chip\",\"color\":\"white\",\"stars\":1.0}" -> 200 .heist.chips[0].seat == 1
B POST /actions body "{\"action\":\"take_chip\",\"color\":\"white\",\"stars\":10e-1,\"from\":1.0}" -> 200 .heist.chips[0].seat == 2
C POST /chips/white/1/take body "{\"from\":2e0}" -> 200 .heist.chips[0].seat == 3

story "a body in another charset than UTF-8 is refused"
for $parameter in charset=iso-8859-1 charset=utf-16 charset="latin1" CHARSET=us-ascii charset= x=1;charset=utf-7
	nobody POST /v1/games {"name":"A"} with Content-Type: application/json;$parameter -> 415 unsupported_media_type
		header accept == "application/json" .detail has "UTF-8"
end
for $parameter in charset=UTF-8 charset="utf-8" charset=utf8 x=1 x=";charset=latin1"
	nobody POST /v1/games {"name":"A"} with Content-Type: application/json;$parameter -> 201
end

story "a body that is too large is refused"
nobody POST /v1/games {"name":"$(x*4200)"} -> 413 body_too_large .detail has "4096 bytes"
nobody POST /v1/games {"name":"$(x*70000)"} -> 413 body_too_large
nobody POST /v1/games {"name":"$(x*4000)"} -> 422 invalid
nobody POST /v1/rules/evaluations {"hands":"$(x*16000)"} -> 422 invalid
nobody POST /v1/rules/evaluations {"hands":"$(x*17000)"} -> 413 body_too_large .detail has "16384 bytes"
table A B C
for $path in /players /start /chips/white/1/take /chips/white/1/return /heists
	A POST $path {"x":"$(x*5000)"}  -> 413 body_too_large
end
A DELETE "" {"x":"$(x*5000)"}           -> 413 body_too_large
nobody POST /v1/invitations/$code/players {"name":"$(x*5000)"} -> 413 body_too_large

story "a body of a GET is refused"
table A B C
nobody GET /livez {"x":1}               -> 400 malformed .detail has "GET takes no body"
nobody GET /v1/rules/modes {"x":"$(x*5000)"} -> 400 malformed
A GET "" {}                             -> 400 malformed
A GET /events body "x"                  -> 400 malformed
nobody GET /livez {"x":1} with Transfer-Encoding: chunked -> 400 malformed .detail has "GET takes no body"

story "an address that is too long is refused"
nobody GET /livez?$(x*2100)             -> 414 uri_too_long
nobody GET /$(x*2100)                   -> 414 uri_too_long
nobody GET /livez?$(x*1900)             -> 200

story "header fields that are too long are refused"
nobody GET /livez with X-Long: $(x*17000) -> 431 headers_too_large
nobody GET /livez with X-Long: $(x*16000) -> 200

story "an id that is not a UUID is an unknown game, on every route"
lobby A
for $id in 1 x $(0*36) 01890a5d-ac96-774b-bcce-b302099a805 01890a5d-ac96-774b-bcce-b302099a80571 01890a5dac96774bbcceb302099a8057 g1890a5d-ac96-774b-bcce-b302099a8057
	nobody GET /v1/games/$id        -> 404 no_such_game
	A GET /v1/games/$id             -> 404 no_such_game
	nobody POST /v1/games/$id/players {"name":"A"} -> 404 no_such_game
end
for $method $path
	| DELETE | ""
	| GET    | /invitation
	| POST   | /start
	| GET    | /hand
	| GET    | /players/1/hand
	| GET    | /events
	| POST   | /chips/white/1/take
	| POST   | /chips/white/1/return
	| POST   | /heists
	| GET    | /heists
	| GET    | /heists/1
	| GET    | /showdown
	nobody $method /v1/games/no-uuid$path -> 404 no_such_game
	A      $method /v1/games/no-uuid$path -> 404 no_such_game
end

story "a malformed path is refused with a hint"
nobody GET /v1/games/%00                -> 404
nobody GET /v1/games//hand              -> 404
nobody GET /v1/games//hand              -> 404 no_such_route .detail has "empty part"
nobody GET /v1/games/{game_id}          -> 404 no_such_game .detail has "{game_id}"
nobody GET /v1/games/{game_id}/         -> 404 no_such_route .detail has "{game_id}"
nobody GET /v1/games/%7Bgame_id%7D      -> 404 no_such_route .detail has "{game_id}"
nobody POST /v1/invitations/{code}/players {"name":"A"} -> 404 no_such_invitation .detail has "braces"
nobody GET /v1/games/%31                -> 404 no_such_route .detail has "percent-encoded"
lobby A
for $path in /livez/ /v1/games/ /v1/games/$game/ /v1/games/$game/hand/ /docs/
	nobody GET $path                -> 404 no_such_route .detail has "slash"
end
nobody POST /v1/games/ {"name":"A"}     -> 404 no_such_route .detail has "slash"
nobody GET /v1/nowhere                  -> 404 no_such_route .detail lacks "slash"
