"""The document is of use to authors of clients.

The document that the daemon serves becomes types, with them the programs of
this folder are compiled, and play whole games.  streams.js is a browser
for the page that api/README.md shows.  Where the document has
another name than the programs, the compiler says so; PLANTED=all of the
environment tries that out.
"""
import glob
import os
import re
import shutil
import subprocess

from gangd import Daemon
import pytest
from workshop import SECONDS, Workshop

pytestmark = pytest.mark.first

HERE = os.path.dirname(os.path.abspath(__file__))

README = os.path.join(HERE, "../../api/README.md")

# Names of every sort that a client writes down; with another in its place the
# compiler must tell of this one.
PLANTED = [
    ("a member of the view", "about_seat"),
    ("a member of a body", "target_seat"),
    ("a word", "answering"),
    ("a type of event", "heist_ended"),
    ("a code of a problem", "already_used"),
    ("a header field", "If-Match"),
    ("a path", "/v1/games/{game_id}/choices"),
]

# The programs in README, each in a language of its own, and their files here.
SHOWN = [("ts", "ada.ts"), ("js", "follow.js")]


class Sdk(Workshop):
    """The programs of this folder, with the types of a document."""

    def furnish(self):
        """The sources, and the tools that the lock names."""
        for pattern in ("*.ts", "*.js", "*.json"):
            for file in glob.glob(os.path.join(HERE, pattern)):
                shutil.copy(file, self.folder)
        for language, name in SHOWN:
            with open(README, encoding="utf-8") as file:
                shown = re.findall(rf"^```{language}\n(.*?)^```$",
                                   file.read(), re.M | re.S)
            with open(os.path.join(self.folder, name), "w",
                      encoding="utf-8") as file:
                file.write("\n".join(shown))
        return self.install()

    def types(self, name, document):
        with open(os.path.join(self.folder, "openapi.json"), "w",
                  encoding="utf-8") as file:
            file.write(document)
        return self.run(name, *self.tool("openapi-typescript",
                                         "openapi.json", "-o", "api.ts"))

    def compile(self):
        return self.run("they compile", *self.tool("tsc"))

    def check_planted(self, document):
        for _, word in PLANTED:
            document = document.replace(f'"{word}"', f'"{word}_planted"')
        self.types("types of a planted document", document)
        said = subprocess.run(self.tool("tsc", "--noEmit"), cwd=self.folder,
                              text=True, timeout=SECONDS,
                              stdout=subprocess.PIPE).stdout
        for sort, word in PLANTED:
            found = re.search(r"error TS.*" + re.escape(word) + r"['\"]", said)
            self.tally.check(f"the compiler asks for {sort}, {word}", found)


def play(workshop, daemon):
    url = os.environ["GANGD_URL"] = daemon.url
    workshop.run("what api/README.md shows", "node", "ada.js")
    workshop.run("streams that break, as it shows too", "node", "streams.js",
                 url)
    workshop.run("professional games, by the types", "node",
                 "professional.js", url)


def test_sdk(tally, build, database):
    workshop = Sdk(os.path.join(build, "sdk"), tally)
    daemon = Daemon(build)
    daemon.wait_ready()
    document = daemon.client().get("/openapi.json").body.decode()
    if workshop.furnish() and workshop.types("types of the document", document):
        if workshop.compile():
            play(workshop, daemon)
        if os.environ.get("PLANTED"):
            workshop.check_planted(document)
    tally.end_well(daemon)
