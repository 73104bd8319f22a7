#!/usr/bin/python3
"""Prepare the static files: under names with a hash, and compressed.

    assets.py OUT FILE...

OUT gets each file twice, as page.HASH.css and page.HASH.css.gz.  The hash covers
both forms.  So it can be the entity-tag of either, and a file with that name
never changes.  A page (.html) refers to the other files under docs/ by it.
"""

import gzip
import hashlib
import os
import shutil
import sys

HASH_LEN = 20  # as internal/service/pages.c has it


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


def main():
    out, *paths = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    names = {}
    # Pages come last, since they contain the names of the other files.
    for path in sorted(paths, key=lambda path: path.endswith(".html")):
        name = os.path.basename(path)
        with open(path, "rb") as file:
            content = file.read()
        if name.endswith(".html"):
            for plain, hashed in names.items():
                content = content.replace(f'"docs/{plain}"'.encode(),
                                          f'"docs/{hashed}"'.encode())
        names[name] = put(out, name, content)


if __name__ == "__main__":
    main()
