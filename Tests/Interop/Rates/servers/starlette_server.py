"""Reads forms with Starlette, whose parser is python-multipart; prints its port, and ends with its input."""

import socket
import sys
import threading

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route


async def read(request):
    parts = names = content = 0
    async with request.form() as form:
        for name, value in form.multi_items():
            parts += 1
            names += len(name.encode())
            content += len(value.encode()) if isinstance(value, str) else value.size
    text = f'{{"parts":{parts},"names":{names},"bytes":{content}}}'
    return Response(text, media_type="application/json")


def end_with_input():
    sys.stdin.buffer.read()
    server.should_exit = True


app = Starlette(routes=[Route("/", read, methods=["POST"])])
# One worker, without a line of log for each request.
config = uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_level="warning")
server = uvicorn.Server(config)
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
server.run(sockets=[listener])
