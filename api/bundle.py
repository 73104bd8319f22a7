#!/usr/bin/python3
"""Make the served document from openapi.yaml and examples/*.

    bundle.py api/openapi.yaml OUT.yaml OUT.json

In the source each example is a file of its own (externalValue), so that tests
can use it.  The served document must stand alone, so this program inserts the
text of each file.  JSON is YAML too, so the text around an example stays as it
was written.  A stream becomes a string.
"""

import json
import os
import re
import sys
import textwrap

import yaml

EXTERNAL = re.compile(
    r"^( *)externalValue: (examples/[a-z_]+\.(?:json|stream))$", re.M)


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
        return EXTERNAL.sub(put_in, file.read())


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
