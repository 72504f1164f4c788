"""Reads forms with aiohttp. Usage: aiohttp_server.py PORT"""

import sys

from aiohttp import web
from answer import answer, failure, part


async def read(request):
    try:
        return web.Response(text=answer(await parts_of(request), "aiohttp"), content_type="application/json")
    except web.HTTPException:
        raise
    except Exception as error:
        return web.Response(status=500, text=failure(error), content_type="application/json")


async def parts_of(request):
    parts = []
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            parts.append(part(name, value.file.read(), value.filename, value.content_type))
        else:
            parts.append(part(name, value))
    return parts


app = web.Application()
app.add_routes([web.post("/", read)])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
