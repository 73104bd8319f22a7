"""The package of api/client, as its users have it.

It is packed, installed in an empty folder, and compiled with programs that use
it: the tables of its README, players of whole games (packed/legal_actions.ts), and
a network that loses and cuts (packed/network.js).  MODES=all of the environment
plays every mode, and longer.
"""
import glob
import json
import os
import re
import shutil

from gangd import Daemon, migrate
from workshop import Workshop

HERE = os.path.dirname(os.path.abspath(__file__))

API = os.path.join(HERE, "../../api")
URL = "http://127.0.0.1:8080"  # as README has it
MOST_LINES = 800
GENERATED = (".d.ts", ".tgz")

# The examples of the README, in this order.
SHOWN = ["table.js", "bots.js", "page.js"]
RUN = SHOWN[:2]

# The games played by legal_actions: number of players, and options.
GAMES = [
    (3, '{"mode":"professional","seats":3}'),
    (2, '{"ruleset":"famiglia"}'),
]
MORE_GAMES = [
    (3, '{"mode":"basic","seats":3}'),
    (4, '{"mode":"advanced","seats":4}'),
    (5, '{"mode":"professional","stacks":"shuffled","seats":5}'),
    (3, '{"mode":"master_thief","seats":3}'),
]


def pack(build, folder, tally):
    """The package, made of a copy of the sources; None if it cannot be."""
    workshop = Workshop(os.path.join(folder, "client"), tally)
    for entry in os.scandir(workshop.folder):
        if entry.is_file():
            os.remove(entry)
    for entry in os.scandir(os.path.join(API, "client")):
        if entry.is_file() and not entry.name.endswith(GENERATED) or \
                entry.name == "types.d.ts":
            shutil.copy(entry, workshop.folder)
    shutil.copy(os.path.join(build, "gen/openapi.yaml"), folder)
    if not workshop.install() or not workshop.run(
            "it is packed", "npm", "pack", "--silent"):
        return None
    return workshop


def check_package(folder, tally):
    """That nothing is missing, and nothing else is in it."""
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
        package = json.load(file)
    with open(os.path.join(API, "openapi.yaml"), encoding="utf-8") as file:
        version = re.search(r"^  version: (.*)$", file.read(), re.M).group(1)
    tally.check("its version is the document's", package["version"] == version,
                package["version"])
    tally.check("it depends on nothing", not package.get("dependencies"))
    modules = [os.path.basename(file)[:-3] for file in
               glob.glob(os.path.join(API, "client/*.js"))]
    expected = {"README.md", "package.json", "api.d.ts", "types.d.ts"} | {
        module + end for module in modules for end in (".js", ".d.ts")}
    tally.check("it has its files", set(os.listdir(folder)) == expected,
                sorted(expected ^ set(os.listdir(folder))))
    lines = 0
    for module in modules:
        with open(os.path.join(folder, module + ".js"),
                  encoding="utf-8") as file:
            lines += len(file.readlines())
    tally.check("it is short", lines < MOST_LINES, lines)


def settle(workshop, package):
    """An empty folder with the package, and programs that use it."""
    shutil.rmtree(workshop.folder)
    os.makedirs(workshop.folder)
    with open(os.path.join(workshop.folder, "package.json"), "w",
              encoding="utf-8") as file:
        file.write('{"private": true, "type": "module"}')
    if not workshop.run("it is installed", "npm", "install", "--offline",
                        "--no-audit", "--no-fund", "--silent", package):
        return False
    check_package(os.path.join(workshop.folder, "node_modules/gangd-client"),
                  workshop.tally)
    for file in glob.glob(os.path.join(HERE, "packed/*")):
        shutil.copy(file, workshop.folder)
    with open(os.path.join(API, "client/README.md"), encoding="utf-8") as file:
        shown = re.findall(r"^```js\n(.*?)^```$", file.read(), re.M | re.S)
    for name, text in zip(SHOWN, shown, strict=True):
        with open(os.path.join(workshop.folder, name), "w",
                  encoding="utf-8") as file:
            file.write(text)
    return True


def play(workshop, daemon):
    url = daemon.url
    for name in RUN:
        shown = os.path.join(workshop.folder, name)
        with open(shown, encoding="utf-8") as file:
            text = file.read()
        with open(shown, "w", encoding="utf-8") as file:
            file.write(text.replace(URL, url))
        workshop.run(f"{name} of its README", "node", name)
    games, enough = GAMES, 1
    if os.environ.get("MODES"):
        games, enough = GAMES + MORE_GAMES, 300
    for players, body in games:
        workshop.run(f"{body} by legal_actions", "node",
                     "built/legal_actions.js", url, str(players), body,
                     str(enough), *os.environ.get("SEED", "").split())


def test_client(tally, build, cluster):
    folder = os.path.join(build, "client")
    workshop = Workshop(os.path.join(folder, "user"), tally)
    client = pack(build, folder, tally)
    if client and settle(workshop, *glob.glob(
            os.path.join(client.folder, "*.tgz"))) and workshop.run(
            "what uses it is compiled", *client.tool("tsc", "-p",
                                                     workshop.folder)):
        migrate(build)
        daemon = Daemon(build, GANGD_DRAIN_MS="0", GANGD_BOT_PACE="0")
        daemon.wait_ready()
        other = Daemon(build)
        other.wait_ready()
        play(workshop, daemon)
        workshop.run("networks that lose and cut, and a restart", "node",
                     "network.js", daemon.url, other.url, str(daemon.pid))
        tally.end_well(daemon, "the stopped daemon")
        tally.end_well(other)
