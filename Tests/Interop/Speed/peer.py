"""Python's multipart parsers, timed over the messages of a file.

    python peer.py LIBRARY FILE BOUNDARY MESSAGE_BYTES RUNS

Prints one JSON object: the parts of a run (null if the library does not report them), and the time of each run in
nanoseconds. The first run is not timed.
"""

import json
import sys
import time

CHUNK = 64 * 1024

text_length = 0


def read(*texts):
    """Sums up the names' lengths, as a use of them."""
    global text_length
    text_length += sum(len(text) for text in texts if text)


def multipart(chunks, boundary):
    """The push parser of `multipart`."""
    from multipart import MultipartSegment, PushMultipartParser

    parts = 0
    with PushMultipartParser(boundary, max_segment_count=sys.maxsize, max_header_count=32) as parser:
        for chunk in chunks:
            for event in parser.parse(chunk):
                if isinstance(event, MultipartSegment):
                    read(event.name, event.filename, event.content_type)
                elif not event:
                    parts += 1
    return parts


def python_multipart(chunks, boundary):
    """The callback parser of `python-multipart`, with the headers read as Starlette does."""
    from python_multipart.multipart import MultipartParser, parse_options_header

    parts = 0
    field, value, headers = b"", b"", {}

    def on_part_begin():
        headers.clear()

    def on_header_field(data, start, end):
        nonlocal field
        field += data[start:end]

    def on_header_value(data, start, end):
        nonlocal value
        value += data[start:end]

    def on_header_end():
        nonlocal field, value
        headers[field.lower()] = value
        field, value = b"", b""

    def on_headers_finished():
        _, options = parse_options_header(headers.get(b"content-disposition"))
        read(options.get(b"name"), options.get(b"filename"), headers.get(b"content-type"))

    def on_part_end():
        nonlocal parts
        parts += 1

    callbacks = {
        "on_part_begin": on_part_begin,
        "on_header_field": on_header_field,
        "on_header_value": on_header_value,
        "on_header_end": on_header_end,
        "on_headers_finished": on_headers_finished,
        "on_part_data": lambda data, start, end: None,
        "on_part_end": on_part_end,
    }
    parser = MultipartParser(boundary, callbacks, max_header_count=32)
    for chunk in chunks:
        parser.write(chunk)
    parser.finalize()
    return parts


def werkzeug(chunks, boundary):
    """The sans-I/O decoder of Werkzeug."""
    from werkzeug.sansio.multipart import NEED_DATA, Data, Epilogue, Field, File, MultipartDecoder

    parts = 0
    decoder = MultipartDecoder(boundary.encode())
    for chunk in [*chunks, None]:
        decoder.receive_data(chunk)
        while True:
            event = decoder.next_event()
            if isinstance(event, (Field, File)):
                read(event.name, getattr(event, "filename", None), event.headers.get("content-type"))
                parts += 1
            elif event is NEED_DATA or isinstance(event, Epilogue):
                break
        if isinstance(event, Epilogue):
            break
    return parts


def streaming_form_data(chunks, boundary):
    """`streaming-form-data`, which only reports parts whose names are registered."""
    from streaming_form_data import StreamingFormDataParser
    from streaming_form_data.targets import NullTarget

    class Target(NullTarget):
        def on_start(self):
            read(self.multipart_filename, self.multipart_content_type)

    parser = StreamingFormDataParser({"Content-Type": f"multipart/form-data; boundary={boundary}"})
    for name in ("file", "title", "album", "token", "photo"):
        parser.register(name, Target())
    for chunk in chunks:
        parser.data_received(chunk)
    return None


LIBRARIES = {
    "multipart": multipart,
    "python-multipart": python_multipart,
    "werkzeug": werkzeug,
    "streaming-form-data": streaming_form_data,
}


def main():
    library, path, boundary, message_bytes, runs = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    messages = []
    for start in range(0, len(data), int(message_bytes)):
        end = start + int(message_bytes)
        messages.append([data[at : min(at + CHUNK, end)] for at in range(start, end, CHUNK)])

    def parse_all():
        counts = [LIBRARIES[library](chunks, boundary) for chunks in messages]
        return None if None in counts else sum(counts)

    parts = parse_all()
    times = []
    for _ in range(int(runs)):
        start = time.perf_counter_ns()
        parts = parse_all()
        times.append(time.perf_counter_ns() - start)
    print(json.dumps({"parts": parts, "ns": times}))


if __name__ == "__main__":
    main()
