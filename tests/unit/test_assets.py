#!/usr/bin/python3
"""How api/assets.py names the files of pages, and what stops the build."""

import gzip
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAKER = os.path.join(HERE, "../../api/assets.py")
HASH = r"\.[0-9a-f]{20}\."

PAGE = """<link rel="icon" href="table/icon.svg">
<!-- preload main.js -->
<a href="docs/none.css"></a>
"""
FINE = {
    "page.html": PAGE,
    "icon.svg": "<svg/>",
    "main.js": 'import {\n\ta,\n} from "./part.js";\n'
               'import { b } from "../client/index.js";\n'
               'import("./late.js");\n',
    "part.js": '/* Of\n@import { A } from "./main.js" */\n'
               'export const a = "// 1";\n',
    "index.js": "export const b = 2;\n",
    "late.js": "export {};\n",
    "node_modules/viewer.js": "// by somebody else\n",
}

# (what is wrong, the file that changes, its text, what it must tell)
WRONG = [
    ("a module that is not there", "part.js", 'import "./gone.js";\n',
     "part.js imports gone.js"),
    ("modules that import each other", "part.js", 'import "./main.js";\n',
     "main.js -> part.js -> main.js"),
]


def make(folder, files):
    """Run assets.py on them: its status and message, and what it wrote."""
    paths = []
    for name, text in files.items():
        paths.append(os.path.join(folder, name))
        os.makedirs(os.path.dirname(paths[-1]), exist_ok=True)
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    out = os.path.join(folder, "out")
    ran = subprocess.run([sys.executable, MAKER, out, *paths], text=True,
                         stderr=subprocess.PIPE, check=False)
    written = {}
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as file:
            written[name] = file.read()
    return ran, written


def named(written, name):
    """The hashed name and the text of a file."""
    stem, extension = os.path.basename(name).split(".")
    [found] = [each for each in written if re.fullmatch(
        stem + HASH + extension, each)]
    return found, written[found].decode()


def check_fine(check, folder):
    ran, written = make(folder, FINE)
    check("it is made", ran.returncode == 0, ran.stderr)
    names = {name: named(written, name)[0] for name in FINE}
    main = named(written, "main.js")[1]
    check("a module imports by hash", main ==
          f'import {{\n\ta,\n}} from "./{names["part.js"]}";\n'
          f'import {{ b }} from "./{names["index.js"]}";\n'
          f'import("./{names["late.js"]}");\n', main)
    part = named(written, "part.js")[1]
    check("a comment is left out, and its line stays",
          part == '\n\nexport const a = "// 1";\n', part)
    viewer = named(written, "viewer.js")[1]
    check("but not that of another author",
          viewer == FINE["node_modules/viewer.js"], viewer)
    page = named(written, "page.html")[1]
    links = [f'<link rel="modulepreload" href="table/{names[name]}">'
             for name in ("main.js", "part.js", "index.js")]
    links += ["<!-- later:", f'"table/{names["late.js"]}"', "-->"]
    check("a page links to what its module imports at once, and names the rest",
          page ==
          PAGE.replace("<!-- preload main.js -->", "\n".join(links))
          .replace("table/icon.svg", "table/" + names["icon.svg"]), page)
    check("each file is there compressed", all(
        gzip.decompress(written[name + ".gz"]) == written[name]
        for name in names.values()))
    changed = make(folder, {**FINE, "part.js": "export const a = 3;\n"})[1]
    check("another import is another name",
          named(changed, "main.js")[0] != names["main.js"]
          and named(changed, "index.js")[0] == names["index.js"])


def main():
    counts = {True: 0, False: 0}

    def check(name, good, detail=""):
        counts[bool(good)] += 1
        print("ok    " if good else "FAILED", name, "" if good else detail)

    with tempfile.TemporaryDirectory() as folder:
        check_fine(check, folder)
        for name, file, text, wanted in WRONG:
            ran = make(folder, {**FINE, file: text})[0]
            check(name + " stops the build",
                  ran.returncode != 0 and wanted in ran.stderr, ran.stderr)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


if __name__ == "__main__":
    sys.exit(main())
