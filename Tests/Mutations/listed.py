"""The mutations of the lists, one list for each layer. README.md explains the format."""

import re

from mutation import HERE, LAYERS, ROOT, Fault, Mutation, blocks

KEYS = ("file", "find", "replace", "form", "why", "equivalent")
FORMS = {
    "expression": "(MUTATED ? (REPLACED) : (ORIGINAL))",
    "statement": "if MUTATED { REPLACED } else { ORIGINAL }",
    "before": "if MUTATED { REPLACED }\nORIGINAL",
    "text": "REPLACED",
}


def mutations():
    """All mutations. Raises a fault that lists all patterns that do not fit."""
    found, faults = [], []
    for layer in LAYERS:
        for index, block in enumerate(blocks(HERE / f"{layer.name}.txt", KEYS), 1):
            try:
                found.append(mutation(layer, layer.base + index, **block))
            except Fault as fault:
                faults.append(f"{block['place']}: {fault}")
    ordered = sorted(found, key=lambda mutation: (mutation.path, mutation.start))
    for one, other in zip(ordered, ordered[1:]):
        if one.path == other.path and one.end > other.start:
            faults.append(f"{one.number} {one.title}: overlaps {other.number}")
    if faults:
        raise Fault("\n".join(faults))
    return found


def mutation(layer, number, place, file=None, find=None, replace=None, why=None, form="expression", equivalent=None):
    if None in (file, find, replace, why) or form not in FORMS:
        raise Fault(f"file, find, replace or why is missing, or the form is none of {', '.join(FORMS)}")
    path = f"{layer.folder}/{file}"
    if not (ROOT / path).exists():
        raise Fault(f"there is no {path}")
    start, end = position(find, (ROOT / path).read_text("utf-8"), path)
    code = FORMS[form].replace("REPLACED", replace)
    return Mutation(number, layer, path, start, end, code, f"{layer.name}/{file}: {why}", equivalent)


def position(pattern, text, path):
    """The range of the one place of a pattern: of what is between « and » if they stand in it."""
    before, marked, after = "", pattern, ""
    if "«" in pattern:
        parts = re.fullmatch("([^«»]*)«([^«»]+)»([^«»]*)", pattern)
        if not parts:
            raise Fault("« and » mark one part of the pattern")
        before, marked, after = parts.groups()
    matches = list(re.finditer(f"{expression(before)}({expression(marked)}){expression(after)}", text))
    if len(matches) != 1:
        raise Fault(f"the pattern occurs {len(matches)} times in {path}")
    return matches[0].span(1)


def expression(pattern):
    """A regular expression for text in which each run of white space stands for any other."""
    return "".join(r"\s+" if piece.isspace() else re.escape(piece) for piece in re.split(r"(\s+)", pattern) if piece)
