"""Reads forms with WebOb, as Pyramid does. Usage: webob_server.py PORT"""

from answer import part
from webob import Request
from wsgi import serve


def read(environ):
    # A file input without a file is empty bytes.
    return [
        part(name, value)
        if isinstance(value, (str, bytes))
        else part(name, value.file.read(), value.filename, value.type)
        for name, value in Request(environ).POST.items()
    ]


serve(read, "WebOb")
