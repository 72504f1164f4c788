"""The clients: how each is started, what it needs, and the rules it writes by."""

import dataclasses
import pathlib

import rules
from peers import Peer

PROGRAMS = pathlib.Path(__file__).resolve().parent / "clients"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Client(Peer):
    """A client; its command gets the listener's `{address}` and the file with the `{forms}`."""

    # The rules it writes forms by, by the prefix of the keys it posts them under.
    rules: dict


def script(interpreter, program):
    return [interpreter, str(PROGRAMS / program), "{address}", "{forms}"]


def java(program, *jars):
    path = ":".join(f"/usr/share/java/{jar}.jar" for jar in jars)
    return ["java", "-cp", path, str(PROGRAMS / program), "{address}", "{forms}"]


def python(library, rules_by_prefix):
    return Client(
        name=library,
        rules=rules_by_prefix,
        command=["{python}", str(PROGRAMS / "python_clients.py"), library, "{address}"],
        libraries=(library,),
        is_light=True,
    )


def browser(name, program):
    return Client(
        name=name,
        rules={"form-": rules.HTML, "fetch-": rules.HTML},
        command=["{python}", str(PROGRAMS / "browser.py"), program, "{address}"],
        program=program,
    )


CURL = Client(
    name="curl",
    rules={"": rules.PERCENT},
    command=["{python}", str(PROGRAMS / "curl.py"), "{address}"],
    program="curl",
    is_light=True,
)
CLIENTS = [
    CURL,
    browser("chromium", "chromium"),
    browser("firefox", "firefox-esr"),
    python("requests", {"": rules.PERCENT}),
    python("httpx", {"": rules.HTTPX}),
    python("aiohttp", {"": rules.AIOHTTP, "raw-": rules.AIOHTTP_RAW}),
    python("urllib3", {"": rules.PERCENT}),
    Client(
        name="node",
        rules={"": rules.UNDICI},
        command=script("node", "fetch.mjs"),
        program="node",
        is_light=True,
    ),
    Client(
        name="go",
        rules={"": rules.GO},
        command=["{build}", "{address}", "{forms}"],
        program="go",
        compiler=("go", "build", "-o", "{build}", str(PROGRAMS / "client.go")),
        is_light=True,
    ),
    Client(
        name="php",
        rules={"": rules.PERCENT},
        command=script("php", "client.php"),
        program="php",
        packages=("php-curl",),
    ),
    Client(
        name="lwp",
        rules={"": rules.LWP},
        command=script("perl", "client.pl"),
        program="perl",
        packages=("libwww-perl",),
    ),
    Client(
        name="ruby",
        rules={"": rules.BACKSLASH},
        command=script("ruby", "client.rb"),
        program="ruby",
    ),
    Client(
        name="apache-httpclient",
        rules={"": rules.APACHE},
        command=java("ApacheClient.java", "httpclient", "httpcore", "httpmime", "commons-logging", "commons-codec"),
        program="java",
        packages=("libhttpclient-java", "libhttpmime-java"),
    ),
    Client(
        name="okhttp",
        rules={"": rules.PERCENT},
        command=java("OkHttpSender.java", "okhttp", "okio"),
        program="java",
        packages=("libokhttp-java",),
    ),
]
