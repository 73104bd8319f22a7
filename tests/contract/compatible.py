"""May clients of the released document go on with the present one?

A valid request must stay valid, so the released schema of a request must fit
into the present one; and the present schema of an answer must fit into the
released one.  Both are the same question with the sides exchanged.  A body may
get new members, and may not lose any.  The receiver of a webhook reads its body and
its header fields as a client reads those of an answer.
"""

import fnmatch
import re

METHODS = ("get", "post", "put", "patch", "delete")

# The longest text where the document sets no limit.
LONGEST = {"header": 5120, "path": 2048, "query": 2048, "body": 4096}

# Fields that HTTP's own machinery reads, and no client.
OF_HTTP = {"cache-control", "vary"}

# A fault, without the operation and the status at its beginning.
TAIL = re.compile(r"((?:[A-Z]+ )?(?:webhooks)?/\S*(?: \d+)?)(.*)", re.S)

# A pattern that only one text fits, or two.
PLAIN = re.compile(r"\^([\w =\"/,-]+)(?:\(([\w =\"/,-]+)\)\?)?\$")

# The pairs of keywords for a least and a greatest number.
BOUNDS = [("minimum", "maximum"), ("minLength", "maxLength"),
          ("minItems", "maxItems"), ("minProperties", "maxProperties")]

# Members whose word says which form of a schema it is.
TELLING = {"type", "code", "ruleset", "action"}

# Changes of the document that change nothing for a client, since the service
# behaved like that before, each with the reason.  A line that fits nothing any
# more is a fault; a release empties the list.
EXCUSED = {
    "* header If-Match: *another": "an invalid tag matches no game",
    "* header If-None-Match: *another": "as If-Match",
    "* header Prefer: *another": "HTTP never allowed such a value",
    "* header Accept-Language: *another": "as Prefer",
    "* path code: *another": "an invalid code invites to no game",
    "* body.invite_code: *another": "as above",
    "* path game_id: *another": "it says what a UUID looks like",
    "* query cursor: *another": "as game_id",
    "* body.hands: m??Length is another": "as long as the pattern is",
    "* body.card: m??Length is another": "as above",
    "* body.name: the pattern is another": "a blank name was refused",
    "*.href: the format is another": "a path, as the pattern says, is one",
    "* /v1/games/{game_id}/events 200 ETag: may be missing":
        "of streams, which are new",
    "*.legal_actions.choose: minProperties is another": "its members changed",
    "*.legal_actions.choose.*: object is new": "a list became a form",
    "*.legal_actions.body.*: is gone": "each action has those that it needs",
    "*.legal_actions.choose.*: is gone": "as above",
    "POST */showdown/answers body.*: refuses *":
        "a value of the other sort was refused",
    "DELETE */players/{seat} 422 body: object is new":
        "of keys, which are new there",
    "GET /openapi.* 304: is new": "there was no tag to ask with",
    "GET /docs* 304: is new": "as above",
    "GET /docs/{asset} path asset: the pattern is another":
        "the page has the other files in it, and no client asked for them",
    "* body.type: the pattern is another":
        "other paths are of operators who serve the API below a path",
    "* Link: the pattern is another": "as above",
    "* Location: the pattern is another": "as above",
    "GET * 413: is gone": "a body where none is taken is 400",
    # A client of the released document asks for The Gang only.
    "GET */hand 200 body.*: may be missing": "a hand of Famiglia has others",
    "* body.events.data.players: may be missing":
        "so when a game of it starts",
    "* body.errors.pointer: may be missing":
        "as before, where a parameter or a header is at fault",
    "*heist.chips: minItems is another": "an abandoned heist has no chips",
}


# --- schemas ---------------------------------------------------------------

