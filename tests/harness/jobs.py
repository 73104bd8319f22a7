"""Runs the files of tests at the same time, each as a job, within classes.

tests/conftest.py uses this in place of pytest's loop over the tests when there is more
than one file to run.  A job is the tests of one file, or of one part of the stories.
Each job is a fork of pytest, so it has imported all tests and begins within
milliseconds.  It writes its reports to a file, and all that it prints to a log in
BUILD/logs.  xdist would not do: its workers are alike, without classes, priorities
or a second run, and each of them imports all tests again.

Marks in the files say how jobs share the processors:

- Jobs without a mark are busy: three run on two cores, since each of them waits
  now and then.
- "waiting": two run on each core at the same time.
- "quiet": one runs on each core from the beginning, while all others run.
- "timed": three run on two cores when the busy and the waiting ones are done, at the
  same time as nothing but those that "compute", which give way to them.
- "last": they run alone at the end.

Those that wait or look at the time have the usual priority, all others a lower
one, so that their bounds hold on a busy machine.

A job is its own session and adopts the orphans of its processes: what a test
leaves running ends with the job, and the job knows the processor time of all.
"""
import contextlib
import ctypes
import os
import pickle
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback

import pytest

PR_SET_CHILD_SUBREAPER = 36  # of Linux: orphans become children of the job
JOB_SECONDS = 1200
SHOWN_LINES = 60
PAUSE = 0.02
PROMPT = {"waiting", "quiet", "timed", "prompt"}
NICE_BUSY, NICE_COMPUTING = 15, 19


class Job:
    """The tests of one file, or of one part of the stories; in another form than
    the usual one, if one is given (variants.py)."""

    def __init__(self, name, items, form=None):
        self.name, self.items, self.form = name, items, form
        self.marks = {mark.name for mark in items[0].iter_markers()}
        self.computes = "computes" in self.marks
        self.pid = self.log = self.reports_path = None
        self.begun = 0

    def path(self, folder, ending):
        """The path of a file of this job."""
        return os.path.join(folder, self.name.replace("/", "-") + ending)

    @property
    def lane(self):
        if self.computes:
            return "computes"
        for mark in ("last", "quiet", "timed", "waiting"):
            if mark in self.marks:
                return mark
        return "busy"

    @property
    def niceness(self):
        if self.computes:
            return NICE_COMPUTING
        return 0 if self.marks & PROMPT else NICE_BUSY

    @property
    def may_run_again(self):
        """A leak that does not show again is there all the same; and nothing
        but the code decides how a computation ends."""
        return not self.computes and not self.name.startswith(
            ("secrecy/", "singly/secrecy/"))


def job_name(item):
    named = getattr(item, "job", None)
    if named:
        return named
    path = os.path.relpath(item.path, os.path.dirname(os.path.dirname(__file__)))
    return path[:-2] if path.endswith(".c") else path


def make_jobs(items, forms, only_forms):
    """Jobs in the order of their first tests; those of other forms after them."""
    files = {}
    for item in items:
        files.setdefault(job_name(item), []).append(item)
    jobs = [] if only_forms else [Job(*each) for each in files.items()]
    for form in forms:
        jobs += [Job(f"{form.name}/{name}", those, form)
                 for name, those in files.items() if form.fits(those[0])]
    return jobs


# --- in the process of a job --------------------------------------------------

