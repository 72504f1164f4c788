#!/usr/bin/env python3
"""Measures how many forms a second servers read: ours in several ways, and those of others.

    rates.py [--install] [--batch] [--rounds COUNT] [--seconds COUNT] [--bar RATIO] [--only NAME]...
             [--work DIRECTORY] [--tables] UPLOAD_SERVER

UPLOAD_SERVER is the built program of Sources/upload-server. In each round all servers take a turn with each form and
each number of connections, each turn in a new process; figures are medians over the rounds. A ratio is to the turn of
`drained`, which drops the body unread, in the same round. --batch runs the servers as batch processes, in which a
thread that wakes does not interrupt another one. --install installs missing Debian packages and Python libraries.
--only takes a single server besides `drained`. --work chooses the directory for files. --tables replaces the tables of
Details.md. Servers that cannot be had are skipped, with the reason printed. The exit code is 1 if a server fails or
reads a form otherwise than it was sent, or if requests per second of `parts` or `collected` are below RATIO times those
of `drained`.
"""

import argparse
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import peers
import tables
import turns
from subjects import SUBJECTS

CONNECTIONS = (1, 64)
REFERENCE = SUBJECTS[0]
# The subjects to which the bar applies.
BARRED = ("parts", "collected")


def make_form(name, length):
    """A form of five fields and a file of random bytes, written as browsers do."""
    # The length of the boundaries of Chromium and Safari.
    boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW0"
    fields = {
        "name": "Ada Lovelace", "email": "ada@example.org", "subject": "Notes", "reference": "2026-11-0042",
        "message": "The engine weaves algebraical patterns just as the loom weaves flowers and leaves.",
    }
    content = random.Random(length).randbytes(length)
    lines = []
    for field, value in fields.items():
        lines.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode())
    lines.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="attachment"; filename="notes.bin"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
    )
    body = b"".join([*lines, content, f"\r\n--{boundary}--\r\n".encode()])
    answer = {
        "parts": len(fields) + 1,
        "names": sum(map(len, [*fields, "attachment"])),
        "bytes": sum(map(len, fields.values())) + length,
    }
    return turns.Form(name, f"multipart/form-data; boundary={boundary}", body, answer)


FORMS = [make_form("small", 10 << 10), make_form("large", 16 << 20)]


def output(words):
    """The first line that a command prints, or "" if it fails."""
    try:
        result = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (result.stdout.strip().splitlines() or [""])[0] if result.returncode == 0 else ""


def prepared(arguments, folder):
    """The subjects that can run here, with their commands and versions; prints why others cannot."""
    found = []
    for subject in SUBJECTS:
        if arguments.only and subject is not REFERENCE and subject.name not in arguments.only:
            continue
        try:
            words = subject.prepare(folder, arguments.install, arguments.install)
        except peers.Missing as reason:
            print(f"skipped: {subject.name}: {reason}")
            continue
        words["program"] = str(pathlib.Path(arguments.program).resolve())
        version = output([word.format(**words) for word in subject.version]) if subject.version else ""
        found.append((subject, [word.format(**words) for word in subject.command], version))
    return found


def measure(subjects, arguments, folder):
    """Takes all turns; returns the readings by (form, connections, subject), and whether any server has failed."""
    readings, requests, failed = {}, {}, set()
    for form in FORMS:
        (folder / form.name).write_bytes(form.body)
    for number in range(1, arguments.rounds + 1):
        print(f"round {number} of {arguments.rounds}", flush=True)
        for form in FORMS:
            for connections in CONNECTIONS:
                for subject, command, _ in subjects:
                    key = form.name, connections, subject.name
                    if form.name not in subject.forms or key in failed:
                        continue
                    try:
                        with tempfile.TemporaryDirectory(dir=folder) as work:
                            reading, requests[key] = turns.take(
                                command, subject, form, folder / form.name, connections, requests.get(key),
                                arguments.seconds, pathlib.Path(work), arguments.batch,
                            )
                    except turns.Failure as failure:
                        print(f"FAILED {subject.name}, {form.name}, {connections} connections: {failure}")
                        failed.add(key)
                        continue
                    readings.setdefault(key, []).append(reading)
    return {key: found for key, found in readings.items() if key not in failed}, bool(failed)


