"""Writes a client's requests and their expected parts to the repository's fixtures."""

import base64
import datetime
import json
import pathlib
import re
import shutil
import unicodedata

import forms

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Fixtures" / "clients"


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


def as_json(value):
    """Readable JSON: text as it is, invisible characters as escapes."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    hidden = {ord(letter) for letter in text if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf")}
    return text.translate({code: f"\\u{code:04x}" for code in hidden}) + "\n"


def write(client, version, recorded, cannot):
    """Replaces a client's folder; `recorded` has request, parts and strict code by key, `cannot` the reasons."""
    for old in FOLDER.glob(f"{client.name}-*"):
        if re.fullmatch(re.escape(client.name) + r"-\d.*", old.name):
            shutil.rmtree(old)
    folder = FOLDER / f"{client.name}-{version}"
    folder.mkdir(parents=True)
    for key, (request, parts, strict) in recorded.items():
        (folder / f"{key}.body").write_bytes(request.body)
        case = {
            "source": f"{client.name} {version}",
            "why": f"the form {key}",
            "contentType": request.content_type,
            "lenient": {"parts": [part_as_json(part) for part in parts]},
            "strict": {"error": strict} if strict else "same",
        }
        (folder / f"{key}.json").write_text(as_json(case), "utf-8")
    (folder / "README.md").write_text(readme(client, version, recorded, cannot), "utf-8")


def readme(client, version, recorded, cannot):
    today = datetime.date.today().isoformat()
    lines = [f"# {client.name} {version}", ""]
    lines += [f"{len(recorded)} bodies, recorded {today} by `Tests/Interop/Capture`.", ""]
    lines += ["How it writes a form:", ""]
    lines += [f"- {text}" for text in dict.fromkeys(rules.description for rules in client.rules.values())]
    refused = {key: strict for key, (_, _, strict) in recorded.items() if strict}
    if refused:
        lines += ["", "What strict mode refuses:", ""]
        lines += [f"- {named}: `{code}`" for code, named in grouped(refused)]
    if cannot:
        lines += ["", "What it cannot send:", ""]
        lines += [f"- {named}: it {reason}." for reason, named in grouped(cannot)]
    return "\n".join(lines) + "\n"


def grouped(texts):
    """The distinct values of a dictionary, each with its keys."""
    for text in dict.fromkeys(texts.values()):
        yield text, ", ".join(f"`{key}`" for key, other in texts.items() if other == text)


def keys(client):
    """The keys under which a client posts, each with its rules and its form."""
    return {
        f"{prefix}{id}": (rules, parts) for prefix, rules in client.rules.items() for id, parts in forms.FORMS.items()
    }
