"""Reads forms with Baize. Usage: baize_server.py PORT"""

from answer import part
from baize.exceptions import HTTPException
from baize.wsgi import Request
from wsgi import serve


def read(environ):
    return [
        part(name, value) if isinstance(value, str) else part(name, value.read(), value.filename, value.content_type)
        for name, value in Request(environ).form.multi_items()
    ]


serve(read, "baize", HTTPException)