class Side:
    """One of the two documents."""

    def __init__(self, raw):
        self.raw = raw
        self.knows_open = "x-open" in repr(raw)
        self._kinds = {}

    def at(self, node):
        """The schema that a $ref leads to."""
        while "$ref" in node:
            target = self.raw
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            node = target
        return node

    def kinds(self, schema):
        """Each of the forms that a schema allows, without oneOf and such."""
        if id(schema) not in self._kinds:
            self._kinds[id(schema)] = schema, list(self._split(schema))
        return self._kinds[id(schema)][1]

    def _split(self, schema):
        schema = self.at(schema)
        whole = [{key: value for key, value in schema.items()
                  if key not in ("oneOf", "anyOf", "allOf", "const", "type")}]
        if "const" in schema:
            whole[0]["enum"] = [schema["const"]]
        plain = PLAIN.fullmatch(schema.get("pattern", ""))
        if plain:
            whole[0]["enum"] = sorted({plain[1], plain[1] + (plain[2] or "")})
        if schema.get("minProperties") == schema.get("maxProperties") == 1:
            whole = one_member_each(whole[0])
        for part in schema.get("allOf", []):
            whole = [merge(one, other) for one in whole
                     for other in self.kinds(part)]
        for key in {"oneOf", "anyOf"} & set(schema):
            whole = [merge(one, other) for one in whole
                     for part in schema[key] for other in self.kinds(part)]
        types = schema.get("type")
        if types is None:
            return whole
        types = types if isinstance(types, list) else [types]
        return [{**one, "type": each} for one in whole for each in types]


def one_member_each(form):
    """The same form, as one form for each of its members."""
    without = {key: value for key, value in form.items()
               if key not in ("minProperties", "maxProperties")}
    return [{**without, "properties": {name: schema}, "required": [name]}
            for name, schema in form["properties"].items()]


def merge(one, other):
    """The schema of values that fit both forms."""
    merged = {**one, **other}
    if "enum" in one and "enum" in other:
        merged["enum"] = [word for word in one["enum"]
                          if word in other["enum"]]
    for least, most in BOUNDS:
        for key, tighter in ((least, max), (most, min)):
            if key in one and key in other:
                merged[key] = tighter(one[key], other[key])
    if "required" in one or "required" in other:
        merged["required"] = sorted(
            {*one.get("required", []), *other.get("required", [])})
    if "properties" in one and "properties" in other:
        members = dict(one["properties"])
        for name, schema in other["properties"].items():
            members[name] = {"allOf": [members[name], schema]} \
                if name in members else schema
        merged["properties"] = members
    return merged


