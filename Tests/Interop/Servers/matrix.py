"""Compares the forms that servers read with those that were written."""

import dataclasses
import unicodedata

import forms
import tables


def sorted_by_name(parts):
    """The parts in the only order that remains if a server groups them by name."""
    return sorted(parts, key=lambda part: part.name or "")


def difference(form, found):
    """The differences between what was read and a form, in a few words; None if there are none."""
    if isinstance(found, str):
        return found
    expected = sorted_by_name(form)
    found = sorted_by_name(found)
    if len(found) != len(expected):
        return f"differs: {len(found)} of {len(expected)} parts"
    details = []
    for part, wanted in zip(found, expected):
        for what in ("name", "filename", "type", "content"):
            value, typed = getattr(part, what), getattr(wanted, what)
            # A field without a type may get one from the server, and not every server reports types.
            is_untold = what == "type" and (value is None or typed is None)
            if value != typed and not is_untold:
                details.append(f"{what} {shown(value)}")
    return "differs: " + ", ".join(details) if details else None


def shown(value):
    """A value as code, with invisible characters escaped."""
    if value is None:
        return "missing"
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if len(text) > 40:
        return f"of {len(text)} characters"
    hidden = {ord(letter): ascii(letter)[1:-1] for letter in text if unicodedata.category(letter) in ("Cc", "Cf")}
    return f"`{text.translate(hidden)}`" if text else "empty"


@dataclasses.dataclass(frozen=True)
class Column:
    """What one server read of our forms and of the controls' (by name)."""

    title: str
    found: dict
    controls: dict

    def difference(self, id):
        return difference(forms.FORMS[id], self.found[id])

    def is_shared(self, id):
        """Whether a form of curl or a browser differs in the same way."""
        return any(self.difference(id) == difference(forms.FORMS[id], found[id]) for found in self.controls.values())

    def only_ours(self):
        """The forms that differ in another way than those of curl and the browsers."""
        for id in forms.FORMS:
            if self.difference(id) and not self.is_shared(id):
                others = {name: difference(forms.FORMS[id], found[id]) for name, found in self.controls.items()}
                yield f"{id}: {self.difference(id)}; {others}"

    def cell(self, id):
        text = self.difference(id)
        return "equal" if text is None else text if self.is_shared(id) else f"**ours alone** {text}"

    def counts(self):
        """The number of forms that are equal, that differ as for curl or a browser, and that differ for us alone."""
        differing = [id for id in forms.FORMS if self.difference(id)]
        alone = len(list(self.only_ours()))
        return len(forms.FORMS) - len(differing), len(differing) - alone, alone


def markdown(columns):
    """The matrix of forms and servers."""
    head = ["form", *(column.title for column in columns)]
    return tables.markdown(head, [[id, *(column.cell(id) for column in columns)] for id in forms.FORMS])


def summary(columns, skipped):
    """A line for each server; `skipped` has names and reasons."""
    head = ["server", "read as written", "otherwise, as from curl or a browser", "otherwise, only ours"]
    rows = [[column.title, *column.counts()] for column in columns]
    return tables.markdown(head, rows + [[name, reason, "", ""] for name, reason in skipped])
