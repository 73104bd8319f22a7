"""The commands of deploy/README.md, or another guide, that tests run as they stand.

A block of the document has a name, in a comment before it: "<!-- KIND: NAME -->".
"""
import os
import re

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                        "deploy", "README.md")


def block(kind, name, document=DOCUMENT):
    """The shell of a block."""
    with open(document, encoding="utf-8") as file:
        found = re.search(rf"<!-- {kind}: {re.escape(name)} -->\n```sh\n"
                          "(.*?)^```$", file.read(), re.S | re.M)
    if not found:
        raise SystemExit(f"{document} has no block \"{kind}: {name}\"")
    return found[1]
