"""A disk that is lost takes less than a minute with it.

A player moves.  The server is killed, and its data are deleted; what was acknowledged
more than a minute before is restored from the archive (gangd-archive).
"""
import os
import shutil
import threading
import time

import archives
import gangd
import pytest

pytestmark = pytest.mark.quiet

MOST_LOST = 60  # seconds
PLAYED = 75     # seconds of moves, until the server is killed
TIMER = 30      # of gangd-archive.timer


@pytest.fixture(scope="module")
def archive(database, build):
    with archives.run(build) as archive:
        yield archive


class Player:
    """Takes two chips alternately; the version and the time of each move that was
    acknowledged."""

    def __init__(self, daemon):
        self.table = gangd.Table(daemon)
        self.client = daemon.client(self.table.tokens[0])
        self.moves = []
        self.ends = False
        self.thread = threading.Thread(target=self.play)

    def play(self):
        number = 0
        while not self.ends:
            number += 1
            answer = self.client.post(
                f"{self.table.path}/chips/white/{1 + number % 2}/take")
            if answer.status != 200:
                break
            self.moves.append((time.monotonic(), answer.json["version"]))
            time.sleep(0.25)


def test_lost_disk(tally, archive, build):
    archive.pgbackrest("stanza-create")
    status, said = archive.run("backup")
    tally.check("a base backup is made", status == 0, said)
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    player = Player(daemon)
    player.thread.start()
    begun = time.monotonic()
    while (left := begun + PLAYED - time.monotonic()) > 0:
        archive.run("age")
        time.sleep(min(TIMER, left))
    player.ends = True
    player.thread.join()
    server = archive.server
    killed = time.monotonic()
    pids = [server.process.pid, *map(int, server.sql(
        "SELECT pid FROM pg_stat_activity").split())]
    for pid in pids:
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass
    server.process.wait()
    daemon.stop()
    shutil.rmtree(server.folder + "/data")
    target, said = archive.recovered("--to", "latest")
    archive.put(target)
    had = int(server.sql("SELECT version FROM gangd.game WHERE game_id = "
                         f"'{player.table.id}'"))
    lost = [killed - at for at, version in player.moves if version > had]
    print(f"{len(lost)} of {len(player.moves)} acknowledged moves are lost; "
          f"the oldest of them was {max(lost, default=0):.1f} s old")
    tally.check("moves were acknowledged before the last minute", [
        at for at, _ in player.moves if killed - at > MOST_LOST])
    tally.check("none that is older than a minute is lost", max(
        lost, default=0) <= MOST_LOST, (max(lost, default=0), said))
    replayed = gangd.gangctl(build, "replay", player.table.id)
    tally.check("the game can be replayed", replayed.returncode == 0,
                replayed.stdout)
