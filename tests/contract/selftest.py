"""Plants faults, one at a time, and counts those that are found."""

import copy
import json
import os
import shutil
import tempfile

import contract
import document as documents
from exchange import STREAM, STREAM_HEADERS, Checker

GAME = "/v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f"


# --- exchanges -------------------------------------------------------------

def answers(document):
    """An exchange, as it should be, for each example of an answer."""
    for path, item in document.raw["paths"].items():
        for method, raw in item.items():
            if method not in documents.METHODS:
                continue
            for status, response in raw["responses"].items():
                yield from _answers(document, path, method, status, response)


def _answers(document, path, method, status, response):
    response = document.resolve(response)
    operation = document.paths[path][method.upper()]
    headers = {name.lower(): _example(header)
               for name, header in response["headers"].items()
               if header["required"]}
    for kind, media in response.get("content", {None: {}}).items():
        values = [example["value"]
                  for example in media.get("examples", {}).values()]
        values += [media["example"]] if "example" in media else []
        for value in values or [""]:
            yield {
                "story": operation.id, "line": 0, "method": method.upper(),
                "target": _target(path), "request_headers": {},
                "request_body": _request(document, path, method),
                "status": int(status),
                "headers": {**(STREAM_HEADERS if kind == STREAM else headers),
                            "content-type": kind or ""},
                "body": value if value == "" or kind == STREAM
                        else json.dumps(value),
            }


def _example(header):
    return str(header["example"])


# What stands on every answer.
COMMON = {"x-request-id": "1", "x-content-type-options": "nosniff",
          "cache-control": "no-store", "content-type": documents.PROBLEM}


def _target(path):
    return (path.replace("{game_id}", GAME.rsplit("/", 1)[1])
            .replace("{color}", "red").replace("{stars}", "2")
            .replace("{seat}", "1").replace("{number}", "1")
            .replace("{code}", "7K2M9QXA").replace("{asset}", "init.js")
            .replace("{problem}", "invalid"))


def _request(document, path, method):
    body = document.raw["paths"][path][method].get("requestBody")
    if not body:
        return None
    media = document.resolve(body)["content"]["application/json"]
    return json.dumps(next(iter(media["examples"].values()))["value"])


def edited(change):
    """A fault in the body."""
    def plant(exchange):
        value = json.loads(exchange["body"])
        change(value)
        exchange["body"] = json.dumps(value)
    return plant


def put(**members):
    return lambda exchange: exchange.update(members)


def swapped(old, new):
    def plant(exchange):
        exchange["body"] = exchange["body"].replace(old, new, 1)
    return plant


def header(name, value):
    def plant(exchange):
        if value is None:
            del exchange["headers"][name]
        else:
            exchange["headers"][name] = value
    return plant


# What it is, in the answer of which operation with which status, and how.
FAULTS = [
    ("a member is missing", "getGame", 200, edited(
        lambda game: game.pop("rematch"))),
    ("a member too many", "getGame", 200, edited(
        lambda game: game["players"][0].update(token="secret"))),
    ("a member of the wrong type", "getMyHand", 200, edited(
        lambda hand: hand.update(seat="2"))),
    ("a word that is not in the enum", "getGame", 200, edited(
        lambda game: game.update(mode="apprentice"))),
    ("an id that is no UUID", "getGame", 200, edited(
        lambda game: game.update(id="42"))),
    ("a time that is none", "getGame", 200, edited(
        lambda game: game.update(created_at="2026-02-31T12:00:00.000000Z"))),
    ("an event of an unknown type", "listEvents", 200, edited(
        lambda page: page["events"][0].update(type="chip_eaten"))),
    ("an event with another's data", "listEvents", 200, edited(
        lambda page: page["events"][0].update(type="chip_taken"))),
    ("a status that is not documented", "getMyHand", 200, put(status=202)),
    ("a header that is not documented", "getGame", 200, header(
        "x-powered-by", "cards")),
    ("a header is missing", "getGame", 200, header("etag", None)),
    ("a header with another value", "getGame", 200, header(
        "cache-control", "public")),
    ("another content type", "getGame", 200, header(
        "content-type", "text/html")),
    ("a body that is no JSON", "getGame", 200, put(body="{")),
    ("a body where none may be", "deleteGame", 204, put(body="{}")),
    ("a body after HEAD", "getGame", 200, put(method="HEAD")),
    ("an accepted request with a fault", "createGame", 201, put(
        request_body='{"name":"Ada","seats":9}')),
    ("an accepted request without its body", "createGame", 201, put(
        request_body=None)),
    ("an accepted body that is not documented", "startGame", 200, put(
        request_body='{"now":true}')),
    ("an accepted choice of two things", "choose", 200, put(
        request_body='{"card":"9h","looked":true}')),
    ("a hidden event that says when", "listEvents", 200, edited(
        lambda page: page["events"][0].update(type="hidden", seat=None,
                                              data={}))),
    ("a code that the operation does not list", "takeChip", 409, edited(
        lambda problem: problem.update(code="game_full",
                                       type="/problems/game_full"))),
    ("a problem with another status", "takeChip", 409, edited(
        lambda problem: problem.update(status=400))),
    ("a problem with another type", "takeChip", 409, edited(
        lambda problem: problem.update(type="/problems/internal"))),
    ("no faults with invalid", "createGame", 422, edited(
        lambda problem: problem.pop("errors"))),
    ("a refusal in HTML", "getGame", 404, header("content-type", "text/html")),
    ("an answer from an unknown path", "getGame", 200, put(target="/v1/game")),
    ("an answer to an unknown method", "getGame", 200, put(method="PUT")),
]


