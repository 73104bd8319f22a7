"""What all tests share: the build, the options, the fixtures.

tests/README.md says how to run tests.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import pytest
from _pytest.mark.expression import Expression, ParseError

TESTS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TESTS)
sys.path.insert(0, os.path.join(TESTS, "harness"))
pytest_plugins = ["programs"]

import clusters
import gangd
import jobs
import printing
import variants

# The groups of packages that only some folders need.
NEEDS = {"sdk": ["npm"], "push": ["npm", "proxies", "metrics"],
         "java": ["java", "npm"], "selftest": ["npm"], "browser": ["browser", "npm"],
         "proxies": ["proxies"], "metrics": ["metrics"],
         "operations": ["archive"]}
# The make targets of a folder's tests in Python, besides the programs.
TARGETS = {"torture": ["tests/torture/gangd_failing", "tests/torture/next/gangd",
                       "tests/torture/next/gangctl"],
           "browser": ["tests/torture/next/gangd", "tests/torture/next/gangctl"],
           "sdk": ["tests/sdk/generic_client"], "http": ["tests/http/arrange"],
           "games": ["tests/games/nim/built", "tests/games/eleventh/built"],
           "selftest": ["tests/bench/open_loop"]}


def pytest_addoption(parser):
    group = parser.getgroup("gangd")
    group.addoption("--build", default="build",
                    help="the build folder, as make's BUILD")
    group.addoption("--make", action="append", default=[], metavar="VARIABLE=VALUE",
                    help="a variable for make, such as CC=clang")
    group.addoption("--no-build", action="store_true", help="test what is built")
    group.addoption("--here", action="store_true",
                    help="run all tests in this process, one after the other")
    group.addoption("--fuzz", type=int, metavar="SECONDS",
                    help="fuzz so long instead of running the stored corpus")
    group.addoption("--also", default="", metavar="singly,valgrind",
                    help="run files that have such a form in that form too")
    group.addoption("--only", default="", metavar="singly,valgrind",
                    help="run them in that form only")


def pytest_configure(config):
    os.chdir(ROOT)
    try:
        Expression.compile(config.option.keyword)
    except ParseError:
        # Not an expression but a part of a name: all of its words.
        config.option.keyword = " and ".join(
            word for word in re.findall(r"\w+", config.option.keyword)
            if word not in ("and", "or", "not"))
    config.build = os.path.abspath(config.getoption("build"))
    if config.getoption("fuzz"):
        config.build += "-fuzz"
    config.template = None
    config.in_job = False
    config.under = []


# --- before the tests are collected -------------------------------------------

def wanted(config):
    """The folders, and files, of tests that the command line names."""
    for argument in config.args:
        path = os.path.relpath(os.path.join(
            config.invocation_params.dir, argument.split("::")[0]), TESTS)
        folder, _, name = path.partition("/")
        if folder in (".", ".."):
            yield from ((each, "") for each in os.listdir(TESTS))
        else:
            yield folder, name


def targets(config):
    """What make has to make."""
    found, build = {}, os.path.relpath(config.build)
    for folder, name in wanted(config):
        if name.endswith(".c") or not name:
            names = [name] if name else sorted(
                each for each in os.listdir(os.path.join(TESTS, folder))
                if each.endswith(".c") and each.startswith(("test_", "fuzz_"))
            ) if os.path.isdir(os.path.join(TESTS, folder)) else []
            for each in names:
                found[f"{build}/tests/{folder}/{each[:-2]}"] = None
        if not name.endswith(".c"):
            for each in TARGETS.get(folder, []):
                found[f"{build}/{each}"] = None
    if not all(target.startswith((f"{build}/tests/unit/test_",
                                  f"{build}/tests/sim/test_",
                                  f"{build}/tests/fuzz/"))
               for target in found) or not found:
        found["all"] = None
    return list(found)


def pytest_sessionstart(session):
    config = session.config
    if hasattr(config, "workerinput") or config.getoption("help", False):
        return
    names = {folder for folder, _ in wanted(config)}
    folders = [folder for folder, name in wanted(config) if not name]
    pure = names <= {"unit", "sim", "fuzz", "contract"}
    groups = ["build", "test", *([] if pure else ["cluster"])]
    if config.getoption("fuzz"):
        groups.append("clang")
    if "valgrind" in config.getoption("also") + config.getoption("only"):
        groups.append("valgrind")
    for name in sorted(names):
        groups += NEEDS.get(name, [])
    if any("clang" in word for word in (*config.getoption("make"),
                                        os.environ.get("CC", ""))):
        groups.append("clang")
    subprocess.run(["deploy/local/install.sh", *dict.fromkeys(groups)], check=True)
    if folders and not pure and not config.getoption("collectonly"):
        config.template = tempfile.mkdtemp(prefix="gangd-template.")
        config.template_maker = clusters.template(config.template)
    if not config.getoption("no_build"):
        make(config)


def make(config):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    words = targets(config)
    if "all" in words:
        subprocess.run(["deploy/local/viewer.sh", "--install"], check=True)
    if config.getoption("fuzz"):
        words = ["fuzz-programs", "FUZZ_BUILD=" + os.path.relpath(config.build)]
    made = subprocess.run(
        ["make", "-s", "-k", f"-j{os.cpu_count()}",
         "BUILD=" + os.path.relpath(os.path.abspath(config.getoption("build"))),
         *config.getoption("make"), *words], env=environment, check=False)
    if made.returncode != 0:
        pytest.exit("the build fails", 1)


# --- running --------------------------------------------------------------------

@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    config = session.config
    if config.option.collectonly:
        return None
    if session.testsfailed and not config.option.continue_on_collection_errors:
        raise session.Interrupted(f"{session.testsfailed} errors when collecting")
    folder = os.path.join(config.build, "logs")
    all_jobs = jobs.make_jobs(session.items, variants.chosen(config),
                              bool(config.getoption("only")))
    if config.getoption("here") or config.option.usepdb or \
            config.option.capture == "no" or \
            len(all_jobs) == 1 and not all_jobs[0].form:
        for job in all_jobs:
            jobs.play(job.items)
        return True
    os.makedirs(folder, exist_ok=True)
    if any(job.name == "http/test_complete.py" for job in all_jobs):
        shutil.rmtree(os.path.join(config.build, "stories"), ignore_errors=True)
    if config.template:
        if config.template_maker.wait() == 0:
            os.environ["GANGD_TEMPLATE"] = config.template
    config.schedule = jobs.Schedule(session, all_jobs, folder)
    config.schedule.run()
    return True


def pytest_unconfigure(config):
    if getattr(config, "template", None) and os.path.isdir(config.template):
        config.template_maker.wait()
        shutil.rmtree(config.template)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report, config):
    """A test that made checks is counted by them; the lines of jobs say what
    came of the tests."""
    checks = getattr(report, "has_checks", False)
    category = "failed" if report.failed else report.outcome
    if report.when != "call":
        category = "error" if report.failed else ""
    if checks:
        category = ""
    if checks or hasattr(report, "job") and config.option.verbose < 1:
        return category, "", category.upper() if report.failed else ""
    return None


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """The sum, as .ci/run reads it."""
    schedule = getattr(config, "schedule", None)
    if schedule and schedule.passed_again:
        terminalreporter.write_line("passed only when run again: " +
                                    " ".join(schedule.passed_again))
    counts = {name: len(terminalreporter.stats.get(name, []))
              for name in ("passed", "failed", "error")}
    terminalreporter.write_line(
        f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")


# --- fixtures -------------------------------------------------------------------

@pytest.fixture(scope="session")
def build(pytestconfig):
    """The build folder."""
    return pytestconfig.build


@pytest.fixture(scope="module")
def cluster():
    """An empty PostgreSQL cluster, which the environment names."""
    with clusters.run():
        yield
        gangd.Daemon.stop_all()


@pytest.fixture(scope="module")
def database(cluster, build):
    """A cluster with the schema of the service."""
    gangd.migrate(build)


@pytest.fixture(scope="module")
def daemon(request, build, database):
    """A daemon that is ready, with the DAEMON settings of the file, if it has some."""
    daemon = gangd.Daemon(build, **getattr(request.module, "DAEMON", {}))
    daemon.wait_ready()
    return daemon


@pytest.fixture(scope="module")
def sql(database):
    """A psql that keeps running, as the role that migrates."""
    sql = gangd.Sql()
    yield sql
    sql.close()


class Tally(gangd.Tally):
    """Each check is reported as a test of its own, below its test function."""

    def __init__(self, item):
        super().__init__()
        self.item = item
        self.lock = threading.Lock()
        self.reports = []

    def check(self, name, good, detail=""):
        with self.lock:
            super().check(name, good, detail)
            path, line, _ = self.item.location
            self.reports.append(pytest.TestReport(
                f"{self.item.nodeid}::{name}", (path, line, name),
                dict.fromkeys(self.item.keywords, 1),
                "passed" if good else "failed",
                None if good else f"{name}: {detail}", "call"))
            if self.item.config.in_job:
                self.publish()
        return good

    def run(self, *command, cwd=None, **settings):
        """Run a program that prints its checks, with settings in its environment,
        and take the checks over; what it printed."""
        printed = printing.run(command, settings, cwd)
        for name, good, detail in printed.checks:
            self.check(name, good, detail)
        return printed

    def publish(self):
        """Not during a test in this process, where pytest captures what it prints."""
        while self.reports:
            self.item.ihook.pytest_runtest_logreport(report=self.reports.pop(0))


@pytest.fixture
def folder():
    """An empty folder, deleted after the test."""
    with tempfile.TemporaryDirectory(prefix="gangd-test.") as name:
        yield name


@pytest.fixture
def tally(request):
    """tally.check("what it shows", condition, detail) is a test of this name."""
    return Tally(request.node)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A function that made checks fails with them, and is not counted itself."""
    outcome = yield
    report = outcome.get_result()
    made = getattr(item, "funcargs", {}).get("tally")
    if report.when != "call" or not made:
        return
    for check in made.reports:
        if check.failed:  # what the test printed explains it
            check.sections = list(report.sections)
    made.publish()
    if not call.excinfo and made.passed + made.failed > 0:
        report.has_checks = True
        if made.failed:
            report.outcome = "failed"
            report.longrepr = f"{made.failed} checks failed"
