"""Plants faults, one at a time, and counts those that are found."""

import copy
import json
import os
import shutil
import tempfile

import census
import compatible
import contract
import document as documents
from exchange import Checker

GAME = "/v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f"
EXAMPLES = os.path.join(os.path.dirname(__file__), "../../api/examples")
STREAM = os.path.join(EXAMPLES, "events.stream")
VIEW_STREAM = os.path.join(EXAMPLES, "events_views.stream")


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
               if header.get("required")}
    for kind, media in response.get("content", {None: {}}).items():
        values = [example["value"]
                  for example in media.get("examples", {}).values()]
        values += [media["example"]] if "example" in media else []
        for value in values or ["text" if kind else ""]:
            yield {
                "story": operation.id, "line": 0, "method": method.upper(),
                "target": _target(path), "request_headers": {},
                "request_body": _request(document, path, method),
                "status": int(status),
                "headers": {**headers, "content-type": kind or ""},
                "body": value if isinstance(value, str)
                        else json.dumps(value),
            }


def _example(header):
    return str(header["example"])


# Header fields of every answer.
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
    """Plant a fault in the body."""
    def plant(exchange):
        value = json.loads(exchange["body"])
        change(value)
        exchange["body"] = json.dumps(value)
    return plant


def stream(change, example=STREAM):
    """Plant a fault in a stream, instead of a list."""
    def plant(exchange):
        with open(example, encoding="utf-8") as file:
            exchange["body"] = change(file.read())
        exchange["headers"]["content-type"] = documents.STREAM
    return plant


def put(**members):
    return lambda exchange: exchange.update(members)


def header(name, value):
    def plant(exchange):
        if value is None:
            del exchange["headers"][name]
        else:
            exchange["headers"][name] = value
    return plant


