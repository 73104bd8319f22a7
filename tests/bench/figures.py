"""The form of figures: medians, ranges, and the table of results."""
import os
import re
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


def judge(goal, value):
    """A goal, such as ">= 1.6" or "<= 10 KiB", and whether a value meets it."""
    sign, most = re.search(r"([<>]=) ([\d.]+)", goal).groups()
    met = value <= float(most) if sign == "<=" else value >= float(most)
    return f"{goal}: " + ("met" if met else "**missed**")


class Table:
    """Lines of the README: figure, result, ratio, goal."""

    def __init__(self):
        self.lines = []
        self.put("figure", "gangd", "against", "ratio", "goal")
        self.put("---", "---", "---", "---", "---")

    def put(self, *cells):
        self.lines.append("| " + " | ".join(cells) + " |")
        print(self.lines[-1], flush=True)

    def add(self, name, ours, theirs="", goal=None, value=None):
        """A figure without a ratio; value is the one that has a goal."""
        self.put(name, ours, theirs, "", judge(goal, value) if goal else "")

    def compare(self, name, ours, theirs, goal=None, form="{:.0f}", unit=""):
        """Two series by rounds, with the median and range of their ratio."""
        self.compare_texts(name, span(ours, form) + unit,
                           span(theirs, form) + unit,
                           [a / b for a, b in zip(ours, theirs)], goal)

    def compare_texts(self, name, ours, theirs, ratios, goal=None):
        self.put(name, ours, theirs, span(ratios, "{:.2f}"),
                 judge(goal, median(ratios)) if goal else "")
