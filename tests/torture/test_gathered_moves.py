"""Moves, half of them with an Idempotency-Key, many of which share a statement,
while their connection or daemon breaks.

Each of many clients moves a game of its own, as fast as it can.  Meanwhile the
daemon's session in the database is ended again and again, and the daemon is
killed a few times.  It has one session, so that the moves that come while one
statement is carried out go together in the next.

A move that was answered is in the log once; a move without an answer (or with 503) is
there once or not at all, and is looked up before the client goes on.  No move is
repeated, even with a key: test_kill_and_retry.py does that.
"""
import os
import re
import threading
import time

import game_log
import gangd
import pytest

pytestmark = [pytest.mark.waiting, pytest.mark.singly]

GAMES = 32
KILLS = 3
ENDS_EACH = 5       # of the session, for each kill
MOVES_BETWEEN = 150  # that are answered between two faults
PATIENCE_SECONDS = 60
SHARED = """SELECT count(*) FROM (SELECT FROM gangd.event GROUP BY at
    HAVING count(DISTINCT game_id) > 3) AS statement"""


class Mover(threading.Thread):
    """Takes white 1 and 2 alternately, and knows which it holds."""

    def __init__(self, service, table):
        super().__init__(daemon=True)
        self.service, self.table = service, table
        self.fault = None
        self.answered = self.unknown = self.kept = self.moves = 0

    def run(self):
        try:
            self.version, self.holds = self.look()
            while not self.service.stopping:
                self.move()
        except Exception as error:  # pylint: disable=broad-except
            self.fault = f"{self.table.id}: {error!r}"

    def ask(self, *request):
        client = gangd.Client(self.service.address, self.table.tokens[0])
        try:
            return client.ask(*request)
        finally:
            client.close()

    def look(self):
        """The version, and the chip that the seat holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                answer = self.ask("GET", self.table.path)
            except OSError:
                time.sleep(0.02)
                continue
            if answer.status == 200:
                return self.read(answer)
            if answer.status != 503:
                break
        raise RuntimeError(f"no view: {answer.status}")

    @staticmethod
    def read(answer):
        held = [chip["stars"] for chip in answer.json["heist"]["chips"]
                if chip["seat"] == 1]
        return answer.json["version"], held[0] if held else None

    def move(self):
        wanted = 2 if self.holds == 1 else 1
        # A move that also returns a chip has an event for each part.
        after = self.version + (2 if self.holds else 1)
        self.moves += 1
        key = {"Idempotency-Key": f"a-gathered-move-{self.moves:08}"} \
            if self.moves % 2 else None
        try:
            answer = self.ask("POST", f"{self.table.path}/chips/white/"
                              f"{wanted}/take", None, key)
            status = answer.status
        except OSError:
            status = None
        if status == 200:
            self.answered += 1
            found = self.read(answer)
            outcomes = {(after, wanted)}
        elif status in (None, 503):
            self.unknown += 1
            found = self.look()
            outcomes = {(after, wanted), (self.version, self.holds)}
            self.kept += found[0] == after
        else:
            raise RuntimeError(f"{status} {answer.body}")
        if found not in outcomes:
            raise RuntimeError(f"{status}: {found}, not of {outcomes}")
        self.version, self.holds = found


class Service:
    """A daemon with one session, started anew when it was killed."""

    def __init__(self, build):
        self.build = build
        self.stopping = False
        self.superuser = gangd.Sql(re.sub(
            r"user=\S+", "user=postgres", os.environ["GANGD_MIGRATE_URL"]))
        self.start(":0")

    def start(self, port):
        self.daemon = gangd.Daemon(
            self.build, GANGD_LOOPS="1", GANGD_DATABASE_CONNECTIONS="1",
            GANGD_LISTEN="127.0.0.1" + port)
        self.address = self.daemon.address
        self.daemon.wait_ready()

    def kill(self):
        self.daemon.process.kill()
        self.daemon.wait()
        # Its last statement may still be carried out.
        while self.superuser.ask(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE application_name = 'gangd'") != "0":
            time.sleep(0.01)
        self.start(f":{self.address[1]}")

    def end_session(self):
        self.superuser.ask(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE application_name = 'gangd'")


def await_moves(movers, count):
    wanted = sum(mover.answered for mover in movers) + count
    deadline = time.monotonic() + PATIENCE_SECONDS
    while sum(mover.answered for mover in movers) < wanted and \
            not any(mover.fault for mover in movers):
        if time.monotonic() > deadline:
            raise SystemExit("the moves do not go on")
        time.sleep(0.005)


def test_gathered_moves(tally, build, database):
    service = Service(build)
    movers = [Mover(service, gangd.Table(service.daemon))
              for _ in range(GAMES)]
    for mover in movers:
        mover.start()
    for _ in range(KILLS):
        for _ in range(ENDS_EACH):
            await_moves(movers, MOVES_BETWEEN)
            service.end_session()
        await_moves(movers, MOVES_BETWEEN)
        service.kill()
    await_moves(movers, MOVES_BETWEEN)
    service.stopping = True
    for mover in movers:
        mover.join()

    answered, unknown, kept = (sum(getattr(mover, name) for mover in movers)
                               for name in ("answered", "unknown", "kept"))
    print(f"{answered} moves answered, {unknown} without an answer, of which "
          f"{kept} were committed")
    faults = [mover.fault for mover in movers if mover.fault]
    tally.check("each move is there as it was answered, and once", not faults,
                faults[:5])
    tally.check("moves had no answer", unknown >= KILLS, unknown)
    together = int(gangd.psql(SHARED))
    if os.environ.get("GANGD_BATCH") == "0":
        tally.check("no moves of several games were committed together",
                    together == 0, together)
    else:
        tally.check("moves of several games were committed together",
                    together >= 10, together)
    wrong = [mover.table.id for mover in movers
             if game_log.version(mover.table) != mover.version]
    tally.check("the database has the last version that each client knows",
                not wrong, wrong)
    game_log.check_replays(tally, build,
                           [mover.table.id for mover in movers])
    service.superuser.close()
    tally.end_well(service.daemon)
