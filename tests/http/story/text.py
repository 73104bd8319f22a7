"""The words of a story's line.

A Cursor moves along a line, and its variables are filled in by fill().  Bytes
that are not UTF-8 are kept in strings as Python's surrogate escapes.
"""
import re

from .faults import Fault

BLANKS = re.compile(r"[ \t]*")
WORD = re.compile(r"\S+?(?=,?(?:\s|\Z))|")
STRING = re.compile(r'"((?:\\.|[^"\\])*)"', re.S)
ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{1,2})|(.))", re.S)
ESCAPES = {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"0": b"\0"}
# A piece of JSON is made of strings, brackets, and what is between them.
JSON_PART = re.compile(r'"(?:\\.|[^"\\])*"?|[][{}]|[\s,]|[^][{}\s,"]+', re.S)
VARIABLE = re.compile(r"""
    \\.                                       # an escaped character
    | "                                       # begins or ends a string
    | \$\( (?P<text>[^*]*) \* (?P<count>\d+) \)
    | \$(?P<name> [A-Z]\w*(?:\.[a-z]\w*)* | [a-z]\w* )
    """, re.X | re.S | re.A)
COMMENT = re.compile(r'(?:\\.|"(?:\\.|[^"\\])*"|(?:^|(?<=\s))(#)|.)', re.S)


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def to_text(data):
    return data.decode("utf-8", "surrogateescape")


def unescape(text):
    r"""The text with its \r \n \t \0 \" \\ and \xNN replaced."""
    return to_text(ESCAPE.sub(
        lambda found: bytes([int(found[1], 16)]) if found[1]
        else ESCAPES.get(found[2], found[2]), to_bytes(text)))


class Cursor:
    """A place in a line, which is never a blank."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.move(0)

    def move(self, at):
        """Go to a place, and past the blanks there."""
        self.at = BLANKS.match(self.text, at).end()

    @property
    def rest(self):
        return self.text[self.at:]

    @property
    def next(self):
        """The next character; "" at the end."""
        return self.text[self.at:self.at + 1]

    def end(self):
        return self.at == len(self.text)

    def take(self, word):
        """Take a word if it is the next one."""
        end = self.at + len(word)
        if not self.text.startswith(word, self.at) or \
                not (end == len(self.text) or self.text[end].isspace()):
            return False
        self.move(end)
        return True

    def word(self):
        """The next word, without a comma after it; "" at the end."""
        found = WORD.match(self.text, self.at)
        self.move(found.end())
        return found[0]

    def string(self):
        """A string in quotation marks, with its escapes replaced."""
        found = STRING.match(self.text, self.at)
        if not found:
            raise Fault('expected a whole string in quotation marks: ' +
                        self.rest)
        self.move(found.end())
        return unescape(found[1])

    def json(self):
        """A piece of JSON: to the end of its brackets, quotes or word."""
        start, depth = self.at, 0
        for part in JSON_PART.finditer(self.text, start):
            if not depth and (part[0].isspace() or part[0] == ","):
                break
            depth += (part[0] in "[{") - (part[0] in "]}")
            self.at = part.end()
        piece = self.text[start:self.at]
        self.move(self.at)
        return piece

    def until(self, *stops):
        """The text before the first of the stops, or to the end."""
        start = self.at
        ends = [self.text.find(stop, start) for stop in stops]
        end = min((at for at in ends if at >= 0), default=len(self.text))
        self.move(end)
        return self.text[start:end].rstrip()


def bare(line):
    """The line without its comment and the blanks around it."""
    line = line.strip()
    if "#" in line:
        for part in COMMENT.finditer(line):
            if part[1]:
                return line[:part.start()].rstrip()
    return line


def fill(line, value_of):
    """The line with value_of(NAME) for $NAME, and $(x*3) as "xxx".  In
    quotation marks a value is escaped as in JSON."""
    if "$" not in line:
        return line
    in_string = False

    def put(found):
        nonlocal in_string
        if found[0] == '"':
            in_string = not in_string
        if found["name"]:
            value = value_of(found["name"])
        elif found["count"]:
            value = found["text"] * int(found["count"])
        else:
            return found[0]
        if in_string:
            value = value.replace("\\", "\\\\").replace('"', '\\"')
        return value

    return VARIABLE.sub(put, line)
