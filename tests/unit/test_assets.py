"""The output of deploy/build/assets.py for pages and other files, and its errors."""

import base64
import gzip
import hashlib
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
MAKER = os.path.join(HERE, "../../deploy/build/assets.py")
HASH = r"\.[0-9a-f]{20}\."

FINE = {
    "page.html": '<link rel="icon" href="table/icon.svg">\n'
                 "<!-- styles one.css two.css -->\n<!-- script main.js -->\n",
    "page.policy": "script-src SCRIPTS;\nstyle-src 'self' STYLES\n",
    "icon.svg": "<svg/>",
    "one.css": "/* first */\na { top: 1px; }\n",
    "two.css": "a { top: 2px; }\n",
    "main.js": 'import { a } from "./part.js";\n// how\nconsole.log(a);\n'
               'const later = () => import("./late.js");\nlater();\n',
    "part.js": 'export const a = "Räuber</script>";\n',
    "late.js": 'export const late = "late";\n',
    "worker.js": "// kept as it is\n",
}
ALONE = ("part.js", "late.js")  # found by the script that imports them

# (what is wrong, the file that changes, its text, what the message must have)
WRONG = [
    ("a module that is not there", "part.js", 'import "./gone.js";\n', "gone.js"),
    ("a name that a module does not export", "part.js", "export const b = 1;\n",
     "part.js"),
    ("a script that does not parse", "main.js", "const = 1;\n", "main.js"),
    ("a style sheet that does not parse", "two.css", "a { color: blue; } }\n",
     "esbuild"),
    ("a comment of HTML in a script", "part.js", 'export const a = "<!--";\n',
     "HTML"),
    ("a part that is not there", "page.html", "<!-- script none.js -->\n",
     "none.js"),
]


def make(folder, files):
    """Run assets.py on them: how it ended, and what it wrote."""
    paths = []
    for name, text in files.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if name not in ALONE:
            paths.append(path)
    out = os.path.join(folder, "out")
    ran = subprocess.run([sys.executable, MAKER, out, *paths], text=True,
                         stderr=subprocess.PIPE, check=False)
    written = {}
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as file:
            written[name] = file.read()
    return ran, written


def named(written, name):
    """The name with the hash, and the text of a file."""
    stem, extension = name.split(".")
    [found] = [each for each in written if re.fullmatch(
        stem + HASH + extension, each)]
    return found, written[found].decode()


def allowed(text):
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def test_pages(tally, folder):
    check = tally.check
    ran, written = make(folder, FINE)
    check("it is made", ran.returncode == 0, ran.stderr)
    names = {re.sub(HASH, ".", name) for name in written}
    plain = {"page.html", "page.policy", "icon.svg", "worker.js"}
    check("the parts of the page are not written",
          names == plain | {name + ".gz" for name in plain}, names)
    page = named(written, "page.html")[1]
    [style] = re.findall("<style>(.*)</style>", page, re.S)
    [script] = re.findall('<script type="module">(.*)</script>', page, re.S)
    check("the style sheets are in the page, in their order",
          style.index("1px") < style.index("2px") and "first" not in style,
          style)
    check("and its script, with all it imports, at once or later",
          "Räuber" in script and 'late="late"' in script and "how" not in script
          and not re.search(r"\b(import|from)\b", script), script)
    check("which no text in it ends", "</script" not in script, script)
    policy = named(written, "page.policy")[1]
    check("the policy allows these and no others", policy ==
          f"script-src {allowed(script)}; style-src 'self' {allowed(style)}",
          policy)
    check("any other file stays as it is",
          named(written, "worker.js")[1] == FINE["worker.js"])
    check("each file is there compressed", all(
        gzip.decompress(content) == written[name.removesuffix(".gz")]
        for name, content in written.items() if name.endswith(".gz")))
    changed = make(folder, {**FINE, "late.js": "export const late = 1;\n"})[1]
    check("a module that changes is another tag of the page",
          named(changed, "page.html")[0] != named(written, "page.html")[0]
          and named(changed, "icon.svg")[0] == named(written, "icon.svg")[0])


@pytest.mark.parametrize("name, file, text, wanted", WRONG,
                         ids=[row[0] for row in WRONG])
def test_stops_the_build(folder, name, file, text, wanted):
    ran = make(folder, {**FINE, file: text})[0]
    assert ran.returncode != 0
    assert wanted in ran.stderr
