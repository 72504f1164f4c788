"""Runs two readers of a JSON part: aiohttp, and openapi-core by an OpenAPI description. Prints the address as JSON.

`/aiohttp` answers with what aiohttp's `part.json()` returns. `/openapi` answers with what openapi-core makes of the
body by the description, or with status 400 and the reason.
"""

import json
import socket

import yaml
from aiohttp import web
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest

from ending import end_with_input

FORM = """
multipart/form-data:
  schema:
    type: object
    required: [metadata, photo]
    properties:
      metadata: { $ref: "#/components/schemas/Metadata" }
      photo: { type: string, format: binary }
  encoding:
    metadata: { contentType: application/json }
    photo: { contentType: image/png }
"""
DESCRIPTION = {
    "openapi": "3.0.3",
    "info": {"title": "Photos", "version": "1"},
    "paths": {
        "/photos": {
            "post": {
                "requestBody": {"required": True, "content": yaml.safe_load(FORM)},
                "responses": {"200": {"description": "what was read"}},
            }
        }
    },
    "components": {
        "schemas": {
            "Metadata": {
                "type": "object",
                "required": ["title", "tags", "rating"],
                "properties": {
                    "title": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "rating": {"type": "integer"},
                },
            }
        }
    },
}


async def read_with_aiohttp(request):
    answer = {}
    reader = await request.multipart()
    while (part := await reader.next()) is not None:
        if part.headers.get("Content-Type") == "application/json":
            answer[part.name] = await part.json()
        else:
            answer[part.name] = len(await part.read())
    return web.json_response(answer)


async def read_with_openapi(request):
    body = await request.read()
    description = OpenAPI.from_dict(DESCRIPTION)
    message = MockRequest(
        "http://localhost", "post", "/photos", data=body, content_type=request.headers["Content-Type"]
    )
    result = description.unmarshal_request(message)
    if result.errors:
        return web.json_response({"errors": [repr(error.__cause__ or error) for error in result.errors]}, status=400)
    photo = result.body["photo"]
    return web.json_response({"metadata": result.body["metadata"], "photo": len(photo)})


def main():
    application = web.Application(client_max_size=1 << 20)
    application.router.add_post("/aiohttp", read_with_aiohttp)
    application.router.add_post("/openapi", read_with_openapi)
    listener = socket.create_server(("127.0.0.1", 0))
    end_with_input()
    # The socket listens already, so connections wait until the server accepts them.
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    web.run_app(application, sock=listener, print=None)


main()
