"""Drives Chromium over a pipe, by its DevTools protocol: no library, and no port."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    """The path of a Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A headless Chromium with one page."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.output = os.pipe()
        self.input, theirs_out = os.pipe()
        command = [
            find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]
        # Chromium reads from descriptor 3 and writes to 4.
        redirect = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self.process = subprocess.Popen(
            ["sh", "-c", redirect, "sh", *command],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.profile.name),
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest = b""
        self.number = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "DOM", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        os.close(self.input)
        os.close(self.output)
        self.profile.cleanup()

    def call(self, method, **parameters):
        """Calls a method of the protocol; returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self):
        """The next message, which may be an event."""
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], 60)[0]:
                raise RuntimeError("the browser does not answer")
            self.rest += os.read(self.input, 1 << 20) or self.fail()
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def fail(self):
        raise RuntimeError("the browser has ended")

    def resize(self, width, height, scale=1):
        size = {"width": width, "height": height, "deviceScaleFactor": scale}
        self.call("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def open(self, address):
        """Opens a page, and waits until it has loaded."""
        self.call("Page.navigate", url=address)
        self.until(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(address)})")

    def evaluate(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def until(self, script, seconds=30):
        """Waits until an expression is true; returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if value := self.evaluate(script):
                    return value
            except RuntimeError as error:
                # The page may be about to be another one.
                if "context" not in str(error):
                    raise
            time.sleep(0.02)
        raise RuntimeError(f"never true: {script}")

    def choose(self, selector, file):
        """Chooses a file for an input, as a person does."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(file)])

    def type(self, selector, text):
        """Types a text into an input."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
        self.call("Input.insertText", text=text)

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def slow_down(self, bytes_per_second):
        """Limits how fast the page sends; 0: no limit."""
        rate = bytes_per_second or -1
        self.call(
            "Network.emulateNetworkConditions",
            offline=False, latency=0, downloadThroughput=-1, uploadThroughput=rate,
        )

    def picture(self):
        """What one sees, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
