"""urllib3's encoder, which requests uses, timed at writing forms.

    python encode.py encode-fields | encode-data RUNS

Prints one JSON object: the time of each run in nanoseconds. The first run is not timed.
"""

import json
import sys
import time

from urllib3.filepost import encode_multipart_formdata


def fields():
    """A form of small fields."""
    return [(f"field{100000 + index}", f"value {index}") for index in range(100_000)]


def data():
    """A file of 64 MiB in memory."""
    return [("file", ("content.bin", bytes(index * 31 >> 3 & 0xFF for index in range(1 << 20)) * 64))]


def main():
    what, runs = sys.argv[1:]
    form = {"encode-fields": fields, "encode-data": data}[what]()
    length = len(encode_multipart_formdata(form)[0])
    times = []
    for _ in range(int(runs)):
        start = time.perf_counter_ns()
        length = len(encode_multipart_formdata(form)[0])
        times.append(time.perf_counter_ns() - start)
    print(json.dumps({"bytes": length, "ns": times}))


if __name__ == "__main__":
    main()
