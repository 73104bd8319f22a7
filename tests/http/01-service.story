# What the service says of itself, to anybody.

story "alive and ready"
nobody GET /livez                       -> 200 .status == "ok"
nobody GET /readyz                      -> 200 .status == "ok"

story "HEAD is GET without the body"
nobody GET /livez                       -> 200 keep length = header content-length
nobody HEAD /livez                      -> 200 body == ""
	header content-length == "$length"
	header content-type == "application/json"

story "OPTIONS tells what a path knows"
for $path $allow
	| /livez                 | GET, HEAD, OPTIONS
	| /v1/games              | GET, HEAD, POST, OPTIONS
	| /v1/rules/evaluations  | OPTIONS, POST
	nobody OPTIONS $path            -> 204 body == "" keep allow = header allow
end
nobody OPTIONS /livez -> 204 header allow has "GET" header allow has "HEAD" header allow has "OPTIONS"
nobody OPTIONS /v1/rules/evaluations -> 204 header allow has "POST" header allow lacks "GET"

story "a request has an id, the client's or the service's"
nobody GET /livez with X-Request-Id: my-id.42   -> 200 header x-request-id == "my-id.42"
nobody GET /livez                       -> 200 header x-request-id matches "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$"
nobody GET /livez with X-Request-Id: <script> -> 200 header x-request-id lacks "script"

story "the contract, as JSON and as YAML"
nobody GET /openapi.json                -> 200 header content-type == "application/json"
	.openapi matches "^3\\.1"
	.paths./v1/games.post exists
nobody GET /openapi.yaml                -> 200 body has "openapi: 3.1"

story "a page to read and try it, without scripts from elsewhere"
nobody GET /docs                        -> 200 header content-type has "text/html"
	header content-security-policy has "script-src 'self'"
	header content-security-policy matches "script-src 'self';"
	body lacks "http://"
	body lacks "https://"
for $asset $type
	| init.js                | text/javascript
	| page.css               | text/css
	| swagger-ui-bundle.js   | text/javascript
	| swagger-ui.css         | text/css
	nobody GET /docs/$asset         -> 200 header content-type has "$type"
end
nobody GET /docs/passwd                 -> 404 no_such_route

story "each problem's type is a page that explains it"
for $code in malformed invalid chip_moved no_such_chip store_unavailable internal
	nobody GET /problems/$code      -> 200 header content-type has "text/html" body has "$code"
end
nobody GET /problems/no_problem         -> 404 no_such_route
nobody GET /problems/ok                 -> 404 no_such_route

story "nothing answers elsewhere"
for $path in / /v1 /v1/ /v1/game /v1/games/ /livez/ /livez/x //livez /v1/rules /LIVEZ /%6Civez
	nobody GET $path                -> 404 no_such_route .instance == "$path"
end
