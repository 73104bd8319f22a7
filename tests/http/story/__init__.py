"""Stories: pages of the specification that can be run.  ../README.md describes
their language.

    for story in load("09-chips.story"):
        failure = run(story, server)

load() reads a file and run() plays one story against a Server, which is made
once for many stories.
"""
import json
import time
import traceback

from . import words
from .database import Database, DatabaseError
from .faults import Failed, Fault, TryAgain
from .play import Play
from .text import Cursor, bare
from .wire import Client

TRIES_MAX = 5
PLANTED = "# fails: "


class Story:
    """One story of a file."""

    def __init__(self, file, line, name):
        self.file, self.line, self.name = file, line, name
        self.lines = []      # those that say something, with their numbers
        self.planted = {}    # by line: why it must fail there

    def add(self, number, line):
        said = bare(line)
        if said:
            self.lines.append((number, said))
        mark = line.partition(PLANTED)
        if mark[1]:
            self.planted[number] = mark[2].strip()


def load(path):
    """The stories of a file."""
    stories = []
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, text in enumerate(file, 1):
            cursor = Cursor(text.rstrip("\n"))
            if cursor.take("story"):
                stories.append(Story(path, number, cursor.string()))
            elif stories:
                stories[-1].add(number, text)
    return stories


class Failure:
    """Where and why a story failed, with what was asked and answered."""

    def __init__(self, play, why, exchange=None):
        self.story, self.why, self.line = play.story, why, play.line
        self.exchange, self.text = exchange, play.text

    def __str__(self):
        return (f"{self.story.file}:{self.line}: {self.text}\n  {self.why}\n" +
                (self.exchange.show() if self.exchange else ""))

    def is_planted(self):
        """True if the line says that it fails, and for this reason."""
        planted = self.story.planted.get(self.line)
        return planted is not None and planted in self.why


class Server:
    """A daemon with its database, and what the runner keeps of its answers.

    url, and elsewhere of a second daemon, are "http://HOST:PORT", database is a
    connection string; operator is the command of "operator" lines, arrange the
    program of arrange.c.  log is a file that gets every exchange as a line of
    JSON, arranged one that gets the ids of games whose cards a story arranged.
    """

    def __init__(self, url, database, elsewhere, operator, arrange, log=None,
                 arranged=None):
        self.client = Client(url, elsewhere, self.log_answer)
        self.database = Database(database)
        self.operator, self.arrange = operator, arrange
        self.log_file, self.arranged_file = log, arranged
        self.play = None  # the one that is under way

    def log_answer(self, exchange):
        if exchange.status:
            self.log(exchange, exchange.answer)

    def log(self, exchange, answer):
        """Keep an exchange, with these bytes as its answer.  Answers of the
        daemon elsewhere are not all in the document."""
        if not self.log_file or exchange.by_library or exchange.elsewhere:
            return
        body = exchange.body
        self.log_file.write(json.dumps({
            "story": self.play.story.name, "line": self.play.line,
            "method": exchange.method, "target": exchange.target,
            "request_headers": exchange.sent,
            "request_body": None if body is None
            else body.decode("ascii", "replace"),
            "status": exchange.status, "headers": exchange.fields,
            "body": answer.decode("utf-8", "replace"),
        }) + "\n")

    def note_arranged(self, game_id):
        if self.arranged_file:
            print(game_id, file=self.arranged_file, flush=True)

    def close(self):
        self.database.close()


def run(story, server, seed=None):
    """Play a story; a Failure, or None.  The seed decides what is random in
    it, together with its name: alone a story does the same as among others."""
    failure = None
    for attempt in range(TRIES_MAX):
        play = server.play = Play(
            story, server, f"{seed or time.time_ns()} {story.name} {attempt}")
        try:
            words.run_lines(play, story.lines)
            return None
        except TryAgain as why:
            failure = Failure(play, f"{why}, {TRIES_MAX} times")
        except Failed as failed:
            return Failure(play, str(failed), failed.exchange)
        except (Fault, DatabaseError) as fault:
            return Failure(play, str(fault))
        except Exception:  # pylint: disable=broad-exception-caught
            return Failure(play, "the runner itself has a fault:\n" +
                           traceback.format_exc())
    return failure
