"""Players who are not looking get notifications.

What gangd-push sends is decrypted and verified by packages of others (receiver.js).
Each stage has a game of its own.  Before the last stages all players count as not
watching, whatever they ask (workbench.look_away).
"""
import copy
import os
import subprocess
import tempfile
import time

import gangd
from gangd import wait_for
import pytest
import workbench

pytestmark = pytest.mark.waiting

COLORS = ("white", "yellow", "orange", "red")
REFERENCE = "account 7 \u00e9"
DELIVERIES = "gangd_push_deliveries_total"
LONG_AGO_S = 100  # beyond the last bound of the histogram of times
LATE_S = 3  # a good endpoint gets its message within it, whatever others do


def rows(where="true"):
    return int(gangd.psql(
        f"SELECT count(*) FROM gangd.notification WHERE {where}"))


def of_game(table, more="true"):
    return f"game_id = '{table.id}' AND {more}"


def ask(daemon, token, method, path, body=None, **headers):
    client = daemon.client(token)
    answer = client.ask(method, path, body, headers or None)
    client.close()
    return answer


def subscribe(bench, table, seat, name, how="ok", **where):
    return ask(bench.daemon, table.tokens[seat - 1], "PUT", table.path + "/push",
               bench.receiver.subscription(name, how, **where))


def tell(table, version, code=12, seat=1):
    """Notify a seat at all its subscriptions, as a commit does."""
    gangd.psql(f"""INSERT INTO gangd.notification
        (game_id, version, seat, target, code, service)
        SELECT p.game_id, {version}, s.seat, p.endpoint_hash, {code}, p.service
        FROM gangd.push_subscription AS p JOIN gangd.seat AS s
        USING (game_id, token_hash)
        WHERE p.game_id = '{table.id}' AND s.seat = {seat}""")


class Bench:
    """A daemon and a receiver; gangd-push is started by each stage."""

    def __init__(self, build, receiver, daemon, settings, tally):
        self.build, self.receiver, self.daemon = build, receiver, daemon
        self.settings, self.tally = settings, tally
        self.log = ""

    def push(self, **more):
        return workbench.Push(self.build, self.settings, **more)

    def end(self, push):
        push.end_well(self.tally)
        self.log += push.text()

    def check(self, *arguments):
        return self.tally.check(*arguments)

    def came(self, kind, name, count=1, seconds=workbench.PATIENCE):
        """Wait for messages for a path of the push service, or of a kind."""
        def found():
            return [one for one in self.receiver.received(kind)
                    if kind != "push" or one["path"].startswith(f"/{name}/")]
        wait_for(lambda: len(found()) >= count, seconds)
        return found()


# --- who is notified, and of what -------------------------------------------------

def check_start(bench):
    table = gangd.Table(bench.daemon, 3, start=False, client_reference=REFERENCE)
    answer = subscribe(bench, table, 1, "start")
    bench.check("a player subscribes", answer.status == 200, answer.body)
    for name in "BC":
        table.tokens.append(ask(bench.daemon, None, "POST",
                                f"/v1/invitations/{table.code}/players",
                                {"name": name}).json["token"])
    bench.check("the start is for the host alone, for both targets", rows() == 2 and
                rows("seat = 1 AND code = 2") == 2)
    push = bench.push()
    sent, = bench.came("push", "start")
    hook, = bench.came("webhook", "")
    bench.check("Web Push says game, what and version",
                sent["payload"] == {
                    "id": sent["payload"]["id"], "code": "game_started",
                    "game": table.id, "version": sent["payload"]["version"],
                    "seat": 1, "rematch": None, "ruleset": "the_gang", "mode": "basic",
                    "name": "A", "host": "A"} and sent["urgency"] == "high" and
                sent["topic"] == table.id.replace("-", "") and
                86000 < int(sent["ttl"]) <= 86400, sent)
    data = hook["payload"]["data"]
    bench.check("the webhook has the client_reference", data == {
        "game": table.id, "version": sent["payload"]["version"], "seat": 1,
        "rematch": None, "ruleset": "the_gang", "mode": "basic", "name": "A",
        "host": "A", "client_reference": REFERENCE} and
        hook["payload"]["type"] == "game_started", hook)
    bench.check("what was sent is settled; the webhook's row stays",
                wait_for(lambda: rows("due_at IS NOT NULL") == 0) and rows() == 1)
    bench.end(push)
    return table


