"""A part of the stories, and what must hold when all of it was played.

Each part has two daemons.  The log of the one is BUILD/stories/PART/daemon.log, and
exchanges.jsonl next to it has every exchange; the other one, with other settings, is
"elsewhere" of the stories.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import time

import contract
import document as documents
import gangd
import programs
import story

# The first and the last number of each part, and its mark.
PARTS = [(1, 28, "first"), (29, 34, "waiting"), (35, 35, "quiet"), (36, 49, None),
         (50, 59, None), (90, 99, None)]
HERE = os.path.dirname(os.path.abspath(__file__))
RULESETS = (1, 2)
SECRET = re.compile(r'"gang_|gang_[0-9A-Za-z]{49}|"[2-9TJQKA][cdhs]"')
TOKEN = re.compile(r"gang_[0-9A-Za-z]{49}")


def of_file(name):
    """The part of a file, and its mark."""
    number = int(name[:2])
    for first, last, mark in PARTS:
        if first <= number <= last:
            return f"{first:02}-{last:02}", mark
    raise ValueError(f"no part has stories of the number {number}")


def make_folder(build, name):
    folder = os.path.join(build, "stories", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Daemons:
    """The daemon of the stories, and the one elsewhere; the environment is that of
    operator.sh."""

    def __init__(self, build, folder):
        self.logs = [folder + "/daemon.log", folder + "/elsewhere.log"]
        self.main = gangd.Daemon(build, log=self.logs[0], GANGD_BOTS="off",
                                 GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
        self.elsewhere = gangd.Daemon(
            build, log=self.logs[1], GANGD_BOTS="off",
            GANGD_CORS_ORIGINS="https://app.example, http://localhost:5173")
        for daemon in self.main, self.elsewhere:
            daemon.wait_ready()
        url = os.environ["GANGD_DATABASE_URL"]
        self.cluster = os.path.dirname(url.split("host=")[1].split()[0])
        self.arrange = build + "/tests/http/arrange"
        os.environ.update(GANGD_PID=str(self.main.pid), GANGD_CLUSTER=self.cluster,
                          GANGD_LOG=self.logs[0])

    @staticmethod
    def url(daemon):
        return daemon.url

    def server(self, url=None, log=None, arranged=None):
        """The server that stories are played against."""
        return story.Server(
            url or self.url(self.main), os.environ["GANGD_MIGRATE_URL"],
            self.url(self.elsewhere), HERE + "/operator.sh", self.arrange, log,
            arranged)

    def stop(self):
        """Stop both; (what it shows, good, detail) of each check."""
        for name, daemon, log in (
                ("the daemon", self.main, self.logs[0]),
                ("the other one", self.elsewhere, self.logs[1])):
            status = daemon.stop()
            yield f"{name} ends with status 0", status == 0, status
            text = read(log)
            found = gangd.FAULTS.search(text)
            yield f"the log of {name} has no fault of its own", not found, found
            found = SECRET.search(text)
            yield f"the log of {name} holds no token and no card", not found, found

    def check_database_log(self):
        found = [log for log in glob.glob(self.cluster + "/log*")
                 if os.path.isfile(log) and TOKEN.search(read(log))]
        yield "the database's log holds no token", not found, found


class Part:
    def __init__(self, items, log):
        self.items, self.log = items, log
        self.name = items[0].job.split("/")[1]
        self.config = items[0].config
        self.folder = make_folder(self.config.build, self.name)
        files = {item.path for item in items}
        self.is_whole = files == {path for path in items[0].path.parent.glob(
            "*.story") if of_file(path.name)[0] == self.name} and len(items) == sum(
                len(story.load(path)) for path in files)
        self.arranged = self.folder + "/arranged"
        self.exchanges = self.folder + "/exchanges.jsonl"

    def play(self):
        gangd.migrate(self.config.build)
        daemons = Daemons(self.config.build, self.folder)
        self.play_stories(daemons)
        for checks in (daemons.stop(), self.check_replay(), self.check_rows(),
                       self.check_show(), self.check_answers(),
                       daemons.check_database_log()):
            for name, good, detail in checks:
                item = programs.Test.from_parent(
                    self.items[0].parent, name=f"{name} ({self.name})")
                self.log(item.report(good, f"{name}: {detail}"))

    def play_stories(self, daemons):
        seed = os.environ.get("STORY_SEED") or str(int(time.time()))
        with open(self.exchanges, "w", encoding="utf-8") as log, \
                open(self.arranged, "w", encoding="utf-8") as arranged:
            server = daemons.server(log=log, arranged=arranged)
            for item in self.items:
                begun = time.monotonic()
                failure = story.run(item.story, server, seed)
                took = time.monotonic() - begun
                if self.config.in_job:  # for the log
                    print("FAILED" if failure else "ok    ", item.name,
                          f"({took:.2f} s)", failure or "", flush=True)
                self.log(item.report(not failure, f"{failure}\nSTORY_SEED={seed}", took))
            server.close()
        with open(self.folder + "/played", "w", encoding="ascii") as file:
            for path in dict.fromkeys(str(item.path) for item in self.items):
                print(os.path.basename(path), file=file)

    def gangctl(self, *words):
        return subprocess.run(
            [self.config.build + "/bin/gangctl", *words], text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def check_replay(self):
        """Every game that is left is what its log says, but for those whose cards a
        story has arranged.  Each part has others."""
        games = set(gangd.psql("SELECT game_id FROM gangd.game").split()) - set(
            read(self.arranged).split())
        done = self.gangctl("replay", *games) if games else None
        yield "the games replay to their stored state", \
            done.returncode == 0 if done else not self.is_whole, \
            done and done.stdout[-2000:]

    @staticmethod
    def check_rows():
        """The rules that the schema leaves to the functions."""
        count = gangd.psql("SELECT count(*) FROM gangd.game "
                           "WHERE seats <> gangd.pack_seats(game_id)")
        yield "the copies of the seats agree", count == "0", count
        for table in "event", "idempotency_key", "notification":
            count = gangd.psql(
                f"SELECT count(*) FROM gangd.{table} WHERE game_id NOT IN "
                "(SELECT game_id FROM gangd.game)")
            yield f"each {table} has its game", count == "0", count

    def check_show(self):
        """An operator is shown a game of each ruleset that has one that ended, as a
        spectator and a seat see it."""
        wrong, shown = [], []
        for ruleset in RULESETS:
            game = gangd.psql(
                f"SELECT game_id FROM gangd.game WHERE ruleset = {ruleset} "
                "AND status NOT IN ('lobby', 'playing') LIMIT 1")
            if not game:
                continue
            shown.append(str(ruleset))
            for seat in "2", None:
                done = self.gangctl("show", game, *([seat] if seat else []))
                view = json.loads(done.stdout) if done.returncode == 0 else {}
                you = view.get("you")
                if view.get("id") != game or (you and str(you["seat"])) != seat:
                    wrong.append(done.stdout[-500:])
        with open(self.folder + "/shown", "w", encoding="ascii") as file:
            print(*shown, file=file)
        yield "gangctl shows games that ended", not wrong, wrong

    def check_answers(self):
        """Every answer is as documented."""
        checks = []

        class Tally:
            @staticmethod
            def check(name, faults):
                faults = list(faults)
                checks.append((name, not faults, "\n".join(faults[:60])))

        documents.checks_schemas = False
        contract.check_exchanges(documents.load("."), ".", self.exchanges,
                                 self.folder + "/seen.json", Tally)
        return checks
