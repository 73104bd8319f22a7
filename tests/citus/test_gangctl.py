"""Each command of gangctl, on a Citus cluster: what it prints, and what it does."""
import json
import os
import re

import gangd
import pytest

DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_BOTS": "off"}
MOVES = 6
NAME = "Zebedee"
# The nodes of this test let everybody in and do not sync.
EXPECTED = {"fsync", "data_checksums"}


class Commands:
    """Runs commands, and keeps which."""

    def __init__(self, build):
        self.build, self.ran = build, set()

    def run(self, *words, **options):
        self.ran.add(words[0])
        return gangd.gangctl(self.build, *words, **options)


@pytest.fixture(scope="module")
def commands(build, database):
    commands = Commands(build)
    commands.run("migrate", check=True)
    return commands


@pytest.fixture(scope="module")
def table(daemon):
    """A game with some moves, whose creator has a name that is to be erased."""
    table = gangd.Table(daemon, 3, False, name=NAME)
    for name in "BC":
        answer = daemon.client().post(f"/v1/invitations/{table.code}/players",
                                      {"name": name})
        table.tokens.append(answer.json["token"])
    client = daemon.client(table.tokens[0])
    for _ in range(MOVES // 2):
        for verb in ("take", "return"):
            assert client.post(f"{table.path}/chips/white/1/{verb}").status == 200
    client.close()
    return table


def test_look(tally, commands, daemon, table):
    shown = commands.run("show", table.id, "1")
    tally.check("show prints a game as its seat sees it", not shown.returncode and
                json.loads(shown.stdout)["id"] == table.id, shown.stdout)
    done = commands.run("replay", table.id)
    tally.check("replay finds what is stored", not done.returncode, done.stdout)
    found = json.loads(commands.run("check", "--json").stdout)["checks"]
    bad = {check["name"] for check in found if check["level"] in ("fail", "unknown")}
    tally.check("check asks all nodes, and finds only that these are a test's",
                {"nodes_logging", "nodes_plans"} <= {check["name"] for check in found}
                and bad <= EXPECTED, bad)
    refused = commands.run("check", GANGD_BATCH="32").stdout
    tally.check("check refuses a GANGD_BATCH that Citus does not take",
                "GANGD_BATCH=0" in refused, refused)
    address = re.search(r'"metrics_listening","address":"([^"]+)"',
                        "\n".join(daemon.lines))[1]
    seen = commands.run("top", "--once", "--daemons", address)
    tally.check("top shows the daemon and the database", not seen.returncode, seen.stdout)


def test_without_a_database(tally, commands):
    for words in (("vapid",), ("bots", "--games", "1")):
        done = commands.run(*words)
        tally.check(f"{words[0]} needs no database", not done.returncode, done.stdout)


def test_webhooks(tally, commands):
    done = commands.run("webhooks", "replay", "--since", "2026-01-31T12:00:00Z")
    tally.check("webhooks replay asks all nodes", not done.returncode, done.stdout)


def test_rekey(tally, commands, build, folder, table):
    path = f"{folder}/keys"
    with open(path, "w", encoding="ascii") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(commands.run("new-key", "1", check=True).stdout)
    plain = state_of(table)
    done = commands.run("rekey", GANGD_KEY_FILE=path)
    tally.check("rekey encrypts what is stored", not done.returncode and
                state_of(table) != plain, done.stdout)
    keyed = gangd.Daemon(build, GANGD_KEY_FILE=path)
    keyed.wait_ready()
    status = keyed.client(table.tokens[1]).get(table.path).status
    tally.check("a daemon with the key reads it", status == 200, status)
    view = keyed.client(table.tokens[1]).get(table.path)
    erased = commands.run("erase", "--token", typed=table.tokens[0] + "\n",
                          GANGD_KEY_FILE=path)
    tally.check("erase takes a name away", NAME.encode() in view.body and
                not erased.returncode and NAME.encode() not in keyed.client(
                    table.tokens[1]).get(table.path).body, erased.stdout)
    tally.end_well(keyed)


def state_of(table):
    return gangd.psql(f"SELECT state FROM gangd.game WHERE game_id = '{table.id}'")


def test_purge(tally, commands, table):
    gangd.psql("UPDATE gangd.game SET updated_at = now() - interval '90 days' "
               f"WHERE game_id = '{table.id}'", url=gangd.superuser())
    done = commands.run("purge", "30")
    left = gangd.psql("SELECT (SELECT count(*) FROM gangd.event "
                      f"WHERE game_id = '{table.id}') + (SELECT count(*) FROM "
                      f"gangd.invitation WHERE game_id = '{table.id}')")
    tally.check("purge deletes an old game, its events and its code",
                not done.returncode and int(left) == 0, (done.stdout, left))


def test_no_command_is_left_out(tally, build, commands):
    text = gangd.gangctl(build, "--help").stdout.split("\n  exit status")[0]
    named = set(re.findall(r"^  ([a-z-]+)\b", text, flags=re.M))
    tally.check("each command ran", commands.ran == named, commands.ran ^ named)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
