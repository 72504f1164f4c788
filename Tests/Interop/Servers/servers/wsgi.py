"""Serves a function that reads a form, as a WSGI application."""

import io
import sys
from wsgiref.simple_server import make_server

from answer import answer, failure


def serve(read, framework, refusals=()):
    """Answers with the parts that `read` makes of an environment.

    The status is 400 if `read` raises one of the exceptions with which the framework refuses a form, and 500 for any
    other exception.
    """

    def application(environ, start_response):
        # Some parsers read to the end of the input, which is not that of the body.
        environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        try:
            status, text = "200 OK", answer(read(environ), framework)
        except refusals as error:
            status, text = "400 Bad Request", failure(error)
        except Exception as error:
            status, text = "500 Internal Server Error", failure(error)
        start_response(status, [("Content-Type", "application/json")])
        return [text.encode()]

    make_server("127.0.0.1", int(sys.argv[1]), application).serve_forever()
