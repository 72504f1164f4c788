#!/usr/bin/env python3
"""Runs HTTP clients that send forms to a local listener, and checks that formdata reads exactly what they sent.

    capture.py [--light] [--install] [--only CLIENT]... [--write] [--tables] FORMDATA

FORMDATA is the built tool. --light takes the clients that start fast: curl, Python, Node and Go. --install installs
missing Debian packages; Python libraries are fetched into .build either way. --write replaces the fixtures of each
client, --tables the tables of Details.md. Clients that cannot be installed are skipped, with the reason printed.
"""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import choice
import fixtures
import forms
import peers
import tables
from clients import CLIENTS
from listener import Listener
from rules import Cannot

TIMEOUT = 240


class Failure(Exception):
    """A client that did not follow its rules."""


def record(client, words, folder):
    """Runs a client; returns its version, its requests by key, and its reasons not to send some."""
    lines = "".join(line + "\n" for line in forms.lines()).encode()
    (folder / "forms").write_bytes(lines)
    pages = {"/": (HERE / "clients" / "browser.html").read_bytes(), "/forms": lines}
    with Listener(pages) as listener:
        words = dict(words, address=f"{listener.address}/record", forms=str(folder / "forms"))
        command = [word.format(**words) for word in client.command]
        result = subprocess.run(command, capture_output=True, timeout=TIMEOUT, cwd=folder)
        if result.returncode != 0:
            raise Failure(result.stderr.decode(errors="replace").strip()[-300:])
        output = [line.split("\t") for line in result.stdout.decode().splitlines()]
        version = next(line[1] for line in output if line[0] == "version")
        return version, listener.requests, {line[1]: line[2] for line in output if line[0] == "cannot"}


def keys(client):
    """The keys under which a client posts, each with its rules and its form."""
    return {
        f"{prefix}{id}": (rules, parts) for prefix, rules in client.rules.items() for id, parts in forms.FORMS.items()
    }


def derived(client, requests, cannot):
    """The requests with their expected parts and strict mode's error, by key; and the reasons others are missing."""
    recorded, reasons = {}, {}
    for key, (rules, form) in keys(client).items():
        if key in cannot:
            reasons[key] = cannot[key].rstrip(".")
            continue
        try:
            parts = [rules.part(part) for part in form]
        except Cannot as reason:
            reasons[key] = str(reason)
            continue
        if key in requests:
            recorded[key] = requests[key], parts, rules.strict_error(parts)
        else:
            raise Failure(f"did not send {key}")
    return recorded, reasons


def read(tool, request, *options):
    """The parts that the tool reads from a request, or its error code."""
    words = [tool, "inspect", "--json", "--bodies", "--content-type", request.content_type, *options]
    result = subprocess.run(words, input=request.body, capture_output=True, timeout=30)
    report = json.loads(result.stdout)
    if "error" in report:
        return report["error"]["code"]
    return [
        forms.Part(part["name"], base64.b64decode(part["body"]), part["filename"], part["contentType"])
        for part in report["parts"]
    ]


def differences(tool, recorded):
    """The requests that the tool does not read as expected."""
    for key, (request, parts, strict) in recorded.items():
        found = read(tool, request), read(tool, request, "--strict")
        if found != (parts, strict or parts):
            yield f"{key}: found {found}, expected {parts}, strict {strict or 'the same'}"


class Outcome:
    """The results of one client."""

    def __init__(self, client, version, recorded, cannot, wrong):
        self.title = f"{client.name} {version}"
        self.recorded, self.cannot, self.wrong = recorded, cannot, wrong
        self.strict = [key for key, (_, _, code) in recorded.items() if code]

    def summary(self):
        return f"{self.title}: {len(self.recorded)} forms, {len(self.wrong)} differ, {len(self.cannot)} cannot be sent"

    def counts(self):
        exact = len(self.recorded) - len(self.wrong)
        return [self.title, len(self.recorded), exact, exact - len(self.strict), len(self.cannot)]

    def details(self):
        named = [", ".join(f"`{key}`" for key in keys) or "none" for keys in (self.strict, self.cannot)]
        return [self.title, *named]


def write_tables(outcomes, skipped):
    """Replaces the tables of Details.md."""
    head = ["client", "forms sent", "read exactly", "also by strict mode", "cannot send"]
    rows = [outcome.counts() for outcome in outcomes] + [[name, reason, "", "", ""] for name, reason in skipped]
    tables.replace("client summary", f"Clients, {tables.today()}:\n\n{tables.markdown(head, rows)}")
    head = ["client", "strict refuses", "cannot send"]
    table = tables.markdown(head, [outcome.details() for outcome in outcomes])
    tables.replace("clients", f"{tables.today()}:\n\n{table}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice.add_options(options)
    options.add_argument("--write", action="store_true", help="replace the fixtures")
    arguments = options.parse_args()
    tool = str(pathlib.Path(arguments.formdata).resolve())
    outcomes, skipped, failed = [], [], False
    for client in choice.chosen(CLIENTS, arguments):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                words = client.prepare(folder, arguments.install)
                version, requests, cannot = record(client, words, folder)
                recorded, cannot = derived(client, requests, cannot)
            except peers.Missing as reason:
                print(f"skipped: {client.name}: {reason}")
                skipped.append((client.name, reason))
                continue
            except (Failure, subprocess.TimeoutExpired) as failure:
                print(f"FAILED {client.name}: {failure}")
                failed = True
                continue
        outcome = Outcome(client, version, recorded, cannot, list(differences(tool, recorded)))
        for line in outcome.wrong:
            print(f"FAILED {outcome.title}: {line:.600}")
        failed = failed or bool(outcome.wrong)
        print(outcome.summary())
        outcomes.append(outcome)
        if arguments.write:
            fixtures.write(client, version, recorded, cannot)
    if arguments.tables:
        write_tables(outcomes, skipped)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
