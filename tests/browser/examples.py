"""The requests that the page shows, run as its reader would run them.

The code comes from the page: the blocks of curl go into one bash, those of
JavaScript into the console of the page.  Between them Bob and Cleo move over
HTTP, and after each the game is as the example says.
"""

import json
import os
import re
import select
import subprocess
import tempfile
import time

from chromium import Failed

SECONDS = 30
COLORS = "white", "yellow", "orange", "red"

# The examples: (title, {language: code}) of each.
SHOWN = """JSON.stringify([...document.querySelectorAll('.example')].map(
    (example) => [example.querySelector('h3').textContent,
        Object.fromEntries([...example.querySelectorAll('.code')].map(
            (block) => [block.dataset.language,
                block.querySelector('code').textContent]))]))"""

# For each example: what it prints, and what is true of Ada's view afterwards.
# Some print in one of the languages only.
EXPECTED = {
    "Create a game": ("", lambda view: view["status"] == "lobby"),
    "Join by code": (r"[\w-]{20}", lambda view: len(view["players"]) == 3),
    "Start": ("playing", lambda view: view["status"] == "playing"),
    "Read the view": (r'"[2-9TJQKA][shdc]"', lambda view: view["heist"]),
    "Take a chip": ("", lambda view: view["heist"]["chips"][0]["seat"] == 1),
    "Send a legal action": ("", lambda view: view["version"] > 6),
    "Follow the game": ("", lambda view: view["heist"]["round"] == 1),
    "Read the showdown": ("succeeded|failed",
                          lambda view: view["heist"]["phase"] == "over"),
    "Deal the next heist": ("gold", lambda view: view["heist"]["number"] == 2),
    "Play again": ("", lambda view: view["rematch"]),
}


class Shell:
    """A bash into which a reader pastes."""

    language = "sh"
    names = ('"$game" "${auth##* }" "$(jq -r .token <<<$bob)" '
             '"$(jq -r .token <<<$cleo)"')

    def __init__(self):
        self.process = subprocess.Popen(
            ["bash", "-u"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.stream = None

    def run(self, code):
        """The output; a command that fails or complains is an error."""
        self.process.stdin.write(
            f"{code}\nprintf '\\n%s\\0' $?\n".encode())
        self.process.stdin.flush()
        said = b""
        while not said.endswith(b"\0"):
            if not select.select([self.process.stdout], [], [], SECONDS)[0]:
                raise Failed(f"bash does not come back: {said}")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                raise Failed(f"bash ended: {said}")
            said += piece
        text, status = said[:-1].decode().rsplit("\n", 1)
        if status != "0" or re.search(r"^(curl|jq|bash):", text, re.M):
            raise Failed(f"status {status}: {text}")
        return text

    def known(self):
        """The game's address, and the tokens of the players."""
        return self.run(f"printf '%s ' {self.names}").split()

    def begin_stream(self, code):
        self.stream = tempfile.NamedTemporaryFile(mode="r+")
        self.run(f"set -m\n{{ {code}\n}} >{self.stream.name} & stream=$!\n"
                 "set +m")

    def has_seen(self, version):
        return f"event: view\nid: {version}\n" in open(
            self.stream.name, encoding="utf-8").read()

    def close(self):
        if self.stream:
            self.process.stdin.write(b"kill -- -$stream\n")
            self.stream.close()
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Console:
    """The console of the page."""

    language = "js"

    def __init__(self, page):
        self.page = page

    def run(self, code):
        """The log of the console; an exception is an error."""
        logged = len(self.page.events("Runtime.consoleAPICalled"))
        answer = self.page.call("Runtime.evaluate", expression=code,
                                replMode=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(answer["exceptionDetails"])
        return json.dumps([event["params"]["args"] for event in
                           self.page.events("Runtime.consoleAPICalled")
                           [logged:]])

    def known(self):
        return self.page.evaluate(
            "[game, auth.Authorization.slice(7), bob.token, cleo.token]")

    def begin_stream(self, code):
        self.run(code)

    def has_seen(self, version):
        return self.page.evaluate(f"view.version == {version}")

    def close(self):
        self.page.evaluate("typeof stream == 'undefined' || stream.close()")


class Game:
    """The game that an example has created, and its three players."""

    def __init__(self, daemon, address, *tokens):
        self.path = address[address.index("/v1/"):]
        self.players = [daemon.client(token) for token in tokens]

    def view(self):
        return self.players[0].get(self.path).json

    def take(self, color, seat):
        self.players[seat - 1].post(
            f"{self.path}/chips/{color}/{seat}/take", {})

    def play_heist(self):
        """Each player holds the chip of their seat; Ada takes hers last."""
        for color in COLORS:
            for seat in 2, 3, 1:
                self.take(color, seat)

    def play_to_the_end(self):
        while self.view()["status"] == "playing":
            self.play_heist()
            self.players[0].post(self.path + "/heists", {})


def is_followed(reader, game):
    """Whether the stream sends the view now, and after Cleo's move."""
    for move in None, ("white", 3):
        if move:
            game.take(*move)
        version, begun = game.view()["version"], time.monotonic()
        while not reader.has_seen(version):
            if time.monotonic() - begun > SECONDS:
                return False
            time.sleep(0.02)
    return True


def run_one(reader, game, title, code):
    """Run an example; whether it did and printed what is expected."""
    printed, is_so = EXPECTED[title]
    if title == "Follow the game":
        reader.begin_stream(code)
        return is_followed(reader, game) and is_so(game.view())
    if title == "Read the showdown":
        game.play_heist()
    if title == "Play again":
        game.play_to_the_end()
    said = reader.run(code)
    if not re.search(printed, said) and printed:
        return False
    return not game or is_so(game.view())


def check_examples(tally, daemon, page, reader):
    """All of one language, one after the other."""
    game = None
    shown = json.loads(page.evaluate(SHOWN))
    tally.check("the page shows ten requests",
                [title for title, _ in shown] == list(EXPECTED), shown)
    try:
        for title, codes in shown:
            good, detail = False, ""
            try:
                good = run_one(reader, game, title, codes[reader.language])
                if title == "Join by code":
                    game = Game(daemon, *reader.known())
                    good = good and EXPECTED[title][1](game.view())
            except Failed as error:
                detail = error
            if not tally.check(f"{title}, as shown in {reader.language}",
                               good, detail):
                return
    finally:
        reader.close()
