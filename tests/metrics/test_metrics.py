"""Metrics as Prometheus reads them.

Every metric is a row of internal/metric/metric.def and of the table in
deploy/metrics/README.md; labels have values of fixed sets, whatever clients
send; what is counted is what happened; and nothing of a game, a player or an
address is in the text.
"""
import collections
import os
import re
import socket
import subprocess
import time

import games
import gangd
from listed import listed_metrics, metrics_of_def, read
import measure
import metrics_client
from metrics_client import SOON
import pytest

SCRAPE_MS = 5      # the best of several; others are those of a busy machine
SCRAPES = 20
SLOWNESS = int(os.environ.get("SLOWNESS", "1"))
SANITIZED_FACTOR = 5
OF_BOTS = 2        # connections to the database, in addition to those of the loops
SERIES_MAX = 3000  # of a daemon on which every route was used
STATUSES = {"other", "client_gone"} | set(
    "200 201 204 303 304 308 400 401 403 404 405 406 408 409 410 412 413 415 "
    "422 429 500 503".split())


def bounded_labels():
    """The values that each label may have, by the tables of the sources."""
    routes = re.findall(r'^ROUTE\((\w+), "([^"]+)"',
                        games.read("routes.def"), re.M)
    queries = re.findall(r"^QUERY\((\w+),", read("internal/store/query.def"),
                         re.M)
    return {
        "method": {"-"} | {method for method, _ in routes},
        "route": {"-"} | {route for _, route in routes},
        "status": STATUSES | set(re.findall(
            r'^STATUS\(\w+, "(\w+)"', read("internal/table/status.def"), re.M)),
        "statement": set(queries),
        "result": {"ok", "none", "conflict", "taken", "unavailable", "broken"},
        "kind": {"request", "stream"},
        "quota": set("address token creation joining listing game day_changes "
                     "day_creation day_keys lobby connections waits".split()),
        "ruleset": {"the_gang", "famiglia"},
        "outcome": {"succeeded", "failed", "abandoned"},
    }


def play_heist(daemon, game):
    """Take chips until the showdown."""
    players = [daemon.client(token) for token in game.tokens]
    for color in ("white", "yellow", "orange", "red"):
        for stars, player in enumerate(players, 1):
            player.post(f"{game.path}/chips/{color}/{stars}/take")
    return players[0].get(game.path).json["heist"]["outcome"]


def send_garbage(daemon):
    """Requests with names that a client makes up."""
    client = daemon.client()
    for i in range(40):
        client.ask("GET", f"/made-up/{i}")
        client.ask("GET", f"/v1/games/made-up-{i}")
        client.ask("POST", f"/v1/games/{i}/chips/blue/{i}/take", {"x": i})
        client.ask(f"M{i}", "/v1/games")
    client.close()
    with socket.create_connection(daemon.address, SOON) as raw:
        raw.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
        while raw.recv(4096):
            pass


def check_text(tally, metrics):
    text = metrics.text()
    said = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
    listed = listed_metrics("daemon")
    rows = set(metrics_of_def().values())
    tally.check("every metric is a row of metric.def", set(said) == rows,
                set(said) ^ rows)
    tally.check("every metric is in the table for operators, once",
                collections.Counter(listed) == collections.Counter(rows),
                set(listed) ^ rows)
    checked = subprocess.run(["promtool", "check", "metrics"], input=text,
                             text=True, capture_output=True, check=False)
    tally.check("promtool finds nothing to say", checked.returncode == 0 and
                not checked.stderr, checked.stderr)


def check_labels(tally, daemon, metrics):
    send_garbage(daemon)
    first = metrics.values()
    send_garbage(daemon)
    series = metrics.values()
    # The daemon's own statements may come at any time.
    new = {key for key in set(series) - set(first)
           if key[0].startswith("gangd_http")}
    tally.check("names that clients make up make no series",
                not new, new)
    bounds = bounded_labels()
    wrong = {pair for key in series for pair in key[1:]
             if pair[0] not in ("le", "version") and
             pair[1] not in bounds.get(pair[0], ())}
    tally.check("each label has a value of its set", not wrong, wrong)
    tally.check("a metric has few series", max(collections.Counter(
        key[0] for key in series).values()) < SERIES_MAX)
    unmatched = [key for key in series if ("route", "-") in key and
                 key[0] == "gangd_http_requests_total"]
    tally.check("paths without a route are one",
                len({dict(key[1:])["method"] for key in unmatched}) == 1,
                unmatched)
    tally.check("bytes that are not HTTP are counted",
                series[("gangd_http_unreadable_total",)] == 2,
                series[("gangd_http_unreadable_total",)])


