"""Markdown tables, and their places in the readmes."""

import datetime
import pathlib
import re

INTEROP = pathlib.Path(__file__).resolve().parent / "README.md"
ROOT = INTEROP.parents[2] / "README.md"


def markdown(head, rows):
    """A table; a `|` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def today():
    return datetime.date.today().isoformat()


def replace(path, name, text):
    """Puts a text between a readme's marks for it."""
    old = path.read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if begin not in old or end not in old:
        raise SystemExit(f"{path} has no marks for {name}")
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    path.write_text(re.sub(pattern, lambda _: f"{begin}\n\n{text}\n\n{end}", old, flags=re.DOTALL), "utf-8")
