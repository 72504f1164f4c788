"""Checks the formdata tool against clients and parsers of others.

Usage: python3 run.py FORMDATA [--large] [--work DIRECTORY]

FORMDATA is the built tool. --large adds round trips of 16 MiB and 2 GiB that measure memory. Everything happens in a
temporary directory and on 127.0.0.1; only curl and the parsers are installed, once.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import peers
from forms import Part
from words import form_words

PARSERS = ["multipart", "werkzeug"]
MEMORY_LIMIT = 64 << 20
TIMEOUT = 60


class Checks:
    """Counts checks and prints those that fail."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def equal(self, label, found, expected):
        if found == expected:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {label}\n  found    {found!r:.300}\n  expected {expected!r:.300}")

    def true(self, label, fact):
        self.equal(label, bool(fact), True)


def parts(content):
    """Fields and files as dictionaries: name, filename, type, content."""
    names = ["plain", "a b", "semi;colon", "it's", "percent%22", "100%", "umlaut ü", "日本語", "emoji 😀", "back\\slash"]
    fields = [{"name": name, "filename": None, "type": None, "content": name.encode()} for name in names]
    fields.append({"name": "empty", "filename": None, "type": None, "content": b""})
    fields.append({"name": "lines", "filename": None, "type": None, "content": b"1\n2\r\n3\r--x\r\n--"})
    filenames = ["plain.bin", "with space.bin", "semi;colon.bin", "emoji 😀.bin", "日本語.bin", "comma,name.bin"]
    files = [
        {"name": f"file {index}", "filename": name, "type": "application/octet-stream", "content": content}
        for index, name in enumerate(filenames)
    ]
    quotes = [
        {"name": 'quo"te', "filename": None, "type": None, "content": b'"'},
        {"name": "quoted file", "filename": 'quo"te.bin', "type": "image/png", "content": content[:100]},
    ]
    return fields + files + quotes


def plain_names(forms):
    """The parts that strict mode accepts from any sender: their names have no quote, backslash or semicolon."""
    return [part for part in forms if not set('"\\;') & set(part["name"] + (part["filename"] or ""))]


def escaped(text):
    """A name as form encoders write it: quotes are escaped (HTML 4.10.22.8)."""
    return None if text is None else text.replace('"', "%22")


def read_name(parser, text):
    """A name as a parser reads it when it is written with HTML's escapes."""
    if text is None:
        return None
    if parser == "werkzeug":
        # It takes any backslash for the start of a pair (RFC 9110 5.6.4).
        text = re.sub(r"\\(.)", r"\1", text)
    # Both decode %22, typed or escaped.
    return text.replace("%22", '"')


