"""Items of pytest for tests that are not written in Python.

Each tests/KIND/test_X.c is a cmocka program, whose tests are items by their names;
the program runs once for all of its tests that are selected, and reports in TAP.
"""
import contextlib
import os
import re
import signal
import subprocess
import time

import pytest

import clusters

TAP = re.compile(r"(not )?ok (\d+)(?: - | # SKIP ?)(.*)")
WITH_DATABASE = {"store", "secrecy", "torture"}
MARKS = re.compile(r"^ \* Marks: ([a-z, ]+)[.]$", re.M)

# Programs of store/ that run with GANGD_BATCH=0 too, by themselves.
BOTH_WAYS = re.compile("run_both_ways|run_on_drafts")


class Test(pytest.Item):
    """A test of another language.  The file runs it, with others of the same job,
    by play(items, log)."""

    def play(self, items, log):
        self.parent.play(items, log)

    def runtest(self):
        raise NotImplementedError("tests/harness/jobs.py runs this")

    def reportinfo(self):
        return self.path, None, self.name

    def report(self, good, output="", seconds=0.0):
        """The report of this test, to be handed to log()."""
        path = os.path.relpath(self.path, self.config.rootpath)
        return pytest.TestReport(
            self.nodeid, (path, None, self.name), dict.fromkeys(self.keywords, 1),
            "passed" if good else "failed", None if good else output, "call",
            duration=seconds)


class Program(pytest.File):
    """A cmocka program."""

    @property
    def kind(self):
        return self.path.parent.name

    @property
    def binary(self):
        return f"{self.config.build}/tests/{self.kind}/{self.path.stem}"

    def collect(self):
        for mark in MARKS.findall(self.path.read_text(encoding="utf-8")[:4000]):
            for name in mark.split(", "):
                self.add_marker(name)
        if self.kind == "store" and not BOTH_WAYS.search(
                self.path.read_text(encoding="utf-8")):
            self.add_marker("singly")
        if self.kind in ("unit", "sim"):
            self.add_marker("computes")
        listed = subprocess.run(
            [self.binary], env=dict(os.environ, GANGD_TESTS="list"), text=True,
            check=False, capture_output=True)
        if listed.returncode != 0 or "group " not in listed.stdout:
            raise self.CollectError(
                f"{self.binary} lists no tests: {listed.stderr}")
        for place, name in self.places(listed.stdout):
            item = Test.from_parent(self, name=name)
            item.place = place
            yield item

    @staticmethod
    def places(listed):
        """The group and number of each test, and a name that no other has."""
        names = {}
        group = test = -1
        for line in listed.splitlines():
            what, _, name = line.partition(" ")
            if what == "group":
                group, test, ending = group + 1, -1, ""
                # Groups that differ in how their tests run: "store, GANGD_BATCH=0".
                if ", " in name:
                    ending = f" [{name.split(', ')[-1]}]"
            elif what == "test":
                test += 1
                name = name.replace("::", ":") + (ending if group else "")
                names[name] = names.get(name, 0) + 1
                if names[name] > 1:
                    name += f" ({names[name]})"
                yield (group, test), name

    def play(self, items, log):
        items = sorted(items, key=lambda item: item.place)
        selected = "".join("%d.%d " % item.place for item in items)
        settings = {"CMOCKA_MESSAGE_OUTPUT": "TAP", "GANGD_TESTS": selected}
        command = [*self.config.under, self.binary]
        cluster = clusters.run() if self.kind in WITH_DATABASE else \
            contextlib.nullcontext()
        with cluster, subprocess.Popen(
                command, env=dict(os.environ, **settings), text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, errors="replace") as process:
            self.follow(process, items, log)

    def echo(self, line):
        if self.config.in_job:  # for the log
            print(line, end="")

    def follow(self, process, items, log):
        """Report each test as the program does; and those that it did not reach."""
        said, waiting = [], None
        left = list(items)
        begun = time.monotonic()
        failed = False

        def settle():
            nonlocal waiting, begun, failed
            if waiting:
                item, good = waiting
                failed = failed or not good
                log(item.report(good, "".join(said), time.monotonic() - begun))
                said.clear()
                waiting, begun = None, time.monotonic()

        for line in process.stdout:
            self.echo(line)
            found = TAP.match(line)
            # The lines after "not ok", up to the next test, explain it.
            if waiting and (found or waiting[1] or line.startswith("1..")):
                settle()
            said.append(line)
            if found and left and int(found[2]) > 0:
                waiting = left.pop(0), not found[1]
        settle()
        status = process.wait()
        how = f"by {signal.Signals(-status).name}" if status < 0 else \
            f"with status {status}"
        for item in left:
            log(item.report(False, f"The program ended {how} before this test "
                            "had ended.\n" + "".join(said[-60:])))
        if status != 0 and not failed and not left:
            log(items[-1].report(False, f"The program ended {how} after its tests."
                                 "\n" + "".join(said[-60:])))


class Target(pytest.File):
    """A fuzz target: each file of its stored corpus is a test."""

    @property
    def target(self):
        return self.path.stem.removeprefix("fuzz_")

    def collect(self):
        self.add_marker("computes")
        seconds = self.config.getoption("fuzz")
        names = ["fuzz"] if seconds else sorted(
            os.listdir(self.path.parent / "corpus" / self.target))
        for name in names:
            item = Test.from_parent(self, name=name)
            item.job = ("fuzz/" if seconds else "corpus/") + self.target
            yield item

    def play(self, items, log):
        build = self.config.build
        seconds = self.config.getoption("fuzz")
        if seconds:
            command = ["tests/fuzz/run.sh", build, str(seconds), self.target]
        else:
            command = [f"{build}/tests/fuzz/{self.path.stem}",
                       *(f"tests/fuzz/corpus/{self.target}/{item.name}"
                         for item in items)]
        done = subprocess.run(command, text=True, check=False, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if self.config.in_job:
            print(done.stdout)
        # The program prints the name of each file before it reads it.
        said = done.stdout.splitlines()
        for item in items:
            at = [number for number, line in enumerate(said)
                  if line.endswith("/" + item.name)]
            after = said[at[0] + 1:at[0] + 2] if at else ["FAILED: it was not read"]
            good = done.returncode == 0 if seconds else not (
                after and after[0].startswith("FAILED"))
            log(item.report(good, done.stdout[-4000:]))
        if done.returncode != 0 and "FAILED" not in done.stdout:
            log(items[-1].report(False, f"exit status {done.returncode}\n"
                                 + done.stdout[-4000:]))


@pytest.hookimpl
def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".c" and file_path.name.startswith("test_"):
        return Program.from_parent(parent, path=file_path)
    if file_path.suffix == ".c" and file_path.name.startswith("fuzz_"):
        return Target.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makemodule(module_path, parent):
    """A test file without tests would be passed over in silence."""
    if module_path.name.startswith("test_") and not re.search(
            r"^def test_", module_path.read_text(encoding="utf-8"), re.M):
        raise parent.CollectError(f"{module_path}: it has no function test_X; "
                                  "tests/README.md says how tests are written")
