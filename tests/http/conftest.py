"""Stories as items of pytest, each by its name.

Stories are played in parts side by side, by the numbers of their files; each part is
a job with a cluster and daemons of its own.
"""
import re

import clusters
import printing
import programs
import pytest

# The first and the last number of each part, and its mark.
PARTS = [(1, 28, "first"), (29, 34, "waiting"), (35, 35, "quiet"), (36, 49, None),
         (50, 59, None), (90, 99, None)]
STORY = re.compile(r'^\s*story "(.*)"\s*$', re.M)


class StoryFile(pytest.File):
    def collect(self):
        number = int(self.path.name[:2])
        for first, last, mark in PARTS:
            if first <= number <= last:
                break
        else:
            raise self.CollectError("no part has this number")
        if mark:
            self.add_marker(mark)
        for name in STORY.findall(self.path.read_text(encoding="utf-8")):
            item = programs.Test.from_parent(self, name=name.replace("\\\"", "\"").replace("::", ":"))
            item.job = f"stories/{first:02}-{last:02}"
            yield item

    def play(self, items, log):
        """Play the files that have these stories, or the part if all are."""
        files = list(dict.fromkeys(str(item.path) for item in items))
        part = items[0].job.split("/")[1]
        first, last = map(int, part.split("-"))
        whole = [str(path) for path in sorted(self.path.parent.glob("*.story"))
                 if first <= int(path.name[:2]) <= last]
        run(self, [part] if files == whole else files, items, log)


def run(node, words, items, log):
    """Have stories.sh play something; report the stories, and its other checks as
    tests below the node."""
    with clusters.run():
        printed = printing.run(["tests/http/stories.sh", node.config.build, *words],
                               node.config.in_job)
    left = {item.name: item for item in items}
    for name, good, detail in printed.checks:
        item = left.pop(name, None) or programs.Test.from_parent(node, name=name)
        log(item.report(good, detail))
    for item in left.values():
        log(item.report(False, "It was not played.\n" + "".join(printed.last)))


class Checks(pytest.File):
    """The checks of stories.sh besides the stories."""

    def collect(self):
        for name in "runner", "complete":
            item = programs.Test.from_parent(self, name=name)
            item.job = "stories/" + name
            if name == "complete":
                item.add_marker("last")
            yield item

    def play(self, items, log):
        for item in items:
            run(self, [item.name], [], log)


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".story" and file_path.parent.name == "http":
        return StoryFile.from_parent(parent, path=file_path)
    if file_path.name == "stories.sh":
        return Checks.from_parent(parent, path=file_path)
    return None