def check_moves(bench, table):
    """Without gangd-push, what moves write stays to be looked at."""
    host, other = table.tokens[0], table.tokens[1]
    ask(bench.daemon, host, "POST", table.path + "/chips/white/1/take")
    bench.check("players are not notified of their own moves", rows("due_at IS NOT NULL") == 0)
    ask(bench.daemon, other, "POST", table.path + "/chips/white/1/take")
    bench.check("who is robbed is told that the table waits",
                rows("due_at IS NOT NULL AND code = 1 AND seat = 1") == 2)
    ask(bench.daemon, host, "POST", table.path + "/chips/white/2/take")
    bench.check("and not any more when the player has moved",
                rows("due_at IS NOT NULL") == 0)


def play_to_end(bench, table):
    while True:
        for color in COLORS:
            for number, token in enumerate(table.tokens, 1):
                ask(bench.daemon, token, "POST",
                    f"{table.path}/chips/{color}/{number}/take")
        if ask(bench.daemon, table.tokens[0], "GET",
               table.path).json["status"] != "playing":
            return
        ask(bench.daemon, table.tokens[1], "POST", table.path + "/heists")


def check_endings(bench, table):
    play_to_end(bench, table)
    codes = set(gangd.psql(
        f"SELECT DISTINCT code FROM gangd.notification WHERE {of_game(table)} "
        "AND due_at IS NOT NULL").split())
    bench.check("heists and the game end with a word about each", codes and
                codes <= {"3", "10", "11", "12", "13"} and codes & {"12", "13"}
                and codes & {"10", "11"}, codes)
    answer = ask(bench.daemon, table.tokens[1], "POST", table.path + "/rematch")
    rematch = answer.json["id"]
    push = bench.push()
    found = wait_for(lambda: [one for one in bench.receiver.received("push")
                              if one["payload"]["code"] == "rematch"])
    bench.check("a rematch is an invitation that names it", found and
                found[0]["payload"]["rematch"] == rematch, found)
    ask(bench.daemon, table.tokens[1], "POST",
        f"/v1/games/{rematch}/chips/white/1/take")
    bench.check("the rematch has the subscription, and the reference", gangd.psql(
        "SELECT push_seats FROM gangd.game WHERE game_id = "
        f"'{rematch}'") == "2")
    bench.end(push)


def check_watching(bench):
    """Players who were seen since the commit, in the ten seconds of it, and before."""
    table = gangd.Table(bench.daemon, 3, client_reference=REFERENCE)
    for seat, name in enumerate(("watching", "unsure", "away"), 1):
        subscribe(bench, table, seat, name)
    workbench.look_again()
    gangd.psql(f"UPDATE gangd.notification SET due_at = NULL "
               f"WHERE {of_game(table)}")
    for seat in 1, 2, 3:
        tell(table, 100, seat=seat)
    gangd.psql(f"""UPDATE gangd.seat SET last_seen = date_bin('10 s', n.created_at, 'epoch')
        + (ARRAY[10, 0, -100])[n.seat] * interval '1 s' FROM gangd.notification AS n
        WHERE seat.game_id = n.game_id AND seat.seat = n.seat AND n.version = 100
        AND n.{of_game(table)}""")
    push = bench.push()
    bench.check("a player who looks away is told", bench.came("push", "away"))
    bench.check("a player who watches is not told",
                wait_for(lambda: rows(of_game(table, "seat = 1 AND version = 100")) == 0)
                and not bench.came("push", "watching", 1, 0))
    unsure = of_game(table, "seat = 2 AND version = 100")
    bench.check("who may have left before is not told before that is known",
                not bench.came("push", "unsure", 1, 0) and wait_for(lambda: rows(
                    unsure + " AND due_at BETWEEN created_at + interval '3.5 s' "
                    "AND created_at + interval '6 s'") == 1, 3))
    bench.check("and then is told", bench.came("push", "unsure", 1, 8))
    bench.end(push)
    workbench.look_away()


