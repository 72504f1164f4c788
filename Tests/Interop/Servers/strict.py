#!/usr/bin/env python3
"""Posts every message that strict mode accepts to servers, and checks that none reads other parts.

    strict.py [--light] [--install] [--only SERVER]...

The messages are those of Fixtures/conformance/parse, whose outcome in strict mode the unit tests check. A server may refuse
a message, and may read a text in one of the ways that the article on modes lists; `names` and `may_be` have them. An exception in a
server is no refusal: a program that catches it may go on without the form. It also counts what servers read otherwise of
the messages that only lenient mode accepts. The exit code is 1 if a server reads an accepted message otherwise, or fails
in a way that FAILURES does not list.
"""

import argparse
import base64
import collections
import html
import json
import pathlib
import re
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Capture")]

import accepted
import capture
import choice
import forms
from listener import Request
from matrix import shown, sorted_by_name
from servers import STRICT_SERVERS

# Some servers never answer a message that they cannot read.
TIMEOUT = 2
MESSAGES = HERE.parents[2] / "Fixtures" / "conformance" / "parse"
# The exceptions with which servers fail on accepted messages, by server. All three decode the content of a field by its
# charset, or as UTF-8. aiohttp has the other two for a boundary that begins with a space, and for a part named `_charset_`.
FAILURES = {
    "aiohttp": {"UnicodeDecodeError", "ValueError", "InvalidHeader"},
    "bottle": {"UnicodeDecodeError"},
    "multipart": {"UnicodeDecodeError"},
}
# The accepted messages that servers are known to read otherwise, by server. BlackSheep reads no part if the boundary is
# quoted, ends a file name at a semicolon, and takes a part named `_charset_` for a setting.
MISREAD = {
    "blacksheep": {
        "cl-dotnet",
        "ct-quoted",
        "rfc2046-boundary-inner-spaces",
        "rfc2046-boundary-leading-space",
        "rfc7578-charset-field",
        "sg-entity-in-filename",
        "st-boundary-letters-then-equals-in-itself",
    }
}


def parts(outcome, body):
    """The parts of an outcome; None if it is an error."""
    if "parts" not in outcome:
        return None
    return [
        forms.Part(part["name"], content(part, body), part["filename"], part["contentType"]) for part in outcome["parts"]
    ]


def content(part, body):
    """The content of a part, which is text, base64, or a range of the message."""
    if "body" in part:
        return part["body"].encode()
    return base64.b64decode(part["bodyBase64"])


def messages():
    """Each message by id: its request, and its parts in lenient and in strict mode."""
    found = {}
    for file in sorted(MESSAGES.glob("*.json")):
        case = json.loads(file.read_text("utf-8"))
        if case.get("limits"):
            continue
        body = file.with_suffix(".body").read_bytes()
        lenient = parts(case["lenient"], body)
        strict = lenient if case["strict"] == "same" else parts(case["strict"], body)
        if lenient is None and strict is None:
            continue
        found[file.stem] = (Request(case["contentType"], body), lenient, strict)
    return found


def is_no_file(part):
    """Whether a part is a file input without a file, which is a file, a field or nothing to a server."""
    return part.filename == "" and not part.content


def names(name):
    """What servers may make of a name or a file name."""
    if name is None:
        return {None}
    unescaped = name.replace("%0A", "\n").replace("%0D", "\r").replace("%22", '"')
    decoded = {name, name.replace("%22", '"'), unescaped, html.unescape(name), urllib.parse.unquote(name)}
    # PHP makes its variables of names, aiohttp takes the first slash off a file name, and CherryPy reads names as Latin-1.
    mangled = {re.sub(r"[ .\[]", "_", text) for text in decoded} | {text.lstrip("/") for text in decoded}
    mangled.add(name.encode().decode("latin-1"))
    return decoded | mangled | {re.split(r"[/\\]", text)[-1] for text in decoded}


