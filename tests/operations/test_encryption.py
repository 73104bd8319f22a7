"""Cards are encrypted where the database has them.

Games are played without keys, with a key, and while another key replaces it.
Nobody's view, event or replay changes.  With a key neither the files of the
server, its write-ahead log among them, nor a dump hold the states: the test
decrypts them, by a reader of its own, and looks for their bytes.
"""
import base64
import ctypes
import ctypes.util
import glob
import hashlib
import json
import os
import re
import subprocess
import tempfile
import threading

import gangd
import pytest

MARK = 255
PIECE = 24          # bytes of a state that are looked for
PART = 7            # different bytes of a part of an event, to be looked for
HIDDEN = slice(2, -4)  # of a state: without its format and its checksum
sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))


class Keys:
    """A key file, and a reader of what its keys have encrypted."""

    def __init__(self, build):
        self.build = build
        self.folder = tempfile.TemporaryDirectory(prefix="gangd-keys-")
        self.path = self.folder.name + "/keys"
        self.lines = []

    def add(self, number):
        """A new key, which is the first from now on."""
        made = gangd.gangctl(self.build, "new-key", str(number), check=True).stdout
        self.write([made.strip(), *self.lines])

    def write(self, lines):
        self.lines = lines
        with open(self.path, "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("\n".join(lines) + "\n")

    def decrypt(self, value, game, version, column):
        """The value of a column; an assertion if it is not encrypted so."""
        assert value[0] == MARK
        master = bytes.fromhex(dict(
            line.split() for line in self.lines)[str(value[1])])
        key = ctypes.create_string_buffer(32)
        sodium.crypto_kdf_derive_from_key(key, ctypes.c_size_t(32),
                                          ctypes.c_uint64(1), b"gangd-db",
                                          master)
        place = bytes.fromhex(game.replace("-", "")) + \
            version.to_bytes(8, "little") + bytes([column])
        plain = ctypes.create_string_buffer(len(value))
        assert sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
            plain, None, None, value[26:],
            ctypes.c_ulonglong(len(value) - 26), place,
            ctypes.c_ulonglong(len(place)), value[2:26], key) == 0
        return plain.raw[:len(value) - 42]


def gangctl(build, keys, *words, **settings):
    return gangd.gangctl(build, *words, GANGD_KEY_FILE=keys, **settings)


def play(daemon, table):
    """Take chips until the first round is over, so that cards are shown."""
    for number, token in enumerate(table.tokens):
        client = daemon.client(token)
        path = f"{table.path}/chips/white/{number + 1}/take"
        answer = client.post(path)
        assert answer.status == 200, answer.body
        client.close()


def see(daemon, tables):
    """All that the players of games see, and hear."""
    seen = []
    for table in tables:
        for token in table.tokens:
            client = daemon.client(token)
            for path in table.path, table.path + "/events?limit=200":
                seen.append(client.get(path).body)
            client.close()
    return seen


def make_tables(daemon):
    # With six players the event of the deal has twelve different cards.
    tables = [gangd.Table(daemon, 6), gangd.Table(daemon, mode="master_thief"),
              famiglia(daemon)]
    for table in tables[:2]:
        play(daemon, table)
    return tables


def famiglia(daemon):
    """A game of Famiglia, which takes no number of seats."""
    table = object.__new__(gangd.Table)
    client = daemon.client()
    made = client.post("/v1/games", {"name": "A",
                                     "ruleset": "famiglia"}).json
    table.id, table.code = made["game"]["id"], made["invite_code"]
    table.path = "/v1/games/" + table.id
    table.tokens = [made["token"], client.post(
        f"/v1/invitations/{table.code}/players", {"name": "B"}).json["token"]]
    client.close()
    return table


def stored(table):
    """The version of a game and its state, as the database has them."""
    version, state = gangd.psql(
        "SELECT version, encode(state, 'hex') FROM gangd.game "
        f"WHERE game_id = '{table.id}'").split("|")
    return int(version), bytes.fromhex(state)


@pytest.fixture(scope="module")
def keys(build, cluster):
    assert sodium.sodium_init() >= 0
    keys = Keys(build)
    keys.add(1)
    return keys


