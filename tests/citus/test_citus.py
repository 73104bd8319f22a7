"""gangd on a Citus cluster: what its guide says, cards in the logs, and workers that
die.  "make test-citus" runs this, and tests of other folders on Citus too.
"""
import collections
import contextlib
import http.client
import itertools
import pathlib
import re
import secrets
import signal
import subprocess
import threading
import time

import gangd
import guide
import nodes
import pytest

GAMES = 12
KILLS = 3
FROZEN_SECONDS = 4
AWAY_TRIES = 10       # seconds, until no session has a connection to a frozen worker
BOT_GAMES = 2
CREATE_TRIES = 12
MOVES = 4000          # and views, by one client
SESSION_MIB = 50      # of private memory; 10 were found, and 324 when plans were kept
GROW_SECONDS = 10     # in which a game may stand while it is moved
AWAY_SECONDS = 3
PLAY_SECONDS = 4      # between two kills
NEEDLE = 24           # hexadecimal digits of a state
GAP_SECONDS = 5       # in which games of a worker that lives may stand


@pytest.fixture(scope="module")
def citus(database):
    return nodes.reopen()


# --- the guide ------------------------------------------------------------------

def test_tables_are_spread(tally, citus):
    placed = citus.coordinator.ask(
        "SELECT nodeport, count(*) FROM pg_dist_shard_placement "
        "JOIN pg_dist_shard USING (shardid) WHERE logicalrelid = 'gangd.game'::regclass "
        "GROUP BY 1 ORDER BY 1").split()
    wanted = sorted(node.port for node in citus.workers)
    tally.check("each worker has shards of the games, the coordinator none",
                [int(row.split("|")[0]) for row in placed] == wanted, placed)
    tally.check("reports stay at the coordinator", citus.coordinator.ask(
        "SELECT nodeport FROM pg_dist_shard_placement JOIN pg_dist_shard USING (shardid) "
        "WHERE logicalrelid = 'gangd.commit_report'::regclass") ==
        str(citus.coordinator.port))
    for node in citus.nodes:
        tally.check(f"{node.name} logs no statement of an error", node.ask(
            "SELECT current_setting('log_min_error_statement')") == "panic")


def test_guide(tally, citus, build):
    for name in ("push", "upgrade"):
        citus.block(name, PATH=citus.path(build))
        tally.check(f"the guide's block \"{name}\" runs", True)


# --- secrets in the logs ----------------------------------------------------------

