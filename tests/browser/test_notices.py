"""Notifications of the table, in a browser.

Ada turns them on at a waiting table, by the switch in the menu: the page asks the
browser for a subscription with the operator's key, and the service gets it.  No
browser without a network of its own reaches a push service, so the page's
PushManager is a fake, and DevTools deliver the messages.  The worker shows them in
the reader's language, one a game, and not for a game that the reader looks at; a
tap leads to the game.  A subscription that the browser replaces is sent again.
Ada turns them off.  All of that is under a path of a proxy.  Where the operator has
no key, or the reader forbids notifications, there is no switch.
"""

import hashlib
import json
import time

from chromium import Browser, Failed
import gangd
import prefix

PHONE = (360, 740)
ENDPOINT = "https://fcm.googleapis.com/fcm/send/"

# A PushManager whose push service is never asked.
FAKE = """
let current = null;
const [one, two] = %s;
PushManager.prototype.getSubscription = async () => current;
PushManager.prototype.subscribe = async (options) => {
    const endpoint = one + (window.number ??= 1);
    window.wanted = options;
    window.isTaken = false;
    current = { endpoint, toJSON: () => ({ endpoint, expirationTime: null,
            keys: { p256dh: two, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }),
        unsubscribe: async () => { current = null; window.isTaken = true; } };
    return current;
};
""" % json.dumps([ENDPOINT, gangd.VAPID_KEY])

SWITCH = "document.querySelector('{} .toggle input')"
ON = SWITCH + "?.checked === {}"
SHOWS = "document.querySelector('{}') !== null"
SHOWN = """navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, tag, lang }) =>
        ({ title, body, tag, lang })))"""


