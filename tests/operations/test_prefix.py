"""The service below a path of a proxy.

A proxy serves the daemon below /gang and says so (X-Forwarded-Prefix).  Every
path in a header field or a body leads through the proxy: of games, actions, pages
of lists, problems and redirects.  Two clients wait for one seat, through the proxy
and directly, and each gets paths of its own.  An invalid field is ignored, and
so is that of a proxy that is not trusted.
"""
import re
import socket
import threading

import gangd
import prefix
import pytest

ROUNDS = 10
DAEMON = {"GANGD_TRUSTED_PROXIES": "127.0.0.1", "GANGD_TABLE": "off"}
FIELDS = ("Location", "Content-Location", "Link")
PATHS = re.compile(r'"(?:href|type|instance)":"(/[^"]*)"|href="(/[^"]*)"')
WRONG = ("//evil.example", "https://evil.example", "/a\"b", "/../a", "/a b", "gang",
         "/" + 64 * "x")


def paths(answer):
    """All paths in an answer."""
    found = [a or b for a, b in PATHS.findall(answer.body.decode())]
    for name in FIELDS:
        value = answer.header(name)
        if value:
            found.append(value.strip("<").split(">")[0])
    return found


class Traveller(gangd.Client):
    """A client that follows the paths which it gets; notes all of them."""

    def __init__(self, address, token=None, seen=None):
        super().__init__(address, token)
        self.seen = [] if seen is None else seen

    def ask(self, *arguments, **more):
        answer = super().ask(*arguments, **more)
        self.seen += paths(answer)
        return answer


def travel(address, root):
    """Create games and play by the paths of the answers: these, and what failed."""
    guest = Traveller(address)
    failed = []

    def expect(status, answer):
        if answer.status != status:
            failed.append((status, answer.status, answer.body[:300]))
        return answer

    made = [expect(201, guest.post(root + "/v1/games", {
        "name": "Ada", "seats": 3, "visibility": "public"})) for _ in range(2)]
    host = Traveller(address, made[0].json["token"], guest.seen)
    game = made[0].header("Location")
    host_view = expect(200, host.get(game)).json
    code = made[0].json["invite_code"]
    for name in "BC":
        expect(201, guest.post(f"{root}/v1/invitations/{code}/players",
                               {"name": name}))
    [first, *_] = expect(200, host.get(game)).json["you"]["legal_actions"]
    moved = expect(200, host.post(first["href"], first["body"]))
    expect(200, host.get(moved.header("Content-Location")))
    expect(409, host.post(f"{game}/start"))
    link = expect(200, host.get(game + "/events?limit=2")).header("Link")
    expect(200, host.get(link[1:].split(">")[0]))
    for _ in range(2):  # the lobby has more than the games of this call
        expect(201, guest.post(root + "/v1/games", {
            "name": "Ada", "seats": 3, "visibility": "public"}))
    link = expect(200, guest.get(root + "/v1/games?limit=1")).header("Link")
    expect(200, guest.get(link[1:].split(">")[0]))
    problem = expect(404, guest.get(root + "/v1/none")).json
    page = expect(200, guest.get(problem["type"]))
    expect(200, guest.get(paths(page)[0]))
    expect(303, guest.get(root + "/"))
    expect(200, guest.get(guest.seen[-1]))
    if not host_view["id"] in game:
        failed.append(game)
    return guest.seen, failed


def stream_paths(address, game, token):
    """The paths of the view at the beginning of a stream."""
    client = gangd.Client(address, token)
    stream = client.open(game + "/events?views=true",
                         {"Accept": "text/event-stream"})
    line = b""
    while not line.startswith(b"data:"):
        line = stream.readline()
    client.close()
    return [a or b for a, b in PATHS.findall(line.decode())]


def wait_at(address, game, token, tag, answers):
    client = gangd.Client(address, token)
    answers[address] = client.get(game, headers={"If-None-Match": tag,
                                                 "Prefer": "wait=10"})
    client.close()


