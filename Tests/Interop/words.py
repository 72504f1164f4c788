"""Forms in the syntax that curl and the formdata tool share."""


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def form_words(parts, folder):
    """The options that make a form; the content of files is written to the folder."""
    words = []
    for index, part in enumerate(parts):
        if part.filename is None:
            words += ["--form-string", f"{part.name}={part.content.decode()}"]
            continue
        path = folder / f"content {index}"
        path.write_bytes(part.content)
        words += ["-F", f"{part.name}=@{quoted(str(path))};type={part.type};filename={quoted(part.filename)}"]
    return words
