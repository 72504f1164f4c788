#!/usr/bin/env python3
"""Compares the library with others: the same messages, in the same run, one after the other.

    Tests/Benchmarks/peers/run.py [--rounds COUNT] [--no-install]

Go's mime/multipart and busboy come from Debian, four Python libraries from PyPI. Those that cannot be installed are
skipped, with the reason printed. Every program reads a file of messages into memory, cuts it into chunks of 64 KiB and
times its own parsing, with the name, file name and media type of each part read. In each round ours and theirs take
turns; a lead is the median over the rounds of their time divided by ours. Go's writer is compared, too: with fresh
memory (encode-data), for which its runtime must first return its memory, and with a reused buffer (encode-into).
Prints Markdown.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parent
sys.path.insert(0, str(PACKAGE.parent / "Peers"))

import peers

BUILD = PACKAGE / ".build"
# Where Debian's packages are, for a Node that is not Debian's.
ENVIRONMENT = dict(os.environ, NODE_PATH="/usr/share/nodejs")
RUNS = 3
OURS = ("ours, Data", "ours, borrowed")


def skip(what, why):
    print(f"skipped: {what}: {why}", file=sys.stderr)


def attempt(command, **options):
    """Runs a command; returns its output, or None if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=900, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        skip(pathlib.Path(command[0]).name, type(error).__name__)
        return None
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or ["no message"]
        skip(" ".join(pathlib.Path(word).name for word in command[:3]), lines[-1][:200])
        return None
    return result.stdout


@dataclasses.dataclass(frozen=True, kw_only=True)
class Library(peers.Peer):
    """A parser of others; its command gets a file, a boundary, a message's length and the number of runs."""

    title: str
    # The inputs it is fast enough for.
    inputs: str
    # The command that prints its version.
    version: list


def python(name):
    version = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return Library(
        name=name,
        title=name,
        inputs="small",
        command=["{python}", str(HERE / "peer.py"), name],
        version=["{python}", "-c", version, name],
        libraries=(name,),
    )


LIBRARIES = [
    Library(
        name="peer-go",
        title="Go mime/multipart",
        inputs="short",
        command=["{build}", "parse"],
        version=["go", "env", "GOVERSION"],
        program="go",
        compiler=("go", "build", "-o", "{build}", str(HERE / "peer.go")),
    ),
    Library(
        name="busboy",
        title="busboy",
        inputs="short",
        command=["node", str(HERE / "busboy.js")],
        version=["node", "-p", "require('busboy/package.json').version"],
        program="node",
        packages=("node-busboy",),
    ),
    *map(python, ["multipart", "python-multipart", "werkzeug", "streaming-form-data"]),
]


def found(installing):
    """The available libraries, installed first if `installing`: name, kind of input, and command without the file."""
    result = []
    for library in LIBRARIES:
        try:
            words = library.prepare(BUILD, installing, fetching=installing)
        except peers.Missing as reason:
            skip(library.title, reason)
            continue
        command, version = ([word.format(**words) for word in line] for line in (library.command, library.version))
        number = attempt(version, env=ENVIRONMENT) or ""
        result.append((f"{library.title} {number.strip()}", library.inputs, command))
    return result


