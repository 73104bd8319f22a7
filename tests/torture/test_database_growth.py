"""How much one hostile address can store a day.

The test measures the bytes that each kind of change adds to the tables, with the
longest names and client references, a key with each request, and moves that cause
many events; the default quotas say how often each can happen in a day.  Values are
encrypted, which makes them longer.  The sum must not exceed the one in
deploy/README.md.

Seats with notifications have the most subscriptions allowed.  Notifications are
settled after each move, as gangd-push does: those of the webhook stay, and the others
are deleted.

Moves of bots count for no quota: they are measured with the moves of a person that
they answer, and have a sum of their own.
"""
import os
import random
import re
import string
import subprocess
import tempfile
import uuid

import gangd

MOST = 110 * 1000 * 1000  # bytes a day
MOST_WITH_BOTS = 160 * 1000 * 1000
AMONG_BOTS = "a move among five bots, with theirs"
SEATS = 6
GAMES = 150
HEISTS = 10
CYCLES = 160
BOT_MOVES = 180  # of the person; how bots answer varies from heist to heist
TICKETS = 300
SUBSCRIPTIONS = 5  # of a player
VACUUM_EVERY = 25  # changes, about what autovacuum waits for (50 dead rows)
REFERENCE = "\U00010400" * 128  # four bytes each

# The changes that one counts for, with its avatar or endpoint, if more than one.
WEIGHTS = {"a player who joins": 5, "another name and avatar": 5,
           "a subscription": 9, "a subscription again and again": 9}

# A token bucket is full at first, and comes back once within a day.
A_DAY = 2

COLORS = ("white", "yellow", "orange", "red")
# Four bytes a letter, in the name and in the key that it is folded to.
LETTERS = [chr(0x10400 + i) for i in range(26)]


