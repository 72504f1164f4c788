"""The servers: how each is started and what it needs."""

import dataclasses
import pathlib

from peers import Peer

PROGRAMS = pathlib.Path(__file__).resolve().parent / "servers"
JARS = ":".join(f"/usr/share/java/{jar}.jar" for jar in ("commons-fileupload", "commons-io", "servlet-api"))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Server(Peer):
    """A server; its command gets the `{port}`."""


def python(name, *libraries):
    return Server(
        name=name,
        command=["{python}", str(PROGRAMS / f"{name.replace('-', '_')}_server.py"), "{port}"],
        libraries=libraries or (name,),
        is_light=True,
    )


def node(name, *packages):
    return Server(
        name=name,
        # Where Debian's packages are, for a Node that is not Debian's.
        command=["env", "NODE_PATH=/usr/share/nodejs", "node", str(PROGRAMS / "node_server.mjs"), name, "{port}"],
        program="node",
        packages=packages,
        is_light=not packages,
    )


# The servers of the tables in Details.md.
SERVERS = [
    python("flask"),
    python("django"),
    python("starlette", "starlette", "python-multipart", "uvicorn"),
    python("aiohttp"),
    python("multipart"),
    python("tornado"),
    Server(
        name="go",
        command=["{build}", "{port}"],
        program="go",
        compiler=("go", "build", "-o", "{build}", str(PROGRAMS / "server.go")),
        is_light=True,
    ),
    node("undici"),
    node("busboy", "node-busboy"),
    node("formidable", "node-formidable"),
    Server(
        name="php",
        command=["php", "-S", "127.0.0.1:{port}", str(PROGRAMS / "server.php")],
        program="php",
    ),
    Server(
        name="rack",
        command=["ruby", str(PROGRAMS / "server.rb"), "{port}"],
        program="ruby",
        packages=("ruby-rack", "ruby-webrick"),
    ),
    Server(
        name="http-body",
        command=["perl", str(PROGRAMS / "server.pl"), "{port}"],
        program="perl",
        packages=("libhttp-body-perl", "libhttp-daemon-perl"),
    ),
    Server(
        name="commons-fileupload",
        command=["java", "-cp", JARS, str(PROGRAMS / "FileUploadServer.java"), "{version}", "{port}"],
        program="java",
        packages=("libcommons-fileupload-java", "libcommons-io-java", "libservlet-api-java"),
    ),
]

# `strict.py` posts to these as well.
STRICT_SERVERS = SERVERS + [
    python("webob", "WebOb"),
    python("blacksheep", "blacksheep", "uvicorn"),
    python("cherrypy", "CherryPy"),
    python("bottle"),
    python("baize"),
]
