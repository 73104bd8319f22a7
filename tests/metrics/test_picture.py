"""The dashboard is drawn as far as there is data.

A planted Prometheus answers every query with flat curves, or those of some metrics
with nothing.  Each curve must be whole in the picture: no legend covers one.
"""
import collections
import json
import os
import re
import struct
import subprocess
import tempfile
import urllib.parse
import zlib

from listed import ROOT, read
import loopback
import pytest

EACH = 2       # curves of a query
QUERIES = 5    # of a panel, at most
SHOWN = 10     # curves of a panel, at most
TEXT = 6       # pixels of a letter in a row, at most
PART = 0.9     # of the longest curve's length, that each has
PANELS = json.loads(read("deploy/metrics/dashboard.json"))["panels"]


class Planted(loopback.Handler):
    """The curves of a panel are of different heights."""

    asked = 0
    without = "^$"  # metrics that this Prometheus does not have

    def do_GET(self):
        asked = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        begin, end = float(asked["start"][0]), float(asked["end"][0])
        Planted.asked += 1
        height = 1 + Planted.asked % QUERIES * EACH
        series = [] if re.search(self.without, asked["query"][0]) else [
            {"metric": {"route": "/v1/games/{game_id}/" + 20 * "x"},
             "values": [[at, str(height + number)] for at in (begin, end)]}
            for number in range(EACH)]
        self.answer(200, json.dumps({"data": {"result": series}}).encode())


def unfiltered(line, above, kind, size):
    """The bytes of a line of a PNG file, each of which is less a neighbour's."""
    for i, byte in enumerate(line if kind else b""):
        left = line[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        nearest = min((left, above[i], corner),
                      key=lambda one: abs(left + above[i] - corner - one))
        line[i] = byte + (0, left, above[i], (left + above[i]) // 2,
                          nearest)[kind] & 255
    return line


def read_png(path):
    """The lines of a picture, with a value for each pixel."""
    with open(path, "rb") as file:
        data = file.read()
    chunks, at = {}, 8
    while at < len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        chunks[name] = chunks.get(name, b"") + data[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, color = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    assert depth == 8 and color in (2, 3), (depth, color)
    size = 3 if color == 2 else 1
    packed, lines = zlib.decompress(chunks[b"IDAT"]), [bytes(width * size)]
    for row in range(height):
        begin = row * (width * size + 1)
        lines.append(unfiltered(
            bytearray(packed[begin + 1:begin + 1 + width * size]), lines[-1],
            packed[begin], size))
    return [[bytes(line[i:i + size]) for i in range(0, width * size, size)]
            for line in lines[1:]]


def runs_of(line):
    """Where pixels that are not the background's begin, how many are alike in a row,
    and their value."""
    begin = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or line[at] != line[begin]:
            if line[begin] != line[0]:
                yield begin, at - begin, line[begin]
            begin = at


def count_curves(lines):
    """Horizontal lines that are whole, but for the frames of panels: those are as
    long, and of the colour that most of the text has."""
    runs = [list(runs_of(line)) for line in lines]
    longest = max(length for line in runs for _, length, _ in line)
    text = collections.Counter(color for line in runs for _, length, color in line
                               if length < TEXT).most_common(1)[0][0]
    curves, before = 0, set()
    for line in runs:
        now = {(begin, color) for begin, length, color in line
               if length >= PART * longest and color != text}
        curves += len(now - before)  # a curve may be two pixels thick
        before = now
    return curves


def draw(url, path):
    return subprocess.run(
        [os.path.join(ROOT, "deploy/metrics/picture.py"), url, path, "15"],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


@pytest.fixture(scope="module")
def server():
    server = loopback.Server(Planted)
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def url(server):
    return "http://" + server.address


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as folder:
        yield folder


@pytest.fixture(scope="module")
def path(folder):
    return os.path.join(os.environ.get("PICTURES", folder), "dashboard.png")


def test_all(tally, url, path):
    done = draw(url, path)
    tally.check("every panel with data is drawn", done.returncode == 0 and
                f"{len(PANELS)} of {len(PANELS)} panels" in done.stdout and
                "no data" not in done.stdout, (done.stdout, done.stderr))
    wanted = sum(min(SHOWN, EACH * len(panel["targets"])) for panel in PANELS)
    found = count_curves(read_png(path))
    tally.check("no legend covers a curve", found == wanted, (found, wanted))


def test_some(tally, url, path):
    Planted.without = "archive|backup|purge"
    empty = [panel["title"] for panel in PANELS
             if "backup" in panel["title"] or "purge" in panel["title"]]
    done = draw(url, path)
    tally.check("panels without data are named, and the others drawn",
                done.returncode == 0 and len(empty) >= 4 and
                "no data: " + "; ".join(empty) + "\n" in done.stdout and
                f"{len(PANELS) - len(empty)} of {len(PANELS)} " in done.stdout,
                (done.stdout, done.stderr))
    Planted.without = ""
    done = draw(url, path)
    tally.check("without any data there is no picture", done.returncode == 1 and
                done.stderr == "no panel has data\n", done.stderr)
