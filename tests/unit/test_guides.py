"""Each block of commands that a guide names is run by a test, and the other way round.

A guide for operators is a README of deploy/, or that of the project.  What a test asks
for is read from its source (harness/guide.py); that it has really got each of these
blocks, it checks itself when it ends (guide.check_all_given(), or check_blocks of
deploy/local/debian.sh).

Examples for clients (api/) are run in other ways, and the comment before one names the
folder of tests that takes it from its guide: tests/sdk, tests/browser, tests/http.
"""
import collections
import os
import re

import guide
import pytest

GUIDES = [path for path in guide.files(".md") if not path.startswith("tests/")]
OPERATORS = [path for path in GUIDES if re.match(r"deploy/|README\.md", path)]
TESTS = [path for path in guide.files(".py", ".sh")
         if path not in ("tests/harness/guide.py", "tests/unit/test_guides.py")]
BLOCKS = list(guide.blocks())
USES, FAULTS = [], []
for each in TESTS:
    found, faults = guide.uses(each)
    USES += found
    FAULTS += faults
ASKED = {(use.kind, use.name) for use in USES}
FENCE = re.compile(r"^ *```(\w*)\n.*?^ *```$", re.S | re.M)
# Of examples for clients: "tests/FOLDER ... it", and a session of curl.md.
EXAMPLE = re.compile(r"^<!-- (tests/\w+) .*\bit\b.* -->\n```", re.M)
SESSION = re.compile(r"^<!-- (\w+)(?:: (tests/[\w./]+) runs it.*)? -->\n```sh", re.M)


def test_there_are_blocks():
    assert len(BLOCKS) > 50 and len(USES) > len(BLOCKS)


@pytest.mark.parametrize("key", [key for key, _, _ in BLOCKS], ids=": ".join)
def test_a_test_runs_the_block(key):
    assert key in ASKED, "no test runs it: name it in one, or indent it"


def test_tests_ask_for_blocks_that_exist():
    there = {key for key, _, _ in BLOCKS}
    assert not [use for use in USES if (use.kind, use.name) not in there]


def test_which_blocks_tests_ask_for_can_be_told():
    assert not FAULTS, "name the block by a constant"


def test_each_block_has_a_name_of_its_own():
    counts = collections.Counter(key for key, _, _ in BLOCKS)
    assert not [key for key, count in counts.items() if count > 1]


def test_each_name_is_that_of_a_block():
    """A blank line after the comment, or another language, would hide the block."""
    named = [(found[1], found[2]) for path in GUIDES
             for found in guide.NAMED.finditer(guide.read(path))]
    assert sorted(named) == sorted(key for key, _, _ in BLOCKS)


@pytest.mark.parametrize("path", OPERATORS)
def test_commands_of_operators_have_names(path):
    """What is to be pasted is fenced, and has a name; an illustration is indented."""
    text = guide.read(path)
    fenced = [text.count("\n", 0, found.start()) + 1 for found in FENCE.finditer(text)
              if found[1] in ("", "sh", "bash", "shell", "console")]
    named = [text.count("\n", 0, found.start()) + 2
             for found in guide.BLOCK.finditer(text)]
    assert fenced == named, "lines of fences, and of those with names"


def test_each_test_checks_that_it_was_given_its_blocks():
    """The modules that only help a test name the one that does."""
    helpers = {"tests/citus/nodes.py": "tests/citus/test_citus.py",
               "tests/bench/day.py": "tests/bench/soak.py"}
    for path in {use.path for use in USES}:
        text = guide.read(helpers.get(path, path))
        assert re.search(rf"check_blocks {re.escape(path)}$|"
                         r"\bguide\.check_all_given\(", text, re.M), path


def test_examples_for_clients_name_their_tests():
    examples = [(path, found[1]) for path in GUIDES
                for found in EXAMPLE.finditer(guide.read(path))]
    assert len(examples) >= 6
    for path, folder in examples:
        readers = [test for test in TESTS if test.startswith(folder + "/") and
                   "/".join(path.split("/")[-2:]) in guide.read(test)]
        assert readers, f"{path}: no test of {folder} reads it"


def test_sessions_of_curl_name_their_test():
    path = "api/curl.md"
    sessions = {}
    for found in SESSION.finditer(guide.read(path)):
        sessions[found[1]] = sessions.get(found[1]) or found[2]
    assert len(sessions) == 4
    for word, test in sessions.items():
        assert test and os.path.exists(os.path.join(guide.ROOT, test)), word
        text = guide.read(test)
        assert path in text and re.search(rf"\$\(\s*session {word}\)", text), word
