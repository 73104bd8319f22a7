"""What to run after a change is found by a module's name, in tests/modules.txt, and for
each folder in tests/README.md.
"""
import fnmatch
import glob
import os
import re

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
OWN = ("unit/test_%s.c", "unit/test_http_%s.c", "store/test_%s.c")


def read_rows():
    with open(TESTS + "/modules.txt", encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                pattern, tests = line.split(":")
                yield pattern, tests.split()


def read_modules():
    """The modules without a test of their name."""
    internal = TESTS + "/../internal"
    for path in sorted(glob.glob("**/*.c", root_dir=internal, recursive=True)):
        module = path[:-2]
        name = module.rpartition("/")[2]
        if not any(os.path.exists(f"{TESTS}/{own % name}") for own in OWN):
            yield module


ROWS = list(read_rows())
MODULES = list(read_modules())


def row_of(module):
    """The first row that fits."""
    return next((row for row in ROWS if fnmatch.fnmatch(module, row[0])), None)


def test_each_module_has_a_row():
    missing = [module for module in MODULES if not row_of(module)]
    assert not missing, "add unit/test_X.c, or a row to tests/modules.txt"


def test_each_row_is_used():
    used = [row_of(module) for module in MODULES]
    assert not [pattern for pattern, tests in ROWS if (pattern, tests) not in used]


def test_the_tests_of_rows_exist():
    assert not [test for _, tests in ROWS for test in tests
                if not os.path.exists(f"{TESTS}/{test}")]


def read_changes():
    """The rows of README.md: the paths that change, and what to run."""
    with open(TESTS + "/README.md", encoding="utf-8") as file:
        table = file.read().partition("| changed | run |")[2].partition("\n\n")[0]
    for row in re.findall(r"^\| (`.*) \| (.*) \|$", table, re.M):
        yield tuple(re.findall(r"`([^`]*)`", cell) for cell in row)


ROOT = os.path.dirname(TESTS)
CHANGES = list(read_changes())
CHANGED = [path for paths, _ in CHANGES for path in paths]


@pytest.mark.parametrize("room", ["internal", "api", "deploy"])
def test_each_folder_has_its_tests(room):
    folders = [f"{room}/{entry.name}" for entry in os.scandir(f"{ROOT}/{room}")
               if entry.is_dir() and entry.name not in ("node_modules", "__pycache__")]
    assert set(folders) <= set(CHANGED), "add a row to the table of tests/README.md"


def test_what_is_to_be_run_exists():
    with open(ROOT + "/Makefile", encoding="utf-8") as file:
        targets = set(re.findall(r"^([a-z][a-z0-9-]*):", file.read(), re.M))
    for paths, commands in CHANGES:
        words = " ".join(commands).split()
        for path in (*paths, *(word for word in words if "/" in word)):
            assert os.path.exists(f"{ROOT}/{path}"), path
        for command in commands:
            if command.startswith("make "):
                assert command[5:] in targets, command
