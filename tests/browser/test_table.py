"""The table at /, in a browser.

Ada plays a heist with three bots on a telephone: she takes chips until the
showdown has an outcome.  Nothing fails or is asked of another site, nothing
sticks out of the screen, and the browser keeps her token but not her cards.
A reload leads back to the game, and so does the address that gives her seat to
another device.  The page changes its language, and keeps the rest.  QR codes can be
read.  Behind a proxy the page finds its files.  It also starts without the service, and
where nothing may be stored.  A wrong address leads to the entrance.  GANGD_TABLE=off
removes it.  PICTURES=FOLDER keeps screenshots.
"""

import json
import os
import re
import subprocess

import gangd
import prefix
import pytest
import read_qr

HERE = os.path.dirname(os.path.abspath(__file__))

QR = os.path.join(HERE, "../../api/table/qr.js")
PHONE = (360, 740)
MOST_BYTES = 120_000  # of the whole page, compressed
DAEMON = {"GANGD_BOT_PACE": "0"}

# One step of Ada's: a free chip, unless she holds one; "over" with an outcome.
PLAY = """(() => {
    if (document.querySelector('.outcome'))
        return 'over';
    const button = document.querySelector('.skip') ??
        (document.querySelector('.my-chip button.chip') ? null :
            document.querySelector('.tray button.chip'));
    button?.click();
    return '';
})()"""
CHOOSE = """(() => {
    const select = document.querySelector('.language select');
    select.value = 'de';
    select.dispatchEvent(new Event('change'));
})()"""
# Ada, the host, removes a bot.
REMOVE = """(() => {
    const id = location.hash.split('/')[2];
    const { token } = JSON.parse(localStorage['gangd.seat.' + id]);
    return fetch(`/v1/games/${id}/players/2`, { method: 'DELETE',
        headers: { Authorization: `Bearer ${token}` } });
})()"""
# The menu's entry for another device.
DEVICE = """(() => {
    document.querySelector('[aria-label=Menu]').click();
    [...document.querySelectorAll('.sheet button')].find((button) =>
        button.textContent.includes('another device')).click();
})()"""
COPY = "[...document.querySelectorAll('.sheet .pair button')].at(-1).click()"
GERMAN = "document.querySelector('h1')?.textContent.includes('Drei Tresore')"
SHOWS = "document.querySelector('{}') != null"
WIDTH = "document.documentElement.scrollWidth"
HIDDEN = re.compile(r"[2-9TJQKA][cdhs]\b")


def picture(page, name):
    if os.environ.get("PICTURES"):
        page.picture(os.path.join(os.environ["PICTURES"], name + ".png"))


def is_conflict(event):
    """Whether the browser noted a move that a bot's move came before."""
    return "status of 409" in event["params"].get("entry", {}).get("text", "")