@pytest.fixture(scope="module")
def proxy(daemon):
    proxy = prefix.Proxy(daemon)
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def other(build, database):
    """A daemon that trusts no proxy."""
    other = gangd.Daemon(build, GANGD_TABLE="off")
    other.wait_ready()
    return other


def test_paths(tally, proxy):
    seen, failed = travel(proxy.server.server_address, prefix.PATH)
    tally.check("every path that the service names leads through the proxy",
                len(seen) > 20 and not failed, (len(seen), failed[:3]))
    outside = {path for path in seen if not path.startswith(prefix.PATH + "/")}
    tally.check("and begins with its prefix", not outside, outside)


def test_without_a_proxy(tally, other):
    seen, failed = travel(other.address, "")
    tally.check("without a proxy they have no prefix", not failed and not any(
        path.startswith(prefix.PATH) for path in seen), failed[:3])


def test_a_proxy_that_is_not_trusted(tally, other):
    distrusted = prefix.Proxy(other)
    answer = gangd.Client(distrusted.server.server_address).get(prefix.PATH + "/")
    tally.check("a proxy that is not trusted chooses no prefix",
                answer.header("Location") == "/docs", answer.headers)
    distrusted.close()


def test_together(tally, daemon, proxy):
    """Two views of one seat, which one turn of the loop may print."""
    table = gangd.Table(daemon)
    token, wrong = table.tokens[0], []
    places = {daemon.address: table.path,
              proxy.server.server_address: prefix.PATH + table.path}
    for number in range(ROUNDS):
        tag = daemon.client(token).get(table.path).header("ETag")
        answers = {}
        waiting = [threading.Thread(target=wait_at, args=(
            address, path, token, tag, answers))
            for address, path in places.items()]
        for each in waiting:
            each.start()
        daemon.client(table.tokens[1]).post(
            f"{table.path}/chips/white/1/{('take', 'return')[number % 2]}")
        for each in waiting:
            each.join()
        wrong += [path for address, root in places.items()
                  for path in paths(answers[address])
                  if not path.startswith(root)]
    tally.check("two clients that wait for one seat have paths of their own",
                not wrong, wrong[:3])
    seen = stream_paths(proxy.server.server_address,
                        prefix.PATH + table.path, token)
    tally.check("and so have views in a stream", seen and all(
        path.startswith(prefix.PATH + table.path) for path in seen), seen[:3])


def test_invalid_fields(tally, daemon):
    kept = []
    for field in WRONG:
        answer = daemon.client().get("/", headers={"X-Forwarded-Prefix": field})
        if answer.header("Location") != "/docs":
            kept.append((field, answer.status, answer.header("Location")))
    tally.check("an invalid prefix is ignored", not kept, kept)
    answer = daemon.client().get("/", headers={"X-Forwarded-Prefix": "/a/b/"})
    tally.check("and a longer one is not",
                answer.header("Location") == "/a/b/docs", answer.headers)


def check_unread(tally, daemon, what, wanted):
    """The answer to a request that libmicrohttpd refuses by itself."""
    with socket.create_connection(daemon.address, 10) as wire:
        wire.sendall(b"POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n"
                     b"X-Forwarded-Prefix: /evil\r\n\r\n")
        said = b""
        while piece := wire.recv(65536):
            said += piece
    tally.check(what, said.startswith(b"HTTP/1.1 400 ") and wanted in said, said)


def test_unread(tally, daemon, other):
    check_unread(tally, other, "a proxy that is not trusted: no prefix in what is "
                 "refused before it is read", b'"type":"/problems/malformed"')
    check_unread(tally, daemon, "a trusted one: there, too",
                 b'"type":"/evil/problems/malformed"')


def test_the_daemons_end_well(tally, daemon, other):
    tally.end_well(daemon)
    tally.end_well(other, "the daemon that trusts no proxy")
