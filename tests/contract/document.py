"""The OpenAPI document and the .def files of the sources, ready to compare."""

import functools
import hashlib
import json
import marshal
import os
import re
import sys
from datetime import datetime
from uuid import UUID

import jsonschema
import yaml

METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = "application/problem+json"
STREAM = "text/event-stream"

# --- schemas ---------------------------------------------------------------

FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("uuid")
def _is_uuid(value):
    return not isinstance(value, str) or _reads(lambda: str(UUID(value)), value)


@FORMATS.checks("date-time")
def _is_time(value):
    return not isinstance(value, str) or bool(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value)
        and _reads(lambda: datetime.fromisoformat(value[:19]) and value, value))


@FORMATS.checks("uri-reference")
def _is_uri_reference(value):
    return not isinstance(value, str) or bool(re.fullmatch(r"[!-~]*", value))


def _reads(read, wanted):
    try:
        return read() == wanted
    except ValueError:
        return False


def _one_of(validator, branches, instance, schema):
    """oneOf, but only the branch that the discriminator names."""
    name = schema.get("discriminator", {}).get("propertyName")
    if not name or not isinstance(instance, dict):
        yield from jsonschema.Draft202012Validator.VALIDATORS["oneOf"](
            validator, branches, instance, schema)
        return
    for branch in branches:
        if instance.get(name) in words_of(branch, name):
            yield from validator.descend(instance, branch)
            return
    yield jsonschema.ValidationError(
        f"{name} {instance.get(name)!r} is not a documented one")


# Keywords by which another schema describes members of the same object.
IN_PLACE = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else",
            "dependentSchemas", "$ref", "$dynamicRef"}

# Copies by the id of a schema, with the schema itself: it keeps the id taken.
_copies = {}


def _closed(schema, is_whole=True):
    """The same schema, but no object has a member that it does not tell of.

    To clients the document leaves answers open, since they may grow; what the
    service answers today has to be documented.  Each part of an allOf documents
    some members.  Where a schema says itself what becomes of unknown members, it
    is believed.
    """
    key = id(schema), is_whole
    if key not in _copies:
        closed = dict(schema)
        if "properties" in schema:
            closed["properties"] = {
                name: _closed(member)
                for name, member in schema["properties"].items()}
        if "items" in schema:
            closed["items"] = _closed(schema["items"])
        has_members = "properties" in schema or "allOf" in schema
        for parts in {"oneOf", "anyOf", "allOf"} & set(schema):
            closed[parts] = [_closed(part, is_whole and not has_members)
                             for part in schema[parts]]
        if is_whole and has_members and "additionalProperties" not in schema:
            # The two are the same where no sibling part has members, and the
            # first is found out at once.
            closed["unevaluatedProperties" if IN_PLACE & set(schema)
                   else "additionalProperties"] = False
        _copies[key] = schema, closed
    return _copies[key][1]


# Checks that found no fault: the id of a schema, perhaps a keyword in it, and the
# value, or a digest of its exact text.  Most parts of an answer were in many
# answers before.
_faultless = set()


def _key(check, schema, value):
    if not isinstance(value, (dict, list)):
        return check, id(schema), type(value), value
    text = marshal.dumps(value, 0)
    return check, id(schema), hashlib.blake2b(text, digest_size=16).digest()


def _once(key, faults):
    """The faults, unless the key was faultless before."""
    if key in _faultless:
        return
    faults = list(faults())
    if not faults:
        _faultless.add(key)
    yield from faults


def _remembered(keyword, check):
    """The check of a keyword, made once for each value."""
    def checked(validator, wanted, instance, schema):
        if not isinstance(instance, (dict, list)):
            return check(validator, wanted, instance, schema)
        return _once(_key(keyword, schema, instance),
                     lambda: check(validator, wanted, instance, schema))
    return checked


def _properties(validator, properties, instance, schema):
    """As jsonschema does it, but each value is checked once by each schema."""
    if not isinstance(instance, dict):
        return
    for name, member in properties.items():
        if name in instance:
            value = instance[name]
            yield from _once(
                _key("", member, value),
                lambda: validator.descend(value, member, path=name,
                                          schema_path=name))


def _remembering():
    """The keywords under which there are more schemas."""
    checks = {**jsonschema.Draft202012Validator.VALIDATORS, "oneOf": _one_of}
    remembered = {keyword: _remembered(keyword, checks[keyword])
                  for keyword in ("items", "oneOf", "anyOf", "allOf",
                                  "unevaluatedProperties")}
    return {**remembered, "properties": _properties}


Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator, _remembering())


def faults_in(validator, value):
    """The faults of a value, a short sentence each."""
    for error in validator.iter_errors(value):
        error = jsonschema.exceptions.best_match([error])
        yield f"{error.json_path}: {error.message[:200]}"


# --- the document ----------------------------------------------------------

class Response:
    """The documented response of one operation with one status."""

    def __init__(self, raw):
        self.media = {}
        self.codes = set()
        for name, media in raw.get("content", {}).items():
            self.media[name] = compiled(media["schema"])
            if name == PROBLEM:
                self.codes = words_of(media["schema"], "code")
        self.headers = {
            name.lower(): (header.get("required", False), header["schema"])
            for name, header in raw.get("headers", {}).items()}


