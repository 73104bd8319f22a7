"""Stories as items of pytest, each by its name.

Stories are played in parts side by side, by the numbers of their files; each part is
a job with a cluster and daemons of its own.
"""
import clusters
import printing
import programs
import pytest
import story

# The first and the last number of each part, and its mark.
PARTS = [(1, 28, "first"), (29, 34, "waiting"), (35, 35, "quiet"), (36, 49, None),
         (50, 59, None), (90, 99, None)]


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
        for each in story.load(self.path):
            item = programs.Test.from_parent(self, name=each.name.replace("::", ":"))
            item.line = each.line
            item.job = f"stories/{first:02}-{last:02}"
            yield item

    def play(self, items, log):
        """Play these stories, by their files or their part if all of it is wanted."""
        lines = {}
        for item in items:
            lines.setdefault(str(item.path), []).append(item.line)
        words = []
        for path in lines:
            whole = len(lines[path]) == len(story.load(path))
            words += [path] if whole else [f"{path}:{line}" for line in lines[path]]
        part = items[0].job.split("/")[1]
        first, last = map(int, part.split("-"))
        of_part = [str(path) for path in sorted(self.path.parent.glob("*.story"))
                   if first <= int(path.name[:2]) <= last]
        run(self, [part] if words == of_part else words, items, log)


def run(node, words, items, log):
    """Have stories.sh play something; report the stories, and its other checks as
    tests below the node."""
    with clusters.run():
        printed = printing.run(["tests/http/stories.sh", node.config.build, *words])
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
