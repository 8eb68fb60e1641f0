"""A headless Chromium, spoken to by its DevTools protocol over two pipes: JSON messages, each ended by a zero byte."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 30  # seconds for one answer


def find():
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, command):
        self.profile = tempfile.TemporaryDirectory()
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()

        def as_three_and_four():
            # Via numbers that are neither, in case one of them is.
            high = [os.dup(to_read), os.dup(to_write)]
            while min(high) < 5:
                high = [os.dup(fd) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [
                command,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--disable-extensions",
                "--no-first-run",
                "--user-data-dir=" + self.profile.name,
                "--remote-debugging-pipe",
                "about:blank",
            ],
            close_fds=False,
            preexec_fn=as_three_and_four,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.last = 0
        self.events = []

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            self.process.kill()
        self.process.wait()
        os.close(self.write)
        os.close(self.read)
        try:
            self.profile.cleanup()
        except OSError:
            pass  # what the browser's children still write there

    def message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read], [], [], max(0, until - time.monotonic()))
            piece = os.read(self.read, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.last += 1
        asked = {"id": self.last, "method": method, "params": parameters}
        if session:
            asked["sessionId"] = session
        data = json.dumps(asked).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data) :]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.message(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method, session):
        until = time.monotonic() + PATIENCE
        while True:
            for k, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    return self.events.pop(k)
            self.events.append(self.message(until))


class Page:
    """A file in a window of its own."""

    def __init__(self, browser, path, width, dark=False, height=900):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.scheme(dark)
        self.open("file://" + os.path.abspath(path))

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.browser.wait("Page.loadEventFired", self.session)

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, script):
        """The value of the script, which may be JSON."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"].get("exception", answer["exceptionDetails"])))
        return answer["result"].get("value")

    def complaints(self):
        """Errors of the console, exceptions and requests beyond the file, since the page was opened."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"].get("exception", {}).get("description", parameters)))
            if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str([a.get("value") for a in parameters["args"]]))
            if method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append("it asks for " + url)
        return found

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
