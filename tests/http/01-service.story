# The routes that describe the service itself, open to anybody.

story "the service is alive and ready"
nobody GET /livez                       -> 200 .status == "ok"
nobody GET /readyz                      -> 200 .status == "ok"

story "HEAD is GET without the body"
nobody GET /livez                       -> 200 keep length = header content-length
nobody HEAD /livez                      -> 200 body == ""
	header content-length == "$length"
	header content-type == "application/json"

story "OPTIONS lists the methods of a path"
for $path $allow
	| /livez                 | GET, HEAD, OPTIONS
	| /v1/games              | GET, HEAD, POST, OPTIONS
	| /v1/rules/evaluations  | OPTIONS, POST
	nobody OPTIONS $path            -> 204 body == "" keep allow = header allow
end
nobody OPTIONS /livez -> 204 header allow has "GET" header allow has "HEAD" header allow has "OPTIONS"
nobody OPTIONS /v1/rules/evaluations -> 204 header allow has "POST" header allow lacks "GET"

story "each answer has a request id, the client's or the service's"
nobody GET /livez with X-Request-Id: my-id.42   -> 200 header x-request-id == "my-id.42"
nobody GET /livez                       -> 200 header x-request-id matches "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$"
nobody GET /livez with X-Request-Id: <script> -> 200 header x-request-id lacks "script"

story "the contract is served as JSON and as YAML"
nobody GET /openapi.json                -> 200 header content-type == "application/json"
	.openapi matches "^3\\.1"
	.paths./v1/games.post exists
nobody GET /openapi.yaml                -> 200 body has "openapi: 3.1"

story "the root path is the table"
nobody GET /                            -> 200 header content-type == "text/html; charset=utf-8" header cache-control == "no-cache"
	body has "<script type=\"module\">" body has "<style>" body lacks " src=" body lacks "rel=\"stylesheet"
	body lacks "href=\"/" body lacks "href=\"http"
	header content-security-policy matches "^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$"
nobody HEAD /                           -> 200 body == ""
nobody POST / {}                        -> 405 method_not_allowed header allow == "GET, HEAD, OPTIONS"

story "pages, files and probes ignore any query"
# What messengers, link shorteners, monitors and people append.
for $query in fbclid=IwAR0x_-.~ utm_source=a&utm_medium=b gclid=1 igshid=%3D source=pwa t=1 t=1&t=2 lang=xx lang=en&lang=de & =x a=b=c %00=1 a=%00 a=%zz a=% %E0%A4%A a=%ff a=+ ?? a[]=1 ;x=1
	for $path in / /docs /livez /readyz /openapi.json /openapi.yaml /table/worker.js /table/icon.svg /docs/swagger-ui.css /problems/invalid
		nobody GET "$path?$query"       -> 200
	end
	nobody HEAD "/?$query"          -> 200
end
nobody GET "/?" -> 200 keep etag = header etag
nobody GET /?fbclid=1 with If-None-Match: $etag -> 304
nobody GET /none?fbclid=1               -> 404 no_such_route

story "the API refuses a parameter that it does not know, but for _ of a GET"
nobody GET /v1/rules/modes?fbclid=1     -> 422 invalid .errors[0].parameter == "fbclid"
nobody GET /v1/rules/modes?lang=%zz     -> 400 malformed
nobody GET /v1/rules/modes?_=1732600000000&lang=de&_=2 -> 200 .modes[0].name exists
nobody HEAD /v1/games?_=                -> 200
nobody GET /v1/rules/modes?__=1         -> 422 invalid .errors[0].parameter == "__"
nobody GET /v1/rules/modes?_=%zz        -> 400 malformed
nobody POST /v1/games?_=1 {"name":"Ada"} -> 422 invalid .errors[0].parameter == "_"

