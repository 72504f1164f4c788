"""Reads forms with the library multipart, as a WSGI application. Usage: multipart_server.py PORT"""

import multipart
from answer import part
from wsgi import serve


def read(environ):
    fields, files = multipart.parse_form_data(environ, strict=True)
    parts = [part(name, value) for name, value in fields.iterallitems()]
    return parts + [part(name, file.raw, file.filename, file.content_type) for name, file in files.iterallitems()]


serve(read, "multipart", multipart.MultipartError)