def check_quiet(tally, page, base):
    """No script failed, and no other site was asked."""
    failed = [event for event in page.events(
        "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        if not is_conflict(event)]
    tally.check("no script failed, and none says a word", not failed,
                failed[:2])
    asked = {event["params"]["request"]["url"] for event in
             page.events("Network.requestWillBeSent")}
    others = [url for url in asked
              if not url.startswith((base + "/", "data:", "about:"))]
    tally.check("nothing is asked of anybody else", asked and not others,
                others)
    return asked


def check_size(tally, page):
    sent = sum(event["params"]["encodedDataLength"] for event in
               page.events("Network.loadingFinished"))
    tally.check("all of the page is small", 0 < sent < MOST_BYTES, sent)


def check_heist(tally, page, base):
    """Ada comes, plays with bots, and sees the showdown."""
    page.open(base + "/")
    page.until(SHOWS.format(".home input[name=name]"))
    check_size(tally, page)
    tally.check("the entrance fits", page.evaluate(WIDTH) == PHONE[0])
    page.evaluate("localStorage.setItem('gangd.name', 'Ada')")
    page.evaluate("document.querySelector('.start .primary').click()")
    tally.check("one tap leads to a table",
                page.until("document.querySelectorAll('.mine .card').length"
                           " == 2"))
    picture(page, "table")
    names = page.evaluate("[...document.querySelectorAll("
                          "'button, a, input, [role=img]')]"
                          ".filter((node) => !(node.ariaLabel ||"
                          " node.textContent.trim() || node.labels?.length))"
                          ".map((node) => node.outerHTML)")
    tally.check("each control has a name", names == [], names)
    tally.check("the heist is played to its end", page.until(PLAY) == "over",
                page.evaluate("document.body.innerText"))
    picture(page, "showdown")
    tally.check("the showdown shows four hands, and why they are in order",
                page.evaluate("[...document.querySelectorAll('.why')]"
                              ".filter((why) => why.textContent).length") == 4)
    tally.check("the showdown fits", page.evaluate(WIDTH) == PHONE[0])


def check_secrets(tally, page, base):
    """The storage of the browser, and the secrets in its addresses."""
    kept = page.evaluate("JSON.stringify(localStorage)")
    seat = json.loads(json.loads(kept)[
        "gangd.seat." + page.evaluate("location.hash").split("/")[2]])
    tally.check("the browser keeps no card", not HIDDEN.search(
        kept.replace(seat["token"], "").replace(seat["id"], "")), kept)
    asked = check_quiet(tally, page, base)
    tally.check("no address has the token",
                not any(seat["token"] in url for url in asked))


def check_return(tally, page):
    page.reload()
    tally.check("a reload leads back to the game",
                page.until(SHOWS.format(".outcome")))
    page.evaluate("location.hash = '#/'")
    tally.check("the entrance lists it", page.until(
        SHOWS.format("a.row[href*=game]")))


def check_strange_addresses(tally, browser, base):
    """Addresses that name no page lead to the entrance, and break nothing."""
    page = browser.page(*PHONE)
    page.open(base + "/#/__proto__/1")
    tally.check("an address of no page shows the entrance",
                page.until(SHOWS.format(".home input[name=name]"), 5))
    page.evaluate("location.hash = '#/constructor/1'")
    page.until("location.hash.includes('constructor')")
    page.evaluate("location.hash = '#/create'")
    tally.check("and the next address its page",
                page.until(SHOWS.format("input[name=mode]"), 5))
    check_quiet(tally, page, base)


def check_forbidden_storage(tally, browser, base):
    """The reader's browser lets no page keep anything."""
    page = browser.page(*PHONE)
    page.call("Page.addScriptToEvaluateOnNewDocument", source="""
        Object.defineProperty(window, 'localStorage', { get() {
            throw new DOMException('forbidden', 'SecurityError'); } })""")
    page.open(base + "/")
    page.until(SHOWS.format(".start .primary"), 5)
    page.evaluate("document.querySelector('.start .primary')?.click()")
    tally.check("a reader who forbids storage plays all the same",
                page.until("document.querySelectorAll('.mine .card').length"
                           " == 2", 10))
    check_quiet(tally, page, base)


def check_codes(tally, page):
    """Codes of each size can be read, by all their check words."""
    texts = ["https://gang.example/#/join/7K2M9QXA"] + [
        "x" * length for length in range(1, 363, 19)]
    module = subprocess.run(
        ["esbuild", "--format=iife", "--global-name=qr", QR], check=True,
        text=True, stdout=subprocess.PIPE).stdout
    codes = page.evaluate(f"{module};{json.dumps(texts)}.map(qr.qrCode)")
    found = [read_qr.read(code) for code in codes]
    tally.check("QR codes hold their texts", found == texts,
                [text for text in texts if text not in found])


def check_device(tally, page):
    """Another device takes the seat by a code, and shows the same cards."""
    game = page.evaluate("Object.keys(localStorage).find((key) =>"
                         " key.startsWith('gangd.seat.'))")
    seat = json.loads(page.evaluate(f"localStorage['{game}']"))
    page.open(page.evaluate("location.origin") + "/#/game/" + seat["id"])
    page.until(SHOWS.format(".outcome, .mine"))
    page.evaluate(DEVICE)
    link = page.until("document.querySelector('.sheet .link')?.textContent")
    tally.check("the dialog shows a link without the token", link and
                f"/#/seat/{seat['id']}/" in link and seat["token"] not in link,
                link)
    # The tests' origin is secure; a page of plain HTTP has no clipboard.
    page.evaluate("Object.defineProperty(navigator, 'clipboard',"
                  " { value: undefined })")
    page.evaluate("document.addEventListener('copy', () =>"
                  " window.copied = `${getSelection()}`)")
    page.call("Runtime.evaluate", userGesture=True, expression=COPY)
    tally.check("without a clipboard the link is copied by a selection",
                page.evaluate("window.copied") == link
                and page.evaluate("document.querySelector('.toast')"
                                  ".textContent") == "The link is copied.",
                page.evaluate("document.querySelector('.toast').textContent"))
    page.evaluate("Document.prototype.execCommand = () => false")
    page.evaluate(COPY)
    tally.check("where that is forbidden it is selected, and the page says so",
                page.evaluate("`${getSelection()}`") == link
                and "selected" in page.evaluate(
                    "document.querySelector('.toast').textContent"))
    page.evaluate(f"localStorage.removeItem('{game}')")
    page.open(link)
    tally.check("the page of the link asks first",
                page.until(SHOWS.format(".panel .primary"))
                and "Ada" in page.evaluate("document.body.innerText")
                and page.evaluate(f"localStorage['{game}'] ?? null") is None)
    tally.check("and its address has no code any more",
                page.evaluate("location.hash") == "#/seat")
    page.evaluate("document.querySelector('.panel .primary').click()")
    tally.check("then it leads to the game",
                page.until(SHOWS.format(".outcome, .mine"))
                and page.evaluate("location.hash") == "#/game/" + seat["id"]
                and seat["token"] in page.evaluate(f"localStorage['{game}']"))
    page.open(link)
    tally.check("a used code says so, and takes no seat", page.until(
        "document.querySelector('.panel.bad')?.textContent.includes('used')")
        and seat["token"] in page.evaluate(f"localStorage['{game}']"))
    page.evaluate("document.querySelector('a.button').click()")
    page.until(SHOWS.format(".outcome, .mine"))
    history = page.call("Page.getNavigationHistory")["entries"]
    tally.check("the history has neither token nor code", not any(
        seat["token"] in entry["url"] or link in entry["url"]
        for entry in history), history)


def check_language(tally, page):
    """The page is German at a word, and keeps what is typed and the game."""
    page.evaluate("location.hash = '#/'")
    page.until(SHOWS.format("#code"))
    page.evaluate("document.querySelector('#code').focus()")
    page.call("Input.insertText", text="7K2M")
    page.evaluate(CHOOSE)
    tally.check("the page speaks another language at a word", page.until(
        GERMAN) and page.evaluate("document.documentElement.lang") == "de")
    tally.check("and keeps what was typed",
                page.evaluate("document.querySelector('#code').value") == "7K2M")
    page.evaluate("history.back()")
    page.until(SHOWS.format(".outcome, .mine"))
    tally.check("and says in it what happened before", page.until(
        "document.querySelector('.log').textContent.includes("
        "'Der Überfall ist zu Ende.')"))
    page.evaluate(REMOVE)
    page.until("document.querySelector('.log').textContent.includes("
               "'ist nicht mehr dabei')")
    page.evaluate("document.querySelector('.bar button.icon').click()")
    page.evaluate(CHOOSE.replace("de", "fr").replace("document.", "document."
                  "querySelector('dialog').", 1))
    tally.check("a table is told anew in a third one", page.until(
        "document.querySelector('.log').textContent.includes("
        "'Le braquage est terminé.')")
        and page.evaluate("document.querySelector('dialog h2').textContent"
                          " == 'Menu'"))
    told = page.evaluate("document.querySelector('.log').textContent")
    tally.check("and a player who has left has a name in it",
                "n’est plus de la partie" in told and "Place vide" not in told,
                told)
    page.evaluate(CHOOSE)
    page.until("document.querySelector('dialog h2').textContent == 'Menü'")
    page.evaluate("location.hash = '#/'")
    page.until(GERMAN)


def check_offline(tally, page):
    """The page starts without the service, in the language that was chosen, and
    lists the games."""
    page.reload()
    tally.check("the table starts without a network", page.until(
        SHOWS.format(".home input[name=name], .loading")))
    tally.check("in the reader's language", page.until(GERMAN))
    kept = page.evaluate("isSecureContext && caches.open('gangd-table')"
                         ".then((cache) => cache.keys())"
                         ".then((keys) => keys.map(({ url }) => url))")
    tally.check("and the browser keeps nothing of a game", kept and not any(
        "/v1/games" in url for url in kept), kept)


def check_prefix(tally, browser, daemon):
    proxy = prefix.Proxy(daemon)
    page = browser.page(*PHONE)
    page.open(proxy.base + "/")
    tally.check("behind a proxy the page finds its files", page.until(
        SHOWS.format(".home input[name=name]")))
    page.until("navigator.serviceWorker.ready.then(() => true)")
    check_quiet(tally, page, proxy.base)
    proxy.close()


def check_off(tally, build):
    daemon = gangd.Daemon(build, GANGD_TABLE="off")
    daemon.wait_ready()
    client = daemon.client()
    root = client.get("/")
    tally.check("turned off, / leads to /docs", root.status == 303
                and dict(root.headers)["Location"] == "/docs", root.status)
    tally.check("and there are no files",
                client.get("/table/worker.js").status == 404)
    tally.end_well(daemon, "the daemon without the table")


@pytest.fixture(scope="module")
def base(daemon):
    return daemon.url


@pytest.fixture(scope="module")
def page(browser):
    return browser.page(*PHONE)


def test_heist(tally, base, page):
    check_heist(tally, page, base)


def test_secrets(tally, base, page):
    check_secrets(tally, page, base)


def test_return(tally, page):
    check_return(tally, page)


def test_codes(tally, page):
    check_codes(tally, page)


def test_device(tally, page):
    check_device(tally, page)


def test_strange_addresses(tally, base, browser):
    check_strange_addresses(tally, browser, base)


def test_forbidden_storage(tally, base, browser):
    check_forbidden_storage(tally, browser, base)


def test_prefix(tally, daemon, browser):
    check_prefix(tally, browser, daemon)


def test_table(page):
    page.until("navigator.serviceWorker.ready.then(() => true)")


def test_language(tally, page):
    check_language(tally, page)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)


def test_offline(tally, page):
    check_offline(tally, page)


def test_off(tally, build, database):
    check_off(tally, build)
