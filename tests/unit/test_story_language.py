#!/usr/bin/python3
"""The language of stories is what tests/http/README.md says.

The words in the first columns of its tables are compared with the words that
the interpreter knows: its statements and comparisons, what the sources of
tests/http/story take from a line, the words of the program that arranges cards,
and the commands of operator.sh.  A word that only one side has fails.
"""

import glob
import os
import re
import sys

HTTP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../http")
sys.path.insert(0, HTTP)
from story import expect, words

# Not words of the language: signs of the grammar.
SIGNS = {"->", "="}


def read(name):
    with open(os.path.join(HTTP, name), encoding="utf-8") as file:
        return file.read()


def documented(page):
    """The words in the first columns of tables with a column "word"."""
    found = set()
    is_words = False
    for line in page.split("\n"):
        if not line.startswith("|"):
            is_words = False
        elif line.startswith("| word |"):
            is_words = True
        elif is_words and line.startswith("| `"):
            found.add(line.split("`")[1])
    return found


def known():
    found = {*words.STATEMENTS, *words.BLOCKS, *expect.COMPARISONS,
             *expect.PRESENCE}
    for path in glob.glob(os.path.join(HTTP, "story/*.py")):
        found.update(re.findall(r'\.take\("([^"]+)"\)', read(path)))
    for path in glob.glob(os.path.join(HTTP, "arrange*.c")):
        found.update(re.findall(r'\bstrcmp\((?:verb|word), "([^"]+)"\)',
                                read(path)))
    for pattern in re.findall(r'^("[^)]*)\)', read("operator.sh"), re.M):
        found.update(name.strip() for name in re.findall(r'"([^"]+)"', pattern))
    return found - SIGNS


def main():
    page = documented(read("README.md"))
    sources = known()
    faults = ["not in tests/http/README.md: " + word
              for word in sorted(sources - page)]
    faults += ["no word of a story: " + word
               for word in sorted(page - sources)]
    for fault in faults:
        print("FAILED", fault)
    print("%d passed, %d failed" % (len(page & sources), len(faults)))
    return 1 if faults or len(page) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
