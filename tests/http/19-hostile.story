# Bytes that no good client sends.

story "well-formed raw requests are answered"
raw "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" -> 200
raw "GET /livez HTTP/1.0\r\n\r\n"        -> 200
raw "GET http://anywhere/livez HTTP/1.1\r\nHost: a\r\n\r\n" -> 200

story "a chunked body follows the same rules"
nobody POST /v1/games {"name":"A"} with Transfer-Encoding: chunked -> 201
nobody POST /v1/games body "{" with Transfer-Encoding: chunked -> 400 malformed
nobody POST /v1/games {"name":"$(x*5000)"} with Transfer-Encoding: chunked -> 413 body_too_large
nobody POST /v1/games {"name":"A"} with Transfer-Encoding: chunked with Content-Type: text/plain -> 415 unsupported_media_type

story "a request whose end is ambiguous is refused"
for $fields
	| "Content-Length: 2\r\nContent-Length: 2"
	| "Content-Length: 2\r\nContent-Length: 20"
	| "Content-Length: 2\r\nTransfer-Encoding: chunked"
	| Transfer-Encoding: gzip
	| Transfer-Encoding: gzip, chunked
	| "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
	| Transfer-Encoding: xchunked
	raw "POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n$fields\r\n\r\n{}" -> 400 malformed
		header connection == "close"
end

story "a request whose host is ambiguous is refused"
raw "GET /livez HTTP/1.1\r\n\r\n"        -> 400 malformed header connection == "close"
raw "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" -> 400 malformed
raw "GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n" -> 400 malformed
raw "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n" -> 400 malformed

story "an invalid target is refused"
for $target in livez *
	raw "GET $target HTTP/1.1\r\nHost: a\r\n\r\n" -> 400 malformed
end
raw "GET /li\x01vez HTTP/1.1\r\nHost: a\r\n\r\n" -> 400 malformed
raw "GET /li\xffvez HTTP/1.1\r\nHost: a\r\n\r\n" -> 400 malformed
raw "GET /livez#x HTTP/1.1\r\nHost: a\r\n\r\n" -> 400 malformed
nobody GET /livez%00                     -> 404 no_such_route
nobody GET /v1%2Fgames                   -> 404 no_such_route
nobody GET /livez/../readyz              -> 404 no_such_route

story "control characters in a field are refused"
raw "GET /livez HTTP/1.1\r\nHost: a\r\nX-A: b\x01c\r\n\r\n" -> 400 malformed
raw "GET /livez HTTP/1.1\r\nHost: a\r\nX-A\t: b\r\n\r\n" -> refused 400

story "two requests in one piece are answered one after the other"
raw "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n" -> 404 no_such_route

story "a request that libmicrohttpd cannot read is refused once"
raw "POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n{}" -> 400 malformed
raw "POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}" -> 400 malformed
raw "GET /livez HTTP/1.1\r\nHost: a\r\nX: $(x*40000)\r\n\r\n" -> 431 headers_too_large

story "libmicrohttpd refuses some requests by itself"
raw "GET /livez HTTP/2.0\r\nHost: a\r\n\r\n" -> library 505
raw "GET /$(x*40000) HTTP/1.1\r\nHost: a\r\n\r\n" -> library 414
raw "GARBAGE\r\n\r\n"                 -> library 0
raw "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n" -> library 0

story "the service still answers"
nobody GET /livez                        -> 200
nobody GET /readyz                       -> 200
