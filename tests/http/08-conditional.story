# If-None-Match and If-Match (RFC 9110).

story "a view that has not changed is not sent again"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag      -> 304 body == ""
	header etag == "$etag"
	header cache-control == "private, no-cache"
	header vary has "Authorization"
A HEAD "" with If-None-Match: $etag     -> 304
A GET "" with If-None-Match: *          -> 304
A GET "" with If-None-Match: "x", $etag -> 304
A GET "" with If-None-Match: W/$etag    -> 304
A GET "" with If-None-Match: "x"        -> 200 header etag == "$etag"

story "every player's move changes the ETag"
table A B C
A GET ""                                -> 200 keep etag = header etag
B POST /chips/white/1/take              -> 200 header etag != "$etag"
A GET "" with If-None-Match: $etag      -> 200 header etag != "$etag"

story "each player's view has a tag of its own"
table A B C
A GET ""                                -> 200 keep etag = header etag
B GET ""                                -> 200 header etag != "$etag"
B GET "" with If-None-Match: $etag      -> 200

story "the answer to a move has the tag of the view in it"
table A B C
A POST /chips/white/1/take              -> 200 keep etag = header etag keep view = .
A GET ""                                -> 200 header etag == "$etag" . == $view

story "a move with If-Match is refused in another version"
table A B C
A GET ""                                -> 200 keep etag = header etag
A POST /chips/white/1/take with If-Match: $etag -> 200
A POST /chips/white/2/take with If-Match: $etag -> 412 version_mismatch
A POST /chips/white/1/return with If-Match: "x" -> 412 version_mismatch
A POST /chips/white/2/take with If-Match: * -> 200

story "an If-Match that can never match is refused as invalid"
table A B C
A GET ""                                -> 200 keep etag = header etag
for $field $fault
	| W/$etag          | weak
	| W/"x"            | weak
	| "x", W/$etag     | weak
	| x                | malformed
	| "a b"            | malformed
	| ,                | malformed
	| *, "x"           | malformed
	| w/"x"            | malformed
	| $etag $etag      | malformed
	| $etag; "x"       | malformed
	A POST /chips/white/1/take with If-Match: $field -> 422 invalid .errors count 1
		.errors[0].header == "If-Match" .errors[0].code == "$fault" .errors[0].detail has "ETag"
	A GET "" with If-Match: $field  -> 422 invalid
	A DELETE "" with If-Match: $field -> 422 invalid
end
A POST /chips/white/1/take {"x":1} with If-Match: x -> 422 invalid .errors count 2
nobody POST /v1/games/$game/start with If-Match: x -> 401 unauthenticated
A POST /chips/white/1/take with If-Match: "x", $etag, "y" -> 200

story "a move with If-None-Match is refused in the named version"
table A B C
A GET ""                                -> 200 keep etag = header etag
A POST /chips/white/1/take with If-None-Match: $etag -> 412 version_mismatch .detail has "If-None-Match"
A POST /chips/white/1/take with If-None-Match: W/$etag -> 412 version_mismatch
for $method $path
	| POST   | /chips/white/1/take
	| POST   | /chips/red/1/take
	| POST   | /start
	| POST   | /heists
	A $method $path with If-None-Match: * -> 412 version_mismatch
end
A DELETE "" with If-None-Match: *       -> 412 version_mismatch
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} with If-None-Match: * -> 412 version_mismatch
A POST /chips/white/1/take with If-None-Match: "x" -> 200
A POST /chips/white/1/return with If-None-Match: $etag -> 200
A POST /chips/white/1/take with If-Match: "x" with If-None-Match: * -> 412 .detail has "If-Match"
nobody POST /v1/games/$game/chips/white/1/take with If-None-Match: * -> 401 unauthenticated
B DELETE "" with If-None-Match: *       -> 412 version_mismatch
nobody POST /v1/games {"name":"A"} with If-None-Match: * -> 201

story "If-Match is checked before the rules"
table A B C
A POST /chips/red/1/take with If-Match: "x" -> 412 version_mismatch
A POST /heists with If-Match: "x"       -> 412 version_mismatch
A POST /start with If-Match: "x"        -> 412 version_mismatch
A POST /chips/white/9/take with If-Match: "x" -> 404 no_such_chip
nobody POST /v1/games/$game/chips/white/1/take with If-Match: "x" -> 401 unauthenticated

story "hands, events, heists and showdowns have tags too"
table A B C
heist right
for $path in /invitation /hand /players/1/hand /players/2/hand /events /heists /heists/1 /showdown
	A GET $path                     -> 200 header etag exists keep etag = header etag
		header cache-control == "private, no-cache"
	A GET $path with If-None-Match: $etag -> 304 body == ""
	A HEAD $path                    -> 200 body == ""
end

story "a refusal comes before If-None-Match"
lobby A B C
A GET ""                                -> 200 keep etag = header etag
A GET /showdown with If-None-Match: $etag -> 409 game_not_started
A GET /heists/1 with If-None-Match: *   -> 404 no_such_heist
A POST /start                           -> 200 keep etag = header etag
A GET /players/2/hand with If-None-Match: $etag -> 403 not_your_hand
A GET /players/6/hand with If-None-Match: $etag -> 404 no_such_seat
A GET /showdown with If-None-Match: $etag -> 409 showdown_not_reached

story "If-Match works for reading too"
table A B C
heist right
for $path in /invitation /hand /players/1/hand /events /heists /heists/1 /showdown
	A GET $path with If-Match: "x"  -> 412 version_mismatch
	A GET $path with If-Match: *    -> 200
end
A GET "" with If-Match: "x"             -> 412 version_mismatch

story "a caller who joins has no view, so If-Match is refused"
lobby A
nobody GET /v1/invitations/$code with If-Match: "x" -> 412 version_mismatch
nobody POST /v1/invitations/$code/players {"name":"B"} with If-Match: "x" -> 412 version_mismatch
nobody POST /v1/games/$game/players {"name":"B","invite_code":"$code"} with If-Match: "x" -> 412 version_mismatch