def ours():
    """Builds the benchmarks; returns the path of the program."""
    command = ["swift", "build", "-c", "release", "--package-path", str(PACKAGE)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return str(BUILD / "release" / "benchmarks")


def measure(command):
    """The median time of a program's runs and their number of parts; None if it failed."""
    output = attempt(command, env=ENVIRONMENT)
    if output is None:
        return None
    report = json.loads(output)
    return statistics.median(report["ns"]), report.get("parts")


def compare(program, entry, libraries, rounds, directory):
    """Runs ours and theirs in turn over one input; returns a list of times for each name, one per round."""
    path = str(directory / entry["file"])
    length = str(entry["message_bytes"])
    commands = {
        name: [program, "--peer", path, "--message-bytes", length, "--entry", way, "--runs", str(RUNS)]
        for name, way in zip(OURS, ("data", "borrowed"))
    }
    for name, _, command in libraries:
        commands[name] = [*command, path, entry["boundary"], length, str(RUNS)]
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            result = measure(command) if times[name] is not None else None
            if result is None or result[1] not in (None, entry["parts"]):
                if times[name] is not None:
                    skip(f"{name}, {entry['name']}", "failed" if result is None else f"{result[1]} parts")
                times[name] = None
            else:
                times[name].append(result[0])
    return times


def compare_encoding(program, rounds):
    """Runs our encoder and Go's in turn; returns (case, ours, theirs) with one time per round."""
    go = str(BUILD / "peer-go")
    if not os.path.exists(go):
        return []
    pairs = []
    for case, entry in (("encode-fields", "build"), ("encode-data", "scan-off"), ("encode-into", "scan-off")):
        mine, theirs = [], []
        for _ in range(rounds):
            lines = attempt([program, "--json", "--short", "--case", case])
            result = measure([go, case, str(RUNS + 2)])
            if lines is None or result is None:
                continue
            reports = [json.loads(line) for line in lines.splitlines()]
            mine += [report["median_ns"] for report in reports if report["entry"] == entry]
            theirs.append(result[0])
        if mine and len(mine) == len(theirs):
            pairs.append((case, mine, theirs))
    return pairs


def figure(entry, times):
    """A cell: nanoseconds per part for forms of many parts, else MiB per second."""
    time = statistics.median(times)
    if entry["is_made_of_parts"]:
        return f"{time / entry['parts']:,.0f} ns"
    return f"{entry['bytes'] / 2**20 / (time / 1e9):,.0f} MiB/s"


def lead(mine, theirs):
    return statistics.median(their / my for my, their in zip(mine, theirs))


def print_table(kind, entries, libraries, results, leads):
    names = [name for name, _, _ in libraries]
    print(f"\n| {kind} inputs | " + " | ".join([*OURS, *names]) + " |")
    print("| --- |" + " ---: |" * (len(names) + 2))
    for entry in entries:
        times = results[entry["name"]]
        mine = times[OURS[0]]
        cells = [figure(entry, times[name]) if times[name] else "failed" for name in OURS]
        for name in names:
            if not times[name] or not mine:
                cells.append("not measured")
                continue
            factor = lead(mine, times[name])
            leads.append((factor, name, entry["name"]))
            cells.append(f"{figure(entry, times[name])} (×{factor:.1f})")
        print(f"| {entry['name']} | " + " | ".join(cells) + " |")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3, help="how often ours and theirs take turns")
    options.add_argument("--no-install", action="store_true", help="use installed programs only")
    arguments = options.parse_args()
    program = ours()
    everyone = found(not arguments.no_install)
    leads = []
    memory = pathlib.Path("/dev/shm")
    parent = str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else None
    for kind in ("short", "small"):
        libraries = [peer for peer in everyone if peer[1] == kind]
        if not libraries:
            continue
        with tempfile.TemporaryDirectory(dir=parent) as place:
            directory = pathlib.Path(place)
            subprocess.run([program, "--write-inputs", place, f"--{kind}"], check=True)
            entries = json.loads((directory / "inputs.json").read_text())
            results = {
                entry["name"]: compare(program, entry, libraries, arguments.rounds, directory) for entry in entries
            }
        print_table(kind, entries, libraries, results, leads)
    encoding = compare_encoding(program, arguments.rounds)
    if encoding:
        print("\n| encode | ours | Go mime/multipart |\n| --- | ---: | ---: |")
    for case, mine, theirs in encoding:
        factor = lead(mine, theirs)
        leads.append((factor, "Go", case))
        both = [f"{statistics.median(times) / 1e6:,.1f} ms" for times in (mine, theirs)]
        print(f"| {case} | {both[0]} | {both[1]} (×{factor:.1f}) |")
    if leads:
        factor, name, case = min(leads)
        print(f"\nThe smallest lead is ×{factor:.2f}: {name}, {case}. Leads are those of the `Data` entry.")


if __name__ == "__main__":
    main()