class Comparison:
    """A comparison of two documents, with its faults so far."""

    def __init__(self, released, present):
        self.released, self.present = Side(released), Side(present)
        self._found = {}

    # --- one schema ---

    def schema(self, old, new, where, place=None):
        """The faults of a schema that clients send (from a place) or read."""
        key = id(old), id(new), place
        if key not in self._found:
            self._found[key] = old, new, []  # where it comes back to itself
            self._found[key] = old, new, list(self._schema(old, new, place))
        for path, fault in self._found[key][2]:
            yield f"{where}{path}: {fault}"

    def _schema(self, old, new, place):
        olds, news = self.released.kinds(old), self.present.kinds(new)
        small, large = (olds, news) if place else (news, olds)
        sides = self.released, self.present
        mine, theirs = sides if place else reversed(sides)
        grows = not place and self.present.at(new).get("x-open", False)
        if grows and self.released.knows_open and \
                not self.released.at(old).get("x-open"):
            yield "", "the list is an open one now"
        for each in small:
            tries = [
                list(self._form(each, other, place) if place
                     else self._form(other, each, place))
                for other in large if akin(mine, each, theirs, other)]
            if not tries and not (grows and each.get("type") == "object"):
                yield "", f"{shown(each)} is {'refused' if place else 'new'}"
            yield from min(tries, key=len, default=[])

    # --- one form of it ---

    def _form(self, old, new, place):
        small, large = (old, new) if place else (new, old)
        if "type" in large and "type" not in small:
            yield "", "the type is another"
        if "enum" in large and (place or not new.get("x-open")):
            yield from words(small, large, place)
        yield from bounds(small, large, place)
        yield from texts(small, large)
        if "items" in large:
            if large.get("uniqueItems") and not small.get("uniqueItems"):
                yield "", "whether elements may be equal is another"
            yield from self._below(old.get("items", {}),
                                   new.get("items", {}), "", place)
        if large.get("additionalProperties") is False and place and \
                small.get("additionalProperties") is not False:
            yield "", "unknown members are refused"
        yield from self._members(old, new, place)

    def _members(self, old, new, place):
        small, large = (old, new) if place else (new, old)
        members = new.get("properties", {})
        for name in sorted(set(large.get("required", []))
                           - set(small.get("required", []))):
            if place or name in members:
                yield "." + name, "is needed" if place else "may be missing"
        for name, schema in old.get("properties", {}).items():
            if name in members:
                yield from self._below(schema, members[name], "." + name,
                                       place)
            else:
                yield "." + name, "is gone"

    def _below(self, old, new, path, place):
        for fault in self.schema(old, new, path, place):
            yield tuple(fault.split(": ", 1))

    # --- operations ---

    def faults(self):
        for path, item in self.released.raw["paths"].items():
            there = self.present.raw["paths"].get(path)
            if there is None:
                yield f"{path}: is gone"
                continue
            for method in METHODS:
                if method not in item:
                    continue
                name = f"{method.upper()} {path}"
                if method not in there:
                    yield f"{name}: is gone"
                    continue
                yield from self._operation(item, there, method, name)
        for name, item in self.released.raw.get("webhooks", {}).items():
            there = self.present.raw.get("webhooks", {}).get(name)
            if there is None:
                yield f"webhooks/{name}: is gone"
            else:
                yield from self._webhook(item["post"], there["post"],
                                         f"webhooks/{name}")

    def _webhook(self, old, new, name):
        present = parameters(self.present, {}, new)
        for key, before in parameters(self.released, {}, old).items():
            where, after = f"{name} {before['name']}", present.get(key)
            if not after:
                yield f"{where}: is gone"
                continue
            if before.get("required") and not after.get("required"):
                yield f"{where}: may be missing"
            yield from self.schema(before["schema"], after["schema"], where)
        before, after = (each["requestBody"]["content"]["application/json"]["schema"]
                         for each in (old, new))
        yield from self.schema(before, after, f"{name} body")

    def _operation(self, old_item, new_item, method, name):
        old, new = old_item[method], new_item[method]
        yield from self._security(old, new, name)
        yield from self._parameters(
            parameters(self.released, old_item, old),
            parameters(self.present, new_item, new), name)
        yield from self._request(old, new, name)
        yield from self._responses(old["responses"], new["responses"], name)

    def _security(self, old, new, name):
        before = old.get("security", self.released.raw.get("security", []))
        after = new.get("security", self.present.raw.get("security", []))
        for way in before or [{}]:
            if way not in (after or [{}]):
                yield f"{name}: {list(way) or 'nobody'} may not ask any more"

    def _parameters(self, old, new, name):
        for key, parameter in new.items():
            if parameter.get("required") and key not in old:
                yield f"{name} {' '.join(key)}: is needed"
        for key, parameter in old.items():
            where = f"{name} {key[0]} {parameter['name']}"
            if key not in new:
                yield f"{where}: is gone"
                continue
            if new[key].get("required") and not parameter.get("required"):
                yield f"{where}: is needed"
            before, after = parameter["schema"], new[key]["schema"]
            if self.released.at(before).get("default") != \
                    self.present.at(after).get("default"):
                yield f"{where}: the default is another"
            yield from self.schema(before, after, where, key[0])

    def _request(self, old, new, name):
        before = self.released.at(old.get("requestBody", {}))
        after = self.present.at(new.get("requestBody", {}))
        if after.get("required") and not before.get("required"):
            yield f"{name} body: is needed"
        if before and not after:
            yield f"{name} body: is gone"
            return
        for kind, media in before.get("content", {}).items():
            if kind not in after["content"]:
                yield f"{name} body: {kind} is refused"
                continue
            yield from self.schema(media["schema"],
                                   after["content"][kind]["schema"],
                                   f"{name} body", "body")

    def _responses(self, old, new, name):
        for status in sorted(set(new) - set(old)):
            if status < "400":
                yield f"{name} {status}: is new"
        for status, response in old.items():
            where = f"{name} {status}"
            if status not in new:
                yield f"{where}: is gone"
                continue
            before = self.released.at(response)
            after = self.present.at(new[status])
            yield from self._fields(before, after, where)
            for kind, media in before.get("content", {}).items():
                if kind not in after.get("content", {}):
                    yield f"{where}: {kind} is gone"
                    continue
                yield from self.schema(media["schema"],
                                       after["content"][kind]["schema"],
                                       f"{where} body")

    def _fields(self, old, new, where):
        fields = {name.lower(): self.present.at(field)
                  for name, field in new.get("headers", {}).items()}
        for name, field in old.get("headers", {}).items():
            before, after = self.released.at(field), fields.get(name.lower())
            if not after:
                yield f"{where} {name}: is gone"
                continue
            if before.get("required") and not after.get("required"):
                yield f"{where} {name}: may be missing"
            if name.lower() not in OF_HTTP:
                yield from self.schema(before["schema"], after["schema"],
                                       f"{where} {name}")


