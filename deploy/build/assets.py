#!/usr/bin/python3
"""Prepare the static files: pages that need no other file to begin, and a
compressed copy of each.

    assets.py OUT FILE...

OUT gets each file twice, as page.HASH.css and page.HASH.css.gz.  The hash covers
both forms, so it can be the entity-tag of either; the file is served as page.css.

A page (.html) has its style sheets and its script in it: two releases may serve
one reader, and whichever answers next may not have the files of the page.  In the
page, <!-- styles NAME... --> becomes the style sheets, one after the other, and
<!-- script NAME --> a module with all that it imports, as esbuild bundles it, after the
modules games/*/index.js next to it; files that a page names are not written.  In the
page's policy (a .policy of the same name, the value of Content-Security-Policy),
SCRIPTS and STYLES become the hashes that allow the page's own script and styles.
"""

import base64
import glob
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys

HASH_LEN = 20  # as internal/service/pages.c has it

PLACE = re.compile(r"<!-- (styles|script) ([\w. -]+?) -->")
# Names are kept, so that a stack trace can be read.
ESBUILD = ("esbuild", "--log-level=warning", "--charset=utf8",
           "--minify-whitespace", "--minify-syntax", "--legal-comments=none")
# These would end an element early, or begin another one in it.
HTML = re.compile(r"</(?:script|style)|<!--", re.I)


def stop(message):
    raise SystemExit("assets.py: " + message)


def esbuild(*arguments, text, folder=None):
    """What esbuild makes of it; a warning stops the build too."""
    ran = subprocess.run([*ESBUILD, *arguments], input=text, encoding="utf-8",
                         cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         check=False)
    if ran.returncode or ran.stderr:
        stop("esbuild refused this:\n" + ran.stderr)
    return ran.stdout.strip()


def digest_of(text):
    """A source of a policy that allows this text in an element."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


class Page:
    """A page with its parts in it, and the hashes of these."""

    def __init__(self, path, paths):
        self.paths = paths
        self.parts = []
        self.hashes = {"styles": [], "script": []}
        with open(path, encoding="utf-8") as file:
            self.text = PLACE.sub(self.put, file.read())

    def put(self, found):
        kind, names = found[1], found[2].split()
        for name in names:
            if name not in self.paths:
                stop(f"a page has {name} in it, which is not there")
        self.parts += names
        text = self.styles(names) if kind == "styles" else self.script(*names)
        if HTML.search(text):
            stop(f"{found[2]} has HTML in it: {HTML.search(text)[0]}")
        self.hashes[kind].append(digest_of(text))
        if kind == "styles":
            return f"<style>{text}</style>"
        return f'<script type="module">{text}</script>'

    def styles(self, names):
        sheets = []
        for name in names:
            with open(self.paths[name], encoding="utf-8") as file:
                sheets.append(file.read())
        return esbuild("--loader=css", text="".join(sheets))

    def script(self, name):
        folder, file = os.path.split(self.paths[name])
        games = sorted(glob.glob("games/*/index.js", root_dir=folder or "."))
        return esbuild("--bundle", "--format=esm", "--sourcefile=page.js",
                       folder=folder or ".", text="".join(
                           f'import "./{module}";\n' for module in [*games, file]))

    def policy(self, path):
        """The page's policy, on one line."""
        with open(path, encoding="utf-8") as file:
            text = " ".join(file.read().split())
        return text.replace("SCRIPTS", " ".join(self.hashes["script"])) \
                   .replace("STYLES", " ".join(self.hashes["styles"]))


def put(out, name, content):
    """Write both forms."""
    packed = gzip.compress(content, 9, mtime=0)
    digest = hashlib.sha256(content + packed).hexdigest()[:HASH_LEN]
    stem, extension = name.split(".")
    for suffix, form in ("", content), (".gz", packed):
        hashed = f"{stem}.{digest}.{extension}{suffix}"
        with open(os.path.join(out, hashed), "wb") as file:
            file.write(form)


def contents(paths):
    """The files that are served, by name."""
    pages = {name: Page(path, paths) for name, path in paths.items()
             if name.endswith(".html")}
    parts = {part for page in pages.values() for part in page.parts}
    for name, path in paths.items():
        stem, extension = name.split(".")
        if name in pages:
            yield name, pages[name].text.encode()
        elif extension == "policy":
            yield name, pages[stem + ".html"].policy(path).encode()
        elif name not in parts:
            with open(path, "rb") as file:
                yield name, file.read()


def main():
    out, *files = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    paths = {os.path.basename(path): path for path in files}
    if len(paths) < len(files):
        stop("two files have one name")
    for name, content in contents(paths):
        put(out, name, content)


if __name__ == "__main__":
    main()
