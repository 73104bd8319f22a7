"""Traces of requests, as a collector gets them.

A collector of the test's own takes what daemons post by OTLP.  Every span is
where it belongs, nothing of a game or a player is in it, and the sample has the
size that is asked for.  A collector that hangs, refuses, or is away costs traces
and nothing else.
"""
import json
import os
import queue
import re
import socket
import subprocess
import threading
import time

import gangd
import loopback
import pytest

pytestmark = pytest.mark.waiting

WAIT_SECONDS = 30      # for traces to arrive; they take 0.2 s
SAMPLED, ONE_IN = 30, 10
STOP_SECONDS = 15      # with a collector that hangs; it takes up to 4
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
ATTRIBUTES = {"http.request.method", "http.route", "error.type",
              "http.response.status_code", "gangd.request_id",
              "gangd.steps_dropped", "db.system.name"}
METRICS = re.compile(
    r'"event":"metrics_listening".*"address":"([^":]+):(\d+)"')
CARD = re.compile(r'"[2-9TJQKA][cdhs]"')


class Collector(loopback.Server):
    """Keeps the bodies that are posted to it, and answers with a status; None:
    it never answers."""

    def __init__(self, status=200):
        self.status, self.bodies = status, queue.Queue()
        self.ended = threading.Event()
        super().__init__(Taker)

    @property
    def url(self):
        return f"http://{self.address}/v1/traces"


class Taker(loopback.Handler):
    def do_POST(self):
        body = self.body()
        self.server.bodies.put((self.path, self.headers["Content-Type"],
                                body.decode()))
        if self.server.status is None:
            self.server.ended.wait()
            return
        self.answer(self.server.status)


