"""Reads a multipart/form-data body with a parser from PyPI and prints its parts as JSON.

Usage: python parsers.py (multipart | werkzeug) CONTENT_TYPE FILE
"""

import hashlib
import importlib.metadata
import json
import sys


def part(name, filename, content_type, content):
    return {
        "name": name,
        "filename": filename,
        "type": content_type,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def read_with_multipart(content_type, stream):
    import multipart

    _, options = multipart.parse_options_header(content_type)
    parser = multipart.MultipartParser(stream, options["boundary"], strict=True)
    return [part(item.name, item.filename, item.content_type, item.raw) for item in parser]


def read_with_werkzeug(content_type, stream):
    from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder
    from werkzeug.http import parse_options_header

    _, options = parse_options_header(content_type)
    decoder = MultipartDecoder(options["boundary"].encode())
    decoder.receive_data(stream.read())
    decoder.receive_data(None)
    parts = []
    content = b""
    head = None
    while not isinstance(event := decoder.next_event(), Epilogue):
        if isinstance(event, (Field, File)):
            head = event
            content = b""
        elif isinstance(event, Data):
            content += event.data
            if not event.more_data:
                filename = head.filename if isinstance(head, File) else None
                parts.append(part(head.name, filename, head.headers.get("content-type"), content))
    return parts


def main():
    parser, content_type, path = sys.argv[1:]
    read = {"multipart": read_with_multipart, "werkzeug": read_with_werkzeug}[parser]
    with open(path, "rb") as stream:
        parts = read(content_type, stream)
    json.dump({"version": importlib.metadata.version(parser), "parts": parts}, sys.stdout)


if __name__ == "__main__":
    main()
