"""The rows of test_hostile.py: the bytes sent, and the answers to them.

    (name, pieces, answers, after)

The pieces are text, a byte for each character, or the other things of wire.py.
"$A" is the token of a player and "$game" the path of the game, both made for
the row.

The answers, in their order: "404 no_such_route" is a problem of ours with its
code, "library 400" an answer that libmicrohttpd gives before it asks us, and
"#one" the X-Request-Id that the answer must carry.  There must be no other
answers: a request that is hidden in a row has the id "smuggled", and must never
be answered.

Afterwards the connection is OPEN, and serves another request; or the daemon has
CLOSED it.  With ANY the row has ended it, or it does not matter.
"""
import ctypes

from wire import AWAIT, BEGUN, HALF, RESET, Endless, Pause

# libmicrohttpd 1.0 is strict, and refuses by itself most of what we refuse when it is
# 0.9, and chunks with an extension.  DEBIAN_12: it is 0.9 there.
_library = ctypes.CDLL("libmicrohttpd.so.12")
_library.MHD_get_version.restype = ctypes.c_char_p
IS_STRICT = not _library.MHD_get_version().startswith(b"0.")
REFUSED_IF_STRICT = {
    "a chunk with an extension", "a chunk with a quoted one",
    "a chunk with one at the end", "a chunk with LF alone",
    "a chunk that counts its CR", "three of them",
    "an extension with LF, then a hidden request",
    "an extension with LF that hides a request"}

OPEN, CLOSED, ANY = "open", "closed", "any"
MAYBE = "maybe "  # before an answer that need not come

TOO_LARGE = "431 headers_too_large"
JSON = '{"name":"A"}'
CHUNKED = f"{len(JSON):x}\r\n{JSON}\r\n0\r\n\r\n"


def request(line, *fields, host="a", body=""):
    lines = [line] + ([f"Host: {host}"] if host is not None else [])
    return "".join(text + "\r\n" for text in [*lines, *fields, ""]) + body


def get(target="/livez", *fields, id="one"):
    return request(f"GET {target} HTTP/1.1", f"X-Request-Id: {id}", *fields)


def post(*fields, body="", path="/v1/games", id="one", version="1.1"):
    return request(f"POST {path} HTTP/{version}", f"X-Request-Id: {id}",
                   "Content-Type: application/json", *fields, body=body)


def sized(body=JSON, *fields, **more):
    return post(f"Content-Length: {len(body)}", *fields, body=body, **more)


def chunked(body=CHUNKED, *fields, **more):
    return post("Transfer-Encoding: chunked", *fields, body=body, **more)


SMUGGLED = get(id="smuggled")
TWO = get(id="two")
BAD = "400 malformed #one"


# --- where a request ends ------------------------------------------------------

def hidden_by_lf():
    """Chunks with a second request in them, for a front that ends the line of
    a chunk's size at CR LF and knows that an extension may hold LF.

    The daemon ends that line at LF, so its chunk is JSON and blanks; that of
    the front begins after them, and is the last chunk and SMUGGLED.
    """
    theirs = "\r\n0\r\n\r\n" + SMUGGLED
    ours = JSON + " " * (len(theirs) - len(JSON) - 2) + "\r\n"
    return f"{len(theirs):x};\n{ours}{theirs}\r\n0\r\n\r\n"


def framing():
    both = CHUNKED + SMUGGLED
    length = f"Content-Length: {len(CHUNKED)}"
    coding = "Transfer-Encoding: chunked"
    yield "CL.TE", [post(length, coding, body=both)], BAD, CLOSED
    yield "TE.CL", [post(coding, length, body=both)], BAD, CLOSED
    yield ("CL 0 and TE",
           [post("Content-Length: 0", coding, body=both)], BAD, CLOSED)
    yield ("CL, TE of another kind",
           [post(length, "Transfer-Encoding: identity", body=both)],
           BAD, CLOSED)
    yield ("two TE, one of which is odd",
           [post(coding, "Transfer-Encoding: x", body=both)], BAD, CLOSED)
    yield ("two TE, the other way round",
           [post("Transfer-Encoding: x", coding, body=both)], BAD, CLOSED)
    yield ("TE under HTTP/1.0",
           [chunked(both, version="1.0")], BAD, CLOSED)
    yield ("TE under HTTP/1.0 that is to be kept",
           [chunked(both, "Connection: keep-alive", version="1.0")],
           BAD, CLOSED)

    for te in ("chunked", " chunked", "\tchunked", " \t chunked", "Chunked",
               "CHUNKED"):
        yield (f"TE {te!r} is chunked",
               [post("Transfer-Encoding:" + te, body=CHUNKED) + SMUGGLED],
               "201 #one", CLOSED)
    for te in ("chunked ", "chunked\t", "\x0bchunked", "\x0cchunked",
               "chunked\x0b", "chunked\x00", "chunked\x00x", "chunked\x7f",
               "\xa0chunked", "chunked,", ",chunked", "chunked, chunked",
               "chunked, identity", "identity, chunked", "identity", "",
               "chunked;q=1", '"chunked"', "'chunked'", "chunke", "chunkedd",
               "chun\rked", "c\u00adhunked", "gzip\r\n\tchunked"):
        yield (f"TE {te!r} is invalid",
               [post("Transfer-Encoding: " + te, body=both)], BAD, CLOSED)
    for name in ("Transfer-Encoding ", "Transfer-Encoding\t",
                 " Transfer-Encoding", "Transfer-Encoding\x00",
                 "Transfer-Encoding\x0b", "Transfer\rEncoding",
                 "\xa0Transfer-Encoding", "Transfer-Encoding:"):
        yield (f"a name like {name!r}",
               [post("Host: a" if name[0] == " " else "X-A: b",
                     name + ": chunked", body=both)],
               ["400"], CLOSED)
    yield ("TE as CGI would write it is another field",
           [post("Transfer_Encoding: chunked", body=TWO)],
           ["422 invalid #one", "200 #two"], OPEN)
    yield ("TE in small letters",
           [post("transfer-encoding: chunked", body=CHUNKED) + SMUGGLED],
           "201 #one", CLOSED)

    for field in ("Transfer-Encoding:\r\n chunked",
                  "Transfer-Encoding:\r\n\tchunked",
                  "Transfer-Encoding: chunked\r\n ",
                  "Transfer-Encoding: chunk\r\n ed",
                  "X-A: b\r\n Transfer-Encoding: chunked",
                  "Content-Length:\r\n 12", "Content-Length: 1\r\n 2",
                  "Content-Length: 12\r\n ", "Content-Length: 12\r\n\t\r\n "):
        body = JSON + SMUGGLED if "L" in field else both
        yield f"folded: {field!r}", [post(field, body=body)], BAD, CLOSED
        yield (f"folded, and more after it: {field!r}",
               [post(field, "X-B: c", body=body)], BAD, CLOSED)
    yield ("the first field is folded",
           [f"GET /livez HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n" + SMUGGLED],
           "400", CLOSED)


