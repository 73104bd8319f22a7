"""The cost of a player's two new ways, compared with the old ones: a view in a
stream, with the event alone and a GET; and POST .../actions, with a route of
its own.  Each round measures both, and the figures are processor time.
"""
import gangd
import streams
from figures import ROUNDS, span
from processor import work_seconds

PLAYERS = 6
GAMES = 8
MOVES = 100   # in each game, in each measurement
CONNECTIONS = 64
TRIES = 3


def ask(wanted, client, *request, **more):
    """The answer; a disk may stall for long, which is a 503."""
    for _ in range(TRIES):
        answer = client.ask(*request, **more)
        if answer.status != 503:
            break
    if answer.status != wanted:
        raise SystemExit(f"{request}: {answer.status} {answer.body}")
    return answer


class Game:
    """A game with a client for each player, and their streams."""

    def __init__(self, bench):
        self.daemon = bench.daemon
        self.table = gangd.Table(bench.daemon, PLAYERS)
        self.path = self.table.path
        self.clients = [bench.daemon.client(token)
                        for token in self.table.tokens]
        self.version = self.clients[0].get(self.path).json["version"]
        self.readers = []

    def listen(self, views):
        for token in self.table.tokens:
            reader = streams.Reader(self.path, token, self.version, views)
            reader.open(self.daemon.address)
            self.readers.append(reader)

    def move(self, number):
        """Take white 1 and white 2 alternately, and wait for all streams."""
        answer = ask(200, self.clients[0], "POST",
                     f"{self.path}/chips/white/{1 + number % 2}/take")
        self.version = answer.json["version"]
        for reader in self.readers:
            while not reader.ended and not reader.is_up_to(self.version):
                reader.read()
            if reader.ended or reader.faults:
                raise SystemExit(f"a stream: {reader.faults}")

    def leave(self):
        for reader in self.readers:
            reader.close()
        self.readers = []


def move_all(bench, games, views):
    """Processor time of the moves of all games; with streams without views or
    with them, or (None) without streams."""
    for game in games:
        if views is not None:
            game.listen(views)
        game.move(0)
        game.move(1)
    begun = work_seconds(bench.daemon.pid)
    for number in range(MOVES):
        for game in games:
            game.move(number)
    seconds = work_seconds(bench.daemon.pid) - begun
    for game in games:
        game.leave()
    return seconds


def get_all(bench, games, knows):
    """Processor time of a view for each player and move, by GET; if it knows
    the view, of the answer that nothing has changed."""
    tags = [[knows and client.get(game.path).header("ETag") or '"none"'
             for client in game.clients] for game in games]
    begun = work_seconds(bench.daemon.pid)
    for _ in range(MOVES):
        for game, own in zip(games, tags):
            for client, tag in zip(game.clients, own):
                ask(304 if knows else 200, client, "GET", game.path,
                    headers={"If-None-Match": tag})
    return work_seconds(bench.daemon.pid) - begun


def measure_streams(bench, table):
    """A view in a stream / an event without one and the encoding of a view:
    the time of a GET without that of one whose answer is 304."""
    games = [Game(bench) for _ in range(GAMES)]
    events, both, sums = [], [], []
    for _ in range(ROUNDS):
        alone = move_all(bench, games, None)
        scale = 1e6 / (GAMES * MOVES * PLAYERS)
        event = (move_all(bench, games, False) - alone) * scale
        both.append((move_all(bench, games, True) - alone) * scale)
        view = (get_all(bench, games, False) -
                get_all(bench, games, True)) * scale
        events.append(event)
        sums.append(event + view)
    table.compare("CPU of the service for a move's event and view in a stream "
                  "/ without the view, and a `GET`'s encoding", both, sums,
                  "<= 1", "{:.1f}", " us")
    print("the event alone", span(events, "{:.1f}"), "us")


def move_us(bench, script):
    bench.write_games(bench.maker.make(4 * CONNECTIONS))
    begun = work_seconds(bench.daemon.pid)
    run = bench.ask(script, CONNECTIONS)
    return (work_seconds(bench.daemon.pid) - begun) / run["requests"] * 1e6


def measure_actions(bench, table):
    commands, routes = [], []
    for number in range(ROUNDS):
        order = ((commands, "command.lua"), (routes, "chip.lua"))
        # The one that came first comes last in the next round.
        for list_, script in order[::-1] if number % 2 else order:
            list_.append(move_us(bench, script))
    table.compare("CPU of the service for a move by `POST .../actions` / by "
                  "the chip's route", commands, routes, "<= 1.05", "{:.1f}",
                  " us")
