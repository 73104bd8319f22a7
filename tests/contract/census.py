"""Counts what generators of clients make poor code of, anywhere in the document.

A union of objects needs a discriminator, since most languages have no other
way to tell its forms apart, and each form one word, since they make one class
of each form.  Null has no name, since a class that may be null is a class of
its own, or never null; it is written where the member is.  A header field has no
enum, since each operation with the field would get a class for it.  Objects
have names, since a generator's are those of the place.  An enum has no bounds
next to it, since generators would write both checks, of which one has no type
for the other.  A schema, a parameter and a response have different names, since
a generator imports them side by side.  So have the parameters of an operation,
also without their hyphens, since a generator makes arguments of one function of
them.
"""

import re

from document import METHODS, words_of

REF = "#/components/schemas/"
NULL = {"type": "null"}
UNIONS = {"oneOf", "anyOf"}

BOUNDS = {"minimum", "maximum", "minLength", "maxLength", "pattern"}

# The components that become types of these names.
NAMED = ("schemas", "parameters", "responses")

# The members that may be next to a $ref.
BESIDE = {"$ref", "description"}


def parts(schema):
    """The schemas directly in a schema, each with the way to it."""
    for name, member in schema.get("properties", {}).items():
        yield name, member
    for key in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(key), dict):
            yield key, schema[key]
    for key in ("oneOf", "anyOf", "allOf"):
        for index, part in enumerate(schema.get(key, [])):
            yield f"{key}/{index}", part


def all_schemas(node, where, is_header=False):
    """Every schema of the document, its place, and whether a header has it."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from all_schemas(item, f"{where}/{index}", is_header)
    if not isinstance(node, dict):
        return
    for key, item in node.items():
        if key == "schema":
            yield from below(item, where, is_header)
        elif key == "schemas":
            for name, schema in item.items():
                yield from below(schema, name, False)
        elif key not in ("example", "examples"):
            yield from all_schemas(item, f"{where}/{key}",
                                   is_header or key == "headers")


def below(schema, where, is_header):
    yield where, schema, is_header
    for name, part in parts(schema):
        yield from below(part, f"{where}/{name}", is_header)


class Census:
    """The faults of a document, as it is written and with every $ref resolved.
    """

    def __init__(self, document):
        self.document = document
        self.schemas = document.schemas

    def whole(self, schema):
        return self.document.resolve(schema)

    def is_object(self, schema):
        schema = self.whole(schema)
        return schema.get("type") == "object" or any(
            self.is_object(part) for key in (*UNIONS, "allOf")
            for part in schema.get(key, []))

    def faults(self):
        raw = {key: self.document.raw.get(key, {})
               for key in ("paths", "webhooks", "components")}
        for where, schema, is_header in all_schemas(raw, ""):
            for fault in self.faults_of(schema, is_header):
                yield f"{where}: {fault}"
        for name, schema in self.schemas.items():
            if may_be_null(schema):
                yield f"{name}: null has a name"
        names = [name for kind in NAMED
                 for name in raw["components"].get(kind, {})]
        for name in sorted(set(names)):
            if names.count(name) > 1:
                yield f"{name}: the name of more than one component"
        for path, item in self.whole(raw["paths"]).items():
            for method in set(METHODS) & set(item):
                for name in twice(item[method].get("parameters", [])):
                    yield f"{method.upper()} {path}: two parameters are {name}"

    def faults_of(self, schema, is_header):
        if "$ref" in schema:
            more = sorted(set(schema) - BESIDE)
            return [f"{', '.join(more)} beside $ref"] if more else []
        faults = []
        if is_header and "enum" in schema:
            faults.append("an enum of a header field")
        if "enum" in schema and BOUNDS & set(schema):
            faults.append("bounds beside an enum")
        faults += ["an object without a name" for name, part in parts(schema)
                   if part.get("type") == "object"]
        if len(schema.get("allOf", [])) == 1:
            faults.append("allOf of one schema, not $ref")
        for key in UNIONS & set(schema):
            faults += self.faults_of_union(schema, schema[key])
        return faults

    def faults_of_union(self, schema, branches):
        forms = [branch for branch in branches if branch != NULL]
        if len(forms) < 2:
            return [] if len(branches) == 2 else ["a union of one"]
        if len(forms) < len(branches):
            return ["null beside several forms"]
        if not any(map(self.is_object, forms)):
            return []
        if "discriminator" not in schema:
            return ["a union of objects without a discriminator"]
        return list(self.faults_of_words(schema["discriminator"], forms))

    def faults_of_words(self, rule, forms):
        """The faults of a discriminator: each form has one word."""
        name, mapping = rule["propertyName"], rule.get("mapping", {})
        for form in forms:
            whole, ref = self.whole(form), form.get("$ref", "")
            words = sorted(words_of(whole, name))
            if not ref.startswith(REF):
                yield "a form without a name"
            elif len(words) != 1:
                yield f"{ref.removeprefix(REF)} has the words {words}"
            elif mapping.get(words[0]) != ref:
                yield f"the word {words[0]} is led astray"
            if not needs(whole, name):
                yield f"{ref.removeprefix(REF)} may lack {name}"
        if len(mapping) != len(forms):
            yield f"{len(mapping)} words for {len(forms)} forms"


def twice(parameters):
    """The names that more than one parameter has, as generators write them."""
    names = [re.sub(r"[^a-z0-9]", "", each["name"].lower())
             for each in parameters]
    return sorted({name for name in names if names.count(name) > 1})


def needs(schema, name):
    return name in schema.get("required", []) or any(
        needs(part, name) for part in schema.get("allOf", []))


def may_be_null(schema):
    types = schema.get("type", [])
    return types == "null" or "null" in types or any(
        may_be_null(part) for key in UNIONS for part in schema.get(key, []))


def faults(document):
    return Census(document).faults()