story "files are cached by tag, and compressed for clients that accept it"
for $path $cache
	| /openapi.json        | public, max-age=86400
	| /openapi.yaml        | public, max-age=86400
	| /                    | no-cache
	| /table/worker.js     | public, max-age=86400
	| /table/icon.svg      | public, max-age=86400
	| /docs                | no-cache
	| /docs/swagger-ui.css | public, max-age=86400
	nobody GET $path                -> 200 header content-encoding absent header vary == "Accept-Encoding"
		header cache-control == "$cache" header etag matches "^\"[0-9a-f]{20}\"$"
		keep etag = header etag keep length = header content-length
	nobody HEAD $path               -> 200 header content-length == "$length" header etag == "$etag" body == ""
	nobody GET $path with If-None-Match: $etag -> 304 body == "" header etag == "$etag"
		header cache-control == "$cache" header vary == "Accept-Encoding"
	nobody GET $path with If-None-Match: "x", W/$etag -> 304
	nobody HEAD $path with Accept-Encoding: gzip -> 200 header content-encoding == "gzip" header vary == "Accept-Encoding"
		header cache-control == "$cache" header etag matches "^\"[0-9a-f]{20}-gzip\"$" header etag != "$etag"
		header content-length != "$length" keep packed = header etag
	nobody HEAD $path with Accept-Encoding: gzip with If-None-Match: $packed -> 304 header etag == "$packed"
	nobody HEAD $path with Accept-Encoding: gzip with If-None-Match: $etag -> 200
	nobody HEAD $path with If-None-Match: $packed -> 200 header etag == "$etag"
	for $coding in identity gzip;q=0 br deflate,zstd *;q=0 gzip;q=0,*
		nobody HEAD $path with Accept-Encoding: $coding -> 200 header content-encoding absent header etag == "$etag"
	end
	for $coding in GZIP x-gzip * br,gzip;q=0.1 identity;q=0,gzip
		nobody HEAD $path with Accept-Encoding: $coding -> 200 header content-encoding == "gzip" header etag == "$packed"
	end
end

story "/docs loads no script from other sites"
nobody GET /docs                        -> 200 header content-type has "text/html"
	header content-security-policy matches "script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';"
	body lacks "href=\"http" body lacks "src=\"http"
	body lacks "href=\"/" body lacks "src=\"/"
for $asset $type
	| swagger-ui-bundle.js   | text/javascript
	| swagger-ui.css         | text/css
	nobody GET /docs/$asset         -> 200 header content-type has "$type"
end
for $name in passwd index.html index.policy openapi.json init.js page.css swagger-ui.css.gz swagger-ui. .css swagger-ui.00000000000000000000.css
	nobody GET /docs/$name          -> 404 no_such_route
end

story "beside the table are the files that a browser looks for apart"
nobody GET /table/table.webmanifest     -> 200 header content-type == "application/manifest+json" body has "./icon.svg"
nobody GET /table/icon.svg              -> 200 header content-type == "image/svg+xml" header service-worker-allowed absent
nobody GET /table/worker.js             -> 200 header content-type == "text/javascript; charset=utf-8"
	header service-worker-allowed == "../"
for $name in table.html table.policy passwd main.js theme.css index.js openapi.json worker.js.gz worker. .js worker.00000000000000000000.js
	nobody GET /table/$name         -> 404 no_such_route
end
for $name in worker.js icon.svg
	nobody GET /docs/$name          -> 404 no_such_route
end

story "each problem's type is a page that explains it"
for $code in malformed invalid chip_moved no_such_chip store_unavailable internal
	nobody GET /problems/$code      -> 200 header content-type has "text/html" body has "$code"
end
for $language $title
	| de        | Fehlerhafte Anfrage
	| de-AT     | Fehlerhafte Anfrage
	| fr        | Requête mal formée
	| it        | Malformed request
	nobody GET /problems/malformed with Accept-Language: $language -> 200 body has "<h1>$title</h1>" header vary == "Accept-Language"
end
nobody GET /problems/malformed with Accept-Language: it, ru;q=0.5, de;q=0.9 -> 200 header content-language == "de" body has "lang=\"de\""
nobody GET /problems/malformed?lang=ru with Accept-Language: de -> 200 header content-language == "ru" body has "lang=\"ru\""
nobody GET /problems/malformed?lang=en-GB -> 200 header content-language == "en"
nobody GET /problems/no_problem?lang=de -> 404 no_such_route
nobody GET /problems/no_problem         -> 404 no_such_route
nobody GET /problems/ok                 -> 404 no_such_route

story "any other path is refused"
for $path in /v1 /v1/ /v1/game /v1/games/ /livez/ /livez/x //livez /v1/rules /LIVEZ /%6Civez
	nobody GET $path                -> 404 no_such_route .instance == "$path"
end
