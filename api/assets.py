#!/usr/bin/python3
"""Prepare the static files: under names with a hash, and compressed.

    assets.py OUT FILE...

OUT gets each file twice, as page.HASH.css and page.HASH.css.gz.  The hash covers
both forms.  So it can be the entity-tag of either, and a file with that name
never changes.  Files refer to each other by it: pages (.html) and manifests to
"docs/NAME" or "table/NAME", modules to "./NAME" or "../client/NAME", which lies
beside them in OUT.  A page's <!-- preload MODULE --> becomes a link for that
module and each one that it imports, so that a browser asks for all at once; the
files that these load later are named in a comment, for a service worker.  Comments
that stand alone are left out of modules and style sheets, but for those of other
people's files.
"""

import gzip
import hashlib
import os
import re
import shutil
import sys

HASH_LEN = 20  # as internal/service/pages.c has it

COMMENTED = (".js", ".css")
REFERRING = (".html", ".js", ".webmanifest")
REFERENCE = re.compile(r'"(\./|\.\./client/|docs/|table/)([\w-]+\.\w+)"')
# The modules that run before the one that imports them.
IMPORT = re.compile(r'^(?:import|export|\}) ?(?:[^"\n]* from )?'
                    r'"(?:\./|\.\./client/)([\w-]+\.js)"', re.M)
LATER = re.compile(r'\bimport\("\./([\w-]+\.js)"\)')
# Comments with lines of their own, which are a seventh of all that a page loads.
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[^\0])*\*/[ \t]*)$", re.M)
PRELOAD = re.compile(r"<!-- preload ([\w-]+\.js) -->")


def put(out, name, content):
    """Write both forms, and return the name that has the hash."""
    packed = gzip.compress(content, 9, mtime=0)
    digest = hashlib.sha256(content + packed).hexdigest()[:HASH_LEN]
    stem, extension = name.split(".")
    hashed = f"{stem}.{digest}.{extension}"
    for suffix, form in ("", content), (".gz", packed):
        with open(os.path.join(out, hashed + suffix), "wb") as file:
            file.write(form)
    return hashed


def uncommented(content):
    """The same lines, so that an error tells where it is in the source."""
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"),
                       content.decode()).encode()


class Files:
    """The files by name, and the hashed names of those that are written."""

    def __init__(self, out, paths):
        self.out = out
        self.contents, self.hashed, self.open = {}, {}, []
        for path in paths:
            name = os.path.basename(path)
            if name in self.contents:
                raise SystemExit(f"assets.py: two files are called {name}")
            with open(path, "rb") as file:
                self.contents[name] = file.read()
            if name.endswith(COMMENTED) and "node_modules" not in path:
                self.contents[name] = uncommented(self.contents[name])

    def write(self, name):
        """Write a file, after those that it refers to: its own hash covers
        theirs.  The file's hashed name."""
        if name in self.open:
            raise SystemExit("assets.py: these refer to each other: "
                             + " -> ".join([*self.open, name]))
        if name not in self.hashed:
            self.open.append(name)
            content = self.contents[name]
            if name.endswith(REFERRING):
                content = self.linked(name, content.decode()).encode()
            self.hashed[name] = put(self.out, name, content)
            self.open.pop()
        return self.hashed[name]

    def linked(self, name, text):
        for wanted in IMPORT.findall(text):
            if wanted not in self.contents:
                raise SystemExit(f"assets.py: {name} imports {wanted}, "
                                 "which is not there")
        return REFERENCE.sub(self.link, PRELOAD.sub(self.preload, text))

    def link(self, found):
        folder, name = found.groups()
        if name not in self.contents:
            return found[0]
        folder = "./" if folder == "../client/" else folder
        return f'"{folder}{self.write(name)}"'

    def preload(self, found):
        """The links to a module and all that it imports."""
        modules = self.imported([found[1]], IMPORT)
        later = self.imported(modules, IMPORT, LATER)[len(modules):]
        lines = [f'<link rel="modulepreload" href="table/{module}">'
                 for module in modules]
        if later:
            lines += ["<!-- later:", *(f'"table/{name}"' for name in later), "-->"]
        return "\n".join(lines)

    def imported(self, first, *patterns):
        """These modules, and then all that they import, each once."""
        modules, left = [], list(first)
        while left:
            module = left.pop(0)
            if module not in modules:
                modules.append(module)
                text = self.contents[module].decode()
                left += [name for each in patterns for name in each.findall(text)]
        return modules


def main():
    out, *paths = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    files = Files(out, paths)
    for name in sorted(files.contents):
        files.write(name)


if __name__ == "__main__":
    main()
