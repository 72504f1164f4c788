"""What a mutation is, and how mutations are written into the sources."""

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Fault(Exception):
    """A mutation that cannot be applied, or tests that cannot be run."""


@dataclass(frozen=True)
class Layer:
    """A folder of sources, and the layers that use it. The numbers of its mutations begin after `base`."""

    name: str
    base: int
    folder: str
    users: tuple = ()

    @property
    def target(self):
        """The target that tests the layer."""
        return "FormDataToolTests" if self.name == "formdata" else f"{self.name}Tests"


def layers():
    names = ["Bytes", "Syntax", "System", "Form", "Encoding", "Parsing", "Coding"]
    for index, name in enumerate(names):
        users = [user for user in names[index + 1 :] if (name, user) != ("Encoding", "Parsing")]
        yield Layer(name, 1000 * (index + 1), f"Sources/MultipartFormCodec/{name}", (*users, "formdata"))
    yield Layer("formdata", 8000, "Sources/formdata")


LAYERS = list(layers())


@dataclass(eq=False)
class Mutation:
    """A range of a source file, and the Swift code instead.

    With a `body`, which is the range of a function's body around it, that body is compiled twice, with and without the
    change. Otherwise the code stands for itself: in it, MUTATED is the condition, and ORIGINAL what it replaces.
    """

    number: int
    layer: Layer
    path: str
    start: int
    end: int
    code: str
    title: str
    equivalent: str = None
    body: tuple = None

    @property
    def condition(self):
        return f"isMutated({self.number})"


def mutated(text, mutations):
    """The text of a file with its mutations, none of which overlap."""
    edits, bodies = [], {}
    for mutation in mutations:
        if mutation.body:
            bodies.setdefault(mutation.body, []).append(mutation)
        else:
            original = text[mutation.start : mutation.end]
            code = mutation.code.replace("MUTATED", mutation.condition).replace("ORIGINAL", original)
            edits.append((mutation.start, mutation.end, code))
    for (start, end), group in bodies.items():
        edits.append((start, end, alternatives(text, start, end, group)))
    for start, end, code in sorted(edits, reverse=True):
        text = text[:start] + code + text[end:]
    return text


def alternatives(text, start, end, mutations):
    """A function's body with each mutation, and as it is.

    The compiler's errors have the numbers of the mutations for a path. For an error at the function's last brace, these
    are all of the function.
    """
    code = "\n"
    for mutation in mutations:
        changed = text[start : mutation.start] + mutation.code + text[mutation.end : end]
        code += f"if {mutation.condition} {{\n{labelled(changed, [mutation])}\n}} else "
    return code + f"{{\n{labelled(text[start:end], mutations)}\n}}\n"


def labelled(code, mutations):
    numbers = "".join(f"-{mutation.number}" for mutation in mutations)
    return f'#sourceLocation(file: "mutation{numbers}", line: 1)\n{code}'


def blocks(path, keys):
    """The blocks of `key: value` lines of a file, divided by blank lines, each with its place."""
    found, block = [], {}
    for count, line in enumerate(path.read_text("utf-8").splitlines() + [""], 1):
        place = f"{path.name}:{count}"
        if line.startswith("#"):
            continue
        if not line.strip():
            if block:
                found.append(block)
            block = {}
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in keys or key in block:
            raise Fault(f"{place}: not one of {', '.join(keys)}, or twice")
        block.setdefault("place", place)
        block[key] = value.strip()
    return found