# What it is, in a stream, and how.
STREAM_FAULTS = [
    ("a stream with an ETag", header("etag", '"1"')),
    ("a stream that may be kept", header("cache-control", "private")),
    ("a stream that varies otherwise", header("vary", "Authorization")),
    ("a stream with lines of its own", put(body="event: hand\ndata: {}\n\n")),
    ("an id that is not the version", swapped("id: 7", "id: 8")),
    ("an event with two lines of data", swapped(',"type"', '\ndata: ,"type"')),
    ("an event of a stream that is none", swapped("round_started", "ended")),
    ("an event of a stream that is no JSON", swapped("null", "nothing")),
]


def problem(code, status, **members):
    """An exchange that belongs to no operation."""
    body = {"type": "/problems/" + code, "title": "-", "status": status,
            "detail": "-", "instance": "/", "code": code}
    exchange = {
        "story": "other", "line": 0, "method": "GET", "target": "/",
        "request_headers": {}, "request_body": None, "status": status,
        "headers": COMMON,
        "body": json.dumps(body) if status >= 400 else ""}
    exchange.update(members)
    return exchange


def others():
    """Right answers to what no operation is for, and wrong ones."""
    allow = {**COMMON, "allow": "GET, HEAD, OPTIONS"}
    wrong = {**allow, "allow": "GET"}
    yield True, "no such path", problem("no_such_route", 404)
    yield True, "no such method", problem(
        "method_not_allowed", 405, method="PUT", target="/livez",
        headers=allow)
    yield True, "an unknown method", problem(
        "not_implemented", 501, method="BREW")
    yield True, "OPTIONS", problem(
        "", 204, method="OPTIONS", target="/livez", headers=allow)
    yield False, "Allow lacks methods", problem(
        "method_not_allowed", 405, method="PUT", target="/livez",
        headers=wrong)
    yield False, "OPTIONS without Allow", problem(
        "", 204, method="OPTIONS", target="/livez")
    yield False, "405 with another code", problem(
        "not_implemented", 405, method="PUT", target="/livez", headers=allow)


def check_exchanges(document, tally):
    right = list(answers(document))
    for exchange in right:
        tally.check(
            "self-test: {story} {status} is right".format(**exchange),
            Checker(document).check(exchange))
    for what, operation, status, plant in FAULTS:
        exchange = copy.deepcopy(next(
            one for one in right
            if (one["story"], one["status"]) == (operation, status)))
        plant(exchange)
        found = Checker(document).check(exchange)
        tally.check(f"self-test: {what}", [] if found else ["not found"])
    stream = next(one for one in right
                  if one["headers"]["content-type"] == STREAM)
    for what, plant in STREAM_FAULTS:
        exchange = copy.deepcopy(stream)
        plant(exchange)
        found = Checker(document).check(exchange)
        tally.check(f"self-test: {what}", [] if found else ["not found"])
    for is_right, what, exchange in others():
        found = Checker(document).check(exchange)
        tally.check(f"self-test: {what}", found if is_right
                    else [] if found else ["not found"])


