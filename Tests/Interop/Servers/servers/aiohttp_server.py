"""Reads forms with aiohttp. Usage: aiohttp_server.py PORT"""

import sys

from aiohttp import web
from answer import answer, part


async def read(request):
    parts = []
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            parts.append(part(name, value.file.read(), value.filename, value.content_type))
        else:
            parts.append(part(name, value))
    return web.Response(text=answer(parts, "aiohttp"), content_type="application/json")


app = web.Application()
app.add_routes([web.post("/", read)])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
