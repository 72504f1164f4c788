"""Sends the forms with a Python library: requests, httpx, urllib3 or aiohttp.

Usage: python python_clients.py LIBRARY ADDRESS
"""

import asyncio
import importlib.metadata
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import forms


def as_tuples(parts):
    """The parts as requests and httpx take them: a tuple without a file name is a field."""
    return [(part.name, (part.filename, part.content, part.type)) for part in parts]


def send_with_requests(address, parts):
    import requests

    # The form is multipart only if `files` is not empty; it may hold fields, too.
    requests.post(address, files=as_tuples(parts), timeout=30)


def send_with_urllib3(address, parts):
    import urllib3

    fields = [
        (part.name, part.content) if part.filename is None else (part.name, (part.filename, part.content, part.type))
        for part in parts
    ]
    urllib3.request("POST", address, fields=fields, timeout=30)


def send_with_httpx(address, parts):
    import httpx

    httpx.post(address, files=as_tuples(parts), timeout=30)


def send_with_aiohttp(address, parts, quote_fields):
    import aiohttp

    async def send():
        form = aiohttp.FormData(quote_fields=quote_fields, default_to_multipart=True)
        for part in parts:
            if part.filename is None:
                form.add_field(part.name, part.content.decode())
            else:
                form.add_field(part.name, part.content, filename=part.filename, content_type=part.type)
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(30)) as session:
            await session.post(address, data=form)

    try:
        asyncio.run(send())
    except aiohttp.ClientConnectionError:
        # It reports a name that it cannot write this way. The listener then misses a request.
        pass


# The functions that send the forms, by library and by the prefix of the key.
SENDERS = {
    "requests": {"": send_with_requests},
    "urllib3": {"": send_with_urllib3},
    "httpx": {"": send_with_httpx},
    "aiohttp": {
        "": lambda address, parts: send_with_aiohttp(address, parts, True),
        "raw-": lambda address, parts: send_with_aiohttp(address, parts, False),
    },
}


def main():
    library, address = sys.argv[1:]
    print(f"version\t{importlib.metadata.version(library)}")
    for prefix, send in SENDERS[library].items():
        for id, parts in forms.FORMS.items():
            try:
                send(f"{address}/{prefix}{id}", parts)
            except ValueError as error:
                # It refuses the form; without this line the missing request would be a failure.
                print(f"cannot\t{prefix}{id}\trefuses: {error}")


if __name__ == "__main__":
    main()
