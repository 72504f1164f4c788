"""Reads forms with Tornado. Usage: tornado_server.py PORT"""

import asyncio
import sys

import tornado.web
from answer import answer, part


class Handler(tornado.web.RequestHandler):
    def post(self):
        body = self.request
        parts = [part(name, value) for name, values in body.body_arguments.items() for value in values]
        parts += [
            part(name, file.body, file.filename, file.content_type)
            for name, files in body.files.items()
            for file in files
        ]
        self.write(answer(parts, "tornado"))


async def main():
    tornado.web.Application([("/", Handler)]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