def check_counts(tally, daemon, metrics):
    game = gangd.Table(daemon)
    outcome = play_heist(daemon, game)
    take = "/v1/games/{game_id}/chips/{color}/{stars}/take"
    tally.check("requests are counted by route and status", metrics.wait_for(
        12, "gangd_http_requests_total", method="POST", route=take,
        status="200") == 12)
    tally.check("so are their durations", metrics.value(
        "gangd_http_request_duration_seconds_count", method="POST",
        route=take) == 12)
    values = metrics.values()
    heists = {dict(key[1:])["outcome"]: value for key, value in values.items()
              if key[0] == "gangd_heists_total"}
    tally.check("a heist is counted by its outcome", heists ==
                {"succeeded": 0, "failed": 0, "abandoned": 0, outcome: 1},
                heists)
    moves = values[("gangd_statement_duration_seconds_count",
                    ("statement", "commit_move"))]
    tally.check("a statement is counted once for each change", moves == values[
        ("gangd_statements_total", ("result", "ok"),
         ("statement", "commit_move"))] == 12, moves)
    tally.check("connections to the database are counted",
                metrics.wait_for(4 + OF_BOTS, "gangd_database_connections") ==
                values[("gangd_database_connections_max",)] == 4 + OF_BOTS)
    text = metrics.text()
    secrets = [game.id, game.code, *game.tokens, "127.0.0.1"]
    tally.check("nothing of a game or an address is in the text",
                not [secret for secret in secrets if secret in text])
    return game


def check_endings(tally, daemon, metrics):
    game = gangd.Table(daemon, 2, ruleset="famiglia")
    left = daemon.client(game.tokens[1]).ask("DELETE", game.path + "/players/2")
    ended = {(dict(key[1:])["ruleset"], dict(key[1:])["status"]): value
             for key, value in metrics.values().items()
             if key[0] == "gangd_games_ended_total"}
    tally.check("a game that ends is counted by its status", ended ==
                {("famiglia", "over"): 1}, (left.status, ended))


def check_waiters(tally, daemon, metrics, game):
    player = daemon.client(game.tokens[0])
    tag = player.get(game.path).header("ETag")
    authorization = f"Authorization: Bearer {game.tokens[0]}\r\n"
    head = f"HTTP/1.1\r\nHost: gangd\r\n{authorization}"
    with socket.create_connection(daemon.address, SOON) as waiting, \
            socket.create_connection(daemon.address, SOON) as stream:
        waiting.sendall(f"GET {game.path} {head}If-None-Match: {tag}\r\n"
                        "Prefer: wait=30\r\n\r\n".encode())
        stream.sendall(f"GET {game.path}/events {head}"
                       "Accept: text/event-stream\r\n\r\n".encode())
        waits = metrics.wait_for(1, "gangd_waiters", kind="request")
        streams = metrics.wait_for(1, "gangd_waiters", kind="stream")
        tally.check("a request that waits and a stream are counted",
                    (waits, streams) == (1, 1), (waits, streams))
    waits = metrics.wait_for(0, "gangd_waiters", kind="request")
    streams = metrics.wait_for(0, "gangd_waiters", kind="stream")
    tally.check("and not when their clients have left",
                (waits, streams) == (0, 0), (waits, streams))


def check_games(tally, metrics):
    deadline = time.monotonic() + SOON
    while not metrics.value("gangd_games_counted_timestamp_seconds") and \
            time.monotonic() < deadline:
        time.sleep(0.02)
    games = {(dict(key[1:])["ruleset"], dict(key[1:])["status"]): value
             for key, value in metrics.values().items()
             if key[0] == "gangd_games"}
    rows = gangd.psql("SELECT ruleset, status, count(*) FROM gangd.game "
                      "GROUP BY 1, 2")
    tally.check("games are counted by ruleset and status",
                games == {("the_gang", "lobby"): 2, ("the_gang", "playing"): 0,
                          ("famiglia", "lobby"): 0, ("famiglia", "playing"): 1},
                (games, rows))
    asked = metrics.value("gangd_statements_total", statement="count_games",
                          result="ok")
    for _ in range(20):
        metrics.text()
    tally.check("scrapes do not count the games again so soon", metrics.value(
        "gangd_statements_total", statement="count_games",
        result="ok") == asked == 1, asked)


