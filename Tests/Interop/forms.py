"""The forms that every client sends and every server reads."""

import base64
import dataclasses

OCTETS = "application/octet-stream"


@dataclasses.dataclass(frozen=True)
class Part:
    """A field, or a file if it has a file name; an empty file name is a file input without a file."""

    name: str
    content: bytes
    filename: str | None = None
    type: str | None = None


def file(name, filename, content=b"content\n", type=OCTETS):
    return Part(name, content, filename, type)


# Special names, by the end of their forms' ids.
SPECIALS = {
    "space": "a b",
    "quote": 'a"b',
    "backslash": "a\\b",
    "backslash-last": "dir\\",
    "semicolon": "a;b",
    "percent": "a%22b",
    "apostrophe": "it's",
    "cr": "a\rb",
    "lf": "a\nb",
    "crlf": "a\r\nb",
    "non-ascii": "größe 日本語",
    "emoji": "😀🏳️‍🌈",
    "right-to-left": "שלום مرحبا",
    "long": "0123456789" * 30,
}

# Lines that begin like the clients' boundaries; the first is the one that HTTP::Request::Common tries first.
LOOKALIKE = "\r\n".join(
    [
        "--xYzZY",
        "--xYzZY--",
        "--",
        "----",
        "------WebKitFormBoundary",
        "------geckoformboundary",
        "------formdata-undici-0",
        "--------------------------",
        "--------------------------00000000000000000000000",
        "--0123456789abcdef0123456789abcdef",
        "\r--\n--\r\r\n--",
    ]
).encode()

FORMS = {
    "plain": [Part("name", b"Ada")],
    "empty-value": [Part("name", b"")],
    "value-crlf": [Part("lines", b"one\r\ntwo\r\n")],
    "value-lf": [Part("lines", b"one\ntwo\n")],
    "value-cr": [Part("lines", b"one\rtwo\r")],
    "repeated-names": [Part("a", b"1"), Part("b", b"2"), Part("a", b"3")],
    "empty-file": [file("file", "empty.bin", b"")],
    "no-file": [Part("name", b"Ada"), file("file", "", b"")],
    "binary-file": [file("file", "bytes.bin", bytes(range(256)))],
    "lookalike-file": [file("file", "boundary.bin", LOOKALIKE)],
    "several-files": [
        Part("title", b"Two"),
        file("file", "one.txt", b"one\n", "text/plain"),
        file("file", "two.png", b"\x89PNG\r\n\x1a\n", "image/png"),
    ],
}
FORMS |= {f"name-{id}": [Part(text, b"value")] for id, text in SPECIALS.items()}
FORMS |= {f"filename-{id}": [file("file", text)] for id, text in SPECIALS.items()}


def lines():
    """The forms for programs in any language: one line per part, with values separated by tabs.

    The form's id, "field" or "file", then name, file name, type and content, each in Base64.
    """

    def encoded(data):
        return base64.b64encode(data).decode()

    for id, parts in FORMS.items():
        for part in parts:
            kind = "field" if part.filename is None else "file"
            texts = [part.name, part.filename or "", part.type or ""]
            yield "\t".join([id, kind, *(encoded(text.encode()) for text in texts), encoded(part.content)])
