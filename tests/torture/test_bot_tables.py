"""Tables of bots, while daemons are killed.

One person plays with two bots, and waits for their moves as a client does: at a
daemon that plays for no bots, next to one that does; until the game is over, and in
its rematch.  A table of bots alone begins its rematch by itself meanwhile.

Then two daemons play for many tables of bots alone, of which one gathers statements
and the other does not, and one of them after the other is killed with SIGKILL and
started anew.  A killed daemon leaves games that it had taken; they go on
when the lease has expired, so no table is idle for long.  In the end each game replays
to its stored state: no move is lost, and no move was made twice.

Last, a daemon lets no more tables of bots alone go on than its setting says, games
are deleted while bots think, and old games of bots are purged.

TABLES and KILLS in the environment set the numbers: 200 and 20 take a minute.
"""
import os
import random
import time

import gangd
import pytest

pytestmark = pytest.mark.waiting

DAEMON = {"GANGD_BOT_PACE": "0"}
TABLES = int(os.environ.get("TABLES", "20"))
KILLS = int(os.environ.get("KILLS", "2"))
IDLE_MOST = 10      # seconds without a change of a table under way
KILL_EVERY = 2      # seconds, at most
PATIENCE = 20       # seconds; much less than anything takes
MOVES_LEAST = 4     # of each table
DELETED = 8         # games, at each pace
PAUSED = 2          # tables that have to wait, while one goes on

IDLE = ("SELECT coalesce(max(extract(epoch FROM now() - updated_at)), 0)::integer "
        "FROM gangd.game WHERE status = 'playing' AND bots = seats_count")


def create(client, **more):
    answer = client.post("/v1/games", dict(
        {"name": "Ada", "bots": 2, "start": True, "spectators": True}, **more))
    if answer.status != 201:
        raise SystemExit(f"no game: {answer.status} {answer.body}")
    return answer.json


def give_up(client, made):
    """Only bots are left at the table."""
    client.token = made["token"]
    answer = client.post(f"/v1/games/{made['game']['id']}/bots",
                         {"instead_of_me": True})
    client.token = None
    if answer.status != 201:
        raise SystemExit(f"no bot: {answer.status} {answer.body}")
    return made["game"]["id"]


def replays(build, game):
    return gangd.gangctl(build, "replay", game).returncode == 0


# --- one person and two bots --------------------------------------------------

def next_view(client, path, etag):
    """Wait for a change, as a client does; the view and its tag."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        answer = client.get(path, headers={"If-None-Match": etag,
                                           "Prefer": "wait=5"})
        if answer.status == 200:
            break
    return answer.json, answer.header("ETag")


def move(client, view):
    """Take a chip that is free whenever there is one; deal when a heist is over."""
    actions = view["you"]["legal_actions"]
    good = [action for action in actions if action["action"] == "next_heist" or
            action["action"] == "take_chip" and
            action["chip"]["holder"] is None and
            view["you"]["seat"] in view["heist"]["waiting_for"]]
    if good:
        client.post(good[0]["href"], good[0]["body"])


def play(client, path, is_enough):
    """Play until a view is enough; it, and the longest wait for a change."""
    view, etag, slowest = client.get(path).json, '"none"', 0.0
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE and not is_enough(view):
        move(client, view)
        asked = time.monotonic()
        view, etag = next_view(client, path, etag)
        slowest = max(slowest, time.monotonic() - asked)
    return view, slowest


def play_with_bots(tally, daemon):
    """A game to its end, and its rematch; the ids of both."""
    client = daemon.client()
    made = create(client)
    client.token = made["token"]
    path = "/v1/games/" + made["game"]["id"]
    view, slowest = play(client, path,
                         lambda view: view["status"] != "playing")
    tally.check("a person and two bots play a game to its end",
                view["status"] in ("won", "lost"), view["heist"])
    # Without the wake-up only the poll of half a minute would find the move.
    tally.check("the person's waits end soon", slowest < PATIENCE / 2, slowest)
    events = client.get(path + "/events?limit=500").json["events"]
    tally.check("the log shows the moves of bots like anybody's",
                {2, 3} <= {event["seat"] for event in events
                           if event["type"] == "chip_taken"}, events)
    again = client.post(path + "/rematch", {}).json
    tally.check("the bots go on in the rematch that the person starts",
                [player["bot"] for player in again["players"]] ==
                [player["bot"] for player in view["players"]], again)
    path = "/v1/games/" + again["id"]
    view, _ = play(client, path,
                   lambda view: view["heist"]["phase"] == "over")
    joined = [event["data"]["bot"] for event in client.get(
        path + "/events").json["events"] if event["type"] == "player_joined"]
    tally.check("and play there", view["heist"]["phase"] == "over" and
                joined == [player["bot"] for player in view["players"]], joined)
    client.close()
    return [made["game"]["id"], again["id"]]


def await_rematch(tally, sql, game):
    """Bots alone begin a rematch of their game, after a while."""
    begun = time.monotonic()
    query = f"SELECT rematch FROM gangd.game WHERE game_id = '{game}'"
    while time.monotonic() - begun < PATIENCE and not sql.ask(query):
        time.sleep(0.2)
    again = sql.ask(query)
    tally.check("bots alone begin their rematch", again)
    return [game, again] if again else [game]


# --- tables of bots, and kills --------------------------------------------------

def start(build, **more):
    return gangd.Daemon(build, GANGD_LOOPS="1", GANGD_DATABASE_CONNECTIONS="2",
                        GANGD_QUOTAS="off", GANGD_BOT_GAMES="100000", **more)


def start_one(build, number):
    """Two daemons: the second one has a statement for each game."""
    return start(build, GANGD_BATCH="0" if number else "32")


def watch(sql, seconds, worst):
    """Sleep, and look for the table that has been idle for longest."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        worst = max(worst, int(sql.ask(IDLE)))
        time.sleep(0.25)
    return worst


