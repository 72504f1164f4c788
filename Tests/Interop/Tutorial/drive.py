#!/usr/bin/env python3
"""Goes through the tutorial: runs its programs, its commands, and its pages in Chromium.

    drive.py PROGRAMS                       # where tutorial-server-1 and so on are
    drive.py PROGRAMS --pictures FOLDER     # also takes the tutorial's pictures
    drive.py --check                        # exit code 0 if Chromium and curl are here, else 1, and the reason

Every address is on 127.0.0.1. Prints each step; ends with an error where the tutorial shows something else.
"""

import contextlib
import hashlib
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import browser

HERE = pathlib.Path(__file__).resolve().parent
CAPTION = "The lighthouse at night"


def expect(condition, what):
    if not condition:
        sys.exit(f"error: {what}")


def hash_of(content):
    return hashlib.sha256(content).hexdigest()


class Tutorial:
    """A folder as a reader has it, and the programs that were built of the tutorial's code."""

    def __init__(self, programs, pictures, folder):
        self.programs = pathlib.Path(programs).resolve()
        self.pictures = pictures and pathlib.Path(pictures).resolve()
        self.folder = pathlib.Path(folder)
        self.photo = self.folder / "lighthouse.png"
        self.page = self.folder / "public" / "index.html"
        self.known = set()
        self.page.parent.mkdir()
        shutil.copy(HERE / "package-2.swift", self.folder / "Package.swift")

    @contextlib.contextmanager
    def server(self, state):
        """Runs a state of the server on a free port."""
        print(f"server-{state}", flush=True)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        program = self.programs / f"tutorial-server-{state}"
        process = subprocess.Popen(
            [program, str(self.port)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            end = time.monotonic() + 30
            while True:
                try:
                    socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                    break
                except OSError:
                    expect(process.poll() is None and time.monotonic() < end, f"{program.name} does not start")
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{self.port}/"
        finally:
            process.terminate()
            process.wait(30)

    def run(self, name, client=None):
        """Runs the commands of a file, whose output must be as it shows: `…` stands for anything."""
        print(name, flush=True)
        steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", (HERE / name).read_text(), flags=re.MULTILINE)
        expect(steps, f"{name} has no command")
        for command, wanted in steps:
            words = command.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
            words = re.sub(r"^curl ", "curl -q --silent --noproxy '*' ", words)
            if words.startswith("swift run send "):
                address = "" if client == 1 else f" http://127.0.0.1:{self.port}/photos"
                words = words.replace("swift run send", f"'{self.programs}/tutorial-send-{client}'", 1) + address
            shown = subprocess.run(words, shell=True, cwd=self.folder, stdout=subprocess.PIPE, text=True).stdout
            lines, others = wanted.strip().split("\n"), shown.strip().split("\n")
            equal = len(lines) == len(others) and all(map(self.matches, lines, others))
            expect(equal, f"{name}: {command}\nshould print\n{wanted}but prints\n{shown}")

    @staticmethod
    def matches(line, other):
        """Whether a line is one that was shown; the members of a JSON object may have any order."""

        def equal(one, another):
            return re.fullmatch(".*".join(map(re.escape, one.split("…"))), another)

        def in_order(text):
            return ",".join(sorted(text.strip("{}").split(",")))

        return equal(line, other) or (line.startswith("{") and equal(in_order(line), in_order(other)))

    def check_stored(self, original, what):
        """The server must have stored one more file since the last check, and that must be the photo."""
        files = set((self.folder / "uploads").iterdir())
        fresh = files - self.known
        self.known = files
        expect([file.read_bytes() for file in fresh] == [original], f"{what} stored {len(fresh)} files, or another photo")

    def take(self, page, name):
        """Takes a picture of the page."""
        if self.pictures:
            (self.pictures / f"tutorial-{name}.png").write_bytes(page.picture())

    def fill_in(self, page, file):
        page.type("input[name=caption]", CAPTION)
        page.choose("input[name=photo]", file)

    def go(self, page):
        # The photo is a drawing of ours, as Chromium draws it.
        page.resize(800, 600)
        page.open((HERE / "lighthouse.svg").as_uri())
        self.photo.write_bytes(page.picture())
        original = self.photo.read_bytes()
        page.resize(560, 420, 1.5)

        with self.server(1) as address:
            with urllib.request.urlopen(address) as answer:
                expect(answer.read() == b"The server is ready.\n", "server-1 does not answer")
        with self.server(2):
            self.run("caption.txt")
        with self.server(3):
            self.run("photo.txt")
            self.check_stored(original, "photo.txt")
        with self.server(4):
            self.run("refused.txt")
            expect(set((self.folder / "uploads").iterdir()) == self.known, "a form that was refused left its photo")
            for client, name in [(1, "form.txt"), (2, "sent.txt"), (3, "read.txt")]:
                self.run(name, client)
                if client > 1:
                    self.check_stored(original, f"send-{client}")
        with self.server(5) as address:
            self.first_page(page, address, original)
            self.second_page(page, address, original)
        expect(not list((self.folder / "uploads").glob(".*")), "an incomplete file was left")

    def first_page(self, page, address, original):
        """A form that the browser sends by itself."""
        self.show("page-1.html", page, address)
        self.fill_in(page, self.photo)
        page.click("button")
        text = page.until("location.pathname === '/photos' && document.body?.innerText")
        expect(f'"bytes":{len(original)}' in text, f"page-1 was answered {text}")
        self.check_stored(original, "page-1")

    def second_page(self, page, address, original):
        """A form that shows the progress on a slow line, and what the server has read, or why it has refused."""
        self.show("page-2.html", page, address)
        expect(not self.sees(page, "progress"), "the progress is shown before anything is sent")
        expect(self.send_slowly(page, "progress"), "page-2 shows no progress")
        page.until("document.querySelector('img').checkVisibility()")
        text = page.evaluate("document.querySelector('p').textContent")
        expect(text == f"{CAPTION}: the server has {len(original)} bytes", f"page-2 shows {text}")
        width = page.until("document.querySelector('img').naturalWidth")
        expect(width == 800, f"the photo has a width of {width}")
        source = page.evaluate("document.querySelector('img').src")
        with urllib.request.urlopen(source) as answer:
            expect(answer.headers["Content-Type"] == "image/png", "the photo is no PNG")
            expect(hash_of(answer.read()) == hash_of(original), "the server has another photo")
        self.check_stored(original, "page-2")
        expect(not self.sees(page, "progress"), "the progress is still shown")
        page.resize(560, 760)
        self.take(page, "shown")
        page.resize(560, 420, 1.5)

        # A caption with markup is a text, and a file that is no photo is refused.
        page.type("input[name=caption]", "<img src=x onerror=alert(1)>")
        page.click("button")
        self.status(page, "<img src=x")
        expect(page.evaluate("document.images.length") == 1, "the caption became markup")
        self.fill_in(page, self.folder / "Package.swift")
        page.click("button")
        text = self.status(page, "Refused")
        expect(text == "Refused: a photo is a JPEG or a PNG", f"page-2 shows {text}")
        expect(not self.sees(page, "img"), "the photo before is still shown")
        self.fill_in(page, self.folder / "long.png")
        page.click("button")
        text = self.status(page, "Refused: the photo is longer")
        expect(text == "Refused: the photo is longer than 10 MiB", f"page-2 shows {text}")
        self.take(page, "refused")

        # An answer without a reason.
        uploads = self.folder / "uploads"
        uploads.rename(self.folder / "elsewhere")
        self.fill_in(page, self.photo)
        page.click("button")
        text = self.status(page, "Refused: status")
        (self.folder / "elsewhere").rename(uploads)
        expect(text == "Refused: status 500", f"page-2 shows {text}")

    def show(self, name, page, address):
        print(name, flush=True)
        shutil.copy(HERE / name, self.page)
        page.open(address + f"?{name}")

    @staticmethod
    def sees(page, selector):
        """Whether a person sees an element of the page."""
        return page.evaluate(f"document.querySelector({json.dumps(selector)}).checkVisibility()")

    @staticmethod
    def status(page, beginning):
        """The page's status, once it begins like this."""
        text = "document.querySelector('p').textContent"
        return page.until(f"{text}.startsWith({json.dumps(beginning)}) && {text}")

    def send_slowly(self, page, picture):
        """Sends the form on a slow line; returns the values of the bar on the way."""
        self.fill_in(page, self.photo)
        page.slow_down(self.photo.stat().st_size // 3)
        page.click("button")
        values = set()
        end = time.monotonic() + 30
        while time.monotonic() < end:
            value, done = page.evaluate(
                "[document.querySelector('progress').value, !/ of /.test(document.querySelector('p').textContent)]"
            )
            if 0 < value < 1:
                values.add(value)
            if picture and value > 0.5:
                self.take(page, picture)
                picture = None
            if value and done:
                break
            time.sleep(0.05)
        page.slow_down(0)
        return values


def main():
    for name, path in [("Chromium", browser.find()), ("curl", shutil.which("curl"))]:
        if path is None:
            sys.exit(f"{name} is not installed")
    words = sys.argv[1:]
    if words == ["--check"]:
        return
    pictures = None
    if "--pictures" in words:
        place = words.index("--pictures")
        pictures = words[place + 1]
        del words[place : place + 2]
    if len(words) != 1:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as page:
        Tutorial(*words, pictures, folder).go(page)


main()
