"""Debian's Chromium without a screen, driven by its DevTools protocol.

The protocol comes over two pipes (--remote-debugging-pipe), as JSON with a zero
byte after each message, so that no library is needed for it.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 60  # for anything to happen, on a busy machine


class Failed(Exception):
    """The browser refused a command, or did not answer."""


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="gangd-browser-")
        from_us, self.write_fd = os.pipe()
        self.read_fd, to_us = os.pipe()
        flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--hide-scrollbars",
                 f"--user-data-dir={self.folder}", "--remote-debugging-pipe"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        with open(self.folder + "/log", "wb") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{to_us}', "-",
                 "chromium", *flags],
                pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        os.close(from_us)
        os.close(to_us)
        self.number = 0
        self.rest = b""
        self.events = []

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, deadline):
        """The next message."""
        while b"\0" not in self.rest:
            left = max(0, deadline - time.monotonic())
            if not select.select([self.read_fd], [], [], left)[0]:
                raise Failed("the browser says nothing")
            piece = os.read(self.read_fd, 1 << 16)
            if not piece:
                with open(self.folder + "/log", "rb") as log:
                    raise Failed("the browser has ended: "
                                 + log.read().decode(errors="replace"))
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        """Call a method and return its answer; keep events that come first."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_fd, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            message = self.read(deadline)
            if message.get("id") != self.number:
                self.events.append(message)
            elif "error" in message:
                raise Failed(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def page(self, width, height, context=None):
        return Page(self, width, height, context)

    def context(self):
        """The browser of another reader: it shares nothing with the others."""
        return self.call("Target.createBrowserContext")["browserContextId"]


class Page:
    """A tab that behaves like a window of that size."""

    def __init__(self, browser, width, height, context=None):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank",
                              **{"browserContextId": context} if context else {})
        self.session = browser.call("Target.attachToTarget", flatten=True,
                                    **target)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(domain + ".enable")
        self.resize(width, height)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=width < 600)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=SECONDS):
        """The value of a script, as soon as it is true."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.evaluate(script)
            if value or time.monotonic() > deadline:
                return value
            time.sleep(0.05)

    def open(self, url):
        """Open an address, even if only its fragment differs."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def reload(self):
        """Reload the page, and wait until the old one is gone."""
        self.evaluate("window.isOld = true")
        self.call("Page.reload")
        self.until("!window.isOld && document.readyState == 'complete'")

    def events(self, *methods):
        """The events of these kinds so far."""
        return [event for event in self.browser.events
                if event.get("sessionId") == self.session
                and event["method"] in methods]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(
                self.call("Page.captureScreenshot", format="png")["data"]))
