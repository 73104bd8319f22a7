#!/usr/bin/python3
"""Compares the sources, and the answers of the service, with the document.

    contract.py --program FILE                 routes, codes, enums, examples,
                                               the document as released, and
                                               the version of the program
    contract.py --exchanges FILE --seen SEEN   the answers that stories got;
                                               writes the operations met to SEEN
    contract.py --seen SEEN...                 whether all operations were met
    contract.py --self-test                    plants faults to be found

--repo DIR names the repository.
FILE has a JSON object a line: story, line, method, target, request_headers,
request_body, status, headers (names in lower case), body.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../harness"))

import census
import compatible
import document as documents
import forms
import games
from exchange import COMMON, Checker, stream_faults

# The status of each kind of err.def.
STATUS_OF_KIND = {
    "MALFORMED": 400, "UNAUTHENTICATED": 401, "FORBIDDEN": 403,
    "MISSING": 404, "METHOD": 405, "ACCEPT": 406, "CONFLICT": 409,
    "STALE": 412, "LENGTH": 413, "URI": 414, "TYPE": 415, "INVALID": 422,
    "LIMITED": 429, "FIELDS": 431, "BROKEN": 500, "UNKNOWN": 501,
    "UNAVAILABLE": 503,
}

# Codes that no operation can give, since they mean that no operation exists.
WITHOUT_OPERATION = {"method_not_allowed", "not_implemented"}

# Members that are there only sometimes.
OPTIONAL = {
    # Members that a client may leave out.
    "CreateGame", "SeatBot", "JoinGame", "JoinByCode", "ClaimTransfer",
    "PushSubscription", "ChangePlayer", "TakeChip",
    "ProposeSpecialist", "Rematch", "Choose", "TakeCard",
    "TakeChipCommand", "ProposeCommand", "ChooseCommand", "TakeCommand",
    "RematchCommand", "SeatBotCommand", "ProposeBody", "ProposeDraft",
    "ProposeChoice", "ChooseBody", "ChooseDraft", "TakeBody", "TakeDraft",
    # Members that depend on the problem, or on the ruleset.
    "Problem", "Fault", "Now", "Hand", "GameStartedData",
    # Cards, for those who may see them.
    "CardsDealtData", "CardsRedrawnData", "CardsPassedData",
    "CardsRedealtData", "ChoiceMadeData",
}

# The shapes of routes.def that change something.
KEYED_SHAPES = {"CREATE", "MOVE", "REMATCH", "LEAVE", "CLAIM"}

# Problems that no story can cause, or only of a daemon whose answers are not compared:
# a fault of the service; a quota, since stories run without quotas; and Web Push that is
# not set up.
UNREACHABLE = {"internal", "rate_limited", "push_off"}

# Problems that are answered before an operation is entered, or instead of it,
# need not occur for each operation.
ANYWHERE = {400, 406, 413, 414, 415, 422, 429, 431, 500, 503}

# Which schema's enum a .def file is, and which of its columns; in the order
# of the rows, and of those alone that have the last word in some column.  Of
# a schema that is one of several, or of several schemas, all words together.
# A name without a folder is that of the tables of all games (harness/games.py).
ENUMS = [
    ("Ranking", "internal/poker/ranking.def", 1, ""),
    ("Color", "internal/games/gang/rules/color.def", 1, ""),
    ("Mode", "internal/games/gang/rules/mode.def", 2, ""),
    ("ChallengeCode", "internal/games/gang/rules/challenge.def", 2, ""),
    ("QuestionCode", "internal/games/gang/rules/challenge.def", 2, ".asks"),
    ("Question/code", "internal/games/gang/rules/challenge.def", 2, ".asks"),
    ("Answer/question", "internal/games/gang/rules/challenge.def", 2, ".asks"),
    ("SpecialistCode", "internal/games/gang/rules/specialist.def", 2, ""),
    ("Announcement/code", "internal/games/gang/rules/specialist.def", 2, ""),
    ("FamilyCode", "internal/games/famiglia/rules/family.def", 1, ""),
    ("FamilyInWords/letter", "internal/games/famiglia/rules/family.def", 2, ""),
    ("GuideSection/code", "guide.def", 0, ""),
    ("WordInWords/code", "word.def", 0, ""),
    ("WordInWords/kind", "word.def", 1, ""),
    ("ActionInWords/code", "action.def", 0, ""),
    ("Sentence/kind", "sentence.def", 0, ""),
    ("ClosedReason", "internal/service/closing.def", 1, ""),
    ("NotificationCode", "push_code.def", 2, ""),
    ("GangGame/status FamigliaGame/status", "internal/table/status.def", 1,
     ""),
]
EVENTS = [("internal/table/event.def", 2),
          ("internal/games/gang/rules/gang_event.def", 2),
          ("internal/games/famiglia/rules/famiglia_event.def", 2)]

# The places of a ruleset's code: in the sources, and in the document.
RULESET_SOURCES = "internal/games/*/*_ruleset.c"
RULESET = re.compile(r'\.code = "(\w+)"')
RULESETS = ("Ruleset", "Game/ruleset", "CreateGame/ruleset",
            "ListedGame/ruleset", "InvitedGame/ruleset")

# Printed in the place of an event that a viewer may not see.
HIDDEN = "hidden"

# The actions of legal_actions, read from the calls that print them.
ACTIONS = ("internal/games/gang/rules/gang_print_legal.c",
           "internal/games/famiglia/rules/famiglia_print_legal.c",
           "internal/service/games.c", "internal/service/bot_seats.c")
ACTION = re.compile(r'\b(?:legal_print|(?:legal_)?begin)\(\s*[\w>-]+,\s*"(\w+)"')
ACTION_PLACES = ("GangAction/action FamigliaAction/action", "ActionInWords/code",
                 "Command/action")
GAME = "/v1/games/{game_id}"


class Told:
    """The sentences that a client shows for the events of the stories."""

    def __init__(self, repo):
        path = os.path.join(repo, "api/examples/announcements.json")
        with open(path, encoding="utf-8") as file:
            self.sentences = json.load(file)["announcements"]

    def find(self, kind, code, members):
        """The first sentence that holds, as the document says."""
        for sentence in self.sentences:
            when = sentence["when"] or {}
            if (sentence["kind"], sentence["code"]) == (kind, code) and \
                    all(name in members and members[name] == value
                        for name, value in when.items()):
                return sentence
        return None

    def faults_of(self, kind, code, members):
        sentence = self.find(kind, code, members)
        if not sentence:
            return [f"{kind} {code} has no sentence"]
        return [f"{kind} {code}: there is no {place} to be put in"
                for place in sentence["places"] if members.get(place) is None]

    def check(self, exchange):
        path = exchange["target"].split("?")[0]
        if exchange["status"] != 200 or not path.endswith("/events") or \
                not exchange["body"].startswith("{"):
            return
        for event in json.loads(exchange["body"])["events"]:
            yield from self.faults_of("event", event["type"],
                                      {**event["data"], **event})
            if event["type"] == "specialist_used":
                yield from self.faults_of(
                    "announcement", event["data"]["code"], event["data"])


class Tally:
    """Counts checks and prints those that fail."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, what, faults):
        faults = list(faults)
        if not faults:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {what}")
        for fault in faults:
            print(f"     {fault}")