def lengths():
    for cl in ("12", "\t12", "   12", "012", "0" * 30 + "12"):
        yield (f"CL {cl!r}",
               [post("Content-Length:" + cl, body=JSON) + TWO],
               ["201 #one", "200 #two"], OPEN)
    for cl in ("12 ", "12\t", "+12", "-12", "-0", "0x0c", "c", "1 2", "1,2",
               "12,12", "12, 12", "", " ", "12;", "12.0", "1e1", "\xb9\xb2",
               "twelve", '"12"', "12\x0b"):
        yield (f"CL {cl!r}",
               [post("Content-Length: " + cl, body=JSON + SMUGGLED)],
               "400", CLOSED)
    yield ("CL with a zero byte",
           [post("Content-Length: 12\x003", body=JSON + SMUGGLED)],
           BAD, CLOSED)
    for number in (2**63 - 1, 2**63, 2**64 - 1):
        yield (f"CL {number}",
               [post(f"Content-Length: {number}", body=JSON + SMUGGLED)],
               "413 body_too_large #one", CLOSED)
    for number in (2**64, 2**64 + 12, 10**40):
        yield (f"CL {number}",
               [post(f"Content-Length: {number}", body=JSON + SMUGGLED)],
               "413 body_too_large #one", CLOSED)
    yield ("no length at all: no body",
           [post(body=TWO)], ["422 invalid #one", "200 #two"], OPEN)
    yield ("CL 0", [post("Content-Length: 0", body=TWO)],
           ["422 invalid #one", "200 #two"], OPEN)
    yield ("CL is one too small",
           [post("Content-Length: 11", body=JSON + "\r\n" + TWO)],
           BAD, ANY)
    yield ("a body where none is wanted",
           [request("GET /livez HTTP/1.1", "Content-Length: 12", body=JSON)
            + TWO], ["400 malformed", "200 #two"], OPEN)
    yield ("chunks where none are wanted",
           [request("GET /livez HTTP/1.1", "Transfer-Encoding: chunked",
                    body=CHUNKED) + SMUGGLED],
           "400 malformed", CLOSED)
    yield ("HEAD with a body",
           [request("HEAD /livez HTTP/1.1", "Content-Length: 12", body=JSON)],
           "400", OPEN)


def chunks():
    """The daemon closes a connection after a chunked body."""
    good = {
        "in small letters": CHUNKED,
        "in capitals": CHUNKED.replace("c", "C", 1),
        "with zeros": "000" + CHUNKED,
        "with many zeros": "0" * 40 + CHUNKED,
        "with an extension": CHUNKED.replace("\r\n", ";a=b\r\n", 1),
        "with a quoted one": CHUNKED.replace("\r\n", ';a="b;c"\r\n', 1),
        "with one at the end": CHUNKED[:-4] + ";x\r\n\r\n",
        "of a byte each": "".join(f"1\r\n{c}\r\n" for c in JSON)
                          + "0\r\n\r\n",
        "with a trailer": CHUNKED[:-2] + "X-A: b\r\n\r\n",
        "with a length in the trailer":
            CHUNKED[:-2] + "Content-Length: 100\r\n\r\n",
        "with a coding in the trailer":
            CHUNKED[:-2] + "Transfer-Encoding: chunked\r\n\r\n",
        "with an id in the trailer":
            CHUNKED[:-2] + "X-Request-Id: smuggled\r\n\r\n",
        "with a token in the trailer":
            CHUNKED[:-2] + "Authorization: Bearer x\r\nHost: b\r\n\r\n",
        # RFC 9112, section 2.2 allows this, and libmicrohttpd accepts it.
        "with LF alone": CHUNKED.replace("\r\n", "\n"),
        "that counts its CR": "d" + CHUNKED[1:],
    }
    for name, body in good.items():
        yield (f"a chunk {name}", [chunked(body) + SMUGGLED],
               "201 #one", CLOSED)
    size = f"{len(JSON):x}"
    rest = f"\r\n{JSON}\r\n0\r\n\r\n"
    for text in ("0x" + size, "+" + size, "-" + size, " " + size, "\t" + size,
                 size + " ", size + "\t", size + " ;a", size + "g", "g",
                 size + "\x00", '"' + size + '"', size + ",", size + "h",
                 "", ";a", "\xb9", "0" * 20 + " " + size):
        yield (f"a chunk of {text!r} bytes", [chunked(text + rest) + SMUGGLED],
               "library 400", CLOSED)
    for number in (2**64 + len(JSON), 2**64, 2**80):
        yield (f"a chunk of {number:#x} bytes",
               [chunked(f"{number:x}" + rest) + SMUGGLED],
               "library 413", CLOSED)
    for number in (2**63, 2**64 - 1, 2**32):
        yield (f"a chunk of {number:#x} bytes, and they come",
               [chunked(f"{number:x}\r\n"), Endless("x")], [], CLOSED)
    bad = {
        "ends without CR LF": f"{size}\r\n{JSON}0\r\n\r\n",
        "is longer than it says": f"{size}\r\n{JSON}x\r\n0\r\n\r\n",
        "is shorter than it says": f"e\r\n{JSON}\r\n0\r\n\r\n",
        "ends with CR alone": f"{size}\r\n{JSON}\r0\r\n\r\n",
        "ends with LF CR": f"{size}\r\n{JSON}\n\r0\r\n\r\n",
        "ends with LF LF": f"{size}\r\n{JSON}\n\n0\r\n\r\n",
        "has a size that ends with CR": f"{size}\r{JSON}\r\n0\r\n\r\n",
        "has CR everywhere": CHUNKED.replace("\r\n", "\r"),
        "is the body itself": JSON + "\r\n0\r\n\r\n",
        "has a trailer without a colon": CHUNKED[:-2] + "X\r\n\r\n",
        "is the last, and the end is missing": CHUNKED[:-2],
    }
    for name, body in bad.items():
        yield (f"a chunk {name}", [chunked(body) + SMUGGLED],
               "library 400", CLOSED)
    yield ("no chunk but the last", [chunked("0\r\n\r\n") + SMUGGLED],
           "422 invalid #one", CLOSED)
    # The extension of a chunk may end in LF for one and go on for another.
    yield ("an extension with LF, then a hidden request",
           [chunked(f"{size};\n{JSON}\r\n0\r\n\r\n") + SMUGGLED],
           "201 #one", CLOSED)
    yield ("an extension with LF that hides a request",
           [chunked(hidden_by_lf())], "201 #one", CLOSED)
    yield ("a chunk whose extension has no end",
           [chunked("1;"), Endless("x")], [], CLOSED)
    yield ("chunks without end",
           [chunked(""), Endless("1\r\nx\r\n")], [], CLOSED)
    yield ("a trailer without end",
           [chunked(CHUNKED[:-2]), Endless("X-A: b\r\n")],
           "library 431", CLOSED)
    yield ("a trailer's line without end",
           [chunked(CHUNKED[:-2] + "X-A: "), Endless("b")],
           "library 431", CLOSED)


