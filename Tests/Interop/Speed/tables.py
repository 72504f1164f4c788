"""The results of `run.py` as Markdown.

A library's time is its fastest round: a machine that others use slows programs down at times, and never speeds one up.
"""

OURS = "ours, Data"
BORROWED = "ours, borrowed"


def figure(result, times):
    """A cell: nanoseconds per part for forms of many parts, else MiB per second."""
    time = min(times)
    if result["is_made_of_parts"]:
        return f"{time / result['parts']:,.0f} ns"
    return f"{result['bytes'] / 2**20 / (time / 1e9):,.0f} MiB/s"


def lead(mine, theirs):
    """How many times as long they take: the quotient of the two cells."""
    return min(theirs) / min(mine)


def table(title, names, rows):
    """A table whose first column is the name of a case."""
    lines = [f"| {title} | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    return "\n".join(lines + [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows])


def parsing(kind, everything, leads):
    """The table of the parsers with one kind of input, or None."""
    peers = [peer for peer in everything["peers"] if peer["inputs"] == kind]
    rows = []
    for result in everything["parsing"]:
        if result["inputs"] != kind:
            continue
        times = result["times"]
        mine = times[OURS]
        cells = [figure(result, times[name]) if times[name] else "failed" for name in (OURS, BORROWED)]
        for peer in peers:
            theirs = times[peer["title"]]
            if not theirs or not mine:
                cells.append("not measured")
                continue
            factor = lead(mine, theirs)
            leads.append((factor, peer["title"], result["name"]))
            cells.append(f"{figure(result, theirs)} (×{factor:.1f})")
        rows.append((result["name"], cells))
    names = [f"{peer['title']} {peer['version']}" for peer in peers]
    return table(f"{kind} inputs", [OURS, BORROWED, *names], rows) if rows else None


def encoding(everything, leads):
    """The table of the encoders, or None."""
    cases = everything["encoding"]
    peers = [peer for peer in everything["peers"] if any(peer["title"] in case["times"] for case in cases)]
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
            cells.append(f"{min(theirs) / 1e6:,.1f} ms (×{factor:.1f})")
        rows.append((case["name"], cells))
    names = [f"{peer['title']} {peer['version']}" for peer in peers]
    return table("encode", ["ours", *names], rows) if rows else None


def markdown(everything):
    """All tables, and the smallest lead."""
    leads = []
    blocks = [parsing(kind, everything, leads) for kind in ("short", "small")] + [encoding(everything, leads)]
    if leads:
        factor, name, case = min(leads)
        blocks.append(f"The smallest lead is ×{factor:.2f}: {name}, {case}. Leads are those of the `Data` entry.")
    return "\n\n".join(block for block in blocks if block)
