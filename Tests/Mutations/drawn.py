"""Draws mutations from the sources, by a seed.

A change is within one line: another operator, the next number, the other boolean, a condition turned, a line removed. A
changed function is compiled beside the original, and `isMutated` chooses between them, so that a change needs no
grammar of Swift. A change that does not compile is named in the compiler's error, and left out.

The sources are formatted (the gate checks that), so their indentation shows where a function begins and ends.
"""

import platform
import random
import re
from pathlib import Path

from mutation import HERE, ROOT, Mutation, blocks

OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||",
    "||": "&&", "+": "-", "-": "+", "*": "+", "/": "*", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=", "-=": "+=",
    "..<": "...", "...": "..<", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
}  # fmt: skip
OPERATOR = re.compile(r"(?<= )[-<>=!&|+*/]+(?= )|(?<=[\w)\]])(?:\.\.<|\.\.\.)(?=[\w(])")
# Not `$0`, the member `.0` of a tuple, or a floating-point number.
NUMBER = re.compile(r"(?<![\w$])(?<![\w)\]]\.)(0x[0-9A-Fa-f_]+|0b[01_]+|[0-9][0-9_]*)(?!\w|\.[0-9])")
# With `keepingCapacity`, memory is only allocated again.
BOOLEAN = re.compile(r"(?<!keepingCapacity: )\b(true|false)\b")
CONDITION = re.compile(r"^ *(?:\} else )?(?:if|guard|while) (.+?)(?:,| else \{.*| \{.*)?$")
BINDING = re.compile(r"(let|var|case|try|await|#available)\b")
# A whole statement: a call, an assignment, or a jump.
STATEMENT = re.compile(
    r"""^\ *(
        (?!(?:let|var|case|default|if|guard|while|for|switch|do|func|return\ .*)\b) [\w$].*[)}]
        | \S+\ [-+|&^*]?=\ .*
        | return | break | continue | throw\ .*
    )$""",
    re.VERBOSE,
)

# The line before a function's body. A declaration may end in a line such as `) throws {`, with the same indentation.
FUNCTION = re.compile(
    r"""^\ *([\w@]+(\([\w()\ ]*\))?\ )*
    (func\ | (init|subscript|deinit|get|set|didSet|_modify|_read)\b | (var|let)\ \w+:\ [^=]+\{$)""",
    re.VERBOSE,
)
REST_OF_DECLARATION = re.compile(r"^ *(\)|where\b|\{$)")
ACCESSOR = re.compile(r"^ *(\w+ )?(get|set|didSet|_modify|_read) ")
ONE_LINE_FUNCTION = re.compile(r"^ *([\w@]+ )*(func|init|var|subscript|get|set)\b[^=\"]*? \{ (?P<body>.+) \}$")
# A line outside of functions whose numbers must be constants.
DECLARATION = re.compile(r"^ *(case|@|typealias|import)\b")

# Lines that only choose how much memory is allocated at once, or versions of other systems.
UNNOTICED = re.compile(r"#available|ScratchBuffer\(count:|reserveCapacity\(")

# The hooks of the tests are compiled, but no user has them.
NOT_COMPILED = ("TestHooks", "!canImport(Darwin)" if platform.system() == "Darwin" else "canImport(Darwin)")

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LINE_COMMENT = re.compile(r"(?<!\S)//.*")
TEXT = re.compile(r'#*"""(.*?)"""#*|"(?:[^"\\\n]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*"', re.DOTALL)