# --- the request line ------------------------------------------------------------

def versions():
    def of(version, target="/livez"):
        return request(f"GET {target} {version}".rstrip(" "),
                       "X-Request-Id: one")
    yield "HTTP/1.0", [of("HTTP/1.0")], "200 #one", CLOSED
    yield ("HTTP/1.0 that is to be kept",
           [request("GET /livez HTTP/1.0", "Connection: keep-alive",
                    host=None) + TWO], ["200", "200 #two"], OPEN)
    yield ("HTTP/1.0, and a request after it",
           [of("HTTP/1.0") + SMUGGLED], "200 #one", CLOSED)
    for version in ("HTTP/1.2", "HTTP/1.9"):
        yield version, [of(version)], "200 #one", OPEN
    for version in ("HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/0.9"):
        yield version, [of(version)], "library 505", CLOSED
    for version in ("", "HTTP", "HTTP/", "HTTP/1", "HTTP/11", "HTTP/1.01",
                    "HTTP/01.1", "HTTP/1.1.1", "http/1.1", "Http/1.1",
                    "HTTP/1,1", "HTTP/-1.1", "HTTP /1.1",
                    "HTTP/1.1x", "XTTP/1.1", "HTTP/1.1\x00", "HTTP/1.\xb9",
                    "HTTP/1.1 \r\n", "HTTP/1.1\t"):
        yield f"version {version!r}", [of(version)], "400", CLOSED
    yield ("HTTP/0.9", ["GET /livez\r\n"], "library 400", CLOSED)
    yield ("the preface of HTTP/2",
           ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04"],
           "library 505", CLOSED)
    yield ("a TLS hello",
           ["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03\n"], [], CLOSED)
    yield ("an SSH hello", ["SSH-2.0-OpenSSH_9.2\r\n"], [], CLOSED)
    yield ("a PROXY line",
           ["PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n" + SMUGGLED],
           "400", CLOSED)
    yield ("an upgrade is not taken up",
           [get("/livez", "Connection: Upgrade", "Upgrade: websocket") + TWO],
           ["200 #one", "200 #two"], OPEN)
    yield ("h2c is not taken up",
           [get("/livez", "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c", "HTTP2-Settings: AAMAAABk") + TWO],
           ["200 #one", "200 #two"], OPEN)


def methods():
    for method in ("get", "GeT", "GETT", "G@T", "G T", "G\xc9T", "FOO-BAR",
                   "CONNECT", "PRI", "X" * 3000):
        yield (f"method {method[:12]!r}",
               [request(f"{method} /livez HTTP/1.1", "X-Request-Id: one")],
               "501 not_implemented #one", OPEN)
    yield ("a method with a zero byte",
           [request("GET\x00 /livez HTTP/1.1") + SMUGGLED], "400", CLOSED)
    yield ("a method of 9000 letters",
           ["G" * 9000 + " /livez HTTP/1.1\r\nHost: a\r\n\r\n"], "501 not_implemented",
           OPEN)
    yield ("no method", [" /livez HTTP/1.1\r\nHost: a\r\n\r\n"], [], CLOSED)
    yield ("nothing but a method", ["GET\r\n\r\n"], [], CLOSED)
    yield ("no target", ["GET HTTP/1.1\r\nHost: a\r\n\r\n"], "400", CLOSED)
    yield ("two blanks before the target",
           [request("GET  /livez HTTP/1.1", "X-Request-Id: one") + SMUGGLED],
           BAD, CLOSED)
    yield ("two blanks after it",
           [request("GET /livez  HTTP/1.1", "X-Request-Id: one")], BAD, OPEN)
    yield ("tabs for blanks",
           ["GET\t/livez\tHTTP/1.1\r\nHost: a\r\n\r\n"], [], CLOSED)
    yield ("a blank line before the request", ["\r\n" + get()],
           "200 #one", OPEN)
    yield ("three of them", ["\r\n\r\n\r\n" + get()], "200 #one", OPEN)
    yield ("TRACE is refused",
           [request("TRACE /livez HTTP/1.1", "X-Request-Id: one",
                    "Authorization: Bearer x")],
           "405 method_not_allowed #one", OPEN)


