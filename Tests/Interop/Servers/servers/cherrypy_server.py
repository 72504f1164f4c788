"""Reads forms with CherryPy. Usage: cherrypy_server.py PORT"""

import sys
from wsgiref.simple_server import make_server

import cherrypy
from answer import answer, failure, part


class Reader:
    """Answers with the parts of a form."""

    @cherrypy.expose
    def index(self, **fields):
        parts = []
        for name, values in fields.items():
            for value in values if isinstance(values, list) else [values]:
                if isinstance(value, str):
                    parts.append(part(name, value))
                else:
                    # A file without content has no file to read.
                    content = value.file.read() if value.file else b""
                    parts.append(part(name, content, value.filename, str(value.content_type)))
        cherrypy.response.headers["Content-Type"] = "application/json"
        return answer(parts, "CherryPy").encode()


def application(environ, start_response):
    try:
        return reader(environ, start_response)
    except Exception as error:
        start_response("500 Internal Server Error", [("Content-Type", "application/json")])
        return [failure(error).encode()]


cherrypy.config.update({"log.screen": False, "engine.autoreload.on": False, "request.throw_errors": True})
reader = cherrypy.tree.mount(Reader(), "/", {"/": {"request.throw_errors": True}})
make_server("127.0.0.1", int(sys.argv[1]), application).serve_forever()
