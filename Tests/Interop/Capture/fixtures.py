#!/usr/bin/env python3
"""The file of each client in Fixtures/clients: what it sent, and the parts that must be parsed from it.

    fixtures.py CLIENT FORM    writes the body that a client sent to standard output, byte for byte

CLIENT is the name of a file there, without its extension.
"""

import base64
import datetime
import json
import pathlib
import re
import sys
import unicodedata
import zlib

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Fixtures" / "clients"


def lines_as_json(body):
    """The lines of a body, each with its line break; one that is not UTF-8 as base64."""
    lines = []
    for line in re.findall(rb"[^\n]*\n|[^\n]+$", body):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            lines.append({"base64": base64.b64encode(line).decode()})
    return lines


def body(recording):
    """The body of a recording."""
    lines = recording["body"]
    return b"".join(base64.b64decode(line["base64"]) if isinstance(line, dict) else line.encode() for line in lines)


def part_as_json(part):
    """A part with the fields of the conformance cases, except the headers, which depend on the client."""
    result = {"name": part.name, "filename": part.filename, "contentType": part.type}
    try:
        text = part.content.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        result["bodyBase64"] = base64.b64encode(part.content).decode()
    else:
        result["body"] = text
    return result


def recording_as_json(request, parts, strict):
    """A request, its parts, and the code of strict mode's error, or None."""
    result = {
        "contentType": request.content_type,
        "length": len(request.body),
        "crc32": f"{zlib.crc32(request.body):08x}",
        "body": lines_as_json(request.body),
        "parts": [part_as_json(part) for part in parts],
    }
    if strict:
        result["strictError"] = strict
    return result


def as_json(value):
    """Readable JSON: text as it is, invisible characters as escapes."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    hidden = {ord(letter) for letter in text if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf")}
    return text.translate({code: f"\\u{code:04x}" for code in hidden}) + "\n"


def path(client, version):
    return FOLDER / f"{client}-{version}.json"


def read(client):
    """The file of a client, of whatever version."""
    (file,) = (file for file in FOLDER.glob(f"{client}-*.json") if is_of(client, file))
    return json.loads(file.read_text("utf-8"))


def is_of(client, file):
    return re.fullmatch(re.escape(client) + r"-\d.*", file.stem)


def write(client, version, recorded, cannot):
    """Replaces a client's file; `recorded` has request, parts and strict code by key, `cannot` the reasons."""
    for old in FOLDER.glob(f"{client.name}-*.json"):
        if is_of(client.name, old):
            old.unlink()
    content = {
        "client": f"{client.name} {version}",
        "recorded": datetime.date.today().isoformat(),
        "howItWritesForms": list(dict.fromkeys(rules.description for rules in client.rules.values())),
        "cannotSend": cannot,
        "forms": {key: recording_as_json(*recording) for key, recording in recorded.items()},
    }
    path(client.name, version).write_text(as_json(content), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    file = FOLDER / f"{sys.argv[1]}.json"
    sys.stdout.buffer.write(body(json.loads(file.read_text("utf-8"))["forms"][sys.argv[2]]))
