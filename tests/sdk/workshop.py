"""A folder in which a client is made, as its author would make one."""
import fcntl
import filecmp
import os
import shutil
import subprocess

SECONDS = 120


class Workshop:
    def __init__(self, folder, tally):
        self.folder = folder
        self.tally = tally
        os.makedirs(folder, exist_ok=True)

    def run(self, name, *command):
        """Whether it ends well, and what it says."""
        try:
            done = subprocess.run(command, cwd=self.folder, text=True,
                                  stdin=subprocess.DEVNULL, timeout=SECONDS,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        except (OSError, subprocess.TimeoutExpired) as error:
            return self.tally.check(name, False, error)
        print(done.stdout, end="")
        return self.tally.check(name, done.returncode == 0, done.returncode)

    def tool(self, name, *arguments):
        return os.path.join(self.folder, "node_modules/.bin", name), *arguments

    def install(self):
        """The tools that the lock names, unless they are there; tests that share a
        folder wait for each other."""
        with open(os.path.join(self.folder, ".installing"), "wb") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            return self.install_alone()

    def install_alone(self):
        lock = os.path.join(self.folder, "package-lock.json")
        installed = os.path.join(self.folder, "node_modules/.installed")
        if os.path.exists(installed) and filecmp.cmp(lock, installed, False):
            return self.tally.check("npm ci", True)
        if not self.run("npm ci", "npm", "ci", "--no-audit", "--no-fund",
                        "--silent"):
            return False
        shutil.copy(lock, installed)
        return True
