"""The libraries of others that `run.py` compares with, and how each is installed and started."""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import peers

BUILD = HERE.parent / ".build"
# Where Debian's modules are, for a Node that is not Debian's, and npm's.
ENVIRONMENT = dict(os.environ, NODE_PATH=os.pathsep.join(["/usr/share/nodejs", str(peers.MODULES)]))


def skip(what, why):
    print(f"skipped: {what}: {why}", file=sys.stderr)


def attempt(command, **options):
    """Runs a command; returns its output, or None if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=900, env=ENVIRONMENT, **options)
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
    """A parser or encoder of others.

    The command of a parser gets a file, a boundary, a message's length and the number of runs; the command of an
    encoder gets a case and the number of runs.
    """

    title: str
    language: str
    # The command that prints its version.
    version: list
    # A parser: the inputs it is fast enough for, short or small.
    inputs: str | None = None
    # An encoder: the cases it has.
    cases: tuple = ()


def python(name, **options):
    version = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return Library(
        name=name,
        title=name,
        language="Python",
        version=["{python}", "-c", version, name],
        libraries=(name,),
        **options,
    )


def python_parser(name):
    return python(name, inputs="small", command=["{python}", str(HERE / "peer.py"), name])


GO = {
    "title": "Go mime/multipart",
    "language": "Go",
    "version": ["go", "env", "GOVERSION"],
    "program": "go",
    "compiler": ("go", "build", "-o", "{build}", str(HERE / "peer.go")),
}
MULTER = str(HERE / "multer" / "Cargo.toml")

PARSERS = [
    Library(name="peer-go", inputs="short", command=["{build}", "parse"], **GO),
    Library(
        name="peer-multer",
        title="multer",
        language="Rust",
        inputs="short",
        command=["{build}/release/peer-multer"],
        version=["cargo", "pkgid", "--quiet", "--manifest-path", MULTER, "multer"],
        program="cargo",
        compiler=("cargo", "build", "--release", "--manifest-path", MULTER, "--target-dir", "{build}"),
    ),
    Library(
        name="busboy",
        title="busboy",
        language="Node",
        inputs="short",
        command=["node", str(HERE / "busboy.js")],
        version=["node", "-p", "require('busboy/package.json').version"],
        program="node",
        packages=("node-busboy",),
    ),
    Library(
        name="remix",
        title="@remix-run/multipart-parser",
        language="Node",
        inputs="short",
        command=["node", str(HERE / "remix.js")],
        version=["node", "-p", "require('@remix-run/multipart-parser/package.json').version"],
        program="node",
        modules=("@remix-run/multipart-parser",),
    ),
    *map(python_parser, ["multipart", "python-multipart", "werkzeug", "streaming-form-data"]),
]

ENCODERS = [
    Library(name="peer-go", cases=("encode-fields", "encode-data", "encode-into"), command=["{build}"], **GO),
    Library(
        name="node",
        title="Node FormData",
        language="Node",
        cases=("encode-fields", "encode-data"),
        command=["node", str(HERE / "encode.js")],
        version=["node", "-p", "process.versions.node"],
        program="node",
    ),
    python("urllib3", cases=("encode-fields", "encode-data"), command=["{python}", str(HERE / "encode.py")]),
]


def found(libraries, installing):
    """The available ones of some libraries, installed first if `installing`: each with its version and command."""
    result = []
    for library in libraries:
        try:
            words = library.prepare(BUILD, installing, fetching=installing)
        except peers.Missing as reason:
            skip(library.title, reason)
            continue
        command, version = ([word.format(**words) for word in line] for line in (library.command, library.version))
        # Go writes "go1.19.8", and Cargo where a package is from, and its version.
        number = re.search(r"\d+(\.\w+)*$", (attempt(version) or "").strip())
        result.append((library, number[0] if number else "", command))
    return result
