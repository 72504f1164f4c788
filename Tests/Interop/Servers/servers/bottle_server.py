"""Reads forms with Bottle. Usage: bottle_server.py PORT"""

import bottle
from answer import part
from wsgi import serve


def read(environ):
    return [
        part(name, value)
        if isinstance(value, str)
        else part(name, value.file.read(), value.raw_filename, value.content_type)
        for name, value in bottle.Request(environ).POST.allitems()
    ]


serve(read, "bottle", bottle.HTTPError)
