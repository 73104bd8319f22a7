"""Gangctl does not call well or done what it could not
find out.

Every command runs with its 1st, 2nd, 3rd ... statement disturbed (statements.py): the
connection is cut before the server gets it, or before its answer comes, or the server
refuses it.  Each time the exit status, the words and the database have to fit: nothing
that was not found out is ok or done, what is said to be done is done, what is said not
to be is not, and the same command, run again, finishes the work.

The first two statements of each command, the last two and CUTS between them are
disturbed; CUTS=1000 disturbs all.
"""
import json
import os
import re
import subprocess
import tempfile
import time

import gangd
import statements
from statements import AFTER, BEFORE, REFUSED

HERE = os.path.dirname(os.path.abspath(__file__))

CLUSTER = os.path.join(HERE, "..", "..", "deploy", "local", "cluster.sh")
NAME = "Zebedee"
COLORS = ("white", "yellow", "orange", "red")
OLD_GAMES = 103     # of which a page of the purge has 100
OLD_EVENTS = 520    # of which a page of rekey has 500
SETTLE_SECONDS = 30
EDGE, SAMPLE = 2, int(os.environ.get("CUTS", "3"))

# Rows as old as each kind that the purge deletes, and as rekey finds.
FILL = f"""
INSERT INTO gangd.game (game_id, version, ruleset, rules_version, mode, status,
    is_public, spectators, seats_max, seats_count, host, invite_code, state, updated_at)
SELECT gen_random_uuid(), 1, 1, 1, 'basic', 'lobby', false, false, 3, 0, 1,
    'old' || lpad(i::text, 5, '0'), '\\x0102', now() - interval '400 days'
FROM generate_series(1, {OLD_GAMES}) AS i;
INSERT INTO gangd.event (game_id, version, type, seat, heist, color, replay_data)
SELECT game_id, i, 1, 0, 0, 0, '\\x0102'
FROM (SELECT game_id FROM gangd.game WHERE invite_code LIKE 'old%' LIMIT 1) AS g,
    generate_series(2, {OLD_EVENTS}) AS i;
INSERT INTO gangd.notification (game_id, version, seat, target, code, due_at)
SELECT game_id, 1, 1, decode(repeat('00', 32), 'hex'), 1, NULL
FROM gangd.game WHERE invite_code NOT LIKE 'old%'"""

# A game has the name in a seat, and in events.
NAMES = f"""SELECT coalesce(string_agg(game_id || ':' || seats || ':' || events, ' '
    ORDER BY game_id), '') FROM (
 SELECT game_id,
  (SELECT count(*) FROM gangd.seat WHERE seat.game_id = game.game_id
   AND name = '{NAME}') AS seats,
  (SELECT count(*) FROM gangd.event WHERE event.game_id = game.game_id
   AND position('{NAME}'::bytea IN public_data) > 0) AS events
 FROM gangd.game) AS n WHERE seats + events > 0"""


def ask(client, method, path, body=None):
    answer = client.ask(method, path, body)
    assert answer.status < 300, (method, path, answer.status, answer.body)
    return answer.json if answer.body else None


def play_chain(daemon):
    """A game that ends, and its rematch: their ids, and the token of NAME."""
    host = daemon.client()
    made = ask(host, "POST", "/v1/games", {"name": "Ada", "seats": 3})
    path = "/v1/games/" + made["game"]["id"]
    join = f"/v1/invitations/{made['invite_code']}/players"
    tokens = [made["token"]] + [ask(host, "POST", join, {"name": name})["token"]
                                for name in (NAME, "Bea")]
    players = [daemon.client(token) for token in tokens]
    while True:
        for color in COLORS:
            for number, player in enumerate(players, 1):
                ask(player, "POST", f"{path}/chips/{color}/{number}/take")
        if ask(players[0], "GET", path)["status"] != "playing":
            break
        ask(players[0], "POST", path + "/heists")
    again = ask(players[0], "POST", path + "/rematch", {})
    return [made["game"]["id"], again["id"]], tokens[1]


