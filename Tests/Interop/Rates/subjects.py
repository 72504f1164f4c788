"""What is measured: ways to read a form, in our servers and in those of others."""

import dataclasses
import pathlib

from peers import Peer

PROGRAMS = pathlib.Path(__file__).resolve().parent / "servers"
# Where Debian's packages are, for a Node that is not Debian's.
NODE = ["env", "NODE_PATH=/usr/share/nodejs", "node"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Subject(Peer):
    """A server, and the path to which forms are posted. It prints its port, and ends with its input."""

    title: str
    path: str = "/"
    # Whether it answers with the parts, or else only with the length of the body.
    parses: bool = True
    # The names of the forms that it gets.
    forms: tuple = ("small",)
    # The command that prints its version.
    version: list | None = None


def ours(path, forms=("small", "large"), parses=True):
    return Subject(
        name=path,
        title=path,
        command=["{program}", "readings"],
        path="/" + path,
        parses=parses,
        forms=forms,
    )


# The first one is what ours are compared with.
SUBJECTS = [
    ours("drained", parses=False),
    ours("parts"),
    ours("collected"),
    ours("buffered", parses=False),
    ours("collected-in-memory", forms=("large",)),
    ours("saved", parses=False, forms=("large",)),
    Subject(
        name="go",
        title="net/http, ParseMultipartForm",
        command=["{build}"],
        program="go",
        compiler=("go", "build", "-o", "{build}", str(PROGRAMS / "server.go")),
        version=["go", "env", "GOVERSION"],
    ),
    Subject(
        name="starlette",
        title="Starlette, python-multipart, uvicorn",
        command=["{python}", str(PROGRAMS / "starlette_server.py")],
        libraries=("starlette", "python-multipart", "uvicorn", "uvloop", "httptools"),
        version=[
            "{python}", "-c",
            "import importlib.metadata, sys; print(*map(importlib.metadata.version, sys.argv[1:]))",
            "starlette", "python-multipart", "uvicorn",
        ],
    ),
    Subject(
        name="busboy",
        title="node:http, busboy",
        command=[*NODE, str(PROGRAMS / "busboy_server.mjs")],
        program="node",
        packages=("node-busboy",),
        version=[*NODE, "-p", "process.versions.node + ' ' + require('busboy/package.json').version"],
    ),
]