class Sink:
    """Writes each report to the file of the job."""

    def __init__(self, path, config, form):
        self.file = open(path, "wb")
        self.config, self.form = config, form

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        if report.failed and not report.sections and not isinstance(
                report.longrepr, str):
            self.add_log(report)
            print(report.longreprtext, flush=True)
        data = self.config.hook.pytest_report_to_serializable(
            config=self.config, report=report)
        if self.form:
            data["nodeid"] += f" ({self.form.name})"
        pickle.dump(data, self.file)
        self.file.flush()

    def add_log(self, report):
        """Add the end of the log so far: it has the output of a failed test."""
        sys.stdout.flush()
        with open(self.log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()[-SHOWN_LINES:]
        report.sections.append(("the end of " + self.log, "\n".join(lines)))


def play(items):
    """Run tests of one job by their own protocol."""
    own = getattr(items[0], "play", None)
    if own:
        own(items, lambda report: items[0].ihook.pytest_runtest_logreport(
            report=report))
        return
    session = items[0].session
    for at, item in enumerate(items):
        following = items[at + 1] if at + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            item.session._setupstate.teardown_exact(None)
            break


def stop_capturing(config):
    """All that is printed goes to the log.  The files into which pytest captures
    are shared by all that were forked."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture._method = "no"
    capture.start_global_capturing()


def redirect(log):
    sys.stdout.flush()
    sys.stderr.flush()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (file, 1), (file, 2)):
        os.dup2(source, target)
    os.close(file)
    os.close(null)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)


def end_children():
    """End what the tests left running; wait for the last of them."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(PAUSE)
        except ChildProcessError:
            return


def be_job(job, scratch, config):
    """The whole life of a job's process."""
    begun = time.monotonic()
    status = 1
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        os.nice(job.niceness)
        config.in_job = True
        stop_capturing(config)
        redirect(job.log)
        for name in ("terminalreporter", "lfplugin", "nfplugin", "stepwiseplugin"):
            if config.pluginmanager.hasplugin(name):
                config.pluginmanager.unregister(name=name)
        sink = Sink(job.reports_path, config, job.form)
        sink.log = job.log
        config.pluginmanager.register(sink, "sink")
        if job.form:
            job.form.prepare(config)
        play(job.items)
        status = 0
    except BaseException:  # the parent sees the log and the status
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            end_children()
            used = [resource.getrusage(who) for who in (
                resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
            with open(job.path(scratch, ".seconds"), "w", encoding="ascii") as file:
                print(f"{time.monotonic() - begun:.0f}",
                      f"{sum(u.ru_utime + u.ru_stime for u in used):.0f}",
                      file=file)
        finally:
            os._exit(status)


# --- in the process that forks them -------------------------------------------

class Schedule:
    """Runs jobs in their classes, and hands their reports to pytest."""

    def __init__(self, session, jobs, folder):
        self.session, self.config = session, session.config
        self.jobs, self.folder = jobs, folder
        self.scratch = tempfile.mkdtemp(prefix="gangd-jobs.")
        self.running = []
        self.failed_jobs = []
        self.passed_again = []
        self.terminal = session.config.pluginmanager.getplugin(
            "terminalreporter")
        self.again = bool(os.environ.get("AGAIN"))

    def start(self, job):
        job.log = job.path(self.folder, ".log")
        job.reports_path = job.path(self.scratch, ".reports")
        job.begun = time.monotonic()
        sys.stdout.flush()
        sys.stderr.flush()
        job.pid = os.fork()
        if job.pid == 0:
            be_job(job, self.scratch, self.config)
        self.running.append(job)

    def reap(self):
        """The jobs that have ended since."""
        ended = []
        for job in self.running[:]:
            pid, status = os.waitpid(job.pid, os.WNOHANG)
            if pid == 0:
                seconds = time.monotonic() - job.begun
                if seconds > JOB_SECONDS + 10:
                    self.kill(job, signal.SIGKILL)
                elif seconds > JOB_SECONDS:
                    self.kill(job, signal.SIGTERM)
                continue
            self.kill(job, signal.SIGKILL)  # what is left of its session
            self.running.remove(job)
            self.finish(job, os.waitstatus_to_exitcode(status))
            ended.append(job)
        return ended

    @staticmethod
    def kill(job, number):
        try:
            os.killpg(job.pid, number)
        except ProcessLookupError:
            pass

    def reports(self, job, status):
        """Those that the job wrote; and a failed one if it ended badly, or ran
        nothing."""
        reports = []
        try:
            with open(job.reports_path, "rb") as file:
                while True:
                    try:
                        data = pickle.load(file)
                    except (EOFError, pickle.UnpicklingError):
                        break
                    reports.append(self.config.hook.pytest_report_from_serializable(
                        config=self.config, data=data))
            os.unlink(job.reports_path)
        except FileNotFoundError:
            pass
        met = any(report.failed for report in reports)
        if not met and (status != 0 or not any(
                report.when == "call" for report in reports)):
            reports.append(self.broken(job, status))
        return reports

    def broken(self, job, status):
        try:
            with open(job.log, encoding="utf-8", errors="replace") as file:
                end = "".join(file.readlines()[-SHOWN_LINES:])
        except FileNotFoundError:
            end = "It has no log."
        item = job.items[0]
        return pytest.TestReport(
            f"{item.nodeid.split('::')[0]}::(job)", (job.name, None, "(job)"), {},
            "failed", f"{job.name}: exit status {status}\n{end}", "call")

    def finish(self, job, status):
        reports = self.reports(job, status)
        failed = [report for report in reports if report.failed]
        if failed and self.again and job.may_run_again and \
                job not in self.failed_jobs:
            self.failed_jobs.append(job)
            self.say(job, reports, "again later")
            with contextlib.suppress(FileNotFoundError):
                os.rename(job.log, job.path(self.folder, ".first"))
            return
        if job in self.failed_jobs and not failed:
            self.passed_again.append(job.name)
        self.publish(job, reports)

    def publish(self, job, reports):
        for report in reports:
            report.job = job.name
            self.config.hook.pytest_runtest_logreport(report=report)
        self.say(job, reports)

    def say(self, job, reports, verdict=None):
        counts = {"passed": 0, "failed": 0}
        for report in reports:
            category = self.config.hook.pytest_report_teststatus(
                report=report, config=self.config)[0]
            if category == "error":
                category = "failed"
            if category in counts:
                counts[category] += 1
        try:
            with open(job.path(self.scratch, ".seconds"), encoding="ascii") as file:
                seconds, busy = file.read().split()
        except (FileNotFoundError, ValueError):
            seconds, busy = int(time.monotonic() - job.begun), 0
        if verdict is None:
            verdict = "FAILED" if any(r.failed for r in reports) else "ok"
        if self.config.option.verbose < 0:
            return
        self.terminal.ensure_newline()
        self.terminal.write_line(
            f"{verdict:7} {job.name:36} {counts['passed']:5} passed, "
            f"{counts['failed']} failed {seconds:>4} s {busy:>4} busy")
        for report in reports:
            if report.failed and not hasattr(report, "has_checks"):
                self.terminal.write_line("        | " + report.nodeid.split(
                    "::", 1)[-1])
        if verdict != "ok":
            log = os.path.relpath(job.log)
            self.terminal.write_line(f"        all that it printed: {log}")

    def run(self):
        cores = os.cpu_count() or 1
        at_once = {"quiet": cores, "waiting": 2 * cores,
                   "busy": (3 * cores + 1) // 2, "timed": (3 * cores + 1) // 2,
                   "computes": cores, "last": 1}
        queues = {name: [job for job in self.jobs if job.lane == name]
                  for name in at_once}
        queues["busy"].sort(key=lambda job: "first" not in job.marks)

        def phase(*names, meanwhile=()):
            self.run_queues({name: (queues[name], at_once[name])
                             for name in (*names, *meanwhile)}, names)

        def interrupt(*_):
            raise KeyboardInterrupt

        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        try:
            phase("waiting", "busy", meanwhile=["quiet"])
            phase("timed", "computes", "quiet")
            phase("last")
            for job in self.failed_jobs:
                self.run_queues({job.lane: ([job], 1)}, [job.lane])
            if self.session.shouldfail:
                raise self.session.Failed(self.session.shouldfail)
        finally:
            for job in self.running:
                self.kill(job, signal.SIGTERM)
            for job in self.running:
                os.waitpid(job.pid, 0)
                self.kill(job, signal.SIGKILL)
            shutil.rmtree(self.scratch)

    def run_queues(self, queues, awaited):
        """Run the jobs of each class, a limited number at once, until those of the
        awaited classes have ended."""
        while True:
            running = {name: 0 for name in queues}
            for job in self.running:
                running[job.lane] += 1
            for name, (queue, most) in queues.items():
                while queue and running[name] < most and not self.stopped():
                    self.start(queue.pop(0))
                    running[name] += 1
            if not any(running[name] for name in awaited):
                return
            time.sleep(PAUSE)
            self.reap()

    def stopped(self):
        return self.session.shouldfail or self.session.shouldstop