def parameters(side, item, operation):
    found = {}
    for each in item.get("parameters", []) + operation.get("parameters", []):
        parameter = side.at(each)
        found[parameter["in"], parameter["name"].lower()] = parameter
    return found


# --- what one form says ------------------------------------------------------

def akin(side, one, another, other):
    """Whether two forms are of a kind, so that their difference is reported.

    Each with the document that it is of.
    """
    types = {one.get("type"), other.get("type")}
    if len(types) > 1 and None not in types and types != {"integer", "number"}:
        return False
    if {"object"} != types:
        return True
    mine, theirs = one.get("properties", {}), other.get("properties", {})
    for name in set(mine) & set(theirs) & TELLING:
        words = said(side, mine[name]), said(another, theirs[name])
        if all(words) and not words[0] & words[1]:
            return False
    return True


def said(side, schema):
    """The words that a schema allows; empty if it allows any."""
    forms = [form.get("enum", []) for form in side.kinds(schema)]
    return set().union(*forms) if all(forms) else set()


def shown(form):
    members = form.get("properties", {})
    return str(members.get("type", {}).get("enum") or form.get("enum")
               or form.get("type", "a form"))


def words(small, large, place):
    lost = [str(word) for word in small.get("enum", ["any word"])
            if word not in large["enum"]]
    if lost:
        yield "", ("refuses " if place else "says ") + ", ".join(lost)


def bounds(small, large, place):
    if "enum" in small or small.get("type") == "null":
        return
    for least, most in BOUNDS:
        lowest = float("-inf") if least == "minimum" else 0
        if least == "minProperties":
            lowest = len(small.get("required", []))
        highest = LONGEST.get(place) if most == "maxLength" else None
        if large.get(least, lowest) > small.get(least, lowest):
            yield "", f"{least} is another"
        highest = small.get(most, highest or float("inf"))
        if large.get(most, float("inf")) < highest:
            yield "", f"{most} is another"


def texts(small, large):
    pattern = large.get("pattern")
    if pattern and pattern != small.get("pattern") and not (
            "enum" in small
            and all(re.search(pattern, word) for word in small["enum"])):
        yield "", "the pattern is another"
    form = large.get("format")
    if form not in (None, "int32", "int64", small.get("format")) \
            and "enum" not in small:
        yield "", "the format is another"


# --- all of it ---------------------------------------------------------------

def faults(released, present):
    """Every change that can break a client of the released document."""
    return list(dict.fromkeys(Comparison(released, present).faults()))


def unexcused(found):
    """The faults without an excuse, and the excuses without a fault.

    A fault that many operations share is reported once, with the first one.
    """
    places = {}
    for fault in found:
        if not any(fnmatch.fnmatchcase(fault, like) for like in EXCUSED):
            where, what = TAIL.fullmatch(fault).groups()
            places.setdefault(what, []).append(where)
    for what, where in places.items():
        more = f" (and {len(where) - 1} more)" if len(where) > 1 else ""
        yield f"{where[0]}{what}{more}"
    for like in EXCUSED:
        if not fnmatch.filter(found, like):
            yield f"nothing has to be excused by {like!r}"
