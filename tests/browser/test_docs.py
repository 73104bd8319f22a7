"""The page at /docs, as people see it in a browser.

Chromium opens it in the sizes of a telephone and of a desktop, light and dark:
the drawings and the examples leave room for the operations, nothing is cut off,
all can be read and reached by keys.  It follows links to operations and comes
back after a reload: no parameter is missing, an operation can be tried, no other
site is asked, and cached files are not fetched again.  The examples are run
(examples.py).  PICTURES=FOLDER keeps the screenshots.  Then the page is turned
off.

A page that opens with an operation costs five seconds of a processor, most of
them in the viewer.  LOADS=all of the environment also reloads it, and loads it
anew on a desk and for a second operation, which otherwise show in the page that
is there, and loads it by way of a proxy that puts it under another path.
"""

import os

import examples
import gangd
import prefix
import pytest

pytestmark = pytest.mark.first

PHONE = (390, 844)
DESK = (1280, 800)
LOADS = os.environ.get("LOADS")
METHODS = {"get", "post", "put", "patch", "delete"}

# An operation that is open: its path, and whether a row shows an answer, which is
# the last thing that is drawn.
BLOCK = "document.getElementById('operations-{}-{}')"
IS_OPEN = BLOCK + "?.querySelector('.responses-table .response') != null"
PARAMETERS = ("[..." + BLOCK + ".querySelectorAll('tr[data-param-name]')]"
              ".map(row => row.dataset.paramIn + ' ' + row.dataset.paramName)")
WIDTH = "document.documentElement.scrollWidth"

# How many screens lie above the first operation, and how many may.
ABOVE = ("(document.querySelector('.opblock').getBoundingClientRect().top"
         " + scrollY) / innerHeight")
MOST_ABOVE = 1.5

# The text of a picture for readers who do not see it.
DRAWINGS = """[...document.querySelectorAll('svg.drawing')].map((drawing) =>
    drawing.role == 'img' && drawing.getAttribute('aria-labelledby').split(' ')
        .every((id) => document.getElementById(id).textContent.length > 20))"""

# The levels of the headings; the viewer's come between.
LEVELS = """[...document.querySelectorAll('h1, h2, h3, h4')]
    .filter((heading) => !heading.closest('#contract'))
    .map((heading) => +heading.localName[1])"""

# Links within the page that lead nowhere.
ASTRAY = """[...document.querySelectorAll('a[href^="#"]')]
    .filter((link) => !link.closest('#contract'))
    .map((link) => link.getAttribute('href').slice(1))
    .filter((name) => !document.getElementById(name[0] == '/' ?
        name.replaceAll('/', '-').replace('-', 'operations-') : name))"""

# The least contrast of the page's own texts, and its text (WCAG 2, 1.4.3).
CONTRAST = """(() => {
    const parts = (color) => color.match(/[0-9.]+/g).map(Number);
    const light = (color) => parts(color).slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92
            : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, at) =>
            sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (element) => {
        const color = getComputedStyle(element).backgroundColor;
        return element.parentElement && parts(color)[3] === 0 ?
            behind(element.parentElement) : color;
    };
    let least = [21, ''];
    for (const element of document.querySelectorAll('main > header *, ' +
            '.side *, #examples *, #guide *')) {
        const text = [...element.childNodes].some((node) =>
            node.nodeType == 3 && node.data.trim());
        if (!text || !element.checkVisibility())
            continue;
        const [a, b] = [light(getComputedStyle(element).color),
            light(behind(element))].sort((a, b) => b - a);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < least[0])
            least = [ratio, element.textContent];
    }
    return least;
})()"""
LEAST_CONTRAST = 4.5

TAB = "document.querySelector('[role=tab][aria-selected=true]').textContent"
SIDE = "document.querySelector('.side details')"


def operations(contract):
    """The operations by name, with the parameters of their paths."""
    return {item[method]["operationId"]:
            item.get("parameters", []) + item[method].get("parameters", [])
            for item in contract["paths"].values()
            for method in METHODS & set(item)}


