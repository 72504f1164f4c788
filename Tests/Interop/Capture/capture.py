#!/usr/bin/env python3
"""Lets HTTP clients send forms to a listener here, and checks that formdata reads exactly what they sent.

    capture.py [--light] [--install] [--only CLIENT]... [--write] [--readme] FORMDATA

FORMDATA is the built tool. --light takes the clients that start fast: curl, Python, Node and Go. --install installs
what is missing, from Debian and PyPI; without it only Python's libraries are fetched, into .build. --write replaces
the fixtures of each client, --readme the table in the readme beside. What cannot be had is skipped, and said.
"""

import argparse
import base64
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import fixtures
import forms
import peers
import tables
from clients import CLIENTS
from listener import Listener
from rules import Cannot

TIMEOUT = 240


class Failure(Exception):
    """A client did not do what its rules say."""


def prepare(client, arguments, folder):
    """The words that are filled into the client's commands; throws a reason to skip it."""
    if arguments.install and (reason := peers.install([client.program] if client.program else [], client.packages)):
        raise Failure(reason)
    if client.program and shutil.which(client.program) is None:
        raise Failure(f"{client.program} is not installed")
    words = {"python": sys.executable, "build": str(folder / client.name)}
    if client.library:
        words["python"], reason = peers.python_with([client.library])
        if reason:
            raise Failure(reason)
    if client.compiler and (reason := peers.attempt([word.format(**words) for word in client.compiler])):
        raise Failure(reason)
    return words


def record(client, words, folder):
    """Runs a client: its version, its requests by key, and its own reasons not to send some."""
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


def derived(client, requests, cannot):
    """The requests with the parts they must have and the code of strict mode, by key; and why others are not there."""
    recorded, reasons = {}, {}
    for key, (rules, form) in fixtures.keys(client).items():
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
    """What the tool makes of a request: its parts, or an error code."""
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
    """The keys whose requests the tool reads otherwise than it must."""
    for key, (request, parts, strict) in recorded.items():
        found = read(tool, request)
        if found != parts:
            yield f"{key}: found {found}, expected {parts}"
        found = read(tool, request, "--strict")
        if found != (strict or parts):
            yield f"{key}, strict: found {found}, expected {strict or parts}"


def row(client, version, recorded, cannot, wrong):
    strict = [key for key, (_, _, code) in recorded.items() if code]

    def count(keys):
        return f"{len(keys)}: " + ", ".join(f"`{key}`" for key in keys) if keys else "none"

    return [f"{client.name} {version}", len(recorded), len(recorded) - len(wrong), count(strict), count(cannot)]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("formdata", help="the built tool")
    options.add_argument("--light", action="store_true", help="only clients that start fast")
    options.add_argument("--install", action="store_true", help="install what is missing")
    options.add_argument("--only", action="append", metavar="CLIENT", help="only this client")
    options.add_argument("--write", action="store_true", help="replace the fixtures")
    options.add_argument("--readme", action="store_true", help="replace the table in the readme")
    arguments = options.parse_args()
    tool = str(pathlib.Path(arguments.formdata).resolve())
    rows, failed = [], False
    for client in CLIENTS:
        if arguments.light and not client.is_light or arguments.only and client.name not in arguments.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                words = prepare(client, arguments, folder)
            except Failure as reason:
                print(f"skipped: {client.name}: {reason}")
                continue
            try:
                version, requests, cannot = record(client, words, folder)
                recorded, cannot = derived(client, requests, cannot)
            except (Failure, subprocess.TimeoutExpired) as failure:
                print(f"FAILED {client.name}: {failure}")
                failed = True
                continue
        wrong = list(differences(tool, recorded))
        for line in wrong:
            print(f"FAILED {client.name} {version}: {line:.600}")
        failed = failed or bool(wrong)
        print(f"{client.name} {version}: {len(recorded)} forms, {len(wrong)} differ, {len(cannot)} cannot be sent")
        rows.append(row(client, version, recorded, cannot, wrong))
        if arguments.write:
            fixtures.write(client, version, recorded, cannot)
    table = tables.markdown(["client", "sent", "read exactly", "strict refuses", "cannot send"], rows)
    print(f"\n{table}")
    if arguments.readme:
        tables.replace("clients", f"{datetime.date.today().isoformat()}:\n\n{table}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