MODES = "/v1/rules/modes?"  # which takes "lang" alone


def targets():
    rows = {
        "/livez": "200", "/livez?": "200", "/livez?&&": "200",
        "http://a/livez": "200", "HTTP://a/livez": "200",
        "https://a:443/livez": "200", "http://[::1]:8/livez": "200",
        "http://a": "200", "http://a?x": "200",
        "http:///livez": "400", "http://": "400",
        "http://u:p@a/livez": "400", "http://a#/livez": "400",
        "http://a b/livez": "400", "http://a\x01/livez": "400",
        "http://\xff/livez": "400", "http://a\\livez": "400",
        "ftp://a/livez": "400", "//a/livez": "404", "a:80": "400",
        "livez": "400", "?": "400", "#": "400", "*": "400", "**": "400",
        "*?x": "400", "/livez#": "400", "/livez#x": "400",
        "/livez/": "404", "//livez": "404", "/./livez": "404",
        "/x/../livez": "404", "/../livez": "404", "/..%2flivez": "404",
        "/%2e%2e/livez": "404", "/livez/.": "404", "/livez/..": "404",
        "/%6civez": "404", "/livez%00": "404", "/livez%0d%0a": "404",
        "/livez%": "404", "/livez%zz": "404", "/livez%2": "404",
        "/livez%252f": "404", "/v1%2Fgames": "404", "/v1%5cgames": "404",
        "/v1\\games": "404", "/livez;a=b": "404", "/LIVEZ": "404",
        "/livez\xe9": "400", "/liv\xc3\xa9z": "400", "/livez\t": "400",
        "/livez\x7f": "400", "/livez\x01": "400", "/livez\x0b": "400",
        "/livez\r": "400", "/livez\"": "404", "/<script>": "404",
        "/livez?x": "200", "/livez?=": "200", "/livez?a=%": "200",
        "/livez?a=%zz": "200", "/livez?a=%00": "200", "/livez?a=%ff": "200",
        "/livez?a\xff": "400", MODES + "x": "422", MODES + "=": "422",
        MODES + "a=%": "400", MODES + "a=%zz": "400", MODES + "a=%00": "400",
        MODES + "a=%ff": "400", MODES + "a=%c0%80": "400",
        MODES + "a\xff": "400", MODES + "a=%ed%a0%80": "400",
        MODES + "a?b": "422",
        "/problems/%2e%2e": "404", "/docs/..": "404",
        "/docs/../openapi.json": "404", "/docs/%2e%2e%2fetc": "404",
        "/v1/games/" + "0" * 2000: "404",
        "/" + "a/" * 1000: "404", "/" + "%00" * 600: "404",
        "/" + "a" * 2047: "404", "/" + "a" * 2048: "414",
        "/livez?" + "&" * 2000: "200", "/livez?" + "a&" * 1000: "200",
        "/livez?" + "a=b&" * 500: "200", "/livez?" + "a&" * 2000: "414",
        MODES + "a&" * 1000: "422", MODES + "a=b&" * 500: "422",
        "/livez?" + "&" * 5000: "414", "/livez?" + "a" * 7000: "414",
    }
    for target, status in rows.items():
        yield (f"target {target[:40]!r} of {len(target)}",
               [get(target)], status + " #one", OPEN)
    yield ("a target with a zero byte",
           [get("/livez\x00/x") + SMUGGLED], BAD, CLOSED)
    yield ("a zero byte in the query",
           [get("/livez?\x00x") + SMUGGLED], BAD, CLOSED)
    yield ("OPTIONS of everything",
           [request("OPTIONS * HTTP/1.1", "X-Request-Id: one")],
           "204 #one", OPEN)
    yield ("OPTIONS of everything, with a query",
           [request("OPTIONS *?x HTTP/1.1", "X-Request-Id: one")], BAD, OPEN)
    yield ("CONNECT as to a proxy",
           [request("CONNECT a:80 HTTP/1.1", "X-Request-Id: one") + TWO],
           ["501 not_implemented #one", "200 #two"], OPEN)
    for text in ("a", "a?", "a&", "%00"):
        yield (f"a target of {text!r} without end",
               ["GET /?", Endless(text)], "library 414", CLOSED)
    for text in ("x", "\r\n", "\x00", "\xff"):
        yield (f"{text!r} without end", [Endless(text)], "library 414", CLOSED)


# --- header fields ---------------------------------------------------------------

