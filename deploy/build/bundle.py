#!/usr/bin/python3
"""Make the served document from openapi.yaml and examples/*.

    bundle.py api/openapi.yaml OUT.yaml OUT.json

In the source each example is a file of its own (externalValue), so that tests
can use it.  The served document must stand alone, so this program inserts the
text of each file.  JSON is YAML too, so the text around an example stays as it
was written.  A stream becomes a string.

A success that operations share is written into each of them: several generators take
the body of a response only from the operation itself.
"""

import json
import os
import re
import sys
import textwrap

import yaml

EXTERNAL = re.compile(
    r"^( *)externalValue: (examples/[a-z_]+\.(?:json|stream))$", re.M)


SHARED = re.compile(
    r'^( *)("2\d\d"): \{\$ref: "#/components/responses/(\w+)"\}\n', re.M)


def inline_successes(text):
    """Put each shared success into its operations, and out of the components."""
    start = text.index("\n  responses:\n", text.index("\ncomponents:\n"))
    shared = {}
    for name in {match[2] for match in SHARED.findall(text)}:
        found = re.compile(rf"^    {name}:\n((?: {{6}}.*\n|\n)+)", re.M).search(
            text, start)
        shared[name] = (found.group(0), textwrap.dedent(found.group(1)))

    def put_in(match):
        indent, status, name = match.groups()
        return f"{indent}{status}:\n" + textwrap.indent(shared[name][1],
                                                       indent + "  ")

    text = SHARED.sub(put_in, text)
    for block, _ in shared.values():
        text = text.replace(block, "", 1)
    return text


def bundle(path):
    """The text of the document with its examples in it."""
    folder = os.path.dirname(path)

    def put_in(match):
        indent, name = match.groups()
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        if name.endswith(".json"):
            value = textwrap.indent(text.rstrip(), indent + "  ")
        else:
            value = indent + "  " + json.dumps(text)
        return f"{indent}value:\n{value}"

    with open(path, encoding="utf-8") as file:
        return EXTERNAL.sub(put_in, inline_successes(file.read()))


def main():
    source, out_yaml, out_json = sys.argv[1:]
    text = bundle(source)
    with open(out_yaml, "w", encoding="utf-8") as file:
        file.write(text)
    with open(out_json, "w", encoding="utf-8") as file:
        document = yaml.load(text, Loader=yaml.CSafeLoader)
        json.dump(document, file, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