def open_stream(daemon, table, seat):
    client = daemon.client(table.tokens[seat - 1])
    answer = client.open(table.path + "/events", {"Accept": "text/event-stream"})
    assert answer.status == 200, answer.status
    answer.readline()
    return client


def check_streams(bench):
    """Players with a stream at this daemon or another, or at no daemon any more."""
    other = gangd.Daemon(bench.build, **bench.settings)
    other.wait_ready()
    names = ("here", "there", "left", "polled", "last")
    table = gangd.Table(bench.daemon, len(names), start=False)
    for name in "BCD":
        table.tokens.append(ask(bench.daemon, None, "POST",
                                f"/v1/invitations/{table.code}/players",
                                {"name": name}).json["token"])
    workbench.look_again()
    for seat, name in enumerate(names[:4], 1):
        subscribe(bench, table, seat, "stream-" + name)
    open_streams = [open_stream(bench.daemon, table, 1),
                    open_stream(other, table, 2)]
    for daemon, seat in ((bench.daemon, 2), (bench.daemon, 3), (other, 3)):
        open_stream(daemon, table, seat).close()
    tag = ask(other, table.tokens[3], "GET", table.path).header("ETag")
    ask(other, table.tokens[3], "GET", table.path,
        **{"If-None-Match": tag, "Prefer": "wait=1"})
    push = bench.push(GANGD_PUSH_DELAY_MS="1000")
    ask(bench.daemon, None, "POST", f"/v1/invitations/{table.code}/players",
        {"name": "E"})
    begun = time.monotonic()
    bench.check("players whose last stream or poll has just ended are told within "
                "the delay and ten seconds", bench.came("push", "stream-left", 1, 11) and
                bench.came("push", "stream-polled", 1, 1), time.monotonic() - begun)
    wait_for(lambda: rows(of_game(table, "target <> "
                                  "decode(repeat('00', 32), 'hex')")) == 0, 10)
    bench.check("players who hold a stream are not, at whatever daemon",
                not bench.came("push", "stream-here", 1, 0) and
                not bench.came("push", "stream-there", 1, 0))
    for stream in open_streams:
        stream.close()
    bench.end(push)
    workbench.look_away()
    bench.tally.end_well(other)


def check_quota(bench):
    """Endpoints that differ in their queries, of two seats, and of two games."""
    tables = [gangd.Table(bench.daemon, 3) for _ in range(2)]
    push = bench.push(GANGD_PUSH_METRICS_LISTEN="127.0.0.1:0")
    for table in tables:
        for seat in 1, 2:
            for number in 1, 2:
                subscribe(bench, table, seat, "daily", f"ok?x={number}")
        gangd.psql(f"""INSERT INTO gangd.notification
            (game_id, version, seat, target, code, service)
            SELECT p.game_id, v, s.seat, p.endpoint_hash, 12, p.service
            FROM gangd.push_subscription AS p JOIN gangd.seat AS s
            USING (game_id, token_hash), generate_series(1000, 1049) AS v
            WHERE p.game_id = '{table.id}'""")
    wait_for(lambda: rows(of_game(tables[1])) + rows(of_game(tables[0])) == 0)
    found = outcomes(push.metrics())
    bench.check("an endpoint gets 300 requests a day, by whatever query and seat",
                found == {("web_push", "delivered"): 300,
                          ("web_push", "over_quota"): 100} and
                len(bench.came("push", "daily", 300)) == 300, found)
    bench.end(push)


