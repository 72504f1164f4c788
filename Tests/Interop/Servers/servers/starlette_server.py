"""Reads forms with Starlette, whose parser is python-multipart. Usage: starlette_server.py PORT"""

import sys

import uvicorn
from answer import answer, part
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route


async def read(request):
    parts = []
    async with request.form() as form:
        for name, value in form.multi_items():
            if isinstance(value, str):
                parts.append(part(name, value))
            else:
                parts.append(part(name, await value.read(), value.filename, value.content_type))
    return Response(answer(parts, "starlette", "python-multipart"), media_type="application/json")


app = Starlette(routes=[Route("/", read, methods=["POST"])])
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]))
