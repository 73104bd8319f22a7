"""The programs of play/, in which people play in browsers, and their tools."""
import glob
import os
import shutil

from workshop import Workshop

HERE = os.path.dirname(os.path.abspath(__file__))


def furnish(folder, tally):
    """A folder with the programs of play/ and their tools; None without."""
    workshop = Workshop(folder, tally)
    for file in (*glob.glob(os.path.join(HERE, "play/*.js*")),
                 os.path.join(HERE, "play/.npmrc")):
        shutil.copy(file, workshop.folder)
    return workshop if workshop.install() else None


def run(tally, workshop, program, *arguments):
    """Run a program of play/, and take over its checks."""
    printed = tally.run("node", program, *arguments, cwd=workshop.folder)
    tally.check(program + " ends well", printed.status in (0, 1), printed.status)
