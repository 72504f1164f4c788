"""Reads forms with Flask, whose parser is Werkzeug's. Usage: flask_server.py PORT"""

import sys

import flask
from answer import answer, part

app = flask.Flask(__name__)


@app.post("/")
def read():
    parts = [part(name, value) for name, value in flask.request.form.items(multi=True)]
    parts += [
        part(name, file.read(), file.filename, file.content_type)
        for name, file in flask.request.files.items(multi=True)
    ]
    return answer(parts, "flask", "werkzeug")


app.run("127.0.0.1", int(sys.argv[1]))
