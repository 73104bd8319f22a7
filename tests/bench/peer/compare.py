#!/usr/bin/python3
"""compare.py BUILD [check] - compare gangd with frameworks that one could use
instead; or only check that gangd and the service in fastify/ do the same.

tests/bench/peer.sh runs this under deploy/local/with-cluster.sh.
All services run on one machine and one database, and are asked alternately: views
and chip moves of the same games by gangd (with its default settings) and by
the service in fastify/, and moves of the game in boardgame/.

  ROUNDS       of them all, 5 by default
  SECONDS      of each measurement, 10 by default
  WARM         seconds of each that do not count, before the first, 10
  CONNECTIONS  of clients, 64
"""
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent
sys.path[:0] = [str(BENCH.parent / "harness"), str(BENCH)]

import gangd  # noqa: E402
from figures import judge  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = int(os.environ.get("SECONDS", "10"))
WARM = int(os.environ.get("WARM", "10"))
CONNECTIONS = int(os.environ.get("CONNECTIONS", "64"))
# Enough that no game has two requests under way, even if one is late.
GAMES = 16 * CONNECTIONS
START_SECONDS = 60
LISTENING = re.compile(r"^listening on ([^:]+):(\d+)$", re.MULTILINE)
GOALS = {"fastify": ">= 6 x", "boardgame.io": ">= 40 x"}
# The allowed share of errors; a machine with other load loses some answers.
ERRORS_MAX = 0.001


class Peer:
    """A service of ours for comparison, in one or more processes that listen
    at addresses of their own."""

    def __init__(self, folder, url, log, addresses):
        words = dict(word.split("=", 1) for word in os.environ[url].split())
        environment = dict(os.environ, NODE_ENV="production",
                           PGHOST=words["host"], PGPORT=words["port"],
                           PGUSER=words["user"], PGDATABASE=words["dbname"])
        with open(log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen(
                ["node", str(HERE / folder / "server.js")], env=environment,
                stdout=file, stderr=subprocess.STDOUT)
        self.addresses = self.follow(log, addresses)
        self.address = self.addresses[0]

    def follow(self, log, count):
        for _ in range(START_SECONDS * 10):
            text = pathlib.Path(log).read_text(encoding="utf-8")
            found = LISTENING.findall(text)
            if len(found) == count:
                return [(host, int(port)) for host, port in found]
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise SystemExit(f"{log}: it does not start\n{text}")

    def stop(self):
        self.process.terminate()
        self.process.wait()


# --- the games --------------------------------------------------------------

def make_games(daemon, file):
    """Create new games for each run, so that all runs begin alike."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        games = list(pool.map(lambda _: gangd.Table(daemon), range(GAMES)))
    file.write_text("".join(f"{game.path} {game.tokens[0]}\n"
                            for game in games), encoding="ascii")


def without_time(tag):
    """gangd's tag has the time of the last change too."""
    return re.sub(r'^("[^.]+\.\d+\.\d+)\.[0-9a-f]{10,}\.', r"\1.", tag)


def without_times(view):
    """The view without times: Fastify's have only milliseconds."""
    return {name: value for name, value in view.items()
            if name not in ("created_at", "updated_at")}


def check_same(build, daemon, peer, game):
    """Both services do the same: they move in one game alternately, their views
    are equal, and their common log replays to the stored state."""
    token = game.tokens[0]
    clients = [gangd.Client(service.address, token)
               for service in (daemon, peer)]
    for move, client in zip((1, 2, 3, 1), clients * 2):
        answer = client.post(f"{game.path}/chips/white/{move}/take")
        views = [answer.json] + [other.get(game.path).json
                                 for other in clients]
        if answer.status != 200 or \
                any(without_times(view) != without_times(views[0])
                    for view in views):
            raise SystemExit("the services differ: " + json.dumps(views))
        if without_time(clients[0].get(game.path).header("ETag")) != \
                without_time(answer.header("ETag")):
            raise SystemExit("the services' tags differ")
    for client in clients:
        answer = client.post(f"{game.path}/chips/white/1/take")
        if answer.code != "chip_already_held":
            raise SystemExit(f"a chip that is held: {answer.body}")
        client.close()
    subprocess.run([build + "/bin/gangctl", "replay", game.id], check=True,
                   stdout=subprocess.DEVNULL)


# --- what is measured -------------------------------------------------------

def figures(command, **environment):
    """The figures of a load's last line, by name."""
    text = subprocess.run(
        command, env=dict(os.environ, **environment), check=True, text=True,
        timeout=SECONDS + WARM + 120, stdout=subprocess.PIPE).stdout
    words = text.splitlines()[-1].split()
    return {k: float(v) for k, v in zip(words[::2], words[1::2])}


def wrk(script, daemon, file):
    def measure(service, seconds):
        make_games(daemon, file)
        return figures(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout",
             "10s", "-s", str(BENCH / script),
             "http://%s:%d" % service.address],
            BENCH_GAMES=str(file), BENCH_THREADS="1")
    return measure


