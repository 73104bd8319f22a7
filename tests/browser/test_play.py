"""People play at the table, each in a browser of their own.

play/games.js has three people, on a telephone, a tablet and a desktop, each in
another language, one of them through a proxy, who play by what the page shows.
axe looks at each kind of screen, light and dark, and all texts fit on a telephone;
one person loses the network and one the tab; a round is played by the keyboard
alone; a page that was seen once starts without a network.  Nothing fails, nothing is
asked elsewhere, and no token shows.  npm brings the driver and axe, as
play/package-lock.json names them; the browser is Debian's.  MODES=all plays games
of every mode.  PICTURES=FOLDER keeps pictures of the screens.
"""
import os

from gangd import Daemon, gangctl
from players import furnish, run
import prefix

HERE = os.path.dirname(os.path.abspath(__file__))

# Without it the page has no table for that game.
FAMIGLIA = os.path.join(HERE, "../../api/table/games/famiglia")


def test_play(tally, build, database):
    workshop = furnish(os.path.join(build, "play"), tally)
    if workshop:
        # With a key the menu offers notifications, to which nobody subscribes.
        key = gangctl(build, "vapid", check=True).stdout.split("KEY=")[1].split()[0]
        daemon = Daemon(build, GANGD_BOT_PACE="0", GANGD_VAPID_PUBLIC_KEY=key)
        daemon.wait_ready()
        proxy = prefix.Proxy(daemon)
        run(tally, workshop, "games.js",
            daemon.url, proxy.base,
            *["famiglia"] if os.path.exists(FAMIGLIA) else [])
        proxy.close()
        tally.end_well(daemon)
