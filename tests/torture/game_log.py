"""The log of a game, for checker.check(), and its replay by gangctl."""
import subprocess

import gangd

PAGE = 500


def begins(tables):
    """The versions with which the moves begin, by game."""
    ids = ", ".join(f"'{table.id}'" for table in tables)
    rows = gangd.psql("SELECT game_id, version FROM gangd.event WHERE "
                      f"replay_data IS NOT NULL AND game_id IN ({ids})").split()
    found = {table.id: set() for table in tables}
    for row in rows:
        game, version_text = row.split("|")
        found[game].add(version_text)
    return found


def read_log(daemon, table, begun=None):
    """All events as a player sees them, marked where moves begin."""
    client = daemon.client(table.tokens[0], timeout=30)
    first = (begun or begins([table]))[table.id]
    log = []
    while not log or page:
        page = client.get(f"{table.path}/events?limit={PAGE}"
                          f"&after={len(log)}").json["events"]
        log += page
    client.close()
    return [event | {"first": str(event["version"]) in first}
            for event in log]


def replay(build, game):
    """Replay the log and compare with the stored state; the fault, or ""."""
    done = subprocess.run([build + "/bin/gangctl", "replay", game],
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else f"{game}: {done.stdout}"


def check_replays(tally, build, tables):
    wrong = "".join(replay(build, table.id) for table in tables)
    tally.check(f"{len(tables)} games replay to their stored state",
                tables and not wrong, wrong)


def version(table):
    return int(gangd.psql("SELECT version FROM gangd.game "
                          f"WHERE game_id = '{table.id}'"))
