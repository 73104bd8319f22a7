"""Two releases serve the pages at once.

The releases are BUILD/bin and BUILD/tests/torture/next, whose pages have other
scripts and another service worker.  A front hands request after request to one and
the other in turn.  Readers who come for the first time see the table, whatever
release answers, and sit down; /docs has its tabs and its colours.  A tab that was
opened at one release plays on at the other, and shows what it has not shown before.
Service workers of both neither reload a page nor lose what they keep.  Last, the
front takes requests and does not answer, and then the daemons are gone: a reader who
has been there before sees the table all the same.
"""

import subprocess
import time

import gangd
import prefix
import pytest

PHONE = (360, 740)
VISITS = 40
SEATED = 8         # one visit in this many sits down
RELOADS = 4
SILENT_S = 3       # after which the page comes from the worker
SLOW_S = 60        # ends a test that hangs

SHOWS = "document.querySelector('{}') != null"
HOME = SHOWS.format(".home input[name=name]")
CARDS = "document.querySelectorAll('.mine .card').length == 2"
RELEASE = "document.documentElement.dataset.release ?? 'this'"
SIT_DOWN = "document.querySelector('.start .primary').click()"
# How many things that the worker keeps have this in their address.
KEPT = """caches.open('gangd-table').then((cache) => cache.keys())
    .then((keys) => keys.filter(({ url }) => url.endsWith('WHAT') ||
        url.includes('/WHAT?')).length)"""
RULES = KEPT.replace("WHAT", "v1/rules/families")
NOTICES = KEPT.replace("WHAT", "/notices")
ROOT = KEPT.replace("WHAT", "/")

# Screens that a tab has not shown yet, by the hash of its address.
SCREENS = [
    ("#/create", "input[name=mode]"),
    ("#/join/7K2M9QXA", ".panel, .form"),
    ("#/seat/x/y", "#page main"),
    ("#/", ".home input[name=name]"),
]
FAMIGLIA = """(async () => {
    const answer = await fetch('v1/games', { method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Ada', ruleset: 'famiglia', bots: 1,
            start: true }) });
    const { token, game } = await answer.json();
    localStorage['gangd.seat.' + game.id] = JSON.stringify(
        { id: game.id, token, ruleset: 'famiglia', status: 'playing' });
    location.hash = '#/game/' + game.id;
})()"""
SPEAK = """(() => {
    const select = document.querySelector('.language select');
    select.value = 'ru';
    select.dispatchEvent(new Event('change'));
})()"""


def visitor(browser):
    """Somebody whose browser keeps nothing."""
    page = browser.page(*PHONE, browser.context())
    page.call("Network.setBypassServiceWorker", bypass=True)
    page.call("Network.setCacheDisabled", cacheDisabled=True)
    return page


@pytest.fixture(scope="module")
def later(build, database):
    later = build + "/tests/torture/next/"
    subprocess.run([later + "gangctl", "migrate"], check=True,
                   stdout=subprocess.DEVNULL)
    return later


@pytest.fixture(scope="module")
def old(build, database):
    return gangd.Daemon(build, GANGD_BOT_PACE="0")


@pytest.fixture(scope="module")
def new(build, later, old):
    new = gangd.Daemon(build, program=later + "gangd", GANGD_BOT_PACE="0")
    for daemon in old, new:
        daemon.wait_ready()
    return new


@pytest.fixture(scope="module")
def front(old, new):
    front = prefix.Proxy(old, new, path="")
    yield front
    front.close()


def test_visits(tally, front, browser):
    page = visitor(browser)
    shown, seen, seated = 0, set(), []
    for number in range(VISITS):
        page.open(front.base + "/")
        shown += bool(page.until(HOME, SLOW_S))
        seen.add(page.evaluate(RELEASE))
        if number % SEATED == 0:
            page.evaluate(SIT_DOWN)
            seated.append(page.until(CARDS, SLOW_S))
    tally.check(f"{VISITS} of {VISITS} visits show the table",
                shown == VISITS, shown)
    tally.check("of both releases", seen == {"this", "next"}, seen)
    tally.check("and its readers sit down", all(seated), seated)


def test_docs(tally, front, browser):
    whole = []
    for _ in range(2):
        page = browser.page(*PHONE)
        page.open(front.base + "/docs")
        whole.append(page.until(SHOWS.format("[role=tab]"), SLOW_S) and
                     page.evaluate("getComputedStyle(document.querySelector("
                                   "'.skip')).position == 'absolute'"))
    tally.check("/docs has its script and its style", all(whole), whole)


def test_open_tab(tally, old, new, front, browser):
    """It was opened at a release that has gone since."""
    front.daemons = [old]
    page = visitor(browser)
    page.open(front.base + "/")
    page.until(HOME, SLOW_S)
    page.evaluate("window.isFirst = true")
    front.daemons = [new]
    missing = []
    for where, selector in SCREENS:
        page.evaluate(f"location.hash = '{where}'")
        if not page.until(SHOWS.format(selector), SLOW_S):
            missing.append(where)
    page.evaluate(SPEAK)
    if not page.until("document.documentElement.lang == 'ru'", SLOW_S):
        missing.append("another language")
    page.evaluate(SIT_DOWN)
    if not page.until(CARDS, SLOW_S):
        missing.append("a table")
    page.evaluate(FAMIGLIA)
    if not page.until(SHOWS.format("main.famiglia"), SLOW_S):
        missing.append("a table of Famiglia")
    tally.check("a tab of a release that is gone shows all it has not shown",
                not missing, missing)
    faults = page.events("Runtime.exceptionThrown")
    tally.check("and is the same page still",
                page.evaluate("window.isFirst") and not faults, faults[:1])


def check_workers(tally, browser, front, daemons):
    """Another worker at every look, and the page is not disturbed."""
    front.daemons = daemons
    page = browser.page(*PHONE, browser.context())
    page.open(front.base + "/")
    page.until(HOME, SLOW_S)
    page.until("navigator.serviceWorker.ready.then(() => true)", SLOW_S)
    page.until(RULES, SLOW_S)
    page.evaluate("caches.open('gangd-table').then((cache) =>"
                  " cache.put('notices', Response.json({})))")
    for _ in range(RELOADS):
        page.reload()
        page.until(HOME, SLOW_S)
    page.evaluate("window.isFirst = true")
    page.evaluate("navigator.serviceWorker.getRegistration()"
                  ".then((each) => each.update()).then(() => true)")
    kept = [page.evaluate(each) for each in (ROOT, RULES, NOTICES)]
    tally.check("workers of both keep the page and what it keeps",
                kept == [1, 1, 1], kept)
    tally.check("and none reloads it", page.evaluate("window.isFirst"))
    return page


def check_unanswered(tally, page, front):
    """The network is there, and nobody answers in time, or only a failure."""
    front.answering.clear()
    begun = time.monotonic()
    page.evaluate("location.search = '?fbclid=x'")
    page.until("location.search && " + HOME, SLOW_S)
    took = time.monotonic() - begun
    front.answering.set()
    tally.check("when nobody answers, the table is there after some seconds",
                SILENT_S <= took < 10 * SILENT_S, took)
    front.daemons = [type("Gone", (), {"address": ("127.0.0.1", 1)})]
    page.reload()
    tally.check("and when the service is gone, at once",
                page.until(HOME, SLOW_S))


def test_releases(tally, old, new, front, browser):
    page = check_workers(tally, browser, front, [old, new])
    check_unanswered(tally, page, front)
    tally.end_well(old, "the daemon of this release")
    tally.end_well(new, "that of the next one")
