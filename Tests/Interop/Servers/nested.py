#!/usr/bin/env python3
"""Posts a value that FormDataEncoder wrote in each array style to parsers, and checks what they read of each member.

    nested.py [--install] [--only PARSER]... [--tables] NESTED_FORMS

NESTED_FORMS is the built program of Sources/nested-forms. --install installs missing Debian packages, --tables replaces
the tables of Details.md. Parsers that cannot be installed are skipped, with the reason printed. The exit code is 1 if a
parser reads a member in another way than EXPECTED says.
"""

import argparse
import base64
import dataclasses
import http.client
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Capture")]

import accepted
import capture
import tables
from servers import Server

PROGRAMS = HERE / "readers"
PARSERS = [
    Server(
        name="rack",
        command=["ruby", str(PROGRAMS / "rack.rb"), "{port}"],
        program="ruby",
        packages=("ruby-rack", "ruby-webrick"),
    ),
    Server(name="php", command=["php", "-S", "127.0.0.1:{port}", str(PROGRAMS / "post.php")], program="php"),
    Server(
        name="qs",
        command=["env", "NODE_PATH=/usr/share/nodejs", "node", str(PROGRAMS / "qs.mjs"), "{port}"],
        program="node",
        packages=("node-busboy", "node-qs"),
    ),
]

# Rack has no arrays with indices: it reads hashes whose keys are the indices.
STRUCTS_BY_INDEX = {"0": {"id": "1", "size": "S"}, "1": {"id": "2", "size": "L"}}
# qs takes indices up to 20 for those of an array, and closes the gaps.
NUMBERS_IN_ORDER = ["third", "seventh"]

# What a parser reads of a member otherwise than it was encoded, by style and member.
EXPECTED = {
    ("brackets", "structs"): {"rack": STRUCTS_BY_INDEX},
    ("brackets", "arrays"): {"rack": {"0": ["a", "b"], "1": ["c"]}},
    ("brackets", "numbers"): {"qs": NUMBERS_IN_ORDER},
    ("noBrackets", "texts"): {"rack": "blue", "php": "blue"},
    ("noBrackets", "oneText"): {"rack": "red", "php": "red", "qs": "red"},
    ("noBrackets", "structs"): {"rack": STRUCTS_BY_INDEX},
    ("noBrackets", "arrays"): {"rack": {"0": "b", "1": "c"}, "php": ["b", "c"], "qs": [["a", "b"], "c"]},
    ("noBrackets", "numbers"): {"qs": NUMBERS_IN_ORDER},
    ("indexInBrackets", "texts"): {"rack": {"0": "red", "1": "blue"}},
    ("indexInBrackets", "oneText"): {"rack": {"0": "red"}},
    ("indexInBrackets", "structs"): {"rack": STRUCTS_BY_INDEX},
    ("indexInBrackets", "arrays"): {"rack": {"0": {"0": "a", "1": "b"}, "1": {"0": "c"}}},
    ("indexInBrackets", "numbers"): {"qs": NUMBERS_IN_ORDER},
    # Each name has one [] for each array.
    ("custom", "structs"): {
        "php": [{"id": "1"}, {"size": "S"}, {"id": "2"}, {"size": "L"}],
        "qs": [{"id": ["1", "2"], "size": ["S", "L"]}],
    },
    ("custom", "arrays"): {"rack": [["a"], ["b"], ["c"]], "php": [["a"], ["b"], ["c"]], "qs": ["a", "b", "c"]},
    ("custom", "numbers"): {"qs": NUMBERS_IN_ORDER},
}


def texts(value):
    """A value with its numbers as the texts that they are in a form."""
    if isinstance(value, dict):
        return {key: texts(member) for key, member in value.items()}
    if isinstance(value, list):
        return [texts(element) for element in value]
    return str(value)


def read(port, form):
    """Posts a form; returns the parser's version and the value it reads."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=accepted.TIMEOUT)
    try:
        fields = {"Content-Type": form["contentType"], "Connection": "close"}
        connection.request("POST", "/", base64.b64decode(form["body"]), fields)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise capture.Failure(f"refused {form['style']}: {response.status} {body[:300]}")
        answer = json.loads(body)
        return answer["version"], answer["value"]
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise capture.Failure(f"refused {form['style']}: {error!r}") from error
    finally:
        connection.close()


def readings(port, forms):
    """The version of a parser, and the value it reads of each form, by style."""
    answers = {form["style"]: read(port, form) for form in forms}
    (version,) = {version for version, _ in answers.values()}
    return version, {style: value for style, (_, value) in answers.items()}


@dataclasses.dataclass(frozen=True)
class Column:
    """What a parser read: a value by style."""

    parser: str
    version: str
    found: dict

    def reading(self, style, member):
        return self.found[style].get(member)

    def unexpected(self, value):
        """The members that it reads otherwise than expected."""
        for style in self.found:
            for member in value:
                wanted = EXPECTED.get((style, member), {}).get(self.parser, value[member])
                if self.reading(style, member) != wanted:
                    yield f"{style} {member}: {shown(self.reading(style, member))}, expected {shown(wanted)}"

    def count(self, style, value):
        equal = sum(self.reading(style, member) == value[member] for member in value)
        return f"{equal} of {len(value)}"

    def cell(self, style, member, value):
        found = self.reading(style, member)
        return "equal" if found == value[member] else f"`{shown(found)}`"


def shown(value):
    return json.dumps(value, separators=(",", ":"))


def names_of(form, member):
    """The names of a member's parts, each once."""
    names = [name for name in form["names"] if name.partition("[")[0] == member]
    return " ".join(f"`{name}`" for name in dict.fromkeys(names))


def markdown(columns, forms, value):
    """The number of equal members by style, and the members that a parser reads otherwise."""
    titles = [column.version for column in columns]
    styles = [form["style"] for form in forms]
    counts = [[style, *(column.count(style, value) for column in columns)] for style in styles]
    rows = [
        [form["style"], names_of(form, member), *(column.cell(form["style"], member, value) for column in columns)]
        for form in forms
        for member in value
        if any(column.reading(form["style"], member) != value[member] for column in columns)
    ]
    summary = tables.markdown(["style", *titles], counts)
    return f"{summary}\n\n{tables.markdown(['style', 'names', *titles], rows)}"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("nested_forms", metavar="NESTED_FORMS", help="the built program of Sources/nested-forms")
    options.add_argument("--install", action="store_true", help="install missing Debian packages")
    options.add_argument("--only", action="append", metavar="NAME", help="only this one; may be repeated")
    options.add_argument("--tables", action="store_true", help="replace the tables of Details.md")
    arguments = options.parse_args()
    output = subprocess.run([arguments.nested_forms], capture_output=True, check=True, timeout=accepted.TIMEOUT).stdout
    encoded = json.loads(output)
    forms = encoded["forms"]
    # In the order of the parts, which JSON does not keep.
    members = dict.fromkeys(name.partition("[")[0] for name in forms[0]["names"])
    value = {member: texts(encoded["value"][member]) for member in members}
    attempts, columns = accepted.Attempts(arguments.install), []
    for parser in PARSERS:
        if arguments.only and parser.name not in arguments.only:
            continue
        answer = attempts.run(parser, lambda port: readings(port, forms))
        if answer is None:
            continue
        column = Column(parser.name, *answer)
        for line in column.unexpected(value):
            attempts.fail(f"{column.version}: {line}")
        columns.append(column)
    table = markdown(columns, forms, value)
    print(table)
    if arguments.tables:
        tables.replace("nested names", f"{tables.today()}:\n\n{table}")
    return 1 if attempts.has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