class Worker:
    """The service worker of a page, and a push service for it."""

    def __init__(self, page, base):
        self.page = page
        self.origin = base[:base.index("/", 8)]
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.call("ServiceWorker.enable")
        self.registration = self.find(base + "/")

    def find(self, scope):
        """The registration's id, from an event."""
        for _ in range(100):
            self.page.evaluate("1")
            for event in self.page.events(
                    "ServiceWorker.workerRegistrationUpdated"):
                for row in event["params"]["registrations"]:
                    if row["scopeURL"] == scope:
                        return row["registrationId"]
            time.sleep(0.05)
        raise Failed("there is no worker")

    def deliver(self, game, code, version):
        """Deliver a message, and wait until the worker has handled it."""
        self.page.call("ServiceWorker.deliverPushMessage", origin=self.origin,
                       registrationId=self.registration, data=json.dumps(
                           {"id": f"msg_{version}", "code": code, "game": game,
                            "version": version, "seat": 1, "rematch": None}))

    def evaluate(self, script):
        """Run a script inside the worker."""
        browser = self.page.browser
        targets = browser.call("Target.getTargets")["targetInfos"]
        worker = [row for row in targets if row["type"] == "service_worker"
                  and row["url"].startswith(self.origin)][-1]
        session = browser.call("Target.attachToTarget", flatten=True,
                               targetId=worker["targetId"])["sessionId"]
        answer = browser.call("Runtime.evaluate", session, expression=script,
                              awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Failed(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")


def subscriptions(sql, game):
    return sql.ask("SELECT count(*) FROM gangd.push_subscription"
                   f" WHERE game_id = '{game}'")


def sit_down(page, base):
    """Ada waits at a new table: its id."""
    page.open(base + "/")
    page.until(SHOWS.format(".home input[name=name]"))
    page.evaluate("localStorage.setItem('gangd.name', 'Ada')")
    page.evaluate("location.hash = '#/create'")
    page.until(SHOWS.format(".form .primary"))
    page.evaluate("document.querySelector('.form .primary').click()")
    page.until(SHOWS.format(".code"))
    return page.evaluate("location.hash").split("/")[2]


def check_on(tally, page, sql, game):
    tally.check("a waiting table offers notifications",
                page.until(ON.format(".waiting", "false")))
    page.evaluate("document.querySelector('.bar button.icon').click()")
    tally.check("and so does the menu",
                page.until(ON.format("dialog", "false")))
    page.evaluate(SWITCH.format("dialog") + ".click()")
    tally.check("they are turned on", page.until(ON.format("dialog", "true"))
                and page.until(ON.format(".waiting", "true")))
    tally.check("with the operator's key", page.evaluate(
        "wanted.userVisibleOnly && wanted.applicationServerKey")
        == gangd.VAPID_KEY)
    tally.check("the service has the subscription", subscriptions(sql, game) == "1")
    page.evaluate("document.querySelector('dialog header button').click()")


def told(page, tag, text):
    """Whether a game's notification comes to say so."""
    return page.until(f"{SHOWN}.then((all) => all.some(({{ tag, body }}) =>"
                      f" tag === '{tag}' && body === '{text}'))", 10)


def check_told(tally, page, worker, game):
    other = "0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f"
    worker.deliver(game, "your_turn", 3)
    worker.deliver(other, "heist_failed", 4)
    tally.check("a notification is told in the words of the page",
                told(page, other, "The heist has failed."))
    tags = [row["tag"] for row in page.evaluate(SHOWN)]
    tally.check("none is of a game that the reader looks at", tags == [other],
                tags)
    worker.deliver(other, "your_turn", 6)
    told(page, other, "It is your turn.")
    worker.deliver(other, "heist_failed", 5)
    worker.deliver(other, "a_new_code", 7)
    tally.check("a code that the page does not know is told all the same",
                told(page, other, "Something has happened at your table."))
    tags = [row["tag"] for row in page.evaluate(SHOWN)]
    tally.check("the newest of a game takes the place of the one before",
                tags == [other], tags)
    page.evaluate("location.hash = '#/'")
    page.until(SHOWS.format(".home"))
    worker.deliver(game, "your_turn", 8)
    tally.check("away from its page a game notifies",
                told(page, game, "It is your turn."), page.evaluate(SHOWN))


def check_late(tally, page, worker, game):
    """The one before comes after the newest."""
    worker.deliver(game, "heist_failed", 7)
    worker.deliver(game, "heist_started", 7)
    time.sleep(1)
    tally.check("an older message takes no newer one's place",
                told(page, game, "It is your turn."), page.evaluate(SHOWN))


def check_click(tally, page, worker, base, game):
    """A tap on a notification; only the browser's own may open windows."""
    tap = """(async () => {
        const [shown] = await registration.getNotifications({ tag: '%s' });
        const opened = [];
        clients.openWindow = async (url) => { opened.push(url); };
        const event = new NotificationEvent('notificationclick',
            { notification: shown });
        self.dispatchEvent(event);
        await new Promise((wake) => setTimeout(wake, 1500));
        return opened;
    })()""" % game
    opened = worker.evaluate(tap)
    tally.check("a tap leads to the game in the window that is there",
                page.until(f"location.hash === '#/game/{game}'", 5)
                and opened == [], opened)
    tags = [row["tag"] for row in page.evaluate(SHOWN)]
    tally.check("and takes the notification away", game not in tags, tags)
    page.evaluate("location.hash = '#/'")
    page.until(SHOWS.format(".home"))
    worker.deliver(game, "your_turn", 9)
    told(page, game, "It is your turn.")
    page.call("Page.navigate", url=base + "/docs")
    page.until("location.pathname.endsWith('/docs') &&"
               " document.readyState === 'complete'")
    opened = worker.evaluate(tap)
    tally.check("or opens one", opened == [f"{base}/#/game/{game}"], opened)


def check_replaced(tally, page, worker, sql, base, game):
    """The browser replaces the subscription while a page is open."""
    page.open(f"{base}/#/game/{game}")
    page.until(ON.format(".waiting", "true"))
    hashes = ("SELECT string_agg(encode(endpoint_hash, 'hex'), ' ')"
              f" FROM gangd.push_subscription WHERE game_id = '{game}'")
    before = sql.ask(hashes)
    page.evaluate("window.number = 2")
    worker.evaluate("self.dispatchEvent(new ExtendableEvent("
                    "'pushsubscriptionchange'))")
    page.until(f"localStorage['gangd.seat.{game}'].includes('{ENDPOINT}2')", 5)
    wanted = hashlib.sha256(f"{ENDPOINT}2".encode()).hexdigest()
    # The former one is taken back after that.
    gangd.wait_for(lambda: sql.ask(hashes) == wanted, 5)
    after = sql.ask(hashes)
    tally.check("a subscription that is replaced is sent again",
                after == wanted != before, after)


def check_off(tally, page, sql, game):
    page.evaluate(SWITCH.format(".waiting") + ".click()")
    tally.check("they are turned off",
                page.until(ON.format(".waiting", "false")))
    tally.check("the service and the browser have the subscription no more",
                page.until("window.isTaken", 5) and subscriptions(sql, game) == "0",
                subscriptions(sql, game))


def check_none(tally, browser, base, what):
    page = browser.page(*PHONE)
    sit_down(page, base)
    page.evaluate("document.querySelector('.bar button.icon').click()")
    page.until(SHOWS.format("dialog .stack"))
    page.evaluate("fetch('v1/push').then(() => true)")
    tally.check(f"there is no switch where {what}",
                page.evaluate(SWITCH.format("") + " === null"))


def test_notices(tally, build, database):
    daemon = gangd.Daemon(build, GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
    daemon.wait_ready()
    proxy = prefix.Proxy(daemon)
    without = gangd.Daemon(build)
    without.wait_ready()
    sql = gangd.Sql()
    browser = Browser()
    try:
        origin = proxy.base.removesuffix(prefix.PATH)
        browser.call("Browser.grantPermissions", origin=origin,
                     permissions=["notifications"])
        page = browser.page(*PHONE)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=FAKE)
        game = sit_down(page, proxy.base)
        check_on(tally, page, sql, game)
        worker = Worker(page, proxy.base)
        check_told(tally, page, worker, game)
        check_late(tally, page, worker, game)
        check_click(tally, page, worker, proxy.base, game)
        check_replaced(tally, page, worker, sql, proxy.base, game)
        check_off(tally, page, sql, game)
        check_none(tally, browser, without.url,
                   "the operator has no key")
        browser.call("Browser.setPermission", origin=origin,
                     permission={"name": "notifications"}, setting="denied")
        check_none(tally, browser, proxy.base, "the reader forbids them")
    finally:
        browser.close()
    sql.close()
    proxy.close()
    tally.end_well(without, "the daemon without a key")
    tally.end_well(daemon)
