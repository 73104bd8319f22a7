"""A third game is a folder and a row of rulesets.def.

overlay.py adds tests/games/nim to a copy of the sources, where nothing else changes.
Its programs serve the game: it is created, joined, played, viewed, streamed, replayed,
played again, spoken of in four languages, and played by bots; and the other games go
on as before.
"""
import json
import os
import queue
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
import gangd
import loopback
import pytest

LANGUAGES = ("en", "de", "fr", "ru")
MOVES_MAX = 40
FEW = 2  # stones that a command asks for
PATIENCE_S = 60
SPOKEN = {"en": "Take stones", "de": "Steine nehmen", "fr": "Prendre des pierres",
          "ru": "Взять камни"}


def changed(build, name):
    """The folder of what is built of a copy of the sources (overlay.py)."""
    return os.path.join(build, "tests/games", name, "tree",
                        os.path.basename(os.path.abspath(build)))


def read_stream(client, path, wanted):
    """Blocks of a stream with views, up to that version's view."""
    answer = client.open(path + "/events?views=true&after=0",
                         {"Accept": "text/event-stream"})
    events, views, block = [], [], {}
    while line := answer.fp.readline().decode().rstrip("\r\n") or "\n":
        name, _, value = line.partition(": ")
        if line == "\n":
            if block.get("event") == "view":
                views.append(json.loads(block["data"]))
            elif "data" in block:
                events.append(json.loads(block["data"]))
            block = {}
        else:
            block[name] = value
        if views and views[-1]["version"] >= wanted:
            client.close()
            return events, views


def sit_down(daemon, **options):
    """A table of two, and a client for each."""
    table = gangd.Table(daemon, 2, ruleset="nim", **options)
    return table, [daemon.client(token) for token in table.tokens]


def play(table, players):
    """Take one stone in turn until the game is over; the views of the end."""
    for move in range(MOVES_MAX):
        view = players[move % 2].get(table.path).json
        if view["status"] != "playing":
            break
        entry = view["you"]["legal_actions"][0]
        players[move % 2].post(entry["href"], entry["body"])
    return [player.get(table.path).json for player in players]


@pytest.fixture(scope="module")
def nim(build):
    """The folder of what is built with the third game."""
    return changed(build, "nim")


@pytest.fixture(scope="module")
def webhook():
    """Its address."""
    return f"http://{loopback.Server(Webhook).address}/"


@pytest.fixture(scope="module")
def daemon(nim, database, webhook):
    daemon = gangd.Daemon(nim, GANGD_TABLE="off", GANGD_WEBHOOK_URL=webhook)
    daemon.wait_ready()
    return daemon


def check_views(tally, daemon):
    table, players = sit_down(daemon)
    views = [player.get(table.path).json for player in players]
    bounds = [view["you"]["at_most"] for view in views]
    tally.check("both players have the game", [view["ruleset"] for view in views] ==
                ["nim"] * 2 and views[0]["status"] == "playing", views[0])
    tally.check("each of them knows a number", all(
        isinstance(bound, int) for bound in bounds), bounds)
    events = [player.get(table.path + "/events").json["events"]
              for player in players]
    started = [next(event["data"]["at_most"] for event in log
                    if event["type"] == "game_started") for log in events]
    tally.check("as the event of the start says", started == bounds,
                (started, bounds))
    hand = players[0].get(table.path + "/hand")
    tally.check("the hand has it too", hand.json == {"seat": 1,
                                                     "at_most": bounds[0]}, hand.body)
    other = players[0].get(table.path + "/players/2/hand")
    tally.check("another player's is hidden", other.code == "not_your_hand",
                other.body)
    return table, players


def check_moves(tally, table, players):
    answer = players[0].post(table.path + "/bag/1/take")
    tally.check("a move by its own route", answer.status == 200, answer.body)
    answer = players[1].post(table.path + "/actions",
                             {"action": "take_stones", "count": FEW})
    tally.check("a move by a command", answer.status == 200, answer.body)
    for body, what in (({"action": "take_stones"}, "without its member"),
                       ({"action": "take_stones", "count": 9}, "out of range")):
        answer = players[0].post(table.path + "/actions", body)
        tally.check(f"a command {what}", answer.code == "invalid", answer.body)
    answer = players[0].post(table.path + "/bag/9/take")
    tally.check("a part of the path that cannot be", answer.status == 404,
                answer.body)
    answer = players[1].post(table.path + "/bag/1/take")
    tally.check("a refusal says whose turn it is", answer.json.get("now") == {
        "status": "playing", "seat_to_move": 1} and
        "seat 1" in answer.json["detail"], answer.body)
    answer = players[0].post(table.path + "/turn/pass")
    tally.check("another game's move", answer.status == 404, answer.body)
    answer = players[0].get(table.path, headers={
        "If-None-Match": players[0].get(table.path).header("ETag")})
    tally.check("a view that is the same", answer.status == 304, answer.status)


def check_end(tally, daemon, table, players):
    views = play(table, players)
    tally.check("the game ends", [view["status"] for view in views] ==
                ["over"] * 2 and views[0]["loser"] in (1, 2), views[0])
    version = views[0]["version"]
    events, streamed = read_stream(daemon.client(table.tokens[1]), table.path,
                                   version)
    tally.check("a stream has all events", [event["version"] for event in events] ==
                list(range(1, version + 1)), events)
    tally.check("and the view", streamed[-1] == views[1], streamed[-1])
    taken = [event for event in events if event["type"] == "stones_taken"]
    tally.check("the last one names who has lost",
                taken[-1]["data"]["loser"] == views[0]["loser"], taken[-1])