def parameters_of(contract, wanted):
    """The place and name of each parameter of an operation."""
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

    def __init__(self, tally, browser, daemon, name, size, base=None):
        self.tally, self.name, self.size = tally, name, size
        self.contract = daemon.client().get("/openapi.json").json
        self.base = base or daemon.url
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
        self.page.open(self.base + "/docs")
        hooks = len(self.contract["webhooks"])
        wanted = len(operations(self.contract)) + hooks
        shown = self.page.until(
            f"document.querySelectorAll('.opblock').length == {wanted} && "
            f"document.querySelectorAll('.webhooks .opblock').length == {hooks}")
        self.check("/docs has all operations, and the webhook", shown, shown)
        self.fits("the page")

    def looks_well(self):
        """The page begins with its drawings, and soon has the operations."""
        above = self.page.evaluate(ABOVE)
        self.check("the operations begin early", above <= MOST_ABOVE, above)
        self.check("the side list is " +
                   ("closed" if self.size == PHONE else "open"),
                   self.page.evaluate(SIDE + ".open") != (self.size == PHONE))
        for scheme in "light", "dark":
            self.prefer("color-scheme", scheme)
            least = self.page.evaluate(CONTRAST)
            self.check(f"all can be read when it is {scheme}",
                       least[0] >= LEAST_CONTRAST, least)
            self.fits(f"the page when it is {scheme}")
        self.prefer("color-scheme", "light")

    def prefer(self, what, value):
        self.page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + what, "value": value}])

    def is_made_well(self):
        """Properties of the page in any size."""
        drawings = self.page.evaluate(DRAWINGS)
        self.check("the drawings have titles and descriptions",
                   drawings == [True, True], drawings)
        levels = self.page.evaluate(LEVELS)
        self.check("no level of headings is left out", levels.count(1) == 1
                   and all(below - above <= 1 for above, below in
                           zip(levels, levels[1:])), levels)
        astray = self.page.evaluate(ASTRAY)
        self.check("all links of the page lead somewhere", not astray, astray)
        self.prefer("reduced-motion", "reduce")
        self.check("nothing moves for readers who prefer reduced motion", self.page.evaluate(
            "getComputedStyle(document.documentElement).scrollBehavior")
            == "auto")
        self.page.evaluate("document.querySelector('[role=tab]').focus()")
        seen = []
        for key in "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home":
            self.page.call("Input.dispatchKeyEvent", type="keyDown", key=key)
            seen.append(self.page.evaluate(TAB))
        self.check("keys lead through the examples", seen == [
            "Join by code", "Play again", "Create a game", "Play again",
            "Create a game"], seen)

    def choose_from_side(self, tag, operation):
        """Open an operation by the side list; on a telephone, open that."""
        if self.size == PHONE:
            self.page.evaluate(SIDE + ".querySelector('summary').click()")
            self.fits("the side list")
        self.page.evaluate("document.querySelector("
                           f"'.side a[href=\"#/{tag}/{operation}\"]').click()")
        self.shows(tag, operation, "by the side list")
        if self.size == PHONE:
            self.check("the side list closes again",
                       not self.page.evaluate(SIDE + ".open"))

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
    phone.looks_well()
    phone.resize("a desk", DESK)
    phone.looks_well()
    phone.is_made_well()
    for reader in examples.Console(phone.page), examples.Shell():
        examples.check_examples(tally, daemon, phone.page, reader)
    phone.resize("a telephone", PHONE)
    sent = fetched(daemon)
    tally.check("the page has its viewer, and all else in it", sent == 2, sent)
    phone.follow("play", "takeChip")
    if LOADS == "all":
        phone.come_back("play", "takeChip")
        phone.follow("service", "explainProblem")
    else:
        phone.choose_from_side("service", "explainProblem")
    phone.attempt("service", "explainProblem", "/problems/chip_moved?lang=de-AT")
    if LOADS == "all":
        phone.end()
        desk = Reader(tally, browser, daemon, "a desk", DESK)
        desk.follow("history", "listEvents")
    else:
        desk = phone
        desk.resize("a desk", DESK)
        desk.choose_from_side("history", "listEvents")
    desk.end()
    tally.check("the viewer is fetched once",
                fetched(daemon) == sent, (sent, fetched(daemon)))


def check_prefix(tally, daemon, browser):
    """Under a path of a proxy the page finds its files and the service."""
    proxy = prefix.Proxy(daemon)
    reader = Reader(tally, browser, daemon, "behind a proxy", DESK, proxy.base)
    reader.follow("service", "explainProblem")
    reader.attempt("service", "explainProblem", "/problems/chip_moved?lang=de-AT")
    shown = reader.page.evaluate(
        "document.querySelector('.example pre code').textContent")
    reader.check("the examples name its address", proxy.base + "/v1" in shown,
                 shown)
    reader.end()
    proxy.close()


def check_off(tally, build):
    daemon = gangd.Daemon(build, GANGD_DOCS="off", GANGD_TABLE="off")
    daemon.wait_ready()
    client = daemon.client()
    answers = {path: client.get(path) for path in (
        "/", "/docs", "/docs/swagger-ui.css", "/docs/none.js",
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


def test_page(tally, daemon, browser):
    check_page(tally, daemon, browser)


def test_docs(tally, daemon, browser):
    if LOADS == "all":
        check_prefix(tally, daemon, browser)
    tally.end_well(daemon)


def test_off(tally, build, database):
    check_off(tally, build)
