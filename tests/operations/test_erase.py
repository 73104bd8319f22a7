"""Gangctl erase removes a person's name everywhere.

A player renames, moves up in the lobby, renews the token and goes on in a
rematch.  After the command a dump of the database has neither name nor avatar,
the others' names are as before, a daemon that runs notifies the others of the
change, and all games replay to their states.
"""
import os
import subprocess
import tempfile
import threading
import time

import gangd

SECRETS = ("Zebedee", "Xanthippe", "zebedee", "xanthippe", "quokka-face")
COLORS = ("white", "yellow", "orange", "red")
# From then on a daemon relies on reports, and seldom looks for what none has reported.
RELIES_SECONDS = 6


def dump():
    return subprocess.run(["pg_dump", gangd.superuser()], check=True,
                          stdout=subprocess.PIPE).stdout


def found():
    """The names that a dump still has, as text or inside of bytea."""
    data = dump()
    return [text for text in SECRETS
            if text.encode() in data or text.encode().hex().encode() in data]


def stored():
    """The data that a refused command must not change."""
    return gangd.psql("""SELECT md5(string_agg(e::text, '' ORDER BY game_id,
        version)) FROM gangd.event AS e""") + gangd.psql(
        """SELECT md5(string_agg(seat || name || version, '' ORDER BY game_id,
        seat)) FROM gangd.seat JOIN gangd.game USING (game_id)""")


def erase(build, token, *words, env=None, **more):
    return subprocess.run([build + "/bin/gangctl", "erase", *words], text=True,
                          input=token, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False,
                          env=dict(os.environ, **(env or {})), **more)


def ask(daemon, token, method, path, body=None, **headers):
    client = daemon.client(token)
    answer = client.ask(method, path, body, headers or None)
    client.close()
    assert answer.status < 300, (method, path, answer.status, answer.body)
    return answer


def join(daemon, code, name, **more):
    return ask(daemon, None, "POST", f"/v1/invitations/{code}/players",
               dict({"name": name}, **more)).json["token"]


def play_to_end(daemon, path, tokens):
    """Each takes the chip of the seat, until the game is won or lost."""
    while True:
        for color in COLORS:
            for number, token in enumerate(tokens, 1):
                ask(daemon, token, "POST",
                    f"{path}/chips/{color}/{number}/take")
        if ask(daemon, tokens[0], "GET", path).json["status"] != "playing":
            break
        ask(daemon, tokens[0], "POST", path + "/heists")


class Chain:
    """A game and its rematch; the player renews the token in the second one."""

    def __init__(self, daemon):
        host = ask(daemon, None, "POST", "/v1/games",
                   {"name": "Ada", "seats": 4}).json
        path = "/v1/games/" + host["game"]["id"]
        code = host["invite_code"]
        leaver = self.left = join(daemon, code, "Bea")
        self.old = join(daemon, code, "Zebedee", avatar="quokka-face")
        ask(daemon, leaver, "DELETE", path + "/players/2")
        ask(daemon, self.old, "PATCH", path + "/players/2",
            {"name": "Xanthippe"})
        # Has the name that the service would give first.
        self.other = join(daemon, code, "player 2")
        self.host = host["token"]
        ask(daemon, self.host, "POST", path + "/start")
        play_to_end(daemon, path, [self.host, self.old, self.other])
        again = ask(daemon, self.host, "POST", path + "/rematch", {}).json
        self.paths = [path, "/v1/games/" + again["id"]]
        self.ids = [each.rsplit("/", 1)[1] for each in self.paths]
        key = {"Idempotency-Key": '"5f0c7c1e-6f0b-4c1e-9b1d-3f0a1b2c3d4e"'}
        self.token = ask(daemon, self.old, "POST",
                         self.paths[1] + "/players/2/token", {},
                         **key).json["token"]

    def names(self, daemon, path, token=None):
        game = ask(daemon, token or self.host, "GET", path).json
        return [(each["name"], each["avatar"]) for each in game["players"]]


class Waiter(threading.Thread):
    """A player who waits for the next version of a game."""

    def __init__(self, daemon, chain):
        super().__init__(daemon=True)
        self.client = daemon.client(chain.host, timeout=30)
        self.path = chain.paths[1]
        self.etag = self.client.get(self.path).header("ETag")
        self.start()

    def run(self):
        self.answer = self.client.get(self.path, headers={
            "If-None-Match": self.etag, "Prefer": "wait=20"})


def check_refusals(tally, build, chain):
    """Nothing changes when the token is invalid, or nobody's."""
    before = stored()
    folder = tempfile.mkdtemp()
    wrong = chain.token[:-1] + ("a" if chain.token[-1] != "a" else "b")
    rows = (("no token", "", ("--token",), "no token could be read"),
            ("a file that is not there", "", ("--token", folder + "/none"),
             "no token could be read"),
            ("a damaged token", wrong, ("--token",), "token is invalid"),
            ("two lines", chain.token + "\n" + chain.token, ("--token",),
             "token is invalid"),
            ("a player who has left", chain.left, ("--token",),
             "no seat has this token"),
            ("another word", chain.token, ("--tokens",), "expected: --token"))
    for name, token, words, text in rows:
        done = erase(build, token, *words)
        tally.check(f"refused: {name}", done.returncode == 1 and
                    text in done.stderr and
                    chain.token not in done.stderr, done.stderr)
    alone = erase(build, chain.token, "--token",
                  env={"GANGD_MIGRATE_URL": ""})
    tally.check("refused: the daemon's role", alone.returncode == 2 and
                "refused" in alone.stderr, alone.stderr)
    tally.check("a refusal changes nothing",
                stored() == before)
    os.rmdir(folder)