class Database:
    """The cluster: what is in the tables now, and in the beginning."""

    def __init__(self):
        self.sql = gangd.Sql(gangd.superuser())
        self.tables = []

    def ask(self, query):
        return self.sql.ask(query)

    def keep(self):
        """The tables are as reset() makes them from here on."""
        self.tables = self.ask(
            "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables"
            " WHERE schemaname = 'gangd' AND tablename NOT IN"
            " ('schema_migration', 'address_secret')").split()
        self.sql.do("CREATE SCHEMA kept;" + ";".join(
            f"CREATE TABLE kept.{table} AS TABLE gangd.{table}"
            for table in self.tables))

    def reset(self):
        """Without triggers and foreign keys, which would check what is right."""
        self.sql.do("SET LOCAL session_replication_role = replica;" + ";".join(
            f"DELETE FROM gangd.{table};"
            f"INSERT INTO gangd.{table} SELECT * FROM kept.{table}"
            for table in self.tables))

    def settle(self):
        """Wait for the end of the sessions of a command that was cut off: such a one
        may carry a statement out yet, and holds its locks."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.ask("SELECT count(*) FROM pg_stat_activity WHERE"
                       " application_name = 'gangctl'") != "0":
            if time.monotonic() > deadline:
                raise TimeoutError("a session of gangctl does not end")
            time.sleep(0.005)

    def digest(self):
        return self.ask("SELECT md5(concat(" + ", ".join(
            f"(SELECT string_agg(t::text, '|' ORDER BY t::text)"
            f" FROM gangd.{table} AS t)" for table in self.tables) + "))")


class Run:
    """The output of a command, and how it ended."""

    def __init__(self, done, how):
        self.status, self.out, self.err = (done.returncode, done.stdout,
                                           done.stderr)
        self.how = how
        self.all = self.out + self.err

    def __str__(self):
        return f"{self.status}: {self.out[-2000:]} {self.err[-2000:]}"


class Scene:
    def __init__(self, tally, build):
        self.tally = tally
        self.gangctl = build + "/bin/gangctl"
        self.database = Database()
        folder = os.environ["GANGD_DATABASE_URL"].split("host=")[1].split()[0]
        self.proxy = statements.Proxy(folder)
        self.key_file = ""
        self.environment = dict(os.environ, GANGD_QUOTAS="on",
                                GANGD_DATABASE_CONNECTIONS="6")
        for name in ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL"):
            self.environment[name] = os.environ[name].replace(
                folder, self.proxy.folder) + " connect_timeout=30"

    def run(self, words, text="", at=0, how=None):
        self.proxy.arm(at, how)
        return Run(subprocess.run(
            [self.gangctl, *words], input=text, text=True,
            env=dict(self.environment, GANGD_KEY_FILE=self.key_file,
                     PATH=gangd.STAND_INS + ":" + os.environ["PATH"]),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
            check=False), how)

    def numbers(self, total):
        step = max(1, total // SAMPLE)
        return [n for n in range(1, total + 1)
                if n <= EDGE or n > total - EDGE or n % step == 0]

    def disturb(self, words, judge, changes=True, text="", columns=(
            BEFORE, AFTER, REFUSED)):
        """Each statement in each way; judge(run, is_final) gives a fault or None.

        A command that changes something is run again after each."""
        name = " ".join(words[:2])
        good = self.run(words, text)
        total = self.proxy.number
        faults = [] if not judge(good, True) else [("undisturbed", str(good))]
        count = 0
        for at in self.numbers(total):
            for how in columns:
                if changes:
                    self.database.reset()
                run = self.run(words, text, at, how)
                self.database.settle()
                count += 1
                fault = "(null)" in run.all and "(null)" or judge(run, False)
                if fault:
                    faults.append((f"{how} {at}: {fault}", str(run)))
                if not changes:
                    continue
                again = self.run(words, text)
                fault = judge(again, True)
                if fault:
                    faults.append((f"{how} {at}, again: {fault}", str(again)))
        self.tally.check(f"{name}: {count} of {3 * total} disturbances",
                         not faults and total > 0, faults[:3])
        if changes:
            self.database.reset()


def has_words(text):
    """It says what happened to the database, or to the answer."""
    return re.search(r"\b(lost|refused|ended|known|run the command again)\b", text)


def judge_reading(words):
    """A command that reads: it succeeds, or it does not know and says so."""
    def judge(run, is_final):
        if is_final:
            return None if run.status == 0 and re.search(words, run.out) \
                else "it did not finish"
        if run.status != 2:
            return f"exit status {run.status}"
        if re.search(words, run.out):
            return "a result of nothing"
        return None if has_words(run.err) else "no reason"
    return judge


def check_reading(test, ids):
    test.disturb(("show", ids[0]), judge_reading(r'"id":"'), changes=False)
    test.disturb(("replay", ids[0]), judge_reading("the same state"),
                 changes=False)
    run = test.run(("replay", ids[0], ids[1]), at=3, how=REFUSED)
    test.tally.check("replay: one game is the same, of the other it is unknown",
                     run.status == 2 and ids[0] + ": " in run.out and
                     "not known" in run.err and ids[1] in run.err, run)
    run = test.run(("show", "018f2f6a-0000-7000-8000-000000000000"))
    test.tally.check("show: no such game is another status than unknown",
                     run.status == 1 and "no such game" in run.err, run)


def check_erase(test, ids, token):
    database = test.database

    def judge(run, is_final):
        left = dict((each.split(":")[0], each.split(":")[1:])
                    for each in database.ask(NAMES).split())
        said = [id for id in ids if id + ": " in run.out]
        if is_final:
            if run.status != 0 or left:
                return f"status {run.status}, names in {left}"
            return None if "erased from" in run.out else "no word of it"
        if run.status != 2:
            return f"exit status {run.status}"
        if any("0" in pair for pair in left.values()):
            return f"a game is erased by half: {left}"
        if any(id in left for id in said):
            return "said to be erased, and is not"
        erased = [id for id in ids if id not in left]
        opened = [id for id in ids
                  if f"{id}: all was erased in this game, or nothing" in run.err]
        if not set(erased) <= set(said + opened):
            return f"erased {erased}, and said only {said} {opened}"
        if opened and run.how == REFUSED:
            return "unknown, although the answer came"
        if re.search(r"^erased from \d+ games$", run.out, re.M):
            return "said to be done"
        return None if has_words(run.err) and "again" in run.err else "no reason"

    test.disturb(("erase", "--token"), judge, text=token + "\n")
    run = test.run(("erase", "--token"), token[:-1] + "a")
    test.tally.check("erase: a token that nobody has is another status",
                     run.status == 1, run)


def check_damage(test, ids, token):
    """A damaged state was found to be bad; a row that cannot be read leaves
    it unknown.  Neither is a success, and the other game is erased."""
    database = test.database
    for column, status, text in (("state", 1, "the stored state is damaged"),
                                 ("seats", 2, "cannot be read")):
        database.sql.do(f"UPDATE gangd.game SET {column} = '\\x01' "
                        f"WHERE game_id = '{ids[1]}'")
        for words in ("show", ids[1]), ("replay", ids[1], ids[0]):
            run = test.run(words)
            test.tally.check(f"{words[0]}: damaged {column}",
                             run.status == status and ids[1] not in run.out and
                             run.err, run)
        run = test.run(("erase", "--token"), token + "\n")
        test.tally.check(f"erase: damaged {column}", run.status == status and
                         text in run.err and "so far; keep the token" in run.out
                         and [each.split(":")[0] for each in
                              database.ask(NAMES).split()] == [ids[1]], run)
        database.reset()


def check_purge(test):
    database = test.database
    left = "SELECT count(*) FROM gangd.game WHERE invite_code LIKE 'old%'"

    def judge(run, is_final):
        deleted = OLD_GAMES - int(database.ask(left))
        if is_final:
            return None if run.status == 0 and deleted == OLD_GAMES and \
                "games deleted\n" in run.out else "it did not finish"
        if run.status != 2:
            return f"exit status {run.status}"
        said = re.search(r"^(\d+) games deleted so far$", run.out, re.M)
        more = re.search(r"(\d+) more games may or may not", run.err)
        if not said or not has_words(run.err):
            return "no word of what was done"
        least = int(said[1])
        most = least + (int(more[1]) if more else 0)
        return None if least <= deleted <= most else \
            f"{deleted} deleted, {least} to {most} said"

    test.disturb(("purge", "30"), judge)
    test.disturb(("purge", "--dry-run"), judge_reading(r"^\d+ games"),
                 changes=False)


def check_rekey(test, ids):
    """The values are plain in the beginning."""
    database = test.database
    clear = """SELECT (SELECT count(*) FROM gangd.game
         WHERE substr(state, 1, 1) <> '\\xff') || ' ' || (SELECT count(*)
         FROM gangd.event WHERE substr(replay_data, 1, 1) <> '\\xff'
         OR substr(private_data, 1, 1) <> '\\xff')"""
    games, events = (int(each) for each in database.ask(clear).split())

    def judge(run, is_final):
        left_games, left_events = (int(each)
                                   for each in database.ask(clear).split())
        said = re.search(r"(\d+) games, (\d+) events and \d+ texts encrypted "
                         "under key 9", run.out)
        if not said:
            return "no word of what was done"
        if is_final:
            return None if run.status == 0 and left_games + left_events == 0 \
                and "so far" not in run.out else "it did not finish"
        if run.status != 2 or "so far" not in run.out:
            return f"exit status {run.status}"
        more = re.search(r"(\d+) more rows may or may not", run.err)
        done = games + events - left_games - left_events
        least = int(said[1]) + int(said[2])
        most = least + (int(more[1]) if more else 0)
        if not least <= done <= most:
            return f"{done} encrypted, {least} to {most} said"
        return None if has_words(run.err) else "no reason"

    test.disturb(("rekey",), judge)
    test.run(("rekey",))
    run = test.run(("replay", *ids))
    test.tally.check("rekey: all games replay after it", run.status == 0, run)
    database.reset()


def check_webhooks(test):
    database = test.database
    due = "SELECT count(*) FROM gangd.notification WHERE is_replay"
    words = ("webhooks", "replay", "--since", "2020-01-01T00:00:00Z")

    def judge(run, is_final):
        sent = int(database.ask(due))
        said = re.search(r"^(\d+) notifications are sent again$", run.out, re.M)
        if is_final:
            return None if run.status == 0 and said and \
                int(said[1]) == sent > 0 else "it did not finish"
        if run.status != 2 or said:
            return f"exit status {run.status}"
        if "TIME" in run.err:
            return "TIME is blamed"
        if run.how == AFTER:
            return None if "or none of them is" in run.err else "not open"
        return None if sent == 0 and has_words(run.err) and (
            run.how == BEFORE or "nothing is sent again" in run.err) \
            else "no reason"

    test.disturb(words, judge)
    run = test.run((*words[:3], "tomorrow-ish"))
    test.tally.check("webhooks replay: an invalid TIME has another status",
                     run.status == 1 and "TIME is" in run.err, run)


def check_top(test, daemon_metrics):
    words = ("top", "--once", "--daemons", daemon_metrics)

    def judge(run, is_final):
        answers = "games:  " in run.out and "connections\n" in run.out
        if is_final:
            return None if run.status == 0 and answers else "no sample"
        # The first of the two samples is compared, not shown.
        if run.status == 0:
            return None if answers else "done without an answer"
        return None if run.status == 2 and "does not answer" in run.out and \
            not answers else f"exit status {run.status}"

    test.disturb(words, judge, changes=False)


class Checks:
    """The lines of gangctl check --json, by their names."""

    def __init__(self, run):
        self.all = {each["name"]: each
                    for each in json.loads(run.out)["checks"]}

    @staticmethod
    def words(check):
        """Sizes and times differ from run to run."""
        return re.sub(r"\d+", "N", check["found"])

    def of(self, level):
        return {name for name, each in self.all.items()
                if each["level"] == level}


def check_check(test, folder):
    push = folder + "/push.env"
    with open(push, "w", encoding="ascii") as file:
        file.write("# as the daemon\n")
    os.chmod(push, 0o600)
    words = ("check", "--json", "--push-env-file", push)
    good = Checks(test.run(words))

    def judge(run, is_final):
        checks = Checks(run)
        status = 1 if checks.of("fail") else 2 if checks.of("unknown") else 0
        if is_final:
            return None if run.status == 0 == status else "not all is well"
        if run.status != status:
            return f"exit status {run.status}"
        if not checks.of("fail") <= {"connect", "migrator", "push_connect"}:
            return f"fail: {checks.of('fail')}"
        for name, check in checks.all.items():
            if check["level"] in ("ok", "warn") and (
                    name not in good.all or
                    check["level"] != good.all[name]["level"] or
                    checks.words(check) != good.words(good.all[name])):
                # Without the owner's role these are asked as the daemon's.
                if check["level"] == "warn" and "migrator" in checks.of("fail"):
                    continue
                return f"{name}: {check}"
            if check["level"] == "unknown" and not check["fix"]:
                return f"{name}: no way to find out"
        return None

    test.disturb(words, judge, changes=False)
    run = test.run(("check", "--push-env-file", push), at=1, how=BEFORE)
    test.tally.check("check: the text says unknown, and counts it",
                     run.status == 2 and "\n  unknown  " in run.out and
                     re.search(r"0 fail, \d\d unknown", run.out), run)


def check_migrate(test):
    """An empty database, whose first statements are disturbed; then one whose
    functions are to be applied, all of them."""
    database = test.database
    applied = "SELECT count(*) FROM gangd.schema_migration"
    functions = """SELECT count(*) FROM gangd.schema_migration
        WHERE name = 'functions'"""

    def judge(run, is_final):
        there = int(database.ask(functions))
        said = "applied functions" in run.out
        if is_final:
            return None if run.status == 0 and there and \
                "up to date" in run.out else "it did not finish"
        if run.status != 2 or "up to date" in run.out:
            return f"exit status {run.status}"
        if "functions: nothing of it was applied" in run.err and there:
            return "said not to be applied, and is"
        if there and not said and "or nothing; run gangctl migrate" not in run.err:
            return "applied, and not said"
        if said and not there:
            return "said to be applied, and is not"
        return None if has_words(run.err) else "no reason"

    def forget():
        database.sql.do("DELETE FROM gangd.schema_migration"
                        " WHERE name = 'functions'")

    kept, database.reset = database.reset, forget
    forget()
    test.disturb(("migrate",), judge)
    test.run(("migrate",))
    database.reset = kept
    all_of_it = database.ask(applied)
    total = 0
    urls = dict(test.environment)
    for name in ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL"):
        test.environment[name] = urls[name].replace("dbname=gangd", "dbname=empty")
    faults = []
    for at in range(2, 13, 5):
        for how in (BEFORE, AFTER, REFUSED):
            gangd.psql("DROP DATABASE IF EXISTS empty", url=gangd.superuser())
            gangd.psql("CREATE DATABASE empty OWNER gangd_owner", url=gangd.superuser())
            run = test.run(("migrate",), at=at, how=how)
            empty = gangd.superuser().replace("dbname=gangd", "dbname=empty")
            there = gangd.psql("SELECT to_regclass('gangd.schema_migration')",
                               url=empty)
            there = there and int(gangd.psql(applied, url=empty)) or 0
            said = run.out.count("applied ")
            opened = "or nothing; run gangctl migrate" in run.err
            total += 1
            if run.status != 2 or not said <= there <= said + opened:
                faults.append((how, at, there, str(run)))
    run = test.run(("migrate",))
    test.environment = urls
    test.tally.check(f"migrate: {total} disturbances of an empty database",
                     not faults and run.status == 0, faults[:2])
    test.tally.check("and the next run applies the rest",
                     gangd.psql(applied, url=empty) == all_of_it, run)


def check_start(test):
    """No connection at all, and no room for a result."""
    for words in (("migrate",), ("show", "018f2f6a-0000-7000-8000-000000000000"),
                  ("replay", "018f2f6a-0000-7000-8000-000000000000"),
                  ("purge",), ("rekey",), ("webhooks", "replay", "--since", "now"),
                  ("erase", "--token")):
        done = subprocess.run(
            [test.gangctl, *words], input="x", text=True, capture_output=True,
            env=dict(os.environ, GANGD_DATABASE_URL="host=/nonexistent dbname=a",
                     GANGD_MIGRATE_URL="", GANGD_KEY_FILE=test.key_file),
            check=False)
        test.tally.check(f"{words[0]}: no connection", done.returncode == 2 and
                         "cannot reach the database" in done.stderr and
                         not done.stdout, done)
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([test.gangctl, "new-key", "1"], stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    test.tally.check("a key that cannot be written is a failure",
                     done.returncode == 2 and "cannot be written" in done.stderr,
                     done)


def test_gangctl_cuts(tally, build, database):
    # As for real use, so that gangctl check finds no fault.
    folder = os.environ["GANGD_DATABASE_URL"].split("host=")[1].split()[0]
    subprocess.run([CLUSTER, "start", os.path.dirname(folder)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    daemon = gangd.Daemon(build, GANGD_METRICS_LISTEN="127.0.0.1:0")
    daemon.wait_ready()
    ids, token = play_chain(daemon)
    test = Scene(tally, build)
    test.database.sql.do(FILL)
    metrics = re.search(r'"metrics_listening".*?"address":"([^"]+)"',
                        "".join(daemon.lines))
    check_reading(test, ids)
    check_top(test, metrics[1])
    test.tally.end_well(daemon)
    test.database.keep()
    check_erase(test, ids, token)
    check_damage(test, ids, token)
    check_purge(test)
    check_webhooks(test)
    with tempfile.TemporaryDirectory() as scratch:
        check_check(test, scratch)
        test.key_file = scratch + "/keys"
        with open(test.key_file, "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            subprocess.run([test.gangctl, "new-key", "9"], stdout=file, check=True)
        check_rekey(test, ids)
        check_start(test)
        test.key_file = ""
    check_migrate(test)
    test.proxy.close()