def fields():
    good = {
        "100 with Host and the id": [f"X-{i}: y" for i in range(98)],
        "one of 16 KiB": ["X: " + "y" * 16300],
        "an empty one": ["X:"],
        "an empty one of blanks": ["X:  \t "],
        "bytes above ASCII": ["X: \xff\xfe\x80"],
        "tabs inside": ["X: a\tb"],
        "cookies": ["Cookie: a=b; c=\"d\"; =; ;;", "Cookie: e"],
        "a name of odd characters": ["!#$%&'*+-.^_`|~: x"],
        "hop by hop": ["Connection: Content-Length, Host, X-Request-Id"],
        "blanks after a known value": ["Accept: application/json \t"],
        "two that are the same": ["Accept: text/html", "Accept: */*"],
        "a range": ["Range: bytes=0-1"],
        "a long list": ["Accept: " + "a/b;q=0.1," * 400 + "*/*"],
        "quotes without end": ["Accept: */*, \"" + "\\" * 100],
        "a list of tags": ["If-None-Match: " + '"x", ' * 800],
        "X-Forwarded and the like":
            ["X-Forwarded-Host: evil", "Forwarded: host=evil",
             "X-HTTP-Method-Override: DELETE", "X-Original-URL: /nowhere"],
    }
    for name, lines in good.items():
        yield f"fields: {name}", [get("/livez", *lines)], "200 #one", OPEN
    bad = {
        "a blank before the colon": "X-A : b", "no name": ": b",
        "a name with a blank": "X A: b", "a name in brackets": "X(A): b",
        "a name above ASCII": "X\xe9: b", "a zero byte": "X: a\x00b",
        "a zero byte at the end": "X: a\x00", "only zero bytes": "X: \x00\x00",
        "a control character": "X: a\x02b", "DEL": "X: \x7f",
        "CR alone": "X: a\rb", "CR, and a field": "X: a\rX-Request-Id: b",
        "CR CR": "X: a\r", "LF alone": "X: a\nY: b", "VT": "X: a\x0bb",
        "a folded one": "X: a\r\n b", "one folded with a tab": "X: a\r\n\tb",
        "only colons": "::::",
    }
    for name, line in bad.items():
        yield (f"fields: {name}", [get("/livez", line) + SMUGGLED],
               BAD, CLOSED)
    yield ("fields: no colon", [get("/livez", "Nonsense") + SMUGGLED],
           "library 400", CLOSED)
    yield ("fields: LF for CR LF everywhere",
           [get().replace("\r\n", "\n") + SMUGGLED], BAD, CLOSED)
    yield ("fields: LF at the end only",
           [get()[:-2] + "\n" + SMUGGLED], BAD, CLOSED)
    yield ("fields: CR CR before a request",
           [get()[:-4] + "\r\r" + SMUGGLED], "400", CLOSED)
    yield ("fields: 16 KiB in all are the most",
           [get("/livez", "X: " + "y" * 16384)],
           TOO_LARGE, CLOSED)
    yield ("fields: one of 40 KiB", [get("/livez", "X: " + "y" * 40960)],
           TOO_LARGE, CLOSED)
    yield ("fields: 1000 of them", [get("/livez", *["a:"] * 1000)],
           TOO_LARGE, CLOSED)
    yield ("fields: without end",
           [get()[:-2], Endless("X-A: b\r\n")], TOO_LARGE, CLOSED)
    yield ("fields: a value without end",
           [get()[:-2] + "X: ", Endless("y")], TOO_LARGE, CLOSED)
    yield ("fields: a name without end",
           [get()[:-2], Endless("y")], TOO_LARGE, CLOSED)
    yield ("fields: folded without end",
           [get()[:-2] + "X: y\r\n", Endless(" y\r\n")],
           "library 431", CLOSED)
    yield ("fields: a cookie of 4 KiB and 2000 parts",
           [get("/livez", "Cookie: " + "a;" * 2000)], "200 #one", OPEN)
    yield ("fields: one byte at a time",
           [piece for c in get("/livez", "X: " + "y" * 60)
            for piece in (c, Pause(0.001))], "200 #one", OPEN)


def hosts():
    for host in ("", "a", "a:80", "[::1]:80", "a.b-c_d", "\ta ", "xn--a",
                 "127.0.0.1", "A" * 300):
        yield (f"Host {host[:20]!r}",
               [request("GET /livez HTTP/1.1", host=host)], "200", OPEN)
    for host in ("a b", "a,b", "a/b", "a?b", "a#b", "u@a", "a\\b", "<a>",
                 '"a"', "a\x00b", "\xff", "a\tb", "http://a"):
        yield (f"Host {host!r}",
               [request("GET /livez HTTP/1.1", host=host) + SMUGGLED],
               "400 malformed", CLOSED)
    yield ("no Host", [request("GET /livez HTTP/1.1", host=None) + SMUGGLED],
           "400 malformed", CLOSED)
    yield ("no Host, and a whole URI",
           [request("GET http://a/livez HTTP/1.1", host=None) + SMUGGLED],
           "400 malformed", CLOSED)
    yield ("two of the same Host",
           [get("/livez", "Host: a") + SMUGGLED], BAD, CLOSED)
    yield ("a Host and another in small letters",
           [get("/livez", "host: b") + SMUGGLED], BAD, CLOSED)
    yield ("two Host under HTTP/1.0",
           [request("GET /livez HTTP/1.0", "Host: b")], "400", CLOSED)


def tokens():
    def view(*lines):
        return get("$game", *lines)
    good = "Authorization: Bearer $A"
    yield "the token", [view(good)], "200 #one", OPEN
    yield "the token, and blanks", [view(good + " \t ")], "200 #one", OPEN
    yield ("the scheme in small letters",
           [view("authorization: bearer   $A")], "200 #one", OPEN)
    for name, lines in {
            "two tokens": [good, "Authorization: Bearer $B"],
            "one token twice": [good, good],
            "a token and another scheme": [good, "Authorization: Basic x"],
            "a list of tokens": [good + ", Bearer $A"],
            "a token and more": [good + "x"],
            "a token with a blank": ["Authorization: Bearer $A x"],
            "half a token": ["Authorization: Bearer gang_"],
            "a token of 4 KiB": ["Authorization: Bearer " + "x" * 4096],
            "a token above ASCII": ["Authorization: Bearer \xe9"],
    }.items():
        yield name, [view(*lines)], "401 invalid_token #one", OPEN
    for name, lines in {
            "no token": [], "an empty one": ["Authorization:"],
            "a scheme alone": ["Authorization: Bearer"],
            "another scheme": ["Authorization: Basic $A"],
            "no scheme": ["Authorization: $A"],
            "another field": ["Proxy-Authorization: Bearer $A"],
            "a tab for the blank": ["Authorization: Bearer\t$A"],
            "another scheme first": ["Authorization: Basic x", good],
            "a cookie": ["Cookie: token=$A"],
    }.items():
        yield name, [view(*lines)], "401 unauthenticated #one", OPEN
    yield ("a token with a zero byte",
           [view(good + "\x00") + SMUGGLED], BAD, CLOSED)
    yield ("a token in a folded line",
           [view("Authorization: Bearer\r\n $A") + SMUGGLED], BAD, CLOSED)


