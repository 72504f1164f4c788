"""The results of `run.py` as an SVG: bars on logarithmic scales, readable on light and on dark pages.

The picture has no background, takes its colours from the reader's scheme, and is drawn without measuring text: widths
are estimates with room to spare.
"""

import dataclasses
import math
import re
import textwrap
from xml.sax.saxutils import escape

import tables

WIDTH = 520
ROW = 19
BAR = 13
# The baseline of a row's text.
TEXT = 14
# Between the end of a bar and the right edge, for the figure.
FIGURE_WIDTH = 84
# Of characters: the widest of the usual system fonts need about as much.
LABEL_CHARACTER = 7.2
LANGUAGE_CHARACTER = 6.2
FIGURE_CHARACTER = 8
NOTE_CHARACTERS = 90
# The cases of the parsers that the chart shows; all parsers read the same bytes of them.
PARSING = ("fields", "random")
OURS = "swift-multipart-form"

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #3d444d }
.title { font-size: 15px; font-weight: 600 }
.note, .tick, .language { font-size: 11px; fill: #6a737d }
.tick { text-anchor: middle }
.ours { font-weight: 600; fill: #0969da }
.grid { stroke: #8c959f; stroke-opacity: .35 }
rect { fill: #8c959f }
rect.mine { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #c4ccd5 }
.note, .tick, .language { fill: #929aa3 }
.ours { fill: #58a6ff }
rect { fill: #6e7681 }
rect.mine { fill: #388bfd }
}
"""


@dataclasses.dataclass(frozen=True)
class Bar:
    """A library's speed in a panel."""

    title: str
    language: str
    # More is faster.
    speed: float
    figure: str

    @property
    def is_ours(self):
        return self.title == OURS


@dataclasses.dataclass(frozen=True)
class Panel:
    """Bars of one measure, the fastest first."""

    title: str
    bars: list
    # The text of a speed that is a power of ten.
    tick: callable


def rounded(value):
    """Three digits."""
    digits = max(0, 2 - math.floor(math.log10(value)))
    return f"{value:,.{digits}f}"


def duration(nanoseconds):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        # 999.6 would be written as 1,000.
        if nanoseconds >= size * 0.9995:
            return f"{rounded(nanoseconds / size)} {unit}"
    return f"{rounded(nanoseconds)} ns"


def short_duration(seconds):
    nanoseconds = round(seconds * 1e9)
    for unit, size in (("ms", 10**6), ("µs", 10**3)):
        if nanoseconds >= size:
            return f"{nanoseconds // size} {unit}"
    return f"{nanoseconds} ns"


def bars(everything, times, speed, text):
    """A bar for each library that was measured, the fastest first."""
    languages = {peer["title"]: peer["language"] for peer in everything["peers"]}
    result = []
    for title, values in times.items():
        if not values or title not in (tables.OURS, *languages):
            continue
        time = min(values)
        name, language = (OURS, "Swift") if title == tables.OURS else (title, languages[title])
        # A name that has the language in it needs no second mention.
        language = "" if language.lower() in re.split(r"[^a-z+]+", name.lower()) else language
        result.append(Bar(name, language, speed(time), text(time)))
    return sorted(result, key=lambda bar: -bar.speed)


def panels(everything):
    """What is drawn: parsing small fields and one large file, and encoding small fields."""
    result = []

    def add_times(title, times, count):
        found = bars(everything, times, lambda time: count / time * 1e9, lambda time: duration(time / count))
        result.append(Panel(f"{title}: time per field", found, lambda speed: short_duration(1 / speed)))

    def add_rates(title, times, count):
        def rate(time):
            return count / 2**30 / time * 1e9

        found = bars(everything, times, rate, lambda time: f"{rounded(rate(time))} GiB/s")
        result.append(Panel(title, found, lambda speed: f"{speed:g} GiB/s"))

    for case in PARSING:
        inputs = [entry for entry in everything["parsing"] if entry["name"] == case]
        if not inputs:
            continue
        # The input that most of the libraries read.
        entry = max(inputs, key=lambda entry: sum(values is not None for values in entry["times"].values()))
        if entry["is_made_of_parts"]:
            add_times(f"Parsing a form of {entry['parts']:,} small fields", entry["times"], entry["parts"])
        else:
            add_rates(f"Parsing a file of {entry['bytes'] >> 20} MiB", entry["times"], entry["bytes"])
    for entry in everything["encoding"]:
        if entry["name"] == "encode-fields":
            add_times("Encoding a form of 100,000 small fields", entry["times"], 100_000)
    return [panel for panel in result if len(panel.bars) > 1]


def caption(everything):
    """How the figures came about, in lines."""
    machine = everything["machine"]
    languages = {}
    for peer in everything["peers"]:
        languages.setdefault(peer["language"], []).append(tables.label(peer).removeprefix(peer["language"] + " "))
    versions = "; ".join(f"{language}: {', '.join(names)}" for language, names in languages.items())
    text = [
        "Longer is faster: each line of a grid is ten times as fast as the one before.",
        "Parsers read the same bytes in chunks of at most 64 KiB, or all at once where they need that. Not all do the "
        f"same work. All took turns; {tables.fastest(everything)}.",
        f"{machine['processor']}, {machine['cores']} cores; {everything['date']}. "
        f"Swift {machine['swift']}; {versions}.",
    ]
    return [line for paragraph in text for line in textwrap.wrap(paragraph, NOTE_CHARACTERS, break_on_hyphens=False)]


def label_width(panels):
    """The width of the column of names."""
    shown = [bar for panel in panels for bar in panel.bars]
    return max((len(bar.title) * LABEL_CHARACTER + len(bar.language) * LANGUAGE_CHARACTER for bar in shown), default=0)


def panel_lines(panel, top, left):
    """The elements of a panel, and where it ends."""
    right = WIDTH - FIGURE_WIDTH
    fastest, slowest = panel.bars[0].speed, panel.bars[-1].speed
    # The scale begins at a power of ten, and far enough from the slowest for its bar to be seen.
    start = math.floor(math.log10(slowest) - 0.1)
    scale = (right - left) / (math.log10(fastest) - start)
    first = top + 26
    last = first + ROW * len(panel.bars)
    ends = [left + (math.log10(bar.speed) - start) * scale for bar in panel.bars]
    lines = [f'<text class="title" x="0" y="{top + 14}">{escape(panel.title)}</text>']
    for power in range(start, math.floor(math.log10(fastest)) + 1):
        x = left + (power - start) * scale
        # A line stops where it would cross a figure.
        path = ""
        for index, (bar, end) in enumerate(zip(panel.bars, ends)):
            if not end < x < end + 8 + FIGURE_CHARACTER * len(bar.figure):
                path += f"M{x:.1f} {first + index * ROW}v{ROW}"
        lines.append(f'<path class="grid" d="{path}"/>')
        lines.append(f'<text class="tick" x="{x:.1f}" y="{last + 13}">{escape(panel.tick(10.0**power))}</text>')
    for index, (bar, end) in enumerate(zip(panel.bars, ends)):
        y = first + index * ROW
        name = escape(bar.title)
        if bar.language:
            name += f' <tspan class="language">{escape(bar.language)}</tspan>'
        mine = ' class="ours"' if bar.is_ours else ""
        lines.append(f'<text{mine} x="0" y="{y + TEXT}">{name}</text>')
        shape = ' class="mine"' if bar.is_ours else ""
        height = (ROW - BAR) // 2
        lines.append(f'<rect{shape} x="{left}" y="{y + height}" width="{end - left:.1f}" height="{BAR}" rx="2"/>')
        lines.append(f'<text{mine} x="{end + 6:.1f}" y="{y + TEXT}">{escape(bar.figure)}</text>')
    return lines, last + 32


def svg(everything):
    """The picture."""
    shown = panels(everything)
    left = math.ceil(label_width(shown)) + 12
    lines = []
    top = 0
    for panel in shown:
        elements, top = panel_lines(panel, top, left)
        lines += elements
    for line in caption(everything):
        lines.append(f'<text class="note" x="0" y="{top + 10}">{escape(line)}</text>')
        top += 15
    height = top + 2
    facts = [
        f"{panel.title}: " + ", ".join(f"{bar.title} {bar.figure}" for bar in panel.bars) + "." for panel in shown
    ]
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">The speed of {OURS} and of other libraries</title>',
        f'<desc id="desc">{escape(" ".join(facts))}</desc>',
        f"<style>{STYLE}</style>",
    ]
    return "\n".join([*head, *lines, "</svg>", ""])