class Operation:
    """A method of a path."""

    def __init__(self, method, path, raw):
        self.name = f"{method.upper()} {path}"
        self.id = raw["operationId"]
        self.parameters = {each["name"] for each in raw.get("parameters", [])}
        body = raw.get("requestBody", {})
        self.body = None
        if body:
            self.body = compiled(body["content"]["application/json"]["schema"])
        self.body_required = body.get("required", False)
        self.responses = {
            int(status): Response(response)
            for status, response in raw["responses"].items()}


def words_of(schema, name):
    """The words that a schema allows for a member."""
    if "oneOf" in schema:
        return set.union(*(words_of(form, name) for form in schema["oneOf"]))
    if "allOf" in schema:
        return set.intersection(*(
            words_of(part, name) for part in schema["allOf"]))
    return set(schema["properties"].get(name, {}).get("enum", []))


# Schemas are shared objects once resolved; each is compiled only once.  Checking
# one takes long, and the self-test loads most of them many times.  Programs that
# only look at answers leave it to the one that looks at the document.
checks_schemas = True
_compiled = {}
_checked = set()


def compiled(schema):
    if id(schema) not in _compiled:
        if checks_schemas and repr(schema) not in _checked:
            jsonschema.Draft202012Validator.check_schema(schema)
            _checked.add(repr(schema))
        _compiled[id(schema)] = (
            Validator(_closed(schema), format_checker=FORMATS), schema)
    return _compiled[id(schema)][0]


class Document:
    """api/openapi.yaml with its examples, and every $ref resolved."""

    def __init__(self, raw):
        self.raw = raw
        self._resolved = {}
        whole = self.resolve(self.raw)
        self.schemas = whole["components"]["schemas"]
        self.problem = compiled(self.schemas["Problem"])
        self.paths = {}
        for path, item in whole["paths"].items():
            self.paths[path] = {
                method.upper(): Operation(method, path, item[method])
                for method in METHODS if method in item}
        self.media = list(self._media(whole))
        self._patterns = [
            (re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), path)
            for path in sorted(self.paths, key=lambda path: path.count("{"))]

    def resolve(self, node):
        if isinstance(node, list):
            return [self.resolve(item) for item in node]
        if not isinstance(node, dict):
            return node
        ref = node.get("$ref")
        if ref is None:
            return {key: self.resolve(item) for key, item in node.items()}
        if ref not in self._resolved:
            self._resolved[ref] = self.resolve(self._target(ref))
        return self._resolved[ref]

    def _target(self, ref):
        target = self.raw
        for step in ref.removeprefix("#/").split("/"):
            target = target[step]
        return target

    def _media(self, node, where="#"):
        """Every media type object with a schema, and its place."""
        if isinstance(node, list):
            for index, item in enumerate(node):
                yield from self._media(item, f"{where}/{index}")
        elif isinstance(node, dict):
            if "schema" in node and ("example" in node or "examples" in node):
                yield where, node
            for key, item in node.items():
                yield from self._media(item, f"{where}/{key}")

    def sent(self):
        """The names of the schemas that are a part of some request's body."""
        names = set()

        def follow(node):
            if isinstance(node, list):
                for item in node:
                    follow(item)
            elif isinstance(node, dict):
                ref = node.get("$ref", "")
                name = ref.removeprefix("#/components/schemas/")
                if ref and name not in names:
                    names.add(name)
                    follow(self._target(ref))
                for item in node.values():
                    follow(item)

        for item in self.raw["paths"].values():
            for method in METHODS:
                follow(item.get(method, {}).get("requestBody"))
        return names

    @functools.lru_cache(maxsize=None)
    def find(self, path):
        """The template that a path fits, or None: no part has a %."""
        if "%" in path:
            return None
        for pattern, template in self._patterns:
            if pattern.fullmatch(path):
                return template
        return None

    def operations(self):
        for methods in self.paths.values():
            yield from methods.values()


# --- the repository --------------------------------------------------------

def rows(repo, path):
    """The rows of a .def file, each the list of its columns as written."""
    with open(os.path.join(repo, path), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return [
        [column.strip() for column in re.findall(
            r'"(?:[^"\\]|\\.)*"|[^,"]+', row) if column.strip()]
        for row in re.findall(
            r'^[A-Z_]+\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)', text, flags=re.M)]


def load(repo):
    """The document as it is served."""
    sys.path.insert(0, os.path.join(repo, "deploy", "build"))
    sys.dont_write_bytecode = True
    import bundle  # deploy/build/bundle.py
    return _read(bundle.bundle(os.path.join(repo, "api", "openapi.yaml")))


# The self-test loads most copies of the sources with the same document.
@functools.lru_cache(maxsize=4)
def _read(text):
    return Document(yaml.load(text, Loader=yaml.CSafeLoader))


def released(repo):
    """The document as clients were last given it."""
    path = os.path.join(repo, "api", "released.yaml")
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader)


def examples(repo):
    folder = os.path.join(repo, "api", "examples")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            yield name, json.load(file) if name.endswith(".json") \
                else file.read()