def may_be(part, other):
    """Whether a server may make one part of another."""
    # A file without a type may be a field, as formidable has it.
    filenames = names(part.filename) | ({None} if part.type is None else set())
    if other.name not in names(part.name) or other.filename not in filenames:
        return False
    if other.filename is not None:
        return other.content == part.content
    try:
        text = part.content.decode()
    except UnicodeDecodeError:
        # Of a field that is no text in UTF-8, a server may make text in any charset.
        return True
    charsets = {part.content.decode("latin-1").encode(), part.content.decode("utf-16", "replace").encode()}
    return other.content in charsets | {part.content, text.removeprefix("\ufeff").encode()}


def difference(wanted, found):
    """How what was read differs from the parts of a message; None if they are equal."""
    wanted, found = sorted_by_name(wanted), sorted_by_name(found)
    if len(wanted) != len(found):
        return f"{len(found)} parts, not {len(wanted)}"
    for part, other in zip(wanted, found):
        for what in ("name", "filename", "content"):
            if getattr(part, what) != getattr(other, what):
                return f"{what} {shown(getattr(other, what))}, not {shown(getattr(part, what))}"
    return None


def is_listed(wanted, found):
    """Whether what was read differs only in ways that the article on modes lists."""
    # PHP and Rack keep the last part of each name.
    return is_made(wanted, found) or is_made({part.name: part for part in wanted}.values(), found)


def is_made(wanted, found):
    """Whether a server may make what was read of some parts."""
    rest = list(found)
    for part in [part for part in wanted if not is_no_file(part)]:
        match = next((other for other in rest if may_be(part, other)), None)
        if match is None:
            return False
        rest.remove(match)
    return len(rest) <= sum(map(is_no_file, wanted)) and not any(other.content for other in rest)


def check(server, port, cases):
    """Posts all messages; returns the server's version, counts, and the accepted messages that are read otherwise."""
    counts, otherwise, versions = collections.Counter(), [], set()
    for id, (request, lenient, strict) in cases.items():
        version, found = accepted.post(port, request, TIMEOUT)
        versions.add(version)
        mode = "strict" if strict is not None else "lenient"
        wanted = strict if strict is not None else lenient
        if isinstance(found, str) and found.startswith("failed: "):
            counts[mode, "failed"] += 1
            if strict is not None and found.removeprefix("failed: ") not in FAILURES.get(server.name, ()):
                otherwise.append(f"{id}: {found}")
        elif isinstance(found, str):
            counts[mode, "refused"] += 1
        elif difference(wanted, found) is None:
            counts[mode, "equal"] += 1
        elif is_listed(wanted, found) or id in MISREAD.get(server.name, ()):
            counts[mode, "listed"] += 1
        else:
            counts[mode, "otherwise"] += 1
            if strict is not None:
                otherwise.append(f"{id}: {difference(wanted, found)}")
    if not counts["strict", "equal"]:
        raise capture.Failure("reads no message")
    return next(version for version in versions if version), counts, otherwise


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--light", action="store_true", help="only Python, Node and Go")
    options.add_argument("--install", action="store_true", help="install missing Debian packages")
    options.add_argument("--only", action="append", metavar="NAME", help="only this one; may be repeated")
    arguments = options.parse_args()
    attempts, cases = accepted.Attempts(arguments.install), messages()
    for server in choice.chosen(STRICT_SERVERS, arguments):
        answer = attempts.run(server, lambda port: check(server, port, cases))
        if answer is None:
            continue
        version, counts, otherwise = answer
        for line in otherwise:
            attempts.fail(f"{server.name} {version}: {line}")
        print(
            f"{server.name} {version}: of those that strict mode accepts, {counts['strict', 'equal']} equal, "
            f"{counts['strict', 'listed']} in a listed way, {counts['strict', 'refused']} refused, "
            f"{counts['strict', 'failed']} failed, {counts['strict', 'otherwise']} otherwise; of those that only lenient "
            f"mode accepts, {counts['lenient', 'failed']} failed, {counts['lenient', 'otherwise']} otherwise"
        )
    return 1 if attempts.has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
