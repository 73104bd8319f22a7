"""A browser that sends the cookies of other programs.

A host may have any number of programs on other ports, and their cookies come with
every request.  For each number and size of them a page makes requests of every kind.
Up to 16 KiB the service answers as without any; beyond that the page gets one
problem document that says why, and nothing has changed.  Then the table is played
with cookies up to that limit.
"""
import json

from chromium import Browser
import gangd

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
    def __init__(self, tally, build):
        self.tally = tally
        gangd.migrate(build)
        self.daemon = gangd.Daemon(build)
        self.daemon.wait_ready()
        self.base = "http://{}:{}".format(*self.daemon.address)
        self.table = gangd.Table(self.daemon)
        self.browser = Browser()
        self.page = self.browser.page(1280, 800)
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

    def check_fit(self, number, size):
        before = self.version()
        answers = self.ask(number, size)
        self.chip = self.chip % 3 + 1  # of the keyed move
        self.tally.check(
            f"{number} cookies of {size} bytes: requests are carried out",
            [each["status"] for each in answers] == [200] * len(KINDS) and
            'data: {"version":1,' in answers[3]["body"] and
            answers[4:] == self.pages and self.version() > before + 1,
            list(zip(KINDS, [(each["status"], each["body"][:200])
                             for each in answers])))

    def check_too_many(self, number, size):
        before = self.version()
        answers = self.ask(number, size)
        said = [json.loads(each["body"]) if each["body"][:1] == "{" else each
                for each in answers]
        self.tally.check(
            f"{number} cookies of {size} bytes: each is refused, and says why",
            all(each["status"] == 431 for each in answers) and
            all("16" in each["detail"] for each in said[:4]), said)
        self.set_cookies(0, 0)
        self.tally.check("and nothing has changed", self.version() == before)

    def check_table(self):
        """People play with the most cookies that are allowed."""
        self.set_cookies(*FIT[-1])
        seat = {"id": self.table.id, "token": self.table.tokens[1],
                "ruleset": "the_gang", "status": "playing", "at": 0}
        self.page.open(self.base + "/")
        self.page.until("document.querySelector('.home') != null")
        self.page.evaluate(f"localStorage['gangd.seat.{self.table.id}'] ="
                           f" {json.dumps(json.dumps(seat))}")
        self.page.open(f"{self.base}/#/game/{self.table.id}")
        self.tally.check("the table shows the game", self.page.until(HAND))
        self.page.evaluate(TAKE)
        self.tally.check("and moves", self.page.until(MINE))


def test_cookies(tally, build, cluster):
    test = Scene(tally, build)
    try:
        test.page.open(test.base + "/docs")
        test.page.until("document.readyState == 'complete'")
        for number, size in FIT:
            test.check_fit(number, size)
        for number, size in TOO_MANY:
            test.check_too_many(number, size)
        test.check_table()
        test.tally.end_well(test.daemon)
    finally:
        test.browser.close()
