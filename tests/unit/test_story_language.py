"""The language of stories is what tests/http/README.md says.

The words in the first columns of its tables are compared with the words that
the interpreter knows: its statements and comparisons, what the sources of
tests/http/story take from a line, the words of the program that arranges cards,
and the commands of operator.sh.  A word that only one side has fails.
"""

import glob
import os
import re

import pytest
from story import expect, words

HTTP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../http")

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


PAGE, SOURCES = documented(read("README.md")), known()


@pytest.mark.parametrize("word", sorted(PAGE | SOURCES))
def test_word_is_known_and_documented(word):
    assert word in PAGE, "not in tests/http/README.md"
    assert word in SOURCES, "no word of a story"


def test_the_page_has_words():
    assert len(PAGE) >= 40
