"""The programs of play/, in which people play in browsers, and their tools."""
import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
from workshop import Workshop


def furnish(folder, tally):
    """A folder with the programs of play/ and their tools; None without."""
    workshop = Workshop(folder, tally)
    for file in (*glob.glob(os.path.join(HERE, "play/*.js*")),
                 os.path.join(HERE, "play/.npmrc")):
        shutil.copy(file, workshop.folder)
    return workshop if workshop.install() else None


def run(tally, workshop, program, *arguments):
    """Run a program of play/, and take over its checks."""
    with subprocess.Popen(["node", program, *arguments], cwd=workshop.folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True) as process:
        for line in process.stdout:
            tally.passed += line.startswith("ok ")
            tally.failed += line.startswith("FAILED ")
            print(line, end="", flush=True)
    tally.check(program + " ends well", process.returncode in (0, 1),
                process.returncode)
