#!/usr/bin/python3
"""picture.py URL PICTURE [MINUTES] - draw the dashboard from a Prometheus.

Evaluates the queries of dashboard.json at the Prometheus of that URL
(http://127.0.0.1:9090), over the last minutes, 15 by default, and draws each
panel by gnuplot into the PNG file PICTURE.  It fails if a panel has no data:
then a query is wrong, or nothing happened.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 120
SERIES_MAX = 10
# As Grafana replaces them: all daemons, and at least four scrapes.
VARIABLES = {"$instance": ".*", "$__rate_interval": "1m"}


def read_series(url, target, begin, end):
    """The series of a query: pairs of a title and its points."""
    query = target["expr"]
    for name, value in VARIABLES.items():
        query = query.replace(name, value)
    text = urllib.parse.urlencode({"query": query, "start": begin, "end": end,
                                   "step": max(1, (end - begin) / POINTS)})
    with urllib.request.urlopen(f"{url}/api/v1/query_range?{text}") as answer:
        result = json.load(answer)["data"]["result"]
    for series in result:
        title = target["legendFormat"]
        for name, value in series["metric"].items():
            title = title.replace("{{%s}}" % name, value)
        points = [(at, float(value)) for at, value in series["values"]]
        yield title, [(at, value) for at, value in points
                      if math.isfinite(value)]


def is_of_daemons(panel):
    """Units that run each night have no data in a few minutes."""
    return "$instance" in panel["targets"][0]["expr"]


def panel_series(url, panel, begin, end):
    """The largest series of a panel, the largest first."""
    found = [series for target in panel["targets"]
             for series in read_series(url, target, begin, end) if series[1]]
    if not found:
        raise SystemExit(f"no data: {panel['title']}")
    return sorted(found, key=lambda one: -max(value for _, value in one[1])
                  )[:SERIES_MAX]


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def script(panels, picture, folder):
    """The lines for gnuplot."""
    yield "set terminal png small size 1200,1000"
    yield f"set output {quoted(picture)}"
    yield f"set multiplot layout {math.ceil(len(panels) / 3)},3"
    yield "set grid; set key left top opaque; set xlabel 'minutes'; set yrange [0:*]"
    for number, (panel, series) in enumerate(panels):
        unit = panel["fieldConfig"]["defaults"].get("unit", "")
        yield f"set title {quoted(panel['title'])} noenhanced"
        yield f"set ylabel {quoted(unit)}"
        plots = []
        for place, (title, points) in enumerate(series):
            path = folder / f"{number}-{place}"
            path.write_text("".join(f"{(at - points[-1][0]) / 60} {value}\n"
                                    for at, value in points), encoding="ascii")
            plots.append(f"{quoted(str(path))} with lines lw 1.5 title "
                         f"{quoted(title)} noenhanced")
        yield "plot " + ", ".join(plots)


def main():
    url, picture = sys.argv[1].rstrip("/"), sys.argv[2]
    end = time.time()
    begin = end - 60 * float(sys.argv[3] if len(sys.argv) > 3 else 15)
    dashboard = json.loads((HERE / "dashboard.json").read_text("utf-8"))
    panels = [(panel, panel_series(url, panel, begin, end))
              for panel in dashboard["panels"] if is_of_daemons(panel)]
    with tempfile.TemporaryDirectory() as folder:
        lines = "\n".join(script(panels, picture, pathlib.Path(folder)))
        subprocess.run(["gnuplot"], input=lines, text=True, check=True)
    print(f"{len(panels)} panels, each with data")


if __name__ == "__main__":
    main()