def check_replay(bench):
    hooks = len(bench.receiver.received("webhook"))
    ids = {one["id"] for one in bench.receiver.received("webhook")}
    for words, good in ((["--since", "2020-01-01T00:00:00Z"], True),
                        (["--since", "then"], False), (["--until", "now"], False)):
        done = gangd.gangctl(bench.build, "webhooks", "replay", *words)
        bench.check(f"webhooks replay {words[1]}: {good}",
                    (done.returncode == 0) == good, done)
    push = bench.push()
    wait_for(lambda: rows("due_at IS NOT NULL") == 0)
    again = bench.receiver.received("webhook")[hooks:]
    bench.check("what the webhook was sent is sent again, under the same ids",
                ids <= {one["id"] for one in again}, (len(ids), len(again)))
    bench.end(push)


def check_contract(bench):
    """All that the webhook was sent, and the same with a fault."""
    contract = workbench.Contract()
    sent = bench.receiver.received("webhook")
    faults = {fault for one in sent for fault in contract.faults(one)}
    bench.check("the webhook gets what the document says", sent and not faults,
                faults)
    codes = {one["payload"]["type"] for one in sent}
    bench.check("also of a rematch", {"game_started", "rematch"} <= codes, codes)
    for what, change in (
            ("a member", lambda one: one["payload"]["data"].pop("host")),
            ("another member", lambda one: one["payload"]["data"].update(token="x")),
            ("a time", lambda one: one["payload"].update(timestamp="today")),
            ("a field", lambda one: one["fields"].pop("webhook-signature")),
            ("another field", lambda one: one["fields"].update({"webhook-x": "1"}))):
        planted = copy.deepcopy(sent[0])
        change(planted)
        bench.check(f"and nothing else: {what}", list(contract.faults(planted)))


# --- subscriptions ----------------------------------------------------------------

def check_subscriptions(bench):
    table = gangd.Table(bench.daemon, 3)
    path, token = table.path + "/push", table.tokens[0]
    good = bench.receiver.subscription("x")
    for name, pointer, change in (
            ("http", "/endpoint", {"endpoint": "http://localhost/x"}),
            ("another host", "/endpoint", {"endpoint": "https://evil.test/x"}),
            ("no endpoint", "/endpoint", {"endpoint": None}),
            ("a long one", "/endpoint", {"endpoint": good["endpoint"] + "x" * 1024}),
            ("no keys", "/keys", {"keys": "x"}),
            ("no auth", "/keys/auth", {"keys": {"p256dh": good["keys"]["p256dh"]}}),
            ("no point", "/keys/p256dh",
             {"keys": dict(good["keys"], p256dh="B" + "A" * 86)}),
            ("one member more", "/other", {"other": 1})):
        answer = ask(bench.daemon, token, "PUT", path, dict(good, **change))
        bench.check(f"{name} is refused", answer.status == 422 and
                    answer.json["errors"][0]["pointer"] == pointer, answer.body)
    answers = [subscribe(bench, table, 1, f"x{i % 5}").status for i in range(6)]
    bench.check("five subscriptions, each as often as one likes",
                answers == [200] * 6, answers)
    answer = subscribe(bench, table, 1, "x5")
    bench.check("a sixth is refused", answer.code == "too_many_subscriptions",
                answer.body)
    number = subscribe(bench, table, 1, "x0").json["subscription"]
    one = ask(bench.daemon, token, "DELETE", f"{path}?subscription={number}")
    bad = ask(bench.daemon, token, "DELETE", f"{path}?subscription=x")
    left = gangd.psql("SELECT count(*) FROM gangd.push_subscription WHERE game_id = "
                      f"'{table.id}'")
    bench.check("one is removed", (one.status, bad.status, left) == (204, 422, "4"),
                left)
    ask(bench.daemon, token, "DELETE", path)
    bench.check("all are removed", gangd.psql(
        f"SELECT push_seats FROM gangd.game WHERE game_id = '{table.id}'") == "0")
    subscribe(bench, table, 1, "x0")
    ask(bench.daemon, token, "POST", f"{table.path}/players/1/token",
        **{"Idempotency-Key": "0123456789abcdefghijkl"})
    subscribe(bench, table, 2, "x1")
    ask(bench.daemon, table.tokens[1], "DELETE", f"{table.path}/players/2")
    bench.check("they go with the token, and with the player", gangd.psql(
        f"SELECT count(*) FROM gangd.push_subscription WHERE game_id = '{table.id}'")
        == "0")


