"""The log of a game, for checker.check(), and what gangctl says of it."""
import subprocess

import gangd

PAGE = 500


def read_log(daemon, table):
    """All events as a player sees them, and where moves begin."""
    client = daemon.client(table.tokens[0], timeout=30)
    first = set(gangd.psql(
        "SELECT version FROM gangd.event WHERE sealed IS NOT NULL "
        f"AND game_id = '{table.id}'").split())
    log = []
    while not log or page:
        page = client.get(f"{table.path}/events?limit={PAGE}"
                          f"&after={len(log)}").json["events"]
        log += page
    client.close()
    return [event | {"first": str(event["version"]) in first}
            for event in log]


def replay(build, game):
    """Decided again, the log gives what is stored: what is not so, or ""."""
    done = subprocess.run([build + "/bin/gangctl", "replay", game],
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else f"{game}: {done.stdout}"


def check_replays(tally, build, tables):
    wrong = "".join(replay(build, table.id) for table in tables)
    tally.check(f"{len(tables)} games replay to what is stored",
                tables and not wrong, wrong)


def version(table):
    return int(gangd.psql("SELECT version FROM gangd.game "
                          f"WHERE game_id = '{table.id}'"))