def kill_daemons(tally, build, sql):
    daemons = [start_one(build, number) for number in range(2)]
    client = daemons[0].client()
    games = [give_up(client, create(client)) for _ in range(TABLES)]
    client.close()
    worst = 0
    for number in range(KILLS):
        worst = watch(sql, random.uniform(0.5, KILL_EVERY), worst)
        daemons[number % 2].process.kill()
        daemons[number % 2].wait()
        daemons[number % 2] = start_one(build, number % 2)
    # Until the leases of the last one that was killed are over.
    worst = watch(sql, 6, worst)
    for daemon in daemons:
        tally.end_well(daemon)
    print(f"{TABLES} tables, {KILLS} kills: the longest idle {worst} s; "
          f"{sql.ask('SELECT count(*) FROM gangd.event')} events")
    tally.check(f"no table is idle for {IDLE_MOST} s", worst < IDLE_MOST, worst)
    least = sql.ask("SELECT min(version) FROM gangd.game WHERE bots = 3")
    tally.check("every table was played at", int(least) >= 10 + MOVES_LEAST,
                least)
    broken = [game for game in games if not replays(build, game)]
    tally.check("each log leads to the stored state", not broken, broken)


# --- how many may go on ---------------------------------------------------------

def count_moving(sql, games):
    versions = ("SELECT string_agg(version::text, ' ' ORDER BY game_id) FROM "
                "gangd.game WHERE game_id IN ('" + "','".join(games) + "')")
    before = sql.ask(versions).split()
    time.sleep(1.5)
    return [one != other for one, other in zip(before, sql.ask(versions).split())]


def hold_back(tally, build, sql):
    """The oldest table goes on; the others wait; an unseen one has no daemon."""
    sql.ask("SELECT count(gangd.delete_game(game_id, version)) FROM gangd.game")
    daemon = gangd.Daemon(build, GANGD_BOT_GAMES="1")
    client = daemon.client()
    games = [give_up(client, create(client)) for _ in range(1 + PAUSED)]
    unseen = give_up(client, create(client, spectators=False))
    client.close()
    time.sleep(1.5)  # what the daemon knows of the limit is a second old at most
    moving = count_moving(sql, games)
    tally.check("only the oldest table of bots goes on",
                moving == [True] + PAUSED * [False], moving)
    delete_games(tally, sql, daemon)
    tally.check("nobody plays where nobody may watch", sql.ask(
        "SELECT bot_due_at IS NULL FROM gangd.game "
        f"WHERE game_id = '{unseen}'") == "t")
    tally.end_well(daemon)
    purge_games(tally, build, sql, games[1:] + [unseen])


# --- games that go --------------------------------------------------------------

def delete_games(tally, sql, daemon):
    """The host deletes games whose bots think, or are about to move."""
    client = daemon.client()
    made = [create(client) for _ in range(DELETED)]
    for number, each in enumerate(made):
        time.sleep(0.03 * number)
        client.token = each["token"]
        status = client.ask("DELETE", "/v1/games/" + each["game"]["id"]).status
        if status != 204:
            tally.check("the host deletes a game while bots think", False, status)
    client.close()
    left = rows_of(sql, [each["game"]["id"] for each in made])
    tally.check("nothing is left of games that are deleted while bots think",
                left == 0, left)


def rows_of(sql, games):
    ids = "','".join(games)
    return sum(int(sql.ask(f"SELECT count(*) FROM gangd.{table} "
                           f"WHERE game_id IN ('{ids}')"))
               for table in ("game", "seat", "event", "invitation"))


def purge_games(tally, build, sql, games):
    """Games of bots are purged by their age like any other, also waiting ones."""
    ids = "','".join(games)
    sql.do("UPDATE gangd.game SET updated_at = now() - interval '100 days' "
           f"WHERE game_id IN ('{ids}')")
    gangd.gangctl(build, "purge", check=True)
    left = rows_of(sql, games)
    tally.check(f"{len(games)} old games of bots are purged", left == 0, left)


@pytest.fixture(scope="module")
def other(build, database):
    return start(build, GANGD_BOTS="off")


@pytest.fixture(scope="module")
def client(daemon):
    client = daemon.client()
    client.close()
    return client


@pytest.fixture(scope="module")
def alone(client):
    return give_up(client, create(client))


def test_bot_tables(tally, build, sql, daemon, other, alone):
    games = play_with_bots(tally, other)
    games += await_rematch(tally, sql, alone)
    delete_games(tally, sql, daemon)
    tally.end_well(daemon)
    tally.end_well(other)
    broken = [game for game in games if not replays(build, game)]
    tally.check("their logs lead to the stored states", not broken, broken)
    sql.ask("SELECT count(gangd.delete_game(game_id, version)) FROM gangd.game")


def test_kill_daemons(tally, build, sql):
    kill_daemons(tally, build, sql)


def test_hold_back(tally, build, sql):
    hold_back(tally, build, sql)
