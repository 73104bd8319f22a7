#!/usr/bin/python3
"""sbom.py PACKAGE.deb - print what a package is made of, as SPDX 2.3 in JSON.

That is the package itself, the Debian packages that it needs to run, in the
versions of this machine, and the viewer of /docs, which gangd has inside.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

LOCK = "api/docs/package-lock.json"


def ask(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def field(path, name):
    return ask("dpkg-deb", "--field", path, name)


def entry(name, version, purl, **more):
    return {"SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.]", "-", name),
            "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER",
                              "referenceType": "purl",
                              "referenceLocator": purl}], **more}


def needed(path):
    """The Debian packages named by Depends, in the versions installed here."""
    for word in field(path, "Depends").split(","):
        name = word.split()[0].split("|")[0]
        if name == "gangctl":
            continue
        version = ask("dpkg-query", "-W", "-f", "${Version}", name)
        yield entry(name, version, f"pkg:deb/debian/{name}@{version}")


def viewer():
    with open(LOCK, encoding="utf-8") as file:
        for path, package in json.load(file)["packages"].items():
            if path:
                name = path.removeprefix("node_modules/")
                yield entry(name, package["version"],
                            f"pkg:npm/{name}@{package['version']}")


def main(path):
    name, version = field(path, "Package"), field(path, "Version")
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    own = entry(name, version, f"pkg:deb/gangd/{name}@{version}", checksums=[
        {"algorithm": "SHA256", "checksumValue": digest}])
    parts = list(needed(path)) + (list(viewer()) if name == "gangd" else [])
    made = datetime.datetime.fromtimestamp(
        int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    relations = [("DESCRIBES", "SPDXRef-DOCUMENT", own["SPDXID"])]
    relations += [("CONTAINS" if "pkg:npm" in str(part) else "DEPENDS_ON",
                   own["SPDXID"], part["SPDXID"]) for part in parts]
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
        "documentNamespace": f"urn:gangd:spdx:{name}:{version}:{digest}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: gangd-sbom.py"]},
        "packages": [own] + parts,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind,
             "relatedSpdxElement": other} for kind, one, other in relations],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
