"""The lobby, with 50,000 waiting games: the cost of a page for each filter, and
how much readers of the lobby slow down other requests.
"""
import statistics
import threading
import time

import gangd
from figures import ROUNDS, SECONDS

WAITING = 50000
PAGES = 100              # of each question, in each round
ASKED_EACH_SECOND = 100  # as 25 addresses may

# Games that wait, of all modes and with one to five free seats, whose hosts
# were heard of in the last quarter of an hour.
FILL = f"""
INSERT INTO gangd.game (game_id, version, ruleset, rules_version, seats_max,
    seats_count, host, is_public, spectators, mode, status, invite_code, state,
    host_last_seen)
SELECT ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1,
    CASE WHEN n % 5 = 0 THEN 2 ELSE 1 END, 1, 6, 1 + n % 5, 1, true, false,
    CASE WHEN n % 5 > 0 THEN (ARRAY['basic', 'advanced', 'professional',
    'master_thief'])[n % 5] END, 'lobby', 'bench' || n,
    decode(repeat('ab', 200), 'hex'),
    date_bin('5 minutes', now(), 'epoch') - n / 5 % 3 * interval '5 minutes'
FROM generate_series(1, {WAITING}) AS n;
INSERT INTO gangd.seat (game_id, seat, name, name_key, token_hash)
SELECT game_id, 1, 'host', 'host', sha256(uuid_send(game_id))
FROM gangd.game WHERE invite_code LIKE 'bench%';
"""
ANY = ""
# The last two fit no game: most is examined in vain.
FILTERED = ("?mode=advanced", "?ruleset=famiglia", "?free_seats=3",
            "?mode=advanced&free_seats=5", "?free_seats=6",
            "?ruleset=famiglia&mode=advanced")


def page_ms(client, question):
    begun = time.monotonic()
    answer = client.get("/v1/games" + question)
    if answer.status != 200:
        raise SystemExit(f"{question}: {answer.status} {answer.body}")
    return 1000 * (time.monotonic() - begun)


def measure_pages(bench, table):
    client = bench.daemon.client()
    unfiltered, slowest = [], []
    for _ in range(ROUNDS):
        costs = {question: [] for question in (ANY, *FILTERED)}
        for _ in range(PAGES):
            for question, list_ in costs.items():
                list_.append(page_ms(client, question))
        medians = {question: statistics.median(list_)
                   for question, list_ in costs.items()}
        unfiltered.append(medians.pop(ANY))
        slowest.append(max(medians.values()))
    client.close()
    table.compare(f"the slowest filtered page of the lobby, {WAITING} wait / "
                  "any page", slowest, unfiltered, "<= 3", "{:.2f}", " ms")


class Readers:
    """Readers of filtered pages, this many a second, until stopped."""

    def __init__(self, bench):
        self.stopping = threading.Event()
        self.asked = 0
        self.client = bench.daemon.client()
        self.thread = threading.Thread(target=self.read)

    def read(self):
        begun = time.monotonic()
        while not self.stopping.is_set():
            page_ms(self.client, FILTERED[self.asked % len(FILTERED)])
            self.asked += 1
            due = begun + self.asked / ASKED_EACH_SECOND
            time.sleep(max(0, due - time.monotonic()))

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()


def measure_others(bench, table):
    with_readers, without = [], []
    for _ in range(ROUNDS):
        without.append(bench.wrk("move.lua", 64, SECONDS)["p99_us"] / 1000)
        with Readers(bench):
            with_readers.append(
                bench.wrk("move.lua", 64, SECONDS)["p99_us"] / 1000)
    table.compare(f"p99 of a move, {ASKED_EACH_SECOND} filtered pages a "
                  "second / none", with_readers, without, "<= 2", "{:.1f}",
                  " ms")


def measure(bench, table):
    gangd.psql(FILL)
    gangd.psql("ANALYZE gangd.game, gangd.seat")
    measure_pages(bench, table)
    measure_others(bench, table)
    gangd.psql("DELETE FROM gangd.game WHERE invite_code LIKE 'bench%'")