def types():
    def of(*lines):
        return request("POST /v1/games HTTP/1.1", "X-Request-Id: one",
                       f"Content-Length: {len(JSON)}", *lines, body=JSON)
    for kind in ("application/json", "Application/JSON ",
                 "application/json;charset=utf-8", "application/json ; x",
                 "application/json;", "\tapplication/json"):
        yield (f"Content-Type {kind!r}", [of("Content-Type:" + kind)],
               "201 #one", OPEN)
    for kind in ("", "json", "application/jsonx", "application/json+x",
                 "application/ json", "application/json, text/plain",
                 "text/json", "*/*", "application/*", "\xff",
                 "application/json\t x", "multipart/form-data; boundary=x"):
        yield (f"Content-Type {kind!r}", [of("Content-Type: " + kind)],
               "415 unsupported_media_type #one", OPEN)
    yield ("two Content-Types",
           [of("Content-Type: application/json", "Content-Type: text/plain")],
           "415 unsupported_media_type #one", OPEN)
    yield ("Content-Encoding is refused",
           [of("Content-Type: application/json", "Content-Encoding: gzip")],
           "415 unsupported_media_type #one", OPEN)


# --- bodies ----------------------------------------------------------------------

def bodies():
    for size, answers, after in (
            (4096, "400 malformed #one", OPEN),
            (4097, "413 body_too_large #one", OPEN),
            (65536, "413 body_too_large #one", OPEN)):
        yield (f"a body of {size} bytes", [sized("x" * size) + TWO],
               [answers, "200 #two"], after)
        yield (f"a body of {size} bytes in one chunk",
               [chunked(f"{size:x}\r\n{'x' * size}\r\n0\r\n\r\n")
                + SMUGGLED], answers, CLOSED)
    # More than is read to give an answer.
    yield ("a body of 65537 bytes", [sized("x" * 65537) + SMUGGLED],
           "413 body_too_large #one", CLOSED)
    yield ("a body of 65537 bytes in one chunk is cut off",
           [chunked(f"10001\r\n{'x' * 65537}\r\n0\r\n\r\n") + SMUGGLED],
           [], CLOSED)
    yield ("a body without end that says how long it is",
           [post("Content-Length: 100000000"), Endless("x")],
           "413 body_too_large #one", CLOSED)
    yield ("a body that ends early, and we wait",
           [sized()[:-1]], [], CLOSED)
    yield ("a chunk that ends early, and we wait",
           [chunked(CHUNKED[:6])], [], CLOSED)
    yield ("a header that ends early, and we wait", [get()[:-2]], [], CLOSED)
    yield ("nothing at all, and we wait", [""], [], CLOSED)
    yield ("a body in the pieces of a slow network",
           [sized()[:-8], Pause(0.1), sized()[-8:-4], Pause(0.1),
            sized()[-4:]], "201 #one", OPEN)
    for name, body in {
            "brackets": "[" * 2000, "braces": '{"a":' * 700,
            "brackets that are closed": "[" * 1000 + "]" * 1000,
            "minus signs": "-" * 4000, "a string without end": '"' + "x" * 4000,
            "escapes": '"' + "\\u0000" * 500 + '"', "zero bytes": "\x00" * 100,
            "bytes above ASCII": "\xff" * 100, "a mark": "\xef\xbb\xbf{}",
            "two values": "{}{}", "names twice": '{"name":"A","name":"B"}',
            "a thousand names":
                "{" + ",".join(f'"{i:x}":0' for i in range(480)) + "}",
    }.items():
        yield (f"a body of {name}", [sized(body) + TWO],
               ["400 malformed #one", "200 #two"], OPEN)
    yield ("a body refused for its path is read all the same",
           [sized(path="/nowhere") + TWO],
           ["404 no_such_route #one", "200 #two"], OPEN)
    yield ("a body with a request in it is a body",
           [sized(SMUGGLED) + TWO],
           ["400 malformed #one", "200 #two"], OPEN)
    yield ("the same to no path",
           [sized(SMUGGLED, path="/nowhere") + TWO],
           ["404 no_such_route #one", "200 #two"], OPEN)
    yield ("the same with a method nobody knows",
           [request("BREW / HTTP/1.1", f"Content-Length: {len(SMUGGLED)}",
                    body=SMUGGLED) + TWO],
           ["501 not_implemented", "200 #two"], OPEN)
    yield ("the same under a target that is too long",
           [sized(SMUGGLED, path="/" + "a" * 3000) + TWO],
           ["414 uri_too_long #one", "200 #two"], OPEN)


def expectations():
    consent = "Expect: 100-continue"
    length = f"Content-Length: {len(JSON)}"
    yield ("a client that waits for consent",
           [post(length, consent), AWAIT, JSON], ["100", "201 #one"], OPEN)
    yield ("one that does not wait",
           [post(length, consent, body=JSON) + TWO],
           ["100", "201 #one", "200 #two"], OPEN)
    yield ("consent in capitals",
           [post(length, "expect: 100-CONTINUE"), AWAIT, JSON],
           ["100", "201 #one"], OPEN)
    yield ("consent for chunks",
           [post("Transfer-Encoding: chunked", consent), AWAIT, CHUNKED],
           ["100", "201 #one"], CLOSED)
    yield ("consent for nothing", [get("/livez", consent)],
           ["100", "200 #one"], OPEN)
    yield ("no consent under HTTP/1.0",
           [post(length, consent, version="1.0", body=JSON)],
           "201 #one", CLOSED)
    for expect in ("200-ok", "100-continue, x", "", "100-continue;q=1", "1"):
        yield (f"Expect {expect!r} is not waited for",
               [post(length, "Expect: " + expect, body=JSON)],
               "201 #one", OPEN)
    for name, lines, answers in (
            ("no such path", [length], "404 no_such_route #one"),
            ("no such path for chunks", ["Transfer-Encoding: chunked"],
             "404 no_such_route #one")):
        yield (f"no consent: {name}",
               [post(*lines, consent, path="/nowhere")], answers, CLOSED)
    yield ("no consent: too long",
           [post("Content-Length: 5000", consent)],
           "413 body_too_large #one", CLOSED)
    yield ("no consent: no JSON",
           [request("POST /v1/games HTTP/1.1", length, consent,
                    "Content-Type: text/plain")],
           "415 unsupported_media_type", CLOSED)
    yield ("no consent, and the body comes",
           [post(f"Content-Length: {len(SMUGGLED)}", consent, path="/nowhere")
            + SMUGGLED], "404 no_such_route #one", CLOSED)
    yield ("consent, and nothing comes",
           [post(length, consent), AWAIT], ["100"], CLOSED)