def check_rematch(tally, table, players):
    answer = players[0].post(table.path + "/rematch", {})
    tally.check("a rematch", answer.status == 201, answer.body)
    path = "/v1/games/" + answer.json["id"]
    view = players[1].get(path).json
    tally.check("with the same players and rules", view["ruleset"] == "nim" and
                view["status"] == "playing" and view["you"]["seat"] == 2, view)
    answer = players[0].post(path + "/bag/2/take")
    tally.check("a move in it", answer.status == 200, answer.body)
    return path


def check_replays(tally, build, paths):
    for path in paths:
        done = gangd.gangctl(build, "replay", path.rpartition("/")[2])
        tally.check("gangctl replay decides it again", done.returncode == 0,
                    done.stdout)


def test_game(tally, nim, daemon):
    table, players = check_views(tally, daemon)
    check_moves(tally, table, players)
    check_end(tally, daemon, table, players)
    path = check_rematch(tally, table, players)
    check_replays(tally, nim, [table.path, path])


def test_words(tally, daemon):
    client = daemon.client()
    for tag in LANGUAGES:
        rules = {part: client.get(f"/v1/rules/{part}?lang={tag}").json for part
                 in ("actions", "guide", "announcements")}
        names = {row["code"]: row["name"] for row in rules["actions"]["actions"]
                 if row["ruleset"] == "nim"}
        tally.check(f"the action in {tag}", names == {"take_stones": SPOKEN[tag]},
                    names)
        sections = [row for row in rules["guide"]["sections"]
                    if row["ruleset"] == "nim"]
        tally.check(f"the guide in {tag}", len(sections) == 1 and
                    sections[0]["text"], sections)
        told = [row["when"] for row in rules["announcements"]["announcements"]
                if row["ruleset"] == "nim" and row["kind"] == "event"]
        tally.check(f"the sentences in {tag}", told == [{"loser": None}, None], told)
    codes = [row["code"] for row in client.get("/v1/rules/actions").json["actions"]]
    tally.check("in the list of all actions it comes after those of other games",
                codes[-3:] == ["take_stones", "seat_bot", "rematch"], codes)


def test_bots(tally, nim, daemon):
    answer = daemon.client().post("/v1/games", {
        "name": "Ada", "ruleset": "nim", "seats": 3, "bots": 2, "start": True})
    player = daemon.client(answer.json["token"])
    path = "/v1/games/" + answer.json["game"]["id"]
    player.post(path + "/bag/1/take")
    version = answer.json["game"]["version"]
    for _ in range(20):
        answer = player.get(path, headers={
            "If-None-Match": player.get(path).header("ETag"), "Prefer": "wait=5"})
        if answer.status == 200 and answer.json["version"] >= version + 3:
            break
    tally.check("bots take stones", answer.status == 200 and
                answer.json["version"] >= version + 3, answer.body)
    done = gangd.gangctl(nim, "bots", "--ruleset", "nim", "--seats", "2", "--games",
                         "20")
    tally.check("gangctl bots plays it", done.returncode == 0, done.stdout)
    done = gangd.gangctl(nim, "bots", "--ruleset", "nim", "--shuffled")
    tally.check("it has no options", done.returncode != 0 and
                "nothing" in done.stdout, done.stdout)


class Webhook(loopback.Handler):
    """Keeps the types of what it gets."""

    types = queue.Queue()

    def do_POST(self):
        self.types.put(json.loads(self.body())["type"])
        self.answer(204)


def test_notifications(tally, nim, daemon, webhook):
    """A player who is not looking is notified by the game's own code."""
    table, players = sit_down(daemon, client_reference="account 7")
    players[0].post(table.path + "/bag/1/take")
    players[1].post(table.path + "/bag/3/take")
    # The host was here just now, and counts as watching: look away.
    gangd.psql("UPDATE gangd.notification SET is_replay = true")
    with tempfile.NamedTemporaryFile("w") as secrets:
        secrets.write("whsec_" + 43 * "A" + "=\n")
        secrets.flush()
        push = subprocess.Popen(
            [nim + "/bin/gangd-push"], stderr=subprocess.DEVNULL,
            env=dict(os.environ, GANGD_PUSH_DELAY_MS="0",
                     GANGD_WEBHOOK_SECRETS_FILE=secrets.name,
                     GANGD_WEBHOOK_URL=webhook))
        got = []
        try:
            while "big_take" not in got:
                got.append(Webhook.types.get(timeout=PATIENCE_S))
        except queue.Empty:
            pass
        push.terminate()
        push.wait()
    tally.check("gangd-push sends the game's own code", "big_take" in got, got)


def test_other_games(tally, daemon):
    table = gangd.Table(daemon, 3)
    view = daemon.client(table.tokens[0]).get(table.path).json
    tally.check("the usual game is the one of before", view["ruleset"] == "the_gang"
                and view["heist"]["number"] == 1, view)
    listed = daemon.client().get("/v1/games?ruleset=nim")
    tally.check("the lobby knows the new one", listed.status == 200, listed.body)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