def record(words):
    """Sends a form to a listener with curl, and returns the request's bytes."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(TIMEOUT)
    request = bytearray()

    def serve():
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(TIMEOUT)
            while not is_complete(request):
                chunk = connection.recv(1 << 16)
                if not chunk:
                    return
                request.extend(chunk)
            connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    subprocess.run(["curl", "-sS", "-H", "Expect:", *words, address], check=True, timeout=TIMEOUT)
    server.join(TIMEOUT)
    listener.close()
    return bytes(request)


def is_complete(request):
    head, found, body = bytes(request).partition(b"\r\n\r\n")
    if not found:
        return False
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    if fields.get(b"transfer-encoding") == b"chunked":
        return body.endswith(b"0\r\n\r\n")
    return len(body) >= int(fields[b"content-length"])


def body_and_type(request):
    """The body of a recorded request, without chunking, and its Content-Type."""
    head, _, body = request.partition(b"\r\n\r\n")
    fields = {name.lower(): value for name, value in (line.split(b": ", 1) for line in head.split(b"\r\n")[1:])}
    if fields.get(b"transfer-encoding") == b"chunked":
        chunks, rest = [], body
        while (size := int(rest.partition(b"\r\n")[0], 16)) > 0:
            rest = rest.partition(b"\r\n")[2]
            chunks.append(rest[:size])
            rest = rest[size + 2:]
        body = b"".join(chunks)
    return body, fields[b"content-type"].decode()


def check_decoded(checks, label, tool, message, expected, folder, *words):
    """Parses a message with formdata decode and compares every part."""
    into = folder / f"decoded {label}"
    result = subprocess.run(
        [tool, "decode", *words, "--into", str(into)], input=message, capture_output=True, timeout=TIMEOUT
    )
    checks.equal(f"{label}: decode", (result.returncode, result.stderr), (0, b""))
    if result.returncode != 0:
        return
    found = json.loads((into / "manifest.json").read_text("utf-8"))["parts"]
    checks.equal(f"{label}: count", len(found), len(expected))
    for part, wanted in zip(found, expected):
        place = f"{label}: {wanted['name']}"
        checks.equal(f"{place}: name", part["name"], wanted["name"])
        checks.equal(f"{place}: file name", part["filename"], wanted["filename"])
        checks.equal(f"{place}: type", part["contentType"], wanted["type"])
        checks.equal(f"{place}: content", (into / part["file"]).read_bytes(), wanted["content"])
        checks.equal(f"{place}: length", part["length"], len(wanted["content"]))


def check_curl(checks, tool, folder):
    """formdata decode parses what curl sends."""
    if reason := peers.install(["curl"], []):
        print(f"skipped: curl: {reason}")
        return
    version = subprocess.run(["curl", "--version"], capture_output=True, check=True).stdout.split()[1].decode()
    # Since 7.81 curl escapes as browsers do; before that, with a backslash.
    escapes = tuple(int(number) for number in version.split(".")[:2]) >= (7, 81)
    forms = parts(os.urandom(300_000))
    # A backslash is read back as it was, unless it precedes a quote or another backslash.
    expected = [
        dict(part, name=escaped(part["name"]), filename=escaped(part["filename"])) if escapes else part
        for part in forms
    ]
    words = form_words([Part(**part) for part in forms], folder)
    body, content_type = body_and_type(record(words))
    check_decoded(checks, f"curl {version}", tool, body, expected, folder, "--content-type", content_type)
    forms = plain_names(forms)
    words = form_words([Part(**part) for part in forms], folder)
    body, content_type = body_and_type(record(["-H", "Transfer-Encoding: chunked", *words]))
    check_decoded(
        checks, f"curl {version} chunked", tool, body, forms, folder, "--content-type", content_type, "--strict"
    )


def encode(tool, words):
    """A body and its Content-Type, as formdata encode writes them."""
    result = subprocess.run([tool, "encode", *words], capture_output=True, check=True, timeout=TIMEOUT)
    lines = dict(line.split(": ", 1) for line in result.stderr.decode().splitlines())
    assert int(lines["Content-Length"]) == len(result.stdout)
    return result.stdout, lines["Content-Type"]


def check_parsers(checks, tool, folder):
    """Two parsers of others read what formdata encode writes."""
    python, reason = peers.python_with(PARSERS)
    if reason:
        print(f"skipped: {', '.join(PARSERS)}: {reason}")
        return
    forms = parts(os.urandom(300_000))
    plain = plain_names(forms)
    body, content_type = encode(tool, form_words([Part(**part) for part in plain], folder))
    check_decoded(checks, "formdata strict", tool, body, plain, folder, "--content-type", content_type, "--strict")
    body, content_type = encode(tool, form_words([Part(**part) for part in forms], folder))
    check_decoded(checks, "formdata", tool, body, [
        dict(part, name=escaped(part["name"]), filename=escaped(part["filename"])) for part in forms
    ], folder, "--content-type", content_type)
    path = folder / "encoded"
    path.write_bytes(body)
    for parser in PARSERS:
        result = subprocess.run(
            [python, str(HERE / "parsers.py"), parser, content_type, str(path)],
            capture_output=True, timeout=TIMEOUT,
        )
        checks.equal(f"{parser}: exit code", (result.returncode, result.stderr[-300:]), (0, b""))
        if result.returncode != 0:
            continue
        report = json.loads(result.stdout)
        print(f"{parser} {report['version']}: {len(report['parts'])} parts")
        checks.equal(f"{parser}: count", len(report["parts"]), len(forms))
        for part, wanted in zip(report["parts"], forms):
            place = f"{parser}: {wanted['name']}"
            checks.equal(f"{place}: name", part["name"], read_name(parser, wanted["name"]))
            checks.equal(f"{place}: file name", part["filename"], read_name(parser, wanted["filename"]))
            checks.equal(f"{place}: content", part["sha256"], hashlib.sha256(wanted["content"]).hexdigest())
            if wanted["type"] is not None:
                checks.equal(f"{place}: type", part["type"], wanted["type"])


def measured(words, folder, output=None):
    """Runs a command; returns its exit code, its peak resident memory in bytes, and its resource usage.

    The memory is never below that of this process, which the system counts until the command starts.
    """
    process = subprocess.Popen(words, cwd=folder, stdout=output, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), usage


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_large(checks, tool, folder):
    """Memory does not grow with the message."""
    for size in (16 << 20, 256 << 20, 2 << 30):
        content = folder / "large.bin"
        block = os.urandom(1 << 20)
        with open(content, "wb") as file:
            for index in range(size >> 20):
                file.write(index.to_bytes(8, "little") + block[8:])
        expected = digest(content)
        label = f"{size >> 20} MiB"
        code, memory, usage = measured([tool, "encode", "-F", "f=@large.bin", "-o", "large.form"], folder)
        print(f"{label}: encode {memory / (1 << 20):.1f} MiB resident, {usage.ru_utime + usage.ru_stime:.1f} s of CPU")
        checks.equal(f"{label}: encode", code, 0)
        checks.true(f"{label}: encode stays under 64 MiB", memory < MEMORY_LIMIT)
        content.unlink()
        code, memory, usage = measured([tool, "decode", "large.form", "--into", "large"], folder)
        print(f"{label}: decode {memory / (1 << 20):.1f} MiB resident, {usage.ru_utime + usage.ru_stime:.1f} s of CPU")
        checks.equal(f"{label}: decode", code, 0)
        checks.true(f"{label}: decode stays under 64 MiB", memory < MEMORY_LIMIT)
        if size < 1 << 30:
            check_inspected(checks, tool, folder, size)
        (folder / "large.form").unlink()
        checks.equal(f"{label}: SHA-256", digest(folder / "large" / "large.bin"), expected)
        shutil.rmtree(folder / "large")


def check_inspected(checks, tool, folder, size):
    """A body that is printed as JSON is not kept in memory."""
    with open(folder / "large.json", "wb") as output:
        code, memory, usage = measured([tool, "inspect", "large.form", "--json", "--bodies"], folder, output)
    label = f"{size >> 20} MiB: inspect --bodies"
    print(f"{label} {memory / (1 << 20):.1f} MiB resident, {usage.ru_utime + usage.ru_stime:.1f} s of CPU")
    checks.equal(label, code, 0)
    checks.true(f"{label} stays under 64 MiB", memory < MEMORY_LIMIT)
    length = (folder / "large.json").stat().st_size
    checks.true(f"{label} prints base64", size * 4 // 3 < length < size * 4 // 3 + 1000)
    (folder / "large.json").unlink()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("formdata", help="the built tool")
    options.add_argument("--large", action="store_true", help="measure memory with 16 MiB and 2 GiB")
    options.add_argument("--work", help="the directory for temporary files")
    arguments = options.parse_args()
    tool = str(pathlib.Path(arguments.formdata).resolve())
    checks = Checks()
    with tempfile.TemporaryDirectory(dir=arguments.work) as name:
        folder = pathlib.Path(name)
        check_curl(checks, tool, folder)
        check_parsers(checks, tool, folder)
        if arguments.large:
            check_large(checks, tool, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
