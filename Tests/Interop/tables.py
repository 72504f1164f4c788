"""Markdown tables, and their places in the readme."""

import pathlib
import re

README = pathlib.Path(__file__).resolve().parent / "README.md"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def replace(name, text):
    """Puts a text between the readme's marks for it."""
    old = README.read_text("utf-8")
    marks = f"<!-- {name} -->", f"<!-- end of {name} -->"
    new = re.sub(re.escape(marks[0]) + ".*?" + re.escape(marks[1]), lambda _: f"{marks[0]}\n{text}\n{marks[1]}", old,
                 flags=re.DOTALL)
    if marks[0] not in old:
        raise SystemExit(f"{README} has no mark {marks[0]}")
    README.write_text(new, "utf-8")