def differences(documented, in_sources, noun):
    for item in sorted(set(in_sources) - set(documented)):
        yield f"{noun} {item} is not in the document"
    for item in sorted(set(documented) - set(in_sources)):
        yield f"{noun} {item} is in the document only"


# Where the actions of games stand in the list of all.
OF_GAMES = "\nOF_GAMES\n"


def rows_of(repo, path):
    """The rows of a table, or of the tables of all games, in their order."""
    if "/" in path:
        return documents.rows(repo, path)
    tables = [documents.rows(repo, one) for one in games.paths(path, repo)]
    if path == "sentence.def":
        return in_kinds(*tables)
    rows = [row for table in tables for row in table]
    if path == "push_code.def":
        return sorted(rows, key=lambda row: int(row[1]))
    if path == "action.def":
        own, last = len(tables[0]), games.read(path, repo).split(OF_GAMES)[1]
        last = last.split("#undef")[0].count("ACTION(")
        return rows[:own - last] + rows[own:] + rows[own - last:own]
    return rows


def in_kinds(own, *of_games):
    """Sentences, those of a kind together; a kind that only games have comes
    before the one that follows it in its game."""
    common, listed = {row[0] for row in own}, []
    for kind in [*dict.fromkeys(row[0] for row in own), None]:
        for rows in of_games:
            while rows and rows[0][0] not in common:
                listed.append(rows.pop(0))
        listed += [row for row in own if row[0] == kind]
        for rows in of_games:
            while rows and rows[0][0] == kind:
                listed.append(rows.pop(0))
    return listed


def column(repo, path, index, word=""):
    return [row[index].strip('"') for row in rows_of(repo, path)
            if any(word in cell for cell in row)]


