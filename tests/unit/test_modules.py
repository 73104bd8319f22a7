"""tests/modules.txt is true: each module's tests are found by its name or there."""
import fnmatch
import glob
import os

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
