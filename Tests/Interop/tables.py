"""Markdown tables, and their marks in Details.md."""

import datetime
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parent / "Details.md"


def markdown(head, rows):
    """A table; a `|` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def today():
    return datetime.date.today().isoformat()


def replace(name, text):
    """Puts a text between the marks of Details.md for it."""
    old = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if begin not in old or end not in old:
        raise SystemExit(f"{PAGE} has no marks for {name}")
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    PAGE.write_text(re.sub(pattern, lambda _: f"{begin}\n\n{text}\n\n{end}", old, flags=re.DOTALL), "utf-8")