def check_routes(document, repo):
    routes = rows_of(repo, "routes.def")
    return differences(
        [operation.name for operation in document.operations()],
        [f"{row[0]} {row[1].strip(chr(34))}" for row in routes], "route")


def check_keys(document, repo):
    """Only operations that change something take an Idempotency-Key."""
    for method, path, *columns in rows_of(repo, "routes.def"):
        operation = document.paths.get(path.strip('"'), {}).get(method)
        takes = KEYED_SHAPES & set(columns)
        if operation and ("Idempotency-Key" in operation.parameters) != \
                bool(takes):
            yield f"{operation.name} and its Idempotency-Key"


def check_codes(document, errors):
    yield from differences(
        document.schemas["ProblemCode"]["enum"], errors, "code")
    listed = set()
    for operation in document.operations():
        for status, response in operation.responses.items():
            listed |= response.codes
            for code in sorted(response.codes):
                if code in errors and errors[code][0] != status:
                    yield (f"{operation.name}: {code} is {errors[code][0]}, "
                           f"not {status}")
    for code in sorted(set(errors) - listed - WITHOUT_OPERATION):
        yield f"no operation lists the code {code}"
    for code in sorted(listed & WITHOUT_OPERATION):
        yield f"an operation lists the code {code}"


def words_of(schema, steps):
    """The words of an enum, through all forms of a schema."""
    if "oneOf" in schema:
        return [word for branch in schema["oneOf"]
                for word in words_of(branch, steps)]
    if steps:
        return words_of(schema["properties"][steps[0]], steps[1:])
    return schema["enum"]


def enum_of(document, places):
    words = []
    for place in places.split():
        name, *steps = place.split("/")
        words += words_of(document.schemas[name], steps)
    return list(dict.fromkeys(words))


def check_enum(document, repo, where, *rows):
    words, documented = column(repo, *rows), enum_of(document, where)
    yield from differences(documented, words, "word")
    if where in document.schemas and documented != words and \
            sorted(documented) == sorted(words):
        yield f"the order is {words}"


def check_name_faults(document, repo):
    """Other members have other faults, so the document may list more; and
    the description of a name says what each of its own means."""
    name = document.schemas["WantedName"]["description"]
    for code in column(repo, "internal/auth/name_fault.def", 1):
        if code not in document.schemas["FaultCode"]["enum"]:
            yield f"the fault {code} is not in the document"
        if f"`{code}`" not in name:
            yield f"WantedName does not explain {code}"


def read_sources(repo, pattern, word):
    """All matches of word in the source files of a pattern."""
    found = []
    for path in sorted(glob.glob(os.path.join(repo, pattern))):
        with open(path, encoding="utf-8") as file:
            found += word.findall(file.read())
    return found


# Lists of words for each of which a client has a sentence of this kind.
TOLD = [
    ("Outcome", "outcome"), ("FamigliaResult/reason", "reason"),
    ("DecidedBy", "decision"), ("QuestionCode", "question"),
    ("SpecialistCode", "announcement"), ("Event/type", "event"),
    ("GangGame/status FamigliaGame/status", "status"),
]


def check_sentences(document, repo):
    """Each word of these lists has one, and each place is a member of it.

    A member that may be null is a place only if there is a sentence for null, too.
    """
    rows = rows_of(repo, "sentence.def")
    rows = [[cell.strip('"') for cell in row] for row in rows]
    for where, kind in TOLD:
        told = {row[1] for row in rows if row[0] == kind}
        for word in enum_of(document, where):
            if word not in told:
                yield f"{kind} {word} has no sentence"
    english = read_english(repo)
    places = set()
    members = {schema["properties"]["type"]["enum"][0]: members_of(schema)
               for schema in document.schemas["Event"]["oneOf"]}
    for kind, code, part, member, *_ in rows:
        # The build fails when there is no such text.
        text = english.get(f"{kind}.{code}.{part}", "")
        named = set(PLACE.findall(text))
        places |= named
        if kind == "event":
            named |= {member} - {"NULL"}
            for place in sorted(named - set(members.get(code, {}))):
                yield f"event {code} has no member {place}"
            if member == "NULL" and not any(
                    row[1] == code and row[4] == "null" for row in rows):
                for place in named & set(members.get(code, {})):
                    if is_nullable(members[code][place]):
                        yield f"event {code} has {place}, which may be null"
    yield from differences(document.schemas["SentencePlace"]["enum"], places,
                           "place")


