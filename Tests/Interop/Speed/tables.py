"""The results of `run.py`, and those measured outside this repository, as Markdown.

A library's time is its fastest round: a machine that others use slows programs down at times, and never speeds one up.
"""

import re

OURS = "ours, Data"
BORROWED = "ours, borrowed"
# The tables of peers measured outside: a caption, and the languages of its peers.
GROUPS = {
    "Parsers in C and C++": ("C", "C++"),
    "Parsers in Rust and JavaScript": ("Rust", "Node"),
    "Parsers in Swift, with the smaller inputs": ("Swift",),
}
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def label(peer):
    """A peer's name and version."""
    title, version = peer["title"], peer["version"]
    # A title that tells two versions apart has the first number of the version.
    return f"{title.removesuffix(' ' + version.partition('.')[0])} {version}"


def figure(result, times):
    """A cell: nanoseconds per part for forms of many parts, else MiB per second."""
    time = min(times)
    if result["is_made_of_parts"]:
        return f"{time / result['parts']:,.0f} ns"
    return f"{result['bytes'] / 2**20 / (time / 1e9):,.0f} MiB/s"


def lead(mine, theirs):
    """How many times as long they take: the quotient of the two cells."""
    return min(theirs) / min(mine)


def factor_text(factor):
    """A lead, with two digits that count below one."""
    return f"×{factor:.1f}" if factor >= 0.95 else f"×{factor:.2f}"


def table(title, names, rows):
    """A table whose first column is the name of a case."""
    lines = [f"| {title} | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    return "\n".join(lines + [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows])


def parsing(kind, everything, peers, leads):
    """The table of some parsers with one kind of input, or None."""
    rows = []
    for result in everything["parsing"] if peers else []:
        if result["inputs"] != kind:
            continue
        times = result["times"]
        mine = times[OURS]
        problems = result.get("problems", {})
        cells = [figure(result, times[name]) if times[name] else "failed" for name in (OURS, BORROWED)]
        for peer in peers:
            theirs = times.get(peer["title"])
            if not theirs or not mine:
                cells.append(problems.get(peer["title"], "not measured"))
                continue
            factor = lead(mine, theirs)
            leads.append((factor, peer["title"], result["name"]))
            cells.append(f"{figure(result, theirs)} ({factor_text(factor)})")
        rows.append((result["name"], cells))
    return table(f"{kind} inputs", [OURS, BORROWED, *map(label, peers)], rows) if rows else None


def encoding(everything, leads):
    """The table of the encoders, or None."""
    cases = everything["encoding"]
    peers = [peer for peer in everything["peers"] if any(case["times"].get(peer["title"]) for case in cases)]
    rows = []
    for case in cases:
        mine = case["times"][OURS]
        cells = [f"{min(mine) / 1e6:,.1f} ms"]
        for peer in peers:
            theirs = case["times"].get(peer["title"])
            if not theirs:
                cells.append("")
                continue
            factor = lead(mine, theirs)
            leads.append((factor, peer["title"], case["name"]))
            cells.append(f"{min(theirs) / 1e6:,.1f} ms ({factor_text(factor)})")
        rows.append((case["name"], cells))
    return table("encode", ["ours", *map(label, peers)], rows) if rows else None


def programs(outside):
    """The table of a program that parses a form, with each library, or None."""
    built = outside.get("programs", [])
    figures = {
        "clean release build, processor time": lambda program: f"{min(program['build_seconds']):,.1f} s",
        "the program, stripped": lambda program: f"{program['bytes'] / 2**20:,.1f} MiB",
        "with Swift and Foundation linked statically": lambda program: f"{program['static_bytes'] / 2**20:,.1f} MiB",
    }
    rows = [(name, [text(program) for program in built]) for name, text in figures.items()]
    return table("a program that parses a form", [program["title"] for program in built], rows) if built else None


def circumstances(everything):
    """When and on what the results were measured."""
    machine = everything["machine"]
    return (
        f"{everything['date']}, on {machine['cores']} cores of an {machine['processor']}, with Swift "
        f"{machine['swift']}; {fastest(everything)}."
    )


def fastest(everything):
    """Which round counts."""
    rounds = everything["rounds"]
    return f"the fastest of {NUMBERS.get(rounds, rounds)} rounds" if rounds > 1 else "one round"


def registry_blocks(everything, leads):
    """The texts and tables of the peers that `run.py` installs."""
    of_kind = {kind: [peer for peer in everything["peers"] if peer["inputs"] == kind] for kind in ("short", "small")}
    return [
        circumstances(everything),
        parsing("short", everything, of_kind["short"], leads),
        "The Python libraries get smaller inputs, and ours is measured again beside them:",
        parsing("small", everything, of_kind["small"], leads),
        "Encoding 100,000 fields (`encode-fields`, which also builds the form) and 64 MiB (`encode-data` to new "
        "memory, `encode-into` to a buffer that was used before), with random boundaries:",
        encoding(everything, leads),
    ]


def outside_blocks(outside, leads):
    """The texts and tables of the peers that were measured outside this repository."""
    peers = outside["peers"]
    lines = [
        f"- [{label(peer)}]({peer['source']}) ({'JavaScript' if peer['language'] == 'Node' else peer['language']}) "
        f"{peer['leaves_out']}"
        for peer in peers
    ]
    blocks = [circumstances(outside), "\n".join(lines)]
    for caption, languages in GROUPS.items():
        group = [peer for peer in peers if peer["inputs"] and peer["language"] in languages]
        for kind in ("short", "small"):
            of_kind = [peer for peer in group if peer["inputs"] == kind]
            blocks += [f"{caption}:", parsing(kind, outside, of_kind, leads)] if of_kind else []
    blocks += ["Encoders in Swift:", encoding(outside, leads)]
    if built := programs(outside):
        blocks += [
            "A program that reads a form and prints the name and the length of each part: the processor time of a clean "
            "release build with all dependencies, and the size of the program, on Linux:",
            built,
        ]
    return blocks


def markdown(everything, outside):
    """All tables, and the smallest lead."""
    leads = []
    blocks = registry_blocks(everything, leads) + (outside_blocks(outside, leads) if outside else [])
    if leads:
        factor, name, case = min(leads)
        blocks.append(f"The smallest lead is ×{factor:.2f}: {name}, {case}. Leads are those of the `Data` entry.")
    return "\n\n".join(block for block in blocks if block)


def marked(text, name, blocks):
    """A text with other blocks between the marks of a name."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if begin not in text or end not in text:
        raise SystemExit(f"there are no marks for {name}")
    inner = "\n\n".join(block for block in blocks if block)
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    return re.sub(pattern, lambda _: f"{begin}\n\n{inner}\n\n{end}", text, flags=re.DOTALL)


def page(text, everything, outside):
    """This folder's README, with the results in it."""
    text = marked(text, "results", registry_blocks(everything, []))
    return marked(text, "outside", outside_blocks(outside, []) if outside else [])
