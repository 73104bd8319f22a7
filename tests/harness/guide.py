"""The commands of the guides that tests run as they stand.

A block of a guide has a name, in a comment before it: "<!-- KIND: NAME -->".  Tests get
it by block(), shell scripts by the function of that name in deploy/local/debian.sh.
uses() finds in the source of a test which blocks it asks for, and forgotten() those
among them that were not given out, when it ends.  tests/unit/test_guides.py compares
all guides with all tests.

guide.py KIND NAME - print a block.
guide.py --forgotten SCRIPT GIVEN - fail if the script asks for a block that is not in the
file GIVEN, which has a line "KIND: NAME" for each that it got.
"""
import ast
import collections
import functools
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Folders that are made, or fetched.
NOT_OURS = re.compile(r"^(build[^/]*|var|(.*/)?(\.[^/]*|node_modules|__pycache__))$")
NAME = r"([a-z][a-z-]*): ([a-z0-9][a-z0-9-]*)"
NAMED = re.compile(rf"^ *<!-- {NAME} -->$", re.M)
BLOCK = re.compile(rf"^<!-- {NAME} -->\n```sh\n(.*?)^```$", re.S | re.M)

ASKS = "guide.block("

Use = collections.namedtuple("Use", "kind name path line")

given = set()  # (KIND, NAME) of the blocks that this process has asked for


def files(*endings):
    """The paths of the project's files with these endings, from its root on."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not NOT_OURS.match(
            os.path.relpath(os.path.join(folder, name), ROOT)))
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def blocks():
    """(KIND, NAME), the path and the text of each block of the guides."""
    for path in files(".md"):
        for found in BLOCK.finditer(read(path)):
            yield (found[1], found[2]), path, found[3]


def block(kind, name):
    """The shell of a block."""
    found = [text for key, _, text in blocks() if key == (kind, name)]
    if len(found) != 1:
        raise SystemExit(f"the guides have {len(found)} blocks \"{kind}: {name}\"")
    given.add((kind, name))
    return found[0]


# --- which blocks a test asks for --------------------------------------------------

class Calls(ast.NodeVisitor):
    """The calls of a module, each with the functions and loops around it."""

    def __init__(self):
        self.around, self.calls = [], []

    def visit(self, node):
        if isinstance(node, ast.Call):
            self.calls.append((node, tuple(self.around)))
        is_scope = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.For))
        if is_scope:
            self.around.append(node)
        self.generic_visit(node)
        if is_scope:
            self.around.pop()


def called_name(call):
    """The last word of what is called, and the word before it."""
    function = call.func
    if isinstance(function, ast.Attribute):
        owner = function.value
        return function.attr, owner.id if isinstance(owner, ast.Name) else ""
    return getattr(function, "id", None), None


def parameter(function, name):
    """The place of a parameter, not counting self; None: it has no such one."""
    names = [each.arg for each in function.args.args]
    if name not in names:
        return None
    return names.index(name) - (names[0] == "self")


class Source:
    """A test in Python: .uses are the blocks that it asks for, .faults the calls whose
    block cannot be told, .givers its functions that ask for a block by a parameter."""

    def __init__(self, path, givers=None):
        tree = ast.parse(read(path))
        calls = Calls()
        calls.visit(tree)
        self.path, self.calls = path, calls.calls
        self.modules = {name.asname or name.name for node in ast.walk(tree)
                        if isinstance(node, ast.Import) for name in node.names}
        self.givers = dict(givers or {})  # kind and place of the name, by function
        self.uses, self.faults = [], []
        self.seen = set()
        while self.look():
            pass

    def look(self):
        """Look at each call of a giver once; has a new giver been found?"""
        before = len(self.givers)
        for call, around in self.calls:
            name, owner = called_name(call)
            if name == "block" and owner == "guide":
                kind = call.args[0]
                if not isinstance(kind, ast.Constant):
                    self.faults.append(f"{self.path}:{call.lineno}")
                else:
                    self.note(call, around, kind.value, 1)
            elif name in self.givers and (owner in (None, "", "self") or
                                          owner not in self.modules):
                self.note(call, around, *self.givers[name])
        return len(self.givers) > before

    def note(self, call, around, kind, place):
        if call in self.seen or len(call.args) <= place:
            return
        self.seen.add(call)
        word = call.args[place]
        if isinstance(word, ast.Constant) and isinstance(word.value, str):
            self.add(kind, word.value, call)
            return
        for scope in reversed(around):
            if not isinstance(word, ast.Name):
                break
            if isinstance(scope, ast.For):
                if getattr(scope.target, "id", None) == word.id and \
                        isinstance(scope.iter, (ast.Tuple, ast.List)):
                    for each in scope.iter.elts:
                        self.add(kind, each.value, call)
                    return
            elif (at := parameter(scope, word.id)) is not None:
                self.givers[scope.name] = (kind, at)
                return
        self.faults.append(f"{self.path}:{call.lineno}")

    def add(self, kind, name, call):
        self.uses.append(Use(kind, name, self.path, call.lineno))


def uses_of_shell(path):
    """The blocks that a script asks for, by the function "runbook" that it has."""
    text = re.sub(r"\\\n", " ", read(path))
    found = re.search(r"^runbook\(\)\n{.*?\bblock ([a-z-]+) \"\$(\d)\"", text, re.S | re.M)
    uses, faults = [], []
    if not found:
        return uses, faults
    kind, place = found[1], int(found[2])
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r"^\s*#.*|\s# .*", "", line)
        for call in re.finditer(r"(?<![\w'])runbook((?: +[^\s;|&)]+)+)", code):
            words = call[1].split()
            name = words[place - 1] if len(words) >= place else ""
            if re.fullmatch("[a-z0-9-]+", name):
                uses.append(Use(kind, name, path, number))
            else:
                faults.append(f"{path}:{number}")
    return uses, faults


@functools.cache
def askers(folder):
    """The modules of a folder that ask for blocks."""
    return [name[:-3] for name in os.listdir(os.path.join(ROOT, folder))
            if name.endswith(".py") and ASKS in read(os.path.join(folder, name))]


def uses(path):
    """The blocks that a test asks for, and the calls whose block cannot be told.  A
    Python test may ask by functions of the modules next to it that it imports."""
    if path.endswith(".sh"):
        return uses_of_shell(path)
    folder, text, givers = os.path.dirname(path), read(path), {}
    for module in askers(folder):
        if re.search(rf"^ *import {module}\b", text, re.M):
            givers |= Source(os.path.join(folder, module + ".py")).givers
    if ASKS not in text and not givers:
        return [], []
    source = Source(path, givers)
    return source.uses, source.faults


def forgotten(path, got=None):
    """The blocks that a test asks for and that were not given out."""
    found, _ = uses(os.path.relpath(path, ROOT))
    return sorted({(use.kind, use.name) for use in found} - (given if got is None
                                                             else got))


def check_all_given(tally, path):
    """At the end of a test: it has got each block that it asks for."""
    missing = forgotten(path)
    tally.check(f"each block of the guides that {os.path.basename(path)} names was run",
                not missing, missing)


def main():
    if sys.argv[1] != "--forgotten":
        print(block(*sys.argv[1:]), end="")
        return
    with open(sys.argv[3], encoding="ascii") as file:
        got = {tuple(line.strip().split(": ")) for line in file}
    missing = forgotten(sys.argv[2], got)
    if missing:
        raise SystemExit(f"{sys.argv[2]} has not run these blocks: {missing}")


if __name__ == "__main__":
    main()