class Source:
    """A file, read line by line."""

    def __init__(self, text):
        self.text = text
        # Comments and texts are blanks, so that nothing in them is changed.
        for pattern in (TEXT, COMMENT, LINE_COMMENT):
            text = pattern.sub(lambda match: re.sub(r"[^\n\"]", " ", match.group()), text)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def changes(self):
        """Ranges, what comes instead, and the range of the function's body around it, or None."""
        bodies = self.bodies()
        for index, is_compiled in enumerate(self.compiled()):
            if not is_compiled or UNNOTICED.search(self.lines[index]):
                continue
            line, start = self.lines[index], self.starts[index]
            end = start + len(line)
            body = next((body for body in bodies if body[0] <= end and start < body[1]), None)
            for first, last, code in changes_of(line, self.text[start:end]) if body else changes_of_value(line):
                if not body or (body[0] <= start + first and start + last <= body[1]):
                    yield start + first, start + last, code, body

    def compiled(self):
        """For each line, whether this system's compiler reads it; false for the conditions themselves."""
        taken = []
        for line in self.lines:
            word, _, condition = line.strip().partition(" ")
            if word == "#if":
                taken.append(condition not in NOT_COMPILED)
            elif word in ("#else", "#elseif"):
                taken[-1] = not taken[-1]
            elif word == "#endif":
                taken.pop()
            yield all(taken) and not word.startswith("#")

    def bodies(self):
        """The ranges of the functions' bodies. None is within another."""
        found, end = [], 0
        for index, line in enumerate(self.lines):
            if index < end:
                continue
            one_line = ONE_LINE_FUNCTION.match(line)
            if one_line:
                start, end_of_body = one_line.span("body")
                found.append((self.starts[index] + start, self.starts[index] + end_of_body))
            elif line.endswith("{") and FUNCTION.match(self.head(index)) and not ACCESSOR.match(self.lines[index + 1]):
                end = self.end(index)
                found.append((self.starts[index + 1], self.starts[end]))
        return found

    def head(self, index):
        """The first line of the declaration that ends in a line."""
        while REST_OF_DECLARATION.match(self.lines[index]):
            indentation = indentation_of(self.lines[index])
            index -= 1
            while indentation_of(self.lines[index]) > indentation or not self.lines[index].strip():
                index -= 1
        return self.lines[index].rstrip("{ ") + " {"

    def end(self, index):
        """The line of the brace that closes the one at the end of a line."""
        closing = " " * indentation_of(self.lines[index]) + "}"
        return next(other for other in range(index + 1, len(self.lines)) if self.lines[other].startswith(closing))


def indentation_of(line):
    return len(line) - len(line.lstrip(" "))


def changes_of(line, written):
    """The changes of a line of code, which has blanks for texts, and of which the whole is `written`."""
    for match in OPERATOR.finditer(line):
        if match.group() in OPERATORS:
            yield *match.span(), OPERATORS[match.group()]
    for match in NUMBER.finditer(line):
        yield *match.span(), next_number(match.group())
    for match in BOOLEAN.finditer(line):
        yield *match.span(), other(match.group())
    for start, end in clauses(line):
        yield start, end, f"!({written[start:end]})"
    statement = STATEMENT.match(line)
    if statement and is_balanced(line) and not re.match(r" *\w+: ", line):
        yield *statement.span(1), ""


def changes_of_value(line):
    """The changes of an initial value, a default or a table's entry, which no function is around."""
    if DECLARATION.match(line):
        return
    for pattern, changed in ((NUMBER, next_number), (BOOLEAN, other)):
        for match in pattern.finditer(line):
            yield *match.span(), changed(match.group())


def next_number(text):
    value = int(text.replace("_", ""), 0) + 1
    return hex(value) if text.startswith("0x") else bin(value) if text.startswith("0b") else str(value)


def other(boolean):
    return "false" if boolean == "true" else "true"


def clauses(line):
    """The ranges of the clauses of a condition that bind nothing."""
    condition = CONDITION.match(line)
    if not condition:
        return
    first = start = condition.start(1)
    for piece in condition[1].split(", "):
        if is_balanced(line[first:start]) and is_balanced(piece) and not BINDING.match(piece):
            yield start, start + len(piece)
        start += len(piece) + 2


def is_balanced(text):
    """Whether each bracket of a text is closed in it."""
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}"))


def draw(layer, count, seed):
    """Mutations of a layer's sources, in the order in which they were drawn."""
    found = []
    for file in sorted((ROOT / layer.folder).rglob("*.swift")):
        text = file.read_text("utf-8")
        found += [(str(file.relative_to(ROOT)), text, change) for change in Source(text).changes()]
    random.Random(f"{seed} {layer.name}").shuffle(found)
    reasons = equivalents()
    return [mutation(layer, index, *drawn, reasons) for index, drawn in enumerate(found[:count], 1)]


def mutation(layer, index, path, text, change, reasons):
    start, end, changed, body = change
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    shown, line = path.removeprefix("Sources/").removeprefix("MultipartFormCodec/"), text.count("\n", 0, first) + 1
    before, after = text[first:last].strip(), (text[first:start] + changed + text[end:last]).strip()
    return Mutation(
        layer.base + index,
        layer,
        path,
        start,
        end,
        code=changed if body else f"(MUTATED ? {changed} : ORIGINAL)",
        title=f"{shown}:{line}: {before} → {after or 'removed'}",
        equivalent=reasons.get((Path(path).name, before, after)),
        body=body,
    )


def equivalents():
    """The reasons of Equivalent.txt, by file, line and changed line."""
    keys = ("file", "line", "becomes", "why")
    return {tuple(block[key] for key in keys[:3]): block["why"] for block in blocks(HERE / "Equivalent.txt", keys)}