def name(number):
    """A different name each time, as long as names may be."""
    digits = "".join(LETTERS[number // 26 ** i % 26] for i in range(4))
    return (digits * 10)[:40]


def avatar(number):
    """A different avatar each time, as long as they may be, which no
    compression makes shorter."""
    letters = string.ascii_letters + string.digits
    return "".join(random.Random(number).choices(letters, k=512))


def endpoint(number):
    """A different endpoint each time, as long as they may be."""
    return ("https://ntfy.sh/" + avatar(number) + avatar(number + 1))[:1024]


def size():
    """The size of all tables, with their indexes."""
    return int(gangd.psql(
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
        "WHERE relnamespace = 'gangd'::regnamespace AND relkind = 'r'"))


def ask(daemon, method, path, body=None, token=None):
    client = daemon.client(token)
    answer = client.ask(method, path, body,
                        {"Idempotency-Key": str(uuid.uuid4())})
    client.close()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {answer.body}")
    if method != "GET":
        daemon.background.note_change()
    return answer.json if answer.body else None


def create(daemon, number, seats=SEATS):
    made = ask(daemon, "POST", "/v1/games", {
        "name": name(number), "seats": seats, "visibility": "public",
        "spectators": True, "absence_seconds": 600, "mode": "basic",
        "client_reference": REFERENCE})
    return {"path": "/v1/games/" + made["game"]["id"],
            "tokens": [made["token"]], "code": made["invite_code"]}


def join(daemon, game, number, **more):
    game["tokens"].append(ask(
        daemon, "POST", f"/v1/invitations/{game['code']}/players",
        {"name": name(number), "client_reference": REFERENCE, **more})["token"])


def subscribe(daemon, game, token, number):
    ask(daemon, "PUT", game["path"] + "/push", {
        "endpoint": endpoint(number),
        "keys": {"p256dh": gangd.VAPID_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
        token)


class Background:
    """Do the work of others: gangd-push, and autovacuum."""

    def __init__(self):
        self.sql = gangd.Sql()
        self.changes = 0
        self.tables = self.sql.ask(
            "SELECT string_agg('gangd.' || relname, ', ') FROM pg_class WHERE"
            " relnamespace = 'gangd'::regnamespace AND relkind = 'r'")

    def note_change(self):
        self.changes += 1
        self.sql.do("DELETE FROM gangd.notification"
                    " WHERE target <> decode(repeat('00', 32), 'hex');"
                    "UPDATE gangd.notification SET due_at = NULL"
                    " WHERE due_at IS NOT NULL")
        if self.changes % VACUUM_EVERY == 0:
            self.sql.ask(f"VACUUM {self.tables};\n\\echo done\n")


def play_heist(daemon, game):
    """Play a heist of three, which has the most events for the fewest changes;
    the number of changes.  The deal decides whether it succeeds; the end of
    the game ends it."""
    changes = 0
    for color in COLORS:
        for seat, token in enumerate(game["tokens"]):
            view = ask(daemon, "POST", f"{game['path']}/chips/{color}/"
                       f"{seat + 1}/take", token=token)
            changes += 1
    if view["status"] == "playing":
        ask(daemon, "POST", game["path"] + "/heists", token=token)
        changes += 1
    return changes, view["status"] == "playing"


def play_among_bots(daemon):
    """A person and five bots play; the number of the person's changes."""
    made = ask(daemon, "POST", "/v1/games", {
        "name": name(1), "seats": SEATS, "bots": SEATS - 1, "start": True,
        "client_reference": REFERENCE})
    client = daemon.client(made["token"])
    path, changes = "/v1/games/" + made["game"]["id"], 0
    view, tag = None, '"none"'
    while changes < BOT_MOVES:
        answer = client.get(path, headers={"If-None-Match": tag,
                                           "Prefer": "wait=1"})
        if answer.status == 200:
            view, tag = answer.json, answer.header("ETag")
        wanted = [action for action in view["you"]["legal_actions"]
                  if action["action"] in ("next_heist", "rematch") or
                  action["action"] == "take_chip" and
                  view["you"]["seat"] in view["heist"]["waiting_for"]]
        if not wanted:
            continue
        # Taken from a bot, which then has to move again.
        moved = client.ask("POST", wanted[-1]["href"], wanted[-1]["body"],
                           {"Idempotency-Key": str(uuid.uuid4())})
        changes += moved.status in (200, 201)
        daemon.background.note_change()
        if moved.status == 201:
            path, tag = "/v1/games/" + moved.json["id"], '"none"'
    client.close()
    return changes


class Costs:
    """Bytes for each change of a kind."""

    def __init__(self, daemon):
        self.daemon, self.bytes = daemon, {}

    def measure(self, kind, changes, act):
        """act() makes the changes, or says how many they were."""
        before = size()
        changes = act() or changes
        self.bytes[kind] = (size() - before) / changes
        print(f"{self.bytes[kind]:8.0f} bytes {kind}", flush=True)

    @staticmethod
    def each(act, items):
        """One after the other: at once, each would get spare pages."""
        return [act(item) for item in items]


def measure(daemon):
    costs = Costs(daemon)
    games = []
    # Give tables and indexes their first pages.
    for number in range(20):
        join(daemon, create(daemon, number), 9000)
    costs.measure("a game that is created", GAMES, lambda: games.extend(
        costs.each(lambda n: create(daemon, n), range(GAMES))))

    def fill(game):
        for number in range(SEATS - 1):
            join(daemon, game, 1000 + number, avatar=avatar(number))
    costs.measure("a player who joins", GAMES * (SEATS - 1),
                  lambda: costs.each(fill, games) and None)

    tables = [create(daemon, n, 3) for n in range(HEISTS)]
    for table in tables:
        for number in range(2):
            join(daemon, table, 2000 + number)

    def play(table):
        changes, goes_on = 0, True
        while goes_on:
            more, goes_on = play_heist(daemon, table)
            changes += more
        return changes

    def subscribe_all(table):
        for token in table["tokens"]:
            for number in range(SUBSCRIPTIONS):
                subscribe(daemon, table, token, number)
    costs.measure("a subscription", len(tables) * 3 * SUBSCRIPTIONS,
                  lambda: costs.each(subscribe_all, tables) and None)
    costs.measure("a move, by whole games", 0,
                  lambda: sum(costs.each(play, tables)))

    tables = [create(daemon, n) for n in range(8)]

    def renew(table):
        for cycle in range(CYCLES // 8):
            subscribe(daemon, table, table["tokens"][0], cycle % SUBSCRIPTIONS)
    costs.measure("a subscription again and again", CYCLES,
                  lambda: costs.each(renew, tables) and None)

    def come_and_go(table):
        for cycle in range(CYCLES // 8):
            join(daemon, table, 3000 + cycle)
            ask(daemon, "DELETE", table["path"] + "/players/2",
                token=table["tokens"].pop())
            # A freed seat renews the code.
            table["code"] = ask(daemon, "GET", table["path"] + "/invitation",
                                token=table["tokens"][0])["invite_code"]
    costs.measure("a seat that is taken, or left", 2 * CYCLES,
                  lambda: costs.each(come_and_go, tables) and None)

    def change(table):
        for cycle in range(CYCLES // 8):
            ask(daemon, "PATCH", table["path"] + "/players/1",
                {"name": name(4000 + cycle), "avatar": avatar(cycle)},
                table["tokens"][0])
    costs.measure("another name and avatar", CYCLES,
                  lambda: costs.each(change, tables) and None)

    def give_tickets(table):
        for _ in range(TICKETS // 8):
            ask(daemon, "POST", table["path"] + "/stream_tickets",
                token=table["tokens"][0])
    costs.measure("a ticket", TICKETS,
                  lambda: costs.each(give_tickets, tables) and None)
    costs.measure(AMONG_BOTS, 0, lambda: play_among_bots(daemon))
    return costs.bytes


def quotas(build):
    """The default quotas, from the table of the README."""
    table = subprocess.run([build + "/bin/gangd", "--settings"], check=True,
                           text=True, stdout=subprocess.PIPE).stdout
    return {key: int(value) for key, value in re.findall(
        r"`GANGD_QUOTA_(\w+)` \| `[^`]*` \| `(\d+)`", table)}


def worst(costs, limits, among_bots=False):
    """The rows of the table in deploy/README.md: games with all seats taken by
    the longest names and avatars, and the remaining changes of the kinds that add
    most for what they count for; subscriptions are as many as seats may have."""
    created = A_DAY * limits["DAY_CREATION"]
    joined = created * (SEATS - 1)
    left = A_DAY * limits["DAY_CHANGES"] - created - \
        joined * WEIGHTS["a player who joins"]
    # Tickets go when they are old, with the next one of the game.
    most = dict.fromkeys((
        "a move, by whole games", "a seat that is taken, or left",
        "another name and avatar", "a subscription again and again",
        "a ticket") + among_bots * (AMONG_BOTS,), left)
    most["a subscription"] = created * SEATS * SUBSCRIPTIONS
    rows = [(created, "a game that is created"), (joined, "a player who joins")]
    for kind in sorted(most, key=lambda each: -costs[each] / WEIGHTS.get(each, 1)):
        count = min(most[kind], left // WEIGHTS.get(kind, 1))
        left -= count * WEIGHTS.get(kind, 1)
        rows += [(count, kind)] * (count > 0)
    return rows


def start(build, folder):
    path = os.path.join(folder, "keys")
    key = gangd.gangctl(build, "new-key", "1", check=True).stdout
    with open(path, "w", encoding="ascii") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(key)
    daemon = gangd.Daemon(
        build, GANGD_BOT_PACE="0", GANGD_KEY_FILE=path,
        GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY,
        GANGD_WEBHOOK_URL="http://127.0.0.1:1/")
    daemon.wait_ready()
    daemon.background = Background()
    return daemon


def test_database_growth(tally, build, database):
    with tempfile.TemporaryDirectory() as folder:
        daemon = start(build, folder)
        costs = measure(daemon)
        daemon.background.sql.close()
    for among_bots, most in ((False, MOST), (True, MOST_WITH_BOTS)):
        rows = worst(costs, quotas(build), among_bots)
        total = sum(count * costs[kind] for count, kind in rows)
        for count, kind in rows:
            print(f"{count:8d} x {kind}: {count * costs[kind] / 1e6:.1f} MB")
        tally.check(f"an address adds {total / 1e6:.0f} MB a day at the most, "
                    f"of {most / 1e6:.0f} that it may"
                    f"{' with bots' if among_bots else ''}", 0 < total <= most,
                    total)
    tally.check("each change was measured", all(
        each > 0 for each in costs.values()), costs)
    tally.end_well(daemon)