# --- more than one request ---------------------------------------------------------

def pipelines():
    names = [f"n{i}" for i in range(10)]
    yield ("ten in one piece", ["".join(get(id=name) for name in names)],
           [f"200 #{name}" for name in names], OPEN)
    mixed = [
        (get("$game", "Authorization: Bearer $A", id="n0"), "200 #n0"),
        (get("/nowhere", id="n1"), "404 no_such_route #n1"),
        (sized(id="n2"), "201 #n2"),
        (get("$game", id="n3"), "401 unauthenticated #n3"),
        (sized("{", id="n4"), "400 malformed #n4"),
        (get("/" + "a" * 3000, id="n5"), "414 uri_too_long #n5"),
        (sized("x" * 5000, id="n6"), "413 body_too_large #n6"),
        (sized(SMUGGLED, path="/v1/rules/evaluations", id="n7"),
         "400 malformed #n7"),
        (get(id="n8"), "200 #n8"),
        (sized(id="n9"), "201 #n9"),
    ]
    yield ("ten of all kinds", ["".join(text for text, _ in mixed)],
           [answer for _, answer in mixed], OPEN)
    yield ("ten of all kinds, torn at odd places",
           torn("".join(text for text, _ in mixed), 97),
           [answer for _, answer in mixed], OPEN)

    def move(number, what, player="A"):
        return post(f"Authorization: Bearer ${player}", "Content-Length: 0",
                    path=f"$game/chips/white/{what}", id=f"n{number}")
    yield ("moves, in the order in which they were sent",
           [move(0, "1/take") + move(1, "1/take") + move(2, "2/take")
            + move(3, "1/return") + move(4, "2/return")
            + move(5, "2/take", "B") + move(6, "2/take") + move(7, "2/return")
            + move(8, "2/return", "B")
            + get("$game", "Authorization: Bearer $A", id="n9")],
           ["200 #n0", "409 chip_already_held #n1", "200 #n2",
            "409 chip_not_held #n3", "200 #n4", "200 #n5", "200 #n6",
            "200 #n7", "409 chip_not_held #n8", "200 #n9"], OPEN)
    yield ("two hundred in one piece",
           ["".join(get(id=f"n{i}") for i in range(200))],
           [f"200 #n{i}" for i in range(200)], OPEN)
    yield ("fifty that change something, in one piece",
           ["".join(sized(id=f"n{i}") for i in range(50))],
           [f"201 #n{i}" for i in range(50)], OPEN)
    for close in ("close", "Close", "x, close", "keep-alive, close"):
        yield (f"after Connection: {close} nothing is read",
               [get("/livez", "Connection: " + close) + SMUGGLED],
               "200 #one", CLOSED)
    yield ("after a body in chunks nothing is read",
           [get(id="n0") + chunked(id="n1") + SMUGGLED],
           ["200 #n0", "201 #n1"], CLOSED)
    yield ("after one whose path is refused neither",
           [chunked(path="/nowhere") + SMUGGLED],
           "404 no_such_route #one", CLOSED)
    yield ("after one that the token refuses neither",
           [chunked(path="$game/heists") + SMUGGLED],
           "401 unauthenticated #one", CLOSED)
    yield ("after a request that is in doubt nothing is read",
           [get(id="n0") + post("Content-Length: 2", "Content-Length: 2",
                                id="n1") + SMUGGLED * 3],
           ["200 #n0", "400 malformed #n1"], CLOSED)
    yield ("after one that is no HTTP nothing is read",
           [get(id="n0") + "GET /livez\r\n\r\n" + SMUGGLED],
           ["200 #n0", "library 400"], CLOSED)


def torn(text, size):
    pieces = []
    for start in range(0, len(text), size):
        pieces += [text[start:start + size], Pause(0.002)]
    return pieces


# --- clients that go ----------------------------------------------------------------

def goings():
    """A client that has closed only its sending side still gets the answers.

    But while a request waits for the database, libmicrohttpd may first see the
    end of its input, and close; the request is carried out nevertheless.
    """
    view = get("$game", "Authorization: Bearer $A")
    yield "half-closed after a request", [get(), HALF], "200 #one", ANY
    yield "half-closed a little later", [get(), AWAIT, HALF], "200 #one", ANY
    yield "half-closed after one to the database", [view, HALF], \
        MAYBE + "200 #one", ANY
    yield ("half-closed after a change", [sized(), HALF],
           MAYBE + "201 #one", ANY)
    yield ("half-closed after a change in pieces",
           [sized()[:-6], Pause(0.05), sized()[-6:], HALF],
           MAYBE + "201 #one", ANY)
    yield ("half-closed after three", [get() * 2 + TWO, HALF],
           ["200 #one", "200 #one", "200 #two"], ANY)
    yield "half-closed in a header", [get()[:-2], HALF], [], CLOSED
    yield "half-closed in a body", [sized()[:-1], HALF], [], CLOSED
    yield "half-closed in a chunk", [chunked(CHUNKED[:5]), HALF], [], CLOSED
    yield ("half-closed before the last chunk's end",
           [chunked(CHUNKED[:-2]), HALF], [], CLOSED)
    yield "half-closed before anything", [HALF], [], CLOSED
    for name, pieces in {
            "at once": [], "in a method": ["GE"], "in a target": ["GET /li"],
            "in a header": [get()[:-2]], "in a body": [sized()[:-1]],
            "in a chunk": [chunked(CHUNKED[:5])],
            "after a request": [get()], "after a view": [view],
            "after a change": [sized()],
            "after the answer": [sized(), AWAIT],
            "after an answer and a view": [view, AWAIT, view],
            "after many": [view * 20], "after a large one": [
                get("/openapi.json")],
            "in the middle of large ones": [
                get("/openapi.json") * 10, Pause(0.05)],
            "after a refusal": [sized("x" * 65537)],
            "after consent": [post("Content-Length: 12",
                                   "Expect: 100-continue"), AWAIT],
            "in a pipeline": [get() + sized() + get()[:9]],
    }.items():
        answers = {"after the answer": ["201 #one"],
                   "after an answer and a view": ["200 #one"],
                   "after consent": ["100"]}.get(name, [])
        yield f"reset {name}", [*pieces, RESET], answers, ANY
        yield (f"reset {name}, a little later",
               [*pieces, Pause(0.01), RESET], answers, ANY)


