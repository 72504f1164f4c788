"""Finds and installs the programs and libraries of others."""

import os
import pathlib
import shutil
import subprocess
import sys
import venv

# The packages of programs; a program that is there may be from elsewhere.
PROGRAMS = {
    "curl": "curl",
    "chromium": "chromium",
    "firefox-esr": "firefox-esr",
    "node": "nodejs",
    "go": "golang-go",
    "php": "php-cli",
    "perl": "perl",
    "ruby": "ruby",
    "java": "default-jdk-headless",
}
BUILD = pathlib.Path(__file__).resolve().parents[2] / ".build" / "peers"


def attempt(words, **options):
    """Runs a command; why it failed, or None."""
    try:
        result = subprocess.run(words, capture_output=True, timeout=1200, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return None
    lines = (result.stderr or result.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {result.returncode}"


def install(programs, packages):
    """Installs programs and further packages of Debian; why that failed, or None."""
    missing = [PROGRAMS[name] for name in programs if shutil.which(name) is None]
    missing += [name for name in packages if not has_package(name)]
    missing = list(dict.fromkeys(missing))
    if not missing:
        return None
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return "no way to install " + ", ".join(missing)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    options = ["-qq", "-o", "DPkg::Lock::Timeout=300"]
    return attempt(["apt-get", "update", *options], env=environment) or attempt(
        ["apt-get", "install", "-y", "--no-install-recommends", *options, *missing], env=environment
    )


def has_package(name):
    words = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name]
    return subprocess.run(words, capture_output=True).stdout == b"installed"


def python_with(libraries):
    """A Python that has libraries of PyPI, and why it has not, or None."""
    python = BUILD / "python" / "bin" / "python"
    if not python.exists():
        try:
            venv.create(python.parents[1], with_pip=True)
        except (OSError, subprocess.SubprocessError) as error:
            return sys.executable, str(error)
    return str(python), attempt(
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *libraries]
    )
