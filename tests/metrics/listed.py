"""The metrics that there are: by the table of the source, and by the guide."""
import os
import re

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def metrics_of_def():
    return dict(re.findall(r'^(?:COUNTER|GAUGE|HISTOGRAM)\((\w+), "(\w+)"',
                           read("internal/metric/metric.def"), re.M))


def listed_metrics(of_whom):
    """The table for operators: metrics of the daemons, or of units."""
    of_daemons, of_units = read("deploy/metrics/README.md").split(
        "## Metrics of the units")
    return re.findall(r"^\| `(gangd_\w+)`",
                      of_daemons if of_whom == "daemon" else of_units, re.M)


def metrics_of_units():
    """Those that operations/test_backups.py sees published."""
    return set(listed_metrics("unit"))
