#!/usr/bin/python3
"""The language of stories is what tests/http/README.md says.

The words in the first columns of its tables are compared with the words that
the runner's sources know: the statements of script.c, what expect.c, stream.c,
play.c and the two arrange files compare a word with, and the commands of
operator.sh.  A word that only one side has fails.
"""

import glob
import os
import re
import sys

HTTP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../http")
# Not words of the language: signs of the grammar, and places of the runner.
SIGNS = {"->", "|", "="}


def read(name):
    with open(os.path.join(HTTP, name), encoding="utf-8") as file:
        return file.read()


def documented(page):
    """The words in the first columns of tables with a column "word"."""
    words = set()
    is_words = False
    for line in page.split("\n"):
        if not line.startswith("|"):
            is_words = False
        elif line.startswith("| word |"):
            is_words = True
        elif is_words and line.startswith("| `"):
            words.add(line.split("`")[1])
    return words


def known():
    words = set()
    for path in glob.glob(os.path.join(HTTP, "*.c")):
        source = read(path)
        for name in re.findall(r'\btext_take\([^()]*, "([^"]+)"\)', source):
            words.add(name.rstrip(","))
        words.update(re.findall(r'\bstrcmp\((?:verb|word), "([^"]+)"\)',
                                source))
    words.update(re.findall(r'\{ "([a-z]+)", do_\w+', read("script.c")))
    for pattern in re.findall(r'^("[^)]*)\)', read("operator.sh"), re.M):
        words.update(name.strip() for name in re.findall(r'"([^"]+)"', pattern))
    return words - SIGNS


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
