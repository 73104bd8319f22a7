"""Alerts and the dashboard, and the metrics of a purge.

Alert rules and the dashboard name metrics that there are; each alert fires when it
should, and not before.  A run of the purge reports what it deleted.
"""
import json
import os
import re
import subprocess
import tempfile
import time

import gangd
from listed import ROOT, metrics_of_def, metrics_of_units, read
import pytest

OF_OTHERS = {"pg_replication_lag_seconds", "pg_replication_lag"}  # exporters


def names_in(queries):
    """The metrics that queries name, without the suffixes of histograms."""
    names = re.findall(r"\b(?:gangd|pg|node)_\w+", queries)
    return {re.sub("_(bucket|sum|count)$", "", name)
            if name not in metrics_of_def().values() else name
            for name in names}


def check_alerts(tally):
    rules = read("deploy/metrics/alerts.yml")
    known = set(metrics_of_def().values()) | metrics_of_units() | OF_OTHERS
    unknown = names_in(" ".join(line for line in rules.splitlines()
                                if not line.strip().startswith("#"))) - known
    tally.check("alerts name metrics that there are", not unknown, unknown)
    alerts = re.findall(r"- alert: (\w+)", rules)
    tested = re.findall(r"alertname: (\w+)$", read(
        "tests/metrics/alerts_test.yml"), re.M)
    listed = re.findall(r"^\| `(Gangd\w+)`", read("deploy/metrics/README.md"),
                        re.M)
    tally.check("each alert fires in a test", set(alerts) == set(tested),
                set(alerts) ^ set(tested))
    tally.check("each alert is in the table for operators", alerts == listed,
                set(alerts) ^ set(listed))
    done = subprocess.run(["promtool", "test", "rules", os.path.join(
        ROOT, "tests/metrics/alerts_test.yml")], text=True,
        capture_output=True, check=False)
    tally.check("alerts fire when they should, and not before",
                done.returncode == 0, done.stdout + done.stderr)


def purge(build, *words, url=None):
    return subprocess.run(
        [build + "/bin/gangctl", "purge", *words], text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(
            os.environ, GANGD_DATABASE_URL=url or
            os.environ["GANGD_DATABASE_URL"]))


def check_purge(tally, build):
    """A run reports what it deleted, and nothing when it did nothing."""
    with tempfile.TemporaryDirectory(prefix="gangd-purge-") as folder:
        path = os.path.join(folder, "purge.prom")
        gangd.psql("UPDATE gangd.game SET updated_at = now() - "
                   "interval '100 days'")
        games = int(gangd.psql("SELECT count(*) FROM gangd.game"))
        gangd.psql("INSERT INTO gangd.creation_key (key_hash, request_hash, "
                   "sealed, at, game_id) SELECT sha256('x'), sha256('y'), '', "
                   "now() - interval '2 days', game_id FROM gangd.game LIMIT 1")
        for words, text in (
                (("--metrics",), "no value follows"),
                (("1", "2"), "unexpected argument"),
                (("--dry-run", "--metrics", path), "leave out one"),
                (("0",), "whole number from 1")):
            done = purge(build, *words)
            tally.check(f"purge {words[0]}: {text}", done.returncode == 1 and
                        text in done.stderr, done.stderr)
        begun = int(time.time())
        done = purge(build, "--metrics", path)
        told = dict(re.findall(r"^(gangd_\S+) (\d+)$", read(path), re.M))
        at = int(told.pop("gangd_purge_timestamp_seconds"))
        tally.check("a purge reports what it deleted", done.returncode == 0 and
                    begun <= at <= time.time() and games > 0 and told == {
                        'gangd_purge_rows{kind="game"}': str(games),
                        'gangd_purge_rows{kind="idempotency_key"}': "0",
                        'gangd_purge_rows{kind="creation_key"}': "1",
                        'gangd_purge_rows{kind="stream_ticket"}': "0",
                        'gangd_purge_rows{kind="transfer"}': "0",
                        'gangd_purge_rows{kind="notification"}': "0"},
                    (done.stderr, told))
        names = {re.sub("{.*", "", name) for name in told} | {
            "gangd_purge_timestamp_seconds", "gangd_purge_failures_total"}
        listed = {name for name in metrics_of_units() if "purge" in name}
        tally.check("the guide lists the same metrics", names == listed,
                    names ^ listed)
        os.remove(path)
        with subprocess.Popen(["psql", "-X", "-qAt", os.environ[
                "GANGD_MIGRATE_URL"]], stdin=subprocess.PIPE, text=True,
                              stdout=subprocess.PIPE) as other:
            other.stdin.write("SELECT pg_advisory_lock(7453010309), 1;\n")
            other.stdin.flush()
            other.stdout.readline()
            done = purge(build, "--metrics", path)
            tally.check("a purge during another one reports nothing",
                        done.returncode == 0 and not os.listdir(folder),
                        (done.stderr, os.listdir(folder)))
        done = purge(build, "--metrics", path, url="host=/nonexistent")
        tally.check("nor does one that fails", done.returncode == 2 and
                    not os.listdir(folder))
        done = purge(build, "--metrics", folder + "/none/file")
        tally.check("a file that cannot be written is an error",
                    done.returncode == 1 and "not written" in done.stderr,
                    done.stderr)


def check_dashboard(tally):
    dashboard = json.loads(read("deploy/metrics/dashboard.json"))
    queries = [target["expr"] for panel in dashboard["panels"]
               for target in panel["targets"]]
    rows = set(metrics_of_def().values())
    named = set().union(*map(names_in, queries))
    tally.check("the dashboard names metrics that there are",
                named <= rows | metrics_of_units(),
                named - rows - metrics_of_units())
    hidden = (rows | metrics_of_units()) - named - {"gangd_build_info",
                             "gangd_games_counted_timestamp_seconds"}
    tally.check("the dashboard shows every metric", not hidden, hidden)
    # As Grafana sends them; promtool parses rules only.
    rules = {"groups": [{"name": "dashboard", "rules": [
        {"record": f"query_{i}", "expr": query.replace(
            "$__rate_interval", "5m").replace("$instance", ".*")}
        for i, query in enumerate(queries)]}]}
    done = subprocess.run(["promtool", "check", "rules", "/dev/stdin"],
                          input=json.dumps(rules), text=True,
                          capture_output=True, check=False)
    tally.check("promtool reads each query of the dashboard",
                done.returncode == 0 and
                f"{len(queries)} rules" in done.stdout,
                done.stdout + done.stderr)


@pytest.fixture(scope="module")
def daemon(build, database):
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    gangd.Table(daemon, 2, ruleset="famiglia")
    return daemon


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)


def test_purge(tally, build, database):
    check_purge(tally, build)


def test_alerts(tally, database):
    check_alerts(tally)


def test_dashboard(tally, database):
    check_dashboard(tally)
