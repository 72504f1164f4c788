#!/usr/bin/env python3
"""Compares the library with others: the same messages, in the same run, one after the other.

    Tests/Interop/Speed/run.py [--rounds COUNT] [--no-install] [--json FILE]
    Tests/Interop/Speed/run.py --from FILE [--write | --check]

Go's mime/multipart and busboy come from Debian, Python's libraries from PyPI, @remix-run/multipart-parser from npm and
multer through Cargo. Those that cannot be installed are skipped, with the reason printed. Every program reads a file
of messages into memory, cuts it into chunks of 64 KiB and times its own parsing, with the name, file name and media
type of each part read. In each round ours and theirs take turns; the fastest round counts, and a lead is their time
divided by ours. The number of parts is checked, and the bytes of content where a program reports them. Encoders are
compared too: with fresh memory (encode-data), for which Go's runtime must first return its memory, and with a reused
buffer (encode-into). One message of a file of 2 MiB is also parsed again and again, from the processor's caches
(typical-cached).

Prints Markdown. --json saves the results, and --from takes saved ones instead of measuring. outside.json, beside this
script, has what was measured outside this repository: peers that none of these registries has, or that could not be
reached. --write puts the tables into this folder's README; --check fails unless they are those of the saved results.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import tables
from libraries import ENCODERS, HERE, PARSERS, attempt, found, skip

PACKAGE = HERE.parents[1] / "Deep"
OUTSIDE = HERE / "outside.json"
PAGE = HERE / "README.md"
ROOT = HERE.parents[2]
# How often a program repeats its work in each round.
RUNS = {"short": 3, "cached": 200, "small": 5, "encode": 5}
# The case of which one message is parsed again and again, so that it stays in the processor's caches.
CACHED = "typical"
# The entries of our program in a table, by their titles.
OURS = {tables.OURS: "data", tables.BORROWED: "borrowed"}
ENCODE_ENTRIES = {"encode-fields": "build", "encode-data": "scan-off", "encode-into": "scan-off"}
# What a program reports; the bytes of content are None if it does not count them.
Report = collections.namedtuple("Report", ["time", "parts", "content"])


def build():
    """Builds the benchmarks; returns the path of the program."""
    command = ["swift", "build", "-c", "release", "--product", "benchmarks", "--package-path", str(PACKAGE)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return str(PACKAGE / ".build" / "release" / "benchmarks")


def measure(command):
    """The median time of a program's runs, and what it counted; None if it failed."""
    output = attempt(command)
    if output is None:
        return None
    report = json.loads(output)
    return Report(round(statistics.median(report["ns"])), report.get("parts"), report.get("content"))


def content_length(entry, directory):
    """The bytes of content in all parts of an input, found without a parser."""
    data = (directory / entry["file"]).read_bytes()
    delimiter = b"\r\n--" + entry["boundary"].encode()
    length = entry["message_bytes"]
    total = 0
    for start in range(0, len(data), length):
        for part in (b"\r\n" + data[start : start + length]).split(delimiter)[1:-1]:
            total += len(part) - part.index(b"\r\n\r\n") - 4
    return total


def problem(report, entry, content):
    """What is wrong with a report, or None."""
    if report is None:
        return "refused"
    if report.parts not in (None, entry["parts"]) or report.content not in (None, content):
        return "wrong"
    return None


def compare(program, entry, kind, libraries, rounds, directory):
    """Runs ours and theirs in turn over one input.

    Returns a list of times for each name, one per round, and why some have none.
    """
    path = str(directory / entry["file"])
    length = str(entry["message_bytes"])
    runs = str(RUNS[kind])
    commands = {
        name: [program, "--peer", path, "--message-bytes", length, "--entry", way, "--runs", runs]
        for name, way in OURS.items()
    }
    for library, _, command in libraries:
        commands[library.title] = [*command, path, entry["boundary"], length, runs]
    content = content_length(entry, directory)
    times = {name: [] for name in commands}
    problems = {}
    for _ in range(rounds):
        for name, command in commands.items():
            if name in problems:
                continue
            report = measure(command)
            reason = problem(report, entry, content)
            if reason is None:
                times[name].append(report.time)
                continue
            skip(f"{name}, {entry['name']}", f"{reason}: {report}")
            times[name] = None
            problems[name] = reason
    return times, problems


