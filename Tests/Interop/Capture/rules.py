"""What a reader must make of the forms each client sends.

The rules come from the clients' documentation and sources and from HTML; no parser takes part. Names are given as
they arrive: escapes that are undone only by guessing (%22) stay, and a backslash before a quote or a backslash goes.
"""

import dataclasses
import re
import urllib.parse
from collections.abc import Callable

from forms import OCTETS, Part


class Cannot(Exception):
    """A client cannot send a form, and why."""


def with_crlf(text):
    """The text with its line breaks as HTML sends them."""
    return re.sub("\r\n|\r|\n", "\r\n", text)


def escaped(text):
    """HTML's escapes (4.10.22.8), which no reader undoes."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


def backslashed(text):
    """A backslash before quotes and backslashes, which readers undo; line breaks would end the header."""
    if "\r" in text or "\n" in text:
        raise Cannot("writes line breaks in names as they are, and so breaks the header")
    return text


def percent_encoded(text):
    """Everything but letters, digits and -._~ percent-encoded, which no reader undoes."""
    return urllib.parse.quote(text, safe="")


def printable(text):
    """A backslash before quotes and backslashes, which readers undo, and before spaces, where it is one of the name."""
    if not (text.isascii() and text.isprintable()):
        raise Cannot("makes `name*` of a name that is not printable ASCII, and then fails for want of `name`")
    return text.replace(" ", "\\ ")


@dataclasses.dataclass(frozen=True)
class Rules:
    """How a client writes what it is given."""

    name: Callable[[str], str]
    filename: Callable[[str], str]
    # In words, for the readme of the client's folder.
    description: str
    value: Callable[[bytes], bytes] = lambda content: content
    field_type: str | None = None
    file_type: Callable[[str], str] = lambda type: type
    # Whether a backslash is sent as it is, and one at the end hides the quote behind it from a strict reader.
    raw_backslash: bool = False
    leaves_out_empty_filename: bool = False

    def part(self, part):
        """The part as it arrives."""
        if part.filename is None:
            return Part(self.name(part.name), self.value(part.content), None, self.field_type)
        if part.filename == "" and self.leaves_out_empty_filename:
            raise Cannot("leaves an empty file name out")
        return Part(self.name(part.name), part.content, self.filename(part.filename), self.file_type(part.type))

    def strict_error(self, parts):
        """The code that strict mode refuses the form with, or None. The parts are as they arrive."""
        for part in parts:
            if self.raw_backslash and any(text.endswith("\\") for text in (part.name, part.filename or "")):
                return "malformed-content-disposition"
        return None


HTML = Rules(
    name=lambda text: escaped(with_crlf(text)),
    filename=escaped,
    value=lambda content: with_crlf(content.decode()).encode(),
    raw_backslash=True,
    description="CR, LF and `\"` in names are `%0D`, `%0A` and `%22`; a backslash stays as it is. Line breaks in "
    "values and field names are CRLF, those in file names stay.",
)
PERCENT = Rules(
    name=escaped,
    filename=escaped,
    raw_backslash=True,
    description="CR, LF and `\"` in names are `%0D`, `%0A` and `%22`; a backslash stays as it is. Values are exact.",
)
UNDICI = dataclasses.replace(HTML, leaves_out_empty_filename=True)
BACKSLASH = Rules(
    name=backslashed,
    filename=backslashed,
    description="A quote or backslash in a name has a backslash before it. Values are exact.",
)
HTTPX = dataclasses.replace(
    PERCENT,
    raw_backslash=False,
    leaves_out_empty_filename=True,
    description="CR, LF and `\"` in names are `%0D`, `%0A` and `%22`; a backslash is doubled. Values are exact.",
)
AIOHTTP = Rules(
    name=printable,
    filename=percent_encoded,
    field_type="text/plain; charset=utf-8",
    description="By default file names are percent-encoded, and a quote, backslash or space in a field name has a "
    "backslash before it. Before a space it stays: names may have a backslash there.",
)
AIOHTTP_RAW = dataclasses.replace(
    BACKSLASH,
    field_type="text/plain; charset=utf-8",
    description="`raw-`: with `quote_fields=False`, a quote or backslash in a name has a backslash before it.",
)
GO = dataclasses.replace(
    BACKSLASH,
    file_type=lambda type: OCTETS,
    description="A quote or backslash in a name has a backslash before it. `CreateFormFile` types every file "
    f"`{OCTETS}`.",
)
LWP = dataclasses.replace(BACKSLASH, leaves_out_empty_filename=True)
APACHE = dataclasses.replace(
    BACKSLASH,
    field_type="text/plain; charset=UTF-8",
    description="`HttpMultipartMode.RFC6532`: a quote or backslash in a name has a backslash before it.",
)
