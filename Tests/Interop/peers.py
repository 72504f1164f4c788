"""Finds and installs the programs and libraries of others, for `Interop` and `Benchmarks`.

Programs and packages come from Debian, with `apt-get` as root; Python libraries from PyPI and Node modules from npm, into
`.build/peers`. For a peer that cannot be installed, `prepare` raises `Missing` with the reason, which callers print.
"""

import dataclasses
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import venv

# The Debian packages of programs; an installed program may come from elsewhere.
PROGRAMS = {
    "curl": "curl",
    "chromium": "chromium",
    "firefox-esr": "firefox-esr",
    "node": "nodejs",
    "go": "golang-go",
    "cargo": "cargo",
    "php": "php-cli",
    "perl": "perl",
    "ruby": "ruby",
    "java": "default-jdk-headless",
    "h2load": "nghttp2-client",
}
BUILD = pathlib.Path(__file__).resolve().parents[2] / ".build" / "peers"
MODULES = BUILD / "node" / "node_modules"


def attempt(words, **options):
    """Runs a command; returns why it failed, or None."""
    try:
        result = subprocess.run(words, capture_output=True, timeout=1200, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return None
    lines = (result.stderr or result.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else f"exit code {result.returncode}"


def install(programs, packages):
    """Installs programs and further Debian packages; returns why that failed, or None."""
    missing = [PROGRAMS[name] for name in programs if shutil.which(name) is None]
    missing += [name for name in packages if not has_package(name)]
    missing = list(dict.fromkeys(missing))
    if not missing:
        return None
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return "no way to install " + ", ".join(missing)
    return update() or apt_get("install", "-y", "--no-install-recommends", *missing)


@functools.cache
def update():
    """Fetches Debian's package lists, once; returns why that failed, or None."""
    return apt_get("update")


def apt_get(command, *words):
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    return attempt(["apt-get", command, "-qq", "-o", "DPkg::Lock::Timeout=300", *words], env=environment)


def has_package(name):
    words = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name]
    return subprocess.run(words, capture_output=True).stdout == b"installed"


def python_with(libraries, fetching=True):
    """A Python with libraries from PyPI, and why some are missing, or None. Fetches missing ones if `fetching`."""
    folder = BUILD / "python"
    python = str(folder / "bin" / "python")
    versions = "import importlib.metadata, sys; [importlib.metadata.version(name) for name in sys.argv[1:]]"
    if attempt([python, "-c", versions, *libraries]) is None:
        return python, None
    if not fetching:
        return python, ", ".join(libraries) + " is not installed"
    if attempt([python, "-m", "pip", "--version"]):
        try:
            venv.create(folder, with_pip=True, clear=True)
        except (OSError, subprocess.SubprocessError) as error:
            return python, str(error)
    install = [python, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    return python, attempt([*install, *libraries])


def install_modules(names, fetching=True):
    """Installs modules from npm to MODULES, without their scripts; returns why that failed, or None."""
    if all((MODULES / name).is_dir() for name in names):
        return None
    if not fetching:
        return ", ".join(names) + " is not installed"
    options = ["--json", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"]
    words = ["npm", "install", *options, "--prefix", str(MODULES.parent), *names]
    try:
        MODULES.parent.mkdir(parents=True, exist_ok=True)
        result = subprocess.run(words, capture_output=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return None
    try:
        return json.loads(result.stdout)["error"]["summary"]
    except (ValueError, KeyError):
        return f"npm: exit code {result.returncode}"


class Missing(Exception):
    """Why a peer cannot run here."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Peer:
    """A program or library of others that we test with."""

    name: str
    # The command that starts it, with placeholders in braces.
    command: list
    # The program that must be on the search path.
    program: str | None = None
    # Debian packages, besides the program's own.
    packages: tuple = ()
    # PyPI packages.
    libraries: tuple = ()
    # npm packages.
    modules: tuple = ()
    # The command that compiles it to `{build}`.
    compiler: tuple = ()
    # Whether it runs in CI, which has no time for the others.
    is_light: bool = False

    def prepare(self, folder, installing, fetching=True):
        """Compiles it to the folder; returns the values of the placeholders. Raises Missing if that fails.

        First installs missing Debian packages if `installing`, and missing PyPI and npm packages if `fetching`.
        """
        reason = install([self.program] if self.program else [], self.packages) if installing else None
        if not reason and self.program and shutil.which(self.program) is None:
            reason = f"{self.program} is not installed"
        absent = [name for name in self.packages if not has_package(name)]
        if not reason and absent:
            reason = ", ".join(absent) + " is not installed"
        words = {"python": sys.executable, "build": str(folder / self.name)}
        if self.packages and not reason:
            words["version"] = package_version(self.packages[0])
        if self.libraries and not reason:
            words["python"], reason = python_with(self.libraries, fetching)
        if self.modules and not reason:
            reason = install_modules(self.modules, fetching)
        if self.compiler and not reason:
            reason = attempt([word.format(**words) for word in self.compiler])
        if reason:
            raise Missing(reason)
        return words


def package_version(name):
    """The upstream version of a Debian package."""
    words = ["dpkg-query", "--show", "--showformat=${source:Upstream-Version}", name]
    return subprocess.run(words, capture_output=True, check=True, text=True).stdout


# The servers that the recipes' tests upload to; `Interop/Recipes` starts them.
SERVERS = pathlib.Path(__file__).resolve().parents[1] / "Interop" / "Recipes"
SPRING = ("core", "beans", "aop", "expression", "context", "web", "web.servlet")
TOMCAT = ("catalina", "coyote", "api", "util", "util-scan", "juli", "jni") + tuple(
    f"{name}-api" for name in ("annotations", "jaspic", "servlet")
)
# Debian's Spring is 4.3, whatever the names of its archives.
JARS = ":".join(
    f"/usr/share/java/{name}.jar"
    for name in [
        *(f"spring3-{name}" for name in SPRING),
        *(f"tomcat9-{name}" for name in TOMCAT),
        *("commons-logging", "jackson-annotations", "jackson-core", "jackson-databind"),
    ]
)
# boto3 presigns and makes users; flask and flask-cors serve what moto answers, and the others are for its S3.
S3_LIBRARIES = ("moto", "boto3", "flask", "flask-cors", "py-partiql-parser", "PyYAML")
RECIPES = [
    Peer(
        name=name,
        command=["{python}", str(SERVERS / f"{name}_server.py")],
        libraries=libraries,
        is_light=True,
    )
    for name, libraries in [
        ("s3", S3_LIBRARIES),
        ("storage", S3_LIBRARIES),
        ("graphql", ("strawberry-graphql", "python-multipart", "starlette", "uvicorn")),
        ("json", ("openapi-core", "aiohttp", "PyYAML")),
    ]
] + [
    Peer(
        name="spring",
        command=["java", "-cp", JARS, str(SERVERS / "SpringServer.java")],
        program="java",
        packages=("libspring-web-servlet-java", "libtomcat9-java", "libjackson2-databind-java"),
    )
]
