#!/usr/bin/python3
"""test_docs.py BUILD - the page at /docs, as people see it in a browser.

Chromium opens it in the sizes of a telephone and of a desktop, by links that
lead to an operation, and again after a reload: nothing is cut off, no parameter
is missing, an operation can be tried, no other site is asked, and cached files
are not fetched again.  PICTURES=FOLDER keeps the screenshots.
Then the page is turned off.

A page that opens with an operation costs five seconds of a processor, most of
them in the viewer.  LOADS=all of the environment also reloads it, and loads it
anew on a desk and for a second operation, which otherwise show in the page that
is there.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "harness"))

import gangd  # noqa: E402
from chromium import Browser  # noqa: E402

PHONE = (390, 844)
DESK = (1280, 800)
LOADS = os.environ.get("LOADS")
METHODS = {"get", "post", "delete"}

# Of an operation that is open; its path, and whether a row tells how it is
# answered, which is the last thing that is drawn.
BLOCK = "document.getElementById('operations-{}-{}')"
IS_OPEN = BLOCK + "?.querySelector('.responses-table .response') != null"
PARAMETERS = ("[..." + BLOCK + ".querySelectorAll('tr[data-param-name]')]"
              ".map(row => row.dataset.paramIn + ' ' + row.dataset.paramName)")
WIDTH = "document.documentElement.scrollWidth"


def operations(contract):
    """The operations by name, with the parameters of their paths."""
    return {item[method]["operationId"]:
            item.get("parameters", []) + item[method].get("parameters", [])
            for item in contract["paths"].values()
            for method in METHODS & set(item)}


def parameters_of(contract, wanted):
    """Where each parameter of an operation stands, and its name."""
    return sorted("{in} {name}".format(**resolved(contract, each))
                  for each in operations(contract)[wanted])


def resolved(contract, node):
    if "$ref" not in node:
        return node
    for step in node["$ref"].removeprefix("#/").split("/"):
        contract = contract[step]
    return contract


class Reader:
    """A reader of the page, in a window of some size."""

    def __init__(self, tally, browser, daemon, name, size):
        self.tally, self.name, self.size = tally, name, size
        self.contract = daemon.client().get("/openapi.json").json
        self.base = "http://{}:{}".format(*daemon.address)
        self.page = browser.page(*size)
        self.pictures = 0

    def resize(self, name, size):
        self.name, self.size = name, size
        self.page.resize(*size)

    def check(self, what, good, detail=""):
        self.tally.check(f"{self.name}: {what}", good, detail)

    def picture(self):
        folder = os.environ.get("PICTURES")
        if folder:
            self.pictures += 1
            self.page.picture(
                os.path.join(folder, f"{self.name}-{self.pictures}.png"))

    def fits(self, where):
        width = self.page.evaluate(WIDTH)
        self.check(f"{where} fits", width == self.size[0], width)
        self.picture()

    def begin(self):
        """Open the page by its root path, as a new visitor does."""
        self.page.open(self.base + "/")
        wanted = len(operations(self.contract))
        shown = self.page.until(
            f"document.querySelectorAll('.opblock').length == {wanted}")
        self.check("/ leads to all operations",
                   shown and self.page.evaluate("location.pathname")
                   == "/docs", shown)
        self.fits("the page")

    def shows(self, tag, operation, how):
        names = (tag, operation)
        if not self.page.until(IS_OPEN.format(*names)):
            self.check(f"{operation} is open {how}", False)
            return
        self.page.evaluate(BLOCK.format(*names) + ".scrollIntoView()")
        shown = self.page.evaluate(PARAMETERS.format(*names))
        self.check(f"{operation} has all parameters {how}",
                   sorted(shown) == parameters_of(self.contract, operation),
                   shown)
        self.fits(f"{operation} {how}")

    def click(self, tag, operation):
        """Open another operation in the present page."""
        self.page.evaluate(BLOCK.format(tag, operation) +
                           ".querySelector('.opblock-summary-control').click()")
        self.shows(tag, operation, "by a click")

    def follow(self, tag, operation):
        self.page.open(f"{self.base}/docs#/{tag}/{operation}")
        self.shows(tag, operation, "by its link")

    def come_back(self, tag, operation):
        self.page.reload()
        self.shows(tag, operation, "after a reload")

    def attempt(self, tag, operation, wanted):
        """Try the operation with the example of the page."""
        block = BLOCK.format(tag, operation)
        self.page.evaluate(block + ".querySelector('.try-out__btn').click()")
        self.page.until(block + "?.querySelector('.execute') != null")
        self.page.evaluate(block + ".querySelector('.execute').click()")
        answer = (block + ".querySelector("
                  "'.live-responses-table .response .response-col_status')"
                  "?.textContent.trim()")
        status = self.page.until(answer)
        asked = self.page.evaluate(
            block + ".querySelector('.request-url pre')?.textContent.trim()")
        self.check(f"{operation} can be tried", status
                   and status.startswith("200")
                   and asked == self.base + wanted, (status, asked))
        self.fits(f"what {operation} answers")

    def end(self):
        events = self.page.events("Runtime.exceptionThrown", "Log.entryAdded")
        self.check("no script failed", not events, events[:3])
        asked = {event["params"]["request"]["url"] for event in
                 self.page.events("Network.requestWillBeSent")}
        others = [url for url in asked
                  if not url.startswith((self.base + "/", "data:", "blob:",
                                         "about:"))]
        self.check("nothing is asked of anybody else", asked and not others,
                   others)


def fetched(daemon):
    """The files of the page that were sent, by the log."""
    return sum('"route":"/docs/{asset}","status":200' in line
               for line in daemon.lines)


def check_page(tally, daemon, browser):
    phone = Reader(tally, browser, daemon, "a telephone", PHONE)
    phone.begin()
    sent = fetched(daemon)
    tally.check("the page has its viewer, and two files", sent == 4, sent)
    phone.follow("play", "takeChip")
    if LOADS == "all":
        phone.come_back("play", "takeChip")
        phone.follow("service", "explainProblem")
    else:
        phone.click("service", "explainProblem")
    phone.attempt("service", "explainProblem", "/problems/chip_moved")
    if LOADS == "all":
        phone.end()
        desk = Reader(tally, browser, daemon, "a desk", DESK)
        desk.follow("history", "listEvents")
    else:
        desk = phone
        desk.resize("a desk", DESK)
        desk.click("history", "listEvents")
    desk.end()
    tally.check("what has a hash in its name is fetched once",
                fetched(daemon) == sent, (sent, fetched(daemon)))


def check_off(tally, build):
    daemon = gangd.Daemon(build, GANGD_DOCS="off")
    daemon.wait_ready()
    client = daemon.client()
    answers = {path: client.get(path) for path in (
        "/", "/docs", "/docs/page.css", "/docs/init.js", "/docs/none.js",
        "/openapi.json", "/openapi.yaml", "/problems/invalid")}
    tally.check("turned off, there is no page", all(
        answer.status == 404 and answer.json["code"] == "no_such_route" and
        "/openapi.json" in answer.json["detail"]
        for path, answer in answers.items()
        if path == "/" or path.startswith("/docs")),
        {path: answer.status for path, answer in answers.items()})
    tally.check("but the contract, and what problems mean", all(
        answers[path].status == 200 for path in (
            "/openapi.json", "/openapi.yaml", "/problems/invalid")) and
        b'href="/openapi.json"' in answers["/problems/invalid"].body)
    tally.end_well(daemon, "the daemon without the page")


def main(build):
    tally = gangd.Tally()
    gangd.migrate(build)
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    browser = Browser()
    try:
        check_page(tally, daemon, browser)
    finally:
        browser.close()
    tally.end_well(daemon)
    check_off(tally, build)
    tally.end()


if __name__ == "__main__":
    main(sys.argv[1])