def check_erased(tally, build, daemon, chain, token, env):
    """One chain of games: all that others see, and what the database has."""
    waiter = Waiter(daemon, chain)
    done = erase(build, token + "\n", "--token", env=env)
    tally.check("the command says so without a name", done.returncode == 0 and
                done.stdout.count("names removed") == 2 and
                "erased from 2 games" in done.stdout and
                not any(text in done.stdout + done.stderr
                        for text in SECRETS), (done.stdout, done.stderr))
    waiter.join()
    should = [("Ada", None), ("Player 1", None), ("player 2", None)]
    tally.check("a player who waits sees the change",
                waiter.answer.status == 200 and
                [(each["name"], each["avatar"]) for each in
                 waiter.answer.json["players"]] == should, waiter.answer.body)
    for path in chain.paths:
        seen = chain.names(daemon, path)
        tally.check("the player has a neutral name", seen == should, seen)
        events = ask(daemon, chain.host, "GET",
                     path + "/events?limit=500").json["events"]
        last = events[-1]
        tally.check("the last event reports the change without the old name",
                    last["type"] == "player_changed" and last["seat"] == 2 and
                    last["data"] == {"name": "Player 1", "avatar": None,
                                     "old_name": None}, last)
        tally.check("the others' names stay in the log", {"Ada", "player 2"} <=
                    {each["data"].get("name") for each in events}, events[:4])
        tally.check("the versions have no gap", [each["version"] for each in
                    events] == list(range(1, len(events) + 1)))
    still = ask(daemon, chain.token, "GET", chain.paths[1]).json
    tally.check("the player plays on", still["you"]["seat"] == 2, still)
    replayed = gangd.gangctl(build, "replay", *chain.ids, **env)
    tally.check("the games replay to their states", replayed.returncode == 0,
                replayed.stdout)


def check_validators(tally, build, daemon, env):
    """No 304 confirms a copy with the old name, also in a game that the player has
    left, in which nothing changes but the log."""
    chain = Chain(daemon)
    ask(daemon, chain.old, "DELETE", chain.paths[0] + "/players/2")
    paths = [path + rest for path in chain.paths for rest in (
        "", "/events", "/events?after=2&limit=3", "/heists", "/actions")]
    client = daemon.client(chain.host)
    before = {path: client.get(path) for path in paths}
    paths = [path for path in paths if before[path].status == 200 and
             before[path].header("ETag")]
    again = [client.get(path, headers={"If-None-Match": before[path].header("ETag")})
             for path in paths]
    tally.check("nothing has changed before", len(paths) >= 6 and
                {each.status for each in again} == {304},
                [(path, before[path].status) for path in before])
    done = erase(build, chain.token, "--token", env=env)
    tally.check("a player who has left the first game is erased there, too",
                done.returncode == 0 and "the player has left" in done.stdout,
                (done.stdout, done.stderr))
    for path in paths:
        answer = client.get(path, headers={"If-None-Match":
                                           before[path].header("ETag")})
        tally.check(f"after that {path.split('/', 4)[-1]} is not as it was",
                    answer.status == 200 and not any(
                        name in str(answer.body) for name in SECRETS),
                    (answer.status, answer.body))
    client.close()


def check_bots(tally, build, daemon, env):
    """A player who took a bot's place, between bots that play meanwhile."""
    host = ask(daemon, None, "POST", "/v1/games",
               {"name": "Ada", "seats": 3, "bots": 2,
                "spectators": True}).json
    path = "/v1/games/" + host["game"]["id"]
    token = join(daemon, host["invite_code"], "Zebedee")
    ask(daemon, host["token"], "POST", path + "/start")
    ask(daemon, host["token"], "POST", path + "/bots",
        {"instead_of_me": True})
    before = ask(daemon, token, "GET", path).json["players"]
    done = erase(build, token, "--token", env=env)
    after = ask(daemon, token, "GET", path).json["players"]
    tally.check("a player between bots is erased", done.returncode == 0 and
                before[2]["name"] == "Zebedee" and
                [each["name"] for each in after] ==
                [before[0]["name"], before[1]["name"], "Player 3"],
                (done.stderr, before, after))


def check_all(tally, build, env):
    daemon = gangd.Daemon(build, **env)
    daemon.wait_ready()
    before, after = Chain(daemon), Chain(daemon)
    tally.check("a dump has the names before",
                set(found()) >= {"Zebedee", "Xanthippe", "quokka-face"},
                found())
    if not env:
        check_refusals(tally, build, after)
    # Forward from the first game, and back from the second one.
    time.sleep(RELIES_SECONDS)
    check_erased(tally, build, daemon, before, before.old, env)
    check_erased(tally, build, daemon, after, after.token, env)
    check_bots(tally, build, daemon, env)
    check_validators(tally, build, daemon, env)
    tally.check("a dump has none of them", not found(), found())
    again = erase(build, after.token, "--token", env=env)
    tally.check("the command may run again", again.returncode == 0,
                again.stderr)
    gangd.psql(f"DELETE FROM gangd.game WHERE game_id = '{before.ids[1]}'")
    alone = erase(build, before.old, "--token", env=env)
    tally.check("a rematch that was deleted is passed over",
                alone.returncode == 0 and
                "erased from 1 games" in alone.stdout, alone.stderr)
    tally.end_well(daemon)
    gangd.psql("SELECT gangd.delete_game(game_id, version) FROM gangd.game")


def test_plain(tally, build, database):
    check_all(tally, build, {})


def test_encrypted(tally, build, database, folder):
    path = folder + "/keys"
    with open(path, "w", encoding="ascii", opener=lambda name, flags:
              os.open(name, flags, 0o600)) as file:
        file.write(gangd.gangctl(build, "new-key", "1", check=True).stdout)
    check_all(tally, build, {"GANGD_KEY_FILE": path})