@contextlib.contextmanager
def locked(citus, game):
    """A session that holds the game's row."""
    environment = {**citus.coordinator.environment()}
    with subprocess.Popen(
            [f"{citus.bin}/psql", "-X", "-q", "-At", "-d", "gangd"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as holder:
        holder.stdin.write("BEGIN; SELECT game_id FROM gangd.game "
                           f"WHERE game_id = '{game}' FOR UPDATE;\n")
        holder.stdin.flush()
        holder.stdout.readline()
        yield
        holder.stdin.close()
        holder.wait()


def found_in_logs(citus, needles):
    """Which of these texts the nodes' logs have."""
    logs = "".join(node.log.read_text(encoding="utf-8", errors="replace")
                   for node in citus.nodes)
    return [needle for needle in needles if needle in logs]


def move_in_vain(citus, daemon):
    """Move in a locked game; pieces of its state, and its token."""
    table = gangd.Table(daemon)
    state = citus.coordinator.ask(
        f"SELECT encode(state, 'hex') FROM gangd.game WHERE game_id = '{table.id}'")
    with locked(citus, table.id):
        answer = daemon.client(table.tokens[0]).post(table.path +
                                                     "/chips/white/1/take")
    assert answer.status == 503, answer.status
    return [table.tokens[0], *(state[at:at + NEEDLE]
                               for at in range(0, len(state) - NEEDLE, 2))]


def write_in_vain(citus, daemon):
    """Write a state into a locked game by the coordinator, which passes it on as a
    statement with values in it; that state."""
    table, state = gangd.Table(daemon), secrets.token_hex(NEEDLE)
    with locked(citus, table.id):
        with pytest.raises(subprocess.CalledProcessError):
            citus.coordinator.ask("SET lock_timeout = 100; UPDATE gangd.game "
                                  f"SET state = '\\x{state}' "
                                  f"WHERE game_id = '{table.id}'", role="gangd_app")
    return [state]


def set_statements(citus, value):
    for node in citus.nodes:
        node.set("log_min_error_statement", value)


def complaints(citus, build, check="nodes_logging"):
    """What gangctl check says about the nodes by this check, if that is not well."""
    done = subprocess.run([f"{build}/bin/gangctl", "check"], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "".join(line for line in done.stdout.splitlines(True)
                   if check in line and "ok" not in line.split())


def test_no_card_is_logged(tally, citus, daemon, build):
    """A wait for a lock that lasts too long is an error of the worker, whose log may
    have the statement, with values in it."""
    for what, ask in (("a move", move_in_vain), ("the coordinator", write_in_vain)):
        found = found_in_logs(citus, ask(citus, daemon))
        tally.check(f"no log has a piece of a state after {what}", not found, found)
    tally.check("gangctl check finds no node that logs statements",
                not complaints(citus, build), complaints(citus, build))
    set_statements(citus, "error")
    found = found_in_logs(citus, write_in_vain(citus, daemon))
    tally.check("with other settings a worker's log would have it", found)
    found = complaints(citus, build)
    tally.check("gangctl check names the nodes that log statements",
                all(node.address in found for node in citus.nodes), found)
    set_statements(citus, "panic")


# --- memory -------------------------------------------------------------------------

def memory_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"RssAnon:\s*(\d+)", status)[1]) / 1024


def test_sessions_do_not_grow(tally, citus, daemon, build):
    """A session at the node that has a game kept each plan that it executed again."""
    table = gangd.Table(daemon)
    client = daemon.client(table.tokens[0])
    for _, verb in zip(range(MOVES // 2), itertools.cycle(("take", "return"))):
        assert client.post(f"{table.path}/chips/white/1/{verb}").status == 200
        assert client.get(table.path).status == 200
    largest = max(memory_mib(pid) for node in citus.nodes for pid in node.processes())
    print(f"the largest process of all nodes has {largest:.0f} MiB")
    tally.check(f"no session has grown with {MOVES} requests", largest < SESSION_MIB,
                largest)
    tally.check("gangctl check finds no node whose sessions grow",
                not complaints(citus, build, "nodes_plans"))
    worker = citus.workers[0]
    worker.set("plan_cache_mode", "auto")
    found = complaints(citus, build, "nodes_plans")
    worker.set("plan_cache_mode", "force_custom_plan")
    tally.check("gangctl check names a node whose sessions grow",
                worker.address in found, found)


# --- without the coordinator -------------------------------------------------------

def try_for(seconds, ask):
    """Ask until the answer is 200; the last status."""
    end = time.monotonic() + seconds
    while (status := ask().status) != 200 and time.monotonic() < end:
        time.sleep(0.1)
    return status


def test_games_go_on_without_the_coordinator(tally, citus, daemon):
    """The daemon asks the worker that has the game."""
    tables = [gangd.Table(daemon) for _ in range(GAMES)]
    citus.coordinator.kill()
    try:
        for table in tables:
            client = daemon.client(table.tokens[0])
            statuses = [
                client.get(table.path).status,
                client.post(table.path + "/chips/white/1/take").status,
                client.get(table.path + "/events?after=0").status]
            tally.check("a view, a move and a page of events", statuses == [200] * 3,
                        (table.id, statuses))
        status = daemon.client().get("/readyz").status
        tally.check("the daemon is ready, so balancers send it requests", status == 200,
                    status)
    finally:
        citus.coordinator.start()
    client = daemon.client()
    status = try_for(20, lambda: client.get("/v1/games"))
    tally.check("the lobby is there again with the coordinator", status == 200, status)


def test_a_frozen_worker_stops_no_other(tally, citus, daemon):
    tables = [gangd.Table(daemon) for _ in range(GAMES)]
    victim, survivor = citus.workers
    mine = [table for table in tables if place_of(citus, table) == survivor.port]
    clients = {table: daemon.client(table.tokens[0]) for table in tables}
    slowest, statuses = 0, collections.Counter()
    victim.signal(signal.SIGSTOP)
    try:
        for table in tables:
            if table not in mine:  # nobody reads the answer
                clients[table].connection.request(
                    "POST", table.path + "/chips/white/1/take", None,
                    clients[table].fields(None))
        end = time.monotonic() + FROZEN_SECONDS
        for verb in itertools.cycle(("take", "return")):
            if time.monotonic() > end:
                break
            for table in mine:
                begun = time.monotonic()
                answer = clients[table].post(f"{table.path}/chips/white/1/{verb}")
                statuses[answer.status] += 1
                slowest = max(slowest, time.monotonic() - begun)
    finally:
        victim.signal(signal.SIGCONT)
    tally.check("moves of the other worker's games succeed",
                set(statuses) == {200}, statuses)
    tally.check("and do not wait", slowest < 1, slowest)


def tables_with_bots(citus, daemon, port):
    """Games of a person and bots at one worker, in which the bots have to move."""
    found = []
    while len(found) < BOT_GAMES:
        table = gangd.Table(daemon, 3, False, bots=2)
        if place_of(citus, table) == port:
            assert daemon.client(table.tokens[0]).post(
                table.path + "/start").status == 200
            found.append(table)
    return found


def version_of(daemon, table):
    return daemon.client(table.tokens[0]).get(table.path).json["version"]


def success(answer):
    """The answer if it is 200, else None."""
    return answer if answer.status == 200 else None


def create(daemon):
    """Create a game, as a client does: a 503 is repeated with the same key.  That one
    draws another id, and the coordinator knows that a worker hangs before the daemon."""
    key = secrets.token_hex(16)
    for _ in range(CREATE_TRIES):
        answer = daemon.client().post("/v1/games", {"name": "A", "seats": 3},
                                      headers={"Idempotency-Key": key})
        if answer.status != 503:
            return answer
    return answer


@pytest.mark.parametrize("how", ("killed", "frozen"))
def test_a_worker_stays_away(tally, citus, daemon, how):
    """The lobby, new games and bots need none but the workers that are there."""
    victim, survivor = citus.workers
    public, left = [], []
    while not 0 < len(left) < len(public) - 1:  # after the last case it comes back
        public.append(gangd.Table(daemon, 3, False, visibility="public"))
        left += [public[-1].id] if place_of(citus, public[-1]) == survivor.port else []
    if how == "killed":
        victim.kill()
    else:
        victim.signal(signal.SIGSTOP)
    try:
        client = daemon.client()
        page = gangd.wait_for(lambda: success(client.get("/v1/games?limit=50")),
                              AWAY_TRIES)
        listed = {game["id"] for game in page.json["games"]} if page else set()
        tally.check(f"{how}: it lists the games of the other worker",
                    listed & {table.id for table in public} == set(left), listed)
        made = [create(daemon) for _ in range(GAMES)]
        tally.check(f"{how}: games are created", all(
            answer.status == 201 for answer in made),
                    collections.Counter(answer.status for answer in made))
        tally.check(f"{how}: they are read", all(
            daemon.client(answer.json["token"]).get(
                "/v1/games/" + answer.json["game"]["id"]).status == 200
            for answer in made if answer.status == 201))
        tables = tables_with_bots(citus, daemon, survivor.port)
        before = [version_of(daemon, table) for table in tables]
        moved = gangd.wait_for(lambda: all(version_of(daemon, table) > version for
                                           table, version in zip(tables, before)), 20)
        tally.check(f"{how}: bots play", moved, before)
    finally:
        if how == "killed":
            victim.start()
        else:
            victim.signal(signal.SIGCONT)
    lost = next(table for table in public if table.id not in left)
    status = try_for(20, lambda: daemon.client(lost.tokens[0]).get(lost.path))
    tally.check(f"{how}: its games are there again", status == 200, status)


# --- workers that die --------------------------------------------------------------

class Player(threading.Thread):
    """Takes and returns a chip of a game, with a key for each move, and repeats a move
    until it is acknowledged."""

    def __init__(self, daemons, stop):
        super().__init__()
        self.table = gangd.Table(daemons[0])
        self.clients = [daemon.client(self.table.tokens[0]) for daemon in daemons]
        self.stop = stop
        self.acknowledged, self.times, self.refused = [], [], []

    def ask(self, client, verb, key):
        """The status, or None: the outcome is unknown."""
        try:
            return client.post(f"{self.table.path}/chips/white/1/{verb}",
                               headers={"Idempotency-Key": key}).status
        except (OSError, http.client.HTTPException):
            client.close()
            return None

    def run(self):
        for verb in itertools.cycle(("take", "return")):
            if self.stop.is_set():
                return
            self.move(verb)

    def move(self, verb):
        key = secrets.token_hex(16)
        for client in itertools.cycle(self.clients):
            status = self.ask(client, verb, key)
            if status == 200:
                self.acknowledged.append(verb)
                self.times.append(time.monotonic())
                return
            if status is not None and status < 500:
                self.refused.append((verb, status))
                return
            time.sleep(0.05)

    def logged(self):
        """The moves in the log, and whether its versions are all there."""
        events, after = [], 0
        while True:
            page = self.clients[0].get(
                f"{self.table.path}/events?after={after}&limit=100").json["events"]
            if not page:
                break
            events += page
            after = page[-1]["version"]
        names = {"chip_taken": "take", "chip_returned": "return"}
        versions = [event["version"] for event in events]
        return ([names[event["type"]] for event in events if event["type"] in names],
                versions == list(range(1, len(versions) + 1)))

    def gap(self, begun, ended):
        """The longest time without an acknowledged move."""
        times = [begun, *self.times, ended]
        return max(b - a for a, b in zip(times, times[1:]))


def place_of(citus, table):
    """The port of the node that has a game."""
    return int(citus.coordinator.ask(
        "SELECT nodeport FROM pg_dist_shard_placement WHERE shardid = "
        f"get_shard_id_for_distribution_column('gangd.game', '{table.id}')"))


def places(citus, players):
    """The players by the port of the node that has their games."""
    found = collections.defaultdict(list)
    for player in players:
        found[place_of(citus, player.table)].append(player)
    return found


class Play:
    """Players who play at two daemons during a with statement, after which the logs of
    their games are compared with what was acknowledged."""

    def __init__(self, tally, build, daemon):
        self.tally, self.stop = tally, threading.Event()
        self.other = gangd.Daemon(build)
        self.other.wait_ready()
        self.players = [Player([daemon, self.other], self.stop) for _ in range(GAMES)]

    def __enter__(self):
        self.begun = time.monotonic()
        for player in self.players:
            player.start()
        return self

    def __exit__(self, *what):
        self.stop.set()
        for player in self.players:
            player.join()
        self.ended = time.monotonic()
        if what[0]:
            return
        wrong = [(player.acknowledged[-3:], logged[-3:], whole)
                 for player in self.players for logged, whole in [player.logged()]
                 if logged != player.acknowledged or not whole]
        self.tally.check("no move is lost, and none is made twice", not wrong, wrong)
        refused = [player.refused for player in self.players if player.refused]
        self.tally.check("no move is wrongly refused", not refused, refused)
        self.tally.end_well(self.other)

    def gap(self, players):
        """The longest time in which a player had no move acknowledged."""
        return max((player.gap(self.begun, self.ended) for player in players),
                   default=0)


def test_workers_die(tally, citus, build, daemon):
    victim, survivor = citus.workers
    with Play(tally, build, daemon) as play:
        by_port = places(citus, play.players)
        for _ in range(KILLS):
            time.sleep(PLAY_SECONDS)
            victim.kill()
            time.sleep(AWAY_SECONDS)
            victim.start()
        time.sleep(PLAY_SECONDS)
    gaps = {port: play.gap(those) for port, those in by_port.items()}
    print("longest time without a move, by worker:", gaps)
    tally.check("the games of the other worker go on",
                gaps[survivor.port] < GAP_SECONDS, gaps)


# --- growing -----------------------------------------------------------------------

def test_a_worker_is_added(tally, citus, build, daemon):
    with Play(tally, build, daemon) as play:
        time.sleep(PLAY_SECONDS)
        added = citus.add(nodes.free_ports(1)[0])
        added.make()
        added.start()
        citus.block("node", added)
        citus.block("grow", WORKER=added.address)
        time.sleep(PLAY_SECONDS)
    moved = citus.coordinator.ask(
        "SELECT count(*) FROM pg_dist_shard_placement JOIN pg_dist_shard USING (shardid) "
        f"WHERE logicalrelid = 'gangd.game'::regclass AND nodeport = {added.port}")
    tally.check("the new worker has games", int(moved) > 0, moved)
    print("longest time without a move:", play.gap(play.players))
    tally.check("all games go on", play.gap(play.players) < GROW_SECONDS,
                play.gap(play.players))


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)


def test_each_block_of_the_guide_was_run(tally, daemon):
    guide.check_all_given(tally, __file__)