def compare_parsing(program, everyone, rounds):
    """The results of parsers, one for each input of each kind."""
    results = []
    memory = pathlib.Path("/dev/shm")
    parent = str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else None
    for kind in ("short", "small"):
        if not any(library.inputs == kind for library, _, _ in everyone):
            continue
        with tempfile.TemporaryDirectory(dir=parent) as place:
            directory = pathlib.Path(place)
            subprocess.run([program, "--write-inputs", place, f"--{kind}"], check=True)
            for entry in json.loads((directory / "inputs.json").read_text()):
                libraries = [peer for peer in everyone if peer[0].inputs == kind]
                measured = compare(program, entry, kind, libraries, rounds, directory)
                results.append(summary(entry, kind, *measured))
                if kind == "short" and entry["name"] == CACHED:
                    entry = one_message(entry, directory)
                    measured = compare(program, entry, "cached", libraries, rounds, directory)
                    results.append(summary(entry, kind, *measured))
    return results


def summary(entry, kind, times, problems):
    """The result of a case."""
    figures = {key: entry[key] for key in ("name", "bytes", "parts", "is_made_of_parts")}
    result = {"inputs": kind, **figures, "times": times}
    return {**result, "problems": problems} if problems else result


def one_message(entry, directory):
    """Writes the first message of an input; returns the input's description."""
    length = entry["message_bytes"]
    name = f"{entry['name']}-cached"
    file = f"{name}.body"
    with open(directory / entry["file"], "rb") as messages:
        (directory / file).write_bytes(messages.read(length))
    parts = entry["parts"] * length // entry["bytes"]
    return {**entry, "name": name, "file": file, "bytes": length, "parts": parts}


def compare_encoding(program, everyone, rounds):
    """The results of encoders, one for each case that one of them has."""
    results = []
    for case, entry in ENCODE_ENTRIES.items():
        commands = {library.title: command for library, _, command in everyone if case in library.cases}
        times = {name: [] for name in (tables.OURS, *commands)}
        for _ in range(rounds if commands else 0):
            reports = map(json.loads, (attempt([program, "--json", "--short", "--case", case]) or "").splitlines())
            times[tables.OURS] += [round(report["median_ns"]) for report in reports if report["entry"] == entry]
            for name, command in commands.items():
                report = measure([*command, case, str(RUNS["encode"])])
                times[name] += [] if report is None else [report.time]
        if commands and len(times[tables.OURS]) == rounds:
            complete = {name: values if len(values) == rounds else None for name, values in times.items()}
            results.append({"name": case, "times": complete})
    return results


def machine():
    """The processor, its cores, and the version of Swift."""
    try:
        names = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    version = re.search(r"Swift version (\S+)", attempt(["swift", "--version"]) or "")
    return {
        "processor": re.sub(r"\((R|TM)\)", "", names[0]) if names else "an unknown processor",
        "cores": os.cpu_count(),
        "swift": version[1] if version else "unknown",
    }


def results(arguments):
    """Measures everything."""
    if arguments.no_install:
        os.environ["CARGO_NET_OFFLINE"] = "true"
    program = build()
    parsers = found(PARSERS, not arguments.no_install)
    encoders = found(ENCODERS, not arguments.no_install)
    peers = {}
    for library, version, _ in (*parsers, *encoders):
        peers.setdefault(library.title, (library, version))
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "rounds": arguments.rounds,
        "peers": [
            {"title": title, "language": library.language, "version": version, "inputs": library.inputs}
            for title, (library, version) in peers.items()
        ],
        "parsing": compare_parsing(program, parsers, arguments.rounds),
        "encoding": compare_encoding(program, encoders, arguments.rounds),
    }


def serialized(everything):
    """JSON with the times of a library in one line."""
    text = json.dumps(everything, indent=1, ensure_ascii=False)
    return re.sub(r"\[[\d\s,]+\]", lambda match: " ".join(match[0].split()).replace("[ ", "[").replace(" ]", "]"), text)


def write(everything, outside):
    """Puts the results where they are shown."""
    PAGE.write_text(tables.page(PAGE.read_text("utf-8"), everything, outside), "utf-8")


def shows(everything, outside):
    """Whether this folder's README shows these results."""
    page = PAGE.read_text("utf-8")
    return page == tables.page(page, everything, outside)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3, help="how often ours and theirs take turns")
    options.add_argument("--no-install", action="store_true", help="use installed programs only")
    options.add_argument("--json", type=pathlib.Path, metavar="FILE", help="save the results")
    options.add_argument("--from", dest="saved", type=pathlib.Path, metavar="FILE", help="take saved results")
    options.add_argument("--write", action="store_true", help="put the results into the documents")
    options.add_argument("--check", action="store_true", help="fail if the tables have other results")
    arguments = options.parse_args()
    everything = json.loads(arguments.saved.read_text()) if arguments.saved else results(arguments)
    outside = json.loads(OUTSIDE.read_text()) if OUTSIDE.exists() else None
    if arguments.json:
        arguments.json.write_text(serialized(everything) + "\n")
    print(tables.markdown(everything, outside))
    if arguments.write:
        write(everything, outside)
    if arguments.check and not shows(everything, outside):
        sys.exit(f"error: not made from the saved results, see --write: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