# (name of the fault, operation, status, edit of that operation's answer)
FAULTS = [
    ("a member is missing", "getGame", 200, edited(
        lambda game: game.pop("rematch"))),
    ("a member too many", "getGame", 200, edited(
        lambda game: game["players"][0].update(token="secret"))),
    ("a member too many in a problem", "takeChip", 409, edited(
        lambda problem: problem.update(secret=1))),
    ("a member too many in an event", "listEvents", 200, edited(
        lambda page: page["events"][0].update(secret=1))),
    ("a member too many in an event's data", "listEvents", 200, edited(
        lambda page: page["events"][0]["data"].update(secret=1))),
    ("a member too many in an action", "getGame", 200, edited(
        lambda game: game["you"]["legal_actions"][0].update(secret=1))),
    ("a member of the wrong type", "getMyHand", 200, edited(
        lambda hand: hand.update(seat="2"))),
    ("a word that is not in the enum", "getGame", 200, edited(
        lambda game: game.update(mode="apprentice"))),
    ("an id that is no UUID", "getGame", 200, edited(
        lambda game: game.update(id="42"))),
    ("an invalid time", "getGame", 200, edited(
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
    ("a game with another's view", "getGame", 200, edited(
        lambda game: game.update(ruleset="famiglia"))),
    ("an accepted accountant who takes nothing", "playAccountant", 200, put(
        request_body='{"card":"a1a","give":["m0a"],"take":[]}')),
    ("an accepted payment of which nothing is kept", "takeCard", 200, put(
        request_body='{"card":"m1a","pay":["m0a","m0b"]}')),
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
    ("a stream with a field that is not documented", "listEvents", 200, stream(
        lambda text: text.replace("event: closed", "name: x\nevent: closed"))),
    ("a streamed event of an unknown type", "listEvents", 200, stream(
        lambda text: text.replace('"chip_taken"', '"chip_eaten"'))),
    ("a streamed event with a member too many", "listEvents", 200, stream(
        lambda text: text.replace('"seat":', '"secret":1,"seat":', 1))),
    ("a streamed event with another id", "listEvents", 200, stream(
        lambda text: text.replace("id: 14", "id: 15"))),
    ("a streamed view with another version", "listEvents", 200, stream(
        lambda text: text.replace("event: view\nid: 13", "event: view\nid: 12"),
        VIEW_STREAM)),
    ("a streamed view without a member", "listEvents", 200, stream(
        lambda text: text.replace('"vaults":', '"safes":', 1), VIEW_STREAM)),
    ("limits that cannot be read", "getGame", 200, header(
        "ratelimit", "2999 left")),
    ("limits where there are none", "isAlive", 200, header(
        "ratelimit", '"address";r=1;t=1')),
    ("a refusal that does not say for how long", "createGame", 429, header(
        "retry-after", None)),
    ("an invalid ticket", "createStreamTicket", 201, edited(
        lambda answer: answer.update(ticket="short"))),
    ("an invalid trace", "takeChip", 409, edited(
        lambda problem: problem.update(trace_id="0"))),
    ("an origin is let in that did not ask", "getGame", 200, header(
        "access-control-allow-origin", "https://a.example")),
    ("an answer from an unknown path", "getGame", 200, put(target="/v1/game")),
    ("an answer to an unknown method", "getGame", 200, put(method="PUT")),
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
    """Right and wrong answers outside of all operations."""
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
    yield True, "a page of another origin asks beforehand", problem(
        "", 204, method="OPTIONS", target="/livez",
        request_headers={"Origin": "https://a.example"}, headers={
            **allow, "vary": "Origin", "access-control-max-age": "7200",
            "access-control-allow-origin": "https://a.example"})
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
    for is_right, what, exchange in others():
        found = Checker(document).check(exchange)
        tally.check(f"self-test: {what}", found if is_right
                    else [] if found else ["not found"])


# --- sources ---------------------------------------------------------------

# The file, the text in it, and its replacement.
EDITS = [
    ("a route without a row", "internal/service/routes.def",
     'ROUTE(GET, "/livez"', 'ROUTE(GET, "/readyz"'),
    ("a row without a route", "internal/service/routes.def",
     "#undef", 'ROUTE(PUT, "/livez", 0)\n#undef'),
    ("a key for what changes nothing", "internal/service/routes.def",
     "INVITED, MOVE, JOIN, decode_join,",
     "INVITED, READ, JOIN, decode_join,"),
    ("no key for what changes something", "internal/games/gang/routes.def",
     "ANSWER, NONE, gang_decode_evaluations",
     "MOVE, NONE, gang_decode_evaluations"),
    ("a parameter of another name", "internal/games/gang/routes.def",
     "{stars}", "{count}"),
    ("parameters of a path, not of its operations", "api/openapi.yaml",
     "  /livez:\n    get:\n", "  /livez:\n    parameters: []\n    get:\n"),
    ("a code of another name", "internal/base/err.def",
     '"chip_moved"', '"chip_gone"'),
    ("a code of another status", "internal/base/err.def",
     '"not_host", FORBIDDEN', '"not_host", CONFLICT'),
    ("a problem of another title", "internal/base/err.def",
     '"Malformed request"', '"Bad request"'),
    ("a fault of a name by another code", "internal/auth/name_fault.def",
     '"mixed_scripts"', '"mixed_script"'),
    ("a ranking too many", "internal/poker/ranking.def",
     "#undef", 'RANKING(FIVE, "five_of_a_kind")\n#undef'),
    ("a colour of another name", "internal/games/gang/rules/color.def",
     '"orange"', '"green"'),
    ("colours in another order", "internal/games/gang/rules/color.def",
     'COLOR(WHITE, "white")\nCOLOR(YELLOW, "yellow")',
     'COLOR(YELLOW, "yellow")\nCOLOR(WHITE, "white")'),
    ("a mode too many", "internal/games/gang/rules/mode.def",
     "#undef", 'MODE(EASY, 9, "easy", 1, 9)\n#undef'),
    ("a challenge of another name", "internal/games/gang/rules/challenge.def",
     '"blackout"', '"darkness"'),
    ("a challenge that asks nothing any more",
     "internal/games/gang/rules/challenge.def",
     '.asks = VALUE_RANKING', '.locks = lock_lowest'),
    ("a specialist of another name", "internal/games/gang/rules/specialist.def",
     '"hacker"', '"guesser"'),
    ("an action of another name", "internal/games/gang/rules/gang_print_legal.c",
     '"propose"', '"suggest"'),
    ("an event of another name", "internal/games/gang/rules/gang_event.def",
     '"chip_taken"', '"chip_grabbed"'),
    ("a ruleset of another name", "internal/games/famiglia/famiglia_ruleset.c",
     '.code = "famiglia"', '.code = "family"'),
    ("a family of another name", "internal/games/famiglia/rules/family.def",
     '"brutes"', '"thugs"'),
    ("a family with another letter", "internal/games/famiglia/rules/family.def",
     '"b"', '"t"'),
    ("an action of Famiglia of another name",
     "internal/games/famiglia/rules/famiglia_print_legal.c", '"accountant"',
     '"banker"'),
    ("an event of Famiglia of another name",
     "internal/games/famiglia/rules/famiglia_event.def",
     '"passed"', '"skipped"'),
    ("a status of another name", "internal/table/status.def",
     '"over"', '"ended"'),
    ("a word that leads to another's schema", "api/openapi.yaml",
     '          famiglia: "#/components/schemas/FamigliaGame"\n',
     '          famiglia: "#/components/schemas/GangGame"\n'),
    ("a section of the guide of another name", "internal/games/gang/guide.def",
     '"talk"', '"chat"'),
    ("a word too many", "internal/games/gang/word.def",
     "#undef", 'WORD("pot", "word")\n#undef'),
    ("an action in words too few", "internal/games/famiglia/action.def",
     'ACTION("pass", "/turn/pass")\n', ""),
    ("a move whose refusals the operation of every move lacks",
     "internal/service/action.def", '"/start"', '"/players"'),
    ("an outcome without a sentence", "internal/games/gang/sentence.def",
     '"outcome", "failed"', '"outcome", "flopped"'),
    ("a place that may be null, and no sentence for it",
     "internal/games/gang/sentence.def",
     'SENTENCE("event", "specialist_withdrawn", "nobody", "seat", "null")\n',
     ""),
    ("a place that is no member of the event",
     "internal/games/famiglia/texts/en.po", "{seat} puts {card} away",
     "{seat} puts {target} away"),
    ("a place that no list has", "internal/games/gang/texts/en.po",
     "{seat} draws a card", "{player} draws a card"),
    ("a problem in words of another text", "api/examples/problems.json",
     "The game has ended;", "The game is gone;"),
    ("an event of a rematch of another name", "internal/table/event.def",
     '"rematch_created"', '"played_on"'),
    ("an example with a member too many", "api/examples/hand.json",
     '"seat"', '"secret": 1, "seat"'),
    ("an example of a problem with a member too many",
     "api/examples/problem_chip_moved.json", '"code"', '"secret": 1, "code"'),
    ("a request that is open", "api/openapi.yaml",
     "      description: Whether the player agrees to what is proposed.\n"
     "      additionalProperties: false\n",
     "      description: Whether the player agrees to what is proposed.\n"),
    ("an answer that is closed", "api/openapi.yaml",
     "      description: Another game.\n",
     "      description: Another game.\n"
     "      additionalProperties: false\n"),
    ("a form that fits what another is for", "api/openapi.yaml",
     "        - type: string\n          enum: [center]\n",
     "        - type: [string, integer]\n"),
]


def copy_sources(repo, target):
    for folder, names, files in os.walk(repo):
        inside = os.path.relpath(folder, repo).split(os.sep)[0] == "internal"
        names[:] = [name for name in names
                    if inside or name in ("api", "examples", "internal",
                                            "deploy", "build")]
        place = os.path.join(target, os.path.relpath(folder, repo))
        os.makedirs(place, exist_ok=True)
        for name in files:
            if name.endswith((".def", ".json", ".stream", ".yaml", ".c",
                              ".po", "bundle.py")):
                shutil.copy(os.path.join(folder, name), place)


class Silent(contract.Tally):
    """Counts the faults, and not the checks that fail."""

    def check(self, what, faults):
        self.failed += len(list(faults))


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


# --- what clients rely on ----------------------------------------------------

def schemas(document):
    return document["components"]["schemas"]


def members(schema):
    return lambda document: schemas(document)[schema]["properties"]


def operation(method, path):
    return lambda document: document["paths"][path][method]


def response(method, path, status):
    return lambda document: operation(method, path)(document)["responses"][
        status]


def without(find, name):
    return lambda document: find(document).pop(name)


def having(find, **more):
    return lambda document: find(document).update(more)


def named(name):
    return lambda document: schemas(document)[name]


def needs(schema, name):
    return lambda document: schemas(document)[schema]["required"].append(name)


def spares(schema, name):
    return lambda document: schemas(document)[schema]["required"].remove(name)


def says(schema, word):
    return lambda document: schemas(document)[schema]["enum"].append(word)


def lacks(schema, word):
    return lambda document: schemas(document)[schema]["enum"].remove(word)


def takes(find, name, **more):
    return lambda document: find(document)["parameters"].append(
        {"name": name, "in": "query", "schema": {"type": "string"}, **more})


def both(*changes):
    return lambda document: [change(document) for change in changes]


LOBBY = operation("get", "/v1/games")
CREATE = operation("post", "/v1/games")
VOTE = operation("post", "/v1/games/{game_id}/specialist/votes")
VIEW = response("get", "/v1/games/{game_id}", "200")


def HOOK(document):
    return document["webhooks"]["notification"]["post"]



def one_of(name, member, word):
    """Another form of a schema, distinguished by the value of a member."""
    form = {"type": "object", "required": [member],
            "properties": {member: {"type": "string", "enum": [word]}}}
    return lambda document: schemas(document)[name]["oneOf"].append(form)


def only(name, schema):
    return {"type": "object", "additionalProperties": False,
            "required": [name], "properties": {name: schema}}


CARD_OR_LOOKED = {"oneOf": [
    only("card", {"$ref": "#/components/schemas/Card"}),
    only("looked", {"type": "boolean", "enum": [True]})]}

# (name of the change, whether it breaks a client, edit of the document)
CHANGES = [
    ("a path is gone", True, without(
        lambda document: document["paths"], "/v1/games/{game_id}/hand")),
    ("a method is gone", True, without(
        lambda document: document["paths"]["/v1/games"], "get")),
    ("a method is new", False, lambda document: document["paths"][
        "/v1/games"].update(put=CREATE(document))),
    ("what was open needs a token", True, without(LOBBY, "security")),
    ("a parameter is gone", True, lambda document:
        LOBBY(document)["parameters"].pop()),
    ("a parameter may come", False, takes(LOBBY, "host")),
    ("a parameter is needed", True, takes(LOBBY, "host", required=True)),
    ("a parameter's range is narrower", True, lambda document:
        LOBBY(document)["parameters"][3]["schema"].update(maximum=50)),
    ("a parameter's range is wider", False, lambda document:
        LOBBY(document)["parameters"][3]["schema"].update(maximum=500)),
    ("a parameter has another default", True, lambda document:
        LOBBY(document)["parameters"][3]["schema"].update(default=10)),
    ("a body is needed", True, lambda document: operation(
        "post", "/v1/games/{game_id}/chips/{color}/{stars}/take")(
            document)["requestBody"].update(required=True)),
    ("another body is accepted", False, lambda document: CREATE(document)[
        "requestBody"]["content"].update({"text/plain": {"schema": {}}})),
    ("a body is refused", True, lambda document: CREATE(document)[
        "requestBody"].update(content={"text/plain": {"schema": {}}})),
    ("a member of a request is gone", True, without(
        members("CreateGame"), "stacks")),
    ("a member of a request may come", False, having(
        members("CreateGame"), title={"type": "string"})),
    ("a member of a request is needed", True, needs("CreateGame", "mode")),
    ("a member of a request is needed no more", False, spares(
        "CreateGame", "name")),
    ("another type in a request", True, having(
        members("Vote"), agree={"type": "string"})),
    ("more types in a request", False, having(
        members("Vote"), agree={"type": ["boolean", "string"]})),
    ("a word of a request is refused", True, lacks("Visibility", "public")),
    ("a shorter text in a request", True, having(
        named("WantedName"), maxLength=20)),
    ("a longer text in a request", False, having(
        named("WantedName"), maxLength=8000)),
    ("another pattern in a request", True, having(
        named("WantedName"), pattern="^[A-Z]+$")),
    ("any pattern in a request", False, without(
        named("WantedName"), "pattern")),
    ("fewer seats", True, lambda document: members("CreateGame")(document)[
        "seats"].update(maximum=5)),
    ("fewer hands at once", True, lambda document: members("EvaluateHands")(
        document)["hands"].update(maxItems=10)),
    ("null is refused", True, lambda document: members("CreateGame")(
        document)["absence_seconds"]["oneOf"].pop()),
    ("a status is gone", True, lambda document: VOTE(document)[
        "responses"].pop("409")),
    ("another success", True, lambda document: VOTE(document)[
        "responses"].update({"202": VOTE(document)["responses"]["200"]})),
    ("another refusal", False, lambda document: VOTE(document)[
        "responses"].update({"403": VOTE(document)["responses"]["409"]})),
    ("a content type is gone", True, lambda document: VIEW(document)[
        "content"].clear()),
    ("another content type", False, lambda document: VIEW(document)[
        "content"].update({"text/plain": {"schema": {"type": "string"}}})),
    ("a header field is gone", True, lambda document: VIEW(document)[
        "headers"].pop("ETag")),
    ("a header field may be missing", True, lambda document: document[
        "components"]["headers"]["ETag"].update(required=False)),
    ("a header field is new", False, lambda document: VIEW(document)[
        "headers"].update(Age={"schema": {"type": "integer"}})),
    ("a member of an answer is gone", True, both(
        without(members("Player"), "vacant"), spares("Player", "vacant"))),
    ("a member of an answer may be missing", True, spares(
        "Player", "vacant")),
    ("a member of an answer is new", False, both(
        having(members("Player"), score={"type": "integer"}),
        needs("Player", "score"))),
    ("a member of an answer may be null", True, having(
        members("GangGame"), vaults={"oneOf": [
            {"$ref": "#/components/schemas/Vaults"},
            {"type": "null"}]})),
    ("a member of an answer is never null", False, having(
        members("Player"), name={"$ref": "#/components/schemas/PlayerName"})),
    ("another type in an answer", True, having(
        members("Player"), host={"type": "string"})),
    ("any type in an answer", True, having(
        members("Player"), host={"description": "Whatever."})),
    ("a word that is new", True, lambda document: members("GangGame")(
        document)["status"]["enum"].append("paused")),
    ("a word that is said no more", False, lambda document: members(
        "GangGame")(document)["status"]["enum"].remove("lost")),
    ("a number that is greater", True, lambda document: members("Vaults")(
        document)["gold"].update(maximum=9)),
    ("a longer list", True, lambda document: members("GangGame")(document)[
        "players"].update(maxItems=8)),
    ("another pattern in an answer", True, having(
        named("Token"), pattern="^[a-z]+$")),
    ("a list of words that grows is open", True, having(
        named("Visibility"), **{"x-open": True})),
    ("a mode is new", False, says("Mode", "nightmare")),
    ("a mode may be null", True, having(
        named("Mode"), type=["string", "null"])),
    ("a code of problems is new", False, says("ProblemCode", "game_paused")),
    ("an event is new", False, one_of("Event", "type", "game_paused")),
    ("a ruleset is new", False, one_of("Game", "ruleset", "vegas")),
    ("an action is new", False, one_of("GangAction", "action", "pause")),
    ("a form is new where all were documented", True, one_of(
        "SpecialistInUse", "state", "asleep")),
    ("one of two members, said otherwise", False, lambda document: schemas(
        document).update(Choose=CARD_OR_LOOKED)),
    ("one of two members is refused", True, without(
        members("Choose"), "looked")),
    ("a number that is always null", False, having(
        members("Proposal"), target_seat={"type": "null"})),
    ("a text as a pattern that fits no other", False, having(
        members("Health"), status={"type": "string", "pattern": "^ok$"})),
    ("a text as a pattern that fits another", True, having(
        members("Health"),
        status={"type": "string", "pattern": "^ok( so far)?$"})),
    ("an event lacks a member", True, without(
        members("ChipTakenData"), "from")),
    ("a webhook is gone", True, lambda document: document[
        "webhooks"].pop("notification")),
    ("a member of a webhook's body is gone", True, both(
        without(members("WebhookData"), "host"), spares("WebhookData", "host"))),
    ("a member of a webhook's body is new", False, both(
        having(members("WebhookData"), table={"type": "string"}),
        needs("WebhookData", "table"))),
    ("a code of a webhook is new", False, says("NotificationCode", "paused")),
    ("a field of a webhook may be missing", True, lambda document: HOOK(
        document)["parameters"][0].update(required=False)),
    ("a field of a webhook is gone", True, lambda document: HOOK(
        document)["parameters"].pop()),
    ("another description", False, having(
        named("Token"), description="Secret.")),
    ("the same in its place", False, lambda document: members("GangGame")(
        document).update(vaults=schemas(document)["Vaults"])),
]


# --- what generators like ----------------------------------------------------

def branches(name, key="oneOf"):
    return lambda document: named(name)(document)[key]


def as_form(name, form):
    return lambda document: branches(name)(document).append(form)


RETINA = {"$ref": "#/components/schemas/RetinaAnswer"}
NULL = {"type": "null"}

# (name of the fault, edit of the document)
CENSUS = [
    ("a union in an answer without a discriminator", without(
        named("Event"), "discriminator")),
    ("a union in a body without a discriminator", without(
        named("Answer"), "discriminator")),
    ("a union of problems without a discriminator", without(
        named("InvalidOrReusedProblem"), "discriminator")),
    ("a union of an object and a text", as_form("ChipPlace", RETINA)),
    ("a union of objects in a response itself", lambda document: VIEW(
        document)["content"]["application/json"].update(schema={"anyOf": [
            {"$ref": "#/components/schemas/GangGame"},
            {"$ref": "#/components/schemas/FamigliaGame"}]})),
    ("a form with two words", lambda document: members("HackerUsed")(
        document)["code"]["enum"].append("jack")),
    ("a form with any word", lambda document: members("HackerUsed")(
        document)["code"].pop("enum")),
    ("a form without a name", as_form("SpecialistInUse", only(
        "state", {"type": "string", "enum": ["asleep"]}))),
    ("an object without a name", having(
        members("CreatedGame"), seat=only("seat", {"type": "integer"}))),
    ("a form of another union", as_form("Command", RETINA)),
    ("a form twice", as_form("Answer", RETINA)),
    ("a word without a form", lambda document: named("Answer")(document)[
        "discriminator"]["mapping"].update(blackout=RETINA["$ref"])),
    ("two words that are exchanged", lambda document: named("Answer")(
        document)["discriminator"]["mapping"].update(
            fingerprint_scan=RETINA["$ref"])),
    ("a form that may lack its word", spares("MuscleUsed", "code")),
    ("a null with a name", lambda document: schemas(document).update(
        Nothing=NULL)),
    ("a schema with a name that may be null", having(
        named("Seat"), type=["integer", "null"])),
    ("an alias that may be null", lambda document: schemas(document).update(
        CardOrNone={"oneOf": [{"$ref": "#/components/schemas/Card"}, NULL]})),
    ("null beside several forms", lambda document: members("GangGame")(
        document).update(heist={"oneOf": [
            {"$ref": "#/components/schemas/Heist"},
            {"$ref": "#/components/schemas/Stacks"}, NULL]})),
    ("a union of one", lambda document: members("GangGame")(document)[
        "heist"]["oneOf"].pop()),
    ("a single word of a header field", lambda document: document[
        "components"]["headers"]["NoSniff"]["schema"].update(enum=["nosniff"])),
    ("words of an operation's own header field", lambda document: VIEW(
        document)["headers"].update(Age={"schema": {
            "type": "string", "enum": ["old", "new"]}})),
    ("a reference that is wrapped", having(
        members("CreatedGame"),
        seat={"allOf": [{"$ref": "#/components/schemas/Seat"}]})),
    ("a bound beside an enum", having(
        named("Color"), maxLength=6)),
    ("a parameter with a schema's name", lambda document: document[
        "components"]["parameters"].update(
            Seat=document["components"]["parameters"]["SeatInPath"])),
    ("two parameters with one name of a function", takes(
        operation("get", "/v1/games/{game_id}/events"), "lastEventId")),
    ("an object without a name in a webhook", having(
        members("WebhookMessage"), data=only("seat", {"type": "integer"}))),
    ("a bound beside a reference", having(
        members("CreatedGame"),
        seat={"$ref": "#/components/schemas/Seat", "maximum": 2})),
]


def check_census(document, tally):
    for what, change in CENSUS:
        changed = copy.deepcopy(document.raw)
        change(changed)
        found = list(census.faults(documents.Document(changed)))
        tally.check(f"self-test: {what}", [] if found else ["not found"])


# --- closed and open ---------------------------------------------------------

def with_others(node, may):
    """A copy in which all objects may have other members, or no object may."""
    if isinstance(node, list):
        return [with_others(item, may) for item in node]
    if not isinstance(node, dict):
        return node
    copied = {key: with_others(item, may) for key, item in node.items()}
    if node.get("type") == "object":
        copied["additionalProperties"] = may
    return copied


def check_changes(document, tally):
    for what, breaks, change in CHANGES:
        changed = copy.deepcopy(document.raw)
        change(changed)
        found = compatible.faults(document.raw, changed)
        tally.check(f"self-test: {what}", [] if breaks and found
                    else ["not found"] if breaks else found)
    check_opened(document, tally)


def check_opened(document, tally):
    """A closed answer may become open; an open request may not close."""
    closed = with_others(document.raw, False)
    opened = with_others(document.raw, True)
    tally.check("self-test: what was closed is open",
                compatible.faults(closed, opened))
    found = [fault for fault in compatible.faults(opened, closed)
             if fault.startswith("POST /v1/games/{game_id}/specialist/votes")]
    tally.check("self-test: a request that was open is closed",
                [] if len(found) == 1 else found or ["not found"])


def run(document, repo, tally):
    check_exchanges(document, tally)
    check_changes(document, tally)
    check_census(document, tally)
    check_sources(repo, tally)
