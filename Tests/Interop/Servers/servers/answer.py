"""The responses of the Python servers."""

import base64
import importlib.metadata
import json


def part(name, content, filename=None, type=None):
    """A part as JSON; `content` may be text that the server decoded from UTF-8."""
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    return {"name": name, "filename": filename, "type": type, "content": base64.b64encode(content).decode()}


def answer(parts, framework, parser=None):
    """The parts, with the versions of a framework and of the parser it uses, if that is another library."""
    version = importlib.metadata.version(framework)
    if parser:
        version += f", {parser} {importlib.metadata.version(parser)}"
    return json.dumps({"version": version, "parts": parts})


def failure(error):
    """An exception that is the parser's own fault, with its class; sent with status 500."""
    return json.dumps({"exception": type(error).__name__})
