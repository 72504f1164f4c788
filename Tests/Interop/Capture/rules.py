"""The parts that must be read from the forms each client sends.

The rules come from the clients' documentation and sources and from HTML, not from a parser. Names are given as they
are read: ambiguous escapes (%22) stay, and a backslash before a quote or a backslash is removed.
"""

import dataclasses
import re
import urllib.parse
from collections.abc import Callable

from forms import OCTETS, Part


class Cannot(Exception):
    """The reason a client cannot send a form."""


def with_crlf(text):
    """The text with its line breaks as HTML sends them."""
    return re.sub("\r\n|\r|\n", "\r\n", text)


def escaped(text):
    """HTML's escapes (4.10.22.8), which the parser leaves."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


def backslashed(text):
    """Backslashes before quotes and backslashes, which the parser removes; line breaks would end the header."""
    if "\r" in text or "\n" in text:
        raise Cannot("writes line breaks in names as they are, which breaks the header")
    return text


def percent_encoded(text):
    """Everything but letters, digits and -._~ percent-encoded, which the parser leaves."""
    return urllib.parse.quote(text, safe="")


def printable(text):
    """Backslashes before quotes and backslashes, which the parser removes, and before spaces, which it keeps."""
    if not (text.isascii() and text.isprintable()):
        raise Cannot("writes `name*` for a name that is not printable ASCII, and then fails without `name`")
    return text.replace(" ", "\\ ")


@dataclasses.dataclass(frozen=True)
class Rules:
    """How a client writes names, values and types."""

    name: Callable[[str], str]
    filename: Callable[[str], str]
    # For the readme of the client's folder.
    description: str
    value: Callable[[bytes], bytes] = lambda content: content
    field_type: str | None = None
    file_type: Callable[[str], str] = lambda type: type
    leaves_out_empty_filename: bool = False
    # A header field without a value, which strict mode refuses.
    adds_field_to_empty_file: bool = False

    def part(self, part):
        """The part as it must be read."""
        if part.filename is None:
            return Part(self.name(part.name), self.value(part.content), None, self.field_type)
        if part.filename == "" and self.leaves_out_empty_filename:
            raise Cannot("omits an empty file name")
        return Part(self.name(part.name), part.content, self.filename(part.filename), self.file_type(part.type))

    def strict_error(self, parts):
        """Strict mode's error code for the form, or None; `parts` are those that must be read."""
        # A quote that is read as such was sent with a backslash: HTML's escape would have stayed.
        has_backslash = any(c in text for part in parts for text in (part.name, part.filename or "") for c in '\\"')
        has_semicolon = any(";" in part.name for part in parts)
        has_field = self.adds_field_to_empty_file and any(part.filename and not part.content for part in parts)
        return "ambiguous-header" if has_backslash or has_semicolon or has_field else None


HTML = Rules(
    name=lambda text: escaped(with_crlf(text)),
    filename=escaped,
    value=lambda content: with_crlf(content.decode()).encode(),
    description="CR, LF and `\"` in names are `%0D`, `%0A` and `%22`; a backslash stays as it is. Line breaks in "
    "values and field names become CRLF, those in file names stay.",
)
PERCENT = Rules(
    name=escaped,
    filename=escaped,
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
    leaves_out_empty_filename=True,
    description="CR, LF and `\"` in names are `%0D`, `%0A` and `%22`; a backslash is doubled. Values are exact.",
)
AIOHTTP = Rules(
    name=printable,
    filename=percent_encoded,
    field_type="text/plain; charset=utf-8",
    description="By default file names are percent-encoded, and a quote, backslash or space in a field name has a "
    "backslash before it. Parsers keep the one before a space.",
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
LWP = dataclasses.replace(BACKSLASH, leaves_out_empty_filename=True, adds_field_to_empty_file=True)
APACHE = dataclasses.replace(
    BACKSLASH,
    field_type="text/plain; charset=UTF-8",
    description="`HttpMultipartMode.RFC6532`: a quote or backslash in a name has a backslash before it.",
)
