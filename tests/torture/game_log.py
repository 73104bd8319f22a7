"""The log of a game, for checker.check(), and what gangctl says of it."""
import subprocess

import gangd

PAGE = 500


def read_log(client, table):
    """All events as the client sees them, and where moves begin."""
    first = set(gangd.psql(
        "SELECT version FROM gangd.event WHERE sealed IS NOT NULL "
        f"AND game_id = '{table.id}'").split())
    log = []
    while not log or page:
        page = client.get(f"{table.path}/events?limit={PAGE}"
                          f"&after={len(log)}").json["events"]
        log += page
    return [event | {"first": str(event["version"]) in first}
            for event in log]


def replays(build, table):
    """Does the log, decided again, give what is stored?"""
    return subprocess.run([build + "/bin/gangctl", "replay", table.id],
                          stdout=subprocess.DEVNULL).returncode == 0


def version(table):
    return int(gangd.psql("SELECT version FROM gangd.game "
                          f"WHERE game_id = '{table.id}'"))
