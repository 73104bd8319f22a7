#!/usr/bin/python3
"""Tell the document in OpenAPI 3.0, for generators that do not know 3.1.

    openapi30.py openapi.json OUT.json

Nothing is invented; where 3.0 has no words for what 3.1 says, it says less:

- A member that may be null is "nullable"; one that is always null may be any
  object.  A member that may be left out is not nullable.
- The member that tells the forms of a union apart is a text, not an enum of
  one word, since the classes of a union share its type.
- A boolean that is always true is a boolean.
- A union of numbers and texts is any value.
- Examples, members that come together (dependentRequired) and webhooks are left
  out, and so is "additionalProperties: true", which is so without words.
"""

import json
import sys

NULL = {"type": "null"}
LEFT_OUT = {"dependentRequired", "example", "examples", "x-open"}


def older(node):
    """A schema, or whatever has schemas, in the words of 3.0."""
    if isinstance(node, list):
        return [older(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    if "oneOf" in node and "discriminator" not in node:
        return older_union(node)
    node = {key: older(value) for key, value in node.items()
            if key not in LEFT_OUT and
            (key, value) != ("additionalProperties", True)}
    types = node.get("type")
    if types == "boolean":
        node.pop("const", None)
    if types == "null":
        node.update(type="object", nullable=True)
    elif isinstance(types, list):
        node["type"], = (each for each in types if each != "null")
        node["nullable"] = True
    if isinstance(node.get("properties"), dict):
        for name in set(node["properties"]) - set(node.get("required", [])):
            node["properties"][name].pop("nullable", None)
    return node


def older_union(node):
    rest = {key: value for key, value in node.items() if key != "oneOf"}
    forms = [older(form) for form in node["oneOf"] if form != NULL]
    if len(forms) == len(node["oneOf"]):
        return rest
    return {**rest, "nullable": True, "allOf": forms}


def free_words(schemas):
    """Make the members that tell forms apart texts."""
    for schema in list(schemas.values()):
        rule = schema.get("discriminator")
        for ref in rule["mapping"].values() if rule else ():
            form = schemas[ref.rsplit("/", 1)[1]]
            for part in [form, *form.get("allOf", [])]:
                member = part.get("properties", {}).get(rule["propertyName"])
                if member:
                    member.pop("enum", None)


def main():
    source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        document = older(json.load(file))
    document["openapi"] = "3.0.3"
    document["info"].pop("summary", None)
    document.pop("webhooks", None)
    free_words(document["components"]["schemas"])
    with open(target, "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False)


if __name__ == "__main__":
    main()