# --- sources ---------------------------------------------------------------

# Which file, what in it, and what stands there instead.
EDITS = [
    ("a route without a row", "internal/service/routes.def",
     'ROUTE(GET, "/livez"', 'ROUTE(GET, "/readyz"'),
    ("a row without a route", "internal/service/routes.def",
     "#undef", 'ROUTE(PUT, "/livez", 0)\n#undef'),
    ("a key for what changes nothing", "internal/service/routes.def",
     "INVITED, MOVE, ANY, decode_join,", "INVITED, READ, ANY, decode_join,"),
    ("no key for what changes something", "internal/service/routes.def",
     "ANSWER, ANY, decode_evaluations", "MOVE, ANY, decode_evaluations"),
    ("a parameter of another name", "internal/service/routes.def",
     "{stars}", "{count}"),
    ("a code of another name", "internal/base/err.def",
     '"chip_moved"', '"chip_gone"'),
    ("a code of another status", "internal/base/err.def",
     '"not_host", FORBIDDEN', '"not_host", CONFLICT'),
    ("a problem of another title", "internal/base/err.def",
     '"Malformed request"', '"Bad request"'),
    ("a ranking too many", "internal/poker/ranking.def",
     "#undef", 'RANKING(FIVE, "five_of_a_kind")\n#undef'),
    ("a colour of another name", "internal/gang/color.def",
     '"orange"', '"green"'),
    ("colours in another order", "internal/gang/color.def",
     'COLOR(WHITE, "white")\nCOLOR(YELLOW, "yellow")',
     'COLOR(YELLOW, "yellow")\nCOLOR(WHITE, "white")'),
    ("a mode too many", "internal/gang/mode.def",
     "#undef", 'MODE(EASY, 9, "easy", 1, 9)\n#undef'),
    ("a challenge of another name", "internal/gang/challenge.def",
     '"blackout"', '"darkness"'),
    ("a challenge that asks nothing any more", "internal/gang/challenge.def",
     '.asks = VALUE_RANKING', '.locks = lock_lowest'),
    ("a specialist of another name", "internal/gang/specialist.def",
     '"hacker"', '"guesser"'),
    ("an action of another name", "internal/gang/print_legal.c",
     '"propose"', '"suggest"'),
    ("an event of another name", "internal/gang/event.def",
     '"chip_taken"', '"chip_grabbed"'),
    ("an event of a rematch of another name", "internal/table/event.def",
     '"rematch_created"', '"played_on"'),
    ("an example with a member too many", "api/examples/hand.json",
     '"seat"', '"secret": 1, "seat"'),
    ("an object that is open", "api/openapi.yaml",
     "    Player:\n      type: object\n      additionalProperties: false\n",
     "    Player:\n      type: object\n"),
]


def copy_sources(repo, target):
    for folder, names, files in os.walk(repo):
        names[:] = [name for name in names
                    if name in ("api", "examples", "internal")
                    or os.path.basename(folder) == "internal"]
        place = os.path.join(target, os.path.relpath(folder, repo))
        os.makedirs(place, exist_ok=True)
        for name in files:
            if name.endswith((".def", ".json", ".yaml", ".c", "bundle.py")):
                shutil.copy(os.path.join(folder, name), place)


class Silent(contract.Tally):
    def check(self, what, faults):
        self.failed += bool(list(faults))


def failures(repo):
    silent = Silent()
    contract.check_sources(documents.load(repo), repo, silent)
    return silent.failed


def check_sources(repo, tally):
    before = failures(repo)
    for what, path, old, new in EDITS:
        with tempfile.TemporaryDirectory() as copied:
            copy_sources(repo, copied)
            path = os.path.join(copied, path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            faults = [] if old in text else ["the place is not there"]
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new, 1))
            if failures(copied) <= before:
                faults.append("not found")
            tally.check(f"self-test: {what}", faults)


def run(document, repo, tally):
    check_exchanges(document, tally)
    check_sources(repo, tally)