def check_off(bench):
    daemon = gangd.Daemon(bench.build)
    daemon.wait_ready()
    table = gangd.Table(daemon, 3)
    answer = ask(daemon, table.tokens[0], "PUT", table.path + "/push",
                 bench.receiver.subscription("x"))
    info = ask(daemon, None, "GET", "/v1/push").json
    bench.check("without keys there is no Web Push", answer.code == "push_off" and
                info["application_server_key"] is None, answer.body)
    daemon.stop()


def check_erase(bench):
    table = gangd.Table(bench.daemon, 3, client_reference=REFERENCE)
    subscribe(bench, table, 1, "erased")
    tell(table, 100)
    gangd.gangctl(bench.build, "erase", "--token", typed=table.tokens[0], check=True)
    bench.check("gangctl erase removes a player's subscriptions", gangd.psql(
        "SELECT (SELECT count(*) FROM gangd.push_subscription WHERE game_id = id), "
        "(SELECT count(*) FROM gangd.notification WHERE game_id = id AND seat = 1), "
        "(SELECT count(client_reference) FROM gangd.seat WHERE game_id = id) "
        f"FROM (SELECT '{table.id}'::uuid AS id) AS one") == "0|0|0")


# --- endpoints that are gone, busy, or hostile ------------------------------------

def check_hostile(bench):
    table = gangd.Table(bench.daemon, 5)
    for how in ("gone", "missing", "busy", "redirect", "endless"):
        subscribe(bench, table, 1, "hostile", how)
    subscribe(bench, table, 2, "hostile", "large")
    for version in range(101, 141):  # more than a host has room for
        subscribe(bench, table, 3, "stuck", "slow",
                  host="ab"[version % 2] + ".slow.localhost")
        tell(table, version, seat=3)
    push = bench.push(GANGD_PUSH_METRICS_LISTEN="127.0.0.1:0")
    bench.came("push", "stuck", 32)
    subscribe(bench, table, 4, "good")
    begun = time.monotonic()
    tell(table, 200, seat=4)
    good = bench.came("push", "good", seconds=LATE_S)
    bench.check("endpoints that do not answer delay no other",
                good and time.monotonic() - begun < LATE_S, good)
    stuck = bench.came("push", "stuck", 33, 1)
    bench.check("a push service gets as many requests as it has room for, under "
                "all its names", len(stuck) == 32, len(stuck))
    found = outcomes(push.metrics())
    bench.check("those beyond its room are not touched", found ==
                {("web_push", "delivered"): 1} and
                rows(of_game(table, "seat = 3 AND due_at < now()")) == 79 - 32, found)
    tell(table, 201)
    tell(table, 201, seat=2)
    bench.came("push", "hostile", 6)
    one = of_game(table, "version = 201")
    bench.check("what is gone is forgotten, what fails is tried again",
                wait_for(lambda: rows(one) == 3 and
                         rows(one + " AND attempts = 1") == 3), gangd.psql(
                             f"SELECT seat, attempts FROM gangd.notification WHERE {one}"))
    bench.check("subscriptions that are gone are removed", gangd.psql(
        "SELECT count(*) FROM gangd.push_subscription JOIN gangd.seat USING "
        f"(game_id, token_hash) WHERE game_id = '{table.id}' AND seat = 1") == "3")
    bench.check("Retry-After is kept to", rows(
        one + " AND due_at > created_at + interval '3.9 seconds'") >= 1)
    bench.check("no redirect is followed", not bench.came("push", "redirected", 1, 0))
    bench.check("an endless answer is not read to its end",
                bench.came("closed", ""))
    bench.end(push)
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")


