"""Reads forms with BlackSheep. Usage: blacksheep_server.py PORT"""

import sys

import uvicorn
from answer import answer, failure, part
from blacksheep import Application, Content, Response
from blacksheep.exceptions import HTTPException

app = Application()


@app.router.post("/")
async def read(request):
    try:
        parts = [
            part(
                each.name.decode("utf-8", "surrogateescape"),
                each.data,
                each.file_name and each.file_name.decode("utf-8", "surrogateescape"),
                each.content_type and each.content_type.decode(),
            )
            for each in await request.multipart()
        ]
        status, text = 200, answer(parts, "blacksheep")
    except HTTPException as error:
        status, text = error.status, failure(error)
    except Exception as error:
        status, text = 500, failure(error)
    return Response(status, content=Content(b"application/json", text.encode()))


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]))