def matches(service, seconds):
    return figures(["node", str(HERE / "boardgame" / "load.js"),
                    str(seconds), str(CONNECTIONS),
                    *("%s:%d" % address for address in service.addresses)])


class Series:
    """The runs of one service with one kind of request."""

    def __init__(self, what, name, service, measure):
        self.what, self.name, self.service = what, name, service
        self.measure = measure
        self.runs = []

    def run(self, seconds, counts=True):
        figure = self.measure(self.service, seconds)
        if counts:
            self.runs.append(figure)

    def all(self, name):
        return [run[name] for run in self.runs]

    @property
    def rate(self):
        return statistics.median(self.all("rate"))

    @property
    def errors(self):
        return sum(self.all("errors"))

    def row(self, ours):
        rates = self.all("rate")
        ratio = goal = ""
        if self is not ours:
            ratio = f"{ours.rate / self.rate:.2f} x"
            goal = "  " + judge(GOALS[self.name], ours.rate / self.rate)
        latency = statistics.median(self.all("p99_us")) / 1000
        return (f"{self.what:6}{self.name:14}{self.rate:10.0f}"
                f"{min(rates):10.0f}{max(rates):10.0f}{latency:10.1f}"
                f"{self.errors:8.0f}{ratio:>10}{goal}")


def version(folder, package):
    text = (HERE / folder / "package.json").read_text(encoding="utf-8")
    return package + " " + json.loads(text)["dependencies"][package]


def report(series):
    node = subprocess.run(["node", "--version"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    lines = [f"{CONNECTIONS} connections, {ROUNDS} rounds of {SECONDS} s, "
             f"{os.cpu_count()} processors; node {node},",
             ", ".join([version("fastify", "fastify"),
                        version("fastify", "pg"),
                        version("boardgame", "boardgame.io"),
                        version("boardgame", "bgio-postgres")]) +
             "; answers a second,",
             "the median of the rounds and their range; how many times the "
             "rate gangd has", "",
             f"{'':20}{'median':>10}{'least':>10}{'most':>10}"
             f"{'p99 ms':>10}{'errors':>8}{'gangd':>10}  goal"]
    ours = {one.what: one for one in series if one.name == "gangd"}
    lines += [one.row(ours[one.what]) for one in series]
    return "\n".join(lines) + "\n"


def start_same(build, folder, services):
    """gangd and the service in fastify/, which were seen to do the same."""
    gangd.migrate(build)
    daemon = gangd.Daemon(build, log=folder / "peer-gangd.log")
    services.append(daemon)
    fastify = Peer("fastify", "GANGD_DATABASE_URL",
                   folder / "peer-fastify.log", 1)
    services.append(fastify)
    daemon.wait_ready()
    check_same(build, daemon, fastify, gangd.Table(daemon))
    return daemon, fastify


def compare(build, folder, services):
    """Measure the services alternately.  All are started and warm before the
    first round, and idle while another is measured."""
    gangd.fill_log()
    daemon, fastify = start_same(build, folder, services)
    boardgame = Peer("boardgame", "GANGD_MIGRATE_URL",
                     folder / "peer-boardgame.log",
                     int(os.environ.get("WORKERS", "2")))
    services.append(boardgame)

    get = wrk("get.lua", daemon, folder / "peer-games")
    move = wrk("move.lua", daemon, folder / "peer-games")
    series = [Series("view", "gangd", daemon, get),
              Series("view", "fastify", fastify, get),
              Series("move", "gangd", daemon, move),
              Series("move", "fastify", fastify, move),
              Series("move", "boardgame.io", boardgame, matches)]
    for one in series:
        one.run(WARM, counts=False)
    for turn in range(ROUNDS):
        # The service that came first comes last in the next round.
        for one in series[::-1] if turn % 2 else series:
            one.run(SECONDS)
        print(f"round {turn + 1} of {ROUNDS}", file=sys.stderr, flush=True)
    return series


def main():
    build = sys.argv[1]
    folder = pathlib.Path(build) / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    services = []
    try:
        if sys.argv[2:] == ["check"]:
            start_same(build, folder, services)
            print("1 passed, 0 failed")
            return
        series = compare(build, folder, services)
    finally:
        for service in services:
            service.stop()
    text = report(series)
    (folder / "peer.txt").write_text(text, encoding="ascii")
    print(text, end="")
    answers = sum(sum(one.all("requests")) for one in series)
    if sum(one.errors for one in series) > ERRORS_MAX * answers:
        raise SystemExit("too many errors: the figures tell nothing")


main()
