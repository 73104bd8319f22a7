#!/usr/bin/python3
"""Lay out what is served of files as it is sent: by hash, and compressed.

    assets.py OUT FILE...

OUT gets each file twice, as page.HASH.css and page.HASH.css.gz.  The hash is of
both, so that it can be the entity-tag of either, and so that what has that name
never changes.  A page (.html) names the other files under /docs/ by it.
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
    # The pages last, since they name the others.
    for path in sorted(paths, key=lambda path: path.endswith(".html")):
        name = os.path.basename(path)
        with open(path, "rb") as file:
            content = file.read()
        if name.endswith(".html"):
            for plain, hashed in names.items():
                content = content.replace(f'"/docs/{plain}"'.encode(),
                                          f'"/docs/{hashed}"'.encode())
        names[name] = put(out, name, content)


if __name__ == "__main__":
    main()
