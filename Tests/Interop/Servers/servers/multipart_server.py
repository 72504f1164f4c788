"""Reads forms with the library multipart, as a WSGI application. Usage: multipart_server.py PORT"""

import sys
from wsgiref.simple_server import make_server

import multipart
from answer import answer, part


def read(environ, start_response):
    try:
        fields, files = multipart.parse_form_data(environ, strict=True)
    except multipart.MultipartError as error:
        start_response("400 Bad Request", [("Content-Type", "text/plain")])
        return [str(error).encode()]
    parts = [part(name, value) for name, value in fields.iterallitems()]
    parts += [part(name, file.raw, file.filename, file.content_type) for name, file in files.iterallitems()]
    start_response("200 OK", [("Content-Type", "application/json")])
    return [answer(parts, "multipart").encode()]


make_server("127.0.0.1", int(sys.argv[1]), read).serve_forever()
