#!/usr/bin/env python3
"""Posts formdata's forms to servers, and compares what they read with what they read from curl and browsers.

    accepted.py [--light] [--install] [--only SERVER]... [--tables] FORMDATA

FORMDATA is the built tool. --light takes the servers that start fast: Python, Node and Go. --install installs missing
Debian packages; Python libraries are fetched into .build either way. --tables replaces the tables of Details.md.
Servers that cannot be installed are skipped, with the reason printed. The exit code is 1 if a server reads a form of
ours differently from that of curl and those of the browsers.
"""

import argparse
import base64
import contextlib
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Capture")]

import capture
import choice
import fixtures
import forms
import matrix
import peers
import tables
from clients import CURL
from listener import Request
from servers import SERVERS
from words import form_words

START = 60
TIMEOUT = 30


def written(tool):
    """The forms as formdata encode writes them, by id."""
    requests = {}
    for id, parts in forms.FORMS.items():
        with tempfile.TemporaryDirectory() as folder:
            words = [tool, "encode", *form_words(parts, pathlib.Path(folder))]
            result = subprocess.run(words, capture_output=True, check=True, timeout=TIMEOUT)
        fields = dict(line.split(": ", 1) for line in result.stderr.decode().splitlines())
        requests[id] = Request(fields["Content-Type"], result.stdout)
    return requests


def sent_by_curl():
    """The forms as curl sends them now, by id."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        return capture.record(CURL, CURL.prepare(folder, False), folder)[1]


def sent_by_browser(name):
    """The forms as a browser's HTML form sent them when they were recorded, by id."""
    recordings = fixtures.read(name)["forms"]
    return {
        id: Request(recordings[f"form-{id}"]["contentType"], fixtures.body(recordings[f"form-{id}"]))
        for id in forms.FORMS
    }


@contextlib.contextmanager
def running(server, words, folder):
    """Runs a server; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [word.format(**words, port=port) for word in server.command]
    # Uploads that a server leaves behind are removed with the folder.
    environment = dict(os.environ, TMPDIR=str(folder))
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + START
        while not is_open(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise capture.Failure("did not start: " + (folder / "log").read_text("utf-8", "replace")[-300:])
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def post(port, request, timeout=TIMEOUT):
    """Posts a form; returns the server's version and the parts it read, or None and what went wrong.

    That is "refused: " and a status below 500, or "failed: " and the server's exception, its status, or how the
    connection ended.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("POST", "/", request.body, {"Content-Type": request.content_type, "Connection": "close"})
        response = connection.getresponse()
        body = response.read()
        if response.status >= 500:
            return None, f"failed: {exception(body) or response.status}"
        if response.status != 200:
            return None, f"refused: {response.status}"
        answer = json.loads(body)
        return answer["version"], [
            forms.Part(part.get("name"), base64.b64decode(part["content"]), part.get("filename"), part.get("type"))
            for part in answer["parts"]
        ]
    except (OSError, http.client.HTTPException, ValueError) as error:
        return None, f"failed: {type(error).__name__}"
    finally:
        connection.close()


def exception(body):
    """The class of the exception that a response of status 500 reports, or None."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        return json.loads(body)["exception"]
    return None


class Attempts:
    """Runs servers, and keeps which are missing and whether something failed."""

    def __init__(self, installing):
        self.installing = installing
        # Names and reasons.
        self.skipped = []
        self.has_failed = False

    def run(self, server, act):
        """What `act` makes of a server's port; None if the server is missing or fails."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                words = server.prepare(folder, self.installing)
                with running(server, words, folder) as port:
                    return act(port)
            except peers.Missing as reason:
                print(f"skipped: {server.name}: {reason}")
                self.skipped.append((server.name, reason))
            except capture.Failure as failure:
                self.fail(f"{server.name}: {failure}")
        return None

    def fail(self, line):
        print(f"FAILED {line}")
        self.has_failed = True


def readings(port, requests):
    """The version of a server, and the parts it read of each form, by id."""
    answers = {id: post(port, request) for id, request in requests.items()}
    version = answers["plain"][0]
    # Otherwise a server that reads nothing would pass, since curl's and the browsers' forms fail there, too.
    if version is None:
        raise capture.Failure(f"cannot read the plainest form: {answers['plain'][1]}")
    return version, {id: found for id, (_, found) in answers.items()}


def readings_of_each(port, controls):
    """The parts that a server read of each control's forms, by control and id."""
    return {name: readings(port, requests)[1] for name, requests in controls.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice.add_options(options)
    arguments = options.parse_args()
    ours = written(str(pathlib.Path(arguments.formdata).resolve()))
    controls = {name: sent_by_browser(name) for name in ("chromium", "firefox")}
    try:
        controls["curl"] = sent_by_curl()
    except peers.Missing as reason:
        print(f"skipped: curl as a control: {reason}")
    attempts, columns = Attempts(arguments.install), []
    for server in choice.chosen(SERVERS, arguments):
        answer = attempts.run(server, lambda port: (readings(port, ours), readings_of_each(port, controls)))
        if answer is None:
            continue
        (version, found), others = answer
        column = matrix.Column(f"{server.name} {version}", found, others)
        for line in column.only_ours():
            attempts.fail(f"{column.title}: {line}")
        equal, shared, alone = column.counts()
        print(f"{column.title}: {equal} equal, {shared} differ as from curl or a browser, {alone} differ only for us")
        columns.append(column)
    print(f"\n{matrix.markdown(columns)}")
    if arguments.tables:
        tables.replace("server summary", f"Servers, {tables.today()}:\n\n{matrix.summary(columns, attempts.skipped)}")
        tables.replace("servers", f"{tables.today()}:\n\n{matrix.markdown(columns)}")
    return 1 if attempts.has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