# --- what it counts ---------------------------------------------------------------

def tell_webhook(table, versions):
    first, last = versions
    gangd.psql(f"""INSERT INTO gangd.notification
        (game_id, version, seat, target, code)
        SELECT '{table.id}', v, 1, decode(repeat('00', 32), 'hex'), 12
        FROM generate_series({first}, {last}) AS v""")


def outcomes(metrics):
    """How many notifications had each outcome, by target."""
    return {(dict(key[1:])["target"], dict(key[1:])["outcome"]): value
            for key, value in metrics.values().items() if key[0] == DELIVERIES}


def check_metrics(bench):
    """Notifications with each outcome but over_quota, for which see check_quota."""
    table = gangd.Table(bench.daemon, 3)
    for seat, how in enumerate(("ok", "gone", "busy"), 1):
        subscribe(bench, table, seat, "metered", how)
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")
    for version in (100, 101, 102):
        tell(table, version)
    tell_webhook(table, (200, 204))
    gangd.psql(f"""UPDATE gangd.notification SET created_at = now() - interval
        '{LONG_AGO_S} s' WHERE {of_game(table)};
        UPDATE gangd.notification SET expires_at = now()
        WHERE {of_game(table, "version = 204")};
        INSERT INTO gangd.notification (game_id, version, seat, target, code)
        VALUES ('{table.id}', 100, 1, sha256('no subscription'), 12)""")
    tell(table, 100, seat=2)
    tell(table, 100, seat=3)
    push = bench.push(GANGD_PUSH_METRICS_LISTEN="127.0.0.1:0")
    metrics = push.metrics()
    wanted = {("web_push", "delivered"): 3, ("webhook", "delivered"): 4,
              ("web_push", "gone"): 1, ("web_push", "dropped"): 1,
              ("webhook", "gave_up"): 1}

    def found():
        """With the tries that have failed so far, as the database has them."""
        wanted["web_push", "failed"] = int(gangd.psql(
            "SELECT attempts FROM gangd.notification WHERE " +
            of_game(table, "seat = 3"))) or None
        return outcomes(metrics)

    bench.check("what became of each notification is counted",
                wait_for(lambda: found() == wanted), (found(), wanted))
    for target, count in (("web_push", 3), ("webhook", 4)):
        name = "gangd_push_duration_seconds"
        times = [metrics.value(name + suffix, target=target, **more)
                 for suffix, more in (("_count", {}), ("_bucket", {"le": "2"}),
                                      ("_sum", {}))]
        bench.check(f"so is the time since the commit, by {target}",
                    times[:2] == [count, 0] and count * LONG_AGO_S <= times[2] <
                    count * (LONG_AGO_S + workbench.PATIENCE), times)
    done = subprocess.run(["promtool", "check", "metrics"], text=True, check=False,
                          input=metrics.text(), capture_output=True)
    bench.check("promtool finds nothing to say of gangd-push's metrics",
                done.returncode == 0 and not done.stderr, done.stderr)
    bench.check("its metrics name no game and no endpoint", not [
        word for word in (table.id, "localhost", "127.0.0.1", "metered")
        if word in metrics.text()])
    bench.end(push)
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")


# --- other endpoints --------------------------------------------------------------

def check_private(bench):
    """A name that resolves to loopback, without the exemption."""
    table = gangd.Table(bench.daemon, 3)
    subscribe(bench, table, 1, "private")
    subscribe(bench, table, 1, "private", host="127.0.0.1")
    tell(table, 100)
    push = bench.push(GANGD_PUSH_PRIVATE="")
    tried = wait_for(lambda: rows(of_game(table, "attempts > 0")) == 2)
    bench.check("nothing is sent to a loopback address, by name or number", tried and
                not bench.came("push", "private", 1, 0))
    bench.end(push)


