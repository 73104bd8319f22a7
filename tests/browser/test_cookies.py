"""A browser that sends the cookies of other programs.

A host may have any number of programs on other ports, and their cookies come with
every request.  For each number and size of them a page makes requests of every kind.
Up to 16 KiB the service answers as without any; beyond that the page gets one
problem document that says why, and nothing has changed.  Then the table is played
with cookies up to that limit.
"""
import json

import gangd
import pytest

# Numbers and sizes; a browser keeps 180 of a host, of 4 KiB each.
FIT = [(0, 0), (1, 4000), (3, 4000), (30, 200), (12, 1200), (180, 60)]
TOO_MANY = [(5, 4000), (20, 900), (180, 100)]
KINDS = ("view", "move", "keyed move", "stream", "page", "docs")
HAND = "document.querySelectorAll('.mine .card').length == 2"
MINE = "document.querySelector('.my-chip button.chip') != null"
TAKE = "document.querySelector('.tray button.chip').click()"

ASK = """(async ({ path, token, chip, key }) => {
    const headers = { Authorization: `Bearer ${token}` };
    const take = (stars, more) => fetch(`${path}/chips/white/${stars}/take`,
        { method: "POST", headers: { ...headers, ...more } });
    const whole = async (response) =>
        ({ status: response.status, body: await response.text() });
    const first = async (response) => {
        const reader = response.body.getReader();
        const { value } = await reader.read();
        await reader.cancel();
        return { status: response.status, body: new TextDecoder().decode(value) };
    };
    return [
        await whole(await fetch(path, { headers })),
        await whole(await take(chip)),
        await whole(await take(chip % 3 + 1, { "Idempotency-Key": key })),
        await first(await fetch(`${path}/events?after=0`,
            { headers: { ...headers, Accept: "text/event-stream" } })),
        await whole(await fetch("/", { cache: "reload" })),
        await whole(await fetch("/docs", { cache: "reload" })),
    ];
})"""


class Scene:
    def __init__(self, daemon, browser):
        self.daemon = daemon
        self.base = self.daemon.url
        self.table = gangd.Table(self.daemon)
        self.page = browser.page(1280, 800)
        self.page.open(self.base + "/docs")
        self.page.until("document.readyState == 'complete'")
        self.chip = 1
        self.pages = [{"status": 200, "body": self.daemon.client().get(
            path).body.decode()} for path in ("/", "/docs")]

    def set_cookies(self, number, size):
        self.page.call("Network.clearBrowserCookies")
        for i in range(number):
            self.page.call("Network.setCookie", url=self.base,
                           name=f"c{i:03}", value="v" * (size - 5))

    def ask(self, number, size):
        """The statuses and bodies of requests of every kind."""
        self.set_cookies(number, size)
        self.chip = self.chip % 3 + 1
        return self.page.evaluate(ASK + "(" + json.dumps({
            "path": self.table.path, "token": self.table.tokens[0],
            "chip": self.chip, "key": f"key-of-cookies-{number}-{size}-0123456789",
        }) + ")")

    def version(self):
        return self.daemon.client(self.table.tokens[0]).get(
            self.table.path).json["version"]


@pytest.fixture(scope="module")
def scene(daemon, browser):
    return Scene(daemon, browser)


@pytest.mark.parametrize("number, size", FIT)
def test_cookies_that_fit(tally, scene, number, size):
    before = scene.version()
    answers = scene.ask(number, size)
    scene.chip = scene.chip % 3 + 1  # of the keyed move
    tally.check(
        f"{number} cookies of {size} bytes: requests are carried out",
        [each["status"] for each in answers] == [200] * len(KINDS) and
        'data: {"version":1,' in answers[3]["body"] and
        answers[4:] == scene.pages and scene.version() > before + 1,
        list(zip(KINDS, [(each["status"], each["body"][:200])
                         for each in answers])))


@pytest.mark.parametrize("number, size", TOO_MANY)
def test_too_many(tally, scene, number, size):
    before = scene.version()
    answers = scene.ask(number, size)
    said = [json.loads(each["body"]) if each["body"][:1] == "{" else each
            for each in answers]
    tally.check(
        f"{number} cookies of {size} bytes: each is refused, and says why",
        all(each["status"] == 431 for each in answers) and
        all("16" in each["detail"] for each in said[:4]), said)
    scene.set_cookies(0, 0)
    tally.check("and nothing has changed", scene.version() == before)


def test_table(tally, scene):
    """People play with the most cookies that are allowed."""
    scene.set_cookies(*FIT[-1])
    seat = {"id": scene.table.id, "token": scene.table.tokens[1],
            "ruleset": "the_gang", "status": "playing", "at": 0}
    scene.page.open(scene.base + "/")
    scene.page.until("document.querySelector('.home') != null")
    scene.page.evaluate(f"localStorage['gangd.seat.{scene.table.id}'] ="
                        f" {json.dumps(json.dumps(seat))}")
    scene.page.open(f"{scene.base}/#/game/{scene.table.id}")
    tally.check("the table shows the game", scene.page.until(HAND))
    scene.page.evaluate(TAKE)
    tally.check("and moves", scene.page.until(MINE))


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