class Traces:
    """The spans that a collector got, by the id of their request."""

    def __init__(self, collector):
        self.collector = collector
        self.bodies, self.spans, self.roots = [], [], {}

    def wait_for(self, count):
        """Wait until this many requests are there; False: they never are."""
        deadline = time.monotonic() + WAIT_SECONDS
        while len(self.roots) < count:
            try:
                self.take(deadline - time.monotonic())
            except (queue.Empty, ValueError):
                return False
        return True

    def take(self, seconds):
        path, media, body = self.collector.bodies.get(timeout=seconds)
        self.bodies.append((path, media, body))
        for resource in json.loads(body)["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                self.spans += scope["spans"]
        self.roots = {attributes(span)["gangd.request_id"]: span
                      for span in self.spans if span["kind"] == 2}

    def of(self, name):
        """The request's span, and those of its steps in their order."""
        root = self.roots[name]
        steps = [span for span in self.spans
                 if span.get("parentSpanId") == root["spanId"]]
        return root, sorted(steps, key=lambda span:
                            int(span["startTimeUnixNano"]))


def attributes(span):
    return {each["key"]: next(iter(each["value"].values()))
            for each in span.get("attributes", [])}


def start(build, collector, one_in=1, **settings):
    daemon = gangd.Daemon(build, GANGD_LOOPS="1",
                          GANGD_TRACE_URL=getattr(collector, "url", collector),
                          # Nothing listens there: traces go by no proxy.
                          http_proxy="http://127.0.0.1:9",
                          ALL_PROXY="http://127.0.0.1:9", no_proxy="",
                          GANGD_TRACE_ONE_IN=str(one_in), **settings)
    daemon.wait_ready()
    return daemon


def names(steps):
    return [step["name"] for step in steps]


def check_spans(tally, traces, begun):
    """Properties of all spans."""
    ended = time.time_ns()
    ids = [(span["traceId"], span["spanId"]) for span in traces.spans]
    tally.check("no id is given twice", len(set(ids)) == len(ids))
    wrong = []
    for span in traces.spans:
        first, last = (int(span[key]) for key in
                       ("startTimeUnixNano", "endTimeUnixNano"))
        if not begun <= first <= last <= ended:
            wrong.append(span)
    tally.check("the times are those of the test", not wrong, wrong[:3])
    for name in traces.roots:
        root, steps = traces.of(name)
        wrong += [step for step in steps
                  if step["traceId"] != root["traceId"] or
                  int(step["startTimeUnixNano"]) <
                  int(root["startTimeUnixNano"]) or
                  int(step["endTimeUnixNano"]) > int(root["endTimeUnixNano"])]
    tally.check("each step lies in its request", not wrong, wrong[:3])
    seen = {key for span in traces.spans for key in attributes(span)}
    tally.check("there are no attributes but those that are known",
                seen <= ATTRIBUTES, seen - ATTRIBUTES)
    tally.check("each body is OTLP in JSON",
                {each[:2] for each in traces.bodies} ==
                {("/v1/traces", "application/json")}, traces.bodies[0][:2])


def check_play(tally, build):
    """A table is made, and three kinds of requests are asked."""
    collector, begun = Collector(), time.time_ns()
    daemon = start(build, collector)
    table = gangd.Table(daemon)
    client = daemon.client(table.tokens[0])
    chip = table.path + "/chips/{}/1/take"

    def ask(name, method, path, **fields):
        answer = client.ask(method, path, headers={"X-Request-Id": name,
                                                   **fields})
        return answer.status

    statuses = [
        ask("read", "GET", table.path, traceparent=f"00-{TRACE}-{PARENT}-00"),
        ask("look", "HEAD", table.path),
        ask("move", "POST", chip.format("white")),
        ask("wrong", "POST", chip.format("red")),
        ask("lobby", "GET", "/v1/games")]
    tally.check("all is answered as without traces",
                statuses == [200, 200, 200, 409, 200], statuses)
    traces = Traces(collector)
    wanted = {"read", "look", "move", "wrong", "lobby"}
    while not wanted <= set(traces.roots):
        if not traces.wait_for(len(traces.roots) + 1):
            break
    if not tally.check("every request has its trace",
                       wanted <= set(traces.roots), set(traces.roots)):
        return
    check_spans(tally, traces, begun)
    root, steps = traces.of("read")
    tally.check("a read goes on with its caller's trace",
                (root["traceId"], root["parentSpanId"]) == (TRACE, PARENT),
                root)
    tally.check("a read is a load", names(steps) == ["load_game"],
                names(steps))
    known = attributes(root)
    tally.check("a request is named by its route",
                root["name"] == "GET /v1/games/{game_id}" and
                known["http.route"] == "/v1/games/{game_id}" and
                known["http.response.status_code"] == "200", root)
    tally.check("a HEAD is one", traces.of("look")[0]["name"] ==
                "HEAD /v1/games/{game_id}")
    root, steps = traces.of("move")
    tally.check("a move is loaded, decided and committed",
                names(steps) == ["load_game", "decide", "commit_move"] and
                [step["kind"] for step in steps] == [3, 1, 3], steps)
    tally.check("a request without a trace begins one",
                "parentSpanId" not in root and
                re.fullmatch("[0-9a-f]{32}", root["traceId"]), root)
    root, steps = traces.of("wrong")
    tally.check("a refusal has its code", attributes(root)["error.type"] ==
                "not_allowed_now" and "status" not in root, root)
    told = "".join(body for _, _, body in traces.bodies)
    secret = [table.id, table.code, "127.0.0.1", *table.tokens]
    tally.check("nothing of a game, a player or a client is in them",
                not any(each in told for each in secret) and
                not CARD.search(told))
    tally.end_well(daemon)


def check_sample(tally, build):
    collector = Collector()
    daemon = start(build, collector, ONE_IN)
    client = daemon.client()
    before = sum(1 for line in daemon.lines)
    for _ in range(SAMPLED * ONE_IN):
        client.get("/v1/rules/modes")
    daemon.stop()  # sends what is left
    traces = Traces(collector)
    traces.wait_for(SAMPLED)
    # Probes of /readyz come before.
    tally.check("one request in ten is sampled",
                SAMPLED <= len(traces.roots) <= SAMPLED + 2 + before,
                len(traces.roots))


def wait_for_lost(daemon):
    """The metric, when it counts lost traces; 0: it never does."""
    address = next(match for match in map(METRICS.search, daemon.lines)
                   if match).groups()
    client = gangd.Client((address[0], int(address[1])))
    deadline = time.monotonic() + WAIT_SECONDS
    lost = 0
    while not lost and time.monotonic() < deadline:
        lost = int(re.search(r"^gangd_traces_lost_total (\d+)$", client.get(
            "/metrics").body.decode(), re.M)[1])
        time.sleep(0.05)
    client.close()
    return lost


def check_bad_collector(tally, build, what, collector):
    """Requests do not notice; the log reports what was lost."""
    daemon = start(build, collector, GANGD_METRICS_LISTEN="127.0.0.1:0")
    client = daemon.client()
    slowest = 0
    for _ in range(400):
        begun = time.monotonic()
        status = client.get("/v1/games").status
        slowest = max(slowest, time.monotonic() - begun)
        if status != 200:
            break
    # A collector that hangs loses a batch in 2 s.
    counted = wait_for_lost(daemon)
    begun = time.monotonic()
    ended = daemon.stop()
    seconds = time.monotonic() - begun
    tally.check(f"requests do not notice {what}", status == 200 and
                slowest < 1, (status, slowest))
    tally.check(f"with {what} the daemon ends well",
                ended == 0 and seconds < STOP_SECONDS, (ended, seconds))
    lost = sum(json.loads(line)["count"] for line in daemon.lines
               if '"event":"traces_lost"' in line)
    tally.check(f"with {what} the log says how many traces were lost",
                lost >= 400, lost)
    tally.check(f"with {what} the metric counts them too",
                0 < counted <= lost, (counted, lost))


def nobody_listens():
    """A URL where nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return "http://127.0.0.1:{}/".format(one.getsockname()[1])


def check_bad_url(tally, build):
    done = subprocess.run(
        [build + "/bin/gangd"], text=True, stderr=subprocess.PIPE,
        env=dict(os.environ, GANGD_LISTEN="127.0.0.1:0",
                 GANGD_TRACE_URL="ftp://name:hidden@127.0.0.1/"), check=False)
    tally.check("a URL of another kind is refused, and not repeated",
                done.returncode == 1 and "GANGD_TRACE_URL" in done.stderr and
                "hidden" not in done.stderr, done.stderr)


def test_play(tally, build, database):
    check_play(tally, build)


def test_sample(tally, build, database):
    check_sample(tally, build)


def test_traces(tally, build, database):
    hangs = Collector(None)
    bad = {"a collector that hangs": hangs, "one that refuses": Collector(503),
           "one that redirects": Collector(302),
           "one that is away": nobody_listens()}
    threads = [threading.Thread(target=check_bad_collector,
                                args=(tally, build, what, collector))
               for what, collector in bad.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hangs.ended.set()


def test_bad_url(tally, build, database):
    check_bad_url(tally, build)
