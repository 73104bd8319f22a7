# traceparent (W3C Trace Context): the refusal of a request names its trace, and
# so does the log.

story "a problem has the trace id of its request"
nobody GET /nowhere with traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 -> 404 no_such_route
	.trace_id == "0af7651916cd43dd8448eb211c80319c"
table A B C
A POST /chips/white/1/return with traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00 -> 409 chip_not_held
	.trace_id == "0af7651916cd43dd8448eb211c80319c"
nobody POST /v1/games body "{" with Content-Type: application/json with traceparent: 01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more -> 400 malformed
	.trace_id == "0af7651916cd43dd8448eb211c80319c"

story "an invalid traceparent is ignored"
for $field
	| 00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01
	| 00-00000000000000000000000000000000-b7ad6b7169203331-01
	| 00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01
	| ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
	| 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more
	| 0af7651916cd43dd8448eb211c80319c
	| x
	nobody GET /nowhere with traceparent: $field -> 404 no_such_route .trace_id absent
end
nobody GET /nowhere                     -> 404 no_such_route .trace_id absent

story "a successful answer does not show the trace id"
table A B C
A GET "" with traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 -> 200 .trace_id absent
	header traceparent absent body lacks "0af7651916cd43dd8448eb211c80319c"
operator log-has '"trace":"0af7651916cd43dd8448eb211c80319c"'
