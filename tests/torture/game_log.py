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


def replay(build, games):
    """Replay the logs of games and compare with their stored states; the
    faults, or ""."""
    done = subprocess.run([build + "/bin/gangctl", "replay", *games],
                          text=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE)
    return done.stderr or (done.returncode and f"status {done.returncode}")


def check_replays(tally, build, games):
    """The games, by their ids, replay to their stored states."""
    wrong = replay(build, games)
    tally.check(f"{len(games)} games replay to their stored state",
                games and not wrong, wrong)


def version(table):
    return int(gangd.psql("SELECT version FROM gangd.game "
                          f"WHERE game_id = '{table.id}'"))