def check_listener(tally, build, daemon, metrics):
    head = metrics.client.ask("HEAD", "/metrics")
    tally.check("HEAD has no body", head.status == 200 and not head.body)
    tally.check("other paths and methods are refused",
                metrics.client.get("/v1/games").status == 404 and
                metrics.client.post("/metrics", {"x": 1}).status == 405)
    tally.check("players find no metrics at the service",
                daemon.client().get("/metrics").status == 404)
    took = []
    for _ in range(SCRAPES):
        begun = time.monotonic()
        text = metrics.text()
        took.append((time.monotonic() - begun) * 1000)
    took.sort()
    series = sum(not line.startswith("#") for line in text.splitlines())
    print(f"of {SCRAPES} scrapes of {series} series the best takes {took[0]:.1f} ms, "
          f"half {took[SCRAPES // 2]:.1f} ms")
    bound = SCRAPE_MS * (SANITIZED_FACTOR if measure.is_sanitized(build)
                         else SLOWNESS)
    tally.check(f"a scrape takes less than {bound} ms", took[0] < bound, took)


def check_drain(tally, daemon, metrics):
    metrics.text()
    daemon.process.terminate()
    service = daemon.client()
    gangd.wait_for(lambda: service.get("/readyz").status == 503, SOON)
    tally.check("metrics are served while the daemon drains",
                metrics.value("gangd_build_info", version=version()) == 1)
    status = daemon.wait()
    tally.check("the daemon ends well", status == 0, status)
    tally.check("the daemon logs no fault of its own", not daemon.faults(),
                daemon.faults())


def version():
    return re.search(r"^  version: (.*)$", read("api/openapi.yaml"), re.M)[1]


def check_quotas(tally, build):
    daemon = gangd.Daemon(build, GANGD_METRICS_LISTEN="127.0.0.1:0",
                          GANGD_LOOPS="1", GANGD_QUOTAS="on",
                          GANGD_QUOTA_CREATION="1", GANGD_DRAIN_MS="0",
                          GANGD_CONNECTIONS="2")
    daemon.wait_ready()
    metrics = metrics_client.of_daemon(daemon)
    client = daemon.client()
    statuses = [client.post("/v1/games", {"name": "A"}).status
                for _ in range(3)]
    tally.check("a refusal is counted by its quota", statuses == [201, 429, 429]
                and metrics.value("gangd_quota_refusals_total",
                                  quota="creation") == 2, statuses)
    clients = [daemon.client() for _ in range(3)]
    for other in clients:
        other.get("/livez")
    tally.check("connections that the cap has closed are counted",
                metrics.value("gangd_http_evictions_total") >= 1)
    tally.end_well(daemon, "a daemon with quotas")


@pytest.fixture(scope="module")
def daemon(build, database):
    daemon = gangd.Daemon(build, GANGD_METRICS_LISTEN="127.0.0.1:0",
                          GANGD_LOOPS="2", GANGD_DATABASE_CONNECTIONS="4",
                          GANGD_DRAIN_MS="2000")
    daemon.wait_ready()
    maker = daemon.client()
    for _ in range(2):
        maker.post("/v1/games", {"name": "A"})
    maker.close()
    gangd.Table(daemon, 2, ruleset="famiglia")
    return daemon


@pytest.fixture(scope="module")
def metrics(daemon):
    return metrics_client.of_daemon(daemon)


def test_games(tally, metrics):
    check_games(tally, metrics)


def test_metrics(tally, daemon, metrics):
    game = check_counts(tally, daemon, metrics)
    check_endings(tally, daemon, metrics)
    check_waiters(tally, daemon, metrics, game)


def test_labels(tally, daemon, metrics):
    check_labels(tally, daemon, metrics)


def test_text(tally, metrics):
    check_text(tally, metrics)


def test_listener(tally, build, daemon, metrics):
    check_listener(tally, build, daemon, metrics)


def test_drain(tally, daemon, metrics):
    check_drain(tally, daemon, metrics)


def test_quotas(tally, build, database):
    check_quotas(tally, build)