def check_kept(bench):
    """An endpoint at the host of the webhook, which is at a private address, and to
    which a connection is kept."""
    table = gangd.Table(bench.daemon, 3)
    subscribe(bench, table, 1, "kept")
    hook = f"https://localhost:{bench.receiver.push_port}/hooks/kept"
    hooks = len(bench.came("webhook", "", 0, 0))
    push = bench.push(GANGD_PUSH_PRIVATE="", GANGD_WEBHOOK_URL=hook)
    for version in (100, 101, 102):
        gangd.psql(f"""INSERT INTO gangd.notification
            (game_id, version, seat, target, code)
            VALUES ('{table.id}', {version}, 1, decode(repeat('00', 32), 'hex'), 12)""")
        hooks += 1
        sent = bench.came("webhook", "", hooks)
        bench.check("the webhook may be at a private address", len(sent) == hooks)
        tell(table, version)
        tried = wait_for(lambda: rows(of_game(
            table, f"version = {version} AND attempts > 0")) == 1)
        bench.check("an endpoint of the same host gets nothing by its connection",
                    tried and not bench.came("push", "kept", 1, 0),
                    bench.came("push", "kept", 1, 0))
    bench.end(push)
    bench.check("a kept connection was refused", "reason\":\"Operation was aborted" in
                push.text(), push.text())
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")


def check_trickle(bench):
    """A status of success whose body does not end."""
    table = gangd.Table(bench.daemon, 3)
    subscribe(bench, table, 1, "endless", "trickle")
    tell(table, 100)
    push = bench.push()
    begun = time.monotonic()
    bench.came("push", "endless")
    bench.check("a body that does not end is waited for until the deadline",
                bench.came("trickled", "") and 8 < time.monotonic() - begun < 15,
                time.monotonic() - begun)
    bench.check("the status counts all the same",
                wait_for(lambda: rows(of_game(table)) == 0) and
                len(bench.came("push", "endless", 1, 0)) == 1)
    bench.end(push)


def check_delay(bench):
    """A retry waits for its pause, and not for the delay as well."""
    table = gangd.Table(bench.daemon, 3)
    subscribe(bench, table, 1, "delayed", "busy")
    tell(table, 100)
    gangd.psql("UPDATE gangd.notification SET due_at = now() - interval '1 minute' "
               f"WHERE {of_game(table)}")
    push = bench.push(GANGD_PUSH_DELAY_MS="60000")
    first, second = bench.came("push", "delayed", 2)[:2] or [None, None]
    bench.check("a retry does not wait for the delay once more",
                second and 3900 < second["at"] - first["at"] < 20000, (first, second))
    bench.end(push)
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")


def check_targets(bench, batch):
    """A gangd-push for each target, and both ways to take: each leaves what is for the
    other."""
    table = gangd.Table(bench.daemon, 3)
    name = f"targets{batch}"
    subscribe(bench, table, 1, name)
    tell(table, 100)
    gangd.psql(f"""INSERT INTO gangd.notification
        (game_id, version, seat, target, code)
        SELECT '{table.id}', v, 1, decode(repeat('00', 32), 'hex'), 12
        FROM generate_series(100, 101) AS v;
        UPDATE gangd.notification SET due_at = created_at - interval '25 hours'
        WHERE {of_game(table, "version = 101")}""")
    hooks = len(bench.came("webhook", "", 0, 0))
    push = bench.push(GANGD_WEBHOOK_URL="", GANGD_BATCH=batch)
    bench.check("Web Push alone is sent", bench.came("push", name))
    bench.check("what nobody sent within a day is deleted",
                wait_for(lambda: rows(of_game(table, "version = 101")) == 0))
    time.sleep(0.6)
    bench.check("and the webhook's is left", rows(of_game(
        table, "due_at < now() AND attempts = 0")) == 1)
    bench.end(push)
    tell(table, 102)
    push = bench.push(GANGD_VAPID_FILE="", GANGD_BATCH=batch)
    bench.check("the webhook's alone is sent",
                len(bench.came("webhook", "", hooks + 1)) == hooks + 1)
    wait_for(lambda: rows(of_game(table, "due_at IS NULL")) == 1)
    time.sleep(0.6)
    bench.check("and Web Push's is left", rows(of_game(
        table, "version = 102 AND due_at < now() AND attempts = 0")) == 1)
    bench.end(push)
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")


