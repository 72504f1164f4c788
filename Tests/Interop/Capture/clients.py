"""The clients: how each is started, what it needs, and the rules it writes by."""

import dataclasses
import pathlib

import rules

PROGRAMS = pathlib.Path(__file__).resolve().parent / "clients"
JARS = "/usr/share/java"


@dataclasses.dataclass(frozen=True)
class Client:
    """A client; `command` makes its command line of the listener's address and the file with the forms."""

    name: str
    # The rules of the forms it posts, by the prefix of the key it posts them under.
    rules: dict
    # `{python}`, `{address}`, `{forms}` and `{build}` are filled in.
    command: list
    program: str | None = None
    # Of Debian, beside the program's own.
    packages: tuple = ()
    # Of PyPI.
    library: str | None = None
    # Whether it runs in CI, which has no time for the others.
    is_light: bool = False
    compiler: tuple = ()


def java(program, *jars):
    path = ":".join(f"{JARS}/{jar}.jar" for jar in jars)
    return ["java", "-cp", path, str(PROGRAMS / program), "{address}", "{forms}"]


def script(interpreter, program):
    return [interpreter, str(PROGRAMS / program), "{address}", "{forms}"]


def python(library, rules_by_prefix):
    return Client(
        library,
        rules_by_prefix,
        ["{python}", str(PROGRAMS / "python_clients.py"), library, "{address}"],
        library=library,
        is_light=True,
    )


def browser(name, program):
    return Client(
        name,
        {"form-": rules.HTML, "fetch-": rules.HTML},
        ["{python}", str(PROGRAMS / "browser.py"), program, "{address}"],
        program,
        ("fonts-dejavu-core",),
    )


CLIENTS = [
    Client("curl", {"": rules.PERCENT}, ["{python}", str(PROGRAMS / "curl.py"), "{address}"], "curl", is_light=True),
    browser("chromium", "chromium"),
    browser("firefox", "firefox-esr"),
    python("requests", {"": rules.PERCENT}),
    python("httpx", {"": rules.HTTPX}),
    python("aiohttp", {"": rules.AIOHTTP, "raw-": rules.AIOHTTP_RAW}),
    python("urllib3", {"": rules.PERCENT}),
    Client("node", {"": rules.UNDICI}, script("node", "fetch.mjs"), "node", is_light=True),
    Client("go", {"": rules.GO}, ["{build}", "{address}", "{forms}"], "go", is_light=True,
           compiler=("go", "build", "-o", "{build}", str(PROGRAMS / "client.go"))),
    Client("php", {"": rules.PERCENT}, script("php", "client.php"), "php", ("php-curl",)),
    Client("lwp", {"": rules.LWP}, script("perl", "client.pl"), "perl", ("libwww-perl",)),
    Client("ruby", {"": rules.BACKSLASH}, script("ruby", "client.rb"), "ruby"),
    Client("apache-httpclient", {"": rules.APACHE},
           java("ApacheClient.java", "httpclient", "httpcore", "httpmime", "commons-logging", "commons-codec"),
           "java", ("libhttpclient-java", "libhttpmime-java")),
    Client("okhttp", {"": rules.PERCENT}, java("OkHttpSender.java", "okhttp", "okio"), "java",
           ("libokhttp-java",)),
]