# --- streams of events ---------------------------------------------------------------

def streams():
    """A stream ends when its client has closed its side."""
    fields = ("Accept: text/event-stream", "Authorization: Bearer $A")
    stream = get("$game/events", *fields)
    old = request("GET $game/events HTTP/1.0", "X-Request-Id: one", *fields)
    kept = request("GET $game/events HTTP/1.0", "X-Request-Id: one",
                   "Connection: keep-alive", *fields)
    soon = BEGUN
    for name, text in {"a stream": stream, "a stream by HTTP/1.0": old,
                       "a stream by HTTP/1.0 that would be kept": kept,
                       "a stream to be closed": get(
                           "$game/events", "Connection: close", *fields),
                       "a stream of nothing": get(
                           "$game/events?after=2147483647", *fields),
                       "a stream one by one": get(
                           "$game/events?limit=1", *fields)}.items():
        yield (f"{name}, half-closed", [text, soon, HALF], "200 #one", CLOSED)
        yield (f"{name}, half-closed at once", [text, HALF],
               MAYBE + "200 #one", CLOSED)
        yield f"{name}, reset", [text, soon, RESET], [], ANY
        yield f"{name}, reset at once", [text, RESET], [], ANY
    for name, text in {"a request": SMUGGLED, "a change": sized(id="two"),
                       "a stream": get("$game/events", *fields, id="two"),
                       "what is no request": "x" * 65536 + "\r\n\r\n"}.items():
        yield (f"after a stream {name} is not read",
               [stream + text, soon, HALF], "200 #one", CLOSED)
    yield ("after a stream by HTTP/1.0 nothing is read",
           [old + SMUGGLED, soon, HALF], "200 #one", CLOSED)
    yield ("a stream after a request",
           [get(id="n0") + stream, Pause(0.2), HALF],
           ["200 #n0", "200 #one"], CLOSED)
    yield ("a stream with a body",
           [get("$game/events", "Content-Length: 4", *fields) + "1234" + TWO],
           ["400 malformed #one", "200 #two"], OPEN)
    yield ("a stream for somebody else",
           [get("$game/events", "Accept: text/event-stream") + TWO],
           ["401 unauthenticated #one", "200 #two"], OPEN)
    yield ("a Last-Event-ID of many digits",
           [get("$game/events", f"Last-Event-ID: {'9' * 4000}", *fields), soon,
            HALF], "200 #one", CLOSED)
    for field in ("7\x00", "7\x0b", "7\r\n 8"):
        yield (f"a Last-Event-ID {field!r}",
               [get("$game/events", f"Last-Event-ID: {field}", *fields)],
               BAD, CLOSED)
    yield ("a stream after a body in chunks, and one more",
           [get("$game/events", "Transfer-Encoding: chunked", *fields)
            + "0\r\n\r\n" + SMUGGLED, soon, HALF], "200 #one", CLOSED)
    yield ("HEAD of a stream",
           [request("HEAD $game/events HTTP/1.1", "X-Request-Id: one",
                    *fields)], "200 #one", CLOSED)
    yield ("HEAD of a stream, and one more",
           [request("HEAD $game/events HTTP/1.1", "X-Request-Id: one",
                    *fields) + SMUGGLED], "200 #one", CLOSED)


def origins():
    """The daemon allows all origins, and echoes the one that it allowed."""
    for origin in ("", " ", "\t", "null", "NULL", "*", "https://a.example",
                   "https://a.example/", "https://", "a\rb", "a\x01b", "\xe4",
                   "https://a b", "https://a\r", "https://\x7f", "x" * 2000,
                   "https://" + "x" * 2000):
        # An Origin that no field may hold is refused; all others are answered.
        bad = any(byte < " " and byte != "\t" or byte == "\x7f"
                  for byte in origin)
        for name, sent, answer in (
                ("", get("/livez", "Origin:" + origin), "200 #one"),
                (", refused", get("/x", "Origin:" + origin),
                 "404 no_such_route #one"),
                (", beforehand",
                 request("OPTIONS /v1/games HTTP/1.1", "X-Request-Id: one",
                         "Origin:" + origin,
                         "Access-Control-Request-Method: POST"), "204 #one")):
            yield (f"from {origin[:20]!r}{name}", [sent],
                   "400" if bad else answer, ANY)


def behind_fronts():
    """Texts with a hidden request that a client sends by way of a front
    (front.py): (name, text, how many requests the front takes it for)."""
    yield "an extension with LF", chunked(hidden_by_lf()), 1
    yield ("two of them", chunked(hidden_by_lf(), id="one")
           + chunked(hidden_by_lf(), id="two"), 2)
    yield ("one to no path", chunked(hidden_by_lf(), path="/nowhere"), 1)


def rows():
    for group in (framing, lengths, chunks, versions, methods, targets,
                  fields, hosts, tokens, types, bodies, expectations,
                  pipelines, goings, streams, origins):
        yield from group()