def test_store(tally, build, keys):
    """The store's own tests, with a key."""
    for program in ("test_store", "test_keys", "test_leave", "test_outbox",
                    "test_push_seats"):
        done = subprocess.run([f"{build}/tests/store/{program}"],
                              env=dict(os.environ, GANGD_KEY_FILE=keys.path),
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        tally.check(f"store/{program} passes with a key",
                    done.returncode == 0, done.stdout[-2000:])


REFERENCE = "account seven"
ENDPOINT = "https://ntfy.sh/secret"
TEXTS = """SELECT 4 AS what, client_reference AS value, '\\x00'::bytea AS owner
    FROM gangd.seat WHERE client_reference IS NOT NULL
    UNION ALL SELECT 5, sealed, token_hash FROM gangd.push_subscription"""


def make_told(daemon):
    """A game whose host gets notifications both ways."""
    table = gangd.Table(daemon, client_reference=REFERENCE)
    subscribe(daemon, table)
    return table


def make_due(table):
    """A message to the subscription of a game, which nobody takes."""
    gangd.psql("INSERT INTO gangd.notification (game_id, version, seat, target, code)"
               " SELECT game_id, 1, 1, endpoint_hash, 1 FROM gangd.push_subscription"
               f" WHERE game_id = '{table.id}'")


def texts_under(number):
    """How many references and subscriptions a key has encrypted; None: no key."""
    condition = "get_byte(value, 0) <> 255" if number is None else \
        f"get_byte(value, 0) = 255 AND get_byte(value, 1) = {number}"
    return int(gangd.psql(f"SELECT count(*) FROM ({TEXTS}) AS t WHERE {condition}"))


def read_texts(keys):
    """They as the keys decrypt them, by column."""
    rows = gangd.psql(
        "SELECT what || ' ' || encode(value, 'hex') || ' ' || "
        f"rpad(encode(owner, 'hex'), 32, '0') FROM ({TEXTS}) AS t "
        "ORDER BY what").split("\n")
    # They move to a rematch, so no game is part of their place; that of a
    # subscription is half of the hash of its player's token.
    return [keys.decrypt(bytes.fromhex(value), owner[:32], 0, int(what)).decode()
            .rstrip("\0") for what, value, owner in map(str.split, rows)]


def endpoint_hashes():
    """Those of all subscriptions, and the targets of messages to them."""
    return [gangd.psql(f"SELECT encode({name}, 'hex') FROM gangd.{table} WHERE "
                       f"{name} <> decode(repeat('00', 32), 'hex') ORDER BY 1")
            for name, table in (("endpoint_hash", "push_subscription"),
                                ("target", "notification"))]


def endpoint_id():
    """The id that clients get, and can compute themselves."""
    return base64.urlsafe_b64encode(
        hashlib.sha256(ENDPOINT.encode()).digest()).rstrip(b"=").decode()


AUTHS = "BTBZMqHH6r4Tts7J_aSIgg", "AAAAMqHH6r4Tts7J_aSIgg"


def subscribe(daemon, table, auth=AUTHS[0]):
    client = daemon.client(table.tokens[0])
    answer = client.ask("PUT", table.path + "/push", {
        "endpoint": ENDPOINT, "keys": {"auth": auth,
                                       "p256dh": gangd.VAPID_KEY}})
    client.close()
    assert answer.status == 200, answer.body
    return answer.json["subscription"]


def count_readable():
    """The values that are not encrypted."""
    return int(gangd.psql(
        r"""SELECT (SELECT count(*) FROM gangd.game
            WHERE get_byte(state, 0) <> 255) + (SELECT count(*)
            FROM gangd.event WHERE get_byte(private_data, 0) <> 255
            OR get_byte(replay_data, 0) <> 255)"""))


def pieces(state):
    """The bytes of a state to look for: such as no other state has."""
    hidden = state[HIDDEN]
    return [hidden[at:at + PIECE] for at in range(0, len(hidden) - PIECE, 8)
            if len(set(hidden[at:at + PIECE])) > PIECE // 2]


def hidden_parts(table, keys=None):
    """The replay_data (seeds) and private_data (cards) of a game's events that are
    long enough to be looked for."""
    rows = gangd.psql(f"""SELECT version || ' ' || what || ' ' || encode(value, 'hex')
        FROM (SELECT version, 3 AS what, replay_data AS value FROM gangd.event
              WHERE game_id = '{table.id}'
              UNION ALL SELECT version, 2, private_data FROM gangd.event
              WHERE game_id = '{table.id}') AS part
        WHERE length(value) > 0""").split("\n")
    parts = {}
    for version, what, value in map(str.split, rows):
        value = bytes.fromhex(value)
        if keys:
            value = keys.decrypt(value, table.id, int(version), int(what))
        if len(set(value)) > PART:
            parts.setdefault(what, []).append(value)
    return parts


def holders(wanted):
    """Where one of these pieces is: files of the server, or a dump."""
    folder = os.path.dirname(
        os.environ["GANGD_DATABASE_URL"].split("host=")[1].split()[0])
    superuser = re.sub(r"user=\S+", "user=postgres",
                       os.environ["GANGD_MIGRATE_URL"])
    subprocess.run(["psql", "-X", "-q", "-c", "CHECKPOINT", superuser],
                   check=True)
    found = []
    for path in glob.glob(folder + "/data/**", recursive=True):
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            data = file.read()
        if any(piece in data for piece in wanted):
            found.append(os.path.relpath(path, folder))
    dump = subprocess.run(["pg_dump", superuser], check=True,
                          stdout=subprocess.PIPE).stdout
    if any(piece.hex().encode() in dump for piece in wanted):
        found.append("the dump")
    return found


def check_plain(tally, build):
    """Without keys: the places where a state is found, and its games."""
    daemon = gangd.Daemon(build, GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
    daemon.wait_ready()
    tables = make_tables(daemon)
    seen = see(daemon, tables)
    make_due(make_told(daemon))
    tally.check("references and subscriptions are there to be encrypted",
                texts_under(None) == 2 and endpoint_hashes() ==
                [hashlib.sha256(ENDPOINT.encode()).hexdigest()] * 2)
    wanted = [piece for table in tables for piece in pieces(stored(table)[1])]
    found = holders(wanted)
    parts = [hidden_parts(table) for table in tables]
    for what, name in (("3", "seeds"), ("2", "cards of events")):
        values = [value for part in parts for value in part.get(what, ())]
        tally.check(f"and {name}", values and "the dump" in holders(values), values)
    tally.check("without keys tables, log and dump hold states",
                any("pg_wal" in each for each in found) and
                any("base/" in each for each in found) and
                "the dump" in found, found)
    tally.end_well(daemon, "the daemon without keys")
    return tables, seen


def check_first_key(tally, build, keys, tables, seen):
    """A key is added to games that are there."""
    strict = gangd.Daemon(build, GANGD_KEY_FILE=keys.path)
    strict.wait_ready()
    check_refused(tally, strict, tables[0], "games of before are refused")
    shown = gangctl(build, keys.path, "show", tables[0].id)
    tally.check("by gangctl too", shown.returncode == 2 and
                "value_plain" in shown.stdout, shown.stdout)
    tally.check("gangctl check says so", "fail  stored_keys: values are stored"
                " that are not encrypted" in
                gangctl(build, keys.path, "check").stdout)
    shown = gangctl(build, keys.path, "show", tables[0].id,
                    GANGD_ACCEPT_PLAIN="on")
    tally.check("unless they may be read", shown.returncode == 0, shown.stdout)
    opening = gangd.Daemon(build, GANGD_KEY_FILE=keys.path,
                           GANGD_ACCEPT_PLAIN="on")
    opening.wait_ready()
    tally.check("games of before are read while the key is introduced",
                see(opening, tables) == seen)
    tally.check("gangctl check warns of that",
                "warn  accept_plain: on" in gangctl(
                    build, keys.path, "check", GANGD_ACCEPT_PLAIN="on").stdout)
    done = gangctl(build, keys.path, "rekey")
    tally.check("all that is there is encrypted", done.returncode == 0 and
                count_readable() == 0, done.stdout)
    texts = read_texts(keys)
    tally.check("references and subscriptions too",
                (texts_under(None), texts_under(1)) == (0, 2) and
                texts[0] == REFERENCE and texts[1].startswith(ENDPOINT + " "),
                (done.stdout, texts))
    hashes = endpoint_hashes()
    plain = hashlib.sha256(ENDPOINT.encode()).hexdigest()
    tally.check("no hash confirms a guessed endpoint, and messages that are still to "
                "be sent find theirs", plain not in hashes[0] and
                hashes[0] == hashes[1], hashes)
    tally.end_well(opening, "the daemon that reads what is not encrypted")
    daemon = strict
    again = gangctl(build, keys.path, "rekey")
    tally.check("once", again.stdout.startswith(
        "0 games, 0 events and 0 texts ") and
                endpoint_hashes() == hashes, again.stdout)
    tally.check("nothing changes for players", see(daemon, tables) == seen)

    made = make_tables(daemon)
    wanted = []
    for table in made:
        version, state = stored(table)
        plain = keys.decrypt(state, table.id, version, 1)
        wanted += pieces(plain)
        for values in hidden_parts(table, keys).values():
            wanted += values
    tally.check("the states of new games are encrypted", len(wanted) > 20 and
                count_readable() == 0, len(wanted))
    found = holders(wanted)
    tally.check("neither table, log nor dump holds one", not found, found)
    replayed = gangctl(build, keys.path, "replay",
                       *(table.id for table in tables + made))
    tally.check("all replay to their states", replayed.returncode == 0,
                replayed.stdout)
    shown = gangctl(build, keys.path, "show", made[0].id, "1")
    tally.check("gangctl shows a game", shown.returncode == 0 and
                json.loads(shown.stdout)["id"] == made[0].id, shown.stdout)
    blind = gangctl(build, "", "show", made[0].id)
    tally.check("without its key it does not", blind.returncode == 2 and
                "key_unknown" in blind.stdout, blind.stdout)
    return daemon, made


def check_refused(tally, daemon, table, what):
    client = daemon.client(table.tokens[0])
    for path in table.path, table.path + "/events":
        answer = client.get(path)
        tally.check(what, answer.status == 500 and answer.code == "internal",
                    answer.body)
    client.close()
    said = [line for line in daemon.lines if '"value_plain"' in line]
    tally.check("the log says so, and has no byte of it", said and all(
        line.endswith(',"key":0}\n') for line in said), said)


def check_planted(tally, build, keys):
    """Somebody who can write to the database, and has no key, puts each kind of value
    there in the clear: it is refused wherever it is read."""
    daemon = gangd.Daemon(build, GANGD_KEY_FILE=keys.path)
    daemon.wait_ready()
    table, other = gangd.Table(daemon), gangd.Table(daemon)
    version, state = stored(other)
    plain = keys.decrypt(state, other.id, version, 1)
    gangd.psql(f"UPDATE gangd.game SET state = '\\x{plain.hex()}', "
               "revision = revision + 1 "
               f"WHERE game_id = '{table.id}'")
    check_refused(tally, daemon, table, "a state that was put there is refused")
    gangd.psql("UPDATE gangd.event SET private_data = '\\x0102030405' "
               f"WHERE game_id = '{other.id}' AND private_data IS NOT NULL")
    log = daemon.client(other.tokens[0]).get(other.path + "/events")
    tally.check("and so is a part of an event", log.status == 500, log.body)
    third = gangd.Table(daemon)
    gangd.psql("UPDATE gangd.event SET replay_data = '\\x0102' "
               f"WHERE game_id = '{third.id}' AND replay_data IS NOT NULL")
    replayed = gangctl(build, keys.path, "replay", third.id)
    tally.check("and what gangctl replay reads", replayed.returncode == 2 and
                "value_plain" in replayed.stdout, replayed.stdout)
    tally.end_well(daemon, "the daemon that refuses them")
    for each in (table, other, third):
        gangd.psql("SELECT gangd.delete_game(game_id, version) FROM gangd.game"
                   f" WHERE game_id = '{each.id}'")


class Mover(threading.Thread):
    """Moves chips of a game until it is stopped."""

    def __init__(self, daemon, table):
        super().__init__(daemon=True)
        self.client = daemon.client(table.tokens[0])
        self.path = table.path + "/chips/white/1/"
        self.stopped = threading.Event()
        self.moves, self.wrong = 0, []

    def run(self):
        while not self.stopped.is_set() and not self.wrong:
            for verb in "take", "return":
                answer = self.client.post(self.path + verb)
                self.moves += 1
                if answer.status != 200:
                    self.wrong.append(answer.body)


def check_rotation(tally, build, keys, tables, old):
    """The runbook: the new key is read everywhere, then writes, then all is
    encrypted under it, while players move."""
    seen = see(old, tables)
    first = keys.lines[0]
    keys.add(2)
    second = keys.lines[0]
    keys.write([first, second])
    reader = gangd.Daemon(build, GANGD_KEY_FILE=keys.path,
                          GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
    reader.wait_ready()
    tally.end_well(old, "the daemon with one key")
    keys.write([second, first])
    writer = gangd.Daemon(build, GANGD_KEY_FILE=keys.path,
                          GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
    writer.wait_ready()
    table = gangd.Table(writer)
    movers = [Mover(writer, table), Mover(writer, gangd.Table(writer))]
    for mover in movers:
        mover.start()
    told = make_told(reader)
    made = endpoint_hashes()[0]
    ids = [subscribe(writer, told) for _ in range(2)]
    renewed = endpoint_hashes()[0]
    tally.check("the same endpoint is renewed by a daemon with another key",
                ids[0] == ids[1] == endpoint_id() and renewed != made and
                renewed.count("\n") == made.count("\n"), (made, renewed))
    done = gangctl(build, keys.path, "rekey")
    for mover in movers:
        mover.stopped.set()
        mover.join()
    tally.check("nobody is refused while a key is replaced",
                not any(mover.wrong for mover in movers) and
                all(mover.moves for mover in movers),
                [mover.wrong for mover in movers])
    tally.check("the other daemon reads what the new key wrote",
                reader.client(table.tokens[0]).get(table.path).status == 200)
    left = int(gangd.psql(
        "SELECT (SELECT count(*) FROM gangd.game WHERE get_byte(state, 1) = 1)"
        " + (SELECT count(*) FROM gangd.event WHERE"
        " get_byte(private_data, 1) = 1 OR get_byte(replay_data, 1) = 1)"))
    tally.check("nothing is left under the old key",
                done.returncode == 0 and left + texts_under(1) == 0,
                (done.stdout, left))
    tally.check("references and subscriptions are read by the new key",
                texts_under(2) == 4 and read_texts(keys)[0] == REFERENCE)
    client = writer.client(told.tokens[0])
    answer = client.ask("DELETE", f"{told.path}/push?subscription={ids[0]}")
    client.close()
    tally.check("a subscription is ended by its id, whatever the key",
                answer.status == 204 and
                endpoint_hashes()[0].count("\n") == renewed.count("\n") - 1,
                answer.body)
    tally.end_well(reader, "the daemon with both keys")
    tally.end_well(writer, "the daemon that wrote")
    keys.write([second])
    alone = gangd.Daemon(build, GANGD_KEY_FILE=keys.path)
    alone.wait_ready()
    tally.check("the new key alone reads all", see(alone, tables) == seen)
    tally.end_well(alone, "the daemon with the new key")


FILLERS = 600  # more than a page of gangctl rekey


def make_doubled(keyed, plain, newer, pages):
    """A game whose host has two rows of one endpoint, one with a keyed hash and one
    without; the newer one has the second of AUTHS.  Both are due a message, and the
    one without a key another.  In two pages, rows of others come between them."""
    table = gangd.Table(plain)
    for daemon in (keyed, plain):
        subscribe(daemon, table, AUTHS[daemon is newer])
    where = f"game_id = '{table.id}'"
    is_keyed = "get_byte(sealed, 0) = 255"
    gangd.psql("UPDATE gangd.push_subscription SET created_at = now() - interval '1 h'"
               f" WHERE {where} AND {'NOT ' if newer is keyed else ''}{is_keyed}")
    make_due(table)
    gangd.psql("INSERT INTO gangd.notification (game_id, version, seat, target, code)"
               " SELECT game_id, 2, 1, endpoint_hash, 1 FROM gangd.push_subscription"
               f" WHERE {where} AND NOT {is_keyed}")
    if pages == 2:
        gangd.psql("INSERT INTO gangd.push_subscription"
                   " (game_id, token_hash, endpoint_hash, sealed)"
                   " SELECT game_id, sha256(n::text::bytea), endpoint_hash,"
                   f" 'z' || sealed FROM generate_series(1, {FILLERS}) AS n,"
                   f" gangd.push_subscription WHERE {where} AND NOT {is_keyed}")
    return table


def read_doubled(keys, table):
    """The rows of the host: their number, what the first one has, and how many
    messages it is due; and all messages."""
    host = f"""gangd.push_subscription JOIN gangd.seat USING (game_id, token_hash)
        WHERE game_id = '{table.id}' AND seat = 1"""
    sealed, owner, count, due, all_due = gangd.psql(f"""
        SELECT encode(sealed, 'hex') || ' ' || encode(token_hash, 'hex') || ' ' ||
        (SELECT count(*) FROM {host}) || ' ' ||
        (SELECT count(*) FROM gangd.notification WHERE game_id = '{table.id}'
         AND target IN (SELECT endpoint_hash FROM {host})) || ' ' ||
        (SELECT count(*) FROM gangd.notification WHERE game_id = '{table.id}')
        FROM {host} LIMIT 1""").split()
    text = keys.decrypt(bytes.fromhex(sealed), owner[:32], 0, 5).decode()
    return int(count), AUTHS[1] in text, int(due), int(all_due)


def check_doubled(tally, build, keys):
    """A daemon without the key file, of a rolling upgrade, subscribes an endpoint that
    is there under a key already: both rows become one."""
    settings = {"GANGD_VAPID_PUBLIC_KEY": gangd.VAPID_KEY}
    keyed = gangd.Daemon(build, GANGD_KEY_FILE=keys.path, GANGD_ACCEPT_PLAIN="on",
                         **settings)
    plain = gangd.Daemon(build, **settings)
    for daemon in (keyed, plain):
        daemon.wait_ready()
    for has_another_key in False, True:
        # With another key both rows are written; else one has its hash already.
        tables = {(name, pages): make_doubled(keyed, plain, newer, pages)
                  for name, newer in (("with", keyed), ("without", plain))
                  for pages in (1, 2)}
        if has_another_key:
            keys.add(3)
        done = gangctl(build, keys.path, "rekey")
        for (name, pages), table in tables.items():
            seen = read_doubled(keys, table)
            tally.check(f"two rows in {pages} pages become one, the newer is {name} a "
                        f"key, {has_another_key}", done.returncode == 0 and
                        seen == (1, True, 2, 2), (done.stdout[-300:], seen))
        again = gangctl(build, keys.path, "rekey")
        tally.check("once", again.stdout.startswith("0 games, 0 events and 0 texts"),
                    again.stdout)
        for table in tables.values():
            gangd.psql("SELECT gangd.delete_game(game_id, version) FROM gangd.game"
                       f" WHERE game_id = '{table.id}'")
    tally.end_well(keyed, "the daemon with a key")
    tally.end_well(plain, "the daemon without")


def check_bot_key(tally, daemon):
    """The key of a request that seated a bot seals no token, which the client could
    open that knows the key: a token has 54 characters, and a seal 40 bytes."""
    table = gangd.Table(daemon, start=False)
    for number in 1, 2:
        answer = daemon.client(table.tokens[0]).post(
            table.path + "/bots", {"level": "novice"}, headers={
                "Idempotency-Key": '"5f0c7c1e-6f0b-4c1e-9b1d-3f0a1b2c3d4e"'})
        tally.check(f"a bot is seated, request {number}", answer.status == 201 and
                    answer.json["seat"] == 2, answer.body)
    sealed = gangd.psql("SELECT string_agg(octet_length(sealed)::text, ' ')"
                        " FROM gangd.idempotency_key JOIN gangd.game"
                        f" USING (game_id) WHERE game_id = '{table.id}'")
    tally.check("its key seals a hash alone", sealed == "72", sealed)


def check_role(tally):
    """The daemon's role reads what it needs of the log, and no seed."""
    url = os.environ["GANGD_DATABASE_URL"]
    said = [subprocess.run(["psql", "-X", "-q", "-At", url, "-c",
                            f"SELECT max({column}) FROM gangd.event"],
                           text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, check=False)
            for column in ("version", "length(replay_data)")]
    tally.check("the daemon's role cannot read replay_data",
                said[0].returncode == 0 and said[1].returncode != 0 and
                "permission denied" in said[1].stdout, said[1].stdout)


def check_wrong(tally, build, keys, table):
    """A daemon without the right key, or with a bad file."""
    blind = gangd.Daemon(build)
    blind.wait_ready()
    answer = blind.client(table.tokens[0]).get(table.path)
    blind.stop()
    tally.check("without the key a game is a fault of the server",
                answer.status == 500 and answer.code == "internal" and
                any('"key_unknown"' in line for line in blind.lines),
                answer.body)
    os.chmod(keys.path, 0o644)
    refused = subprocess.run(
        [build + "/bin/gangd"], text=True, stderr=subprocess.PIPE,
        env=dict(os.environ, GANGD_KEY_FILE=keys.path), check=False)
    tally.check("a key file that everybody reads is refused",
                refused.returncode == 1 and "chmod 0600" in refused.stderr,
                refused.stderr)
    tally.check("a refusal shows no key",
                keys.lines[0].split()[1] not in refused.stderr)


def test_encryption(tally, build, keys):
    gangd.psql("SELECT gangd.delete_game(game_id, version) FROM gangd.game")
    tables, seen = check_plain(tally, build)
    daemon, made = check_first_key(tally, build, keys, tables, seen)
    check_bot_key(tally, daemon)
    check_planted(tally, build, keys)
    check_rotation(tally, build, keys, tables + made, daemon)
    check_doubled(tally, build, keys)
    check_role(tally)
    check_wrong(tally, build, keys, made[0])
