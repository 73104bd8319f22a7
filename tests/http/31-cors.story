# Which pages' scripts may use the service from a browser (the Fetch
# standard).  The other daemon lets https://app.example and
# http://localhost:5173 in, this one nobody.

story "no origin is allowed by default"
nobody GET /livez with Origin: https://app.example -> 200 header access-control-allow-origin absent header vary absent
nobody OPTIONS /v1/games with Origin: https://app.example with Access-Control-Request-Method: POST -> 204
	header access-control-allow-origin absent header access-control-allow-methods absent header allow exists

story "the named origins are allowed"
elsewhere
for $origin
	| https://app.example
	| http://localhost:5173
	nobody GET /v1/rules/modes with Origin: $origin -> 200
		header access-control-allow-origin == "$origin"
		header access-control-expose-headers has "ETag"
		header access-control-expose-headers has "Content-Location"
		header access-control-allow-credentials absent
		header vary == "Accept-Language, Origin"
end

story "other origins get an answer without CORS fields"
elsewhere
for $origin
	| https://evil.example
	| https://app.example.evil.example
	| https://app.example:8443
	| http://app.example
	| null
	nobody GET /livez with Origin: $origin -> 200 header access-control-allow-origin absent
		header access-control-expose-headers absent header vary has "Origin"
end
nobody GET /livez                       -> 200 header access-control-allow-origin absent header vary has "Origin"

story "a preflight request is answered"
elsewhere
table A B C
for $path $method
	| /v1/games                               | POST
	| /v1/games/$game                         | GET
	| /v1/games/$game                         | DELETE
	| /v1/games/$game/chips/white/1/take      | POST
	| /v1/games/$game/events                  | GET
	nobody OPTIONS $path with Origin: https://app.example with Access-Control-Request-Method: $method with Access-Control-Request-Headers: authorization, content-type -> 204
		header access-control-allow-origin == "https://app.example"
		header access-control-allow-methods has "$method"
		header access-control-allow-headers has "Authorization"
		header access-control-allow-headers has "Idempotency-Key"
		header access-control-allow-headers has "Last-Event-ID"
		header access-control-max-age == "7200"
		header access-control-expose-headers absent
		header vary has "Origin" body == ""
end
nobody OPTIONS /v1/games with Origin: https://evil.example with Access-Control-Request-Method: POST -> 204
	header access-control-allow-origin absent header access-control-allow-methods absent
nobody OPTIONS /v1/games with Origin: https://app.example -> 204
	header access-control-allow-methods absent header access-control-allow-origin == "https://app.example"

story "a preflight is not refused, whatever the request will be answered"
elsewhere
for $path $status $code
	| /nowhere                          | 404 | no_such_route
	| /v1/games/no-id                   | 404 | no_such_game
	| /v1/invitations/TAMS8NZ/players  | 404 | no_such_invitation
	| /v1/invitations/TAMS8NZJ%20       | 404 | no_such_route
	| /v1/rules/modes                   | 405 | method_not_allowed
	| /$(x*2100)                        | 414 | uri_too_long
	| /v1/games?$(x*2100)               | 414 | uri_too_long
	nobody OPTIONS $path with Origin: https://app.example with Access-Control-Request-Method: POST with Access-Control-Request-Headers: baggage,content-type,sentry-trace,x-requested-with -> 204
		header access-control-allow-origin == "https://app.example"
		header access-control-allow-methods has "POST"
		header access-control-allow-headers has ", baggage, sentry-trace, x-requested-with"
		header ratelimit absent body == ""
	nobody POST $path {} with Origin: https://app.example -> $status $code
		header access-control-allow-origin == "https://app.example"
	nobody OPTIONS $path with Origin: https://evil.example with Access-Control-Request-Method: POST with Access-Control-Request-Headers: baggage -> 204
		header access-control-allow-origin absent header access-control-allow-headers absent
end
nobody OPTIONS /v1/games with Origin: https://app.example with Access-Control-Request-Method: patch -> 204
	header access-control-allow-methods == "GET, HEAD, POST, PUT, PATCH, DELETE, patch"
nobody patch /v1/games {} with Origin: https://app.example -> 501 not_implemented
	header access-control-allow-origin == "https://app.example"
nobody OPTIONS /nowhere with Origin: https://app.example -> 404 no_such_route
	header access-control-allow-origin == "https://app.example"
nobody OPTIONS /nowhere with Access-Control-Request-Method: POST -> 404 no_such_route

story "a preflight may ask for many fields with long names"
elsewhere
nobody OPTIONS /v1/games with Origin: https://app.example with Access-Control-Request-Method: POST with Access-Control-Request-Headers: $(x-123456789-123456789-123456789-12345678,*40)x -> 204
	header access-control-allow-headers has "traceparent, x-123456789"
raw "OPTIONS /v1/games HTTP/1.1\r\nHost: a\r\nHost: b\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: GET\r\n\r\n" -> 400

story "a script can read errors"
elsewhere
nobody GET /livez with Origin: https://app.example with X-Long: $(x*17000) -> 431 headers_too_large
	header access-control-allow-origin == "https://app.example" header vary has "Origin"
nobody GET /livez with X-Long: $(x*17000) with Origin: https://app.example -> 431 headers_too_large
	header access-control-allow-origin == "https://app.example"
nobody GET /livez with Origin: https://app.example with X-Long: $(x*30000) -> 431 headers_too_large
	header access-control-allow-origin == "https://app.example"
table A B C
A GET "" with Origin: https://app.example -> 200 header access-control-allow-origin == "https://app.example"
	header vary == "Authorization, Origin"
A POST /chips/white/1/return with Origin: https://app.example -> 409 chip_not_held
	header access-control-allow-origin == "https://app.example"
nobody GET /v1/games/$game with Origin: https://app.example -> 401 unauthenticated
	header access-control-allow-origin == "https://app.example"
nobody POST /v1/games {"nome":"A"} with Origin: https://app.example -> 422 invalid
	header access-control-allow-origin == "https://app.example"
nobody GET /nowhere with Origin: https://app.example -> 404 no_such_route
	header access-control-allow-origin == "https://app.example"
nobody PUT /v1/games with Origin: https://app.example -> 405 method_not_allowed
	header access-control-allow-origin == "https://app.example"
A GET "" with Origin: https://app.example -> 200 keep etag = header etag
A GET "" with Origin: https://app.example with If-None-Match: $etag -> 304
	header access-control-allow-origin == "https://app.example" header access-control-expose-headers has "ETag"

story "a script can hear a stream"
elsewhere
table A B C
A streams /events with Origin: https://app.example -> header access-control-allow-origin == "https://app.example"
	header vary == "Accept, Authorization, Origin"
A hears 7
B POST /chips/white/1/take with Origin: https://evil.example -> 200
A hears {"type":"chip_taken"}
A streams /events with Origin: https://evil.example -> header access-control-allow-origin absent
A hears 8
