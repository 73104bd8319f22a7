"""The package of api/client in a page of another
origin.

npm packs it, and the page imports what is in the package as it is, without a
bundler.  Page and programs are those of api/client/README.md: three players of a
whole game, and a player who follows a game, here while the daemon is away and
another one comes in its place.
"""
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import tempfile

from chromium import Browser
from gangd import Daemon, Table
import loopback

HERE = os.path.dirname(os.path.abspath(__file__))

CLIENT = os.path.join(HERE, "../../api/client")
SHOWN = {"table": "http://127.0.0.1:8080", "bots": "http://127.0.0.1:8080",
         "page": "https://gang.example"}
# The page has this in addition to the HTML that README shows.
RECORD = """<link rel="icon" href="data:,">
<script>console.log = (said) => { window.said = said; };</script>"""

# The page does this after the programs of README.  The client asks for one game a
# page of the lobby, so the second one needs the Link of the first response.
MORE = """(async () => {
    const { Gangd, Problem } = await import("gangd-client");
    const gangd = new Gangd("URL", { retries: 0 });
    const made = [];
    for (const name of ["Ada", "Bob"])
        made.push(await gangd.create({ name, visibility: "public" }));
    const listed = [];
    for await (const { id } of gangd.lobby({ limit: "1" }))
        listed.push(id);
    const refused = await made[0].act({ action: "take_chip", color: "white",
        stars: 1 }).catch((error) => error);
    const stream = new EventSource(await made[0].streamUrl());
    const seen = await new Promise((end) => stream.addEventListener("view",
        ({ data }) => end(JSON.parse(data))));
    stream.close();
    return { listed: made.every(({ id }) => listed.includes(id)),
        refused: refused instanceof Problem && refused.code,
        seen: seen.id === made[0].id && seen.you.seat };
})()"""
OUTSIDE = """import("gangd-client").then(({ Gangd }) =>
    new Gangd("URL", { retries: 0 }).create({ name: "Eve" }))
    .then(() => "created", ({ name }) => name)"""


class Files(loopback.Quiet, http.server.SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".js": "text/javascript"}


def unpack(folder, tally):
    """The package as npm packs it, but for its types, which no page needs."""
    packed = subprocess.run(
        ["npm", "pack", "--ignore-scripts", "--silent",
         "--pack-destination", folder], cwd=CLIENT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    if not tally.check("it is packed", packed.returncode == 0):
        return False
    shutil.unpack_archive(os.path.join(folder, packed.stdout.strip()), folder)
    os.mkdir(folder + "/node_modules")
    os.rename(folder + "/package", folder + "/node_modules/gangd-client")
    return True


def write_pages(folder, url):
    with open(os.path.join(CLIENT, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    shown = re.findall(r"^```js\n(.*?)^```$", readme, re.M | re.S)
    [html] = re.findall(r"^```html\n(.*?)^```$", readme, re.M | re.S)
    texts = {name: text.replace(SHOWN[name], url) for name, text in
             zip(SHOWN, shown, strict=True)}
    for name, text in {**texts, "none": ""}.items():
        with open(f"{folder}/{name}.js", "w", encoding="utf-8") as file:
            file.write(text)
        with open(f"{folder}/{name}.html", "w", encoding="utf-8") as file:
            file.write(html.replace("<body>", "<body>" + RECORD)
                       .replace("page.js", name + ".js"))


def start(build, base, listen="127.0.0.1:0"):
    """A daemon that pages of that origin may use."""
    daemon = Daemon(build, GANGD_LISTEN=listen, GANGD_CORS_ORIGINS=base,
                    GANGD_DRAIN_MS="0")
    daemon.wait_ready()
    return daemon


def check_table(tally, page, base):
    """The three players of README."""
    page.open(base + "/table.html")
    said = page.until("window.said")
    tally.check("the table of its README plays to its end",
                said in (["won"] * 3, ["lost"] * 3), said)


def check_preflights(tally, page):
    """All moves of that table have one URL.  The three may begin at once."""
    sent = [event["params"]["request"] for event in
            page.events("Network.requestWillBeSent")]
    methods = [request["method"] for request in sent
               if request["url"].endswith("/actions")]
    asked, moves = methods.count("OPTIONS"), methods.count("POST")
    tally.check("the browser asks once whether a page may move",
                0 < asked <= 3 and moves >= 36, (asked, moves))


def check_following(tally, build, daemon, page, base):
    """The follower of README loses its daemon, and misses nothing.  Returns the
    daemon that took the place."""
    other = Daemon(build)
    other.wait_ready()
    table = Table(daemon)
    page.open(base + "/none.html")
    page.until("location.pathname == '/none.html'")
    seat = json.dumps({"id": table.id, "token": table.tokens[0]})
    page.evaluate(f"localStorage.setItem('seat', {json.dumps(seat)})")
    page.open(base + "/page.html")
    tally.check("a page shows the view at once",
                page.until("document.title == 'playing, 0 news'"))
    tally.end_well(daemon, "the stopped daemon")
    tally.check("it says that it is offline", page.until(
        "document.body.classList.contains('offline')"))
    for stars, token in enumerate(table.tokens[1:], 1):
        client = other.client(token)
        client.post(f"{table.path}/chips/white/{stars}/take")
        client.close()
    tally.end_well(other, "the other daemon")
    daemon = start(build, base, "{}:{}".format(*daemon.address))
    tally.check("it comes back by itself, and missed nothing", page.until(
        "document.title == 'playing, 2 news' && "
        "!document.body.classList.contains('offline')"),
        page.evaluate("document.title"))
    return daemon


def check_more(tally, page, url):
    result = page.evaluate(MORE.replace("URL", url))
    tally.check("a page reads the pages of the lobby", result["listed"])
    tally.check("a refusal is a Problem", result["refused"]
                == "game_not_started", result)
    tally.check("an EventSource opens by a ticket", result["seen"] == 1,
                result)


def test_client_page(tally, build, database):
    folder = tempfile.mkdtemp(prefix="gangd-pages-")
    server = loopback.Server(functools.partial(Files, directory=folder))
    base = "http://" + server.address
    daemon = start(build, base)
    url = daemon.url
    browser = Browser()
    try:
        if unpack(folder, tally):
            write_pages(folder, url)
            page = browser.page(390, 844)
            check_table(tally, page, base)
            check_preflights(tally, page)
            daemon = check_following(tally, build, daemon, page, base)
            check_more(tally, page, url)
            page.open(f"http://localhost:{server.server_port}/none.html")
            page.until("location.hostname == 'localhost'")
            outside = page.evaluate(OUTSIDE.replace("URL", url))
            tally.check("a page of an origin that is not named is kept out",
                        outside == "TypeError", outside)
            failed = page.events("Runtime.exceptionThrown")
            tally.check("no script failed", not failed, failed[:3])
    finally:
        browser.close()
        server.shutdown()
        shutil.rmtree(folder)
    tally.end_well(daemon)