PLACE = re.compile(r"\{([a-z_]+)\}")
ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr ((?:".*"\n?)+)', re.M)


def read_english(repo):
    return {key: "".join(map(json.loads, strings.split("\n")[:-1]))
            for key, strings in ENTRY.findall(games.read("texts/en.po", repo))}


def members_of(schema):
    """The members of an event, and those of its data."""
    members = {}
    for branch in schema.get("oneOf", []):
        members.update(members_of(branch))
    members.update(schema.get("properties", {}))
    return {**members_of(members["data"]), **members} \
        if "data" in members else members


def is_nullable(schema):
    return "null" in schema.get("type", []) or \
        any(map(is_nullable, schema.get("oneOf", [])))


def check_rulesets(document, repo):
    words = read_sources(repo, RULESET_SOURCES, RULESET)
    for where in RULESETS:
        for fault in differences(enum_of(document, where), words, "ruleset"):
            yield f"{where}: {fault}"


def check_actions(document, repo):
    words = [word for path in ACTIONS
             for word in read_sources(repo, path, ACTION)]
    for where in ACTION_PLACES:
        for fault in differences(enum_of(document, where), words, "action"):
            yield f"{where}: {fault}"


def check_commands(document, repo):
    """POST .../actions has the refusals of all moves, and no others."""
    moves = {row[1].strip('"') for row in rows_of(repo, "action.def")}
    listed = {path: {code for response in document.paths[path]["POST"]
                     .responses.values() for code in response.codes}
              for path in [GAME + "/actions", *(GAME + move for move in moves)]}
    whole = listed.pop(GAME + "/actions")
    return differences(whole, set().union(*listed.values()), "code")


def check_events(document, repo):
    words = [word for path, index in EVENTS
             for word in column(repo, path, index)]
    return differences(enum_of(document, "Event/type"), words + [HIDDEN],
                       "event")


def check_members(document):
    """Requests have only documented members; answers may have more.

    No documented member is left out.
    """
    sent = document.sent()

    def look(schema, where):
        if isinstance(schema, list):
            for index, item in enumerate(schema):
                yield from look(item, f"{where}/{index}")
        if not isinstance(schema, dict):
            return
        members = schema.get("properties")
        if schema.get("type") == "object" and members:
            is_sent = where.split("/")[0] in sent
            is_closed = schema.get("additionalProperties") is False
            if is_sent != is_closed:
                yield f"{where} is {'closed' if is_closed else 'open'}"
            if set(members) != set(schema.get("required", [])) \
                    and where not in OPTIONAL:
                yield f"{where} has members that are not required"
        for key, item in (members or {}).items():
            yield from look(item, f"{where}/{key}")
        for key in ("items", "oneOf", "anyOf", "allOf"):
            yield from look(schema.get(key), where)

    for name, schema in document.raw["components"]["schemas"].items():
        if not name.startswith("OpenApi"):
            yield from look(schema, name)


def check_parameters(document):
    """Each operation names all its parameters itself.

    Swagger UI loses those of a path when a link leads to the operation.
    """
    for path, item in document.raw["paths"].items():
        if "parameters" in item:
            yield f"{path} has parameters outside its operations"


def check_forms(document):
    """A value fits at most one form of a oneOf."""
    seen = set()
    for name, schema in document.schemas.items():
        yield from forms.alike(schema, name, seen)


def check_headers(document):
    for operation in document.operations():
        for status, response in operation.responses.items():
            for name in sorted(COMMON):
                if not response.headers.get(name, [False])[0]:
                    yield f"{operation.name} {status} lacks {name}"


def check_examples(document, repo, errors):
    used = []
    for where, media in document.media:
        validator = documents.compiled(media["schema"])
        values = [media["example"]] if "example" in media else []
        values += [item["value"] for item in media.get("examples", {}).values()]
        for value in values:
            used.append(value)
            for fault in documents.faults_in(validator, value):
                yield f"{where}: {fault}"
            if where.endswith(documents.STREAM):
                for fault in stream_faults(document, value):
                    yield f"{where}: {fault}"
            yield from check_problem_example(where, value, errors)
    for name, value in documents.examples(repo):
        if value not in used:
            yield f"api/examples/{name} is used nowhere"


