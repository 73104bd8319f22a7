"""Stories as items of pytest, each by its name.

Stories are played in parts side by side, by the numbers of their files: each part is
a job with a cluster and daemons of its own (part.py).
"""
import part
import programs
import pytest
import story

import clusters


class StoryFile(pytest.File):
    def collect(self):
        name, mark = part.of_file(self.path.name)
        if mark:
            self.add_marker(mark)
        for each in story.load(str(self.path)):
            item = programs.Test.from_parent(self, name=each.name.replace("::", ":"))
            item.story = each
            item.job = "stories/" + name
            yield item

    def play(self, items, log):
        with clusters.run():
            part.Part(items, log).play()


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".story" and file_path.parent.name == "http":
        return StoryFile.from_parent(parent, path=file_path)
    return None


@pytest.fixture(scope="module")
def daemons(build, database):
    """The two daemons of stories."""
    return part.Daemons(build, part.make_folder(build, "others"))
