"""The expectations of a story about an answer, and paths into JSON.

An expectation is a subject (a path, a header field or the body) and a
comparison with a piece of JSON; README.md has the words.
"""
import json
import operator
import re

from .faults import Failed, Fault
from .text import Cursor

ABSENT = object()  # what a path names is not there; None is null
STEP = re.compile(r"\.([^.\[\]]*)|\[([^.\[\]]*)\]")
SHOWN = 200


# --- paths -------------------------------------------------------------------

def element_is(element, wanted):
    """True when the element has what "color=white,stars=2" says."""
    for pair in wanted.split(","):
        name, _, text = pair.partition("=")
        value = element.get(name) if isinstance(element, dict) else None
        if text != (value if isinstance(value, str) else json.dumps(value)):
            return False
    return True


def element_at(array, inside):
    if re.fullmatch(r"-?\d+", inside):
        index = int(inside)
        return array[index] if -len(array) <= index < len(array) else ABSENT
    return next((each for each in array if element_is(each, inside)), ABSENT)


def find(value, path):
    """The value that a path such as .heist.chips[1].seat names; or ABSENT."""
    at = 0
    while at < len(path) and path[at:] != ".":
        step = STEP.match(path, at)
        if not step:
            raise Fault("this is no path: " + path)
        at = step.end()
        if step[1] is not None:
            value = value.get(step[1], ABSENT) if isinstance(value, dict) \
                else ABSENT
        elif not isinstance(value, list):
            return ABSENT
        elif step[2] == "*":
            found = [find(each, path[at:]) for each in value]
            return [each for each in found if each is not ABSENT]
        else:
            value = element_at(value, step[2])
        if value is ABSENT:
            return ABSENT
    return value


def find_text(value, path):
    """The text that a path names; "" if it names no text."""
    found = find(value, path)
    return found if isinstance(found, str) else ""


def find_number(value, path):
    """The integer that a path names; -1 if it names no integer."""
    found = find(value, path)
    return found if type(found) is int else -1


# --- comparing ---------------------------------------------------------------

def equal(value, wanted):
    """Equal in JSON: 1 is neither 1.0 nor true."""
    if type(value) is not type(wanted):
        return False
    if isinstance(value, list):
        return len(value) == len(wanted) and all(map(equal, value, wanted))
    if isinstance(value, dict):
        return value.keys() == wanted.keys() and \
            all(equal(value[name], wanted[name]) for name in value)
    return value == wanted


def fits(value, wanted):
    """Equal; or an object with at least the wanted members."""
    if not (isinstance(value, dict) and isinstance(wanted, dict)):
        return equal(value, wanted)
    return all(name in value and fits(value[name], part)
               for name, part in wanted.items())


def has(value, wanted):
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted in value
    if isinstance(value, list):
        return any(fits(each, wanted) for each in value)
    return fits(value, wanted)


def matches(value, pattern):
    """A text matches a regular expression, whose $ is the very end."""
    text = value if isinstance(value, str) else json.dumps(value)
    return value is not None and bool(
        re.search(re.sub(r"\$$", r"\\Z", pattern), text, re.S))


def number(compare):
    """A comparison that no other value than a number passes."""
    return lambda value, wanted: \
        type(value) in (int, float) and compare(value, wanted)


COMPARISONS = {
    "==": equal,
    "!=": lambda value, wanted: not equal(value, wanted),
    "<": number(operator.lt),
    "<=": number(operator.le),
    ">": number(operator.gt),
    ">=": number(operator.ge),
    "has": has,
    "lacks": lambda value, wanted: not has(value, wanted),
    "count": lambda value, wanted:
        isinstance(value, list) and len(value) == wanted,
    "matches": matches,
}
# Words that compare with nothing, and whether the subject has to be there.
PRESENCE = {"exists": True, "absent": False}


# --- one expectation ---------------------------------------------------------

def subject_at(exchange, cursor):
    """The value of ".path", "header NAME" or "body"; or ABSENT."""
    if cursor.take("header"):
        return exchange.fields.get(cursor.word(), ABSENT)
    if cursor.take("body"):
        return exchange.text
    if cursor.next != ".":
        raise Fault("expected a status, a path, header, body or keep: " +
                    cursor.rest)
    path = cursor.word()
    return ABSENT if exchange.json is None else find(exchange.json, path)


def wanted_at(verb, cursor):
    text = cursor.json()
    if verb == "matches":
        return Cursor(text).string()
    try:
        wanted = json.loads(text)
    except ValueError:
        raise Fault("this is no JSON: " + text) from None
    if verb in ("<", "<=", ">", ">=", "count") and type(wanted) is not int:
        raise Fault(f"{verb} compares with integers, not with {text}")
    return wanted


def check_value(exchange, cursor):
    """Whether an expectation about a value is met, and what was found."""
    subject = subject_at(exchange, cursor)
    verb = cursor.word()
    if verb in PRESENCE:
        return (subject is not ABSENT) == PRESENCE[verb], subject
    if verb not in COMPARISONS:
        raise Fault(f'"{verb}" is no comparison')
    wanted = wanted_at(verb, cursor)
    return (subject is not ABSENT and COMPARISONS[verb](subject, wanted),
            subject)


def holds(exchange, text):
    """True when the answer is as one expectation says."""
    return check_value(exchange, Cursor(text))[0]


def check_status(exchange, cursor):
    status = cursor.json()
    if status != str(exchange.status):
        raise Failed(f"expected {status}; it is {exchange.status}", exchange)
    if exchange.status < 400 or not cursor.next.islower():
        return
    before, code = cursor.at, cursor.json()
    if code in ("header", "body", "keep"):
        cursor.at = before
    elif code != exchange.code:
        raise Failed(f"expected {status} {code}; it is {exchange.code}",
                     exchange)


def keep(exchange, cursor, kept):
    name = cursor.word()
    if not cursor.take("="):
        raise Fault("expected keep NAME = SUBJECT")
    value = subject_at(exchange, cursor)
    if value is ABSENT:
        raise Failed(f"there is nothing to keep as {name}", exchange)
    kept[name] = value if isinstance(value, str) else \
        json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def told(value):
    if value is ABSENT:
        return "nothing is there"
    text = json.dumps(value, ensure_ascii=False)
    return "it is " + (text if len(text) <= SHOWN else text[:SHOWN] + "...")


def check_all(exchange, text, kept):
    """Check all expectations of a line; put values to keep into kept."""
    cursor = Cursor(text)
    while not cursor.end():
        start = cursor.at
        if cursor.next == ",":
            cursor.move(cursor.at + 1)
        elif cursor.next.isdigit():
            check_status(exchange, cursor)
        elif cursor.take("keep"):
            keep(exchange, cursor, kept)
        else:
            met, found = check_value(exchange, cursor)
            if not met:
                expected = text[start:cursor.at].rstrip()
                raise Failed(f"expected {expected}; {told(found)}",
                             exchange)