def check_problem_example(where, value, errors):
    """A problem in an example says what the service would say.

    The detail of a 409 with "now" may say more than err.def.
    """
    for told in value.get("problems", []) if isinstance(value, dict) else []:
        if errors.get(told["code"]) != [told["status"], told["title"],
                                        told["text"]]:
            yield f"{where}: {told['code']} reads otherwise in err.def"
    if not isinstance(value, dict) or "instance" not in value:
        return
    said = [value["status"], value["title"], value["detail"]]
    known = errors.get(value["code"])
    if "now" in value and known:
        said, known = said[:2], known[:2]
    if said != known:
        yield f"{where}: {value['code']} reads otherwise in err.def"


def read_errors(repo):
    return {
        code.strip('"'): [STATUS_OF_KIND[kind], *map(json.loads, texts)]
        for _, code, kind, *texts in documents.rows(
            repo, "internal/base/err.def") if kind != "NONE"}


def check_sources(document, repo, tally):
    errors = read_errors(repo)
    tally.check("routes.def", check_routes(document, repo))
    tally.check("keys", check_keys(document, repo))
    tally.check("err.def", check_codes(document, errors))
    for where, *rows in ENUMS:
        tally.check(f"enum {where}", check_enum(document, repo, where, *rows))
    tally.check("name_fault.def", check_name_faults(document, repo))
    tally.check("legal actions", check_actions(document, repo))
    tally.check("refusals of every move", check_commands(document, repo))
    tally.check("event.def", check_events(document, repo))
    tally.check("sentence.def", check_sentences(document, repo))
    tally.check("rulesets", check_rulesets(document, repo))
    tally.check("census", census.faults(document))
    tally.check("members of objects", check_members(document))
    tally.check("parameters", check_parameters(document))
    tally.check("forms", check_forms(document))
    tally.check("headers of every answer", check_headers(document))
    tally.check("examples", check_examples(document, repo, errors))


def check_released(document, repo):
    """A client of the released document goes on working."""
    return compatible.unexcused(
        compatible.faults(documents.released(repo), document.raw))


def check_version(document, program):
    done = subprocess.run([program, "--version"], check=True, text=True,
                          stdout=subprocess.PIPE)
    return differences({document.raw["info"]["version"]},
                       {done.stdout.strip()}, "version")


def exchange_faults(document, repo, path, checker):
    """The faults of the exchanges in a file."""
    told = Told(repo)
    with open(path, encoding="utf-8") as file:
        for line in file:
            exchange = json.loads(line)
            for fault in [*checker.check(exchange), *told.check(exchange)]:
                yield ("{story}:{line} {method} {target} -> {status}: "
                       .format(**exchange) + fault)


def check_exchanges(document, repo, path, seen, tally):
    """One test of all answers; writes what they met to a file."""
    checker = Checker(document)
    tally.check("every answer is as the document says",
                exchange_faults(document, repo, path, checker))
    with open(seen, "w", encoding="utf-8") as file:
        json.dump({"statuses": sorted(checker.statuses),
                   "codes": sorted(checker.codes)}, file)


def check_seen(document, paths, tally):
    """The stories together have met every operation and every problem."""
    statuses, codes = set(), set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            seen = json.load(file)
        statuses |= {tuple(each) for each in seen["statuses"]}
        codes |= set(seen["codes"])
    answered = {name for name, status in statuses if status < 400}
    for operation in document.operations():
        missing = [
            str(status)
            for status in sorted(set(operation.responses) - ANYWHERE)
            if (operation.name, status) not in statuses]
        if missing:
            print(f"never seen: {operation.name} {' '.join(missing)}")
    tally.check("every operation has answered", differences(
        {operation.name for operation in document.operations()}, answered,
        "operation"))
    tally.check("every problem was met", differences(
        set(document.schemas["ProblemCode"]["enum"]) - UNREACHABLE,
        codes - UNREACHABLE, "code"))


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--repo", default=".", help="the repository")
    options.add_argument("--exchanges", metavar="FILE")
    options.add_argument("--seen", metavar="FILE", nargs="+")
    options.add_argument("--program", metavar="FILE")
    options.add_argument("--self-test", action="store_true")
    options = options.parse_args()

    tally = Tally()
    documents.checks_schemas = not options.exchanges and not options.seen
    document = documents.load(options.repo)
    if options.exchanges:
        check_exchanges(document, options.repo, options.exchanges,
                        options.seen[0], tally)
    elif options.seen:
        check_seen(document, options.seen, tally)
    elif options.self_test:
        import selftest
        selftest.run(document, options.repo, tally)
    else:
        check_sources(document, options.repo, tally)
        tally.check("api/released.yaml",
                    check_released(document, options.repo))
        tally.check("version", check_version(document, options.program))
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
