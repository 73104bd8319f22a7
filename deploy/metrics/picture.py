#!/usr/bin/python3
"""picture.py URL PICTURE [MINUTES] - draw the dashboard from a Prometheus.

Evaluates the queries of dashboard.json at the Prometheus of that URL
(http://127.0.0.1:9090), over the last minutes, 15 by default, and draws each
panel that has data by gnuplot into the PNG file PICTURE.  The others are named, in
the picture too: nothing happened that they would show, or Prometheus does not scrape
what gives their metrics.  It fails if no panel has data.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 120
SERIES_MAX = 10
COLUMNS = 3
# Pixels: of the picture; of what a panel has on its left and right, of its title, its
# curves, its axis and a line of its legend; and of the note.
WIDTH, LEFT, RIGHT, TITLE, CURVES, AXIS, LINE, NOTE = 1200, 60, 20, 35, 170, 45, 15, 15
SHORT = 24          # letters of a title that leaves room for another one next to it
MORE_COLORS = ("#8c564b", "#e377c2", "#7f7f7f")  # gnuplot has seven, and black
NOTE_COLUMNS = 180         # of text
# As Grafana replaces them: all daemons, and at least four scrapes.
VARIABLES = {"$instance": ".*", "$__rate_interval": "1m"}


def read_series(url, target, begin, end):
    """The series of a query: pairs of a title and its points, at minutes from the
    end."""
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
        points = [((at - end) / 60, float(value)) for at, value in series["values"]]
        yield title, [(at, value) for at, value in points
                      if math.isfinite(value)]


def panel_series(url, panel, begin, end):
    """The largest series of a panel, the largest first; empty without data."""
    found = [series for target in panel["targets"]
             for series in read_series(url, target, begin, end) if series[1]]
    return sorted(found, key=lambda one: -max(value for _, value in one[1])
                  )[:SERIES_MAX]


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def legend_lines(series):
    """How many lines a panel's legend has, below it, where it covers no curve."""
    is_short = all(len(title) <= SHORT for title, _ in series)
    return math.ceil(len(series) / 2) if is_short else len(series)


def place(column, top, lines, height):
    """Where a panel and its legend are, from the bottom left, as parts of the whole."""
    width = WIDTH / COLUMNS
    left = (column * width + LEFT) / WIDTH
    bottom = 1 - (top + TITLE + CURVES) / height
    yield f"set lmargin at screen {left}"
    yield f"set rmargin at screen {((column + 1) * width - RIGHT) / WIDTH}"
    yield f"set tmargin at screen {1 - (top + TITLE) / height}"
    yield f"set bmargin at screen {bottom}"
    yield (f"set key at screen {left}, screen {bottom - AXIS / height} left top Left "
           f"reverse vertical maxrows {lines} samplen 1")


def draw_panel(panel, series, files):
    """The lines for one panel; its points go to these files."""
    unit = panel["fieldConfig"]["defaults"].get("unit", "")
    yield f"set title {quoted(panel['title'])} noenhanced"
    yield f"set ylabel {quoted(unit)}"
    plots = []
    for number, (title, points) in enumerate(series):
        path = f"{files}-{number}"
        pathlib.Path(path).write_text("".join(f"{at} {value}\n" for at, value in points),
                                      encoding="ascii")
        plots.append(f"{quoted(path)} with lines lw 1.5 title {quoted(title)} "
                     "noenhanced")
    yield "plot " + ", ".join(plots)


def script(panels, note, picture, minutes, folder):
    """The lines for gnuplot; the points of panels are minutes from the end."""
    rows = [panels[i:i + COLUMNS] for i in range(0, len(panels), COLUMNS)]
    heights = [TITLE + CURVES + AXIS + LINE * max(legend_lines(series)
                                                  for _, series in row)
               for row in rows]
    notes = textwrap.wrap(note, NOTE_COLUMNS)
    top = NOTE * len(notes)
    height = top + sum(heights)
    yield f"set terminal png small size {WIDTH},{height}"
    yield f"set output {quoted(picture)}"
    # In double quotes gnuplot reads \n as the end of a line.
    text = "\\n".join(notes)
    yield f'set multiplot title "{text}" noenhanced'
    for number, color in enumerate(MORE_COLORS, 8):
        yield f"set linetype {number} linecolor rgb '{color}'"
    yield "set grid; set xlabel 'minutes'"
    # So that no curve lies on the upper edge.
    yield f"set xrange [-{minutes}:0]; set yrange [0:*]; set offsets 0,0,graph 0.05,0"
    for number, row in enumerate(rows):
        for column, (panel, series) in enumerate(row):
            yield from place(column, top, legend_lines(series), height)
            yield from draw_panel(panel, series, folder / f"{number}-{column}")
        top += heights[number]


def main():
    url, picture = sys.argv[1].rstrip("/"), sys.argv[2]
    minutes = float(sys.argv[3] if len(sys.argv) > 3 else 15)
    end = time.time()
    dashboard = json.loads((HERE / "dashboard.json").read_text("utf-8"))
    panels = [(panel, panel_series(url, panel, end - 60 * minutes, end))
              for panel in dashboard["panels"]]
    drawn = [(panel, series) for panel, series in panels if series]
    empty = [panel["title"] for panel, series in panels if not series]
    if not drawn:
        raise SystemExit("no panel has data")
    note = "no data: " + "; ".join(empty) if empty else ""
    with tempfile.TemporaryDirectory() as folder:
        lines = "\n".join(script(drawn, note, picture, minutes,
                                 pathlib.Path(folder)))
        subprocess.run(["gnuplot"], input=lines, text=True, check=True)
    print(f"{len(drawn)} of {len(panels)} panels have data", note, sep="\n")


if __name__ == "__main__":
    main()
