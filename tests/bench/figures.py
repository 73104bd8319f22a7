"""The form of figures: medians, ranges, and the table of results."""
import os
import statistics

ROUNDS = int(os.environ.get("ROUNDS", "7"))
SECONDS = int(os.environ.get("SECONDS", "5"))


def median(values):
    return statistics.median(values)


def span(values, form="{:.0f}"):
    """The median and the range."""
    return " ".join([form.format(median(values)),
                     "(" + form.format(min(values)) + " - " +
                     form.format(max(values)) + ")"])


class Table:
    """Lines of the README: figure, result, ratio, goal."""

    def __init__(self):
        self.lines = []

    def add(self, *cells):
        self.lines.append("| " + " | ".join(cells) + " |")
        print(self.lines[-1], flush=True)