def ratio(mine, references):
    """The median over the rounds of the requests per second divided by those of the reference."""
    return statistics.median(reading.rate / reference.rate for reading, reference in zip(mine, references))


def rows(readings):
    """The rows of the table, and the ratios by (form, connections, subject)."""
    lines, ratios = [], {}
    subjects = {subject.name: subject for subject in SUBJECTS}
    for (form, connections, name), found in readings.items():
        reference = readings.get((form, connections, REFERENCE.name))
        subject = subjects[name]
        beside = ""
        # The servers of others do not have the same work besides.
        if reference and not subject.version:
            ratios[form, connections, name] = ratio(found, reference)
            beside = f"{ratios[form, connections, name]:.2f}"
        rate = statistics.median(reading.rate for reading in found)
        cpu = busy = "not measured"
        if found[0].cpu is not None:
            cpu = f"{statistics.median(reading.cpu for reading in found) * 1e6:,.0f}"
            busy = f"{statistics.median(reading.cpu * reading.rate for reading in found):.0%}"
        spread = (max(reading.rate for reading in found) - min(reading.rate for reading in found)) / rate
        lines.append([form, connections, subject.title, f"{rate:,.0f}", f"±{spread / 2:.0%}", beside, cpu, busy])
    return lines, ratios


def machine(batch):
    """What the figures depend on besides the servers."""
    model = ""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        model = next(line.partition(": ")[2] for line in lines if line.startswith("model name")) + ", "
    except (OSError, StopIteration):
        pass
    core = turns.cores()[0]
    where = "no process bound to a core" if core is None else "the server on one and the load on another"
    where += ", servers as batch processes" if batch else ""
    swift = output(["swift", "--version"]).partition(" (")[0]
    return f"{model}{os.cpu_count()} cores, {where}; {platform.system()}; {swift}; {output(['h2load', '--version'])}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", metavar="UPLOAD_SERVER", help="the built program")
    options.add_argument("--install", action="store_true", help="install what is missing")
    options.add_argument("--batch", action="store_true", help="run the servers as batch processes")
    options.add_argument("--rounds", type=int, default=5, help="how often each takes a turn")
    options.add_argument("--seconds", type=float, default=4, help="how long a turn takes, without its warm-up")
    options.add_argument("--bar", type=float, metavar="RATIO", help="the least ratio of `parts` and `collected`")
    options.add_argument("--only", action="append", metavar="NAME", help="only this one and `drained`; may be repeated")
    options.add_argument("--work", metavar="DIRECTORY", help="the directory for temporary files")
    options.add_argument("--tables", action="store_true", help="replace the tables of Details.md")
    arguments = options.parse_args()
    reason = peers.install(["h2load"], []) if arguments.install else None
    if reason or shutil.which("h2load") is None:
        print(f"skipped: everything: h2load: {reason or 'not installed'}")
        return 0
    with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
        folder = pathlib.Path(folder)
        subjects = prepared(arguments, folder)
        readings, failed = measure(subjects, arguments, folder)
    lines, ratios = rows(readings)
    head = ["form", "connections", "server", "requests/s", "spread", "of `drained`", "CPU µs a request", "busy"]
    table = tables.markdown(head, lines)
    turn = f"rounds: {arguments.rounds}, turns of {arguments.seconds:g} s"
    known = (f"{subject.title}: {version}" for subject, _, version in subjects if version)
    versions = "; ".join([machine(arguments.batch), turn, *known])
    print(f"\n{versions}\n\n{table}")
    if arguments.tables:
        tables.replace("rates", f"{tables.today()}: {versions}.\n\n{table}")
    for (form, connections, name), value in ratios.items():
        if arguments.bar is not None and name in BARRED and value < arguments.bar:
            print(f"FAILED {name}, {form}, {connections} connections: {value:.3f} is below {arguments.bar}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
