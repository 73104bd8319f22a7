"""More tabs than a browser has connections.

Over plain HTTP/1.1 a browser has six connections to a service.  Eight tabs show one
game all the same: three of them at most have a stream.  A move gets out of the
eighth, and all see it.  A tab that comes into view gets a stream, and those that
crash leave theirs to others.
"""
import json
import os
import time

from chromium import Browser
import gangd
import metrics_client
import pytest

pytestmark = pytest.mark.waiting
DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0"}

TABS = 8
MOST_STREAMS = 3
WATCHED_SECONDS = 5
SECONDS = 20  # for a tab to see a move; it asks every five seconds
HAND = "document.querySelectorAll('.mine .card').length == 2"
MINE = "document.querySelector('.my-chip button.chip') != null"
TAKE = "document.querySelector('.tray button.chip').click()"
GIVE_BACK = "document.querySelector('.my-chip button.chip').click()"
# The slots that tabs hold.
SLOTS = """Object.keys(localStorage).filter((key) =>
    key.startsWith('gangd-client.stream.')).map((key) =>
    JSON.parse(localStorage[key])).filter(({ until }) => until > Date.now())"""


def connections(daemon):
    """How many the browser has to the daemon."""
    port = f":{daemon.address[1]:04X}"
    with open("/proc/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file.readlines()[1:]]
    return sum(row[1].endswith(port) and row[3] == "01" for row in rows)


def most_streams(metrics):
    """The most streams that the daemon has during some seconds."""
    most, ended = 0, time.monotonic() + WATCHED_SECONDS
    while time.monotonic() < ended:
        most = max(most, metrics.value("gangd_waiters", kind="stream"))
        time.sleep(0.05)
    return most


def all_see(pages, script):
    """The numbers of the tabs that do not come to see it."""
    deadline = time.monotonic() + SECONDS
    return [number for number, page in enumerate(pages, 1) if not page.until(
        script, max(0.1, deadline - time.monotonic()))]


def test_tabs(tally, daemon):
    metrics = metrics_client.of_daemon(daemon)
    base = daemon.url
    table = gangd.Table(daemon)
    seat = {"id": table.id, "token": table.tokens[0], "ruleset": "the_gang",
            "status": "playing", "at": 0}
    browser = Browser()
    try:
        pages = [browser.page(360, 740) for _ in range(TABS)]
        pages[0].open(base + "/")
        pages[0].until("document.querySelector('.home') != null")
        pages[0].evaluate(f"localStorage['gangd.seat.{table.id}'] ="
                          f" {json.dumps(json.dumps(seat))}")
        for page in pages:
            page.call("Page.bringToFront")
            page.open(f"{base}/#/game/{table.id}")
            page.until(HAND, SECONDS)
        missing = all_see(pages, HAND)
        tally.check(f"{TABS} tabs show the game", not missing, missing)
        metrics.wait_for(MOST_STREAMS, "gangd_waiters", kind="stream")
        streams = most_streams(metrics)
        tally.check(f"at most {MOST_STREAMS} have a stream",
                    streams == MOST_STREAMS, streams)
        tally.check("the browser has a connection left",
                    connections(daemon) < 6, connections(daemon))
        tally.check("the tab in view has one of them",
                    pages[-1].until("(" + SLOTS + ").some(({ hidden }) =>"
                                    " !hidden)", SECONDS))
        begun = time.monotonic()
        pages[-1].evaluate(TAKE)
        tally.check("a move gets out of the last one", pages[-1].until(
            "!document.querySelector('[aria-busy=true]') && " + MINE, 5))
        missing = all_see(pages, MINE)
        print(f"all tabs see the move after {time.monotonic() - begun:.1f} s")
        tally.check("all see it", not missing, missing)
        tally.check("none says that the service cannot be reached", not any(
            page.evaluate("document.querySelector('.offline') != null")
            for page in pages))

        pages[2].call("Page.bringToFront")
        pages[2].evaluate(GIVE_BACK)
        missing = all_see(pages, f"!({MINE})")
        tally.check("a tab that comes into view moves, and all see it",
                    not missing, missing)

        for page in pages[4:]:
            crash(page)
        pages[0].call("Page.bringToFront")
        pages[0].evaluate(TAKE)
        missing = all_see(pages[:4], MINE)
        tally.check("so do the others when four have crashed", not missing,
                    missing)
        tally.end_well(daemon)
    finally:
        browser.close()


def crash(page):
    """The renderer ends without a word; its tab answers no more."""
    os.write(page.browser.write_fd, json.dumps({
        "id": 0, "method": "Page.crash", "sessionId": page.session,
    }).encode() + b"\0")