def check_damaged(bench):
    """A subscription that cannot be read, taken with one that can."""
    table = gangd.Table(bench.daemon, 3)
    subscribe(bench, table, 1, "damaged")
    gangd.psql("UPDATE gangd.push_subscription SET sealed = set_byte(sealed, "
               "length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1)) "
               f"WHERE {of_game(table)}")
    subscribe(bench, table, 2, "whole")
    gangd.psql(f"DELETE FROM gangd.notification WHERE {of_game(table)}")
    tell(table, 100)
    tell(table, 100, seat=2)
    push = bench.push()
    bench.check("a damaged subscription keeps no other from being told",
                bench.came("push", "whole", seconds=LATE_S))
    bench.check("and is tried again", wait_for(lambda: rows(
        of_game(table, "seat = 1 AND attempts = 1")) == 1))
    push.stop()
    bench.log += push.text()
    gangd.psql(f"DELETE FROM gangd.push_subscription WHERE {of_game(table)}")


def check_stop(bench):
    """A signal while the database does not answer."""
    push = bench.push(GANGD_DATABASE_TIMEOUT_MS="30000")
    with subprocess.Popen(
            ["psql", "-qAt", os.environ["GANGD_MIGRATE_URL"]], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as lock:
        lock.stdin.write("BEGIN; SET LOCAL ROLE gangd_owner; LOCK gangd.notification;"
                         " SELECT 'locked';\n")
        lock.stdin.flush()
        lock.stdout.readline()
        waiting = wait_for(lambda: gangd.psql(
            "SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")
        status = push.stop()
        lock.stdin.close()
    bench.check("gangd-push ends well also while it waits for the database",
                waiting and status == 0, status)


def test_notifications(tally, build, database):
    workbench.look_away()
    with tempfile.TemporaryDirectory() as folder:
        receiver = workbench.Receiver(workbench.install(build, tally), folder)
        keys = gangd.gangctl(build, "new-key", "1", check=True).stdout
        settings = dict(receiver.settings(),
                        GANGD_KEY_FILE=receiver.write("keys", keys))
        os.environ["GANGD_KEY_FILE"] = settings["GANGD_KEY_FILE"]
        daemon = gangd.Daemon(build, **settings)
        daemon.wait_ready()
        bench = Bench(build, receiver, daemon, settings, tally)
        table = check_start(bench)
        check_moves(bench, table)
        check_endings(bench, table)
        check_watching(bench)
        check_streams(bench)
        check_replay(bench)
        check_subscriptions(bench)
        check_off(bench)
        check_erase(bench)
        check_hostile(bench)
        check_quota(bench)
        check_metrics(bench)
        check_private(bench)
        check_kept(bench)
        check_trickle(bench)
        check_delay(bench)
        check_targets(bench, "32")
        check_targets(bench, "0")
        check_damaged(bench)
        check_stop(bench)
        check_contract(bench)
        bad = receiver.received("bad")
        tally.check("all that came could be read", not bad, bad)
        sealed = gangd.psql("""SELECT bool_and(get_byte(sealed, 0) = 255)
            FROM gangd.push_subscription""") + gangd.psql(
            """SELECT bool_and(get_byte(client_reference, 0) = 255)
            FROM gangd.seat WHERE client_reference IS NOT NULL""")
        tally.check("subscriptions and references are encrypted", sealed == "tt")
        told = [word for word in ("localhost", receiver.keys["auth"], "account",
                                  receiver.keys["vapid"]["privateKey"], "whsec")
                if word in bench.log + "".join(daemon.lines)]
        tally.check("the logs name no endpoint, key or reference", not told, told)
        tally.end_well(daemon)
        receiver.kill()
