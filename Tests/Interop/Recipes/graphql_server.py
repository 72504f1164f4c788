"""Runs a GraphQL server with strawberry, whose mutations answer with what they have read. Prints its address as JSON."""

import hashlib
import json
import socket

import strawberry
import uvicorn
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload

from ending import end_with_input


@strawberry.type
class Receipt:
    filename: str
    content_type: str | None
    size: int
    sha256: str


@strawberry.input
class Album:
    title: str
    cover: Upload | None = None
    photos: list[Upload]


async def receipt(file):
    content = await file.read()
    digest = hashlib.sha256(content).hexdigest()
    return Receipt(filename=file.filename, content_type=file.content_type, size=len(content), sha256=digest)


@strawberry.type
class Query:
    version: str = "1"


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def save(self, file: Upload) -> Receipt:
        return await receipt(file)

    @strawberry.mutation
    async def save_all(self, files: list[Upload]) -> list[Receipt]:
        return [await receipt(file) for file in files]

    @strawberry.mutation
    async def save_album(self, album: Album) -> list[Receipt]:
        cover = [album.cover] if album.cover else []
        return [await receipt(file) for file in [*cover, *album.photos]]


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    schema = strawberry.Schema(Query, Mutation)
    application = GraphQL(schema, multipart_uploads_enabled=True)
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical", lifespan="off"))
    end_with_input()
    # The socket listens already, so connections wait until the server accepts them.
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"}), flush=True)
    server.run(sockets=[listener])


main()
