#!/usr/bin/python3
"""Make a copy of the sources with one change, and of what is built of them.

    overlay.py BUILD NAME

The copy is BUILD/tests/games/NAME/tree.  NAME is one of CHANGES below.  What the
change does not touch is the same file (a hard or a symbolic link), and objects are
copied with their times, so make compiles only what the change concerns.
"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
LINKED = ("Makefile", "cmd", "sql", "deploy")
COPIED = ("internal", "api", "tests/unit", "tests/sim", "tests/store",
          "tests/secrecy")
BUILT = ("internal", "gen", "cmd",
         *(f"tests/{kind}" for kind in ("unit", "sim", "store", "secrecy")))

sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import eleventh  # noqa: E402


def edit(tree, path, *changes):
    """Put a changed copy in the place of a file that the sources share."""
    path = os.path.join(tree, path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        if text.count(old) != 1:
            raise SystemExit(f"{path}: {text.count(old)} places for the change: "
                             f"{old!r}")
        text = text.replace(old, new)
    os.unlink(path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def add_game(name):
    """A folder of tests/games, and a row of rulesets.def."""
    def change(tree):
        added = os.path.join(tree, "internal/games", name)
        shutil.copytree(os.path.join(HERE, name), added)
        # Built files are newer than the files of a checkout.
        for folder, _, files in os.walk(added):
            for path in (folder, *(os.path.join(folder, file) for file in files)):
                os.utime(path)
        edit(tree, "internal/games/rulesets.def",
             ("#undef RULESET", f"RULESET({name})\n#undef RULESET"))
    return change


def add_cards(tree):
    for path, changes in eleventh.CHANGES.items():
        edit(tree, path, *changes)


CHANGES = {"nim": add_game("nim"), "eleventh": add_cards}


def forget_sources(tree, built):
    """Remove all but what was built.  A link is removed, and not followed."""
    for name in os.listdir(tree):
        place = os.path.join(tree, name)
        if name != built and os.path.islink(place):
            os.unlink(place)
        elif name != built:
            shutil.rmtree(place)


def copy_sources(tree):
    for name in LINKED:
        os.symlink(os.path.join(REPO, name), os.path.join(tree, name))
    for name in COPIED:
        shutil.copytree(os.path.join(REPO, name), os.path.join(tree, name),
                        copy_function=os.link,
                        ignore=shutil.ignore_patterns("node_modules",
                                                      "__pycache__"))


def is_newer(folder, stamp):
    """Whether an object or a library was made after the last copy."""
    if not os.path.exists(stamp):
        return True
    found = subprocess.run(
        ["find", *(os.path.join(folder, name) for name in BUILT
                   if os.path.exists(os.path.join(folder, name))),
         "-newer", stamp, "-type", "f", "-print", "-quit"],
        stdout=subprocess.PIPE, check=True)
    return bool(found.stdout)


def programs(_, names):
    """Test programs: those of the copy are linked there, if they are wanted."""
    return [name for name in names if name.startswith("test_") and "." not in name]


def copy_built(build, copied):
    stamp = os.path.join(copied, "copied")
    if not is_newer(build, stamp):
        return
    shutil.rmtree(copied, ignore_errors=True)
    for name in BUILT:
        if os.path.exists(os.path.join(build, name)):
            shutil.copytree(os.path.join(build, name), os.path.join(copied, name),
                            ignore=programs)
    with open(stamp, "w", encoding="utf-8"):
        pass


def main():
    build, name = sys.argv[1:]
    tree = os.path.join(os.path.abspath(build), "tests/games", name, "tree")
    os.makedirs(tree, exist_ok=True)
    copy_built(build, os.path.join(tree, os.path.basename(build)))
    forget_sources(tree, os.path.basename(build))
    copy_sources(tree)
    CHANGES[name](tree)


if __name__ == "__main__":
    main()
